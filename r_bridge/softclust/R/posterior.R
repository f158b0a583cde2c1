# Posterior draws of partitions.

#' Point estimate from posterior draws of partitions
#'
#' `sc_posterior_partition` finds the partition with the smallest expected loss over posterior draws
#' of cluster labels, and gives a lower bound on the expected loss of any partition.
#' `sc_expected_loss` gives the expected loss of given partitions.
#'
#' @param draws Matrix of whole numbers with a row for each draw and a column for each object, as
#'   packages mcclust and salso take it; a data frame has a row per object and a draw per column.
#'   Also an array (chains, draws, objects), coda's `mcmc` or `mcmc.list`, an ensemble
#'   ([sc_ensemble()], or [sc_partial_ensemble()] without gaps) or a list of clusterings. Labels are
#'   only names: each draw may number its clusters differently.
#' @param loss `"vi"` (variation of information), `"binder"`, `"nvi"`, `"nid"` (normalised), `"id"`
#'   or `"omari"` (1 - adjusted Rand index). Information is in nats; salso's is in bits.
#' @param a Cost of splitting what belongs together, between 0 and 2; 2 - a is the cost of joining
#'   what does not. For `"vi"` and `"binder"`.
#' @param max_clusters Largest number of clusters that the estimate may have; by default any number.
#' @param weights Weights of the draws; equal by default.
#' @param n_starts Starts of the search; by default 16, or fewer if the best value was reached four
#'   times.
#' @param max_seconds Time after which the search stops, with a warning and the best estimate so
#'   far.
#' @param seed Integer seed of the starts; `NULL` draws one from R's random numbers.
#' @return `sc_posterior_partition`: a list of class `sc_posterior`. It is a clustering wherever one is
#'   needed, also for package clue.
#'   * `clustering`, `labels` (from 1, by first appearance).
#'   * `expected_loss`, `standard_error`; `bound`: no partition has a lower expected loss; `gap`;
#'     `optimal`: whether the bound proves that there is no better one; `quality`: this in words.
#'   * `distances`: loss at each draw; `n_draws`, `n_distinct`.
#'   * `clusters`: a data frame of sizes, mean probabilities that two objects are together,
#'     probabilities that just this set is a cluster of a draw, and mean best Jaccard indices.
#'   * `objects`: a data frame of shares of the loss, and mean probabilities to be with the object's
#'     cluster and with the best other cluster.
#'   * `matrix`: for up to 500 objects the probabilities of all pairs, which
#'     `plot(x, kind = "matrix")` draws.
#'   * `n_starts`, `n_hits`, `converged`.
#'
#'   `sc_expected_loss`: a vector with a number for each partition.
#' @seealso [sc_credible_ball()], [sc_partition_representatives()], [sc_partition_core()].
#' @references S. Wade, Z. Ghahramani (2018), Bayesian cluster analysis: point estimation and
#'   credible balls, Bayesian Analysis 13, 559-626.
#' @examplesIf sc_available()
#' draws <- rbind(c(1, 1, 2, 2, 2), c(1, 1, 2, 2, 3), c(1, 1, 1, 2, 2), c(4, 4, 2, 2, 2))
#' estimate <- sc_posterior_partition(draws, seed = 1)
#' estimate
#' sc_expected_loss(rbind(c(1, 1, 2, 2, 2), c(1, 1, 1, 1, 1)), draws, loss = "binder")
#' @export
sc_posterior_partition <- function(draws, loss = "vi", a = 1, max_clusters = NULL, weights = NULL,
                                   n_starts = NULL, max_seconds = NULL, seed = NULL) {
  draws <- as_draws(draws)
  found <- record_of("posterior_partition", "sc_posterior", draws = draws, loss = loss, a = a,
                     max_clusters = max_clusters, weights = as_vector(weights),
                     n_starts = n_starts, max_seconds = max_seconds, seed = draw_seed(seed))
  names <- objects_of_draws(draws)
  found$clustering <- with_objects(found$clustering, names)
  if (!is.null(names)) rownames(found$objects) <- names
  if (!is.null(found$matrix)) dimnames(found$matrix) <- list(names, names)
  name_parts(found, names, "labels")
}

