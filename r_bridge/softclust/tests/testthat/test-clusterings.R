u <- matrix(c(0.9, 0.4, 0.2, 0.1, 0.6, 0.8), 3, dimnames = list(c("p", "q", "r"), c("a", "b")))
bare <- unname(u)
refused <- function(object, regexp = NULL) {
  expect_error(object, regexp, class = "softclust_ClusteringError")
}

test_that("labels of every type are hard", {
  for (labels in list(c(2, 1, 2), c(2L, 1L, 2L), c("b", "a", "b"), c(TRUE, FALSE, TRUE),
                      factor(c("y", "x", "y")))) {
    expect_s3_class(sc_clustering(labels), c("sc_hard", "sc_clustering", "factor"), exact = TRUE)
  }
  expect_identical(sc_clustering(c(2, 1, 2))$labels, c(2L, 1L, 2L))
  expect_null(sc_clustering(c(2, 1, 2))$cluster_names)
})

test_that("numbers are names, 0 and negative ones too", {
  x <- sc_clustering(c(-1, 0, 100000, 0))
  expect_identical(x$labels, c(1L, 2L, 3L, 2L))
  expect_identical(x$cluster_names, c("-1", "0", "100000"))
  expect_identical(levels(sc_labels(c(10L, 9L))), c("9", "10"))
})

test_that("strings are sorted by code points in any locale", {
  expect_identical(sc_clustering(c("b", "B", "a", "\u00e9"))$cluster_names,
                   c("B", "a", "b", "\u00e9"))
})

test_that("unused levels are dropped and levels keep their order", {
  x <- sc_clustering(factor(c("lo", "hi"), levels = c("hi", "mid", "lo")))
  expect_identical(x$cluster_names, c("hi", "lo"))
  expect_identical(x$labels, c(2L, 1L))
})

test_that("names are kept on both sides", {
  require_python()
  expect_identical(sc_clustering(c(p = 1, q = 2))$object_names, c("p", "q"))
  x <- sc_clustering(u)
  expect_identical(x$object_names, c("p", "q", "r"))
  expect_identical(x$cluster_names, c("a", "b"))
  expect_identical(sc_membership(x), u)
  expect_identical(names(sc_labels(c(p = "x", q = "y"))), c("p", "q"))
  expect_null(sc_clustering(c("1" = 5, "2" = 6))$object_names)
})

test_that("bad labels are refused with their place", {
  require_python()
  refused(sc_clustering(c(1, NA, 2)), "1 label is NA .the first is labels\\[2\\]")
  refused(sc_clustering(factor(c("a", NA))), "NA")
  refused(sc_clustering(c("a", NA)), "NA")
  refused(sc_clustering(c(1, 1.5)), "labels\\[2\\] is 1.5")
  refused(sc_clustering(numeric(0)), "labels is empty")
  refused(sc_clustering(c(1i, 2)), "complex")
  refused(sc_clustering(c(1, Inf)))
})

test_that("matrices and data frames are told apart by content", {
  require_python()
  expect_s3_class(sc_clustering(u), "sc_fuzzy")
  expect_s3_class(sc_clustering(as.data.frame(u)), "sc_fuzzy")
  expect_identical(sc_clustering(as.data.frame(u)), sc_clustering(u))
  expect_null(sc_clustering(as.data.frame(bare))$object_names)
  expect_s3_class(sc_clustering(u == apply(u, 1, max)), "sc_fuzzy")
  refused(sc_clustering(u > 0.3), "TRUE, which may mean two things")
  expect_s3_class(sc_clustering(u > 0.3, kind = "rough"), "sc_rough")
  expect_s3_class(sc_clustering(as.data.frame(u > 0.3), kind = "cover"), "sc_cover")
  refused(sc_clustering(u * 0.9), "row 1 of the matrix sums to 0.9")
  refused(sc_clustering(matrix(1:4, 2)), "integers")
  refused(sc_clustering(matrix(c("a", "b"), 1)), "character")
  refused(sc_clustering(data.frame(a = c("x", "y"), b = c("x", "x"))), "one column")
  refused(sc_clustering(array(1, c(2, 2, 2))))
  refused(sc_clustering(rbind(c(0.5, NA))), "\\[1, 2\\] is NA")
})

