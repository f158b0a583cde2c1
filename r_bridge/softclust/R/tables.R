# What the results of matching, fitting and choosing share: tables to print, small drawings.

# A title, a data frame, notes.
new_table <- function(title, table, notes = NULL) {
  structure(list(title = title, table = table, notes = notes), class = "sc_table")
}

# Texts are aligned left, numbers right.
#' @export
print.sc_table <- function(x, ...) {
  no_dots(...)
  cat(x$title, "\n", sep = "")
  if (length(x$table) == 1L) {   # sentences
    cat_columns(NULL, c(x$table[[1L]], x$notes))
    return(invisible(x))
  }
  columns <- Map(function(column, name) {
    if (name == "what") name <- ""
    numbers <- all(grepl("^ *-?([0-9.,]+(e[-+]?[0-9]+)?|Inf|NaN)?[* ]*$", format(column)))
    format(c(name, if (is.character(column)) column else format(column)), justify = if (numbers) "right" else "left")
  }, x$table, names(x$table))
  cat_columns(columns, x$notes)
  invisible(x)
}

# Columns of text side by side, then notes. What is wider than options(width) goes on below, behind
# the first column, as data frames do.
cat_columns <- function(columns, notes) {
  width <- getOption("width")
  wide <- vapply(columns, function(column) max(nchar(column, "width")), 0) + 2
  shown <- seq_along(columns)
  while (length(shown)) {
    block <- if (shown[1L] == 1L) shown else c(1L, shown)
    fits <- cumsum(wide[block]) - 2 <= width
    fits[seq_len(min(2L, length(fits)))] <- TRUE
    block <- block[fits]
    cat(sub(" +$", "", call_with(paste, c(unname(columns[block]), sep = "  "))), sep = "\n")
    shown <- setdiff(shown, block)
  }
  for (note in notes) cat(strwrap(note, width = 0.9 * width, exdent = 2L), sep = "\n")
}

#' @export
as.data.frame.sc_table <- function(x, row.names = NULL, optional = FALSE, ...) {
  no_dots(..., but = "stringsAsFactors")
  x$table
}

fixed <- function(x, digits = 4L) {
  ifelse(is.na(x), "", formatC(x, digits = digits, format = "f"))
}

counted <- function(n, what) paste0(thousands(n), " ", what, if (n != 1) "s")

# Also where options(OutDec = ",").
thousands <- function(n, ...) format(n, big.mark = ",", decimal.mark = ".", ...)

# An argument that is one of those in the signature of the calling function, of which the first is the
# default; or one of `allowed`.
chosen <- function(value, allowed = NULL) {
  name <- deparse(substitute(value))
  if (is.null(allowed)) allowed <- eval(formals(sys.function(sys.parent()))[[name]])
  if (identical(value, allowed)) return(allowed[1L])
  if (!is.character(value) || length(value) != 1L || !value %in% allowed) {
    stop_softclust("ValueError", "`", name, "` is ", what_is(value), "; choose one of ", paste0("\"", allowed, "\"", collapse = ", "))
  }
  value
}

# A value in words.
what_is <- function(value) {
  if (!is.atomic(value) || is.object(value) || length(value) > 3L) paste("of class", class(value)[1L])
  else if (is.character(value)) paste0("\"", value, "\"", collapse = ", ") else paste(format(value), collapse = ", ")
}

# The arguments that were given, as a list.
given <- function(...) given_in(list(...))

given_in <- function(values) values[!vapply(values, is.null, NA)]

as_ensemble <- function(x) {
  if (inherits(x, c("sc_ensemble", "sc_partial_ensemble"))) return(x)
  check_several(x)
  if (inherits(x, "cl_ensemble")) sc_ensemble(x) else sc_ensemble(list = x)
}

one_or_several <- function(x) {
  as_ensemble(if (is_collection(x)) x else list(sc_clustering(x)))
}

check_several <- function(x) {
  if (!is_collection(x)) {
    stop_softclust("TypeError", "several clusterings are needed: sc_ensemble(a, b, ...), a list of ",
                   "clusterings, or clue's cl_ensemble; this is of class ", class(x)[1L])
  }
}

names_or_numbers <- function(x) if (is.null(names(x))) seq_along(x) else names(x)

object_names_of <- function(x) if (!is.null(x)) x$object_names

# One row per cluster: objects, and mean membership of all objects and of its own.
cluster_sizes <- function(membership, labels) {
  names <- colnames(membership)
  clusters <- seq_len(ncol(membership))
  own <- vapply(clusters, function(k) {
    inside <- membership[labels == k, k]
    if (length(inside)) mean(inside, na.rm = TRUE) else NA_real_
  }, 0)
  data.frame(cluster = if (is.null(names)) as.character(clusters) else names,
             objects = tabulate(labels, ncol(membership)),
             "mean membership" = fixed(colMeans(membership, na.rm = TRUE), 3L),
             "of its objects" = fixed(own, 3L), check.names = FALSE)
}

membership_frame <- function(membership, labels, entropy) {
  names <- colnames(membership)
  if (is.null(names)) names <- seq_len(ncol(membership))
  columns <- as.data.frame(unname(membership))
  colnames(columns) <- paste0("membership.", names)
  data.frame(label = as.integer(labels), entropy = unname(entropy), columns,
             row.names = rownames(membership))
}
