#' Print, summarise, draw and select clusterings
#'
#' @param x,object A clustering.
#' @param n Number of objects that are printed.
#' @param drop Whether a hard clustering becomes a factor without its empty clusters.
#' @param i Objects: positions, negative positions, logicals or object names. Clusters stay, empty
#'   ones too.
#' @param digits Number of digits.
#' @param row.names,optional As in [as.data.frame()].
#' @param main Title; by default what is drawn.
#' @param ... `print()`: passed to the method for data frames. `plot()`: `xlab`, `ylab`, `col` (for
#'   hard clusterings the colour of the bars, otherwise colours for values from 0 to 1), and arguments
#'   of [graphics::plot()]. Otherwise not used.
#' @return   * `print()`, `plot()`: `x`, invisibly.
#'   * `summary()`: a list of class `summary.sc_clustering`.
#'   * `as.data.frame()`: a data frame with one row per object. A hard clustering has the column
#'     `cluster` (a factor); rough (possible clusters), fuzzy and possibilistic ones have a column per
#'     cluster; evidential ones have a column per focal set, named like `{a, b}`.
#'   * `as.matrix()`: a matrix, objects by clusters or by focal sets.
#'   * `x[i]`: a clustering of the same kind.
#'   * `nobs()`: the number of objects.
#' @details `plot()` draws the sizes of the clusters of a hard clustering; otherwise one row
#'   per cluster (or focal set) and one column per object, darker for larger values, with the
#'   objects sorted by their largest value. Of rough clusterings certain clusters are dark, possible
#'   ones grey.
#' @examplesIf sc_available()
#' x <- sc_clustering(matrix(c(0.9, 0.4, 0.1, 0.6), 2))
#' x
#' summary(x)
#' x[2]
#' as.data.frame(x)
#' plot(x)
#' @name clustering_methods
NULL

#' @rdname clustering_methods
#' @export
print.sc_clustering <- function(x, n = 6L, digits = 3L, ...) {
  total <- n_objects(x)
  cat(title_of(x), "\n", sep = "")
  if (inherits(x, "sc_hard")) {
    print(sizes_of(x), ...)
    return(invisible(x))
  }
  shown <- as.data.frame(x[seq_len(min(n, total))])
  if (inherits(x, "sc_rough")) {
    shown[] <- Map(function(low, up) ifelse(low, "certain", ifelse(up, "possible", ".")),
                   as.data.frame(x$lower[seq_len(nrow(shown)), , drop = FALSE]), shown)
  }
  print(shown, digits = digits, ...)
  if (total > nrow(shown)) cat("... and", total - nrow(shown), "more objects\n")
  invisible(x)
}

#' @rdname clustering_methods
#' @export
summary.sc_clustering <- function(object, ...) {
  # As a column of a data frame it is summarised as a factor.
  if ("maxsum" %in% ...names() && inherits(object, "sc_hard")) return(summary(sc_labels(object), ...))
  no_dots(...)
  u <- object
  extra <- switch(kind_of(u),
    cover = list(sizes = structure(lengths(u$members), names = cluster_labels(u)),
                 uncovered = sum(tabulate(unlist(u$members), u$n_objects) == 0L),
                 mean_set_size = length(unlist(u$members)) / u$n_objects),
    hard = list(sizes = sizes_of(u)),
    rough = list(sizes = data.frame(certain = colSums(u$lower), possible = colSums(u$upper),
                                    row.names = cluster_labels(u)),
                certain_objects = sum(rowSums(u$upper) == 1),
                mean_set_size = mean(rowSums(u$upper))),
    fuzzy = list(sizes = named_sums(u$membership, u),
                 mean_largest = mean(row_max(u$membership))),
    possibilistic = list(sizes = named_sums(u$typicality, u),
                         mean_largest = mean(row_max(u$typicality))),
    evidential = list(sizes = structure(colSums(u$mass), names = set_labels(u)),
                      empty_mass = mean(rowSums(u$mass[, rowSums(u$focal_sets) == 0,
                                                       drop = FALSE])),
                      mean_set_size = mean(u$mass %*% rowSums(u$focal_sets))))
  structure(c(list(kind = kind_of(u), n_objects = n_objects(u), n_clusters = n_clusters(u)), extra),
            class = "summary.sc_clustering")
}

#' @rdname clustering_methods
#' @export
print.summary.sc_clustering <- function(x, digits = 3L, ...) {
  cat(capital(x$kind), " clustering of ", counted(x$n_objects, "object"), " into ",
      counted(x$n_clusters, "cluster"), "\n", sep = "")
  what <- c(hard = "Objects in each cluster", rough = "Objects in each cluster",
            fuzzy = "Sum of memberships", possibilistic = "Sum of typicalities",
            evidential = "Sum of masses", cover = "Objects in each cluster")
  cat(what[[x$kind]], ":\n", sep = "")
  print(x$sizes, digits = digits, ...)
  line <- function(text, value) cat(text, ": ", format(value, digits = digits), "\n", sep = "")
  if (!is.null(x$uncovered)) line("Objects in no cluster", x$uncovered)
  if (!is.null(x$certain_objects)) line("Certain objects", x$certain_objects)
  if (!is.null(x$mean_set_size)) line("Mean number of clusters of an object", x$mean_set_size)
  if (!is.null(x$mean_largest)) line("Mean of the largest value of an object", x$mean_largest)
  if (!is.null(x$empty_mass)) line("Mean mass on the empty set", x$empty_mass)
  invisible(x)
}

