# Pictures of results: Python draws the result's own chart without a window and says which marks
# stand where (r_bridge/_front_pictures.py); plot() draws them by base graphics, autoplot() by
# ggplot2. So a new chart in Python is a new picture here.

# -- which chart stands for which result ----------------------------------------------------------
# `size` is that of the device in inches, for which Python lays the chart out.
picture_of <- function(x, ..., size = c(7, 5)) UseMethod("picture_of")

picture_of.default <- function(x, ..., size = c(7, 5)) {
  record <- attr(x, "verbs")$record
  if (is.null(record)) {
    stop_softclust("TypeError", "a result of class ", class(x)[1L],
                   " has no plot; names(x) lists its parts")
  }
  read_picture(list(record = one_text(record, "record")), ..., size = size)
}

picture_of.sc_clustering <- function(x, ..., size = c(7, 5)) {
  read_picture(list(x = x), ..., size = size)
}
picture_of.sc_ensemble <- function(x, ..., size = c(7, 5)) {
  chart_of("plot_flows", ..., size = size, arguments = list(clusterings = x))
}
picture_of.sc_partial_ensemble <- picture_of.sc_contingency_table <- picture_of.sc_clustering
picture_of.sc_pair_counts <- picture_of.sc_membership_sums <- picture_of.sc_clustering

# The objects of any result that holds a clustering over two features, or over two components, where
# `data` are given: by name, or as the first of the others.
picture <- function(x, ..., size = c(7, 5)) {
  options <- list(...)
  named <- if (is.null(names(options))) character(length(options)) else names(options)
  at <- c(which(named == "data"), which(!nzchar(named) & vapply(options, is_table, NA)))[1L]
  if (is.na(at)) return(picture_of(x, ..., size = size))
  clustering <- if (inherits(x, "sc_clustering")) x else held_clustering(x)
  table <- as_table(options[[at]])
  same_objects(clustering = clustering, data = options[[at]])
  axes <- colnames(table)
  if (ncol(table) > 2L) {
    turned <- stats::prcomp(table)
    table <- turned$x
    axes <- sprintf("component %d (%.0f %%)", 1:2, 100 * turned$sdev[1:2]^2 / sum(turned$sdev^2))
  }
  if (ncol(table) < 2L) stop_softclust("ClusteringError", "`data` has one column; two are drawn")
  found <- call_with(chart_of, c(list("plot_objects"), options[-at], list(size = size, arguments = list(
    X = unname(table), clustering = clustering))))
  utils::modifyList(found, list(
    main = if (inherits(x, "sc_fit")) titles[[x$method]] else title_of(clustering), square = FALSE,
    xlab = if (is.null(axes)) "feature 1" else axes[1L], ylab = if (is.null(axes)) "feature 2" else axes[2L]))
}

is_table <- function(x) is.data.frame(x) || is.matrix(x) || inherits(x, "dist")

# The chart of a function of softclust.plotting, or of a form in r_bridge/_front_pictures.py.
chart_of <- function(chart, arguments, ..., size) {
  read_picture(list(chart = chart, arguments = as_dict(arguments)), ..., size = size)
}

read_picture <- function(what, ..., size) {
  options <- list(...)
  named <- if (is.null(names(options))) rep(FALSE, length(options)) else nzchar(names(options))
  if (sum(!named) > 1L || !all(vapply(options[!named], is.character, NA))) {
    stop_softclust("TypeError", "plot() takes no argument without a name but a table of the objects, or ",
                   "one word such as \"ball\"")
  }
  found <- call_with(front_call, c(list("picture"), what, list(
    options = call_with(dots, options[named]), first = if (!all(named)) options[!named][[1L]],
    size = as_vector(size))))
  structure(found, class = "sc_picture")
}

