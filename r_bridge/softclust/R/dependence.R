#' Agreement beyond what strata explain
#'
#' Two labellings that both follow the batch agree for that reason alone. `sc_agreement_by_strata()`
#' shows how much of the adjusted Rand index the strata explain, and what is left when they are
#' taken into account. `sc_conditional_mutual_information()` is the information that the two share
#' once the stratum is known.
#'
#' @param x,y Two hard clusterings of the same objects: anything [sc_clustering()] takes.
#' @param strata Stratum of each object (batch, site): a vector or factor without `NA`.
#' @param log_base Base of the logarithm; `NULL` for nats.
#' @return `sc_agreement_by_strata()`: a list of class `sc_strata_agreement`:
#'   * `total`: the adjusted Rand index; `from_strata`: the part that is expected if x and y are
#'     independent within strata; `beyond`: `total - from_strata`.
#'   * `adjusted`: the index corrected within strata: on average 0 if x and y are independent within
#'     strata, 1 if they are equal.
#'   * `joined_within`, `joined_between`: pairs of objects from one stratum, and from two strata, that
#'     x and y both join; `expected_within`, `expected_between`: their means when y is permuted within
#'     strata.
#'   * `sd`, `z`: standard deviation of the number of pairs that both join, under these permutations,
#'     and the z-score.
#'   * `answer`: the result in a sentence.
#'   * `rows`: a data frame with one row per stratum.
#'   * `versions`.
#'
#'   `sc_conditional_mutual_information()`: a number.
#' @details Exactly, 1 - total = (1 - from_strata)(1 - adjusted). P-values: [sc_chance()] with
#'   `strata`.
#' @references W. G. Cochran (1954), Some methods for strengthening the common chi-squared tests, Biometrics
#'   10, 417-451.
#' @examplesIf sc_available()
#' batch <- rep(c("a", "b"), each = 8)
#' x <- c(0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 0)
#' y <- c(0, 0, 0, 0, 0, 0, 1, 0, 1, 1, 1, 1, 1, 1, 0, 1)
#' sc_agreement_by_strata(x, y, batch)
#' sc_conditional_mutual_information(x, y, batch)
#' @export
sc_agreement_by_strata <- function(x, y, strata) {
  record_of("agreement_by_strata", "sc_strata_agreement", x = sc_clustering(x),
            y = sc_clustering(y), strata = part_labels(strata, "strata"))
}

#' @rdname sc_agreement_by_strata
#' @export
sc_conditional_mutual_information <- function(x, y, strata, log_base = NULL) {
  run("conditional_mutual_information", x = sc_clustering(x), y = sc_clustering(y),
      strata = part_labels(strata, "strata"), log_base = log_base)
}

#' Agreement with a truth that is known only for a sample
#'
#' Labelling all objects is expensive. From a probability sample of objects (whose true clusters are
#' then looked up), of true clusters, or of pairs of objects, these functions estimate the
#' agreement, with a confidence interval.
#'
#' @param predicted Hard clusters of all objects: anything [sc_clustering()] takes.
#' @param truth True clusters of all objects; `NA` where they are not known.
#' @param design What was sampled: `"clusters"` or `"objects"`.
#' @param probabilities Inclusion probabilities in (0, 1]: one number, or one for each object
#'   (`sc_sampled_pairs()`: each pair).
#' @param sample Positions of the sampled objects, for `"objects"`.
#' @param measures Names of measures; all by default.
#' @param level Level of the confidence intervals.
#' @param i,j Positions of the objects of each sampled pair.
#' @param same Whether they belong together in truth.
#' @return A list of class `sc_sampled_truth`:
#'   * `rows`: a data frame with one row per measure: `measure`, `value`, `standard_error`, the
#'     confidence interval `low` to `high`, `degrees_of_freedom`, `n_effective`, `method`, `note`.
#'   * `design`, `n_units`: what was sampled, and how many.
#'   * `totals`: the estimated totals behind the measures.
#'   * `n_objects`, `level`, `title`, `versions`.
#' @details Estimates always lie between 0 and 1, and a complete census has no error. For measures
#'   of pairs, sample objects: most of the pairs are in a few large true clusters, which a sample of
#'   clusters often misses.
#' @references P. Lavallee (2007), Indirect Sampling, Springer.
#'
#'   O. Binette and others (2022), Estimating the performance of entity resolution algorithms,
#'   arXiv:2210.01230.
#' @examplesIf sc_available()
#' predicted <- c(1, 1, 1, 2, 2, 3, 3, 4, 5, 5)
#' truth <- c("a", "a", "a", "b", "b", "c", "c", "c", NA, NA)
#' sc_sampled_truth(predicted, truth, design = "clusters", probabilities = 2 / 3)
#' sc_sampled_pairs(predicted, c(1, 1, 4, 1), c(2, 3, 5, 4), c(TRUE, TRUE, FALSE, FALSE), 0.5)
#' @export
sc_sampled_truth <- function(predicted, truth, design = c("clusters", "objects"), probabilities,
                             sample = NULL, measures = NULL, level = 0.95) {
  sampled("sampled_truth", predicted = sc_clustering(predicted),
          truth = lapply(as.character(truth), function(label) if (!is.na(label)) label),
          design = chosen(design), probabilities = probabilities, level = level,
          sample = as_vector(sample), measures = as_vector(measures))
}

#' @rdname sc_sampled_truth
#' @export
sc_sampled_pairs <- function(predicted, i, j, same, probabilities, measures = NULL, level = 0.95) {
  sampled("sampled_pairs", predicted = sc_clustering(predicted), i = as_vector(i),
          j = as_vector(j), same = as_vector(as.logical(same)), probabilities = probabilities,
          level = level, measures = as_vector(measures))
}

sampled <- function(name, ...) {
  found <- record_of(name, "sc_sampled_truth", ...)
  found <- name_parts(found, found$total_names, "totals")
  found$total_names <- NULL
  found
}

# Labels of groups or strata as text; those of the objects that alignment kept.
part_labels <- function(labels, what, alignment = NULL) {
  if (is.null(labels)) return(NULL)
  if (anyNA(labels)) {
    stop_softclust("ClusteringError", what, ": the label of ", sum(is.na(labels)),
                   " objects is missing; give these objects a label or drop them")
  }
  labels <- as.character(labels)
  if (!is.null(alignment)) labels <- labels[alignment$positions[, 1L]]
  as_vector(labels)
}
