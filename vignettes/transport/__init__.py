"""What the pages on the transport paper share."""

from show import show


def tell(claims, place, caption=""):
    """Show the claims whose place begins with `place`, as they stand."""
    table = claims.table()
    here = table[table["place"].str.startswith(place)]
    here = here.assign(place=here["place"].str[len(place):].str.lstrip(",: "))
    show(here[["place", "published", "ours", "status"]].rename(columns={"place": ""})
         .reset_index(drop=True), caption or place)
