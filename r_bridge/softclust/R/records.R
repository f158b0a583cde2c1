# Results that cross by their fields: Python makes the text and the table, and says what is a
# position. A new function is its signature and one call of `record_of()`.

record_of <- function(name, arguments, options, seed = NULL, kmeans = NULL) {
  found <- front_call("record_of", name = name, arguments = arguments, options = options,
                      kmeans = kmeans, seed = seed)
  new_result(found, c(paste0("sc_", name), "sc_record"), seed)
}

#' Are there clusters at all?
#'
#' Compares how well separated the least separated pair of k-means clusters is with data of the same
#' size and spread that are one flat cluster. All numbers of clusters are asked at once; then more
#' clusters are tested against the clusters found.
#'
#' @param data Matrix or data frame of finite numbers, one row per object.
#' @param n_clusters Numbers of clusters to ask for.
#' @param ... Options of `cluster_test` in Python: `reference` (`"uniform"` or `"gaussian"`),
#'   `n_references`, `level`.
#' @param n_init Starts of k-means.
#' @param seed Integer; `NULL` draws one from R's random numbers.
#' @return A list of class `sc_cluster_test`: `best`, the number of clusters for which there is
#'   evidence (1 for none), `steps`, one for each number it was tested against, with `statistic`,
#'   `references`, `z`, `p_value` and `pairs`; `labels`, `level`, `notes`, and the rest of the
#'   fields of the result in Python. `print()` shows the table of Python, `as.data.frame()` has one
#'   row for each step and number of clusters.
#' @details The test holds its level for one cluster of any convex shape that we tried. Do not believe
#'   it for curved clusters, chosen features, embeddings by t-SNE or UMAP, dependent objects and
#'   clusters of a few objects: the page "Are there clusters?" of the guide says why.
#' @examplesIf sc_available()
#' sc_cluster_test(iris[, 1:4], 2:3, n_references = 19, seed = 1)
#' @export
sc_cluster_test <- function(data, n_clusters = 2:6, ..., n_init = 10, seed = NULL) {
  table <- as_table(data)
  for (k in n_clusters) whole_number(k, "n_clusters")
  record_of("cluster_test", list(X = unname(table), n_clusters = as_vector(n_clusters)), dots(...),
            draw_seed(seed), kmeans = list(n_init = whole_number(n_init, "n_init")))
}

#' Did the new version change the clusters?
#'
#' Tests whether clusterings by a new version of a pipeline differ from those by the old one by more
#' than several runs of one version differ among themselves.
#'
#' @param old,new Ensembles, or lists of clusterings of the same objects: runs with several seeds.
#'   `new` may be a single clustering.
#' @param ... Options of `compare_versions` in Python: `measure`, `n_permutations`, `level`,
#'   `objects`.
#' @param seed Integer; `NULL` draws one from R's random numbers.
#' @return A list of class `sc_compare_versions`: `statistic`, `p_value`, `changed` (`NA` if the runs
#'   are too few to tell), mean distances `between`, `within_old`, `within_new`, and for each object
#'   its shift `objects` and `objects_p`.
#' @examplesIf sc_available()
#' runs <- lapply(1:4, function(seed) { set.seed(seed); stats::kmeans(iris[, 1:4], 3)$cluster })
#' four <- lapply(1:4, function(seed) { set.seed(seed); stats::kmeans(iris[, 1:4], 4)$cluster })
#' sc_compare_versions(runs, four, seed = 1)
#' @export
sc_compare_versions <- function(old, new, ..., seed = NULL) {
  new <- if (is_collection(new) || inherits(new, "sc_ensemble")) as_ensemble(new) else {
    as_ensemble(list(sc_clustering(new)))
  }
  record_of("compare_versions", list(old = as_ensemble(old), new = new), dots(...),
            draw_seed(seed))
}

