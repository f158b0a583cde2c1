# Which marks stand for which result; pictures.R draws them.

# -- clusterings ----------------------------------------------------------------------------------
picture_of.sc_clustering <- function(x, col = NULL, xlab = NULL, ylab = NULL, ...) {
  or <- function(given, default) if (is.null(given)) default else given
  if (inherits(x, "sc_hard")) {
    sizes <- sizes_of(x)
    return(bar_picture(title_of(x), sizes, names(sizes), or(xlab, "cluster"), or(ylab, "objects"),
                       or(col, in_turn(palette_colours, seq_along(sizes)))))
  }
  values <- switch(kind_of(x), cover = cover_matrix(x) + 0, rough = (x$lower + x$upper) / 2,
                   x[[which(!vapply(x, is.null, NA))[1L]]])
  best <- max.col(values, ties.method = "first")
  order <- order(best, -values[cbind(seq_along(best), best)])
  rows <- if (inherits(x, "sc_evidential")) set_labels(x) else cluster_labels(x)
  k <- length(rows)
  col <- or(col, grDevices::grey(seq(1, 0.15, length.out = 64)))
  key <- if (inherits(x, "sc_rough")) c(no = 0, possible = 0.5, certain = 1)
         else stats::setNames(seq(0, 1, 0.25), format(seq(0, 1, 0.25)))
  new_picture(title_of(x), list(tiles_at(t(values[order, k:1, drop = FALSE]), col = col),
                                segments_at(0.5, seq_len(k + 1L) - 0.5, length(best) + 0.5,
                                            col = "grey50")),
              or(xlab, "objects, sorted"), or(ylab, ""), c(0.5, length(best) + 0.5),
              c(0.5, k + 0.5),
              y_at = k:1, y_names = rows,
              key = data.frame(text = rev(names(key)),
                               col = col[1 + round(rev(key) * (length(col) - 1))],
                               pch = 15L))
}

picture_of.sc_fit <- function(x, data = NULL, ...) {
  main <- titles[[x$method]]
  if (is.null(data) && !is.null(x$merges)) {
    heights <- x$merges[, 3L]
    return(new_picture(main, list(points_at(rev(seq_along(heights)), heights, "black", cex = 0.7)),
                       "clusters after the merge", "height of the merge"))
  }
  if (is.null(data)) {
    return(membership_picture(main, scaled_rows(degrees_of(x$clustering)), x$labels,
                              "degree, rows scaled to 1", ...))
  }
  table <- as_table(data)
  if (nrow(table) != length(x$labels) || ncol(table) < 2L) {
    stop_softclust("ClusteringError", "`data` has ", nrow(table), " rows and ", ncol(table),
                   " columns; the ", length(x$labels), " objects of the fit and two columns are ",
                   "needed")
  }
  degrees <- degrees_of(x$clustering)
  own <- degrees[cbind(seq_along(x$labels), x$labels)]
  outside <- outside_of(x$clustering) > 0.5
  clusters <- if (is.null(x$centers)) max(x$labels) else nrow(x$centers)
  names <- if (is.null(colnames(table))) paste("feature", 1:2) else colnames(table)
  colours <- in_turn(palette_colours, x$labels)
  key <- cluster_key(clusters, shifted(palette_symbols, seq_len(clusters)))
  if (any(outside)) key <- rbind(key, data.frame(text = "none", col = "black", pch = 4L))
  new_picture(main, list(points_at(table[, 1L], table[, 2L], ifelse(outside, "black", colours),
                                   ifelse(outside, 4L, shifted(palette_symbols, x$labels)),
                                   ifelse(outside, 0.9, 0.35 + 0.85 * own), colours)),
              names[1L], names[2L], key = key, note = "large: certain")
}

picture_of.sc_bagged <- function(x, ...) {
  titles <- c(bagclust1 = "BagClust1", bbc = "Bayesian bagged clustering", mmcc = "MMCC")
  membership_picture(paste0(titles[[x$method]], ", ", counted(x$n_resamples, "resample")),
                     x$membership, x$labels, "share of votes", ...)
}

picture_of.sc_consensus <- function(x, ...) {
  membership_picture(paste0("Consensus of ", x$n_members, " clusterings (", x$method, ")"),
                     x$membership, x$labels, ...)
}

picture_of.sc_pclust <- function(x, ...) {
  membership_picture("Clusters of clusterings", x$membership, unname(x$cluster), ...)
}

picture_of.sc_partial_ensemble <- function(x, ...) {
  bar_picture("Runs that contain each object", x$counts, NULL, "objects", "runs")
}