#' @rdname clustering_methods
#' @export
as.data.frame.sc_clustering <- function(x, row.names = NULL, optional = FALSE, ...) {
  no_dots(..., but = "stringsAsFactors")
  columns <- switch(kind_of(x),
    hard = list(cluster = factor(cluster_labels(x)[x$labels], cluster_labels(x))),
    rough = columns_of(x$upper, cluster_labels(x)),
    cover = columns_of(cover_matrix(x), cluster_labels(x)),
    evidential = columns_of(x$mass, set_labels(x)),
    columns_of(attr(x, "parts")[[1L]], cluster_labels(x)))
  # data.frame(k = x) names the column by itself, as it does for a factor.
  if (optional && inherits(x, "sc_hard")) names(columns) <- NULL
  names <- if (!is.null(row.names)) row.names else x$object_names
  structure(columns, class = "data.frame",
            row.names = if (is.null(names)) .set_row_names(n_objects(x)) else names)
}

#' @rdname clustering_methods
#' @export
as.matrix.sc_clustering <- function(x, ...) {
  no_dots(...)
  m <- if (inherits(x, "sc_hard")) indicators(x)
       else call_with(cbind, as.data.frame(x, row.names = NULL))
  m <- m + 0
  dimnames(m) <- list(x$object_names, if (inherits(x, "sc_evidential")) set_labels(x)
                      else cluster_labels(x))
  m
}

#' @rdname clustering_methods
#' @export
nobs.sc_clustering <- function(object, ...) {
  no_dots(...)
  length(object)
}

#' @rdname clustering_methods
#' @export
`[.sc_clustering` <- function(x, i, drop = FALSE) {
  rows <- if (missing(i)) seq_along(x) else if (is.character(i)) match(i, names(x)) else seq_along(x)[i]
  if (anyNA(rows)) stop_softclust("ClusteringError", "`i` selects objects that are not there")
  objects <- if (is.null(attr(x, "numbered"))) names(x)[rows] else as.character(rows)
  # An object taken twice, as in a bootstrap, cannot keep its name twice.
  if (anyDuplicated(objects)) objects <- NULL
  parts <- attr(x, "parts")
  for (part in c("membership", "typicality", "lower", "upper", "mass")) {
    if (!is.null(parts[[part]])) parts[[part]] <- parts[[part]][rows, , drop = FALSE]
  }
  if (!is.null(parts$members)) parts$members <- cover_rows(x, rows)
  entries <- if (inherits(x, "sc_hard")) x$labels[rows] else seq_along(rows)
  found <- with_objects(structure(entries, levels = attr(x, "levels"), parts = parts,
                                  noise = attr(x, "noise"), class = class(x)), objects)
  if (drop && inherits(x, "sc_hard")) droplevels(sc_labels(found)) else found
}

# What vectors have: hard clusterings are factors, the others have it by their rows.
#' @rawNamespace S3method("$",sc_clustering); S3method("[[",sc_clustering)
#' S3method("$<-",sc_clustering); S3method("[<-",sc_clustering); S3method("[[<-",sc_clustering)
#' S3method("names<-",sc_clustering); S3method("levels<-",sc_clustering); S3method(levels,sc_clustering)
#' S3method(as.integer,sc_clustering); S3method(as.double,sc_clustering); S3method(xtfrm,sc_clustering)
#' S3method(as.character,sc_clustering); S3method(as.vector,sc_clustering); S3method(rep,sc_clustering)
#' S3method(as.list,sc_clustering); S3method(is.numeric,sc_clustering); S3method(c,sc_soft)
#' S3method(duplicated,sc_clustering); S3method(unique,sc_clustering); S3method(format,sc_clustering)
#' S3method(Ops,sc_soft); S3method(Math,sc_clustering); S3method(Summary,sc_clustering)
NULL

