# Consensus by pairs of objects, and clusters of clusterings: counterparts of methods of clue.

# -- methods "symdiff" and "GV3" of sc_consensus() --------------------------------------------------
consensus_of_pairs <- function(ensemble, method, n_clusters, weights, start, options, seed) {
  weights <- member_weights(weights, length(ensemble))
  found <- if (method == "symdiff") {
    if (!is.null(start)) stop_softclust("ValueError", "method = \"symdiff\" takes no `start`")
    symdiff_consensus(ensemble, n_clusters, weights, options, seed)
  } else {
    gv3_consensus(ensemble, n_clusters, weights, start, options, seed)
  }
  measure <- if (method == "symdiff") "symmetric_difference_distance" else "comembership_dissimilarity"
  power <- if (method == "symdiff") 1 else 2
  consensus <- found$clustering
  members <- unname(unclass(ensemble))
  distances <- vapply(members, function(member) sc_measure(measure, consensus, member), 0)
  found$objective <- sum(weights * distances^power)
  k <- n_clusters(consensus)
  widest <- max(vapply(members, n_clusters, 0))
  found$permutations <- t(vapply(members, function(member) {
    names <- run("match_clusters", x = consensus, y = member, seed = 0)$permutation
    c(ifelse(names > k, NA, names), rep(NA, widest - length(names)))
  }, integer(widest)))
  if (widest == 1) found$permutations <- t(found$permutations)
  found$membership <- unname(sc_membership(consensus))
  p <- found$membership
  found$entropy <- rowSums(ifelse(p > 0, -p * log2(p), 0))
  found$labels <- max.col(p, ties.method = "first")
  found$method <- method
  found$n_members <- length(members)
  new_consensus(found, ensemble, seed)
}

member_weights <- function(weights, n) {
  if (is.null(weights)) return(rep(1, n))
  if (!is.numeric(weights) || length(weights) != n || !all(is.finite(weights)) || any(weights < 0) ||
      !any(weights > 0)) {
    stop_softclust("ClusteringError", "`weights` must be ", n, " numbers >= 0, not all 0")
  }
  weights
}

# The sum of symmetric differences is a multiple of the expected Binder loss of the members.
symdiff_consensus <- function(ensemble, n_clusters, weights, options, seed) {
  found <- run("posterior_partition", draws = ensemble, loss = "binder",
               weights = as_vector(weights), max_clusters = n_clusters,
               options = call_with(dots, options), seed = seed)
  found[c("clustering", "bound", "gap", "optimal", "n_starts", "n_hits", "converged", "quality")]
}

# Minimizes sum w ||M_b M_b' - M M'||^2 over memberships M by projected gradients. With B the columns
# sqrt(w) M_b, sum of w = 1, this is ||M'M||^2 - 2 ||B'M||^2 and a constant: no matrix of pairs.
gv3_consensus <- function(ensemble, n_clusters, weights, start, options, seed) {
  unknown <- setdiff(names(options), c("n_starts", "max_iter", "tol"))
  if (length(unknown)) {
    stop_softclust("TypeError", "method = \"GV3\" has no option `", unknown[1L],
                   "`; its options are n_starts, max_iter and tol")
  }
  options <- utils::modifyList(list(n_starts = 10, max_iter = 2000, tol = 1e-12), options)
  members <- lapply(unname(unclass(ensemble)), function(member) unname(sc_membership(member)))
  k <- if (is.null(n_clusters)) max(vapply(members, ncol, 0L)) else whole_number(n_clusters, "n_clusters")
  columns <- call_with(cbind, Map(`*`, members, sqrt(weights / sum(weights))))
  n <- nrow(columns)
  if (is.null(start)) {
    starts <- with_r_seed(seed, replicate(options$n_starts, {
      drawn <- matrix(stats::rexp(n * k), n)
      drawn / rowSums(drawn)
    }, simplify = FALSE))
  } else {
    starts <- lapply(if (inherits(start, "sc_clustering")) list(start) else start, function(x) {
      m <- unname(sc_membership(x))
      if (nrow(m) != n || ncol(m) > k) {
        stop_softclust("ClusteringError", "`start` must have ", n, " objects and up to ", k, " clusters")
      }
      cbind(m, matrix(0, n, k - ncol(m)))
    })
  }
  runs <- lapply(starts, gv3_descent, columns, options$max_iter, options$tol)
  values <- vapply(runs, `[[`, 0, "value")
  best <- which.min(values)
  hits <- sum(values <= values[best] + 1e-8 * max(1, abs(values[best])))
  names <- c(Filter(Negate(is.null), lapply(unclass(ensemble), object_names_of)), list(NULL))[[1L]]
  list(clustering = new_matrix_clustering("fuzzy", list(membership = runs[[best]]$m), names),
       converged = runs[[best]]$converged, n_iter = runs[[best]]$n_iter, start_index = best,
       n_starts = length(starts), n_hits = hits, bound = NaN, gap = NaN, optimal = FALSE,
       quality = paste0("Best of ", counted(length(starts), "start"), ", reached by ", hits,
                        "; a better one may exist."))
}

