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
#' @python posterior_partition sc_posterior
#' @wraps sc_posterior_partition(draws, loss = "vi", a, max_clusters, weights, n_starts, time_limit, seed)
#' @names objects: clustering labels objects
#' @names objects x objects: matrix
#' @return +   * `clusters`: a data frame of sizes, mean probabilities that two objects are together,
#'     probabilities that just this set is a cluster of a draw, and mean best Jaccard indices.
#'   * `objects`: a data frame of shares of the loss, and mean probabilities to be with the object's
#'     cluster and with the best other cluster.
#'   * `matrix`: for up to 500 objects the probabilities of all pairs, which
#'     `plot(x, kind = "matrix")` draws.
#'
#'   The result is a clustering wherever one is needed, also for package clue.
#' @param loss `"vi"` (variation of information), `"binder"`, `"nvi"`, `"nid"` (normalised), `"id"`
#'   or `"omari"` (1 - adjusted Rand index). Information is in nats; salso's is in bits.
#' @examplesIf sc_available()
#' draws <- rbind(c(1, 1, 2, 2, 2), c(1, 1, 2, 2, 3), c(1, 1, 1, 2, 2), c(4, 4, 2, 2, 2))
#' estimate <- sc_posterior_partition(draws, seed = 1)
#' estimate
#' sc_expected_loss(rbind(c(1, 1, 2, 2, 2), c(1, 1, 1, 1, 1)), draws, loss = "binder")
#' @export

#' @param estimates A hard clustering, a list of them, a matrix with one in each row, or a data frame
#'   with one in each column.
#' @python expected_loss
#' @wraps sc_expected_loss(estimates, draws, loss = "vi", a, weights)
#' @rdname sc_posterior_partition
#' @export
estimates_of <- function(estimates) {
  estimates <- columns_of_cuts(estimates)
  if (is.data.frame(estimates)) estimates <- as.list(estimates)
  if (is.matrix(estimates)) {
    estimates <- lapply(seq_len(nrow(estimates)), function(i) estimates[i, ])
  }
  several <- is.list(estimates) && !is.object(estimates)
  several <- several || inherits(estimates, c("sc_ensemble", "cl_ensemble"))
  if (several) as_ensemble(estimates) else sc_ensemble(estimates)
}

# Draws as an integer matrix, an array or an ensemble.
as_draws <- function(draws) {
  if (!identical(draws, columns_of_cuts(draws))) return(as_ensemble(draws))
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

objects_of_draws <- function(draws) names(drawn_objects(draws))

drawn_objects <- function(draws) {
  if (is.list(draws)) return(objects_as_clustering(draws))
  d <- length(dim(draws))
  stats::setNames(seq_len(dim(draws)[d]), dimnames(draws)[[d]])
}

frame_of.sc_posterior <- function(x) x$objects

#' Credible ball of partitions
#'
#' The smallest ball around a partition that contains a given posterior probability, and the draws
#' at its edge.
#'
#' @param loss The metric: `"vi"`, `"binder"`, `"nvi"`, `"nid"` or `"id"`.
#' @param center A hard clustering, or the result of [sc_posterior_partition()].
#' @inheritParams sc_posterior_partition
#' @python credible_ball sc_ball
#' @wraps sc_credible_ball(center, draws, loss = "vi", level, weights)
#' @names members: center
#' @then for (edge in c("horizontal", "upper", "lower")) storage.mode(found[[edge]]$labels) <- "integer"
#' @then for (edge in c("horizontal", "upper", "lower")) colnames(found[[edge]]$labels) <- objects_of_draws(draws)
#' @return +   * `horizontal`: the draws inside that are furthest away; `upper`: those with the fewest
#'     clusters, `lower`: with the most, if several the furthest. Lists of `labels` (one partition per
#'     row), `distance`, `n_clusters` and `counts`.
#' @examplesIf sc_available()
#' draws <- rbind(c(1, 1, 2, 2), c(1, 1, 2, 2), c(1, 1, 1, 2), c(1, 2, 3, 3))
#' sc_credible_ball(c(1, 1, 2, 2), draws, level = 0.7)
#' @export

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
#' @python partition_representatives sc_representatives
#' @wraps sc_partition_representatives(draws, k, loss = "vi", a, weights, n_starts, seed)
#' @then colnames(found$labels) <- objects_of_draws(draws)
#' @examplesIf sc_available()
#' draws <- rbind(c(1, 1, 2, 2), c(1, 1, 2, 2), c(1, 2, 2, 1), c(1, 2, 2, 1))
#' sc_partition_representatives(draws, 2, seed = 1)
#' @export

frame_of.sc_representatives <- function(x)
  data.frame(partition = seq_along(x$weights), weight = x$weights,
             clusters = apply(x$labels, 1L, max), within = x$within)

#' Objects whose partition is nearly certain
#'
#' Finds a large set of objects that most posterior draws partition in the same way. A larger set
#' may exist.
#'
#' @inheritParams sc_posterior_partition
#' @python partition_core sc_core
#' @wraps sc_partition_core(draws, level, weights, seed)
#' @then found <- name_parts(found, objects_of_draws(draws)[found$objects], "objects", "labels")
#' @examplesIf sc_available()
#' draws <- rbind(c(1, 1, 2, 2), c(1, 1, 2, 2), c(1, 1, 1, 2))
#' sc_partition_core(draws, level = 1)
#' @export

frame_of.sc_core <- function(x) {
  frame <- data.frame(object = unname(x$objects), label = unname(x$labels))
  rownames(frame) <- names(x$objects)
  frame
}
