#' Agreement beyond what strata explain
#'
#' Two labellings that both follow the batch agree for that reason alone. `sc_agreement_by_strata()`
#' shows how much of the adjusted Rand index the strata explain, and what is left when they are
#' taken into account. `sc_conditional_mutual_information()` is the information that the two share
#' once the stratum is known.
#'
#' @param strata Stratum of each object (batch, site): a vector or factor without `NA`.
#' @python agreement_by_strata
#' @examplesIf sc_available()
#' batch <- rep(c("a", "b"), each = 8)
#' x <- c(0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 0)
#' y <- c(0, 0, 0, 0, 0, 0, 1, 0, 1, 1, 1, 1, 1, 1, 0, 1)
#' sc_agreement_by_strata(x, y, batch)
#' sc_conditional_mutual_information(x, y, batch)
#' @export
sc_agreement_by_strata <- function(x, y, strata, ci = NULL, level = 0.95, groups = NULL) {
  sides <- pair_of(x, y)
  record_of("agreement_by_strata", "sc_strata_agreement", x = sides$x, y = sides$y,
            strata = part_labels(strata, "strata", sides), ci = ci, level = level,
            groups = part_labels(groups, "groups", sides))
}

#' @python conditional_mutual_information
#' @rdname sc_agreement_by_strata
#' @export
sc_conditional_mutual_information <- function(x, y, strata, log_base = NULL) {
  sides <- pair_of(x, y)
  run("conditional_mutual_information", x = sides$x, y = sides$y,
      strata = part_labels(strata, "strata", sides), log_base = log_base)
}

#' Do the clusters follow the batch?
#'
#' How much of the batch can be read from the clusters, among objects of one known class, and whether
#' that is more than by chance. `sc_agreement_by_strata()` asks whether the *agreement* of two
#' clusterings comes from the batch.
#'
#' @param clusters Clusters that were found.
#' @param batch Batch, site or plate of each object.
#' @param within Known class of each object, such as its cell type; `NULL`: all are one class.
#' @python batch_effect
#' @examplesIf sc_available()
#' type <- rep(c("B", "T"), each = 20)
#' batch <- rep(1:2, 20)
#' sc_batch_effect(paste(type, batch), batch, within = type, seed = 1)
#' @export
sc_batch_effect <- function(clusters, batch, within = NULL, ..., seed = NULL) {
  sides <- clusterings_of(list(clusters = clusters, batch = batch), c("clusters", "batch"))
  same_objects(clusters = sides$clusters, batch = sides$batch)
  record_of("batch_effect", c("sc_batch_effect", "sc_record"), clusters = sides$clusters,
            batch = sides$batch, options = dots(...), seed = draw_seed(seed),
            within = part_labels(within, "within", list(x = sides$clusters)))
}

#' Agreement with a truth that is known only for a sample
#'
#' Labelling all objects is expensive. From a probability sample of objects (whose true clusters are
#' then looked up), of true clusters, or of pairs of objects, these functions estimate the
#' agreement, with a confidence interval.
#'
#' @param truth True clusters of all objects; `NA` where they are not known.
#' @param probabilities Inclusion probabilities in (0, 1]: one number, or one for each object
#'   (`sc_sampled_pairs()`: each pair).
#' @param sample Positions of the sampled objects, for `"objects"`.
#' @param i,j Positions of the objects of each sampled pair.
#' @param same Whether they belong together in truth.
#' @python sampled_truth sc_sampled_truth
#' @examplesIf sc_available()
#' predicted <- c(1, 1, 1, 2, 2, 3, 3, 4, 5, 5)
#' truth <- c("a", "a", "a", "b", "b", "c", "c", "c", NA, NA)
#' sc_sampled_truth(predicted, truth, design = "clusters", probabilities = 2 / 3)
#' sc_sampled_pairs(predicted, c(1, 1, 4, 1), c(2, 3, 5, 4), c(TRUE, TRUE, FALSE, FALSE), 0.5)
#' @export
sc_sampled_truth <- function(predicted, truth, design = c("clusters", "objects"), probabilities,
                             sample = NULL, measures = NULL, level = 0.95) {
  predicted <- sc_clustering(predicted)
  same_objects(predicted = predicted, truth = truth,
               probabilities = if (length(probabilities) == length(predicted)) probabilities)
  sampled("sampled_truth", predicted = predicted, truth = lapply(as.character(truth), function(label) if (!is.na(label)) label),
          design = chosen(design), probabilities = probabilities, level = level,
          sample = as_vector(sample), measures = as_vector(measures))
}

#' @python sampled_pairs sc_sampled_truth
#' @rdname sc_sampled_truth
#' @export
sc_sampled_pairs <- function(predicted, i, j, same, probabilities, measures = NULL, level = 0.95) {
  sampled("sampled_pairs", predicted = sc_clustering(predicted), i = as_vector(i),
          j = as_vector(j), same = as_vector(as.logical(same)), probabilities = probabilities,
          level = level, measures = as_vector(measures))
}

sampled <- function(name, ...) {
  found <- record_of(name, "sc_sampled_truth", ...)
  found$totals <- unlist(found$totals)
  found
}

# Labels of groups or strata as text; those of the objects that alignment kept.
part_labels <- function(labels, what, sides) {
  if (is.null(labels)) return(NULL)
  alignment <- sides$alignment
  if (is.null(alignment)) call_with(same_objects, stats::setNames(list(sides$x, labels), c("x", what)))
  else if (!is.null(names(labels)) && !is.null(alignment$object_names)) {
    labels <- labels[match(alignment$object_names, names(labels))]
    alignment <- NULL
  }
  if (anyNA(labels)) {
    stop_softclust("ClusteringError", what, ": the label of ", sum(is.na(labels)),
                   " objects is missing; give these objects a label or drop them")
  }
  labels <- as.character(labels)
  if (!is.null(alignment)) labels <- labels[alignment$positions[, 1L]]
  as_vector(labels)
}
