#' Transport dissimilarity of two clusterings
#'
#' A soft clustering is read as a random hard clustering: the label of each object is drawn from its
#' memberships; a rough set leaves open which of its labels it is; a mass function draws such a set.
#' The dissimilarity is the smallest mean distance of two hard clusterings over all their joint
#' distributions (optimal transport).
#'
#' @param base Distance of two hard clusterings: `"rand"` (1 - Rand index) or `"partition"` (moved
#'   objects / (n - 1)), or the name of any measure of hard clusterings, by the methods `"auto"`,
#'   `"enumerate"` and `"sample"`.
#' @param method `"auto"` (exact if feasible, otherwise proved bounds with unbiased sampling),
#'   `"exact"`, `"certified"`, `"montecarlo"`, `"sample"` or `"enumerate"`.
#' @param sense `"dissimilarity"`, or `"agreement"` for 1 - d.
#' @python transport_dissimilarity sc_transport
#' @examplesIf sc_available()
#' truth <- c(1, 2, 2, 3, 1)
#' rough <- sc_rough(upper = rbind(c(1, 0, 0), c(0, 1, 0), c(0, 1, 1), c(0, 0, 1), c(1, 1, 1)))
#' result <- sc_transport(truth, rough)
#' result
#' as.data.frame(result)
#' plot(result)
#' @export
sc_transport <- function(x, y, base = c("rand", "partition"), alpha = 0.5,
                         method = c("auto", "exact", "certified", "montecarlo", "sample",
                                    "enumerate"),
                         sense = c("dissimilarity", "agreement"), ..., seed = NULL) {
  if (missing(base)) base <- "rand"
  if (!is.character(base) || length(base) != 1L || is.na(base)) {
    stop_softclust("TypeError", "`base` must be \"rand\", \"partition\" or the name of a measure of ",
                   "hard clusterings; Python cannot call R functions")
  }
  method <- chosen(method)
  sense <- chosen(sense)
  sides <- pair_of(x, y)
  measure_of(if (sense == "agreement") "transport_rand_index" else "transport_dissimilarity",
             sides, dots(base = base, alpha = alpha, method = method, ...), seed)
}

#' Algorithms of transport dissimilarities
#'
#' @python transport_methods
#' @wraps sc_transport_methods()
#' @return A data frame with one row per pair of kinds, base, end and algorithm, in the order in which
#'   they are tried: `guarantee`, `cost`, `meaning`. "evidential" includes possibilistic; memberships of
#'   0 and 1 are hard.
#' @examplesIf sc_available()
#' head(sc_transport_methods()[c("x", "y", "base", "end", "method", "guarantee")])
#' @export
