draws <- rbind(c(1, 1, 2, 2, 2, 3), c(1, 1, 2, 2, 3, 3), c(1, 1, 1, 2, 2, 3),
               c(4, 4, 2, 2, 2, 1), c(1, 1, 2, 2, 2, 2))

test_that("the estimate is that of Python", {
  require_python()
  for (loss in c("vi", "binder", "nid", "omari")) {
    found <- sc_posterior_partition(draws, loss = loss, seed = 3)
    code <- paste0("(lambda r: [(r.labels + 1).tolist(), r.expected_loss, r.standard_error, ",
                   "r.distances.tolist(), r.n_starts])",
                   "(sc.posterior_partition(np.array(a['draws']), loss=a['loss'], rng=3))")
    python <- in_python(code, draws = draws, loss = loss)
    expect_identical(found$labels, as.integer(unlist(python[[1]])))
    expect_identical(found$expected_loss, as.numeric(python[[2]]))
    expect_identical(found$standard_error, as.numeric(python[[3]]))
    expect_equal(found$distances, as.numeric(unlist(python[[4]])), tolerance = 1e-15)
    expect_equal(found$n_starts, as.numeric(python[[5]]))
    expect_equal(sc_expected_loss(found$labels, draws, loss = loss), found$expected_loss)
  }
})

test_that("losses are those of the definitions", {
  require_python()
  estimate <- c(1, 1, 2, 2, 2, 3)
  binder <- function(x, y) {
    2 / length(x)^2 * sum((outer(x, x, "==") != outer(y, y, "=="))[upper.tri(diag(length(x)))])
  }
  expect_equal(sc_expected_loss(estimate, draws, loss = "binder"),
               mean(apply(draws, 1, binder, y = estimate)))
  entropy <- function(...) {
    p <- table(...) / length(estimate)
    -sum(ifelse(p > 0, p * log(p), 0))
  }
  vi <- function(x, y) 2 * entropy(x, y) - entropy(x) - entropy(y)
  expect_equal(sc_expected_loss(rbind(estimate, rep(1, 6)), draws),
               c(mean(apply(draws, 1, vi, y = estimate)), mean(apply(draws, 1, vi, y = rep(1, 6)))))
  expect_length(sc_expected_loss(list(estimate, estimate), draws), 2)
})

test_that("draws come in several forms", {
  require_python()
  wanted <- sc_posterior_partition(draws, seed = 1)
  named <- `colnames<-`(draws, letters[1:6])
  mcmc <- structure(draws, class = "mcmc", mcpar = c(1, 5, 1))
  forms <- list(as.data.frame(t(draws)), mcmc, array(draws, c(1, 5, 6)),
                structure(list(mcmc), class = "mcmc.list"),
                lapply(seq_len(5), function(i) draws[i, ]), sc_partial_ensemble(draws))
  for (form in forms) {
    found <- sc_posterior_partition(form, seed = 1)
    expect_identical(unname(found$labels), wanted$labels)
    expect_equal(found$expected_loss, wanted$expected_loss)
  }
  expect_named(sc_posterior_partition(named, seed = 1)$labels, letters[1:6])
  expect_identical(rownames(as.data.frame(sc_posterior_partition(named, seed = 1))), letters[1:6])
  expect_error(sc_posterior_partition(draws[1, ]), "one clustering: give draws as rows",
               class = "softclust_ClusteringError")
  draws[2, 2] <- NA
  expect_error(sc_posterior_partition(draws), "every draw must label every object",
               class = "softclust_ClusteringError")
  expect_error(sc_posterior_partition(draws[-2, ], loss = "rand"), "choose one of",
               class = "softclust_ValueError")
  expect_error(sc_posterior_partition(draws[-2, ] + 0.5), "whole numbers",
               class = "softclust_ClusteringError")
})

test_that("an estimate is a clustering, prints and draws", {
  require_python()
  found <- sc_posterior_partition(draws, seed = 1)
  expect_identical(as.integer(sc_labels(found)), found$labels)
  expect_output(print(found), "Posterior partition of 6 objects from 5 draws .vi.")
  expect_equal(sum(found$objects$loss), found$expected_loss)
  expect_equal(diag(found$matrix), rep(1, 6))
  expect_equal(found$matrix[1, 3], mean(draws[, 1] == draws[, 3]))
  expect_equal(found$clusters$size, as.vector(table(found$labels)))
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  expect_silent(plot(found))
  expect_silent(plot(found, kind = "matrix"))
})

test_that("balls hold all draws at the radius", {
  require_python()
  estimate <- sc_posterior_partition(draws, seed = 1)
  ball <- sc_credible_ball(estimate, draws, level = 0.6)
  expect_equal(ball$distances, estimate$distances)
  expect_gte(ball$coverage, 0.6)
  expect_equal(ball$n_inside, sum(estimate$distances <= ball$radius + 1e-12))
  expect_equal(ball$lower$n_clusters, max(apply(
    draws[estimate$distances <= ball$radius + 1e-12, , drop = FALSE], 1,
    function(z) length(unique(z)))))
  expect_type(ball$upper$labels, "integer")
  expect_output(print(ball), "Credible ball of level 0.6")
  expect_error(sc_credible_ball(estimate, draws, loss = "omari"), "not a metric",
               class = "softclust_ClusteringError")
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  expect_silent(plot(ball))
})

test_that("representatives and cores are those of Python", {
  require_python()
  found <- sc_partition_representatives(draws, 2, seed = 2)
  code <- paste0("(lambda r: [(r.labels + 1).tolist(), r.distance, (r.assignment + 1).tolist()])",
                 "(sc.partition_representatives(np.array(a['draws']), 2, rng=2))")
  python <- in_python(code, draws = draws)
  expect_equal(found$distance, as.numeric(python[[2]]))
  expect_identical(found$assignment, as.integer(unlist(python[[3]])))
  expect_equal(sum(found$weights), 1)
  expect_output(print(found), "2 representatives of 5 draws")
  core <- sc_partition_core(draws, level = 0.8, seed = 1)
  shared <- apply(draws[, core$objects], 1, function(z) all(match(z, unique(z)) == core$labels))
  expect_equal(core$probability, mean(shared))
  expect_output(print(core), "Core found")
  expect_equal(nrow(as.data.frame(core)), length(core$objects))
})

test_that("names of objects in another order are an error", {
  require_python()
  draws <- rbind(c(a = 1, b = 1, c = 2, d = 2), c(1, 1, 1, 2))
  mixed <- c(d = 1, c = 1, b = 2, a = 1)
  expect_error(sc_expected_loss(mixed, draws), "in another order", class = "softclust_ClusteringError")
  expect_error(sc_credible_ball(mixed, draws), "in another order")
  expect_length(sc_expected_loss(unname(mixed), draws), 1L)
  x <- c(a = 1, b = 1, c = 2, d = 2)
  expect_error(sc_contingency_table(x, x, weights = mixed), "in another order")
  expect_true(sc_contingency_table(x, x, weights = unname(mixed))$weighted)
})
