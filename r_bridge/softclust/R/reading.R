# What sc_clustering() is made of: objects of class sc_clustering from plain parts, and checks that
# count from 1.

kind_of <- function(x) substring(class(x)[[1L]], 4L)

# A vector with one entry per object and the names of the objects, so that what R does with vectors
# counts objects: hard clusterings are factors, the entries of others 1, 2, ... The rest is in the
# attribute `parts`, which `$` reads; `noise` has the labels that mark noise.
new_clustering <- function(kind, entries, parts, objects, clusters, noise = NULL) {
  found <- structure(entries, parts = parts, noise = noise, class = c(
    paste0("sc_", kind), "sc_clustering", if (kind == "hard") "factor" else "sc_soft"))
  with_objects(with_clusters(found, own_names(clusters, "clusters")), objects)
}

new_hard <- function(labels, n_clusters, objects = NULL, clusters = NULL, noise = NULL) {
  new_clustering("hard", as.vector(labels), list(n_clusters = n_clusters), objects, clusters, noise)
}

new_matrix_clustering <- function(kind, parts, objects = NULL, clusters = NULL) {
  parts <- lapply(parts, function(m) array(as.vector(m), dim(m)))
  new_clustering(kind, seq_len(nrow(parts[[1L]])), parts, objects, clusters)
}

with_objects <- function(clustering, names) {
  if (is.null(clustering) || is.null(names)) return(clustering)
  attr(clustering, "names") <- own_names(names)
  attr(clustering, "numbered") <- numbered(names)
  clustering
}

with_clusters <- function(clustering, names) {
  attr(clustering, "parts")["cluster_names"] <- list(names)
  if (inherits(clustering, "sc_hard")) attr(clustering, "levels") <- cluster_labels(clustering)
  clustering
}

# An ensemble of hard and fuzzy clusterings is one for clue as well.
new_ensemble <- function(members, names) {
  names(members) <- names
  partitions <- all(vapply(members, inherits, NA, c("sc_hard", "sc_fuzzy")))
  structure(members, n_of_objects = n_objects(members[[1L]]),
            class = c("sc_ensemble", if (partitions) c("cl_partition_ensemble", "cl_ensemble")))
}

n_objects <- function(x) length(x)

n_clusters <- function(x) {
  switch(kind_of(x), hard = x$n_clusters, cover = length(x$members), evidential = ncol(x$focal_sets),
         ncol(attr(x, "parts")[[1L]]))
}

cluster_labels <- function(x) {
  if (is.null(x$cluster_names)) as.character(seq_len(n_clusters(x))) else x$cluster_names
}

indicators <- function(x) {
  m <- matrix(0, length(x$labels), x$n_clusters)
  m[cbind(seq_along(x$labels), x$labels)] <- 1
  m
}

# R's automatic names 1, 2, ... are no names. The attribute `numbered` keeps that there were some,
# so that objects named 3, 1, 2 are not taken for the same: TRUE where names 1, 2, ... were given,
# "rows" for the objects of a data frame that has automatic row names (see names_to_compare()).
numbered <- function(names) {
  if (inherits(names, "sc_rows")) return("rows")
  if (!is.null(names) && identical(as.character(names), as.character(seq_along(names)))) TRUE
}

own_names <- function(names, of = "objects") {
  if (is.null(names) || !is.null(numbered(names))) return(NULL)
  names <- as.character(names)
  empty <- is.na(names) | !nzchar(names)
  twice <- anyDuplicated(names)
  if (!any(empty) && !twice) return(names)
  wrong <- if (any(empty)) paste0(which(empty)[1L], " has none") else paste0("\"", names[twice], "\" is repeated")
  if (of == "clusters") {
    stop_softclust("ClusteringError", "names of clusters must be distinct: ", wrong)
  }
  say_once("Names of objects are not used because they are not distinct: ", wrong,
           ". The objects are compared by position.")
  NULL
}

# A message that a session has heard needs no second time.
say_once <- function(...) {
  text <- paste0(...)
  if (text %in% .state$said) return(invisible())
  .state$said <- c(.state$said, text)
  message(text)
}

