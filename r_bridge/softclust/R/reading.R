# What sc_clustering() is made of: objects of class sc_clustering from plain parts, and checks that
# count from 1.

kind_of <- function(x) substring(class(x)[[1L]], 4L)

new_hard <- function(labels, n_clusters, objects = NULL, clusters = NULL) {
  structure(list(labels = labels, n_clusters = n_clusters, object_names = own_names(objects),
                 cluster_names = own_names(clusters)),
            class = c("sc_hard", "sc_clustering"), numbered = numbered(objects))
}

new_matrix_clustering <- function(kind, parts, objects = NULL, clusters = NULL) {
  parts <- lapply(parts, function(m) array(as.vector(m), dim(m)))
  structure(c(parts, list(object_names = own_names(objects), cluster_names = own_names(clusters))),
            class = c(paste0("sc_", kind), "sc_clustering"), numbered = numbered(objects))
}

# An ensemble of hard and fuzzy clusterings is one for clue as well.
new_ensemble <- function(members, names) {
  names(members) <- names
  partitions <- all(vapply(members, inherits, NA, c("sc_hard", "sc_fuzzy")))
  structure(members, n_of_objects = n_objects(members[[1L]]),
            class = c("sc_ensemble", if (partitions) c("cl_partition_ensemble", "cl_ensemble")))
}

n_objects <- function(x) {
  switch(kind_of(x), hard = length(x$labels), cover = x$n_objects, nrow(x[[1L]]))
}

