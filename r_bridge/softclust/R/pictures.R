# Pictures of results, apart from who draws them: a method of picture_of() says which marks stand
# where; plot() draws them by base graphics, autoplot() by ggplot2. A new picture is one method.

# Okabe and Ito's colours, each with a symbol and a line of its own: charts can be read in grey.
palette_colours <- c("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#882255")
palette_symbols <- c(16L, 15L, 17L, 18L, 25L, 8L, 4L)
palette_lines <- c("solid", "42", "12", "4212", "73", "1343", "22")
palette_hatches <- c(NA, 45, 135, 90, 0, 60, 120)
in_turn <- function(values, k) values[(k - 1L) %% length(values) + 1L]
# Symbols and hatchings move on by one in each round, so that clusters 1 and 8 differ.
shifted <- function(values, k) in_turn(values, k + (k - 1L) %/% length(values))
blue <- palette_colours[1L]

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

# -- what a picture is made of ------------------------------------------------------------------
picture_of <- function(x, ...) UseMethod("picture_of")

# `key` has the columns text and col, and may have pch and lty.
new_picture <- function(main, marks, xlab = "", ylab = "", xlim = NULL, ylim = NULL, x_at = NULL,
                        x_names = x_at, y_at = NULL, y_names = y_at, right = NULL, key = NULL,
                        note = NULL, square = FALSE, axes = TRUE, log = "") {
  marks <- Filter(function(mark) length(mark$x) > 0L, marks)
  range_of <- function(names) range(unlist(lapply(marks, `[`, names)), finite = TRUE)
  structure(list(main = main, marks = marks, xlab = xlab, ylab = ylab,
                 xlim = if (is.null(xlim)) range_of(c("x", "x2")) else xlim,
                 ylim = if (is.null(ylim)) range_of(c("y", "y2")) else ylim,
                 x_at = x_at, x_names = x_names, y_at = y_at, y_names = y_names, right = right,
                 key = key, note = note, square = square, axes = axes, log = log),
            class = "sc_picture")
}

mark <- function(type, x, y, ..., col = blue) {
  known <- is.finite(x) & is.finite(y)
  looks <- lapply(list(..., col = col), rep_len, length(x))
  c(list(type = type), lapply(c(list(x = x, y = y), looks),
                              `[`, if (type == "line") TRUE else known))
}
points_at <- function(x, y, col = blue, pch = 16L, cex = 1, bg = col) {
  mark("points", x, y, pch = pch, cex = cex, bg = bg, col = col)
}
line_at <- function(x, y, col = blue, lty = "solid", lwd = 1.5) {
  mark("line", x, y, lty = lty, lwd = lwd, col = col)
}
segments_at <- function(x, y, x2, y2 = y, col = "black", lwd = 1.2, lty = "solid") {
  n <- max(length(x), length(y), length(x2), length(y2))
  mark("segments", rep_len(x, n), rep_len(y, n), x2 = rep_len(x2, n), y2 = rep_len(y2, n),
       lwd = lwd, lty = lty, col = col)
}
boxes_at <- function(x, y, x2, y2, fill = blue, col = NA, hatch = NA_real_) {
  mark("boxes", x, y, x2 = x2, y2 = y2, fill = fill, hatch = hatch, col = col)
}
words_at <- function(x, y, text, col = "black", cex = 0.85, adj = 0.5) {
  mark("words", x, y, text = text, cex = cex, adj = adj, col = col)
}
areas_at <- function(x, y, fill, hatch = NA_real_) {
  list(type = "area", x = x, y = y, fill = fill, hatch = hatch)
}
# Cells of a matrix; row i at y = i, column j at x = j, upwards.
tiles_at <- function(values, zlim = c(0, 1), col = heat_colours()) {
  share <- (values - zlim[1L]) / diff(zlim)
  shade <- col[1L + round(pmin(pmax(share, 0), 1) * (length(col) - 1L))]
  list(type = "tiles", x = as.vector(col(values)), y = as.vector(row(values)),
       fill = ifelse(is.na(shade), "white", shade), shape = dim(values))
}

