#' Results of softclust
#'
#' Every result is a plain list with a class of its own, such as `sc_comparison`, and class
#' `sc_result`; the last elements are `seed` (if random numbers were drawn) and `versions`. Results
#' contain no Python objects, so you can save them with [saveRDS()].
#'
#' @param x,object A result.
#' @param ... Not used.
#' @return `print()`: `x`, invisibly. `summary()`: an object of its own class, with a method for
#'   `print()`.
#' @examplesIf sc_available()
#' result <- sc_compare(c(1, 1, 2), c(1, 2, 2), measures = "rand_index")
#' result$versions$softclust
#' @name sc_result
NULL

#' @rdname sc_result
#' @export
print.sc_result <- function(x, ...) {
  cat("<", class(x)[1L], ">\n", sep = "")
  utils::str(unclass(x)[setdiff(names(x), "versions")], max.level = 1L, give.attr = FALSE,
             no.list = TRUE)
  invisible(x)
}

#' @details Some results, such as those of [sc_measure()], have no `plot()`.
#' @rdname sc_result
#' @export
plot.sc_result <- function(x, ...) {
  stop_softclust("TypeError", "a result of class ", class(x)[1L],
                 " has no plot; names(x) lists its parts")
}

#' @rdname sc_result
#' @export
summary.sc_result <- function(object, ...) object

# -- what R's generics ask of a result that holds a clustering ---------------------------------------
held_clustering <- function(x) {
  if (inherits(x[["clustering"]], "sc_clustering")) return(x$clustering)
  stop_softclust("ClusteringError", "this result of class ", class(x)[1L], " contains no clustering; ",
                 "names(x) lists its parts, as.data.frame(x) makes a table")
}

#' @details Results that contain a clustering have `as.matrix()` (objects by clusters: memberships,
#'   typicalities, possible clusters, or masses of the sets), `fitted()` (the same for the objects
#'   that were fitted) and `nobs()`.
#' @rdname sc_result
#' @export
as.matrix.sc_result <- function(x, ...) as.matrix(held_clustering(x))

#' @rdname sc_result
#' @importFrom stats fitted
#' @export
fitted.sc_result <- function(object, ...) as.matrix(held_clustering(object))

#' @rdname sc_result
#' @importFrom stats nobs
#' @export
nobs.sc_result <- function(object, ...) {
  if (is.numeric(object[["n_objects"]])) return(as.integer(object$n_objects))
  n_objects(held_clustering(object))
}
