#' Any measure by name
#'
#' `sc_measures()` lists the measures, `sc_measure()` computes one of them, `sc_method()` makes a
#' function of one, for [clue::cl_agreement()] and [clue::cl_dissimilarity()]. `?measures` has the
#' list with its sources.
#'
#' @param name Name of a measure, such as `"rand_index"`. Common abbreviations, such as `"ARI"`, and
#'   the names of clue's methods, such as `"cRand"`, also work if they are unambiguous. `"NMI"`
#'   divides by the arithmetic mean of the entropies, as scikit-learn does; clue's `"NMI"` is
#'   `average = "geometric"`.
#' @param x,y Two clusterings of the same objects: anything [sc_clustering()] takes. Measures of
#'   one clustering take `x` only; measures of two hard ones take a [sc_contingency_table()],
#'   [table()] or [xtabs()] as `x`, those that count pairs [sc_pair_counts()], many of fuzzy ones [sc_membership_sums()].
#' @param ... Options of the measure, such as `alpha = 0.5`; `sc_measures()` names them.
#' @param noise,noise_label,missing,objects How to treat noise and missing labels, and which objects
#'   to compare; see [sc_align()]. By default noise is a cluster, `NA` is an error, and the objects
#'   must be the same.
#' @param seed Seed for a measure that uses random numbers; see [softclust-package].
#' @return `sc_measures()`: a data frame with one row per measure. Columns:
#'   * `name`, `family`, `meaning`; `arity`: how many clusterings it takes.
#'   * `sense`: "agreement", "dissimilarity" or "uncertainty"; `low`, `high`: its range, infinite where
#'     unbounded, `NA` where it depends on the clusterings.
#'   * `kinds`: of clusterings; `properties`; `options`; `draws`: whether it may use random numbers.
#'   * `cost`: time and memory; `source`; `r`: the call of an R package that gives the same number.
#'
#'   `sc_measure()`: a number; `c(low = , high = )` for a measure that gives intervals; a vector or
#'   a list of class `sc_result` for a measure that gives more. `NaN`, with a warning of class
#'   `softclust_UndefinedMeasureWarning`, if the measure is 0/0.
#'
#'   `sc_method()`: a function of two clusterings that returns a number.
#' @examplesIf sc_available()
#' head(sc_measures()[c("sense", "kinds", "low", "high")])
#' sc_measure("rand_index", c(1, 1, 2, 2), c(1, 1, 2, 3))
#' sc_measure("alpha_rand_interval", c(1, 1, 2, 2), rbind(c(.9, .1), c(1, 0), c(0, 1), c(.5, .5)))
#' if (requireNamespace("clue", quietly = TRUE)) {
#'   runs <- clue::cl_ensemble(list = list(sc_clustering(c(1, 1, 2, 2)),
#'                                         sc_clustering(c(1, 1, 2, 3))))
#'   clue::cl_agreement(runs, method = sc_method("alpha_rand_index", alpha = 0.5))
#' }
#' @export
sc_measure <- function(name, x, y = NULL, ..., noise = NULL, noise_label = NULL,
                       missing = "raise", objects = "same", seed = NULL) {
  options <- dots(...)
  draws_of(name)   # An error here, before the clusterings are read.
  table <- as_counts(x, y)
  if (!is.null(table)) {
    sides <- list(x = table)
  } else if (is.null(y)) {
    sides <- list(x = sc_clustering(x))
  } else {
    sides <- aligned_pair(x, y, noise, noise_label, missing, objects)
  }
  measure_of(name, sides, options, seed)
}

measure_of <- function(name, sides, options, seed) {
  drawn <- with_seed(seed, draws_of(name), function(seed) {
    front_call("measure", name = name, x = sides$x, y = sides$y, options = options, seed = seed)
  })
  found <- drawn$value
  if (is.null(found$class)) return(found$value)
  new_result(found$value, found$class, drawn$seed)
}

#' @rdname sc_measure
#' @export
sc_measures <- function() {
  found <- front_call("measures")
  row.names(found) <- found$name
  found
}

