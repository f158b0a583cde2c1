#' Compare two clusterings
#'
#' Shows the measures for the two kinds of clustering: value or interval, range, chance level if it
#' is known and, on request, confidence intervals. Clusterings are never hardened.
#'
#' @param x,y Two clusterings of the same objects: anything [sc_clustering()] takes. If the objects
#'   of both have names, these must agree in order. Or x is a [sc_contingency_table()] or
#'   [sc_membership_sums()], without y.
#' @param measures Names of measures; by default the usual ones for the two kinds, those corrected
#'   for chance first; `"all"` for those that are used less often, too.
#' @param alpha Cost of ambiguity relative to an error, in \[0, 1\], for the measures with this
#'   option; `NULL` for each measure's own default.
#' @param ci Confidence intervals: `"bootstrap"`, `"jackknife"` or `NULL` for none. The objects are
#'   treated as a random sample, the labels as fixed.
#' @param names Names of the two for printing; by default the expressions in the call.
#' @param noise,noise_label,missing,objects How to treat noise and missing labels, and which objects
#'   to compare; see [sc_align()]. By default noise is a cluster, `NA` is an error, and the objects
#'   must be the same. In addition, `missing = "bounds"` gives the range of each measure over all
#'   ways to fill in the missing labels, see [sc_completion_bounds()].
#' @param seed Seed of the bootstrap; see [softclust-package].
#' @return A list of class `sc_comparison`:
#'   * `rows`: a data frame with one row per measure. Columns: `measure`, `value`, `low`, `high`,
#'     `sense`, `range_low`, `range_high`, `chance` (the mean when objects are permuted at random),
#'     `interval`, `options`, `source`, `note`, and with `ci` the confidence interval `ci_low` to
#'     `ci_high`, its centre `estimate`, and `reliable`. A measure that gives an interval has
#'     `low < high` and `value` `NaN`; one that is undefined (0/0) is `NaN` and its `note` says why.
#'   * `names`, `kinds`, `n_clusters`: of both sides; `n_objects`.
#'   * `ci`, `level`, `seed`: how the confidence intervals were made.
#'   * `left_out`: a data frame of other measures for these kinds, and `why` they are not shown.
#'   * `alignment`: what [sc_align()] did, if anything was asked of it.
#'   * `notes`, `versions`.
#'
#'   `as.data.frame()` gives `rows` with the names of the measures as row names.
#' @python compare
#' @examplesIf sc_available()
#' truth <- c("a", "a", "b", "b")
#' found <- rbind(c(0.9, 0.1), c(0.8, 0.2), c(0, 1), c(0.3, 0.7))
#' result <- sc_compare(truth, found)
#' result
#' as.data.frame(result)["alpha_rand_index", "value"]
#' plot(result)
#' @references L. Hubert, P. Arabie (1985), Comparing partitions, Journal of Classification 2,
#'   193-218. `?measures` has the source of each measure.
#' @seealso [sc_measure()] for one of them, [sc_compare_all()] for more than two clusterings.
#' @export
sc_compare <- function(x, y = NULL, measures = NULL, alpha = NULL, ci = NULL, level = 0.95,
                       n_resamples = 999, names = NULL, noise = NULL, noise_label = NULL,
                       missing = "raise", objects = "same", seed = NULL, groups = NULL,
                       strata = NULL, reference = c("y", "x"), pairs = c("all", "within")) {
  table <- as_counts(x, y)
  if (is.null(names)) names <- if (is.null(table)) called(substitute(x), substitute(y)) else c("x", "y")
  check_names(names)
  bounds <- identical(missing, "bounds")
  sides <- if (!is.null(table)) list(x = table)
           else if (bounds) open_sides(x, y, names, noise, noise_label, objects)
           else aligned_pair(x, y, noise, noise_label, missing, objects, names)
  options <- given(reference = chosen(reference), pairs = chosen(pairs), measures = as_vector(measures),
                   alpha = alpha, groups = part_labels(groups, "groups", sides),
                   strata = part_labels(strata, "strata", sides))
  if (!is.null(ci)) options <- c(options, list(ci = ci, level = level, n_resamples = n_resamples))
  seed <- if (identical(ci, "bootstrap")) draw_seed(seed)
  found <- call_with(record_of, c(list("compare", "sc_comparison", x = sides$x, y = sides$y,
                                     names = as_vector(names), seed = seed), sides$gaps, options))
  if (!bounds) found$alignment <- sides$alignment
  found
}

# What the arguments were called, where that is short; else the defaults.
called <- function(x, y, defaults = c("x", "y")) {
  short <- function(e, default) {
    if (!is.name(e) && !is.call(e)) return(default)
    text <- deparse(e, nlines = 2L)
    if (length(text) == 1L && nchar(text) <= 20L && !grepl("[][(\"]|^[.]{2}", text)) text else default
  }
  names <- c(short(x, defaults[1L]), short(y, defaults[2L]))
  if (names[1L] == names[2L]) defaults else names
}

check_names <- function(names) {
  if (!is.character(names) || length(names) != 2L || anyNA(names)) {
    stop_softclust("TypeError", "`names` must be two strings, one for each clustering")
  }
}

frame_of.sc_comparison <- function(x) {
  rows <- x$rows
  row.names(rows) <- rows$measure
  rows
}

# -- tables -------------------------------------------------------------------------------------
row_labels <- function(rows) {
  ifelse(nzchar(rows$options), paste0(rows$measure, " (", rows$options, ")"), rows$measure)
}

# As many decimals as `digits`, more where these would say nothing.
number_text <- function(x, digits = 4L) {
  small <- !is.na(x) & is.finite(x) & x != 0 & (abs(x) < 0.5 * 10^-digits | abs(x) >= 1e5)
  text <- formatC(x, digits = digits, format = "f")
  text[small] <- formatC(x[small], digits = digits, format = "g")
  text[is.nan(x)] <- "undefined"
  text[is.infinite(x)] <- ifelse(x[is.infinite(x)] > 0, "Inf", "-Inf")
  text
}

ends_text <- function(low, high, interval, digits) {
  one <- number_text(low, digits)
  both <- paste0("[", one, ", ", number_text(high, digits), "]")
  ifelse(interval & !is.nan(low), both, one)
}