test_that("kind names what a matrix is and converts nothing", {
  require_python()
  expect_s3_class(sc_clustering(u * 0.9, "possibilistic"), "sc_possibilistic")
  expect_s3_class(sc_clustering(matrix(c(1L, 0L, 1L, 1L), 2), "rough"), "sc_rough")
  expect_s3_class(sc_clustering(matrix(c(1L, 0L, 0L, 1L), 2), "fuzzy"), "sc_fuzzy")
  x <- sc_clustering(rbind(c(0.1, 0.2, 0.3, 0.4)), "evidential")
  expect_identical(x$focal_sets, rbind(c(FALSE, FALSE), c(TRUE, FALSE), c(FALSE, TRUE), c(TRUE, TRUE)))
  refused(sc_clustering(u * 0.9, "fuzzy"), "possibilistic")
  refused(sc_clustering(u, "hard"), "sc_harden")
  refused(sc_clustering(c(1, 2), "fuzzy"), "labels")
  refused(sc_clustering(sc_clustering(u), "hard"), "kind = does not convert: sc_harden")
  refused(sc_clustering(u + 1, "possibilistic"), "typicality\\[1, 1\\].*in \\[0, 1\\]")
  refused(sc_clustering(rbind(c(0.5, 0.25, 0.25)), "evidential"), "2\\^c")
  expect_error(sc_clustering(u, "soft"), class = "softclust_ValueError")
})

test_that("rough clusterings hold their two approximations together", {
  require_python()
  upper <- rbind(c(1, 0), c(1, 1))
  x <- sc_rough(upper = upper)
  expect_identical(x$lower, rbind(c(TRUE, FALSE), c(FALSE, FALSE)))
  expect_identical(sc_rough(x$lower, upper), x)
  expect_identical(sc_clustering(list(upperApprox = upper)), x)
  expect_identical(sc_clustering(list(lower = x$lower, upper = upper)), x)
  refused(sc_rough(upper = rbind(c(0, 0))), "no cluster")
  refused(sc_rough(upper, upper), "row 2")
  refused(sc_rough(upper[1, , drop = FALSE], upper), "dimensions \\(1, 2\\)")
  refused(sc_rough(upper = rbind(c(2, 0))), "TRUE/FALSE or 0/1")
})

test_that("evidential clusterings take sets as a matrix or a list", {
  require_python()
  m <- rbind(c(0.7, 0.2, 0.1), c(0, 0, 1))
  x <- sc_evidential(m, list(1, c(1, 2), NULL))
  expect_identical(x$focal_sets[1, ], c(FALSE, FALSE))   # the empty set moves to the front
  expect_identical(x$mass[, 1], c(0.1, 1))
  expect_identical(sc_evidential(m, rbind(c(1, 0), c(1, 1), c(0, 0))), x)
  named <- sc_evidential(m, list("a", c("b", "a"), character(0)))
  expect_identical(named$cluster_names, c("a", "b"))
  expect_identical(names(as.data.frame(named)), c("{}", "{a}", "{a, b}"))
  credpart <- structure(list(mass = m, F = rbind(c(1, 0), c(1, 1), c(0, 0))), class = "credpart")
  expect_identical(sc_clustering(credpart), x)
  refused(sc_evidential(m[, 1:2], list(1, 2)), "sums to")
  refused(sc_evidential(m, list(1, 2)), "columns")
  refused(sc_evidential(m, list(1, 1, NULL)), "the same set")
  refused(sc_evidential(m, list(0, 1, 2)), "from 1")
})

test_that("objects of base R and of other packages are read", {
  require_python()
  x <- c(1, 2, 10, 11)
  expect_identical(sc_clustering(kmeans(x, c(1, 11)))$labels, c(1L, 1L, 2L, 2L))
  refused(sc_clustering(hclust(dist(x))), "cutree")
  expect_identical(sc_clustering(cutree(hclust(dist(x)), 2))$labels, c(1L, 1L, 2L, 2L))
  refused(sc_clustering(lm(x ~ 1)), "class lm")
  refused(sc_clustering(NULL))
  fkm <- structure(list(U = bare, clus = 1), class = c("fclust"))
  expect_identical(sc_clustering(fkm)$membership, bare)
  refused(sc_clustering(structure(list(), class = "fclust")), "neither")
})

