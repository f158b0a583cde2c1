#' Overlapping clusters
#'
#' In a cover each object belongs to all of its clusters, to several or to none, as with communities
#' and tags. A rough clustering, in contrast, says that an object belongs to one of several
#' clusters, but not to which one. Measures of covers, such as `"omega_index"`, are listed in
#' `?measures`.
#'
#' `sc_cover()` makes a cover from the members of each cluster, or from the labels of each object,
#' `sc_to_cover()` from another clustering.
#' `sc_element_centric()` shows for each object how alike its neighbourhoods in two clusterings are.
#' `sc_order_flows()` orders the clusters of consecutive clusterings for an alluvial plot so that
#' few flows cross.
#'
#' @param clusters A list with the members of each cluster, such as `igraph::communities()` of
#'   overlapping communities; its names are the names of the clusters. Or a logical or 0/1 matrix
#'   (objects, clusters).
#' @param objects Names of all objects in order, or their number if members are numbers from 1;
#'   objects that no cluster lists are in no cluster. By default the objects that occur, sorted;
#'   these are then also the names.
#' @param labels The labels of each object instead of `clusters`, such as the codes of texts: a list
#'   of vectors, whose names are the objects. An object with an empty vector is in no cluster; one
#'   with `NA` or `NULL` is absent, the others keep their names or numbers.
#' @param separator Text at which a character vector of `labels` is split: with ";" the labels of
#'   "a; b" are "a" and "b".
#' @param x,y Covers, hard or fuzzy clusterings; for `sc_to_cover()` hard, fuzzy or possibilistic.
#' @param threshold An object belongs to each cluster in which its membership is at least this;
#'   needed unless x is hard.
#' @param clusterings A list of hard clusterings in order, or the contingency table of two of them
#'   as a matrix.
#' @return `sc_cover()`, `sc_to_cover()`: a clustering of class `sc_cover`:
#'   * `members`: for each cluster, the positions of its objects.
#'   * `n_objects`, `object_names`, `cluster_names`.
#' @examples
#' x <- sc_cover(list(a = c("p", "q"), b = c("q", "r", "s")))
#' x
#' if (sc_available()) {
#'   sc_cover(labels = c(t1 = "a; b", t2 = "b"), separator = ";")
#'   y <- sc_cover(list(c("p", "q", "r"), "s"))
#'   sc_measure("omega_index", x, y)
#'   sc_element_centric(x, y)$values
#'   sc_order_flows(rbind(c(0, 5), c(7, 1)))$orders
#' }
#' @name covers
NULL

#' @rdname covers
#' @export
sc_cover <- function(clusters, objects = NULL, labels = NULL, separator = NULL) {
  if (!is.null(labels)) {
    if (!missing(clusters) || !is.null(objects)) {
      stop_softclust("TypeError", "labels and clusters exclude each other")
    }
    return(cover_of_labels(labels, separator))
  }
  if (is.matrix(clusters) || is.data.frame(clusters)) {
    return(sc_clustering(clusters, "cover"))
  }
  if (!is.list(clusters)) {
    stop_softclust("ClusteringError", "a list with the members of each cluster is needed, or a ",
                   "matrix of 0 and 1; this is of type ", typeof(clusters))
  }
  members <- lapply(unname(clusters), as.vector)
  if (is.null(objects)) check_no_labels(members)
  counted <- length(objects) == 1L && is.numeric(objects)
  order <- if (counted) seq_len(whole_number(objects, "objects", 1)) else cover_objects(members, objects)
  if (!length(order)) {
    stop_softclust("ClusteringError", "the clusters have no objects; at least one object is needed")
  }
  places <- lapply(seq_along(members), function(k) {
    place <- match(members[[k]], order)
    if (anyNA(place)) {
      stop_softclust("ClusteringError", "object ", members[[k]][is.na(place)][1L], " of cluster ", k,
                     " is not among ", if (counted) paste0("1, ..., ", length(order)) else "`objects`")
    }
    if (anyDuplicated(place)) {
      stop_softclust("ClusteringError", "object ", members[[k]][anyDuplicated(place)],
                     " is listed twice in cluster ", k)
    }
    sort(place)
  })
  new_cover(places, length(order), if (!counted) order, names(clusters))
}