#' @rdname sc_measure
#' @export
sc_method <- function(name, ...) {
  draws_of(name)
  m <- front_call("about", name = name)
  if (m$arity != 2) {
    stop_softclust("ValueError", name, " is a measure of one clustering; a method compares two")
  }
  options <- list(...)
  dots(...)
  method <- function(x, y) {
    value <- call_with(sc_measure, c(list(name, x, y), options))
    if (!is.numeric(value) || length(value) != 1L) {
      stop_softclust("ValueError", name, " does not give a single number, which a method must")
    }
    value
  }
  structure(method, class = c("sc_method", "function"), measure = m$name, sense = m$sense,
            options = c(options, m$words[setdiff(names(m$words), names(options))]))
}

#' @export
print.sc_method <- function(x, ...) {
  no_dots(...)
  options <- attr(x, "options")
  text <- if (length(options)) {
    paste0(" (", paste(names(options), vapply(options, function(v) deparse(v)[1L], ""), sep = " = ",
                       collapse = ", "), ")")
  }
  cat("Method for clue: ", attr(x, "measure"), text, ", ",
      if (attr(x, "sense") == "agreement") "an agreement" else paste("a", attr(x, "sense")), "\n",
      sep = "")
  invisible(x)
}

# Whether a measure may draw random numbers; asked once for each name, which may be an abbreviation.
draws_of <- function(name) {
  if (!is.character(name) || length(name) != 1L || is.na(name)) {
    stop_softclust("TypeError", "`name` must be the name of one measure, and comes first, as in ",
                   "sc_measure(\"ARI\", x, y); sc_measures() lists them")
  }
  if (is.null(.state$draws[[name]])) {
    .state$draws[[name]] <- front_call("about", name = name)$draws
  }
  .state$draws[[name]]
}

# Runs `call` with a seed. One that was drawn from R and not used is taken back, so that R's random
# numbers move only where something is random. The result says as `drew` whether it was used.
with_seed <- function(seed, possible, call) {
  if (!possible) {
    return(list(value = call(NULL), seed = NULL))
  }
  before <- get0(".Random.seed", globalenv(), inherits = FALSE)
  used <- draw_seed(seed)
  value <- call(used)
  if (isTRUE(value$drew)) return(list(value = value, seed = used))
  if (is.null(seed)) put_back(before)
  list(value = value, seed = seed)
}

put_back <- function(state) {
  global <- globalenv()
  if (is.null(state)) {
    rm(".Random.seed", envir = global)
  } else {
    assign(".Random.seed", state, envir = global)
  }
}

#' Counts of pairs of objects
#'
#' Counts the pairs of objects that both clusterings, one of them or none puts in the same cluster.
#'
#' @param x,y Two hard clusterings of the same objects: anything [sc_clustering()] takes. Or x is a
#'   [sc_contingency_table()], without y.
#' @param pairs A matrix with two columns of positions from 1, one row per pair: only these pairs
#'   count, such as the edges of a graph or neighbours in space. All pairs by default.
#' @details `plot()` draws each count as a rectangle whose area is its share of the pairs: pairs
#'   together in x at the top, pairs together in y at the left.
#' @return A list of class `sc_pair_counts` with the numbers of pairs `n11` (together in both),
#'   `n10` (in x only), `n01` (in y only), `n00` (apart in both) and `n_pairs`: exact up to 2^53.
#'   Measures on pair counts take it in place of x and y.
#' @python pair_counts
#' @examplesIf sc_available()
#' counts <- sc_pair_counts(c(1, 1, 2, 2), c(1, 1, 2, 3))
#' counts
#' plot(counts)
#' # neighbours on a path only: a graph-aware adjusted Rand index
#' path <- sc_pair_counts(c(1, 1, 2, 2), c(1, 1, 2, 3), pairs = cbind(1:3, 2:4))
#' sc_measure("adjusted_rand_index", path)
#' @export
sc_pair_counts <- function(x, y = NULL, pairs = NULL) {
  table <- as_counts(x, y)
  sides <- if (is.null(table)) pair_of(x, y) else list(x = table)
  if (!is.null(pairs)) {
    pairs <- matrix_of(pairs, "pairs")
    if (!is.numeric(pairs) || ncol(pairs) != 2L || anyNA(pairs) || any(pairs != round(pairs))) {
      stop_softclust("ValueError", "`pairs` must be a matrix with two columns of positions from 1")
    }
    pairs <- list(as_vector(pairs[, 1L]), as_vector(pairs[, 2L]))
  }
  record_of("pair_counts", "sc_pair_counts", x = sides$x, y = sides$y, pairs = pairs)
}