# -- forms that several results share -------------------------------------------------------------
# One dot for each name, with limits where they are known; the first is at the top.
dot_picture <- function(main, names, value, low = NA_real_, high = NA_real_, filled = TRUE, ...,
                        line = NULL, marks = list(),
                        xlim = range(line, value, low, high, finite = TRUE)) {
  y <- rev(seq_along(value))
  new_picture(main, c(list(segments_at(xlim[1L], y, xlim[2L], y, col = "grey90"),
                           if (!is.null(line)) segments_at(line, 0.5, line, length(y) + 0.5,
                                                           "grey60"),
                           segments_at(low, y, high, y),
                           points_at(value, y, pch = ifelse(rep_len(filled, length(y)), 19L, 1L))),
                      marks),
              ..., xlim = xlim, ylim = c(0.5, length(y) + 0.5), y_at = y, y_names = names)
}

bar_picture <- function(main, sizes, names, xlab, ylab, col = blue, ...) {
  at <- seq_along(sizes)
  new_picture(main, list(boxes_at(at - 0.4, 0 * at, at + 0.4, sizes, rep_len(col, length(at)))),
              xlab,
              ylab, ylim = c(0, max(sizes)), x_at = at, x_names = names, ...)
}

histogram_picture <- function(main, values, line, xlab, ylab, ...) {
  bars <- graphics::hist(values, breaks = 30, plot = FALSE)
  k <- length(bars$counts)
  new_picture(main, list(boxes_at(bars$breaks[-(k + 1L)], numeric(k), bars$breaks[-1L], bars$counts,
                                  "#86B6DC", "white"),
                         segments_at(line, 0, line, max(bars$counts), lwd = 2)),
              xlab, ylab, ylim = c(0, max(bars$counts)), xlim = range(bars$breaks, line), ...)
}

# A matrix, its first row at the top; numbers say it without colours.
table_picture <- function(main, shade, text, xlab = "cluster of y", ylab = "cluster of x",
                          zlim = c(0, 1), col = heat_colours(), names = dimnames(shade), ...) {
  rows <- nrow(shade)
  turned <- shade[rows:1, , drop = FALSE]
  cex <- max(0.35, min(1, 9 / ncol(shade), 40 / (ncol(shade) * max(nchar(text), 1))))
  new_picture(main, c(list(tiles_at(turned, zlim, col),
                         words_at(as.vector(col(shade)), as.vector(rows + 1 - row(shade)),
                                  as.vector(text),
                                  ink_on((as.vector(shade) - zlim[1L]) / diff(zlim)), cex)),
                      list(...)$marks),
              xlab, ylab, xlim = c(0.5, ncol(shade) + 0.5), ylim = c(0.5, rows + 0.5),
              x_at = seq_len(ncol(shade)), x_names = names[[2L]], y_at = rows:1,
              y_names = names[[1L]])
}

# Objects in each cluster of x (rows) and of y (columns), darker for a larger share of the row.
counts_picture <- function(main, table, ...) {
  share <- table / pmax(rowSums(table), .Machine$double.eps)
  whole <- all(table == trunc(table))
  text <- if (whole) format(table, trim = TRUE) else fixed(table, 1)
  if (max(dim(table)) > 15L) text[] <- ""
  table_picture(main, share, text, ...)
}

# Memberships as stacked bars: objects grouped by cluster, the most certain first.
membership_picture <- function(main, membership, labels, ylab = "membership", ...) {
  known <- stats::complete.cases(membership)
  membership <- unname(membership)[known, , drop = FALSE]
  labels <- unname(labels)[known]
  order <- order(labels, -membership[cbind(seq_along(labels), labels)])
  membership <- membership[order, , drop = FALSE]
  n <- length(labels)
  k <- ncol(membership)
  tops <- cbind(0, matrix(t(apply(membership, 1L, cumsum)), n, k))
  x <- rep(0:n, each = 2L)[2L:(2L * n + 1L)]   # steps: every object is one unit wide
  areas <- lapply(seq_len(k), function(j) {
    areas_at(c(x, rev(x)), c(rep(tops[, j + 1L], each = 2L), rev(rep(tops[, j], each = 2L))),
             in_turn(palette_colours, j), shifted(palette_hatches, j))
  })
  new_picture(main, c(areas, list(segments_at(which(diff(labels[order]) != 0), 0,
                                              which(diff(labels[order]) != 0),
                                              1, lwd = 1.5))),
              "objects, grouped by cluster, most certain first", ylab, c(0, n), c(0, 1),
              key = cluster_key(k))
}