# -- results with other parts than one record -----------------------------------------------------
picture_of.sc_fit <- function(x, ..., size = c(7, 5)) {
  main <- titles[[x$method]]
  if (is.null(x$merges)) {
    return(chart_of("degrees", ..., size = size, arguments = list(
      clustering = x$clustering, labels = as_vector(x$labels), title = main)))
  }
  heights <- rev(x$merges[, 3L])
  chart_of("points", ..., size = size, arguments = list(
    x = as_vector(seq_along(heights)), y = as_vector(heights), title = main,
    xlabel = "clusters after the merge", ylabel = "height of the merge"))
}

memberships <- function(title, membership, labels, ..., size, ylab = "membership") {
  found <- chart_of("plot_consensus", ..., size = size, arguments = list(
    membership = unname(membership), labels = as_vector(unname(as.integer(labels)) - 1L),
    title = title))
  utils::modifyList(found, list(ylab = ylab))
}

picture_of.sc_bagged <- function(x, ..., size = c(7, 5)) {
  titles <- c(bagclust1 = "BagClust1", bbc = "Bayesian bagged clustering", mmcc = "MMCC")
  memberships(paste0(titles[[x$method]], ", ", counted(x$n_resamples, "resample")), x$membership,
              x$labels, ..., size = size, ylab = "share of votes")
}

picture_of.sc_pclust <- function(x, ..., size = c(7, 5)) {
  memberships("Clusters of clusterings", x$membership, x$labels, ..., size = size)
}

picture_of.sc_comparison <- function(x, ..., size = c(7, 5)) {
  known <- !is.nan(x$rows$low)
  if (!any(known)) stop_softclust("ValueError", "no measure has a value; nothing can be drawn")
  if (!all(known)) message("Not drawn (undefined): ", paste(x$rows$measure[!known], collapse = ", "))
  read_picture(list(record = one_text(attr(x, "verbs")$record, "record"), rows = as_vector(known)),
               ..., size = size)
}

picture_of.sc_order_flows <- function(x, ..., size = c(7, 5)) {
  if (is.null(x$clusterings)) {
    stop_softclust("ValueError", "a table has no clusterings to draw; give the clusterings")
  }
  chart_of("plot_flows", ..., size = size, arguments = list(clusterings = x$clusterings))
}

picture_of.sc_posterior <- function(x, kind = "objects", ..., size = c(7, 5)) {
  picture_of.default(x, kind = kind, ..., size = size)
}

picture_of.sc_pair_roc <- function(x, ..., size = c(7, 5)) {
  if (is.nan(x$auc)) {
    stop_softclust("ValueError", "the curve is undefined (0/0): the truth has no pairs of one of the ",
                   "two kinds; nothing can be drawn")
  }
  picture_of.default(x, ..., size = size)
}

picture_of.sc_cluster_test <- function(x, ..., size = c(7, 5)) {
  found <- picture_of.default(x, ..., size = size)
  utils::modifyList(found, list(note = found$main,
                                main = sub(" \\(.*", "", attr(x, "verbs")$summary$title)))
}

picture_of.sc_cluster_changes <- function(x, ..., size = c(7, 5)) {
  rows <- x$rows[x$rows$kind != "move", ]
  chart_of("bars", ..., size = size, arguments = list(
    names = as_vector(paste(rows$kind, rows$x, "->", rows$y)), values = as_vector(rows$count),
    title = paste(x$names[1L], "to", x$names[2L]), label = "objects"))
}

picture_of.sc_best_cut <- function(x, ..., size = c(7, 5)) {
  chart_of("best_cut", ..., size = size, arguments = list(
    value = x$value, level = x$level_value, measure = x$measure, null = as_vector(x$null)))
}

# -- base graphics --------------------------------------------------------------------------------
# The size of a text in lines of text: the widest line, and the number of lines.
wide <- function(text, cex = 1) {
  vapply(strsplit(as.character(text), "\n"), function(lines) 0.5 * max(0, nchar(lines)), 0) * cex
}
high <- function(text) sum(max(0, nzchar(text) + nchar(gsub("[^\n]", "", text))))
wrapped <- function(text, width) {
  if (max(0, wide(text)) * 2 <= width) return(text)
  paste(strwrap(gsub("\n", " ", text), max(width, 12)), collapse = "\n")
}