test_that("objects of cluster, e1071, mclust and clue are read", {
  require_python()
  require_package("cluster")
  require_package("e1071")
  require_package("mclust")
  require_package("clue")
  data <- as.matrix(iris[seq(1, 150, 3), 1:4])
  rownames(data) <- NULL
  set.seed(1)
  pam <- cluster::pam(data, 3)
  expect_identical(sc_clustering(pam)$labels, as.integer(pam$clustering))
  fanny <- cluster::fanny(data, 3)
  expect_identical(sc_clustering(fanny)$membership, unname(fanny$membership))
  cmeans <- e1071::cmeans(data, 3)
  expect_identical(unname(sc_clustering(cmeans)$membership), unname(unclass(cmeans$membership)))
  mclustBIC <- mclust::mclustBIC   # Mclust() looks for it where it is called
  model <- mclust::Mclust(data, G = 3, modelNames = "EEE", verbose = FALSE)
  expect_identical(sc_clustering(model)$membership, unname(model$z))
  for (partition in list(clue::as.cl_partition(pam), clue::cl_class_ids(pam),
                         clue::as.cl_hard_partition(pam$clustering), clue::cl_membership(pam))) {
    expect_identical(sc_clustering(partition)$labels, as.integer(pam$clustering))
  }
  expect_equal(sc_clustering(clue::as.cl_partition(cmeans))$membership,
               unname(unclass(cmeans$membership)), ignore_attr = TRUE)
})

test_that("ensembles keep names and hold the objects together", {
  require_python()
  runs <- sc_ensemble(a = c(1, 1, 2), u, list = list(z = c("x", "y", "y")))
  expect_identical(names(runs), c("a", "2", "z"))
  expect_identical(sc_ensemble(runs), runs)
  expect_identical(names(sc_ensemble(list(c(1, 2), c(1, 1)))), c("1", "2"))
  expect_identical(names(sc_ensemble(data.frame(p = c("a", "b"), q = c("x", "x")))), c("p", "q"))
  expect_identical(length(sc_ensemble(u)), 1L)
  expect_identical(names(sc_ensemble(list(lower_k = c(1, 2), upper_k = c(1, 1)))),
                   c("lower_k", "upper_k"))
  expect_identical(names(runs[2:3]), c("2", "z"))
  refused(sc_ensemble(c(1, 2), c(1, 2, 3)), "2 objects")
  refused(sc_ensemble(), "no clustering")
  refused(sc_ensemble(good = c(1, 2), bad = c(1, NA)), "bad: 1 label is NA")
  refused(sc_ensemble(a = c(1, 2), a = c(1, 2)), "repeated")
  refused(sc_ensemble(c(p = 1, q = 2), c(q = 1, p = 2)), "another order")
  refused(runs["nobody"])
  expect_output(print(runs), "Ensemble of 3 clusterings of 3 objects")
})

test_that("what holds no labels is refused by its class", {
  require_python()
  for (x in list(table(c(1, 1, 2)), mean, quote(x), new.env(), as.Date("2020-01-01"), dist(1:3))) {
    refused(sc_clustering(x))
  }
  refused(sc_clustering(stats::cutree(stats::hclust(dist(1:5)), 2:3)), "as.data.frame")
})

test_that("objects are selected as in R", {
  require_python()
  x <- sc_clustering(u)
  expect_identical(x["q"]$membership, bare[2, , drop = FALSE])
  expect_identical(x[-1]$object_names, c("q", "r"))
  expect_identical(x[c(TRUE, FALSE, TRUE)]$membership, bare[c(1, 3), ])
  expect_null(x[c(1, 1)]$object_names)
  expect_identical(sc_clustering(c("a", "b", "b"))[2:3]$n_clusters, 2L)
  refused(x[4])
  refused(x["nobody"])
  expect_length(x[integer(0)], 0)
  refused(sc_fuzziness(x[integer(0)]))
  numbers <- sc_clustering(c("1" = "a", "2" = "b", "3" = "b"))
  expect_null(numbers$object_names)
  expect_identical(numbers[3:2]$object_names, c("3", "2"))
  expect_identical(numbers[1:2], numbers[-3])
  expect_null(sc_clustering(c(5, 6, 7))[3:2]$object_names)
})

test_that("every kind prints, sums up, becomes a data frame and is drawn", {
  require_python()
  objects <- list(
    sc_clustering(c("a", "b", "a")), sc_clustering(u), sc_rough(upper = u > 0.3),
    sc_clustering(u * 0.9, "possibilistic"), sc_evidential(bare, list(1, c(1, 2))))
  for (x in objects) {
    expect_output(expect_invisible(print(x)), "clustering of 3 objects")
    expect_output(print(summary(x)), "3 objects")
    expect_identical(nrow(as.data.frame(x)), 3L)
  }
  expect_identical(row.names(as.data.frame(sc_clustering(u))), rownames(u))
  expect_output(print(sc_clustering(bare[rep(1, 20), ])), "14 more")
  require_python()   # lays out charts
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  for (x in objects) {
    expect_identical(expect_invisible(plot(x)), x)
    before <- graphics::par("mar")
    plot(x, main = "title")
    expect_identical(graphics::par("mar"), before)
  }
})