picture_of.sc_alignment <- function(x, ...) {
  bar_picture("Noise, missing and absent objects of each clustering",
              x$n_noise + x$n_missing + x$n_absent,
              x$names, "clustering", "objects")
}

# -- two clusterings ------------------------------------------------------------------------------
# More alike is further right. Agreements with a best value of 1 share the axis; other measures are
# put on it by the share of their range, whose ends are written beside their lines.
picture_of.sc_comparison <- function(x, ...) {
  rows <- x$rows
  known <- !is.nan(rows$low)
  if (!any(known)) stop_softclust("ValueError", "no measure has a value; nothing can be drawn")
  if (!all(known)) message("Not drawn (undefined): ", paste(rows$measure[!known], collapse = ", "))
  rows <- rows[known, , drop = FALSE]
  y <- rev(seq_len(nrow(rows)))
  ci <- if (!is.null(x$ci)) !is.nan(rows$ci_low) & !is.nan(rows$ci_high) else rep(FALSE, length(y))
  alike <- rows$sense == "agreement"
  on_axis <- alike & rows$range_high %in% c(1, Inf)
  least <- c(rows$low[on_axis], rows$chance[on_axis], if (any(ci)) rows$ci_low[on_axis & ci])
  left <- max(c(0, -0.25, -0.5, -1)[c(0, -0.25, -0.5) <= min(0, least, na.rm = TRUE)], -1)
  top <- ifelse(is.finite(rows$range_high), rows$range_high, 1.25 * pmax(rows$high, 1))
  place <- function(v) {
    share <- pmin(pmax((v - rows$range_low) / (top - rows$range_low), 0), 1)
    ifelse(on_axis, pmin(pmax(v, left), 1), ifelse(alike, share, 1 - share))
  }
  wide <- rows$interval & rows$high > rows$low
  beyond <- on_axis & !wide & !is.na(rows$low) & (rows$low < left | rows$low > 1)
  at <- !wide & !beyond
  ends <- cbind(rows$range_low, rows$range_high)
  ends[!alike, ] <- ends[!alike, 2:1]
  other <- which(!on_axis)
  colour <- ifelse(alike, blue, palette_colours[6L])
  new_picture(
    paste0(x$names[1L], " and ", x$names[2L], ", ", counted(x$n_objects, "object")),
    list(segments_at(seq(left, 1, 0.25), 0.4, seq(left, 1, 0.25), length(y) + 0.6, "grey92"),
         segments_at(ifelse(on_axis, pmax(left, rows$range_low), 0), y, 1, y, "grey80"),
         words_at(-0.01 + 0 * other, y[other], format_ends(ends[other, 1L]), cex = 0.6, adj = 1),
         words_at(1.01 + 0 * other, y[other], format_ends(ends[other, 2L]), cex = 0.6, adj = 0),
         if (any(ci)) segments_at(place(rows$ci_low)[ci], y[ci], place(rows$ci_high)[ci]),
         segments_at(place(rows$low)[wide], y[wide], place(rows$high)[wide], y[wide], colour[wide],
                     5),
         points_at(place(rows$chance), y, "grey30", 4L, 0.9),
         points_at(place(rows$low)[at], y[at], colour[at], ifelse(alike, 16L, 18L)[at], 1.1),
         words_at(place(rows$low)[beyond], y[beyond], ifelse(rows$low < left, "<", ">")[beyond],
                  colour[beyond])),
    xlim = c(left, 1) + c(-1, 1) * (if (all(on_axis)) 0.02 else 0.15 * (1 - left)),
    ylim = c(0.4, length(y) + 0.6), x_at = seq(left, 1, 0.25), y_at = y,
    y_names = in_words(row_labels(rows)), right = ends_text(rows$low, rows$high, rows$interval, 3L),
    note = paste(c("blue: agreement", if (!all(alike)) "orange: dissimilarity",
                   if (any(wide)) "bar: range left open",
                   if (any(ci)) paste0("thin line: ", format(100 * x$level), " % interval"),
                   if (any(!is.na(rows$chance))) "cross: chance"), collapse = ";  "))
}

picture_of.sc_comparison_matrix <- function(x, col = heat_colours(), ...) {
  shade <- as.matrix(x)
  diag(shade) <- NA   # a clustering with itself has no colour, so that the others differ
  limits <- range(shade, na.rm = TRUE)
  if (!all(is.finite(limits)) || diff(limits) == 0) limits <- c(0, 1) + min(limits, na.rm = TRUE)
  turned <- if (x$sense == "dissimilarity") -1 else 1   # darker is more alike
  table_picture(paste(in_words(matrix_label(x)), "(darker: more alike)"), turned * shade,
                entries_text(x, 2L), "", "", sort(turned * limits), col, list(x$names, x$names))
}

