#' Noise, missing labels and different objects
#'
#' Makes clusterings comparable that have noise or missing labels or are of different objects.
#' [sc_compare()], [sc_compare_all()], [sc_measure()], [sc_match()] and [sc_prayatul()] take the
#' same arguments and call this function.
#'
#' @param ... Clusterings: anything [sc_clustering()] takes; labels may be `NA`, and rows of
#'   memberships may contain `NA` or sum to less than 1. The names of the arguments are the names of
#'   the sides.
#' @param list A list of clusterings, in addition to or instead of `...`.
#' @param noise How to treat noise, for all clusterings or for each: `"cluster"` (one more cluster),
#'   `"singletons"` (a cluster for each object), `"drop"` (left out on every side), `"unknown"` (in
#'   an unknown cluster of its side: rough), `"empty"` (in none of them: evidential), `"raise"` (an
#'   error). `NULL`: noise is a cluster, and rows of memberships must sum to 1; with `"cluster"` what
#'   a row lacks is its membership in a last cluster `"noise"`.
#' @param noise_label Label of noise: one or several labels for all clusterings, or a list with
#'   those of each clustering. It need not occur. `NULL`: 0 for results of package dbscan, otherwise
#'   -1.
#' @param missing How to treat `NA`: `"raise"` (an error), `"drop"`, `"cluster"`, `"singletons"` or
#'   `"unknown"`, for all clusterings or for each.
#' @param objects `"same"`: the same objects in the same order (if both have names, these must
#'   agree). `"common"`: the objects that all clusterings have, matched by name, in the order of the
#'   first. `"all"`: all objects, those of the first clustering followed by the new ones of each
#'   next one; the label of an absent object is `NA`.
#' @return A list of class `sc_alignment`:
#'   * `clusterings` (an [sc_ensemble()]), `names`.
#'   * `n_objects` (kept), `n_dropped`, `object_names`; `positions`: one column per clustering, the
#'     place of each kept object in what was given, `NA` where it is absent.
#'   * For each clustering `n_given`, `n_noise`, `n_missing`, `n_absent` (before objects are left out),
#'     `noise_share` (what rows of memberships lack to 1 counts) and the rules `noise` and `missing`.
#'   * `objects`, `header` (the same in one line), `versions`.
#'
#'   `as.data.frame()`: one row per clustering.
#' @details Objects are matched first. Then objects to be dropped on any side are left out on every
#'   side, and the other rules are applied to the remaining ones. A clustering without noise and
#'   gaps does not change.
#'
#'   `"drop"` is right for labels that are missing at random. For noise it is too favourable,
#'   because the algorithm chooses what is left out: report the number of objects compared.
#' @examplesIf sc_available()
#' truth <- c(1, 1, 1, 2, 2, 2, NA)
#' found <- c(1, 1, -1, 2, 2, -1, 2)
#' sides <- sc_align(truth = truth, found = found, noise = "singletons", missing = "drop")
#' sides
#' sc_measure("rand_index", sides$clusterings$truth, sides$clusterings$found)
#' sc_measure("rand_index", truth, found, noise = "drop", missing = "drop")
#'
#' # Only the objects that both have
#' sc_align(c(a = 1, b = 2, c = 2), c(d = 1, c = 5, b = 5), objects = "common")$object_names
#' @export
sc_align <- function(..., list = NULL, noise = NULL, noise_label = NULL, missing = "raise",
                     objects = "same") {
  given <- c(base::list(...), as.list(columns_of_cuts(list)))
  if (!length(given)) {
    stop_softclust("ClusteringError", "there is no clustering; at least one is needed")
  }
  labels <- member_names(given, if (length(given) == 2L) c("x", "y") else seq_along(given))
  align_sides(given, labels, noise, noise_label, missing, objects)
}

align_sides <- function(given, names, noise = NULL, noise_label = NULL, missing = "raise",
                        objects = "same") {
  found <- call_with(record_of, c("align", "sc_alignment", encoded_sides(
    given, names, noise, noise_label, missing, objects)))
  found$clusterings <- new_ensemble(unname(found$clusterings), names)
  found$positions <- call_with(cbind, stats::setNames(found$positions, names))
  name_parts(found, names, "n_given", "n_noise", "n_missing", "n_absent", "noise_share", "noise",
             "missing")
}