#' @export
print.sc_pair_counts <- function(x, ...) {
  cat("Pairs of objects:", thousands(x$n_pairs, scientific = FALSE), "\n")
  counts <- matrix(c(x$n11, x$n01, x$n10, x$n00), 2L,
                   dimnames = list(c("together in x", "apart in x"),
                                   c("together in y", "apart in y")))
  print(counts, ...)
  invisible(x)
}

#' @rawNamespace S3method(summary,sc_contingency_table); S3method(summary,sc_membership_sums)
#' @export
summary.sc_pair_counts <- function(object, ...) {
  no_dots(...)
  object
}
summary.sc_contingency_table <- summary.sc_membership_sums <- summary.sc_pair_counts

frame_of.sc_pair_counts <- function(x)
  as.data.frame(unclass(x)[c("n11", "n10", "n01", "n00", "n_pairs")])

#' Fuzzy counts of pairs
#'
#' @param x,y Two hard or fuzzy clusterings of the same objects: anything [sc_clustering()] takes; for
#'   `relation = "t_norm"` also possibilistic ones.
#' @python fuzzy_pair_counts sc_pair_counts
#' @wraps sc_fuzzy_pair_counts(x, y, ...)
#' @return A list of class `sc_pair_counts`, see [sc_pair_counts()]. The sum of the counts is
#'   n(n - 1)/2 except for `"t_norm"`.
#' @examplesIf sc_available()
#' sc_fuzzy_pair_counts(c(1, 1, 2), rbind(c(1, 0), c(0.5, 0.5), c(0, 1)))
#' @export

#' Alpha-Rand index from a sample of pairs
#'
#' @param x,y Two clusterings of the same objects: anything [sc_clustering()] takes.
#' @param alpha Cost of ambiguity relative to an error, in \[0, 1\].
#' @python alpha_rand_estimate sc_estimate
#' @wraps sc_alpha_rand_estimate(x, y, alpha, ..., seed)
#' @examplesIf sc_available()
#' u <- matrix(runif(600), 300)
#' sc_alpha_rand_estimate(u / rowSums(u), rep(1:2, 150), n_pairs = 5000, seed = 1)
#' @export

#' Expected index against labels drawn from memberships
#'
#' Each object draws its label from its memberships; the index of the drawn clustering and `truth` is
#' averaged over all draws, exactly and without sampling.
#'
#' @python expected_index
#' @wraps sc_expected_index(truth, fuzzy, index, ...)
#' @examplesIf sc_available()
#' fuzzy <- rbind(c(1, 0, 0), c(0, 1, 0), c(0, .5, .5), c(0, 0, 1), c(.25, .5, .25))
#' sc_expected_index(c(1, 2, 2, 3, 1), fuzzy, "jaccard")
#' @export

#' Distance that knows how far the clusters are apart
#'
#' Cluster similarity sensitive distance: objects that the clusterings share cost the distance of the
#' prototypes.
#'
#' @param x_prototypes,y_prototypes Matrices of prototypes, such as centres, one per row.
#' @python cssd_dissimilarity
#' @wraps sc_cssd_dissimilarity(x, y, x_prototypes, y_prototypes, ...)
#' @examplesIf sc_available()
#' centres <- rbind(0, 4)
#' sc_cssd_dissimilarity(c(1, 1, 2), c(1, 2, 2), centres, centres)
#' @export
