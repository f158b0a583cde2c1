# What the results of matching, fitting and choosing share: tables to print, small drawings.

# A title, a data frame, notes.
new_table <- function(title, table, notes = NULL) {
  structure(list(title = title, table = table, notes = notes), class = "sc_table")
}

# Looks as print.sc_aligned(), with every column of numbers to the right.
#' @export
print.sc_table <- function(x, ...) {
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
    cat(sub(" +$", "", do.call(paste, c(unname(columns[block]), sep = "  "))), sep = "\n")
    shown <- setdiff(shown, block)
  }
  for (note in notes) cat(strwrap(note, width = 0.9 * width, exdent = 2L), sep = "\n")
}

#' @export
as.data.frame.sc_table <- function(x, row.names = NULL, optional = FALSE, ...) x$table

fixed <- function(x, digits = 4L) {
  ifelse(is.na(x), "", formatC(x, digits = digits, format = "f"))
}

counted <- function(n, what) paste0(thousands(n), " ", what, if (n != 1) "s")

# Also where options(OutDec = ",").
thousands <- function(n, ...) format(n, big.mark = ",", decimal.mark = ".", ...)

# One of `allowed`; the default when the argument was not given (then it is all of them).
chosen <- function(value, allowed, name = deparse(substitute(value))) {
  if (identical(value, allowed)) return(allowed[1L])
  if (!is.character(value) || length(value) != 1L || !value %in% allowed) {
    stop_softclust("ValueError", "`", name, "` is ",
                   if (is.character(value)) paste0("\"", value, "\"", collapse = ", ")
                   else paste("of class", class(value)[1L]),
                   "; choose one of ", paste0("\"", allowed, "\"", collapse = ", "))
  }
  value
}

# The arguments that were given, as a list.
given <- function(...) Filter(Negate(is.null), list(...))

# Options of the user and those that are arguments here, as one list for Python.
dots_and <- function(options, ...) do.call(dots, c(options, list(...)))

as_ensemble <- function(x) {
  if (inherits(x, c("sc_ensemble", "sc_partial_ensemble"))) return(x)
  check_several(x)
  if (inherits(x, "cl_ensemble")) sc_ensemble(x) else sc_ensemble(list = x)
}

check_several <- function(x) {
  if (!is_collection(x)) {
    stop_softclust("TypeError", "several clusterings are needed: sc_ensemble(a, b, ...), a list of ",
                   "clusterings, or clue's cl_ensemble; this is of class ", class(x)[1L])
  }
}

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

sizes_note <- "Mean membership in the cluster: of all objects, then of its own."

membership_frame <- function(membership, labels, entropy, row.names = NULL) {
  names <- colnames(membership)
  if (is.null(names)) names <- seq_len(ncol(membership))
  columns <- as.data.frame(unname(membership))
  colnames(columns) <- paste0("membership.", names)
  data.frame(label = as.integer(labels), entropy = unname(entropy), columns,
             row.names = if (is.null(row.names)) rownames(membership) else row.names)
}

# -- drawings -----------------------------------------------------------------------------------
# Okabe and Ito's colours, each with a symbol and a line of its own: charts can be read in grey.
palette_colours <- c("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#882255")
palette_symbols <- c(16L, 15L, 17L, 18L, 25L, 8L, 4L)
palette_lines <- c("solid", "42", "12", "4212", "73", "1343", "22")
palette_hatches <- c(NA, 45, 135, 90, 0, 60, 120)
in_turn <- function(values, k) values[(k - 1L) %% length(values) + 1L]
# Symbols and hatchings move on by one in each round, so that clusters 1 and 8 differ.
shifted <- function(values, k) in_turn(values, k + (k - 1L) %/% length(values))

par_left <- function() graphics::par("mar")[2L]

# Titles are at the left and as plain as the text.
draw_title <- function(main, ...) {
  graphics::title(main = main, adj = 0, cex.main = 1, font.main = 1, ...)
}

# Names of measures as charts write them; options in parentheses stay.
in_words <- function(label) {
  name <- gsub("_", " ", sub(" \\(.*", "", label))
  people <- paste0("\\b(anderson|aone|fowlkes|frobenius|gordon|jaccard|katz|larsen|mallows|",
                   "minkowski|powell|rand|vichi|wallace)\\b")
  name <- gsub(people, "\\U\\1", name, perl = TRUE)
  name <- gsub("\\b([A-Z])([A-Z]+)\\b", "\\1\\L\\2", name, perl = TRUE)
  name <- gsub("\\b(alpha|Fowlkes|Gordon|Katz|Larsen) (?=[A-Z])", "\\1-", name, perl = TRUE)
  paste0(name, ifelse(grepl(" (", label, fixed = TRUE), sub("^[^(]*", " ", label), ""))
}

