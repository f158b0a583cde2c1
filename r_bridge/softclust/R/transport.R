#' Transport dissimilarity of two clusterings
#'
#' A soft clustering is read as a random hard clustering: the label of each object is drawn from its
#' memberships; a rough set leaves open which of its labels it is; a mass function draws such a set.
#' The dissimilarity is the smallest mean distance of two hard clusterings over all their joint
#' distributions (optimal transport).
#'
#' @param x,y Two clusterings of the same objects: anything [sc_clustering()] takes.
#' @param base Distance of two hard clusterings: `"rand"` (1 - Rand index) or `"partition"` (moved
#'   objects / (n - 1)). The methods `"enumerate"` and `"sample"` also take the name of any measure
#'   of hard clusterings.
#' @param alpha Weight of `upper` in `value`, in \[0, 1\]; that of `lower` is `1 - alpha`.
#' @param method `"auto"` (exact if feasible, otherwise proved bounds with unbiased sampling),
#'   `"exact"`, `"certified"`, `"montecarlo"`, `"sample"` or `"enumerate"`.
#' @param sense `"dissimilarity"`, or `"agreement"` for 1 - d.
#' @param ... Options: `normalize` (`"error"`, `"dempster"`, `"yager"`), `tol`, `max_states`,
#'   `max_nodes`, `time_limit` (seconds), `n_draws`, `n_inner`, `target_se`, `level`,
#'   `uniforms` (matrix of ready draws), `progress`.
#' @param seed Seed for methods that use random numbers; see [softclust-package].
#' @return A list of class `sc_transport`:
#'   * `lower` (ambiguity forgiven), `upper` (ambiguity counted as error; for agreements the ends are
#'     exchanged) and `value` (at `alpha`).
#'   * For each of them a certificate (`lower_low`, `lower_high`, ...), whether it is exact
#'     (`exact_lower`, ...), and after sampling a standard error (`lower_se`, ...) and confidence
#'     interval (`lower_ci`, ...).
#'   * `base`, `alpha`, `sense`, `kinds`, `n_objects`.
#'   * `method`, `method_lower`, `method_upper`, `status`, `n_draws`, `n_unsolved`, `n_states`,
#'     `n_nodes`, `seconds`.
#'   * `notes`, `warnings`, `versions`, and `seed` if numbers were drawn.
#' @references A. Campagner, D. Ciucci, T. Denoeux (2023), A general framework for evaluating and
#'   comparing soft clusterings, Information Sciences 623, 70-93.
#' @examplesIf sc_available()
#' truth <- c(1, 2, 2, 3, 1)
#' rough <- sc_rough(upper = rbind(c(1, 0, 0), c(0, 1, 0), c(0, 1, 1), c(0, 0, 1), c(1, 1, 1)))
#' result <- sc_transport(truth, rough)
#' result
#' as.data.frame(result)
#' plot(result)
#' @export
sc_transport <- function(x, y, base = c("rand", "partition"), alpha = 0.5,
                         method = c("auto", "exact", "certified", "montecarlo", "sample",
                                    "enumerate"),
                         sense = c("dissimilarity", "agreement"), ..., seed = NULL) {
  if (missing(base)) base <- "rand"
  if (!is.character(base) || length(base) != 1L || is.na(base)) {
    stop_softclust("TypeError", "`base` must be \"rand\", \"partition\" or the name of a measure of ",
                   "hard clusterings; Python cannot call R functions")
  }
  method <- chosen(method, c("auto", "exact", "certified", "montecarlo", "sample", "enumerate"))
  sense <- chosen(sense, c("dissimilarity", "agreement"))
  sides <- pair_of(x, y)
  options <- dots(...)
  drawn <- with_seed(seed, TRUE, function(seed) {
    front_call("transport", x = sides$x, y = sides$y, base = base, alpha = alpha, method = method,
               sense = sense, options = options, seed = seed)
  })
  new_result(drawn$value$value, "sc_transport", drawn$seed)
}

#' @rdname sc_transport
#' @export
as.data.frame.sc_transport <- function(x, row.names = NULL, optional = FALSE, ...) {
  ends <- c("lower", "upper", "value")
  get <- function(pattern, default) {
    vapply(ends, function(end) {
      value <- x[[sprintf(pattern, end)]]
      if (is.null(value)) default else value
    }, default, USE.NAMES = FALSE)
  }
  ci <- vapply(ends, function(end) {
    value <- x[[paste0(end, "_ci")]]
    if (is.null(value)) c(NA_real_, NA_real_) else as.double(value)
  }, c(0, 0))
  data.frame(value = get("%s", NA_real_), low = get("%s_low", NA_real_),
             high = get("%s_high", NA_real_), exact = get("exact_%s", NA), se = get("%s_se", NA_real_),
             ci_low = ci[1L, ], ci_high = ci[2L, ], method = get("method_%s", ""),
             row.names = if (is.null(row.names)) ends else row.names)
}

#' @rdname sc_transport
#' @param main Title.
#' @details `plot()` draws the interval from lower to upper as a bar with the value as a point;
#'   proved bounds are hollow boxes, confidence intervals thin lines.
#' @export
plot.sc_transport <- function(x, main = NULL, ...) {
  rows <- as.data.frame(x)
  if (is.null(main)) main <- paste0("Transport ", x$sense, ", base ", x$base)
  limits <- range(0, 1, unlist(rows[c("low", "high", "ci_low", "ci_high")]), na.rm = TRUE)
  old <- graphics::par(mar = c(4.1, 6.6, 3.1, 5.6), las = 1)
  on.exit(graphics::par(old))
  graphics::plot(NULL, xlim = limits, ylim = c(0.5, 4.5), yaxt = "n", bty = "n", ylab = "",
                 xlab = x$sense, ...)
  draw_title(main, line = 1.6)
  graphics::rect(rows$value[1L], 3.85, rows$value[2L], 4.15, lwd = 2, col = "#0072B2", border = NA)
  y <- 3:1
  graphics::segments(limits[1L], y, limits[2L], y, col = "grey85")
  wide <- !rows$exact
  graphics::rect(rows$low[wide], y[wide] - 0.12, rows$high[wide], y[wide] + 0.12, border = "grey30")
  ci <- !is.na(rows$ci_low)
  graphics::segments(rows$ci_low[ci], y[ci], rows$ci_high[ci], y[ci], lwd = 2)
  graphics::points(rows$value, y, pch = ifelse(rows$exact, 16, 1), col = "#0072B2", cex = 1.3)
  graphics::axis(2, at = 4:1, labels = c("interval", "lower", "upper",
                                         paste0("value (", format(x$alpha), ")")),
                 tick = FALSE, line = -0.6)
  graphics::axis(4, at = y, labels = number_text(rows$value, 3L), tick = FALSE, line = -0.6)
  key <- c("filled: exact", if (any(wide)) "hollow: not exact;  box: proved bounds",
           if (any(ci)) "thick line: confidence interval")
  graphics::mtext(paste(key, collapse = ";  "), side = 3, line = 0.1, cex = 0.8, adj = 0)
  invisible(x)
}