# Room in lines that words need beyond a panel of this width and height on its four sides.
room_beyond <- function(p, width, height) {
  room <- c(0, 0, 0, 0)
  for (m in Filter(function(m) m$type == "words", p$marks)) {
    long <- wide(m$text, m$cex)
    tall <- 1.1 * m$cex * vapply(m$text, high, 0)
    upright <- m$srt %% 180 == 90
    span <- list(ifelse(upright, tall, long), ifelse(upright, long, tall))
    x <- (m$x - p$xlim[1L]) / diff(p$xlim) * width
    y <- (m$y - p$ylim[1L]) / diff(p$ylim) * height
    room <- pmax(room, c(max(m$vadj * span[[2L]] - y), max(m$adj * span[[1L]] - x),
                         max(y + (1 - m$vadj) * span[[2L]] - height),
                         max(x + (1 - m$adj) * span[[1L]] - width)))
  }
  room + 0.4 * (room > 0)
}

draw_picture <- function(p, main = NULL, options = list()) {
  key <- p$key
  din <- graphics::par("fin") / graphics::par("csi")
  xlab <- wrapped(p$xlab, 1.6 * din[1L])
  ylab <- wrapped(p$ylab, 1.4 * din[2L])
  title <- wrapped(if (is.null(main)) p$main else main, 1.8 * din[1L])
  beyond <- room_beyond(p, 0.6 * din[1L], 0.7 * din[2L])
  cex <- vapply(list(p$x_axis, p$y_axis), function(axis) max(0.45, min(0.85, 28 / length(axis$at))), 0)
  # Names of columns stand upright where they have no room side by side.
  upright <- sum(wide(p$x_axis$names, cex[1L]) + 0.5) > 0.65 * din[1L]
  cex[2L] <- min(cex[2L], 0.4 * din[1L] / max(1, wide(p$y_axis$names)))
  names_wide <- max(0, wide(p$y_axis$names, cex[2L]))
  names_high <- if (upright) max(wide(p$x_axis$names, cex[1L])) else 1.1 * high(p$x_axis$names)
  foot <- 0.5 + max(names_high, beyond[1L])
  left <- 1.2 + max(names_wide, beyond[2L])
  if (!is.null(key)) {
    key_title <- wrapped(key$title, 20)
    rows <- length(key$text) + high(key_title)
    entry <- 3 + max(wide(key$text, 0.85))
    key_wide <- max(entry, 3 + wide(key_title, 0.85))
    # The key is below where Python has it, or where it would take a third of the width.
    below <- key$below || key_wide > din[1L] / 3
    columns <- if (below) max(1, min(length(key$text), floor((din[1L] - 2) / (entry + 1)))) else 1
  } else below <- FALSE
  bottom <- foot + 1.1 * high(xlab) + 0.4
  head <- 0.7 + beyond[3L]
  right <- 0.6 + beyond[4L]
  margins <- c(bottom + if (below) 1.1 * ceiling(rows / columns) + 0.6 else 0,
               left + 1.1 * high(ylab), head + 1.1 * (high(title) + high(p$note)) + 0.3,
               right + if (is.null(key) || below) 0 else key_wide)
  kept <- graphics::par(mar = pmin(margins, rev(din) * 0.5), pty = if (p$square) "s" else "m")
  on.exit(graphics::par(kept))
  do.call(graphics::plot, c(list(NULL, axes = FALSE, ann = FALSE, log = p$log, xaxs = "i",
                                 yaxs = "i"), utils::modifyList(
    list(xlim = p$xlim, ylim = p$ylim, asp = if (p$square) 1), options)))
  for (m in p$marks) draw_mark(m)
  draw_axis(1L, p$x_axis, cex[1L], upright)
  draw_axis(2L, p$y_axis, cex[2L], TRUE)
  write_lines(xlab, 1L, foot, 0.9)
  write_lines(ylab, 2L, left - 0.4, 0.9)
  write_lines(p$note, 3L, head, 0.8, "grey35")
  # Titles are at the left and as plain as the text.
  write_lines(title, 3L, head + 1.1 * high(p$note))
  if (!is.null(key)) {
    edges <- c(graphics::grconvertX(0:1, "npc", "user"), graphics::grconvertY(0:1, "npc", "user"))
    line <- graphics::par("csi")
    moved <- function(by) graphics::grconvertX(graphics::grconvertX(1, "npc", "inches") + by, "inches",
                                               "user")
    at <- if (below) c(edges[1L], graphics::grconvertY(
      graphics::grconvertY(0, "npc", "inches") - bottom * line, "inches", "user"))
    else c(moved((0.5 + beyond[4L]) * line), edges[4L])
    graphics::legend(at[1L], at[2L], key$text, col = key$col, pt.bg = key$bg, pch = key$pch,
                     lty = key$lty, lwd = key$lwd, pt.cex = key$cex, pt.lwd = 1, xpd = NA,
                     bty = "n", cex = min(0.85, 24 / rows), title.adj = 0, ncol = columns,
                     title = if (nzchar(key_title)) key_title)
  }
}