gv3_descent <- function(m, columns, max_iter, tol) {
  value_of <- function(m) sum(crossprod(m)^2) - 2 * sum(crossprod(columns, m)^2)
  value <- value_of(m)
  step <- 1 / nrow(m)
  for (i in seq_len(max_iter)) {
    slope <- 4 * (m %*% crossprod(m) - columns %*% crossprod(columns, m))
    repeat {
      moved <- on_simplex(m - step * slope)
      change <- moved - m
      next_value <- value_of(moved)
      if (next_value <= value + sum(slope * change) + sum(change^2) / (2 * step) + 1e-14 * abs(value) ||
          step < 1e-16) break
      step <- step / 2
    }
    gained <- value - next_value
    m <- moved
    value <- next_value
    step <- step * 1.5
    if (gained <= tol * max(1, abs(value))) return(list(m = m, value = value, n_iter = i, converged = TRUE))
  }
  list(m = m, value = value, n_iter = max_iter, converged = FALSE)
}

# The nearest row of numbers >= 0 with sum 1, for each row.
on_simplex <- function(m) {
  k <- ncol(m)
  if (k == 1L) return(matrix(1, nrow(m), 1L))
  sorted <- t(apply(m, 1L, sort, decreasing = TRUE))
  surplus <- t(apply(sorted, 1L, cumsum)) - 1
  count <- rowSums(sorted * rep(seq_len(k), each = nrow(m)) > surplus)
  m <- pmax(m - surplus[cbind(seq_len(nrow(m)), count)] / count, 0)
  m / rowSums(m)
}

#' Clusters of clusterings
#'
#' Partitions the members of an ensemble: members of one cluster are close to its prototype, which
#' is their consensus. Minimizes the sum of w u^m d^e over members and prototypes, as
#' `clue::cl_pclust()` does.
#'
#' @inheritParams sc_consensus
#' @param k Number of clusters of members.
#' @param method Of the consensus, which says what the distance d and its exponent e are: `"SE"`,
#'   `"HE"` (Euclidean, 2), `"SM"`, `"HM"` (Manhattan, 1) or `"GV1"` (Gordon and Vichi, 2).
#' @param m Exponent of the memberships: 1 for hard clusters, above 1 for softer ones.
#' @param n_starts Random starts, each with k members as prototypes.
#' @param max_iter Largest number of iterations.
#' @param ... Options of [sc_consensus()], such as `n_clusters`.
#' @return A list of class `sc_pclust`:
#'   * `prototypes`: an ensemble of k clusterings.
#'   * `clustering`, `membership`, `cluster`: of the members: the clustering, its memberships, its
#'     labels.
#'   * `distances`: a matrix, members by prototypes.
#'   * `objective`; `n_hits`: starts that reached it; `converged`, `n_iter`.
#'   * `method`, `m`, `seed`.
#' @references K. Hornik (2005), A CLUE for CLUster Ensembles, Journal of Statistical Software 14(12).
#'
#'   A. D. Gordon, M. Vichi (2001), Fuzzy partition models for fitting a set of partitions,
#'   Psychometrika 66, 229-248.
#' @examplesIf sc_available()
#' runs <- list(c(1, 1, 2, 2), c(2, 2, 1, 1), c(1, 2, 1, 2), c(2, 1, 2, 1), c(1, 1, 2, 2))
#' sc_pclust(runs, 2, seed = 1)
#' @export
sc_pclust <- function(x, k, method = c("SE", "HE", "SM", "HM", "GV1"), m = 1, weights = NULL,
                      n_starts = 5, max_iter = 100, ..., seed = NULL) {
  method <- chosen(method)
  members <- as_ensemble(x)
  n <- length(members)
  k <- whole_number(k, "k")
  if (k > n) stop_softclust("ClusteringError", "there are ", n, " members; k is ", k)
  if (!is.numeric(m) || length(m) != 1L || !is.finite(m) || m < 1) {
    stop_softclust("ValueError", "`m` must be a number >= 1")
  }
  weights <- member_weights(weights, n)
  seed <- draw_seed(seed)
  runs <- with_r_seed(seed, lapply(seq_len(whole_number(n_starts, "n_starts")), function(start) {
    pclust_once(members, k, method, m, weights, max_iter, list(...), seed)
  }))
  objectives <- vapply(runs, `[[`, 0, "objective")
  best <- which.min(objectives)
  found <- runs[[best]]
  found$n_hits <- sum(objectives <= objectives[best] * (1 + 1e-8))
  found$prototypes <- new_ensemble(found$prototypes, as.character(seq_len(k)))
  names <- names(members)
  dimnames(found$distances) <- list(names, NULL)
  found$clustering <- if (m == 1) new_hard(found$cluster, k, names)
                      else new_matrix_clustering("fuzzy", list(membership = found$membership), names)
  rownames(found$membership) <- names(found$cluster) <- names
  found$method <- method
  found$m <- m
  new_result(found, "sc_pclust", seed)
}

