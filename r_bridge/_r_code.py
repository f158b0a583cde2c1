"""Texts of the R functions that build R's S3 objects from plain parts and take them apart."""

# -- Python to R --------------------------------------------------------------------------------
HARD_TO_R = """function(ids, objects) {
  names(ids) <- objects
  clue::as.cl_hard_partition(ids)
}"""

FUZZY_TO_R = """function(membership, objects, clusters) {
  if (!is.null(objects) || !is.null(clusters)) dimnames(membership) <- list(objects, clusters)
  clue::as.cl_partition(membership)
}"""

# `method` has no default in evclust 1.1 to 2.0.3.
EVIDENTIAL_TO_R = 'function(mass, sets) evclust::extractMass(mass, sets, method = "softclust")'

ENSEMBLE_TO_R = "function(members) clue::cl_ensemble(list = members)"

TREE_TO_R = """function(merge, height, order, labels) structure(
  list(merge = merge, height = height, order = order, labels = labels, method = "softclust",
       dist.method = NULL), class = "hclust")"""

# -- R to Python --------------------------------------------------------------------------------
TREE_PARTS = """function(x) {
  tree <- unclass(stats::as.hclust(x))
  list(merge = array(as.double(tree$merge), dim(tree$merge)), height = as.double(tree$height),
       labels = if (!is.null(tree$labels)) as.character(tree$labels))
}"""

# Finds out what kind of clustering an R object is and hands back its parts as plain vectors.
DESCRIBE = """function(x) {
  parts <- function(kind, matrix, ...) {
    objects <- if (!is.data.frame(matrix)) rownames(matrix) else
      if (.row_names_info(matrix) > 0L || !inherits(matrix, c("tbl_df", "data.table")))
        row.names(matrix)
    matrix <- as.matrix(matrix)
    list(kind = kind, objects = objects, clusters = colnames(matrix),
         matrix = array(as.double(matrix), dim(matrix)), ...)
  }
  plain <- function(m) { m <- as.matrix(m); array(as.double(m), dim(m)) }
  hard <- function(ids, positions = FALSE) {
    objects <- names(ids)
    if (anyNA(ids)) stop("labels hold NA; remove or impute these objects first", call. = FALSE)
    levels <- NULL
    if (is.factor(ids)) {
      ids <- droplevels(ids)
      levels <- levels(ids)
      ids <- as.integer(ids)
    }
    list(kind = "hard", objects = objects, ids = as.vector(unclass(ids)), levels = levels,
         positions = positions)
  }
  if (inherits(x, "credpart")) return(list(kind = "evidential", mass = plain(x$mass),
                                           sets = plain(x$F)))
  if (inherits(x, "fclust")) {
    if (!is.null(x$U)) return(parts("fuzzy", x$U))
    if (!is.null(x$membership)) return(parts("fuzzy", unclass(x$membership)))
  }
  if (inherits(x, "Mclust")) return(parts("fuzzy", x$z))
  # 0 is noise: a cluster like any other until something else is said of it
  if (inherits(x, c("dbscan", "dbscan_fast", "hdbscan"))) return(hard(x$cluster))
  # clue sees the labels of dtwclust's fuzzy results only.
  if (isS4(x) && inherits(x, "TSClusters") && identical(methods::slot(x, "type"), "fuzzy"))
    return(parts("fuzzy", methods::slot(x, "fcluster")))
  if (inherits(x, "cl_membership")) return(parts("fuzzy", unclass(x)))
  if (inherits(x, "cl_class_ids")) return(hard(unclass(x), positions = TRUE))
  if (is.object(x) && !is.factor(x) && !is.data.frame(x) && clue::is.cl_partition(x)) {
    if (clue::is.cl_hard_partition(x))
      return(hard(unclass(clue::cl_class_ids(x)), positions = TRUE))
    return(parts("fuzzy", unclass(clue::cl_membership(x))))
  }
  if (is.list(x) && !is.data.frame(x)) {
    if (!is.null(x$upperApprox)) return(parts("rough", x$upperApprox))
    if (!is.null(x$lower) && !is.null(x$upper))
      return(parts("rough", x$upper, lower = plain(x$lower)))
  }
  rectangular <- is.data.frame(x) || is.matrix(x)
  if (is.factor(x) || (!is.object(x) && is.null(dim(x)) &&
                       (is.numeric(x) || is.character(x) || is.logical(x)))) return(hard(x))
  if (rectangular && (is.logical(x) || (is.data.frame(x) && all(vapply(x, is.logical, NA)))))
    return(parts("logical matrix", x))
  if (rectangular && (is.numeric(x) || (is.data.frame(x) && all(vapply(x, is.numeric, NA)))))
    return(parts(if (is.double(as.matrix(x))) "matrix" else "integer matrix", x))
  list(kind = "unknown", classes = class(x))
}"""