draw_axis <- function(side, axis, cex, across) {
  if (is.null(axis)) return(invisible())
  # The line of an axis runs along the whole panel.
  if (axis$line) {
    ends <- if (side == 1L) graphics::grconvertX(0:1, "npc", "user")
            else graphics::grconvertY(0:1, "npc", "user")
    graphics::axis(side, ends, FALSE, lwd.ticks = 0)
  }
  if (!length(axis$at)) return(invisible())
  graphics::axis(side, axis$at, axis$names, las = if (across) 2 - (side == 2L) else 1, cex.axis = cex,
                 lwd = 0, lwd.ticks = axis$ticks + 0, gap.axis = -1, tcl = -0.3,
                 mgp = c(3, if (axis$ticks) 0.5 else 0.3, 0),
                 padj = if (side == 1L && !across && high(axis$names) > 1) 1 else NA)
}

# Lines of a text outward from `start`, those above the panel from the left of the picture.
write_lines <- function(text, side, start, cex = 1, col = "black") {
  lines <- unlist(strsplit(if (is.null(text)) "" else text, "\n"))
  at <- start + 1.1 * (seq_along(lines) - 1)
  for (i in seq_along(lines)) {
    graphics::mtext(lines[i], side, if (side == 1L) at[i] else rev(at)[i], col = col,
                    cex = cex * graphics::par("cex"),
                    adj = if (side == 3L) 0 else 0.5,
                    at = if (side == 3L) graphics::grconvertX(0.02, "nfc", "user") else NA)
  }
}

# Paths and areas have a look for each id.
by_id <- function(m, draw) {
  for (rows in split(seq_along(m$x), m$id)) draw(m$x[rows], m$y[rows], m$id[rows[1L]])
}

draw_mark <- function(m) {
  switch(m$type,
    points = graphics::points(m$x, m$y, col = m$col, bg = m$bg, pch = m$pch, cex = m$cex, lwd = m$lwd,
                              xpd = NA),
    paths = by_id(m, function(x, y, k) {
      graphics::lines(x, y, col = m$col[k], lty = m$lty[k], lwd = m$lwd[k], lend = 1)
    }),
    areas = by_id(m, function(x, y, k) {
      hatched <- !is.na(m$hatch[k])
      graphics::polygon(x, y, col = m$bg[k], border = if (hatched) NA else m$col[k])
      if (hatched) {
        graphics::polygon(x, y, density = 10, angle = m$hatch[k], col = m$col[k], border = NA)
      }
    }),
    tiles = graphics::rasterImage(grDevices::as.raster(m$rgb), m$x[1L], m$y[1L], m$x[2L], m$y[2L],
                                  interpolate = FALSE),
    words = for (i in seq_along(m$text)) {
      if (!is.na(m$paper[i])) {
        half <- c(graphics::strwidth(m$text[i], cex = m$cex[i]),
                  graphics::strheight(m$text[i], cex = m$cex[i])) * 0.6
        graphics::rect(m$x[i] - half[1L], m$y[i] - half[2L], m$x[i] + half[1L], m$y[i] + half[2L],
                       col = m$paper[i], border = NA)
      }
      graphics::text(m$x[i], m$y[i], m$text[i], col = m$col[i], cex = m$cex[i], srt = m$srt[i],
                     adj = c(m$adj[i], m$vadj[i]), xpd = NA)
    })
}