pclust_once <- function(members, k, method, m, weights, max_iter, options, seed) {
  prototypes <- unclass(members)[sample.int(length(members), k)]
  converged <- FALSE
  last <- Inf
  for (i in seq_len(max_iter)) {
    distances <- distances_to(members, prototypes, method)
    u <- pclust_memberships(distances, m)
    objective <- sum(weights * u^m * distances)
    if (objective >= last * (1 - 1e-10)) {
      converged <- TRUE
      break
    }
    last <- objective
    prototypes <- lapply(seq_len(k), function(j) {
      own <- weights * u[, j]^m
      if (!any(own > 0)) return(prototypes[[j]])
      arguments <- list(members[own > 0], method = method, weights = own[own > 0], seed = seed)
      call_with(sc_consensus, c(arguments, options))$clustering
    })
  }
  list(prototypes = prototypes, membership = u, cluster = max.col(u, ties.method = "first"),
       distances = distances, objective = objective, converged = converged, n_iter = i)
}

# d^e of each member and each prototype.
distances_to <- function(members, prototypes, method) {
  measure <- switch(method, SE = , HE = "euclidean_membership_distance",
                    GV1 = "gordon_vichi_dissimilarity", "manhattan_membership_distance")
  power <- if (method %in% c("SM", "HM")) 1 else 2
  n <- length(members)
  both <- new_ensemble(c(unname(unclass(members)), unname(prototypes)),
                       as.character(seq_len(n + length(prototypes))))
  all <- run("compare_all", clusterings = both, measure = measure)$value
  unname(all)[seq_len(n), n + seq_along(prototypes), drop = FALSE]^power
}

pclust_memberships <- function(distances, m) {
  if (m == 1 || ncol(distances) == 1L) {
    u <- matrix(0, nrow(distances), ncol(distances))
    u[cbind(seq_len(nrow(u)), max.col(-distances, ties.method = "first"))] <- 1
    return(u)
  }
  near <- distances <= 1e-15
  least <- -row_max(-distances)
  u <- (distances / ifelse(least > 0, least, 1))^(-1 / (m - 1))
  u[rowSums(near) > 0, ] <- near[rowSums(near) > 0, ]
  u / rowSums(u)
}

#' @export
summary.sc_pclust <- function(object, ...) {
  k <- length(object$prototypes)
  own <- object$distances[cbind(seq_along(object$cluster), object$cluster)]
  new_table(paste0("Clusters of ", counted(length(object$cluster), "clustering"), " (",
                   object$method, ", m = ", format(object$m), ")"),
            data.frame(cluster = as.character(seq_len(k)), members = tabulate(object$cluster, k),
                       "mean distance" = fixed(vapply(seq_len(k), function(j) {
                         mean(own[object$cluster == j])
                       }, 0)), check.names = FALSE),
            c(paste0("Objective ", format(object$objective, digits = 6L), ", reached by ",
                     counted(object$n_hits, "start"), "; a better one may exist."),
              "mean distance: of the members from their prototype, to the power of the method."))
}

frame_of.sc_pclust <- function(x)
  data.frame(member = names(x$cluster), cluster = unname(x$cluster),
             distance = x$distances[cbind(seq_along(x$cluster), x$cluster)])