picture_of.sc_contingency_table <- function(x, ...) {
  counts_picture("Objects by pair of clusters", unclass(as.table(x$counts)))
}

picture_of.sc_membership_sums <- function(x, ...) {
  counts_picture("Sums of products of memberships", x$cross)
}

picture_of.sc_matching <- function(x, ...) {
  rows <- nrow(x$matched_table)
  pairs <- seq_len(min(dim(x$matched_table)))
  left <- c(pairs - 0.48, pairs + 0.48)
  low <- rows + 1 - pairs - 0.46
  frame <- list(segments_at(c(left, pairs - 0.48, pairs - 0.48), c(low, low, low, low + 0.92),
                            c(left, pairs + 0.48, pairs + 0.48),
                            c(low + 0.92, low + 0.92, low, low + 0.92),
                            lwd = if (max(dim(x$matched_table)) > 15L) 1 else 2))
  counts_picture(paste0(fixed(100 * x$diagonal, 1),
                        " % of the objects in matched clusters (framed), by ",
                        gsub("_", " ", x$method)), x$matched_table, marks = frame)
}

picture_of.sc_pair_counts <- function(x, col = c("#D9E8F5", "#0072B2", "#E69F00", "grey80"), ...) {
  if (x$n_pairs == 0) stop_softclust("ValueError",
                                     "a single object has no pairs; nothing can be drawn")
  mosaic_picture(paste(counted(x$n_pairs, "pair"), "of objects"),
                 matrix(c(x$n11, x$n01, x$n10, x$n00), 2L),
                 matrix(c("together in both", "together in y only", "together in x only",
                          "apart in both"), 2L), col, ...)
}

picture_of.sc_prayatul <- function(x, col = c("#D9E8F5", "#0072B2", "#E69F00", "grey60"), ...) {
  names <- outer(rownames(x$matrix), colnames(x$matrix), function(i, j) {
    ifelse(i == "unknown" | j == "unknown", paste0(x$names[1L], " ", i, ",\n", x$names[2L], " ", j),
           ifelse(i == j, paste("both", i),
                  paste("only", ifelse(i == "right", x$names[1L], x$names[2L]), "right")))
  })
  mosaic_picture(paste0(x$names[1L], " and ", x$names[2L], ": which pairs are right"), x$matrix,
                 names, col, ...)
}

picture_of.sc_chance <- function(x, which = 1L, ...) {
  if (!nrow(x$null)) {
    stop_softclust("ValueError", "method = \"", x$method, "\" has no draws; nothing can be drawn")
  }
  values <- x$null[is.finite(x$null[, which]), which]
  observed <- x$rows$observed[which]
  histogram_picture(paste0("Observed: ", number_text(observed), " (line); ",
                           thousands(length(values)),
                           " random samples (bars); p = ", number_text(x$rows$p_value[which], 3L)),
                    values, observed, in_words(x$labels[which]), "random samples")
}

picture_of.sc_completion_bounds <- function(x, ...) {
  ends <- c(x$low_bound, x$high_bound)
  if (!all(is.finite(ends))) {
    stop_softclust("ValueError", "an end of the range is not finite; nothing can be drawn")
  }
  proved <- x$low_bound == x$low && x$high_bound == x$high
  new_picture(paste0("Range over all completions",
                     if (!proved) "; bar: values attained, thin line: proved bounds"),
              list(segments_at(x$low_bound, 1, x$high_bound, 1, lwd = 1.5),
                   segments_at(x$low, 1, x$high, 1, blue, 6),
                   words_at(c(x$low, x$high), c(1.1, 1.1), number_text(c(x$low, x$high), 3L))),
              in_words(x$measure), xlim = range(0, 1, ends), ylim = c(0.5, 1.5), y_at = 1,
              y_names = "")
}

