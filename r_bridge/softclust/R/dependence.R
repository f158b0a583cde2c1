#' Agreement beyond what strata explain
#'
#' Two labellings that both follow the batch agree for that reason alone. `sc_agreement_by_strata()`
#' shows how much of the adjusted Rand index the strata explain, and what is left when they are
#' taken into account. `sc_conditional_mutual_information()` is the information that the two share
#' once the stratum is known.
#'
#' @param strata Stratum of each object (batch, site): a vector or factor without `NA`.
#' @python agreement_by_strata
#' @wraps sc_agreement_by_strata(x, y, strata, ci, level, groups)
#' @examplesIf sc_available()
#' batch <- rep(c("a", "b"), each = 8)
#' x <- c(0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 0)
#' y <- c(0, 0, 0, 0, 0, 0, 1, 0, 1, 1, 1, 1, 1, 1, 0, 1)
#' sc_agreement_by_strata(x, y, batch)
#' sc_conditional_mutual_information(x, y, batch)
#' @export

#' @python conditional_mutual_information
#' @wraps sc_conditional_mutual_information(x, y, strata, log_base)
#' @rdname sc_agreement_by_strata
#' @export

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
#' @wraps sc_batch_effect(clusters, batch, within, ..., seed) sc_record
#' @examplesIf sc_available()
#' type <- rep(c("B", "T"), each = 20)
#' batch <- rep(1:2, 20)
#' sc_batch_effect(paste(type, batch), batch, within = type, seed = 1)
#' @export

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
  record_of("sampled_truth", "sc_sampled_truth", predicted = predicted,
            truth = lapply(as.character(truth), function(label) if (!is.na(label)) label),
            design = chosen(design), probabilities = probabilities, level = level, sample = sample,
            measures = measures)
}

#' @python sampled_pairs sc_sampled_truth
#' @wraps sc_sampled_pairs(predicted, i, j, same, probabilities, measures, level)
#' @rdname sc_sampled_truth
#' @export

# Labels of groups or strata as text; those of the objects that alignment kept.
part_labels <- function(labels, what, sides) {
  if (is.null(labels)) return(NULL)
  alignment <- sides$alignment
  if (is.null(alignment)) call_with(same_objects, stats::setNames(list(sides[[1L]], labels), c(names(sides)[1L], what)))
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