# The names of the rows of a data frame. Automatic ones are marked: they say something beside other
# row numbers only. Classes of data frames without row names, as in tibble and data.table, have none.
row_names_of <- function(frame) {
  if (.row_names_info(frame) > 0L) return(row.names(frame))
  if (inherits(frame, c("tbl_df", "data.table"))) return(NULL)
  structure(list(nrow(frame)), class = "sc_rows")
}

# -- what other packages have -------------------------------------------------------------------
# A clustering, a vector of labels, or a matrix or data frame of numbers, of whatever stands for one.
plain <- function(x) UseMethod("plain")

plain.sc_clustering <- plain.factor <- function(x) x

plain.sc_result <- function(x) held_clustering(x)

plain.NULL <- function(x) {
  stop_softclust("ClusteringError", "NULL is not a clustering; a list gives it for a part that it does not have")
}

# Sparse ones of package Matrix.
plain.Matrix <- function(x) plain(as.matrix(x))

plain.AsIs <- function(x) plain(structure(x, class = setdiff(class(x), "AsIs")))

plain.haven_labelled <- function(x) {
  texts <- attr(x, "labels")
  values <- as.vector(unclass(x))
  values[absent_in(x)] <- NA
  known <- sort(unique(values))
  labels <- if (is.null(texts)) as.character(known) else names(texts)[match(known, texts)]
  labels <- ifelse(is.na(labels), as.character(known), labels)
  stats::setNames(factor(values, known, make.unique(labels)), names(x))
}

plain.integer64 <- function(x) from_integer64(x)

# Package bit64 keeps the eight bytes of a whole number in those of a double.
from_integer64 <- function(x) {
  parts <- readBin(writeBin(as.vector(unclass(x)), raw(), endian = "little"), "integer",
                   n = 2L * length(x), endian = "little")
  parts <- ifelse(is.na(parts), -2^31, as.double(parts))
  low <- parts[c(TRUE, FALSE)]
  high <- parts[c(FALSE, TRUE)]
  values <- high * 2^32 + low + ifelse(low < 0, 2^32, 0)
  values[high == -2^31 & low == 0] <- NA
  structure(values, names = names(x), dim = dim(x))
}

plain.partition <- function(x) x$clustering

plain.HCPC <- function(x) plain(x$data.clust[["clust"]])

plain.MclustDA <- function(x) {
  if (!requireNamespace("mclust", quietly = TRUE)) stop_softclust("ClusteringError", "package mclust is missing")
  stats::predict(x)$classification
}

plain.cl_class_ids <- function(x) stats::setNames(as.vector(unclass(x)), names(x))

plain.fanny <- function(x) x$membership

plain.Mclust <- function(x) {
  if (is.null(x[["z"]])) return(matrix(1, x$n, 1L))
  if (!0 %in% x$classification) return(x$z)
  # The last component is noise, which mclust calls 0.
  `colnames<-`(x$z, c(seq_len(ncol(x$z) - 1L), 0))
}

# Packages fclust ($U) and e1071 ($membership) use one name for their classes.
plain.fclust <- function(x) {
  membership <- if (!is.null(x[["U"]])) x[["U"]] else x[["membership"]]
  if (is.null(membership)) {
    stop_softclust("ClusteringError", "the fclust object has neither U nor membership")
  }
  as.matrix(unclass(membership))
}

# Results of dtwclust; clue sees the labels of fuzzy ones only.
plain.TSClusters <- function(x) if (identical(x@type, "fuzzy")) x@fcluster else x@cluster

plain.credpart <- function(x) sc_evidential(x$mass, x$F)

plain.cl_membership <- function(x) {
  if (isTRUE(attr(x, "is_cl_hard_partition"))) {
    return(stats::setNames(max.col(x, ties.method = "first"), rownames(x)))
  }
  array(as.vector(x), dim(x), dimnames(x))
}

