# No method swallows an argument that it does not know.
objects <- function() {
  x <- iris[seq(1, 150, 3), 1:4]
  labels <- rep(1:3, c(17, 17, 16))
  fit <- sc_cluster(x, 3, "fuzzy_cmeans", seed = 1)
  list(sc_clustering = sc_clustering(labels), sc_hard = sc_clustering(labels),
       sc_fuzzy = fit$clustering, sc_result = fit, sc_fit = fit, sc_bagged = sc_bagged(x, 3, n_resamples = 20, seed = 1),
       sc_consensus = sc_consensus(list(labels, fit), seed = 1),
       sc_contingency_table = sc_contingency_table(labels, labels),
       sc_pair_counts = sc_pair_counts(labels, labels), sc_membership_sums = sc_membership_sums(labels, fit),
       sc_comparison_matrix = sc_compare_all(list(labels, fit)),
       sc_coassociation = sc_coassociation(list(labels, rev(labels))),
       sc_partial_ensemble = sc_partial_ensemble(rbind(labels)),
       sc_pclust = sc_pclust(list(labels, rev(labels)), 1, seed = 1),
       sc_untangle = sc_untangle(hclust(dist(x)), hclust(dist(x), "single"), seed = 1),
       sc_ensemble = sc_ensemble(labels, labels), sc_config = sc_config(),
       sc_method = sc_method("rand_index"), sc_table = summary(fit))
}

test_that("every method of every class says which argument it does not know", {
  require_python()
  require_package("generics")
  ours <- objects()
  tried <- 0
  for (generic in c("summary", "as.data.frame", "as.matrix", "as.table", "nobs", "fitted", "predict", "print",
                    "format", "tidy", "glance", "augment", "plot")) {
    f <- if (generic %in% c("tidy", "glance", "augment")) getExportedValue("generics", generic) else match.fun(generic)
    for (class in names(ours)) {
      method <- utils::getS3method(generic, class, optional = TRUE, envir = asNamespace("softclust"))
      # print() hands them to the method for data frames.
      handed <- generic == "format" && class == "sc_clustering" || generic == "print" && class %in% c("sc_clustering", "sc_contingency_table", "sc_pair_counts",
                                                    "sc_membership_sums", "sc_ensemble")
      if (is.null(method) || handed || !identical(environment(method), asNamespace("softclust"))) next
      tried <- tried + 1
      expect_error(f(ours[[class]], nonsense = 1), label = paste(generic, class))
    }
  }
  expect_gt(tried, 25)
  expect_error(summary(ours$sc_fit, nonsense = 1), "summary\\(\\) of this object has no argument `nonsense`",
               class = "softclust_TypeError")
})

test_that("broom's arguments do what broom says", {
  require_python()
  require_package("generics")
  x <- iris[, 1:4]
  fit <- sc_cluster(x, 3, "fuzzy_cmeans", seed = 1)
  new <- generics::augment(fit, newdata = x[c(1, 60), ])
  expect_identical(nrow(new), 2L)
  expect_identical(as.integer(new$.cluster), unname(predict(fit, x[c(1, 60), ], type = "labels")))
  expect_identical(names(generics::augment(fit, data = x))[1:5], c(names(x), ".cluster"))
  expect_error(generics::augment(fit, data = cbind(x, .cluster = 1)), "`.cluster` already",
               class = "softclust_ValueError")
  expect_error(generics::augment(sc_medoid(list(1:3, 3:1)), newdata = x), "no rule",
               class = "softclust_ClusteringError")
  compared <- sc_compare(iris$Species, fit, ci = "jackknife")
  tidied <- generics::tidy(compared)
  expect_identical(generics::tidy(compared, conf.int = TRUE, conf.level = 0.95), tidied)
  expect_false("conf.low" %in% names(generics::tidy(compared, conf.int = FALSE)))
  expect_error(generics::tidy(compared, conf.level = 0.5), "level 0.95, not 0.5",
               class = "softclust_ValueError")
})

