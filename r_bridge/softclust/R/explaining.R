#' Which objects and clusters disagree?
#'
#' `sc_explain()` attributes the disagreement of two clusterings to objects and, if both are hard, to
#' clusters.
#' `sc_cluster_changes()` shows which clusters were kept, split or merged, and which objects moved.
#' `sc_influence()` shows how the value changes if an object is left out, or moved to the best
#' cluster for it.
#'
#' @param x,y Two clusterings of the same objects: anything [sc_clustering()] takes. Soft
#'   clusterings and covers work in `sc_explain()` for measures with shares of objects.
#' @param names Names of the two for printing; by default the expressions in the call.
#' @return `sc_explain()`: a list of class `sc_explanation`. Each set of shares sums to `total`.
#'   * `measure`, `value`, `label`; `total`: the disagreement, 1 - value of an agreement.
#'   * `split`, `merge`: the parts of `total` from what x joins and y separates, and the reverse;
#'     `NaN` where there is one term.
#'   * `objects`: the share of each object; `x_clusters`, `y_clusters`: of each cluster.
#'   * `cells`: a data frame with one row per cell of the table (`x`, `y`, `count`, `share`, `split`,
#'     `merge`).
#'   * `changes`: as below; `unique`: whether one matching is best; `names`, `versions`.
#'
#'   Unless both sides are hard, there are no shares of clusters and cells and no `changes`.
#'   `as.data.frame()` gives `cells`, or else the shares of the objects.
#' @python explain sc_explanation
#' @wraps sc_explain(x, y, measure, ..., names, top, noise, noise_label, missing, objects)
#' @then found <- name_explanation(found, sides)
#' @then found$top <- top
#' @examplesIf sc_available()
#' truth <- c("a", "a", "a", "b", "b", "c", "c")
#' labels <- c(1, 1, 1, 2, 2, 2, 2)
#' why <- sc_explain(truth, labels, "rand_index")
#' why
#' why$objects
#' sc_cluster_changes(truth, labels)
#' sc_influence(truth, c(1, 1, 2, 2, 2, 3, 3))
#' @export
name_explanation <- function(found, sides) {
  if (length(found$objects) == n_objects(sides$x)) names(found$objects) <- sides$x$object_names
  if (is.null(found$cells)) return(found)
  for (side in c("x", "y")) {
    names(found[[paste0(side, "_clusters")]]) <- found[[paste0(side, "_names")]]
    found[[paste0(side, "_names")]] <- NULL
  }
  found$changes <- new_result(found$changes, "sc_cluster_changes")
  found
}

#' @python cluster_changes
#' @wraps sc_cluster_changes(x, y, measure, ..., names)
#' @return +   * `rows`: a data frame with one row per event, then one per move (`kind`, `x`, `y`, `count`,
#'     `share`); `sentences`: the events in words.
#' @rdname sc_explain
#' @export

#' @python influence
#' @wraps sc_influence(x, y, measure, ..., side)
#' @names objects: leave_out gain best
#' @rdname sc_explain
#' @export

frame_of.sc_explanation <- function(x)
  if (is.null(x$cells)) data.frame(share = x$objects) else x$cells

frame_of.sc_influence <- function(x) data.frame(unclass(x)[c("leave_out", "gain", "best")])