# Names of several clusterings; one without a name has another.
member_names <- function(given, others = seq_along(given)) {
  names <- names(given)
  if (is.null(names)) names <- character(length(given))
  names[!nzchar(names)] <- as.character(others)[!nzchar(names)]
  if (anyDuplicated(names)) {
    stop_softclust("ClusteringError", "the name \"", names[anyDuplicated(names)],
                   "\" is repeated; names must be distinct")
  }
  names
}

# Labels of noise for each of k sides.
labels_for_each <- function(label, k) {
  if (!is.list(label)) return(rep(list(label), k))
  if (!length(label) %in% c(1L, k)) {
    stop_softclust("ClusteringError", "`noise_label` has ", length(label), " values for ",
                   counted(k, "clustering"), "; give one, or one for each")
  }
  rep_len(label, k)
}

# The two sides of a measure, aligned only where something else than the defaults is asked.
aligned_pair <- function(x, y, noise, noise_label, missing, objects, names = c("x", "y")) {
  plain <- is.null(noise) && identical(missing, "raise") && identical(objects, "same")
  if (plain) return(c(pair_of(x, y), list(alignment = NULL)))
  found <- align_sides(list(x, y), names, noise, noise_label, missing, objects)
  list(x = found$clusterings[[1L]], y = found$clusterings[[2L]], alignment = found)
}

# Two sides whose gaps stay open, for missing = "bounds".
open_sides <- function(x, y, names, noise, noise_label, objects) {
  found <- encoded_sides(list(x, y), names, noise, noise_label, "bounds", objects)
  list(x = found$sides[[1L]], y = found$sides[[2L]],
       gaps = c(found[c("noise", "noise_label", "objects")], missing = "bounds"))
}

# Several sides as `align` and pairs of them take them, with their rules.
encoded_sides <- function(given, names, noise, noise_label, missing, objects) {
  sides <- Map(side_of, given, names)
  if (identical(objects, "same")) check_all_objects(sides, names)
  k <- length(sides)
  labels <- unname(Map(noise_labels, labels_for_each(noise_label, k), sides,
                       if (is.null(noise)) list(NULL) else as.list(rep_len(noise, k))))
  if (!is.null(noise)) sides <- lapply(sides, without_noise)
  list(sides = lapply(unname(sides), encode_side, matched = !identical(objects, "same")),
       names = as_vector(names), noise = noise, noise_label = labels,
       missing = missing, objects = objects)
}

# Clusterings of a list or data frame, with names.
named_sides <- function(given) {
  given <- columns_of_cuts(given)
  rows <- if (is.data.frame(given)) row_names_of(given)
  given <- as.list(given)
  if (is.character(rows)) given <- lapply(given, stats::setNames, rows)
  stats::setNames(given, member_names(given))
}

# Several sides, likewise; NULL where the defaults are asked.
aligned_list <- function(given, noise, noise_label, missing, objects) {
  plain <- is.null(noise) && identical(missing, "raise") && identical(objects, "same")
  if (plain) return(NULL)
  given <- named_sides(given)
  align_sides(unname(given), names(given), noise, noise_label, missing, objects)
}

# The labels of noise of a side: those that are given, or what the side says, or -1.
noise_labels <- function(label, side = NULL, rule = NULL) {
  label <- if (!is.null(label)) label else if (is.null(side$noise)) -1 else side$noise
  if (!is.atomic(label) || anyNA(label)) {
    stop_softclust("ClusteringError", "`noise_label` must be labels, not NA")
  }
  label <- if (is.numeric(label)) sprintf("%.0f", label) else as.character(label)
  clusters <- if (is.null(side$clustering)) side$levels else cluster_labels(side$clustering)
  suspect <- intersect(c("0", "-1"), clusters)
  if (!is.null(rule) && length(suspect) && !any(label %in% clusters)) {
    warn_softclust("NoiseWarning", paste0(
      "noise = \"", rule, "\" found no label ", paste(label, collapse = ", "), ", but there is ", suspect[1L],
      "; if it marks noise: noise_label = ", suspect[1L]))
  }
  as_vector(label)
}

# -- the record --------------------------------------------------------------------------------------

# What a result says of its alignment, as a note; nothing where nothing was done.
alignment_note <- function(result) result[["alignment"]][["header"]]
