# Stand-in written from Anderson et al. (2010), eq. for RI and ARI, and from the entropies of the
# joint table. Classes have the slots that softclust reads.

setClass("TSClusters", representation(type = "character", k = "integer", cluster = "integer"))
setClass("PartitionalTSClusters", contains = "TSClusters")
setClass("FuzzyTSClusters", contains = "TSClusters", representation(fcluster = "matrix"))

# As in the package, clue sees a fuzzy result by its labels only, though it is no hard partition.
is.cl_partition.TSClusters <- function(x) TRUE
is.cl_hard_partition.TSClusters <- function(x) x@type != "fuzzy"
cl_class_ids.TSClusters <- function(x) clue::as.cl_class_ids(x@cluster)
cl_membership.TSClusters <- function(x, k = 0) clue::as.cl_membership(x@cluster)

setGeneric("cvi", def = function(a, b = NULL, type = "valid", ..., log.base = 10)
  stop("the stand-in takes a matrix as a"))
setMethod("cvi", signature(a = "matrix"), function(a, b = NULL, type = "valid", ...,
                                                   log.base = 10) {
  if (is.null(dim(b))) b <- outer(as.integer(b), seq_len(max(b)), "==")
  # memberships in b are cut to whole numbers, as in the package
  t <- t(a) %*% trunc(b)
  n <- nrow(a)
  pairs <- function(v) (sum(v^2) - sum(t)) / 2
  both <- pairs(t)
  in_a <- pairs(rowSums(t))
  in_b <- pairs(colSums(t))
  all <- (n^2 - sum(t)) / 2
  h <- function(p) -sum(ifelse(p > 0, p * log(p, log.base), 0))
  h_a <- h(rowSums(t) / n)
  h_b <- h(colSums(t) / n)
  mutual <- h_a + h_b - h(t / n)
  vapply(type, function(each) switch(each,
    RI = (all + 2 * both - in_a - in_b) / all,
    ARI = (both - in_a * in_b / all) / ((in_a + in_b) / 2 - in_a * in_b / all),
    VI = h_a + h_b - 2 * mutual,
    NMIM = mutual / max(h_a, h_b)), 0)
})