cluster_key <- function(k, pch = 15L) {
  data.frame(text = paste("cluster", seq_len(k)), col = in_turn(palette_colours, seq_len(k)),
             pch = pch)
}

# Pairs by two yes-or-no questions, or with a third answer: areas are shares.
mosaic_picture <- function(main, counts, names, col, ...) {
  shares <- counts / sum(counts)
  k <- nrow(counts)
  fills <- matrix("grey93", k, k)
  fills[1:2, 1:2] <- rbind(col[1:2], col[3:4])
  tops <- 1 - cumsum(c(0, rowSums(shares)))
  cells <- do.call(rbind, lapply(which(rowSums(shares) > 0), function(i) {
    sides <- cumsum(c(0, shares[i, ])) / sum(shares[i, ])
    data.frame(x = sides[seq_len(k)], x2 = sides[-1L], y = tops[i + 1L], y2 = tops[i],
               fill = fills[i, ],
               hatch = if (i == 1L) c(NA, 45,
                                      NA)[seq_len(k)] else if (i == 2L) c(135, NA, NA)[seq_len(k)]
                       else NA_real_,
               text = paste0(names[i, ], "\n", thousands(counts[i, ], digits = 4L), ", ",
                             vapply(100 * shares[i, ], format, "", digits = 2L), " %"))
  }))
  # Cells too small for their text have it in the key.
  wide <- 0.016 * nchar(sub("\n[^\n]*$", "", cells$text))
  large <- cells$x2 - cells$x > wide & cells$y2 - cells$y > 0.13
  at <- data.frame(x = (cells$x + cells$x2) / 2, y = (cells$y + cells$y2) / 2,
                   wide = wide / 2)[large, ]
  small <- cells[!large & cells$x2 > cells$x, ]
  new_picture(main, list(boxes_at(cells$x, cells$y, cells$x2, cells$y2, cells$fill, "white",
                                  cells$hatch),
                         boxes_at(at$x - at$wide, at$y - 0.06, at$x + at$wide, at$y + 0.06,
                                  "#FFFFFFCC"),
                         words_at(at$x, at$y, cells$text[large])),
              xlim = 0:1, ylim = 0:1, axes = FALSE,
              key = if (nrow(small)) data.frame(text = gsub("\n", ": ", small$text),
                                                col = small$fill, pch = 15L))
}