plain.list <- function(x) {
  # Exact names: `$` would take the beginning of a name for it.
  if (!is.null(x[["upperApprox"]])) return(sc_rough(NULL, as.matrix(x[["upperApprox"]])))
  if (!is.null(x[["lower"]]) && !is.null(x[["upper"]])) {
    return(sc_rough(as.matrix(x[["lower"]]), as.matrix(x[["upper"]])))
  }
  if (!is.null(x[["pamobject"]])) return(plain(x$pamobject))
  if (!is.null(labels_in(x))) return(plain(labels_in(x)))
  stop_softclust("ClusteringError", "a plain list is not a clustering; lists need `cluster`, ",
                 "`membership`, `upperApprox`, or `lower` and `upper`. sc_ensemble() takes lists of clusterings, sc_cover() lists of ",
                 "the members of clusters")
}

# What a clusterer's list has of labels or memberships, or NULL.
labels_in <- function(x) {
  for (part in intersect(c("cluster", "clustering", "partition", "classification", "membership"), names(x))) {
    value <- unclass(x)[[part]]
    if (length(value) > 1L && is.atomic(value)) return(value)
  }
}

plain.matrix <- function(x) {
  if (is.numeric(x) || is.logical(x)) return(x)
  stop_softclust("ClusteringError", "a ", typeof(x), " matrix is not a clustering; labels are a ",
                 "vector, memberships numbers")
}

plain.data.frame <- function(x) {
  if (length(x) == 1L && may_be_labels(x[[1L]]) && !(is.numeric(x[[1L]]) && all(x[[1L]] %in% 1))) {
    rows <- row_names_of(x)
    labels <- plain(x[[1L]])
    return(if (is.character(rows)) stats::setNames(labels, rows) else labels)
  }
  if (length(x) && (all(vapply(x, is.numeric, NA)) || all(vapply(x, is.logical, NA)))) return(x)
  stop_softclust("ClusteringError", "a data frame must have numeric columns (memberships) or ",
                 "logical ones; labels are one column: x[[\"name\"]]")
}

plain.default <- function(x) {
  if (inherits(x, "table")) {
    stop_softclust("ClusteringError", "a table holds counts, not labels; give the vectors that were ",
                   "counted")
  }
  if (inherits(x, c("hclust", "dendrogram", "twins", "pvclust", "phylo", "hc", "cl_dendrogram",
                    "cl_hierarchy", "cl_ultrametric"))) {
    stop_softclust("ClusteringError", "this is a tree and not yet a clustering; cut it first: ",
                   switch(class(x)[1L], hclust = "cutree(tree, k = )", hc = "mclust::hclass(tree, k)",
                          pvclust = "cutree(tree$hclust, k = )", "cutree(as.hclust(tree), k = )"))
  }
  if (is.object(x) && requireNamespace("clue", quietly = TRUE) &&
      tryCatch(isTRUE(clue::is.cl_partition(x)), error = function(e) FALSE)) {
    return(plain(if (clue::is.cl_hard_partition(x)) clue::cl_class_ids(x) else clue::cl_membership(x)))
  }
  if (is.list(x) && !is.null(labels_in(x))) return(plain(labels_in(x)))
  # Classes of vectors, such as Rle and membership of igraph; dates and distances are no labels.
  if (is.object(x) && length(dim(x)) < 2L && !inherits(x, c("Date", "POSIXt", "difftime", "dist"))) {
    values <- tryCatch(as.vector(x), error = function(e) NULL)
    if (is.atomic(values) && length(values) == length(x)) {
      x <- stats::setNames(replace(values, as.vector(is.na(x)), NA), names(x))
    }
  }
  if (!is.object(x) && length(dim(x)) < 2L && (is.numeric(x) || is.character(x) || is.logical(x))) {
    return(x)
  }
  stop_softclust("ClusteringError", "an object of class ", paste(class(x), collapse = "/"),
                 " is not a clustering that softclust knows; ",
                 if (inherits(x, "python.builtin.object")) "bring it to R first (reticulate::py_to_r)"
                 else if (inherits(x, "optics")) "dbscan::extractDBSCAN() or extractXi() makes one of it"
                 else paste("give labels, a membership matrix, or an object of clue, cluster, e1071,",
                            "evclust, fclust or mclust"))
}

