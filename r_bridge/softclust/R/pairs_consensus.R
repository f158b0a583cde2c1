#' Clusters of clusterings
#'
#' Partitions the members of an ensemble: members of one cluster are close to its prototype, which
#' is their consensus. Minimizes the sum of w u^m d^e over members and prototypes, as
#' `clue::cl_pclust()` does.
#'
#' @inheritParams sc_consensus
#' @param k Number of clusters of members.
#' @param method Of the consensus, which says what the distance d and its exponent e are: `"SE"`,
#'   `"HE"` (Euclidean, 2), `"SM"`, `"HM"` (Manhattan, 1), `"GV1"` (Gordon and Vichi, 2), `"GV3"`
#'   (co-memberships, 2), `"soft/symdiff"`, `"hard/symdiff"` (symmetric difference, 1).
#' @param m Exponent of the memberships: 1 for hard clusters, above 1 for softer ones.
#' @python pclust sc_pclust
#' @wraps sc_pclust(x -> ensemble, k, method = "SE", m, ..., seed)
#' @names runs: labels membership distances
#' @examplesIf sc_available()
#' runs <- list(c(1, 1, 2, 2), c(2, 2, 1, 1), c(1, 2, 1, 2), c(2, 1, 2, 1), c(1, 1, 2, 2))
#' sc_pclust(runs, 2, seed = 1)
#' @export

# A tree of SciPy as one of hclust(), where objects are negative and merges count from 1.
hclust_of <- function(merges, labels, method) {
  n <- nrow(merges) + 1L
  nodes <- merges[, 1:2, drop = FALSE]
  merge <- matrix(as.integer(ifelse(nodes < n, -nodes - 1, nodes - n + 1)), ncol = 2L)
  order <- list()
  for (t in seq_len(n - 1L)) {
    order[[t]] <- unlist(lapply(merge[t, ], function(i) if (i < 0L) -i else order[[i]]))
  }
  structure(list(merge = merge, height = merges[, 3L], order = order[[n - 1L]], labels = labels,
                 method = method, dist.method = "1 - share of runs"), class = "hclust")
}
