"""What the tests of the report share: a table of flowers, files, the command."""

import pandas as pd

import softclust as sc

IRIS = sc.datasets.load_iris()
QUICK = ["--quick", "--date", "2026-01-01"]


def frame(step=3):
    """Some iris flowers with short names and ids."""
    table = pd.DataFrame(IRIS.data, columns=["sl", "sw", "pl", "pw"])
    table.insert(0, "id", [f"f{i}" for i in range(150)])
    table["species"] = [IRIS.label_names[k] for k in IRIS.labels]
    return table[::step].reset_index(drop=True)


def write(table, name="d.csv", **options):
    """The table as a file in the working folder."""
    table.to_csv(name, index=False, **options)
    return name
