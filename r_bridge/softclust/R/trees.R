#' Compare two dendrograms
#'
#' Compares two hierarchical clusterings of the same objects: for every number of clusters, by the
#' heights at which pairs of objects are joined, by their sets of clusters, and around each object.
#' `sc_untangle()` finds leaf orders for a tanglegram with few crossing lines.
#'
#' @param x,y Trees of [stats::hclust()], or what `as.hclust()` takes. If both have labels, y is put
#'   into the order of x.
#' @examplesIf sc_available()
#' d <- dist(iris[seq(1, 150, by = 5), 1:4])
#' average <- hclust(d, "average")
#' single <- hclust(d, "single")
#' curve <- sc_dendrogram_curve(average, single)
#' curve
#' plot(curve)
#' sc_cophenetic_correlation(average, single, "spearman")
#' turned <- sc_untangle(average, single, fixed = "x")
#' turned
#' plot(turned)
#' sc_entanglement(average$order, single$order)
#' @name trees
NULL

#' @python dendrogram_curve
#' @return `sc_dendrogram_curve()`: a list of class `sc_dendrogram_curve`:
#'   * `k`: the numbers of clusters that both trees attain; `value`: the measure at each.
#'   * `expected`, `sd`: its mean and standard deviation over permutations of the objects.
#'   * `limit`: the value that unrelated cuts exceed with probability 1 - `level`.
#'   * `measure`, `n_objects`.
#' @param level Probability that unrelated trees stay below the limit.
#' @rdname trees
#' @export
sc_dendrogram_curve <- function(x, y, measure = "fowlkes_mallows_index", level = 0.95) {
  trees <- tree_pair(x, y)
  new_result(front_call("dendrogram_curve", x = trees$x, y = trees$y, measure = measure,
                        level = level), "sc_dendrogram_curve")
}

#' @python dendrogram_map
#' @wraps sc_dendrogram_map(x, y, measure, max_clusters)
#' @then dimnames(found$value) <- list(k_x = found$k_x, k_y = found$k_y)
#' @rdname trees
#' @export

#' @python cophenetic_correlation
#' @wraps sc_cophenetic_correlation(x, y, method)
#' @rdname trees
#' @export

#' @python dendrogram_proximity
#' @wraps sc_dendrogram_proximity(x, y, method, sense, delta)
#' @param delta For `"BO"`: measure of the two hard clusterings at a height.
#' @rdname trees
#' @export

#' @python cluster_set_distance
#' @wraps sc_cluster_set_distance(x, y, normalize)
#' @rdname trees
#' @export

#' @python dendrogram_element_centric
#' @wraps sc_dendrogram_element_centric(x, y, ...)
#' @names objects: values
#' @then found[c("x", "y", "expected", "adjusted")] <- NULL
#' @return `sc_dendrogram_element_centric()`: a list with `values`, the similarity around each object,
#'   and `index`, their mean.
#' @rdname trees
#' @export

#' @python untangle sc_untangle
#' @wraps sc_untangle(x, y, fixed, n_starts, seed = maybe)
#' @then found <- name_untangled(found, trees)
#' @param fixed The tree whose order does not change, `"x"` or `"y"`; the order of the other one is
#'   then optimal. `NULL`: both are rotated.
#' @return +   * `x_weights`, `y_weights`: the place of each object:
#'     `reorder(as.dendrogram(x), found$x_weights, mean)` is the tree in the new order.
#'   * `trees`: both trees in the new order.
#' @rdname trees
#' @export
name_untangled <- function(found, trees) {
  for (side in c("x_order", "y_order")) {
    found <- name_parts(found, trees$labels[found[[side]]], side)
  }
  n <- length(found$x_order)
  found$x_weights <- match(seq_len(n), found$x_order)
  # Objects of y stand in the order of x where both trees have labels.
  own <- if (trees$named) match(trees$hclust$y$labels, trees$labels) else seq_len(n)
  found$y_weights <- match(own, found$y_order)
  found$trees <- Map(function(tree, weights) {
    stats::reorder(stats::as.dendrogram(tree), weights, mean)
  }, trees$hclust, unclass(found)[c("x_weights", "y_weights")])
  found
}