test_that("conversions go by named rules", {
  require_python()
  x <- sc_clustering(u)
  hard <- sc_harden(x)
  expect_identical(hard$labels, c(1L, 2L, 2L))
  expect_identical(hard$object_names, rownames(u))
  expect_identical(hard$cluster_names, colnames(u))
  rough <- sc_rough(upper = rbind(c(1, 0), c(1, 1)))
  expect_identical(sc_to_fuzzy(rough)$membership, rbind(c(1, 0), c(0.5, 0.5)))
  evidential <- sc_to_evidential(bare)
  expect_identical(evidential$mass, cbind(0, bare[, 1], bare[, 2], 0))
  expect_identical(sc_harden(evidential, "max_belief")$labels, c(1L, 2L, 2L))
  expect_identical(ncol(sc_to_evidential(bare, "occurring")$mass), 2L)
  expect_error(sc_harden(x, "guess"), "choose one of", class = "softclust_ValueError")
  expect_error(sc_to_fuzzy(x, "guess"), "choose one of", class = "softclust_ValueError")
  expect_error(sc_to_evidential(x, "guess"), "choose one of", class = "softclust_ValueError")
  refused(sc_labels(x), "sc_harden")
  refused(sc_membership(rough), "sc_to_fuzzy")
})

test_that("both sides have the same objects in the same order", {
  require_python()
  refused(sc_pair_counts(c(1, 2), c(1, 2, 3)), "2 objects")
  refused(sc_pair_counts(c(1, 2), c(1, NA)), "y: 1 label is NA")
  refused(sc_pair_counts(c(p = 1, q = 2), c(q = 1, p = 2)), "object 1 is \"p\"")
  numbers <- c("1" = "a", "2" = "a", "3" = "b")
  refused(sc_pair_counts(numbers, numbers[c(3, 1, 2)]), "another order")
  refused(sc_pair_counts(numbers[c(3, 1, 2)], numbers), "another order")
  refused(sc_ensemble(unname(numbers), numbers, rev(numbers)), "clustering \"2\"")
  expect_s3_class(sc_pair_counts(c(p = 1, q = 2), c(1, 2)), "sc_pair_counts")
  expect_s3_class(sc_pair_counts(rev(numbers), unname(numbers)), "sc_pair_counts")
  expect_s3_class(sc_pair_counts(numbers, c("1" = 1, "2" = 2, "3" = 1)), "sc_pair_counts")
})

test_that("a data frame of whole doubles holds labels, for every function of ensembles", {
  require_python()
  frame <- data.frame(a = c(1, 1, 2), b = c(1, 2, 2))
  runs <- sc_ensemble(frame)
  expect_identical(names(runs), c("a", "b"))
  expect_identical(runs, sc_ensemble(list = frame))
  # Memberships are one clustering still.
  expect_length(sc_ensemble(data.frame(a = c(0.1, 0.5), b = c(0.9, 0.5))), 1L)
  refused(sc_ensemble(data.frame(a = c(1, NA), b = c(1, 2))), "NA")
  expect_identical(sc_compare_all(frame)$names, c("a", "b"))
  expect_identical(dim(sc_consensus(frame, seed = 1)$permutations), c(2L, 2L))
})

test_that("trees of every package are to be cut first", {
  h <- hclust(dist(c(1, 2, 4, 8)))
  refused(sc_clustering(h), "cut it first: cutree\\(tree")
  require_package("cluster")
  refused(sc_clustering(cluster::agnes(c(1, 2, 4, 8))), "cut it first: cutree\\(as.hclust")
  refused(sc_clustering(cluster::diana(c(1, 2, 4, 8))), "cut it first")
  require_package("clue")
  refused(sc_clustering(clue::as.cl_dendrogram(h)), "cut it first")
  refused(sc_clustering(clue::as.cl_hierarchy(h)), "cut it first")
})

test_that("labels from 2^53 on are too large", {
  require_python()
  refused(sc_clustering(c(1, 2^53)), "labels\\[2\\].*below 2\\^53")
  expect_identical(sc_clustering(c(1, 2^53 - 1))$n_clusters, 2L)
})