n_clusters <- function(x) {
  switch(kind_of(x), hard = x$n_clusters, cover = length(x$members), evidential = ncol(x$focal_sets), ncol(x[[1L]]))
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

own_names <- function(names) {
  if (is.null(names) || !is.null(numbered(names))) return(NULL)
  names <- as.character(names)
  if (anyNA(names) || anyDuplicated(names)) {
    stop_softclust("ClusteringError", "names of objects and clusters must be distinct",
                   if (anyNA(names)) "; one is NA" else
                     paste0("; \"", names[anyDuplicated(names)], "\" is repeated"))
  }
  names
}

# The names of the rows of a data frame. Automatic ones are marked: they say something beside other
# row numbers only. Classes of data frames without row names, as in tibble and data.table, have none.
row_names_of <- function(frame) {
  if (.row_names_info(frame) > 0L) return(row.names(frame))
  if (inherits(frame, c("tbl_df", "data.table"))) return(NULL)
  structure(list(nrow(frame)), class = "sc_rows")
}

of_kind <- function(x, kind) {
  if (is.null(kind)) return(x)
  kind <- check_kind(kind)
  if (kind == kind_of(x)) return(x)
  way <- switch(kind, hard = "sc_harden(x)", fuzzy = "sc_to_fuzzy(x)",
                evidential = "sc_to_evidential(x)", cover = "sc_to_cover(x, threshold)",
                "another matrix")
  stop_softclust("ClusteringError", "this is a ", kind_of(x), " clustering and kind = \"", kind,
                 "\" was asked for; kind = does not convert, ", way, " does")
}

check_kind <- function(kind) {
  known <- c("hard", "rough", "fuzzy", "possibilistic", "evidential", "cover")
  if (!is.character(kind) || length(kind) != 1L || !kind %in% known) {
    stop_softclust("ValueError", "`kind` must be one of ", paste0("\"", known, "\"", collapse = ", "))
  }
  kind
}

# -- vectors of other packages ------------------------------------------------------------------
foreign_vectors <- c("AsIs", "integer64", "haven_labelled")

# The same values as a vector of base R.
plain_vector <- function(x) {
  if (inherits(x, "AsIs")) class(x) <- setdiff(class(x), "AsIs")
  if (inherits(x, "integer64")) return(from_integer64(x))
  if (!inherits(x, "haven_labelled")) return(x)
  texts <- attr(x, "labels")
  values <- as.vector(unclass(x))
  known <- sort(unique(values))
  labels <- names(texts)[match(known, texts)]
  labels <- ifelse(is.na(labels), as.character(known), labels)
  stats::setNames(factor(values, known, make.unique(labels)), names(x))
}

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

# -- labels -------------------------------------------------------------------------------------
hard_from_labels <- function(x) {
  if (!length(x)) {
    stop_softclust("ClusteringError", "there are no labels; at least one object is needed")
  }
  objects <- if (length(dim(x)) == 1L) dimnames(x)[[1L]] else names(x)
  if (anyNA(x)) {
    stop_softclust("ClusteringError", sum(is.na(x)), " of ", length(x), " labels are NA (the ",
                   "first is label ", which(is.na(x))[1L], "); every object needs one: ",
                   "missing = \"drop\" in sc_align() and sc_compare() leaves these objects out, ",
                   "\"cluster\", \"singletons\" and \"unknown\" keep them")
  }
  if (is.factor(x)) {
    counts <- tabulate(x, nlevels(x))
    if (all(counts > 0L)) return(new_hard(as.integer(x), nlevels(x), objects, levels(x)))
    used <- which(counts > 0L)
    return(new_hard(match(as.integer(x), used), length(used), objects, levels(x)[used]))
  }
  x <- as.vector(x)
  if (!is.atomic(x) || !(is.numeric(x) || is.character(x) || is.logical(x))) {
    stop_softclust("ClusteringError", "labels are of type ", typeof(x), "; whole numbers, strings, ",
                   "logicals or a factor are needed")
  }
  if (is.double(x)) {
    large <- which(abs(x) >= 2^53)
    if (length(large)) {
      stop_softclust("ClusteringError", "label ", large[1L], " is ", format(x[large[1L]]), ", too ",
                     "large: whole numbers from 2^53 on cannot be told apart; give labels as strings")
    }
    broken <- which(x != trunc(x))
    if (length(broken)) {
      stop_softclust("ClusteringError", "label ", broken[1L], " is ", format(x[broken[1L]]),
                     "; labels must be whole numbers, and memberships a matrix")
    }
  }
  # By code points, as in Python: the numbering does not depend on the locale.
  found <- sort(unique(x), method = "radix")
  names <- if (is.numeric(found)) sprintf("%.0f", found) else as.character(found)
  new_hard(match(x, found), length(found), objects, names)
}

# Class numbers 1..k that another package gave: positions, not names.
hard_from_classes <- function(ids, k = max(ids)) {
  objects <- names(ids)
  ids <- as.vector(unclass(ids))
  if (anyNA(ids) || !is.numeric(ids) || min(ids) < 1 || max(ids) > k) {
    return(hard_from_labels(structure(ids, names = objects)))
  }
  if (max(ids) < k || !all(tabulate(ids, k) > 0L)) {
    return(hard_from_labels(structure(as.integer(ids), names = objects)))
  }
  new_hard(as.integer(ids), as.integer(k), objects)
}

# -- matrices -----------------------------------------------------------------------------------
clustering_from_matrix <- function(x, kind, objects, clusters, by_rows = FALSE) {
  if (!is.null(kind)) kind <- check_kind(kind)
  if (by_rows) {
    x <- divided_rows(x, kind)
    if (is.null(kind)) kind <- "fuzzy"
  }
  if (!is.logical(x) && !is.numeric(x)) {
    stop_softclust("ClusteringError", "a ", typeof(x), " matrix is not a clustering; labels are a ",
                   "vector, memberships numbers")
  }
  if (is.null(kind)) kind <- guess_kind(x)
  switch(kind,
    hard = stop_softclust("ClusteringError", "kind = \"hard\" takes a vector of labels, and this ",
                          "is a matrix; sc_harden(x) turns memberships into labels"),
    cover = cover_from_matrix(x, objects, clusters),
    rough = sc_rough(NULL, structure(x, dimnames = list(objects, clusters))),
    fuzzy = {
      x <- double_matrix(x, "the matrix")
      check_rows(x, "the matrix", paste(" For typicalities use kind = \"possibilistic\";",
                                        "rows are never rescaled"))
      new_matrix_clustering("fuzzy", list(membership = x), objects, clusters)
    },
    possibilistic = {
      x <- double_matrix(x, "the matrix")
      if (any(x < 0 | x > 1)) {
        stop_softclust("ClusteringError", "typicalities must lie between 0 and 1; row ",
                       which(rowSums(x < 0 | x > 1) > 0)[1L], " has another number")
      }
      new_matrix_clustering("possibilistic", list(typicality = x), objects, clusters)
    },
    evidential = evidential_from_power_set(x, objects))
}

# Sums that are no further from 1 than this look like rounding, to 2 or more decimals.
rounded <- 0.05

divided_rows <- function(x, kind) {
  if (!is.null(kind) && !kind %in% c("fuzzy", "evidential")) {
    stop_softclust("ClusteringError", "normalize = \"rows\" is for memberships and masses, not for ",
                   kind, " clusterings; leave it out")
  }
  if (is.null(kind) && !is.double(x)) {
    stop_softclust("ClusteringError", "normalize = \"rows\" of a matrix of whole numbers may be ",
                   "meant for memberships or masses; say kind = \"fuzzy\" or kind = \"evidential\"")
  }
  m <- double_matrix(x, "the matrix")
  check_negative(m, "the matrix")
  # Scaled by a power of two first, so that no sum overflows and the quotients keep their bits.
  scaled <- m / 2^floor(log2(pmax(row_max(m), .Machine$double.xmin)))
  sums <- rowSums(scaled)
  if (any(sums == 0)) {
    stop_softclust("ClusteringError", "row ", which(sums == 0)[1L], " of the matrix sums to 0, so ",
                   "normalize = \"rows\" cannot divide by it; leave this object out (for typicalities use ",
                   "kind = \"possibilistic\")")
  }
  scaled / sums
}

guess_kind <- function(x) {
  one_hot <- ncol(x) > 1L && !anyNA(x) && all(x == 0 | x == 1) && all(rowSums(x) == 1)
  if (is.logical(x) && !one_hot) {
    wrong <- which(rowSums(x) != 1)
    if (!length(wrong) || anyNA(x)) return("rough")
    stop_softclust("ClusteringError", "row ", wrong[1L], " of the logical matrix has ",
                   sum(x[wrong[1L], ]), " TRUE, which may mean two things; say kind = \"rough\" when ",
                   "each object belongs to one of these clusters and which is not known, kind = ",
                   "\"cover\" when it belongs to all of them")
  }
  if (is.integer(x) && !one_hot) {
    stop_softclust("ClusteringError", "a matrix of integers may be several things; say kind = ",
                   "\"rough\", \"cover\" (0/1 entries), \"fuzzy\", \"possibilistic\" or \"evidential\", ",
                   "or give labels as a vector. Several clusterings in columns, as of cutree(h, k = 2:4): ",
                   "sc_ensemble(as.data.frame(x))")
  }
  sums <- rowSums(x)
  wrong <- which(!(abs(sums - 1) <= 1e-8))
  if (length(wrong) && !anyNA(x)) {
    if (max(abs(sums - 1)) <= rounded) stop_rounded("the matrix", sums, wrong)
    stop_softclust("ClusteringError", "row ", wrong[1L], " of the matrix sums to ",
                   format(sums[wrong[1L]], digits = 12), ", so these are not fuzzy memberships (each ",
                   "row sums to 1, within 1e-8); ",
                   if (max(sums) <= 1 + 1e-8) "if the rest is noise, say noise = \"cluster\"; else ",
                   "use kind = \"possibilistic\" for typicalities, ",
                   "\"rough\" for 0/1 entries, \"evidential\" for masses")
  }
  "fuzzy"
}

# Memberships that another package computed.
fuzzy_from_other <- function(m) {
  clustering_from_matrix(as.matrix(m), "fuzzy", rownames(m), colnames(m))
}

evidential_from_power_set <- function(x, objects) {
  c <- round(log2(ncol(x)))
  if (ncol(x) < 2L || 2^c != ncol(x)) {
    stop_softclust("ClusteringError", "a matrix with ", ncol(x), " columns does not list the ",
                   "masses of all 2^c sets of clusters; sc_evidential(mass, focal_sets) takes ",
                   "any sets")
  }
  bits <- outer(seq_len(ncol(x)) - 1, seq_len(c) - 1, function(b, k) b %/% 2^k %% 2)
  sc_evidential(structure(x, dimnames = list(objects, NULL)), bits)
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

double_matrix <- function(x, name) {
  x <- as.matrix(x)
  if (!is.numeric(x) && !is.logical(x)) {
    stop_softclust("ClusteringError", name, " must be numeric, not ", typeof(x))
  }
  if (!length(x)) {
    stop_softclust("ClusteringError", name, " is empty; at least one object and one column are ",
                   "needed")
  }
  x <- array(as.double(x), dim(x))
  bad <- which(rowSums(!is.finite(x)) > 0)
  if (length(bad)) {
    stop_softclust("ClusteringError", "row ", bad[1L], " of ", name, " has an entry that is NA or ",
                   "not finite")
  }
  x
}

check_negative <- function(x, name) {
  negative <- which(rowSums(x < 0) > 0)
  if (length(negative)) {
    stop_softclust("ClusteringError", "row ", negative[1L], " of ", name, " has a negative entry")
  }
}

stop_rounded <- function(name, sums, wrong) {
  stop_softclust("ClusteringError", "row ", wrong[1L], " of ", name, " sums to ",
                 format(sums[wrong[1L]], digits = 12), "; every row must sum to 1 within 1e-8: ",
                 "these are rounded numbers; sc_clustering(x, normalize = \"rows\") divides each ",
                 "row by its sum; for typicalities use kind = \"possibilistic\"")
}

check_rows <- function(x, name, advice) {
  check_negative(x, name)
  sums <- rowSums(x)
  wrong <- which(abs(sums - 1) > 1e-8)
  if (length(wrong)) {
    if (name == "the matrix" && max(abs(sums - 1)) <= rounded) stop_rounded(name, sums, wrong)
    stop_softclust("ClusteringError", "row ", wrong[1L], " of ", name, " sums to ",
                   format(sums[wrong[1L]], digits = 12), "; every row must sum to 1 within 1e-8.",
                   advice)
  }
}

logical_matrix <- function(x, name) {
  x <- as.matrix(x)
  if (!length(x) || anyNA(x) || !(is.logical(x) || (is.numeric(x) && all(x == 0 | x == 1)))) {
    stop_softclust("ClusteringError", "`", name, "` must be a matrix of TRUE and FALSE (or 1 and 0) ",
                   "without NA")
  }
  array(as.logical(x), dim(x))
}

# -- objects of other packages ------------------------------------------------------------------
is_clue_partition <- function(x) {
  requireNamespace("clue", quietly = TRUE) &&
    tryCatch(isTRUE(clue::is.cl_partition(x)), error = function(e) FALSE)
}

clustering_from_clue <- function(x) {
  if (clue::is.cl_hard_partition(x)) return(hard_from_classes(unclass(clue::cl_class_ids(x))))
  sc_clustering.cl_membership(clue::cl_membership(x))
}

unknown_object <- function(x) {
  python <- inherits(x, "python.builtin.object")
  stop_softclust("ClusteringError", "an object of class ", paste(class(x), collapse = "/"),
                 " is not a clustering that softclust knows; ",
                 if (python) "bring it to R first (reticulate::py_to_r)" else
                   paste("give labels, a membership matrix, or an object of clue, cluster, e1071,",
                         "evclust, fclust or mclust"))
}

# Whether a column can hold labels. NA is an error later, by the name of the column.
may_be_labels <- function(column) {
  !is.double(column) || is.object(column) || all(is.na(column) | column == trunc(column))
}

# Whether x stands for several clusterings.
is_collection <- function(x) {
  if (inherits(x, "sc_ensemble") || inherits(x, "cl_ensemble")) return(TRUE)
  if (is.data.frame(x)) {
    return(length(x) > 0L && !all(vapply(x, is.logical, NA)) && all(vapply(x, may_be_labels, NA)))
  }
  is.list(x) && !is.object(x) && is.null(x[["upperApprox"]]) &&
    (is.null(x[["lower"]]) || is.null(x[["upper"]]))
}

# -- two clusterings ----------------------------------------------------------------------------
check_same_objects <- function(x, y, name_x = "x", name_y = "y") {
  if (n_objects(x) != n_objects(y)) {
    stop_softclust("ClusteringError", name_x, " has ", n_objects(x), " objects and ", name_y, " ",
                   n_objects(y), "; the same objects are needed")
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

# Names that are the same in another order: numbers or labels of these cannot go by position.
check_order <- function(a, b, name_a, name_b) {
  if (is.null(a) || is.null(b) || length(a) != length(b) || identical(a, b) || !setequal(a, b)) {
    return(invisible())
  }
  i <- which(a != b)[1L]
  stop_softclust("ClusteringError", "object ", i, " is \"", a[i], "\" in ", name_a, " and \"", b[i],
                 "\" in ", name_b, "; the objects are the same in another order: sort one of them")
}

# The names by which x is compared with y. Rows of a data frame with automatic row names are called
# 1, 2, ... beside other row numbers, as of a part of the same data frame, and nothing beside names.
names_to_compare <- function(x, y = NULL) {
  state <- attr(x, "numbered")
  own <- as.character(seq_len(n_objects(x)))
  if (isTRUE(state)) return(own)
  if (identical(state, "rows") && !is.null(y) && are_row_numbers(y$object_names)) return(own)
  x$object_names
}

are_row_numbers <- function(names) length(names) > 0L && all(grepl("^[1-9][0-9]*$", names))

# Both sides of a comparison as clusterings of the same objects.
pair_of <- function(x, y) {
  x <- clustering_called(x, "x")
  y <- clustering_called(y, "y")
  check_same_objects(x, y)
  list(x = x, y = y)
}

# As sc_clustering(), with errors that say which argument it was.
clustering_called <- function(x, name) {
  tryCatch(sc_clustering(x), softclust_ClusteringError = function(e) {
    stop_softclust("ClusteringError", name, ": ", conditionMessage(e))
  })
}
