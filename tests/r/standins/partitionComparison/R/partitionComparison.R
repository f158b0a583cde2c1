# Stand-in written from Wallace (1983), van Dongen (2000), Larsen and Aone (1999).

setClass("Partition", contains = "vector")

joint <- function(p, q) unclass(table(as.vector(p), as.vector(q)))

setGeneric("wallaceI", function(p, q) standardGeneric("wallaceI"))
setMethod("wallaceI", signature("Partition", "Partition"), function(p, q) {
  t <- joint(p, q)
  sum(t * (t - 1)) / sum(rowSums(t) * (rowSums(t) - 1))
})

setGeneric("dongensMetric", function(p, q) standardGeneric("dongensMetric"))
setMethod("dongensMetric", signature("Partition", "Partition"), function(p, q) {
  t <- joint(p, q)
  2 * sum(t) - sum(apply(t, 1, max)) - sum(apply(t, 2, max))
})

setGeneric("larsenAone", function(p, q) standardGeneric("larsenAone"))
setMethod("larsenAone", signature("Partition", "Partition"), function(p, q) {
  t <- joint(p, q)
  mean(apply(2 * t / outer(rowSums(t), colSums(t), "+"), 1, max))
})

setGeneric("classificationErrorDistance",
           function(p, q) standardGeneric("classificationErrorDistance"))
setMethod("classificationErrorDistance", signature("Partition", "Partition"), function(p, q) {
  t <- joint(p, q)
  if (nrow(t) < ncol(t)) t <- rbind(t, matrix(0, ncol(t) - nrow(t), ncol(t)))
  w <- t
  stopifnot(nrow(w) == ncol(w))
  go <- function(row, free) if (row > nrow(t)) 0 else
    max(vapply(seq_along(free), function(i) t[row, free[i]] + go(row + 1, free[-i]), 0))
  1 - go(1, seq_len(ncol(t))) / sum(t)
})
