#' Results of softclust
#'
#' Every result is a plain list with a class of its own, such as `sc_comparison`, and class
#' `sc_result`; the last elements are `seed` (if random numbers were drawn) and `versions`. Results
#' contain no Python objects, so you can save them with [saveRDS()].
#'
#' @param x,object A result.
#' @param ... `plot()`: options, see below. Otherwise not used.
#' @return `print()`: `x`, invisibly. `summary()`: an object of its own class, with a method for
#'   `print()`.
#' @examplesIf sc_available()
#' result <- sc_compare(c(1, 1, 2), c(1, 2, 2), measures = "rand_index")
#' result$versions$softclust
#' @name sc_result
NULL

#' @rdname sc_result
#' @param digits Digits of the printed numbers, up to 4.
#' @export
print.sc_result <- function(x, digits = 4L, ...) {
  no_dots(...)
  shown <- summary(x, digits = digits)
  if (inherits(shown, "sc_table")) {
    print(shown)
  } else {
    cat("<", class(x)[1L], ">\n", sep = "")
    utils::str(unclass(x)[setdiff(names(x), "versions")], max.level = 1L, give.attr = FALSE,
               no.list = TRUE)
  }
  invisible(x)
}

#' @rdname sc_result
#' @export
summary.sc_result <- function(object, digits = 4L, ...) {
  no_dots(...)
  found <- attr(object, "verbs")$summary
  if (is.null(found)) return(object)
  columns <- lapply(found$columns, function(column) {
    # Numbers and ranges, and not the names of clusters and objects.
    if (any(grepl("[[:alpha:]]", gsub("\\b(inf|nan|to)\\b|[0-9]e[-+]", "", column)))) return(column)
    number <- paste0("-?[0-9]+[.][0-9]{", digits + 1L, ",}(?![0-9]|e)")
    longer <- gregexpr(if (digits < 4L) number else paste0("^", number, "$"), column, perl = TRUE)
    regmatches(column, longer) <- lapply(regmatches(column, longer), function(each) {
      formatC(as.double(each), digits = digits, format = "f")
    })
    gsub("\\bnan\\b", "NaN", gsub("\\binf\\b", "Inf", column))
  })
  new_table(found$title, structure(columns, names = ifelse(nzchar(found$headers), found$headers,
                                                                "what"), class = "data.frame",
                                            row.names = .set_row_names(length(columns[[1L]]))),
            c(found$notes, alignment_note(object)))
}

#' @rdname sc_result
#' @export
format.sc_result <- function(x, ...) paste(utils::capture.output(print(x, ...)), collapse = "\n")

#' @rdname sc_result
#' @param row.names,optional As in [as.data.frame()].
#' @export
as.data.frame.sc_result <- function(x, row.names = NULL, optional = FALSE, ...) {
  no_dots(..., but = "stringsAsFactors")
  table <- frame_of(x)
  if (is.null(table)) {
    stop_softclust("TypeError", "a result of class ", class(x)[1L], " has no table; names(x) lists ",
                   "its parts")
  }
  if (!is.null(row.names)) row.names(table) <- row.names
  table
}

# The table of a result: Python's, or made of its parts.
frame_of <- function(x) {
  data_only(x)
  UseMethod("frame_of")
}
frame_of.default <- function(x) {
  if (is.null(attr(x, "verbs")$frame)) x[["rows"]] else attr(x, "verbs")$frame
}

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
as.matrix.sc_result <- function(x, ...) as.matrix(held_clustering(x), ...)

#' @rdname sc_result
#' @importFrom stats fitted
#' @export
fitted.sc_result <- function(object, ...) as.matrix(held_clustering(object), ...)

#' @rdname sc_result
#' @importFrom stats nobs
#' @export
nobs.sc_result <- function(object, ...) {
  no_dots(...)
  if (is.numeric(object[["n_objects"]])) return(as.integer(object$n_objects))
  n_objects(held_clustering(object))
}