# Heat maps: darker is more, of agreement, of objects or of probability.
heat_colours <- function() grDevices::hcl.colors(64L, "Blues 3", rev = TRUE)

# The ink that can be read on a colour of a heat map.
ink_on <- function(share) ifelse(!is.na(share) & share > 0.62, "white", "black")

# Objects in each cluster of x (rows) and of y (columns), darker for a larger share of the row;
# numbers say it without colours. Beyond 15 clusters they would cover each other.
draw_table <- function(table, main, xlab = "cluster of y", ylab = "cluster of x", ...) {
  rows <- nrow(table)
  columns <- ncol(table)
  share <- table / pmax(rowSums(table), .Machine$double.eps)
  graphics::par(mar = c(4.2, max(4.2, 2.5 + 0.55 * max(nchar(rownames(table)))), 3, 1))
  graphics::image(seq_len(columns), seq_len(rows), t(share[rows:1, , drop = FALSE]), zlim = c(0, 1),
                  col = heat_colours(), axes = FALSE, xlab = xlab, ylab = "", ...)
  draw_title(main)
  graphics::title(ylab = ylab, line = par_left() - 1.2)
  graphics::axis(1, seq_len(columns), colnames(table), tick = FALSE)
  graphics::axis(2, rows:1, rownames(table), tick = FALSE, las = 1)
  if (max(rows, columns) <= 15L) {
    whole <- all(table == trunc(table))
    graphics::text(rep(seq_len(columns), each = rows), rep(rows:1, columns), col = ink_on(share),
                   if (whole) format(as.vector(table), trim = TRUE) else fixed(as.vector(table), 1))
  }
}

# Memberships as stacked bars: objects grouped by cluster, the most certain first.
draw_memberships <- function(membership, labels, main, ylab = "membership", ...) {
  known <- stats::complete.cases(membership)
  membership <- unname(membership)[known, , drop = FALSE]
  labels <- unname(labels)[known]
  clusters <- ncol(membership)
  own <- membership[cbind(seq_along(labels), labels)]
  order <- order(labels, -own)
  membership <- membership[order, , drop = FALSE]
  labels <- labels[order]
  n <- length(labels)
  kept <- graphics::par(mar = c(4.2, 4.2, 3, 7.2))
  on.exit(graphics::par(kept))
  graphics::plot(NULL, xlim = c(0, n), ylim = c(0, 1), xaxs = "i", yaxs = "i", bty = "n", las = 1,
                 xlab = "objects, grouped by cluster, most certain first", ylab = ylab, ...)
  tops <- cbind(0, t(apply(membership, 1L, cumsum)))
  if (clusters == 1L) tops <- cbind(0, membership[, 1L])
  for (k in seq_len(clusters)) {
    # Steps: every object is one unit wide.
    x <- rep(0:n, each = 2L)[2L:(2L * n + 1L)]
    y <- c(rep(tops[, k + 1L], each = 2L), rev(rep(tops[, k], each = 2L)))
    graphics::polygon(c(x, rev(x)), y, col = in_turn(palette_colours, k), border = NA)
    hatch <- shifted(palette_hatches, k)
    if (!is.na(hatch)) {
      graphics::polygon(c(x, rev(x)), y, density = 9, angle = hatch, col = "white", border = NA)
    }
  }
  graphics::abline(v = which(diff(labels) != 0), lwd = 1.5)
  names <- colnames(membership)
  shown <- seq_len(clusters)
  # The key of very many clusters grows smaller rather than out of the page.
  cex <- min(0.85, 24 / clusters)
  graphics::legend(n, 1, paste("cluster", shown), xpd = NA, bty = "n", cex = cex, xjust = -0.05,
                   fill = in_turn(palette_colours, shown), border = NA)
  hatched <- shown[!is.na(shifted(palette_hatches, shown))]
  if (length(hatched)) {
    key <- ifelse(is.na(shifted(palette_hatches, shown)), 0, 25)
    graphics::legend(n, 1, paste("cluster", shown), xpd = NA, bty = "n", cex = cex, xjust = -0.05,
                     fill = "white", border = NA, density = key,
                     angle = ifelse(key > 0, shifted(palette_hatches, shown), 45),
                     text.col = "transparent")
  }
  draw_title(main)
}