# -- reading ------------------------------------------------------------------------------------
# One object as `side_from_r` of Python takes it: a clustering, labels or rows, where there may be
# gaps; `n` objects with their names. Errors begin with its name.
side_of <- function(x, name = NULL) {
  side <- tryCatch(read_plain(plain(x)), softclust_ClusteringError = function(e) {
    if (is.null(name)) stop(e)
    stop_softclust("ClusteringError", name, ": ", conditionMessage(e))
  })
  side$noise <- noise_in(x)
  side
}

# What marks noise in an object: labels, or NULL where it does not say.
noise_in <- function(x) {
  if (inherits(x, "sc_clustering")) return(attr(x, "noise"))
  if (inherits(x, "sc_result")) return(noise_in(x[["clustering"]]))
  if (inherits(x, c("dbscan", "dbscan_fast", "hdbscan", "optics", "general_clustering"))) return("0")
  if (inherits(x, "Mclust") && 0 %in% x$classification) return("0")
  # Lists of fpc count clusters with noise, and without.
  if (is.list(x) && isTRUE(x[["nccl"]] < x[["nc"]])) as.character(x[["nc"]])
}

# Which values are declared missing: by is.na(), and by package haven, whose own method may not be
# loaded.
absent_in <- function(x) {
  span <- attr(x, "na_range")
  values <- as.vector(unclass(x))
  absent <- is.na(x) | values %in% attr(x, "na_values")
  if (is.null(span)) absent else absent | (values >= span[1L] & values <= span[2L])
}

read_plain <- function(x) {
  if (inherits(x, "sc_clustering")) return(list(clustering = x, n = n_objects(x)))
  if (!is.matrix(x) && !is.data.frame(x)) return(coded(x))
  rows <- unname(as.matrix(x))
  if (anyNA(rows)) rows[is.na(rows)] <- NaN   # the bits of NA would be a floating point error
  list(rows = rows, n = nrow(rows), clusters = colnames(x),
       objects = if (is.data.frame(x)) row_names_of(x) else rownames(x))
}

# Labels as codes from 1, 0 for NA, and the names of the codes, by code points as in Python: the
# numbering does not depend on the locale. A million labels are coded here in the time in which they
# reach Python. What are no labels goes to Python as it is, which says why.
coded <- function(x) {
  side <- list(n = length(x), objects = if (length(dim(x)) == 1L) dimnames(x)[[1L]] else names(x))
  if (is.factor(x)) {
    used <- which(tabulate(x, nlevels(x)) > 0L & !is.na(levels(x)))   # addNA() has a level NA
    side$codes <- if (length(used) == nlevels(x)) as.vector(unclass(x)) else match(unclass(x), used)
    side$levels <- levels(x)[used]
  } else {
    found <- sort(unique(as.vector(x)), method = "radix")
    if (is.double(x) && any(found != trunc(found) | abs(found) >= 2^53)) {
      return(c(side, list(labels = as.vector(x))))
    }
    side$codes <- match(x, found)
    side$levels <- if (is.numeric(x)) sprintf("%.0f", found) else as.character(found)
  }
  side$gaps <- !length(x) || anyNA(side$codes)
  if (side$gaps) side$codes[is.na(side$codes)] <- 0L
  side
}

# A side for a rule of noise: noise that is a cluster of memberships is what their rows lack to 1.
without_noise <- function(side) {
  if (is.null(side$noise)) return(side)
  if (inherits(side$clustering, "sc_fuzzy")) {
    side <- c(read_plain(as.matrix(side$clustering)), side["noise"])
  }
  noise <- side$clusters %in% side$noise
  if (any(noise)) side[c("rows", "clusters")] <- list(side$rows[, !noise, drop = FALSE], side$clusters[!noise])
  side
}

# A side as it crosses. Objects that are `matched` by their names have one each. With `named`
# clusters without names are called 1, 2, ... as in R: noise is known by its label.
encode_side <- function(side, matched = FALSE, named = TRUE) {
  objects <- side$objects
  if (!is.null(side$clustering)) {
    x <- side$clustering
    if (named) x <- with_clusters(x, cluster_labels(x))
    if (matched && !is.null(attr(x, "numbered"))) attr(x, "names") <- as.character(seq_len(side$n))
    side <- list(clustering = x)
  } else if (matched && inherits(objects, "sc_rows")) {
    objects <- as.character(seq_len(side$n))
  } else if (!matched) {
    objects <- if (named) own_names(objects)
  }
  clusters <- if (named && !is.null(side$rows)) {
    if (is.null(side$clusters)) as.character(seq_len(ncol(side$rows))) else side$clusters
  }
  parts <- given(clustering = side$clustering, codes = as_vector(side$codes),
                 levels = as_vector(side$levels), labels = as_vector(side$labels), rows = side$rows,
                 clusters = as_vector(clusters), objects = as_vector(objects))
  structure(c(.t = "sd", lapply(parts, encode)), class = "sc_encoded")
}