# -- ggplot2 --------------------------------------------------------------------------------------
ggplot_picture <- function(p, main = NULL) {
  gg <- asNamespace("ggplot2")
  at <- function(...) do.call(gg$aes, lapply(list(...), as.name))
  layer <- function(m) {
    if (m$type == "tiles") {
      return(gg$annotation_raster(grDevices::as.raster(m$rgb), m$x[1L], m$x[2L], m$y[1L], m$y[2L]))
    }
    if (!is.null(m$id)) {
      looks <- setdiff(names(m), c("type", "x", "y", "id"))
      m[looks] <- lapply(m[looks], `[`, m$id)
    }
    d <- as.data.frame(m[names(m) != "type"])
    switch(m$type,
      points = gg$geom_point(at(x = "x", y = "y", colour = "col", fill = "bg"), d, shape = d$pch,
                             size = 3.8 * d$cex, stroke = d$lwd / 2.5, na.rm = TRUE),
      paths = gg$geom_path(at(x = "x", y = "y", colour = "col", group = "id", linetype = "lty",
                              linewidth = "lwd"), transform(d, lwd = d$lwd / 2.8),
                           na.rm = TRUE),
      areas = gg$geom_polygon(at(x = "x", y = "y", fill = "bg", colour = "col", group = "id"), d,
                              linewidth = 0.3),
      words = list(
        if (!all(is.na(d$paper))) {
          gg$geom_label(at(x = "x", y = "y", label = "text", fill = "paper"), d[!is.na(d$paper), ],
                        colour = NA, label.size = 0, lineheight = 0.9, size = 3.6 * min(d$cex),
                        label.padding = grid_unit(2))
        },
        gg$geom_text(at(x = "x", y = "y", label = "text", colour = "col"), d, lineheight = 0.9,
                     size = 3.6 * d$cex, hjust = d$adj, vjust = d$vadj, angle = d$srt)))
  }
  axis <- function(scale, axis) scale(breaks = axis$at, labels = axis$names)
  line <- function(axis) if (isTRUE(axis$line)) gg$element_line(linewidth = 0.3)
  upright <- sum(wide(p$x_axis$names) + 0.5) > 25
  key <- p$key
  beyond <- 11 * room_beyond(p, 30, 20)
  grid_unit <- function(points) asNamespace("grid")$unit(points, "pt")
  beside <- if (is.null(key) || key$below) 0 else beyond[4L]
  found <- gg$ggplot() + lapply(p$marks, layer) + gg$scale_colour_identity() +
    gg$scale_fill_identity() + gg$scale_linetype_identity() + gg$scale_linewidth_identity() +
    axis(if (p$log == "x") gg$scale_x_log10 else gg$scale_x_continuous, p$x_axis) +
    axis(gg$scale_y_continuous, p$y_axis) +
    (if (p$square) gg$coord_fixed else gg$coord_cartesian)(xlim = p$xlim, ylim = p$ylim,
                                                           expand = FALSE, clip = "off") +
    gg$labs(title = if (is.null(main)) p$main else main, subtitle = p$note, x = p$xlab,
            y = p$ylab) +
    gg$theme_minimal() +
    gg$theme(panel.grid = gg$element_blank(), plot.title.position = "plot",
             axis.text.x = if (upright) gg$element_text(angle = 90, hjust = 1, vjust = 0.5),
             legend.position = if (isTRUE(key$below)) "bottom" else "right",
             axis.line.x = line(p$x_axis), axis.line.y = line(p$y_axis),
             plot.title = gg$element_text(margin = gg$margin(b = 6 + beyond[3L])),
             legend.box.spacing = grid_unit(8 + beside),
             plot.margin = gg$margin(6, 6 + beyond[4L] - beside, 6 + beyond[1L], 6 + beyond[2L]))
  if (is.null(key)) return(found)
  # The key is a layer of its own that draws nothing, so that it need not be among the colours.
  entries <- data.frame(x = NA_real_, y = NA_real_, text = factor(key$text, unique(key$text)))
  once <- !duplicated(key$text)
  sign <- function(data, params, size) {
    grid <- asNamespace("grid")
    grid$grobTree(if (data$linetype != "blank") gg$draw_key_path(data, params, size),
                  if (!is.na(data$shape)) gg$draw_key_point(data, params, size))
  }
  found + gg$geom_point(at(x = "x", y = "y", shape = "text"), entries, na.rm = TRUE,
                        key_glyph = sign) +
    gg$scale_shape_manual(values = key$pch[once], name = if (nzchar(key$title)) key$title,
                          guide = gg$guide_legend(override.aes = list(
                            colour = key$col[once], fill = key$bg[once], size = 2 * key$cex[once],
                            linetype = key$lty[once], linewidth = key$lwd[once] / 2.8)))
}

