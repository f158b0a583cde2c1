# A clustering is a vector of its objects, by everything that R does with vectors.
labels <- c(p = "a", q = "b", r = "a", s = "c")
x <- sc_clustering(labels)
fuzzy <- new_matrix_clustering("fuzzy", list(membership = rbind(c(0.9, 0.1), c(0.2, 0.8), c(0.9, 0.1))),
                               c("p", "q", "r"))
test_that("a column of a data frame keeps the name that it is given", {
  found <- data.frame(k = sc_clustering(c(a = "u", b = "v")), z = 1:2)
  expect_identical(found, data.frame(k = factor(c("u", "v")), z = 1:2, row.names = c("a", "b")))
  expect_named(merge(found, data.frame(k = factor("u"), w = 3)), c("k", "z", "w"))
  expect_named(as.data.frame(sc_clustering(1:2)), "cluster")
})

cover <- sc_cover(list(a = c("p", "q"), b = c("q", "r", "s")))

test_that("length() and [ count the same objects", {
  for (each in list(x, fuzzy, cover)) {
    n <- nobs(each)
    expect_length(each, n)
    expect_identical(NROW(each), n)
    expect_identical(seq_along(each), seq_len(n))
    expect_identical(tail(each, 2)$object_names, names(each)[(n - 1):n])
    expect_identical(head(each, 2), each[1:2])
    expect_identical(rev(each)$object_names, rev(names(each)))
    expect_identical(nobs(rep(each, 2)), 2L * n)
    expect_identical(lengths(split(each, rep_len(1:2, n)), use.names = FALSE),
                     as.vector(table(rep_len(1:2, n))))
    expect_length(as.list(each), n)
    expect_length(format(each), n)
  }
  expect_identical(tail(sc_clustering(c(1, 1, 2, 2, 3, 3, 1)), 5)$labels, c(2L, 2L, 3L, 3L, 1L))
  expect_identical(rev(cover)$members, list(3:4, 1:3))
})

test_that("an ensemble has as many members as its length", {
  expect_length(new_ensemble(list(x, x, x), c("a", "b", "c")), 3)
})

test_that("a bootstrap written by hand gives the values that labels give", {
  require_python()
  set.seed(1)
  km <- kmeans(iris[, 1:4], 3)
  clustering <- sc_clustering(km)
  values <- replicate(20, {
    i <- sample(length(clustering), replace = TRUE)
    c(sc_measure("ARI", iris$Species[i], clustering[i]),
      sc_measure("ARI", iris$Species[i], unname(km$cluster[i])))
  })
  expect_identical(values[1, ], values[2, ])
  expect_lt(max(values), 0.9)
})

test_that("hard clusterings are used as factors are", {
  expect_identical(as.integer(x), c(1L, 2L, 1L, 3L))
  expect_identical(as.numeric(x), c(1, 2, 1, 3))
  expect_identical(as.character(x), unname(labels))
  expect_identical(factor(x), factor(labels))
  expect_identical(droplevels(x[1:2]), factor(labels[1:2]))
  expect_identical(x %in% c("b", "c"), c(FALSE, TRUE, FALSE, TRUE))
  expect_identical(match("c", x), 4L)
  for (other in list(factor(labels), x)) {
    expect_silent(same <- c(x == other, other == x))
    expect_true(all(same))
  }
  expect_identical(as.vector(c(x, x)), unname(c(labels, labels)))
  expect_identical(levels(x), c("a", "b", "c"))
  expect_identical(unique(x)$object_names, c("p", "q", "s"))
  expect_identical(duplicated(x), c(FALSE, FALSE, TRUE, FALSE))
  expect_identical(unname(x == "a"), unname(labels == "a"))
  expect_identical(x == x, rep(TRUE, 4))
  expect_identical(table(x, c(1, 1, 2, 2)), table(x = labels, c(1, 1, 2, 2)))
  expect_identical(c(table(x)), c(table(labels)))
  expect_identical(tapply(1:4, x, sum), tapply(1:4, labels, sum))
  expect_identical(split(1:4, x), split(1:4, unname(labels)))
  frame <- data.frame(v = 1:4)
  frame$cl <- x
  expect_identical(frame[2:3, "cl"]$labels, c(2L, 1L))
  expect_output(print(frame), "4 4 +c")
  expect_identical(unname(coef(lm(v ~ cl, frame))), c(2, 0, 2))
  expect_equal(unname(coef(lm(v ~ cl, frame[1:3, ]))), c(2, 0), tolerance = 1e-12)
  expect_identical(as.character(rbind(frame[1, ], frame[4, ])$cl), c("a", "c"))
  expect_output(print(summary(frame)), "a:2")
})

test_that("names of objects and of clusters are changed as those of vectors", {
  y <- x
  names(y) <- c("k", "l", "m", "n")
  expect_identical(y$object_names, c("k", "l", "m", "n"))
  expect_identical(names(unname(x)), NULL)
  levels(y) <- c("u", "v", "w")
  expect_identical(y$cluster_names, c("u", "v", "w"))
  expect_error(names(y) <- "k", class = "softclust_ClusteringError")
  expect_error(levels(y) <- c("u", "u", "w"), "distinct", class = "softclust_ClusteringError")
})

test_that("what has no sense for clusterings is an error", {
  expect_warning(expect_identical(x + 1, rep(NA, 4)), "not meaningful for factors")
  for (wrong in list(quote(sum(x)), quote(fuzzy + 1), quote(fuzzy == fuzzy), quote(round(x)),
                     quote(c(fuzzy, fuzzy)), quote(max(x)), quote(x$labels <- 1:4), quote(x[1] <- "b"), quote(x[[1]] <- "b"))) {
    expect_error(eval(wrong), class = "softclust_TypeError")
  }
  for (wrong in list(quote(as.integer(fuzzy)), quote(as.character(fuzzy)), quote(table(fuzzy)),
                     quote(as.vector(cover)))) {
    expect_error(eval(wrong), "sc_harden", class = "softclust_ClusteringError")
  }
  expect_false(is.numeric(x))
  expect_identical(duplicated(fuzzy), c(FALSE, FALSE, TRUE))
  expect_identical(x[["cluster_names"]], c("a", "b", "c"))
  expect_identical(x[[2]], x[2])
})