#' @param x_order,y_order Two orders of the same objects: positions or names; or two trees, whose
#'   leaves are taken in their order.
#' @python entanglement
#' @rdname trees
#' @export
sc_entanglement <- function(x_order, y_order, power = 1.5) {
  if (is_tree(x_order) && is_tree(y_order)) {
    trees <- tree_pair(x_order, y_order)
    orders <- lapply(trees$hclust, function(tree) if (trees$named) tree$labels[tree$order] else tree$order)
    x_order <- orders$x
    y_order <- orders$y
  }
  places <- if (is.atomic(x_order) && is.atomic(y_order)) match(x_order, y_order) else NA
  n <- length(x_order)
  if (n != length(y_order) || anyNA(places) || anyDuplicated(places)) {
    stop_softclust("ClusteringError", "`x_order` and `y_order` must hold the same objects, each once")
  }
  run("entanglement", x_order = as_vector(seq_len(n)), y_order = as_vector(order(places)),
      power = power)
}

# Both trees as Python takes them; labels only where both have some, for they are matched by them.
tree_pair <- function(x, y) {
  trees <- list(x = as_tree(x, "x"), y = as_tree(y, "y"))
  named <- !is.null(trees$x$labels) && !is.null(trees$y$labels)
  parts <- lapply(trees, function(tree) {
    tree_parts(tree, if (named) tree$labels)
  })
  c(parts, list(labels = trees$x$labels, named = named, hclust = trees))
}

is_tree <- function(x) inherits(x, c("hclust", "dendrogram", "twins", "pvclust", "phylo"))

# A tree of hclust(), whose labels are distinct or NULL.
as_tree <- function(tree, name) {
  if (inherits(tree, "pvclust")) tree <- tree$hclust
  if (!inherits(tree, "hclust")) {
    class <- class(tree)[1L]
    tree <- tryCatch(stats::as.hclust(tree), error = function(e) {
      stop_softclust("TypeError", "`", name, "` is of class ", class, "; a tree of hclust(), or what ",
                     "as.hclust() takes, is needed", if (class == "phylo") paste0(
                       ": ", conditionMessage(e)))
    })
  }
  if (length(tree$labels) != nrow(tree$merge) + 1L) tree["labels"] <- list(NULL)
  twice <- anyDuplicated(tree$labels)
  if (twice) {
    stop_softclust("ClusteringError", "the label \"", tree$labels[twice], "\" of the tree `", name,
                   "` is repeated: its leaves cannot be told apart; give them distinct labels, or ",
                   "none: ", name, "$labels <- NULL")
  }
  tree
}

# A tree as it crosses; without labels its objects are those of the other side, in their order.
tree_parts <- function(tree, labels = NULL) {
  structure(list(.t = "h", merge = encode_numbers(tree$merge + 0),
                 height = encode_numbers(tree$height), labels = encode_names(labels)),
            class = "sc_encoded")
}

frame_of.sc_dendrogram_map <- function(x)
  data.frame(k_x = rep(as.integer(x$k_x), length(x$k_y)),
             k_y = rep(as.integer(x$k_y), each = length(x$k_x)), value = as.vector(x$value))

#' @export
summary.sc_untangle <- function(object, ...) {
  no_dots(..., but = "digits")
  n <- length(object$x_order)
  new_table(paste0("Orders of the leaves of two trees of ", counted(n, "object")),
            data.frame(quantity = c("crossings", "of pairs", "entanglement"),
                       value = c(thousands(object$crossings), thousands(n * (n - 1) / 2),
                                 fixed(object$entanglement))),
            "$x_order and $y_order have the objects, $trees the reordered trees.")
}

frame_of.sc_untangle <- function(x) {
  places <- match(seq_along(x$x_order), x$x_order)
  data.frame(object = names_or_numbers(x$x_order[places]), x_place = places,
             y_place = match(seq_along(places), x$y_order))
}
