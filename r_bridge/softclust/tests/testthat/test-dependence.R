batch <- rep(c("a", "b"), each = 8)
x <- c(0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 0)
y <- c(0, 0, 0, 0, 0, 0, 1, 0, 1, 1, 1, 1, 1, 1, 0, 1)

test_that("strata have Python's numbers", {
  require_python()
  found <- sc_agreement_by_strata(x, y, batch)
  expect_equal(1 - found$total, (1 - found$from_strata) * (1 - found$adjusted))
  expect_identical(found$rows$stratum, c("a", "b"))
  expect_output(print(found), "follows the strata")
  expect_gt(sc_conditional_mutual_information(x, y, factor(batch)), 0)
  inside <- sc_chance(x, y, "rand_index", method = "exact", strata = batch)
  expect_match(inside$notes, "permuted within 2 strata", all = FALSE)
  python <- in_python("[sc.chance(a['x'], a['y'], 'rand_index', method='exact',
    strata=a['s'])['rand_index'].p_value]", x = x, y = y, s = rep(0:1, each = 8))
  expect_equal(inside$rows$p_value, as.numeric(python))
  expect_error(sc_agreement_by_strata(x, y, c(NA, batch[-1])), "missing",
               class = "softclust_ClusteringError")
})

test_that("each stratum has limits", {
  require_python()
  set.seed(1)
  first <- sample(3, 140, TRUE)
  second <- ifelse(runif(140) < 0.3, sample(3, 140, TRUE), first)
  site <- rep(c("a", "b"), 70)
  patient <- paste(site, rep(1:35, each = 4))
  found <- sc_agreement_by_strata(first, second, site, ci = "jackknife", level = 0.9, groups = patient)
  for (k in 1:2) {
    inside <- site == found$rows$stratum[k]
    alone <- sc_compare(first[inside], second[inside], "adjusted_rand_index", ci = "jackknife",
                        level = 0.9, groups = patient[inside])$rows
    expect_equal(unlist(found$rows[k, c("value", "ci_low", "ci_high")]),
                 unlist(alone[c("value", "ci_low", "ci_high")]))
  }
  expect_equal(found$difference[1], found$rows$value[1] - found$rows$value[2])
  python <- in_python("[sc.agreement_by_strata(a['x'], a['y'], a['s'], ci='jackknife', level=0.9,
    groups=a['g']).difference]", x = first, y = second, s = site, g = patient)
  expect_equal(found$difference, as.numeric(python))
  expect_output(print(found), "90 % CI.*a minus b: -0.070 \\(-0.352 to 0.214\\)")
  expect_null(sc_agreement_by_strata(first, second, site)$difference)
  expect_error(sc_agreement_by_strata(first, second, site, ci = "percentile"), "jackknife",
               class = "softclust_error")
})

test_that("a batch effect is Python's", {
  require_python()
  type <- rep(c("B", "T"), each = 20)
  plate <- rep(1:2, 20)
  found <- sc_batch_effect(paste(type, plate), plate, within = type, seed = 1)
  expect_equal(found$share, 1)
  expect_true(found$follows)
  expect_equal(found$p_value, 0.001)
  expect_identical(as.data.frame(found)$class, c("B", "T"))
  expect_output(print(found), "follow the batch within classes")
  expect_error(sc_batch_effect(type, plate, level = 0.95), "significance",
               class = "softclust_TypeError")
})

test_that("limits take groups", {
  require_python()
  set.seed(1)
  groups <- rep(1:20, each = 4)
  first <- sample(3, 80, TRUE)
  second <- ifelse(runif(80) < 0.2, sample(3, 80, TRUE), first)
  found <- sc_compare(first, second, measures = "rand_index", ci = "jackknife", groups = groups)
  expect_identical(found$rows$ci_method, "jackknife, groups")
  expect_match(found$notes[length(found$notes)], "20 groups are sampled")
  within <- sc_compare(first, second, measures = "rand_index", ci = "jackknife", groups = groups,
                       pairs = "within")
  same <- outer(groups, groups, "==") & upper.tri(diag(80))
  agree <- outer(first, first, "==") == outer(second, second, "==")
  expect_equal(within$rows$value, mean(agree[same]))
  expect_error(sc_compare(first, second, pairs = "within"), "no effect without groups",
               class = "softclust_ValueError")
})

test_that("truth may be a sample", {
  require_python()
  predicted <- c(1, 1, 1, 2, 2, 3, 3, 4, 5, 5)
  truth <- c("a", "a", "a", "b", "b", "c", "c", "c", NA, NA)
  found <- sc_sampled_truth(predicted, truth, "clusters", 2 / 3)
  expect_equal(found$rows$value[found$rows$measure == "pair_recall"], 5 / 7)
  expect_output(print(found), "3 true clusters sampled")
  pairs <- sc_sampled_pairs(predicted, c(1, 1, 4, 1), c(2, 3, 5, 4), c(TRUE, TRUE, FALSE, FALSE), 0.5)
  expect_equal(pairs$rows$value[pairs$rows$measure == "pair_precision"], 2 / 3)
  expect_equal(names(pairs$totals)[4], "objects")
})