test_that("mass on the empty set is normalised by a named rule", {
  require_python()
  x <- sc_evidential(rbind(c(0.5, 0.5, 0), c(0.2, 0.4, 0.4)), list(NULL, 1, 2))
  expect_equal(sc_normalize(x)$mass[, -1], rbind(c(1, 0), c(0.5, 0.5)))
  yager <- sc_normalize(x, "yager")
  expect_equal(yager$mass[, ncol(yager$mass)], c(0.5, 0.2))
  expect_error(sc_normalize(x, "x"), "choose one of", class = "softclust_ValueError")
  refused(sc_transport(x, c(1, 2)), "normalize = \"dempster\" or \"yager\", or sc_normalize\\(x, rule\\)")
  expect_identical(sc_to_rough(x)$upper, rbind(c(TRUE, FALSE), c(TRUE, TRUE)))
  refused(sc_to_rough(x, "max_mass"), "object 1 has its largest mass.*on_empty = \"vacuous\"")
  expect_identical(sc_to_rough(x, "max_mass", on_empty = "vacuous")$upper,
                   rbind(c(TRUE, TRUE), c(TRUE, FALSE)))
})

test_that("results of dtwclust are read by their type", {
  require_python()
  make <- function(class, ...) methods::new(class, k = 2L, cluster = c(1L, 2L, 2L), ...)
  here <- environment()
  slots <- c(type = "character", k = "integer", cluster = "integer")
  for (class in c("TSClusters", "FuzzyTSClusters")) {
    if (methods::isClass(class)) skip("dtwclust is loaded, its own classes are in use")
  }
  on.exit({
    methods::removeClass("FuzzyTSClusters", where = here)
    methods::removeClass("TSClusters", where = here)
  })
  methods::setClass("TSClusters", slots = slots, where = here)
  methods::setClass("FuzzyTSClusters", contains = "TSClusters", slots = c(fcluster = "matrix"),
                    where = here)
  u <- rbind(c(0.9, 0.1), c(0.4, 0.6), c(0.2, 0.8))
  fuzzy <- sc_clustering(make("FuzzyTSClusters", type = "fuzzy", fcluster = u))
  expect_s3_class(fuzzy, "sc_fuzzy")
  expect_identical(fuzzy$membership, u)
  hard <- sc_clustering(make("TSClusters", type = "partitional"))
  expect_identical(hard$labels, c(1L, 2L, 2L))
})

test_that("rows without memberships become a cluster beside those with names", {
  require_python()
  u <- rbind(a = c(p = 0.9, q = 0.1), b = NA)
  x <- sc_clustering(u, missing = "cluster")
  expect_identical(as.matrix(x), rbind(a = c(p = 0.9, q = 0.1, missing = 0), b = c(0, 0, 1)))
  expect_identical(sc_clustering(unname(u), missing = "cluster")$membership, x$membership)
})

test_that("errors of kinds and numbers are in R's words", {
  require_python()
  refused <- function(call, words) expect_error(call, words, class = "softclust_ClusteringError")
  refused(sc_clustering(1:2, "fuzzy"), "labels are a hard clustering, not fuzzy: sc_to_fuzzy\\(\\) converts")
  refused(sc_clustering(c(1, 2^53)), "^labels.2. is 9007199254740992; .* as strings$")
  refused(sc_clustering(cbind(-0.9, 1.9)), "^.*1, 1. is -0.9; ")
  refused(sc_rough(upper = "a"), "a matrix of numbers")
  expect_identical(sc_clustering(iris["Species"]), sc_clustering(iris$Species))
})