picture_of.sc_transport <- function(x, ...) {
  rows <- as.data.frame(x)
  y <- 3:1
  limits <- range(0, 1, unlist(rows[c("low", "high", "ci_low", "ci_high")]), na.rm = TRUE)
  wide <- which(!rows$exact)
  ci <- !is.na(rows$ci_low)
  new_picture(paste0("Transport ", x$sense, ", base ", x$base),
              list(boxes_at(rows$value[1L], 3.85, rows$value[2L], 4.15),
                   segments_at(limits[1L], y, limits[2L], y, "grey85"),
                   boxes_at(rows$low[wide], y[wide] - 0.12, rows$high[wide], y[wide] + 0.12, NA,
                            "grey30"),
                   segments_at(rows$ci_low[ci], y[ci], rows$ci_high[ci], y[ci], lwd = 2),
                   points_at(rows$value, y, pch = ifelse(rows$exact, 16L, 1L), cex = 1.3)),
              x$sense, "", limits, c(0.5, 4.5), y_at = 4:1,
              y_names = c("interval", "lower", "upper", paste0("value (", format(x$alpha), ")")),
              right = c("", number_text(rows$value, 3L)),
              note = paste(c("filled: exact",
                             if (length(wide)) "hollow: not exact;  box: proved bounds",
                             if (any(ci)) "thick line: confidence interval"), collapse = ";  "))
}

picture_of.sc_ranking <- function(x, ...) {
  at <- x$order
  dot_picture(x$answer, x$names[at], unname(x$gain[at]), x$low[at], x$high[at],
              at %in% x$possibly_best,
              xlab = paste0("lead over the best of the others (", in_words(x$measure), ")"),
              line = 0,
              note = paste0("simultaneous ", format(100 * x$level),
                            " % intervals; filled: may be the best"))
}

picture_of.sc_sampled_truth <- function(x, ...) {
  r <- x$rows
  dot_picture(x$title, in_words(r$measure), r$value, r$low, r$high, xlim = 0:1,
              xlab = paste0("value, with ", 100 * x$level, " % interval where there is one"))
}

picture_of.sc_strata_agreement <- function(x, ...) {
  r <- x$rows
  dot_picture(x$answer, paste0(r$stratum, " (", r$size, ")"), r$value, line = x$adjusted,
              xlab = "adjusted Rand index within each stratum; line: corrected for the strata")
}

picture_of.sc_medoid <- function(x, ...) {
  shown <- as.data.frame(x)
  shown <- shown[order(shown$total), ]
  dot_picture(paste0("Medoid (filled), the nearest to all others: ", x$name), shown$member,
              shown$total,
              filled = shown$medoid,
              xlab = paste0("sum of dissimilarities (", in_words(x$measure), ")"))
}

picture_of.sc_cic <- function(x, ...) {
  dot_picture("Criterion (filled): information minus uncertainty",
              c("information", "uncertainty", "criterion"),
              c(x$information, x$uncertainty, x$criterion), filled = c(FALSE, FALSE, TRUE),
              line = 0,
              xlab = "bits")
}

# The 20 largest, by name where there are names.
largest_picture <- function(main, values, xlab, ...) {
  at <- utils::head(order(-values), 20L)
  dot_picture(main, if (is.null(names(values))) at else names(values)[at], unname(values[at]),
              xlab = xlab,
              line = 0)
}

picture_of.sc_explanation <- function(x, ...) {
  largest_picture(paste0(x$measure, " = ", number_text(x$value),
                         ": objects with the largest shares"),
                  x$objects, paste("share of", x$label), ...)
}

picture_of.sc_cluster_changes <- function(x, ...) {
  rows <- x$rows[x$rows$kind != "move", ]
  dot_picture(paste(x$names[1L], "to", x$names[2L]), paste(rows$kind, rows$x, "->", rows$y),
              rows$count,
              line = 0, xlab = "objects")
}

picture_of.sc_influence <- function(x, ...) {
  largest_picture(paste0("Objects in ", x$side, " that gain most by a move"), x$gain,
                  paste("gain of", in_words(x$measure)), ...)
}

# -- objects --------------------------------------------------------------------------------------
picture_of.sc_element_centric <- function(x, ...) {
  values <- sort(unname(x$values))
  new_picture(paste0("Element-centric similarity; dashed: mean ", number_text(x$index, 3L)),
              list(points_at(seq_along(values), values, cex = 0.6),
                   segments_at(1, x$index, length(values), x$index, "grey40", lty = "42")),
              "objects, the least alike first", "similarity around each object", ylim = 0:1)
}

picture_of.sc_element_consistency <- function(x, ...) {
  values <- sort(unname(x$values))
  at <- seq(0, 1, length.out = length(values) + 1L)
  new_picture(paste("Dashed: mean consistency", number_text(x$index, 3L)),
              list(line_at(rep(at, each = 2L)[2L:(2L * length(values) + 1L)],
                           rep(values, each = 2L), lwd = 1.8),
                   segments_at(0, x$index, 1, x$index, palette_colours[6L], lty = "42")),
              "share of objects, least consistent first", "element-centric consistency", 0:1, 0:1)
}