#' @param estimates A hard clustering, a list of them, a matrix with one in each row, or a data frame
#'   with one in each column.
#' @rdname sc_posterior_partition
#' @export
sc_expected_loss <- function(estimates, draws, loss = "vi", a = 1, weights = NULL) {
  if (is.data.frame(estimates)) estimates <- as.list(estimates)
  if (is.matrix(estimates)) {
    estimates <- lapply(seq_len(nrow(estimates)), function(i) estimates[i, ])
  }
  several <- is.list(estimates) && !is.object(estimates)
  several <- several || inherits(estimates, c("sc_ensemble", "cl_ensemble"))
  members <- if (several) as_ensemble(estimates) else sc_ensemble(estimates)
  draws <- as_draws(draws)
  check_order(objects_of_draws(draws), object_names_of(members[[1L]]), "draws", "estimates")
  run("expected_loss", estimates = members, draws = draws, loss = loss, a = a,
      weights = as_vector(weights))
}

# Draws as an integer matrix, an array or an ensemble.
as_draws <- function(draws) {
  if (inherits(draws, "sc_partial_ensemble")) return(draws)
  if (inherits(draws, "mcmc.list")) {
    chains <- lapply(draws, as.matrix)
    draws <- aperm(simplify2array(chains), c(3L, 1L, 2L))
  }
  if (inherits(draws, c("sc_ensemble", "cl_ensemble")) ||
      (is.list(draws) && !is.data.frame(draws) && !is.object(draws))) return(as_ensemble(draws))
  if (is.data.frame(draws)) {  # as in every data frame a row is an object
    rows <- row_names_of(draws)
    draws <- t(as.matrix(draws))
    dimnames(draws) <- list(NULL, if (!inherits(rows, "sc_rows")) rows)
  }
  if (inherits(draws, "mcmc")) draws <- as.matrix(draws)
  if (!is.numeric(draws) || !length(dim(draws)) %in% 2:3) {
    stop_softclust("ClusteringError", "draws must be a numeric matrix with one draw per row, or an array ",
                   "(chains, draws, objects)",
                   if (is.null(dim(draws))) "; this is one clustering: give draws as rows")
  }
  if (anyNA(draws)) {
    stop_softclust("ClusteringError", "draws contain NA; every draw must label every object")
  }
  if (is.double(draws) && all(draws == trunc(draws)) && all(abs(draws) < 2^31)) {
    mode(draws) <- "integer"
  }
  array(as.vector(draws), dim(draws), dimnames(draws))
}

objects_of_draws <- function(draws) {
  if (inherits(draws, "sc_partial_ensemble")) return(colnames(draws$labels))
  if (is.list(draws)) object_names_of(draws[[1L]]) else dimnames(draws)[[length(dim(draws))]]
}

#' @export
sc_clustering.sc_posterior <- function(x, kind = NULL, ...) sc_clustering(x$clustering, kind)

frame_of.sc_posterior <- function(x) x$objects

#' Credible ball of partitions
#'
#' The smallest ball around a partition that contains a given posterior probability, and the draws
#' at its edge.
#'
#' @inheritParams sc_posterior_partition
#' @param center A hard clustering, or the result of [sc_posterior_partition()].
#' @param loss The metric: `"vi"`, `"binder"`, `"nvi"`, `"nid"` or `"id"`.
#' @param level Posterior probability.
#' @return A list of class `sc_ball`:
#'   * `radius`; `distances`: from the centre to each draw.
#'   * `coverage`, `n_inside`: share and number of the draws inside.
#'   * `horizontal`: the draws inside that are furthest away.
#'   * `upper`: of the draws inside with the fewest clusters, those furthest away.
#'   * `lower`: of the draws inside with the most clusters, those furthest away.
#'
#'   `horizontal`, `upper` and `lower` are lists of `labels` (one partition per row), `distance`,
#'   `n_clusters` and `counts`. All draws at the radius are inside; in `mcclust.ext::credibleball` the
#'   order of the draws decides which of them are.
#' @references S. Wade, Z. Ghahramani (2018), Bayesian cluster analysis: point estimation and
#'   credible balls, Bayesian Analysis 13, 559-626.
#' @examplesIf sc_available()
#' draws <- rbind(c(1, 1, 2, 2), c(1, 1, 2, 2), c(1, 1, 1, 2), c(1, 2, 3, 3))
#' sc_credible_ball(c(1, 1, 2, 2), draws, level = 0.7)
#' @export
sc_credible_ball <- function(center, draws, loss = "vi", level = 0.95, weights = NULL) {
  draws <- as_draws(draws)
  center <- sc_clustering(center)
  check_order(objects_of_draws(draws), object_names_of(center), "draws", "center")
  found <- record_of("credible_ball", "sc_ball", center = center, draws = draws, loss = loss,
                     level = level, weights = as_vector(weights))
  names <- objects_of_draws(draws)
  for (edge in c("horizontal", "upper", "lower")) colnames(found[[edge]]$labels) <- names
  name_parts(found, names, "center")
}

