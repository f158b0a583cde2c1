#' Results of softclust
#'
#' Every result is a plain list with a class of its own, such as `sc_comparison`, and class
#' `sc_result`; the last elements are `seed` (if random numbers were drawn) and `versions`. No
#' object of Python is inside, so [saveRDS()] keeps results whole.
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

#' @details Results without a picture of their own, such as those of [sc_measure()], have no
#'   `plot()`.
#' @rdname sc_result
#' @export
plot.sc_result <- function(x, ...) {
  stop_softclust("TypeError", "there is no picture of a result of class ", class(x)[1L],
                 "; names(x) are its parts")
}

#' @rdname sc_result
#' @export
summary.sc_result <- function(object, ...) object