picture_of.sc_order_flows <- function(x, ...) {
  if (is.null(x$clusterings)) {
    stop_softclust("ValueError", "a table has no clusterings to draw; give the clusterings")
  }
  members <- lapply(seq_along(x$clusterings), function(j) unclass(x$clusterings)[[j]])
  k <- length(members)
  n <- n_objects(members[[1L]])
  before <- rep(0, n)   # objects of a cluster stand together, in the order of the clusters before
  flows <- bars <- words <- list()
  for (j in seq_len(k)) {
    place <- match(members[[j]]$labels, x$orders[[j]])
    now <- order(order(place, before))
    if (j > 1L) {
      flows[[j]] <- segments_at(j - 0.9, -before, j - 0.1, -now,
                                in_turn(palette_colours, members[[j - 1L]]$labels))
    }
    sizes <- tabulate(place, length(x$orders[[j]]))
    ends <- cumsum(sizes)
    bars[[j]] <- boxes_at(0 * sizes + j - 0.1, sizes - ends - 0.5, 0 * sizes + j + 0.1, -ends - 0.5,
                          in_turn(palette_colours, x$orders[[j]]), "white")
    words[[j]] <- words_at(0 * sizes + j, sizes / 2 - ends - 0.5,
                           cluster_labels(members[[j]])[x$orders[[j]]])
    before <- now
  }
  new_picture("Flows between clusters", c(Filter(length, flows), bars, words), "", "objects",
              c(0.8, k + 0.2), c(-n - 1, 0), x_at = seq_len(k), x_names = names(x$orders),
              y_at = -c(1, n),
              y_names = c("", ""))
}

# -- several runs ---------------------------------------------------------------------------------
picture_of.sc_coassociation <- function(x, ...) {
  steps <- function(y) {
    at <- rep(c(0, x$value, 1), each = 2L)
    line_at(at[-1L], rep(c(0, y, 1), each = 2L)[-2L * (length(y) + 2L)], lwd = 1.8)
  }
  band <- if (!x$exact) lapply(1:2, function(end) utils::modifyList(steps(x$band[, end]),
                                                                    list(lty = "12", lwd = 1)))
  new_picture(paste0(fixed(100 * x$pac, 1),
                     " % of pairs are ambiguous: together in 10 to 90 % of the runs (PAC)"),
              c(list(boxes_at(0.1, 0, 0.9, 1, "#56B4E933")), band,
                list(steps(cumsum(x$count) / x$n_pairs))),
              "share of runs that join the pair", "share of pairs, cumulated", 0:1, 0:1)
}

picture_of.sc_cluster_stability <- function(x, ...) {
  at <- seq_along(x$jaccard)
  error <- ifelse(is.na(x$standard_error), 0, x$standard_error)
  aside <- seq(-0.22, 0.22, length.out = nrow(x$values))
  limits <- unname(x$limits)
  ends <- c(0.5, length(at) + 0.5)
  new_picture(paste0("Stability in ", counted(x$n_runs, "run"),
                     "; diamonds: means with one standard error, dots: runs"),
              list(segments_at(ends[1L], limits, ends[2L], limits, palette_colours[6L],
                               lty = c("12", "42")),
                   words_at(c(ends[2L], ends[2L]), limits + 0.03, c("dissolved", "recovered"),
                            palette_colours[6L],
                            0.7, 1),
                   points_at(as.vector(outer(aside, at, "+")), as.vector(x$values), "grey60",
                             cex = 0.4),
                   segments_at(at, x$jaccard - error, at, x$jaccard + error),
                   points_at(at, unname(x$jaccard), pch = 18L, cex = 1.6)),
              "cluster", "Jaccard index with the best match", ends, 0:1, x_at = at,
              x_names = if (is.null(names(x$jaccard))) at else names(x$jaccard))
}

picture_of.sc_label_instability <- function(x, ...) {
  dot_picture("Instability of labels (filled) and what random labels give",
              c("instability", "random labels"),
              c(x$value, x$null), filled = c(TRUE, FALSE), line = 0, xlab = "instability")
}

# -- numbers of clusters --------------------------------------------------------------------------
picture_of.sc_prediction_strength <- function(x, ...) {
  order <- order(x$n_clusters)
  at <- x$n_clusters[order]
  value <- x$mean[order]
  error <- ifelse(is.na(x$standard_error), 0, x$standard_error)[order]
  new_picture(paste0("Best: K = ", x$best, " (dashed: threshold ", x$threshold, ")"),
              list(segments_at(min(at), x$threshold, max(at), x$threshold, palette_colours[6L],
                               lty = "42"),
                   line_at(at, value), segments_at(at, value - error, at, value + error),
                   points_at(at, value),
                   points_at(x$best, value[at == x$best], pch = 1L, cex = 2.6)),
              "number of clusters K", "prediction strength", ylim = 0:1, x_at = at)
}