`$.sc_clustering` <- function(x, name) {
  data_only(attr(x, "parts")[[name]])
  switch(name, labels = if (inherits(x, "sc_hard")) as.vector(unclass(x)), object_names = names(x),
         n_objects = length(x), attr(x, "parts")[[name]])
}
`[[.sc_clustering` <- function(x, i) {
  if (is.character(i) && !i %in% names(x)) `$.sc_clustering`(x, i) else x[i]
}
`$<-.sc_clustering` <- `[<-.sc_clustering` <- `[[<-.sc_clustering` <- function(x, ..., value) {
  stop_softclust("TypeError", "a clustering does not change; make another by sc_clustering(), x[i], ",
                 "names(x) <- or levels(x) <-")
}
`names<-.sc_clustering` <- function(x, value) {
  if (!length(value) %in% c(0L, length(x))) {
    stop_softclust("ClusteringError", length(value), " names for ", counted(length(x), "object"))
  }
  attr(x, "names") <- attr(x, "numbered") <- NULL
  with_objects(x, value)
}
levels.sc_clustering <- function(x) cluster_labels(x)
`levels<-.sc_clustering` <- function(x, value) {
  if (length(value) != n_clusters(x)) {
    stop_softclust("ClusteringError", length(value), " names for ", counted(n_clusters(x), "cluster"))
  }
  attr(x, "noise") <- value[match(attr(x, "noise"), cluster_labels(x))]
  with_clusters(x, own_names(value, "clusters"))
}
as.integer.sc_clustering <- xtfrm.sc_clustering <- function(x, ...) as.integer(sc_labels(x), ...)
as.double.sc_clustering <- function(x, ...) as.double(as.integer(x))
as.character.sc_clustering <- function(x, ...) cluster_labels(x)[as.integer(x)]
as.vector.sc_clustering <- function(x, mode = "any") {
  if (mode == "list") as.list(x) else as.vector(sc_labels(x), mode)
}
as.list.sc_clustering <- function(x, ...) {
  stats::setNames(lapply(seq_along(x), function(i) x[i]), names(x))
}
is.numeric.sc_clustering <- function(x) FALSE
format.sc_clustering <- function(x, ...) {
  if (inherits(x, "sc_hard")) format(as.character(x), ...)
  else call_with(paste, unname(lapply(as.data.frame(x), format, ...)))
}
duplicated.sc_clustering <- function(x, incomparables = FALSE, ...) {
  c(duplicated(if (inherits(x, "sc_hard")) x$labels else as.matrix(unname(x)), incomparables, ...))
}
unique.sc_clustering <- function(x, incomparables = FALSE, ...) x[!duplicated(x, incomparables, ...)]
rep.sc_clustering <- function(x, ...) x[rep(seq_along(x), ...)]
c.sc_soft <- function(...) {
  stop_softclust("TypeError", "c() does not join clusterings; sc_ensemble(a, b) has several of the ",
                 "same objects")
}
Ops.sc_soft <- Math.sc_clustering <- Summary.sc_clustering <- function(...) {
  stop_softclust("TypeError", "clusters are not numbers to calculate with; as.integer(x) has those ",
                 "of a hard clustering")
}

#' @rdname sc_ensemble
#' @param x An ensemble.
#' @param i Members: positions, logicals or names.
#' @export
print.sc_ensemble <- function(x, ...) {
  cat("Ensemble of ", counted(length(x), "clustering"), " of ",
      counted(n_objects(x[[1L]]), "object"), "\n", sep = "")
  print(data.frame(kind = vapply(x, kind_of, ""), clusters = vapply(x, n_clusters, 1)), ...)
  invisible(x)
}

#' @rdname sc_ensemble
#' @param row.names,optional As in [as.data.frame()]: labels of hard clusterings, one column for each.
#' @export
as.data.frame.sc_ensemble <- function(x, row.names = NULL, optional = FALSE, ...) {
  no_dots(..., but = "stringsAsFactors")
  if (is.null(row.names)) row.names <- names(x[[1L]])
  columns <- lapply(unclass(x), function(member) unname(sc_labels(member)))
  data.frame(columns, row.names = row.names, check.names = FALSE)
}

#' @rdname sc_ensemble
#' @export
`[.sc_ensemble` <- function(x, i) {
  members <- unclass(x)[i]
  if (!length(members) || any(vapply(members, is.null, NA))) {
    stop_softclust("ClusteringError", "`i` selects no clustering, or one that is not there")
  }
  new_ensemble(members, make.unique(names(members)))
}

# -- words and numbers --------------------------------------------------------------------------
title_of <- function(x) {
  paste0(capital(kind_of(x)), " clustering of ", counted(n_objects(x), "object"), ", ",
         counted(n_clusters(x), "cluster"))
}

capital <- function(word) paste0(toupper(substring(word, 1L, 1L)), substring(word, 2L))

sizes_of <- function(x) {
  structure(tabulate(x$labels, x$n_clusters), names = cluster_labels(x))
}

named_sums <- function(m, x) structure(colSums(m), names = cluster_labels(x))

row_max <- function(m) m[cbind(seq_len(nrow(m)), max.col(m, ties.method = "first"))]

set_labels <- function(x) {
  clusters <- cluster_labels(x)
  apply(x$focal_sets, 1L, function(s) paste0("{", paste(clusters[s], collapse = ", "), "}"))
}

columns_of <- function(m, names) {
  structure(lapply(seq_len(ncol(m)), function(k) m[, k]), names = names)
}
