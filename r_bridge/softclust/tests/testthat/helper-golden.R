# Clusterings as the stored values describe them.
fraction <- function(text) {
  if (is.numeric(text)) return(text)
  vapply(strsplit(as.character(text), "/", fixed = TRUE), function(parts) {
    parts <- as.numeric(parts)
    if (length(parts) == 2L) parts[1L] / parts[2L] else parts[1L]
  }, 0)
}

rows <- function(entry) {
  if (is.list(entry)) entry <- do.call(rbind, lapply(entry, unlist))
  matrix(fraction(as.vector(entry)), nrow(entry))
}

stored_clustering <- function(entry) {
  switch(entry$kind,
    hard = sc_clustering(as.integer(unlist(entry$labels))),
    fuzzy = sc_clustering(rows(entry$membership), kind = "fuzzy"),
    possibilistic = sc_clustering(rows(entry$typicality), kind = "possibilistic"),
    rough = if (is.null(entry$lower)) sc_rough(upper = rows(entry$upper) > 0)
            else sc_rough(lower = rows(entry$lower) > 0, upper = rows(entry$upper) > 0),
    evidential = sc_evidential(rows(entry$mass), rows(entry$focal_sets) > 0))
}