picture_of.sc_cluster_number <- function(x, ...) {
  curves <- seq_along(x$scale)
  error <- ifelse(is.na(x$mc_error), 0, x$mc_error)
  order <- order(x$n_clusters)
  # Curves stand a little apart so that their error bars do not cover each other.
  marks <- lapply(curves, function(s) {
    at <- x$n_clusters[order] + (s - mean(curves)) * 0.06
    value <- x$value[order, s]
    colour <- in_turn(palette_colours, s)
    behind <- x$given_up[order, s]
    best <- x$n_clusters[order] == x$best_by_scale[s]
    bars <- error[order, s]
    # No line leads to a number that was given up: its value is from fewer replicates.
    list(line_at(at, ifelse(behind, NA, value), colour, shifted(palette_lines, s)),
         segments_at(at, value - bars, at, value + bars, colour),
         points_at(at, value, colour, ifelse(behind, 21L, shifted(palette_symbols, s)),
                   bg = ifelse(behind, "white", colour)),
         words_at(at[behind] + 0.1, value[behind],
                  paste(x$n_resamples[order, s][behind], "of", max(x$n_resamples[, s])),
                  "grey35", 0.6, 0),
         points_at(at[best], value[best], colour, 1L, 2.6))
  })
  new_picture(paste0("Best: K = ", x$best,
                     if (!is.nan(x$scale[1L])) paste0(" (scale ", x$scale[1L], ")")),
              do.call(c, marks), "number of clusters K", x$title,
              range(x$n_clusters) + c(-0.15, if (any(x$given_up)) 0.8 else 0.15),
              range(x$value - error, x$value + error, finite = TRUE), x_at = sort(x$n_clusters),
              key = if (length(curves) > 1L) {
                data.frame(text = paste("scale", format(x$scale)),
                           col = in_turn(palette_colours, curves),
                           pch = shifted(palette_symbols, curves),
                           lty = shifted(palette_lines, curves))
              },
              note = if (any(x$given_up)) "hollow: stopped early, with the number of replicates")
}

picture_of.sc_pair_roc <- function(x, what = c("curve", "errors"), ...) {
  what <- chosen(what)
  if (is.nan(x$auc)) {
    stop_softclust("ValueError",
                   "the curve is undefined (0/0): the truth has no pairs of one of the ",
                   "two kinds; nothing can be drawn")
  }
  best <- match(x$k_best, x$k)
  last <- length(x$k)
  main <- paste0("Area ", fixed(x$auc), " (0 is best: lower left corner), best k = ", x$k_best)
  if (what == "curve") {
    return(new_picture(
      main, list(segments_at(0, 1, 1, 0, "grey50", lty = "42"),
                 segments_at(x$eps1[last], x$eps2[last], 1, 0, blue, lty = "12"),
                 line_at(x$eps1, x$eps2),
                 points_at(x$eps1, x$eps2, pch = 1L, cex = 0.6),
                 points_at(x$eps1[best], x$eps2[best], cex = 1.4),
                 words_at(x$eps1[best] + 0.02, x$eps2[best] + 0.04, paste("k =", x$k_best),
                          adj = 0)),
      "separated pairs of the same class (share)", "joined pairs of different classes (share)", 0:1,
                       0:1,
      note = "large dot: best k;  dashed: chance, area 0.5", square = TRUE))
  }
  total <- if (x$criterion == "sum") x$eps1 + x$eps2 else x$pair_error
  colours <- palette_colours[1:3]
  new_picture(main, c(Map(function(y, col, lty) line_at(x$k, y, col, lty),
                          list(x$eps1, x$eps2, total), colours,
                          palette_lines[1:3]),
                      list(points_at(x$k_best, total[best], colours[3L], cex = 1.3))),
              "number of clusters k", "error", log = if (max(x$k) >= 50) "x" else "",
              key = data.frame(text = c("separated, same class", "joined, different classes",
                                        if (x$criterion == "sum") "sum of both shares" else "wrong pairs"),
                               col = colours, lty = palette_lines[1:3]))
}

