#' Runs that each label some of the objects
#'
#' Hard clusterings ("runs") of subsamples or bootstrap samples of the same objects. An object that
#' a run does not label is absent from it and has no effect there. [sc_consensus()], [sc_mmcc()] and
#' [sc_medoid()] also take such runs.
#'
#' @param labels Matrix of whole numbers, a run per row and an object per column, `NA` where an
#'   object is absent; or a data frame with a run per column. Labels are not comparable across runs.
#' @param absent_label A number that also means absent, such as 0; `NULL` for none.
#' @param names Names of the runs; by default the row names (the columns of a data frame), else
#'   `"1"`, `"2"`, ...
#' @return A list of class `sc_partial_ensemble`:
#'   * `labels`: a matrix, runs by objects; in each run clusters are numbered by first appearance, and
#'     `NA` means absent.
#'   * `counts`: runs per object.
#'   * `n_clusters`: of each run.
#' @seealso [sc_resampled_clusterings()] makes runs; [sc_cluster_stability()], [sc_coassociation()]
#'   and [sc_element_consistency()] measure their stability.
#' @examplesIf sc_available()
#' runs <- sc_partial_ensemble(rbind(c(1, 1, 2, NA), c(NA, 2, 2, 1)))
#' runs
#' sc_coassociation(runs)$pac
#' @export
sc_partial_ensemble <- function(labels, absent_label = NULL, names = NULL) {
  if (inherits(labels, "sc_partial_ensemble")) return(labels)
  labels <- columns_of_cuts(labels)
  frame <- is.data.frame(labels)
  if (!frame && !is.matrix(labels)) {
    stop_softclust("ClusteringError", "`labels` is of class ", class(labels)[1L], "; a matrix with ",
                   "one run per row, or a data frame with one run per column, is needed")
  }
  if (frame) {
    rows <- row_names_of(labels)
    labels <- t(as.matrix(labels))
    colnames(labels) <- if (!inherits(rows, "sc_rows")) rows
  }
  if (all(is.na(labels))) labels[] <- NA_real_
  if (!is.numeric(labels)) {
    stop_softclust("ClusteringError", "`labels` are of type ", typeof(labels), "; whole numbers ",
                   "are needed: as.integer(factor(x)) makes them")
  }
  storage.mode(labels) <- "double"
  if (is.null(names)) names <- rownames(labels)
  if (is.null(names)) names <- seq_len(nrow(labels))
  names <- as.character(names)
  if (!is.null(absent_label)) whole_number(absent_label, "absent_label", least = -Inf)
  found <- run("Ensemble.from_runs", labels = unname(labels), names = as_vector(names),
               object_names = as_vector(colnames(labels)), options = dots(absent_label = absent_label))
  new_partial(found, names, colnames(labels))
}

new_partial <- function(found, runs, objects, seed = NULL) {
  found <- c(found[c("labels", "counts", "n_clusters")],
             list(verbs = found$verbs[c("summary", "frame")]))   # $labels has the record
  dimnames(found$labels) <- list(runs, objects)
  found <- name_parts(name_parts(found, objects, "counts"), runs, "n_clusters")
  new_result(found, "sc_partial_ensemble", seed)
}

# Runs as the functions below take them: partial ones, or complete clusterings.
as_runs <- function(x) {
  if (inherits(x, "sc_partial_ensemble")) return(x)
  x <- columns_of_cuts(x)
  if (is.matrix(x) && is.numeric(x)) {
    if (anyNA(x) || any(x < 0)) {
      stop_softclust("ClusteringError", "the runs contain NA or negative labels, which may mean ",
                     "absent or noise: use sc_partial_ensemble(labels) if objects are absent from ",
                     "runs, or sc_align() to treat noise")
    }
    return(sc_partial_ensemble(x))
  }
  as_ensemble(x)
}

encode_partial <- function(x) {
  unclass(made("Ensemble.from_runs", labels = unname(x$labels) + 0, absent_label = NULL,
               names = as_vector(rownames(x$labels)), object_names = as_vector(colnames(x$labels))))
}

run_names <- function(x) {
  if (inherits(x, "sc_partial_ensemble")) rownames(x$labels) else names(x)
}

#' Cluster many parts of the data
#'
#' Runs a clusterer on subsamples or bootstrap samples, or on data that are changed a little.
#'
#' @param n_clusters Number of clusters.
#' @param estimator A clusterer of R, called as `estimator(x, k)`, whose value is a vector of labels
#'   or a list with them as `$cluster`; `NULL` takes k-means.
#' @param scheme `"subsample"`, `"bootstrap"` (objects that are drawn several times count once),
#'   `"jitter"` (normal noise is added) or `"noise"` (some objects are replaced).
#' @param size Objects of a subsample, or their share.
#' @return A partial ensemble, see [sc_partial_ensemble()]. Runs that fail are left out, with a warning.
#' @python resampled_clusterings -indices -family -share -variance +n_init
#' @examplesIf sc_available()
#' runs <- sc_resampled_clusterings(iris[, 1:4], 3, n_resamples = 20, seed = 1)
#' sc_cluster_stability(iris$Species, runs)
#' hc <- function(x, k) cutree(hclust(dist(x), "average"), k)
#' sc_coassociation(sc_resampled_clusterings(iris[, 1:4], 3, hc, n_resamples = 20, seed = 1))
#' @export
sc_resampled_clusterings <- function(data, n_clusters, estimator = NULL, scheme = "subsample",
                                     n_resamples = 100, size = 0.5, ..., seed = NULL) {
  table <- as_table(data)
  whole_number(n_clusters, "n_clusters")
  whole_number(n_resamples, "n_resamples")
  scheme <- chosen(scheme, c("subsample", "bootstrap", "jitter", "noise"))
  found <- record_by("resampled_clusterings", "sc_runs", data, table, estimator, labels_from_0, scheme = scheme,
                     n_resamples = n_resamples, size = if (scheme == "subsample") size, options = dots(...),
                     kmeans = if (is.null(estimator)) list(n_clusters = n_clusters), seed = draw_seed(seed),
                     n_clusters = if (!is.null(estimator)) n_clusters)
  new_partial(unclass(found), as.character(as.integer(found$names) + 1L), rownames(table), found$seed)
}