# -- base graphics --------------------------------------------------------------------------------
draw_picture <- function(p, main = NULL, options = list()) {
  key <- p$key
  chars <- function(text) max(0, nchar(unlist(strsplit(as.character(text), "\n"))))
  cex <- max(0.45, min(0.9, 28 / max(1L, length(p$y_at))))
  left <- if (is.null(p$y_at)) 4.2 else 1.2 + 0.5 * cex * chars(p$y_names) + 1.2 * nzchar(p$ylab)
  right <- 1 + 0.5 * cex * chars(p$right) + if (is.null(key)) 0 else 1.5 + 0.42 * chars(key$text)
  din <- graphics::par("din") / graphics::par("csi")
  # The key is below where it would take more than a third of the width.
  below <- !is.null(key) && right > din[1L] / 3
  margins <- c((if (p$axes) 4.2 else 1) + if (below) 1 + nrow(key) else 0, min(left, din[1L] / 2),
               3 + !is.null(p$note),
               if (below) 1 else min(right, din[1L] / 2))
  kept <- graphics::par(mar = margins, pty = if (p$square) "s" else "m")
  on.exit(graphics::par(kept))
  do.call(graphics::plot, c(list(NULL, axes = FALSE, ann = FALSE, log = p$log), utils::modifyList(
    list(xlim = p$xlim, ylim = p$ylim), options)))
  for (m in p$marks) draw_mark(m)
  if (p$axes) {
    graphics::axis(1, p$x_at, p$x_names, tick = is.null(p$x_at),
                   cex.axis = min(1, 28 / max(1L, length(p$x_at))))
    graphics::axis(2, p$y_at, p$y_names, tick = is.null(p$y_at), las = 1, cex.axis = cex)
    graphics::title(xlab = p$xlab, line = 2.6)
    graphics::title(ylab = p$ylab, line = margins[2L] - 1.2)
  }
  if (!is.null(p$right)) graphics::axis(4, p$y_at, p$right, tick = FALSE, las = 1, cex.axis = cex,
                                        line = -0.8)
  if (!is.null(key)) {
    usr <- graphics::par("usr")
    if (p$log == "x") usr[1:2] <- 10^usr[1:2]
    at <- if (below) c(usr[1L],
                       usr[3L] - (margins[1L] - nrow(key) - 1) * graphics::strheight("M") * 1.5) else usr[c(2L, 4L)]
    do.call(graphics::legend, c(list(at[1L], at[2L], key$text, col = key$col, pt.bg = key$col,
                                     xpd = NA, bty = "n",
                                     cex = min(0.85, 24 / nrow(key))),
                                as.list(key[intersect(c("pch", "lty"), names(key))])))
  }
  if (!is.null(p$note)) graphics::mtext(p$note, side = 3, adj = 0, line = 0.2, cex = 0.7,
                                        col = "grey35",
                                        at = graphics::grconvertX(0.02, "nfc", "user"))
  # Titles are at the left and as plain as the text.
  graphics::title(main = paste(strwrap(if (is.null(main)) p$main else main, 2 * din[1L]),
                               collapse = "\n"), adj = 0,
                  cex.main = 1, font.main = 1)
}

draw_mark <- function(m) {
  switch(m$type,
    points = graphics::points(m$x, m$y, col = m$col, bg = m$bg, pch = m$pch, cex = m$cex, xpd = NA),
    line = graphics::lines(m$x, m$y, col = m$col[1L], lty = m$lty[1L], lwd = m$lwd[1L]),
    segments = graphics::segments(m$x, m$y, m$x2, m$y2, col = m$col, lwd = m$lwd, lty = m$lty,
                                  lend = 1),
    boxes = {
      graphics::rect(m$x, m$y, m$x2, m$y2, col = m$fill, border = m$col)
      for (i in which(!is.na(m$hatch))) {
        graphics::rect(m$x[i], m$y[i], m$x2[i], m$y2[i], density = 8, angle = m$hatch[i],
                       col = "white", border = NA)
      }
    },
    area = {
      graphics::polygon(m$x, m$y, col = m$fill, border = NA)
      if (!is.na(m$hatch)) {
        graphics::polygon(m$x, m$y, density = 9, angle = m$hatch, col = "white", border = NA)
      }
    },
    tiles = graphics::rasterImage(matrix(m$fill, m$shape[1L])[m$shape[1L]:1, , drop = FALSE], 0.5,
                                  0.5,
                                  m$shape[2L] + 0.5, m$shape[1L] + 0.5, interpolate = FALSE),
    words = for (a in unique(m$adj)) {
      own <- m$adj == a
      graphics::text(m$x[own], m$y[own], m$text[own], col = m$col[own], cex = m$cex[own],
                     adj = c(a, 0.5), xpd = NA)
    })
}