test_that("broom's verbs know fits, matchings, all pairs and the number of clusters", {
  require_python()
  require_package("generics")
  x <- iris[, 1:4]
  fit <- sc_cluster(x, 3, "fuzzy_cmeans", seed = 1)
  tidied <- generics::tidy(fit)
  expect_identical(names(tidied), c("cluster", "size", "withinss", names(x)))
  expect_identical(tidied$size, tabulate(fit$labels))
  own <- x[fit$labels == 2, ]
  expect_equal(tidied$withinss[2], sum((t(own) - fit$centers[2, ])^2), tolerance = 1e-12)
  expect_equal(unlist(tidied[3, names(x)]), fit$centers[3, ], tolerance = 1e-15)
  glanced <- generics::glance(fit)
  expect_identical(nrow(glanced), 1L)
  expect_identical(glanced$nobs, 150L)
  expect_identical(glanced$converged, TRUE)
  bagged <- generics::tidy(sc_bagged(x, 3, n_resamples = 20, seed = 1))
  expect_identical(sum(bagged$size), 150L)
  all <- sc_compare_all(list(a = iris$Species, b = fit))
  expect_equal(generics::tidy(all)$value, all$value[2, 1], tolerance = 1e-15)
  expect_identical(nrow(generics::tidy(sc_compare_all(list(1:3, 1:3, 3:1)))), 3L)
  expect_identical(generics::glance(all)$measure, all$measure)
  number <- sc_cluster_number(x, 2:3, "silhouette", seed = 1)
  expect_identical(generics::tidy(number)$n.clusters, 2:3)
  expect_identical(generics::glance(number)$best, number$best)
  consensus <- sc_consensus(list(iris$Species, rep(1:3, each = 50)), seed = 1)
  expect_identical(generics::tidy(consensus)$size, c(50L, 50L, 50L))
  stability <- generics::tidy(sc_cluster_stability(fit$labels, list(fit$labels, iris$Species)))
  expect_identical(stability$term, c("1", "2", "3"))
  test <- sc_cluster_test(x[, 1:2], 2:3, n_references = 19, seed = 1)
  tested <- generics::tidy(test)
  expect_identical(tested$term[1:2], c("2", "3"))
  expect_identical(tested$against[1:2], c(1, 1))
  expect_identical(which(!is.na(tested$p.value[1:2])), which.max(as.data.frame(test)$z[1:2]))
  expect_match(tested$method, "k-means, uniform")
  expect_false(any(vapply(as.data.frame(test), function(column) any(is.nan(column)), NA)))
  matched <- generics::tidy(sc_match(iris$Species, fit))
  expect_identical(matched$x, levels(iris$Species))
  expect_identical(names(as.data.frame(sc_ensemble(a = iris$Species, b = fit$labels))), c("a", "b"))
})

test_that("plot() draws objects of whatever holds a clustering, and says where there is none", {
  require_python()
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  x <- iris[, 1:4]
  labels <- rep(1:3, each = 50)
  bagged <- sc_bagged(x, 3, n_resamples = 20, seed = 1)
  expect_error(plot(sc_ensemble(a = labels, b = rev(labels))), NA)
  for (each in list(bagged, sc_consensus(list(labels, bagged), seed = 1), sc_medoid(list(labels, bagged)),
                    sc_clustering(labels), bagged$clustering, sc_best_cut(hclust(dist(x)), labels),
                    sc_match(labels, bagged))) {
    expect_error(plot(each, x), NA)
    expect_error(plot(each, data = x[, 3:4]), NA)
    if (requireNamespace("ggplot2", quietly = TRUE)) expect_s3_class(ggplot2::autoplot(each, x), "ggplot")
  }
  found <- picture(bagged, x)
  expect_match(found$xlab, "component 1 (92 %)", fixed = TRUE)
  expect_identical(picture(bagged, x[, 3:4])$xlab, "Petal.Length")
  for (each in list(sc_compare(labels, bagged), sc_chance(labels, labels, method = "moments"))) {
    expect_error(plot(each, x), "no clustering", class = "softclust_ClusteringError")
  }
  expect_error(plot(sc_compare(labels, bagged), 3), "no argument without a name", class = "softclust_TypeError")
  expect_error(plot(bagged, x, x), "no argument without a name", class = "softclust_TypeError")
  expect_error(plot(bagged, mean), "no argument without a name", class = "softclust_TypeError")
  expect_error(plot(bagged, x[1:3, ]), "clustering has 150 objects and data 3", class = "softclust_ClusteringError")
})
