#' Sums over the objects of two soft clusterings
#'
#' Many measures of two fuzzy clusterings are functions of sums over the objects. You can add the
#' sums of several parts of the data, and so compare clusterings that do not fit into memory or are
#' in several places.
#'
#' @param x,y Two hard, fuzzy or possibilistic clusterings of the same objects, or of a part of
#'   them: anything [sc_clustering()] takes.
#' @return A list of class `sc_membership_sums`, which [sc_measure()] and [sc_compare()] take as x, without
#'   y; a measure that is not a function of such sums raises an error:
#'   * `cross`: sums of products of a membership of x and one of y.
#'   * `x_products`, `y_products`, `x_totals`, `y_totals`: the same within each side, and its sums.
#'   * `gaps`: sums of absolute differences.
#'   * `exact`: the sums as text, exactly.
#'   * `n_objects`, `kinds`.
#'
#'   `+` adds the sums of two parts, with the same result in any order.
#' @python membership_sums sc_membership_sums
#' @wraps sc_membership_sums(x, y)
#' @then found <- name_sums(found)
#' @examplesIf sc_available()
#' x <- sc_clustering(rbind(c(0.9, 0.1), c(0.2, 0.8), c(0.1, 0.9)))
#' y <- sc_clustering(rbind(c(0.7, 0.3), c(0.9, 0.1), c(0.3, 0.7)))
#' sums <- sc_membership_sums(x, y)
#' sc_measure("fuzzy_rand_index", sums)
#' sc_measure("fuzzy_rand_index", sums + sums)
#' @export
name_sums <- function(found) {
  # Clusters without names are called 1, 2, ... as elsewhere in R.
  names <- list(x = found$x_names, y = found$y_names)
  found <- name_parts(found, names, "cross", "gaps")
  for (side in c("x", "y")) {
    found <- name_parts(found, list(names[[side]], names[[side]]), paste0(side, "_products"))
    found <- name_parts(found, names[[side]], paste0(side, "_totals"))
  }
  found[c("x_names", "y_names")] <- NULL
  found
}

#' @export
Ops.sc_membership_sums <- function(e1, e2) {
  if (.Generic != "+" || nargs() != 2L || !inherits(e1, "sc_membership_sums") ||
      !inherits(e2, "sc_membership_sums")) {
    stop_softclust("TypeError", "sums of memberships can only be added to each other")
  }
  name_sums(record_of("MembershipSums.merge", "sc_membership_sums", sides = list(e1, e2)))
}

#' @export
print.sc_membership_sums <- function(x, ...) {
  cat("Sums of memberships of ", counted(x$n_objects, "object"), ": x ", x$kinds[1L], ", y ",
      x$kinds[2L], ". Sums of products:\n", sep = "")
  print(x$cross, ...)
  invisible(x)
}


frame_of.sc_membership_sums <- function(x)
  as.data.frame(as.table(x$cross), responseName = "cross",
                stringsAsFactors = FALSE)