# -- ggplot2 --------------------------------------------------------------------------------------
ggplot_picture <- function(p, main = NULL) {
  gg <- asNamespace("ggplot2")
  at <- function(...) do.call(gg$aes, lapply(list(...), as.name))
  layer <- function(m) {
    d <- as.data.frame(m[setdiff(names(m), c("type", "shape", "hatch"))])
    switch(m$type,
      points = gg$geom_point(at(x = "x", y = "y", colour = "col", fill = "bg"), d, shape = d$pch,
                             size = 2 * d$cex),
      line = gg$geom_path(at(x = "x", y = "y", colour = "col"), d[is.finite(d$y), ],
                          linetype = d$lty[1L]),
      segments = gg$geom_segment(at(x = "x", y = "y", xend = "x2", yend = "y2", colour = "col"), d,
                                 linetype = d$lty, linewidth = d$lwd / 2.5),
      boxes = gg$geom_rect(at(xmin = "x", ymin = "y", xmax = "x2", ymax = "y2", fill = "fill"), d,
                           colour = d$col),
      area = gg$geom_polygon(at(x = "x", y = "y", fill = "fill"), d),
      tiles = gg$geom_tile(at(x = "x", y = "y", fill = "fill"), d),
      words = gg$geom_text(at(x = "x", y = "y", label = "text", colour = "col"), d,
                           size = 3.2 * d$cex,
                           hjust = d$adj))
  }
  filled <- any(vapply(p$marks, function(m) m$type %in% c("boxes", "area"), NA))
  key <- function(scale, own) {
    if (is.null(p$key) || !own) return(scale(guide = "none"))
    once <- !duplicated(p$key$col)
    scale(guide = "legend", name = NULL, breaks = p$key$col[once], labels = p$key$text[once])
  }
  axis <- function(scale, at, names, ...) {
    if (is.null(at)) return(scale(...))
    scale(breaks = at, labels = names, ...)
  }
  found <- gg$ggplot() + lapply(p$marks, layer) +
    key(gg$scale_colour_identity, !filled) + key(gg$scale_fill_identity, filled) +
    axis(if (p$log == "x") gg$scale_x_log10 else gg$scale_x_continuous, p$x_at, p$x_names) +
    axis(gg$scale_y_continuous, p$y_at, p$y_names) +
    gg$coord_cartesian(xlim = p$xlim, ylim = p$ylim, clip = "off") +
    gg$labs(title = if (is.null(main)) p$main else main, subtitle = p$note, x = p$xlab,
            y = p$ylab) +
    gg$theme_minimal() + gg$theme(panel.grid.minor = gg$element_blank())
  if (!p$axes) found <- found + gg$theme_void()
  if (p$square) found <- found + gg$theme(aspect.ratio = 1)
  found
}

#' Pictures of results by ggplot2
#'
#' `ggplot2::autoplot()` draws what `plot()` draws, as a plot of ggplot2 that you can change.
#'
#' @param object A result, or a clustering.
#' @param main Title.
#' @param ... Options of `plot()` of the same result, such as `kind`, `what` or `which`.
#' @return A plot of ggplot2.
#' @examplesIf sc_available() && requireNamespace("ggplot2", quietly = TRUE)
#' ggplot2::autoplot(sc_compare(c(1, 1, 2, 2, 3, 3), c(1, 1, 2, 2, 2, 3)))
#' @name autoplot
NULL

#' @rdname autoplot
#' @exportS3Method ggplot2::autoplot
autoplot.sc_result <- function(object, ...,
                               main = NULL) ggplot_picture(picture_of(object, ...), main)

#' @rdname autoplot
#' @exportS3Method ggplot2::autoplot
autoplot.sc_clustering <- function(object, ...,
                                   main = NULL) ggplot_picture(picture_of(object, ...), main)

#' @details `plot()` draws by base graphics, [autoplot] the same by ggplot2. Their options: `data` for
#'   fits of [sc_cluster()] (a table, of which two columns are drawn), `which` for [sc_chance()] (a
#'   measure), `what` for [sc_pair_roc()] (`"curve"` or `"errors"`), `kind` for
#'   [sc_posterior_partition()] (`"objects"` or `"matrix"`), `col` for matrices, pair counts and
#'   Prayatul matrices (colours). `plot()` passes others to [graphics::plot()].
#' @param main Title of the picture.
#' @rdname sc_result
#' @export
plot.sc_result <- function(x, ..., main = NULL) {
  picture <- picture_of(x, ...)
  # What the method has no argument for is for graphics::plot().
  method <- Find(is.function, lapply(paste0("picture_of.", class(x)), function(name) get0(name)))
  options <- list(...)
  draw_picture(picture, main, options[setdiff(names(options), names(formals(method)))])
  invisible(x)
}

#' @rdname clustering_methods
#' @export
plot.sc_clustering <- plot.sc_result

picture_of.default <- function(x, ...) {
  stop_softclust("TypeError", "a result of class ", class(x)[1L],
                 " has no plot; names(x) lists its parts")
}