frame_of.sc_ball <- function(x) {
  edges <- x[c("horizontal", "upper", "lower")]
  data.frame(bound = names(edges), partitions = vapply(edges, function(e) nrow(e$labels), 0L),
             clusters = vapply(edges, function(e) e$n_clusters, 0),
             distance = vapply(edges, function(e) e$distance, 0),
             drawn = vapply(edges, function(e) sum(e$counts), 0))
}

#' Several representative partitions of posterior draws
#'
#' Finds k partitions for which the mean loss between a draw and the nearest of them is smallest.
#' They describe posteriors with several modes.
#'
#' @inheritParams sc_posterior_partition
#' @param k Number of partitions.
#' @param n_starts Starts of the search.
#' @return A list of class `sc_representatives`:
#'   * `labels`: one partition per row, clusters from 1.
#'   * `weights`: the posterior probability of the draws that each represents.
#'   * `assignment`: for each draw, the partition nearest to it.
#'   * `distance`: mean loss between a draw and its nearest partition; `within`: the same for each
#'     partition.
#'   * `n_starts`, `n_hits`: starts, and those that reached this distance.
#' @references C. Balocchi, S. Wade (2025), Understanding uncertainty in Bayesian cluster analysis (WASABI),
#'   arXiv:2506.16295.
#' @examplesIf sc_available()
#' draws <- rbind(c(1, 1, 2, 2), c(1, 1, 2, 2), c(1, 2, 2, 1), c(1, 2, 2, 1))
#' sc_partition_representatives(draws, 2, seed = 1)
#' @export
sc_partition_representatives <- function(draws, k, loss = "vi", a = 1, weights = NULL,
                                         n_starts = 20, seed = NULL) {
  draws <- as_draws(draws)
  found <- record_of("partition_representatives", "sc_representatives", draws = draws, k = k,
                     loss = loss, a = a, weights = as_vector(weights), n_starts = n_starts,
                     seed = draw_seed(seed))
  colnames(found$labels) <- objects_of_draws(draws)
  found
}

frame_of.sc_representatives <- function(x)
  data.frame(partition = seq_along(x$weights), weight = x$weights,
             clusters = apply(x$labels, 1L, max), within = x$within)

#' Objects whose partition is nearly certain
#'
#' Finds a large set of objects that most posterior draws partition in the same way. A larger set
#' may exist.
#'
#' @inheritParams sc_posterior_partition
#' @param probability Minimum share of the draws that must agree on the partition of the objects.
#' @return A list of class `sc_core`:
#'   * `objects`: their positions; `labels`: their clusters.
#'   * `probability`: the share of the draws that agree.
#'   * `n_objects`, `n_draws`.
#' @references G. L. Page, A. F. Barrientos, D. B. Dahl, D. B. Dunson (2025), Uncertainty quantification in
#'   Bayesian clustering, arXiv:2511.16040.
#' @examplesIf sc_available()
#' draws <- rbind(c(1, 1, 2, 2), c(1, 1, 2, 2), c(1, 1, 1, 2))
#' sc_partition_core(draws, probability = 1)
#' @export
sc_partition_core <- function(draws, probability = 0.95, weights = NULL, seed = NULL) {
  draws <- as_draws(draws)
  found <- record_of("partition_core", "sc_core", draws = draws, probability = probability,
                     weights = as_vector(weights), seed = draw_seed(seed))
  name_parts(found, objects_of_draws(draws)[found$objects], "objects", "labels")
}

frame_of.sc_core <- function(x) {
  frame <- data.frame(object = unname(x$objects), label = unname(x$labels))
  rownames(frame) <- names(x$objects)
  frame
}