test_that("rounded memberships are divided by their row sums on request, as in Python", {
  require_python()
  u <- rbind(a = c(0.333, 0.333, 0.333), b = c(0.9, 0.1, 0), c = c(0, 0, 1))
  expect_error(sc_clustering(u), "rounded memberships.*normalize = \"rows\"",
               class = "softclust_ClusteringError")
  x <- sc_clustering(u, normalize = "rows")
  expect_identical(kind_of(x), "fuzzy")
  expect_identical(x$object_names, c("a", "b", "c"))
  expect_equal(rowSums(x$membership), rep(1, 3), tolerance = 1e-15)
  expect_identical(sc_clustering(as.data.frame(u), normalize = "rows")$membership, x$membership)
  expect_equal(x$membership[1, ], rep(1 / 3, 3), tolerance = 1e-15)
  masses <- sc_clustering(cbind(0.1, u), "evidential", normalize = "rows")
  expect_equal(rowSums(masses$mass), rep(1, 3), tolerance = 1e-15)
  expect_error(sc_clustering(c(1, 2), normalize = "rows"), "rows of a matrix",
               class = "softclust_ClusteringError")
  expect_error(sc_clustering(u, "possibilistic", normalize = "rows"), "not for possibilistic",
               class = "softclust_ClusteringError")
  expect_error(sc_clustering(u, normalize = TRUE), "choose one of \"rows\"", class = "softclust_ValueError")
  expect_error(sc_clustering(rbind(c(0, 0), c(1, 0)), normalize = "rows"), "row 1.*sums to 0",
               class = "softclust_ClusteringError")
  expect_error(sc_clustering(matrix(1L, 2, 2), normalize = "rows"), "whole numbers",
               class = "softclust_ClusteringError")
  huge <- rbind(c(1e308, 1e308), c(1e-310, 3e-310))
  expect_equal(sc_clustering(huge, normalize = "rows")$membership, rbind(c(0.5, 0.5), c(0.25, 0.75)),
               tolerance = 1e-12)
  expect_identical(x$membership, in_python(
    "sc.as_clustering(np.array(a['u']), normalize='rows').membership", u = unname(u)))
})

test_that("noise clustering of fclust is read by the rules of noise", {
  require_python()
  fit <- structure(list(U = rbind(c(0.6, 0.2), c(0.1, 0.5), c(1, 0)), k = 2), class = "fclust")
  expect_error(sc_clustering(fit), "noise = \"cluster\"", class = "softclust_ClusteringError")
  x <- sc_clustering(fit, noise = "cluster")
  expect_identical(x$cluster_names, c("1", "2", "noise"))
  expect_equal(x$membership, cbind(fit$U, c(0.2, 0.4, 0)))
  expect_identical(kind_of(sc_clustering(fit, noise = "empty")), "evidential")
  expect_equal(sc_clustering(fit, noise = "unknown")$mass, cbind(fit$U, c(0.2, 0.4, 0)))
})

test_that("vectors of other packages are labels", {
  require_python()
  expect_identical(sc_clustering(I(c(p = 1, q = 1, r = 2))), sc_clustering(c(p = 1, q = 1, r = 2)))
  expect_identical(sc_clustering(I(factor(c("a", "b")))), sc_clustering(factor(c("a", "b"))))
  # As bit64 keeps 5, -3, 2^40 + 1 and NA: whole numbers in the bytes of doubles.
  bytes <- as.raw(c(5, rep(0, 7), 0xfd, rep(0xff, 7), 1, 0, 0, 0, 0, 1, 0, 0))
  whole <- structure(readBin(bytes, "double", 3L, endian = "little"), class = "integer64")
  expect_identical(sc_clustering(whole)$cluster_names, c("-3", "5", "1099511627777"))
  expect_identical(sc_clustering(whole)$labels, c(2L, 1L, 3L))
  missing <- structure(readBin(as.raw(c(rep(0, 7), 0x80)), "double", endian = "little"),
                       class = "integer64")
  expect_error(sc_clustering(missing), "NA", class = "softclust_ClusteringError")
  said <- structure(c(2, 1, 2, 7), labels = c(low = 1, high = 2),
                    class = c("haven_labelled", "vctrs_vctr", "double"))
  expect_identical(as.character(sc_labels(said)), c("high", "low", "high", "7"))
  expect_identical(sc_measure("rand_index", I(c(1, 1, 2, 2)), said[c(1, 1, 2, 2)]), 1)
})

test_that("clusterings are matrices and have numbers of objects", {
  require_python()
  u <- matrix(c(0.9, 0.4, 0.1, 0.6), 2, dimnames = list(c("p", "q"), c("a", "b")))
  expect_equal(as.matrix(sc_clustering(u)), u)
  expect_equal(as.matrix(sc_clustering(c(p = "a", q = "b"))),
               matrix(c(1, 0, 0, 1), 2, dimnames = list(c("p", "q"), c("a", "b"))))
  x <- sc_evidential(rbind(c(0.7, 0.3)), list(1, c(1, 2)))
  expect_equal(as.matrix(x), matrix(c(0.7, 0.3), 1, dimnames = list(NULL, c("{1}", "{1, 2}"))))
  expect_identical(stats::nobs(x), 1L)
})