#' Pictures of results by ggplot2
#'
#' `ggplot2::autoplot()` draws what `plot()` draws, as a plot of ggplot2 that you can change.
#'
#' @param object A result, or a clustering.
#' @param main Title.
#' @param ... Options of `plot()` of the same result, such as `kind` or `what`.
#' @return A plot of ggplot2.
#' @examplesIf sc_available() && requireNamespace("ggplot2", quietly = TRUE)
#' ggplot2::autoplot(sc_compare(c(1, 1, 2, 2, 3, 3), c(1, 1, 2, 2, 2, 3)))
#' @name autoplot
NULL

#' @rdname autoplot
#' @exportS3Method ggplot2::autoplot
autoplot.sc_result <- function(object, ...,
                               main = NULL) ggplot_picture(picture(object, ...), main)

#' @rdname autoplot
#' @exportS3Method ggplot2::autoplot
autoplot.sc_clustering <- autoplot.sc_result

#' @rdname autoplot
#' @exportS3Method ggplot2::autoplot
autoplot.sc_ensemble <- autoplot.sc_result

#' @details `plot()` draws the chart of Python by base graphics, [autoplot] the same by ggplot2; both
#'   need Python with matplotlib. Options are those of the chart in Python, such as `what` for
#'   [sc_pair_roc()] (`"curve"` or `"errors"`) and `kind` for [sc_posterior_partition()] (`"objects"`,
#'   `"matrix"` or `"ball"`). Whatever holds a clustering has `data`, a table of the objects, as in
#'   `plot(fit, iris[, 1:4])`: two columns are drawn, of more the first two principal components. Options of [graphics::plot.default()], such as `xlim`, are passed to it.
#' @param main Title of the picture.
#' @rdname sc_result
#' @export
plot.sc_result <- function(x, ..., main = NULL) {
  options <- list(...)
  names(options) <- if (is.null(names(options))) character(length(options)) else names(options)
  own <- names(options) %in% c(names(formals(graphics::plot.default)), names(graphics::par()))
  picture <- call_with(picture, c(list(x), options[!own], list(size = graphics::par("fin"))))
  spoken <- intersect(c("xlab", "ylab"), names(options)[own])
  picture[spoken] <- options[spoken]
  draw_picture(picture, main, options[own][setdiff(names(options)[own], spoken)])
  invisible(x)
}

#' @rdname clustering_methods
#' @export
plot.sc_clustering <- plot.sc_result

#' @rdname sc_ensemble
#' @export
plot.sc_ensemble <- plot.sc_result
