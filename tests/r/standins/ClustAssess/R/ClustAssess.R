# Stand-in written from Gates, Wood, Hetrick and Ahn (2019): for two partitions the similarity around
# an object is the share of its common cluster in the larger of its two clusters.

element_sim <- function(clustering1, clustering2, alpha = 0.9) {
  together <- stats::ave(seq_along(clustering1), clustering1, clustering2, FUN = length)
  first <- stats::ave(seq_along(clustering1), clustering1, FUN = length)
  second <- stats::ave(seq_along(clustering2), clustering2, FUN = length)
  mean(together / pmax(first, second))
}