# -- trees ----------------------------------------------------------------------------------------
picture_of.sc_dendrogram_curve <- function(x, ...) {
  lines <- list(x$value, x$expected, x$limit)
  drawn <- vapply(lines, function(line) any(is.finite(line)), NA)
  key <- data.frame(text = c("the two trees", "mean if unrelated", "limit if unrelated"),
                    col = c(blue, "grey40", "grey60"), lty = c("solid", "42", "12"))
  new_picture("Agreement of two trees, cut into the same number of clusters",
              Map(function(y, col, lty) line_at(x$k, y, col, lty), lines[drawn], key$col[drawn],
                  key$lty[drawn]),
              "number of clusters", in_words(x$measure), key = key[drawn, ])
}

picture_of.sc_dendrogram_map <- function(x, col = heat_colours(), ...) {
  value <- t(x$value)[rev(seq_along(x$k_y)), , drop = FALSE]
  text <- fixed(value, 2)
  if (max(dim(value)) > 20L) text[] <- ""
  table_picture(paste(in_words(x$measure), "(darker: more alike)"), value, text, "clusters of x",
                "clusters of y",
                range(0, 1, value, finite = TRUE), col, list(rev(x$k_y), x$k_x))
}

picture_of.sc_best_cut <- function(x, ...) {
  if (!is.null(x$null)) {
    return(histogram_picture(paste0("Best cut: ", number_text(x$value),
                                    " (line); bars: best cuts by chance"),
                             x$null, x$value, in_words(x$measure), "permutations"))
  }
  dot_picture("Best cut (filled) and best level", c("best cut", "best level"),
              c(x$value, x$level_value),
              filled = c(TRUE, FALSE), line = 0, xlab = in_words(x$measure))
}

# Branches of a tree whose leaves stand at 1, 2, ...; heights as square roots, so that low merges can
# be seen beside the last ones of Ward's method.
branches_of <- function(node, first = 1) {
  height <- sqrt(attr(node, "height"))
  if (stats::is.leaf(node)) return(list(at = first, height = 0, lines = NULL))
  parts <- list()
  for (child in seq_along(node)) {
    parts[[child]] <- branches_of(node[[child]], first)
    first <- first + max(1, attr(node[[child]], "members"))
  }
  at <- vapply(parts, `[[`, 0, "at")
  below <- vapply(parts, `[[`, 0, "height")
  list(at = mean(range(at)), height = height,
       lines = rbind(do.call(rbind, lapply(parts, `[[`, "lines")), cbind(at, below, at, height),
                     c(min(at), height, max(at), height)))
}

picture_of.sc_untangle <- function(x, ...) {
  n <- length(x$x_order)
  right <- match(x$x_order, x$y_order)
  sides <- lapply(x$trees, branches_of)
  place <- function(side, sign, h) sign * (0.6 + h / side$height)
  branches <- Map(function(side, sign) {
    lines <- side$lines
    segments_at(place(side, sign, lines[, 2L]), lines[, 1L], place(side, sign, lines[, 4L]),
                lines[, 3L], "grey30")
  }, sides, c(-1, 1))
  named <- n <= 60L
  gap <- if (named) 0.3 else 0.58
  words <- if (named) {
    list(words_at(rep(-0.32, n), seq_len(n), labels(x$trees[[1L]]), cex = min(1, 30 / n), adj = 1),
         words_at(rep(0.32, n), seq_len(n), labels(x$trees[[2L]]), cex = min(1, 30 / n), adj = 0))
  }
  new_picture(paste0(counted(x$crossings, "crossing"), "; heights as square roots"),
              c(unname(branches), list(segments_at(-gap, seq_len(n), gap, right,
                                                   ifelse(right == seq_len(n), "grey75", blue))),
                words),
              xlim = c(-1.6, 1.6), ylim = c(0.5, n + 0.5), axes = FALSE)
}