# Objects as clusterings. Labels need no Python where no rule is asked for; the rest goes there in one
# call.
clusterings_of <- function(given, names = NULL, ...) {
  options <- given(...)
  sides <- if (is.null(names)) lapply(given, side_of) else Map(side_of, given, names)
  if (!is.null(options$noise)) {
    options$noise_label <- noise_labels(options$noise_label, sides[[1L]], options$noise)
    sides <- lapply(sides, without_noise)
  }
  found <- lapply(sides, function(side) {
    if (length(options)) NULL
    else if (!is.null(side$clustering)) side$clustering
    else if (isFALSE(side$gaps)) new_hard(side$codes, length(side$levels), side$objects, side$levels,
                                          side$noise)
  })
  open <- which(vapply(found, is.null, NA))
  if (length(open)) {
    named <- !is.null(options$noise) || !is.null(options$missing)
    made <- front_call("as_clusterings", sides = lapply(unname(sides[open]), encode_side, named = named),
                       names = as_vector(names[open]), options = as_dict(options))
    found[open] <- Map(with_names, made, sides[open], named)
  }
  found
}

with_names <- function(found, side, named = FALSE) {
  attr(found, "noise") <- side$noise
  if (!is.null(side$clustering)) {
    attr(found, "numbered") <- attr(side$clustering, "numbered")
    return(found)
  }
  if (!named && !is.null(side$clusters) && !inherits(found, "sc_evidential")) {
    found <- with_clusters(found, own_names(side$clusters, "clusters"))
  }
  with_objects(found, side$objects)
}

# As sc_clustering(), with errors that say which argument it was.
clustering_called <- function(x, name) clusterings_of(list(x), name)[[1L]]

# Sides of a comparison as clusterings of the same objects.
pair_of <- function(x, y) sides_of(x = x, y = y)

sides_of <- function(...) {
  sides <- clusterings_of(list(...), ...names())
  call_with(same_objects, sides)
  sides
}

pair_names <- function(sides) {
  names <- object_names_of(sides[[1L]])
  if (is.null(names)) object_names_of(sides[[2L]]) else names
}

sets_from_list <- function(sets) {
  members <- unlist(sets)
  if (is.character(members)) {
    clusters <- sort(unique(members), method = "radix")
    sets <- lapply(sets, match, clusters)
  } else {
    clusters <- NULL
    if (length(members) && (!is.numeric(members) || anyNA(members) || min(members) < 1 ||
                              any(members != trunc(members)))) {
      stop_softclust("ClusteringError", "focal sets must hold cluster numbers from 1 or names")
    }
  }
  if (!length(members)) {
    stop_softclust("ClusteringError", "no focal set has a cluster; give a matrix with one column ",
                   "a cluster")
  }
  c <- if (is.null(clusters)) max(unlist(sets)) else length(clusters)
  m <- matrix(FALSE, length(sets), c, dimnames = if (!is.null(clusters)) list(NULL, clusters))
  for (b in seq_along(sets)) m[b, sets[[b]]] <- TRUE
  m
}

# Whether a column can hold labels. NA is an error later, by the name of the column.
may_be_labels <- function(column) {
  !is.double(column) || is.object(column) || all(is.na(column) | column == trunc(column))
}

# The matrix of cutree(tree, k = 2:5), known by its columns, as a data frame; else what was given.
columns_of_cuts <- function(x) {
  cuts <- is.matrix(x) && is.numeric(x) && length(x) && !anyNA(x) &&
    identical(colnames(x), as.character(apply(x, 2L, max)))
  if (cuts) as.data.frame(x) else x
}

