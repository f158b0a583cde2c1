#' @export
print.sc_result <- function(x, ...) {
  utils::str(unclass(x), max.level = 1L, give.attr = FALSE)
  invisible(x)
}