# Lists that look like the labels of each object, as in Python.
check_no_labels <- function(members) {
  elements <- unique(unlist(members))
  total <- length(unlist(members))
  if (total == length(elements)) return(invisible())
  texts <- is.character(elements) && total >= 2 * length(elements)
  same <- anyDuplicated(lapply(members, function(each) sort(unique(each))))
  if (length(members) > length(elements) || (texts && (same || !all(lengths(members))))) {
    stop_softclust("ClusteringError", "these ", length(members), " lists have ", length(elements),
                   " distinct elements, so they may be the labels of ", length(members),
                   " objects rather than clusters of ", length(elements),
                   ": give sc_cover(labels = ...), or `objects` if they are clusters")
  }
}

cover_of_labels <- function(labels, separator) {
  gone <- vapply(labels, function(each) is.null(each) || (length(each) == 1L && is.na(each)), NA)
  sets <- as.list(unname(labels))
  sets[gone] <- list(NULL)
  if (is.list(labels)) sets <- lapply(seq_along(sets), function(i) {
    each <- as.vector(sets[[i]])
    if (anyNA(each)) stop_softclust("ClusteringError", "a label of object ", i, " is missing")
    as_vector(if (is.double(each) && all(each %in% trunc(each))) as.integer(each) else each)
  })
  found <- run("CoverClustering.from_labels", labels = sets, separator = separator)
  names <- if (is.null(names(labels)) && any(gone)) seq_along(labels) else names(labels)
  with_objects(found, names[!gone])
}

cover_objects <- function(members, objects) {
  if (!is.null(objects)) return(as.vector(objects))
  if (!length(unlist(members))) return(NULL)
  sort(unique(unlist(members)), method = "radix")
}

new_cover <- function(members, n, objects = NULL, clusters = NULL) {
  new_clustering("cover", seq_len(n), list(members = lapply(members, as.integer)), objects, clusters)
}

# Memberships as a logical matrix.
cover_matrix <- function(x) {
  m <- matrix(FALSE, x$n_objects, length(x$members))
  for (k in seq_along(x$members)) m[x$members[[k]], k] <- TRUE
  m
}

# The cover of the objects at `rows`.
cover_rows <- function(x, rows) {
  lapply(x$members, function(members) which(rows %in% members))
}

#' @rdname covers
#' @export
sc_to_cover <- function(x, threshold = NULL) {
  x <- sc_clustering(x)
  if (inherits(x, "sc_cover")) return(x)
  if (!inherits(x, c("sc_hard", "sc_fuzzy", "sc_possibilistic"))) {
    stop_softclust("ClusteringError", "x is ", kind_of(x), "; a hard, fuzzy or possibilistic ",
                   "clustering is needed to make a cover")
  }
  convert(x, "to_cover", options = if (!inherits(x, "sc_hard")) dots(threshold = threshold))
}

#' @python element_centric
#' @wraps sc_element_centric(x, y, damping)
#' @names x: x
#' @names y: y
#' @names objects: values
#' @return +   * `x`, `y`: means by cluster of x and of y.
#' @rdname covers
#' @export

#' @python order_flows
#' @rdname covers
#' @export
sc_order_flows <- function(clusterings) {
  given <- if (is.matrix(clusterings) && is.numeric(clusterings)) clusterings + 0
           else sc_ensemble(clusterings)
  found <- record_of("order_flows", "sc_order_flows", clusterings = given)
  if (!is.matrix(clusterings)) {
    names(found$orders) <- names(given)
    found$clusterings <- given
  }
  found
}

frame_of.sc_element_centric <- function(x) {
  data.frame(object = names_or_numbers(x$values), similarity = unname(x$values))
}

frame_of.sc_order_flows <- function(x) {
  data.frame(clustering = rep(names_or_numbers(x$orders), lengths(x$orders)), place = sequence(lengths(x$orders)),
             cluster = unlist(x$orders, use.names = FALSE))
}