# Whether x stands for several clusterings.
is_collection <- function(x) {
  x <- columns_of_cuts(x)
  if (inherits(x, "sc_ensemble") || inherits(x, "cl_ensemble")) return(TRUE)
  if (is.data.frame(x)) {
    return(length(x) > 0L && !all(vapply(x, is.logical, NA)) && all(vapply(x, may_be_labels, NA)))
  }
  # Results of clusterers are lists with a class; pamk() and the lists of fpc have none.
  is.list(x) && !is.object(x) && is.null(x[["upperApprox"]]) && is.null(x[["pamobject"]]) &&
    is.null(x[["clustermethod"]]) && (is.null(x[["lower"]]) || is.null(x[["upper"]]))
}

# -- names of objects -----------------------------------------------------------------------------
# Compares what has objects by their names where both sides have some: clusterings, sides, ensembles,
# trees, distances, tables, vectors. The only place that does; another order is an error.
same_objects <- function(...) {
  given <- given(...)
  check_all_objects(given, names(given))
}

# The first that has names is compared with the others.
check_all_objects <- function(sides, called) {
  shells <- lapply(sides, objects_as_clustering)
  known <- c(which(!vapply(lapply(shells, names_to_compare), is.null, NA)), 1L)[1L]
  for (i in seq_along(shells)[-known]) {
    two <- sort(c(known, i))
    check_same_objects(shells[[two[1L]]], shells[[two[2L]]], called[two[1L]], called[two[2L]])
  }
}

check_same_objects <- function(x, y, name_x = "x", name_y = "y") {
  if (length(x) != length(y)) {
    stop_softclust("ClusteringError", name_x, " has ", counted(length(x), "object"), " and ", name_y, " ",
                   length(y), "; the same objects are needed")
  }
  a <- names_to_compare(x, y)
  b <- names_to_compare(y, x)
  if (is.null(a) || is.null(b) || identical(a, b)) return(invisible())
  i <- which(a != b)[1L]
  stop_softclust("ClusteringError", "object ", i, " is \"", a[i], "\" in ", name_x, " and \"", b[i],
                 "\" in ", name_y, "; ",
                 if (setequal(a, b)) "the objects are the same in another order: sort one of them"
                 else "sort or select the objects first",
                 if (are_row_numbers(a) && are_row_numbers(b)) paste0(
                   " (these are row numbers; if they mean nothing, remove them: unname(), ",
                   "or rownames(data) <- NULL)"))
}

# The objects of something, as a clustering of them.
objects_as_clustering <- function(x) {
  if (inherits(x, "sc_clustering")) return(x)
  if (inherits(x, "sc_ensemble")) return(x[[1L]])
  if (is.list(x) && !is.object(x)) {
    if (!is.null(x$clustering)) return(x$clustering)
    if (inherits(x[[1L]], "sc_clustering")) return(x[[1L]])
    return(new_hard(rep(1L, max(x$n, length(x) * is.null(x$n))), 1L, x$objects))
  }
  names <- if (inherits(x, "hclust")) x$labels
           else if (inherits(x, "dist")) attr(x, "Labels")
           else if (inherits(x, "sc_partial_ensemble")) colnames(x$labels)
           else if (is.data.frame(x)) row_names_of(x)
           else if (is.matrix(x)) rownames(x) else names(x)
  n <- if (inherits(x, "hclust")) length(x$order) else if (inherits(x, "dist")) attr(x, "Size")
       else if (inherits(x, "sc_partial_ensemble")) ncol(x$labels) else NROW(x)
  new_hard(rep(1L, n), 1L, names)
}

# The names by which x is compared with y. Rows of a data frame with automatic row names are called
# 1, 2, ... beside other row numbers, as of a part of the same data frame, and nothing beside names.
names_to_compare <- function(x, y = NULL) {
  state <- attr(x, "numbered")
  own <- as.character(seq_along(x))
  if (isTRUE(state)) return(own)
  if (identical(state, "rows") && !is.null(y) && are_row_numbers(names(y))) return(own)
  names(x)
}

are_row_numbers <- function(names) length(names) > 0L && all(grepl("^[1-9][0-9]*$", names))