# -- posterior draws ------------------------------------------------------------------------------
picture_of.sc_posterior <- function(x, kind = c("objects", "matrix"), ...) {
  kind <- chosen(kind)
  own <- x$objects$own
  order <- order(x$labels, -ifelse(is.na(own), 0, own))
  labels <- unname(x$labels[order])
  n <- length(order)
  ends <- cumsum(rle(labels)$lengths) + 0.5
  starts <- c(0.5, ends[-length(ends)])
  found <- paste0(counted(nrow(x$clusters), "cluster"), ", ", counted(x$n_draws, "draw"))
  if (kind == "objects") {
    return(new_picture(paste0(found, "; filled: own cluster, cross: best other cluster"),
                       list(segments_at(ends[-length(ends)], 0, ends[-length(ends)], 1, "grey60"),
                            points_at(seq_len(n), own[order], in_turn(palette_colours, labels),
                                      shifted(palette_symbols, labels), if (n > 200L) 0.5 else 0.8),
                            points_at(seq_len(n), x$objects$other_p[order], "grey50", 4L, 0.6)),
                       "objects, grouped by cluster, most certain first",
                       "mean probability of being together",
                       ylim = 0:1))
  }
  if (is.null(x$matrix)) {
    stop_softclust("ValueError", "the matrix is only kept for up to 500 objects; kind = ",
                   "\"objects\" does not need it")
  }
  low <- n + 1 - ends
  high <- n + 1 - starts
  new_picture(paste0(found, "; darker: more probably together"),
              list(tiles_at(unname(x$matrix)[rev(order), order]),
                   boxes_at(starts, low, ends, high, NA, palette_colours[6L])),
              "objects, by cluster of the estimate", "", c(0.5, n + 0.5), c(0.5, n + 0.5),
              square = TRUE,
              x_at = (starts + ends) / 2, x_names = unique(labels), y_at = (low + high) / 2,
              y_names = unique(labels))
}

picture_of.sc_ball <- function(x, ...) {
  histogram_picture(paste0("Ball with ", format(100 * x$level), " % of the draws: radius ",
                           number_text(x$radius, 3L), " (line)"), x$distances, x$radius,
                    paste0("distance of a draw from the center (", x$loss, ")"), "draws")
}

picture_of.sc_representatives <- function(x, ...) {
  bar_picture(paste("The", length(x$weights), "partitions that represent the draws"), x$weights,
              seq_along(x$weights), "partition", "share of the draws")
}

picture_of.sc_core <- function(x, ...) {
  sizes <- tabulate(x$labels)
  bar_picture(paste0(length(x$objects), " of ", x$n_objects, " objects keep their clusters in ",
                     format(100 * x$probability, digits = 3L), " % of the draws"),
              c(sizes, x$n_objects - sum(sizes)), c(seq_along(sizes), "left out"), "cluster",
              "objects",
              c(in_turn(palette_colours, seq_along(sizes)), "grey80"))
}

# -- tests ----------------------------------------------------------------------------------------
picture_of.sc_cluster_test <- function(x, ...) {
  frame <- as.data.frame(x)
  dot_picture(sub(" \\(.*", "", attr(x, "verbs")$summary$title),
              paste(frame$n_clusters, "against", frame$against),
              frame$statistic, pmin(frame$reference_mean, frame$statistic),
              pmax(frame$reference_mean, frame$statistic),
              xlab = "separation; the line leads to its mean in data without these clusters")
}

picture_of.sc_compare_versions <- function(x, ...) {
  dot_picture(paste0("Distances of runs; p = ", number_text(x$p_value, 3L)),
              c("old and new", "old runs", "new runs"), c(x$between, x$within_old, x$within_new),
              filled = c(TRUE, FALSE, FALSE), line = 0, xlab = "mean distance of two runs")
}

# The ceiling on the diagonal, the floor below each agreement, as in Python.
picture_of.sc_replicate <- function(x, ...) {
  values <- x$agreement
  known <- is.finite(x$floor) & row(values) != col(values)
  text <- ifelse(is.na(values), "", fixed(values, 2))
  text[known] <- paste0(text[known], "\nfloor ", fixed(x$floor[known], 2), "\np = ",
                        number_text(x$p_value[known], 2L))
  diag(text) <- paste0("ceiling\n", diag(text))
  table_picture("Agreement of the cohorts; ceiling: halves of one cohort", values, text,
                "found in", "clusters of", names = list(names(x$own), names(x$own)))
}

picture_of.sc_tie_range <- function(x, ...) {
  dot_picture("Area under the curve over orders of tied distances",
              c("all orders tried", "the order given"),
              c(x$low, x$given), c(x$low, NA), c(x$high, NA), c(FALSE, TRUE),
              xlab = "area under the curve")
}

picture_of.sc_interval_mds <- function(x, ...) {
  turn <- seq(0, 2 * pi, length.out = 90L)
  centers <- cbind(x$centers, 0)[, 1:2, drop = FALSE]
  circles <- lapply(seq_along(x$radii), function(i) {
    line_at(centers[i, 1L] + x$radii[i] * cos(turn), centers[i, 2L] + x$radii[i] * sin(turn))
  })
  ends <- range(centers - x$radii, centers + x$radii)
  new_picture(paste0("Circles: nearest and furthest points are as far as the ends; stress ",
                     number_text(x$normalized_stress, 3L)),
              c(circles, list(words_at(centers[, 1L], centers[, 2L], unlist(x$names)))), "", "",
              ends, ends, square = TRUE)
}