#' Are the clusters found again in other data?
#'
#' Clusters each cohort, carries the clusters of one to the objects of another, and compares them with
#' the clusters found there: between a ceiling, the agreement of two halves of one cohort, and a
#' floor, what cohorts of one long cluster would give.
#'
#' @param cohorts Named list of matrices or data frames with the same features: cohorts, batches or
#'   years.
#' @param n_clusters Number of clusters of k-means.
#' @param ... Options of `replicate` in Python: `measure`, `n_resamples`, `n_splits`, `reference`,
#'   `n_references`, `level`.
#' @param n_init Starts of k-means.
#' @param seed Integer; `NULL` draws one from R's random numbers.
#' @return A list of class `sc_replicate`: matrices `agreement`, `se`, `low`, `high`, `ceiling`,
#'   `floor` and `p_value`, cohorts by cohorts; `own` and `carried`, the labels, counted from 1.
#' @examplesIf sc_available()
#' halves <- split(iris[, 1:4], rep(c("first", "second"), 75))
#' sc_replicate(halves, 3, n_resamples = 20, n_splits = 5, n_references = 19, seed = 1)
#' @export
sc_replicate <- function(cohorts, n_clusters, ..., n_init = 10, seed = NULL) {
  if (!is.list(cohorts) || is.data.frame(cohorts) || is.null(names(cohorts))) {
    stop_softclust("TypeError", "`cohorts` must be a named list of matrices or data frames")
  }
  tables <- lapply(cohorts, function(each) unname(as_table(each, "cohorts")))
  record_of("replicate", list(cohorts = tables), dots(...), draw_seed(seed),
            kmeans = list(n_clusters = whole_number(n_clusters, "n_clusters"),
                          n_init = whole_number(n_init, "n_init")))
}

#' Range of an area under the curve when distances are tied
#'
#' @param truth Labels, the reference.
#' @param data Matrix or data frame of finite numbers, one row per object.
#' @param method Linkage, such as `"average"` or `"ward.D2"` (`"ward"` in Python).
#' @param ... Options of `tie_range` in Python: `max_clusters`, `n_draws`, `jitter`.
#' @param seed Integer; `NULL` draws one from R's random numbers.
#' @return A list of class `sc_tie_range`: `low`, `high`, `given`, and `auc` of each repeat.
#' @examplesIf sc_available()
#' sc_tie_range(iris$Species, iris[, 1:4], "average", n_draws = 5, seed = 1)
#' @export
sc_tie_range <- function(truth, data, method = "average", ..., seed = NULL) {
  if (identical(method, "ward.D2")) method <- "ward"
  record_of("tie_range", list(truth = sc_clustering(truth), data = unname(as_table(data)),
                              method = method), dots(...), draw_seed(seed))
}

#' Split counts or measurements in two independent parts
#'
#' Thins each entry into two parts with the same expectation up to the share: cluster one part and
#' test the other, so that the test does not use what made the clusters.
#'
#' @param data Matrix or data frame, one row per object: whole numbers for the families of counts.
#' @param family `"poisson"`, `"negative_binomial"` or `"gaussian"`.
#' @param ... Options of `thin` in Python: `share`; `size` for `"negative_binomial"`, `variance` for
#'   `"gaussian"`.
#' @param seed Integer; `NULL` draws one from R's random numbers.
#' @return A list of two matrices `first` and `second`, which add up to `data`.
#' @examplesIf sc_available()
#' counts <- matrix(rpois(20, 5), 5)
#' parts <- sc_thin(counts, seed = 1)
#' parts$first + parts$second - counts
#' @export
sc_thin <- function(data, family = c("poisson", "negative_binomial", "gaussian"), ...,
                    seed = NULL) {
  table <- as_table(data)
  parts <- front_call("thin", data = unname(table), family = match.arg(family),
                      options = dots(...), seed = draw_seed(seed))
  lapply(parts, function(part) structure(part, dimnames = dimnames(table)))
}
