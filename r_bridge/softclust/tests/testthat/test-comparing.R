x <- c("a", "a", "b", "b", "c", "c")
y <- c(1, 1, 1, 2, 3, 3)
u <- rbind(c(0.9, 0.1, 0), c(0.8, 0.1, 0.1), c(0, 0.6, 0.4), c(0.3, 0.7, 0), c(0.1, 0.1, 0.8),
           c(0, 0.2, 0.8))
rough <- if (sc_available()) sc_rough(upper = u > 0.15)

test_that("all measures are asked for by one word", {
  require_python()
  x <- c(1, 1, 2, 2, 3, 3)
  usual <- sc_compare(x, rev(x))
  all <- sc_compare(x, rev(x), "all")
  expect_identical(head(all$rows$measure, 3), head(usual$rows$measure, 3))
  often <- usual$left_out$measure[usual$left_out$why == "used less often"]
  expect_true(all(often %in% unlist(c(all$rows$measure, all$rows$also))) || nrow(all$rows) > 40)
  expect_false("used less often" %in% all$left_out$why)
})

test_that("a comparison has Python's numbers", {
  require_python()
  result <- sc_compare(x, u)
  rows <- result$rows
  expect_s3_class(result, c("sc_comparison", "sc_result"), exact = TRUE)
  python <- in_python("[[r.low, r.high, r.chance] for r in sc.compare(a['x'], np.array(a['u']))]",
                      x = x, u = u)
  expect_equal(unname(as.matrix(rows[c("low", "high", "chance")])), python, tolerance = 1e-15)
  expect_identical(result$kinds, c("hard", "fuzzy"))
  expect_identical(result$n_clusters, c(3, 3))
  expect_identical(result$names, c("x", "u"))
  expect_identical(names(result)[length(result)], "versions")
  expect_null(result$seed)
})

test_that("clusterings are called what the expressions are called, where that is short", {
  require_python()
  one <- x
  expect_identical(sc_compare(one, list(y)[[1L]])$names, c("one", "y"))
  expect_identical(sc_compare(x, x)$names, c("x", "y"))
  expect_identical(do.call(sc_compare, list(x, y))$names, c("x", "y"))
  expect_identical(sc_compare(x, y, names = c("A", "B"))$names, c("A", "B"))
})

test_that("measures are chosen, in the order wanted", {
  require_python()
  names <- c("rand_index", "adjusted_rand_index")
  expect_identical(sc_compare(x, y, measures = rev(names))$rows$measure, rev(names))
  expect_identical(sc_compare(x, y, measures = "rand_index")$rows$measure, "rand_index")
  expect_error(sc_compare(x, u, measures = "rand_index"), "sc_harden",
               class = "softclust_ClusteringError")
  expect_error(sc_compare(x, y, measures = "rand"), "similar: .*rand_index", class = "softclust_ValueError")
  a <- sc_compare(u, rough, measures = "alpha_rand_index", alpha = 1)
  expect_identical(a$rows$options, "alpha = 1.0")
  expect_identical(a$rows$value, sc_measure("alpha_rand_index", u, rough, alpha = 1))
})

test_that("intervals and undefined values are told apart", {
  require_python()
  rows <- as.data.frame(sc_compare(x, rough))
  expect_true(rows["alpha_rand_interval", "interval"])
  expect_true(is.nan(rows["alpha_rand_interval", "value"]))
  expect_lt(rows["alpha_rand_interval", "low"], rows["alpha_rand_interval", "high"])
  result <- sc_compare(rep(1, 4), 1:4, measures = c("rand_index", "katz_powell_index"))
  expect_true(is.nan(result$rows$value[2L]))
  expect_match(result$rows$note[2L], "undefined")
  expect_length(result$notes, 1L)
  expect_output(print(result), "undefined")
})

test_that("confidence limits are Python's", {
  require_python()
  result <- sc_compare(x, y, measures = "rand_index", ci = "jackknife", level = 0.9)
  python <- in_python("[sc.compare(a['x'], a['y'], measures='rand_index', ci='jackknife',
    level=0.9).rows[0].ci_low]", x = x, y = y)
  expect_equal(result$rows$ci_low, as.double(python), tolerance = 1e-15)
  expect_null(result$seed)
  expect_output(print(result), "90 % CI")
  expect_error(sc_compare(x, y, ci = "normal"), class = "softclust_ValueError")
  expect_error(sc_compare(x, y, names = "one"), class = "softclust_TypeError")
})

test_that("one measure gives a number, an interval or a record", {
  require_python()
  expect_equal(sc_measure("rand_index", x, y), 12 / 15)
  interval <- sc_measure("alpha_rand_interval", x, rough)
  expect_identical(names(interval), c("low", "high"))
  expect_s3_class(sc_measure("transport_rand_index", x, rough), "sc_transport")
  expect_length(sc_measure("membership_entropy", u, average = FALSE), 6L)
  expect_equal(sc_measure("nonspecificity", rough), sc_nonspecificity(rough))
  expect_error(sc_measure("nonspecificity", u, u), "leave out y", class = "softclust_TypeError")
  expect_error(sc_measure("rand_index", x), "give y", class = "softclust_TypeError")
  expect_error(sc_measure(1, x), class = "softclust_TypeError")
  expect_equal(sc_measure("normalized_mutual_information", x, y, average = "max"),
               as.double(in_python("[sc.normalized_mutual_information(a['x'], a['y'],
                 average='max')]", x = x, y = y)), tolerance = 1e-15)
})

test_that("the registry is read from Python", {
  require_python()
  found <- sc_measures()
  expect_identical(row.names(found), found$name)
  expect_identical(found$name, in_python("list(sc.list_measures().index)"))
  expect_true(all(c("rand_index", "alpha_rand_interval") %in% found$name))
  expect_identical(found["rand_index", "low"], 0)
  expect_identical(found["adjusted_mutual_information", "low"], -Inf)
  expect_true(is.na(found["mutual_information", "high"]))
  expect_true(is.na(found["anderson_jaccard_index", "r"]))
})

test_that("all measures that suit can be called", {
  require_python()
  found <- sc_measures()
  for (name in found$name[found$arity == 2 & grepl("hard", found$kinds)]) {
    expect_true(is.numeric(unlist(suppressWarnings(sc_measure(name, x, y))[1L])), info = name)
  }
})

test_that("pairs are counted", {
  require_python()
  counts <- sc_pair_counts(x, y)
  expect_identical(unlist(counts[c("n11", "n10", "n01", "n00", "n_pairs")]),
                   c(n11 = 2, n10 = 1, n01 = 2, n00 = 10, n_pairs = 15))
  expect_identical(nrow(as.data.frame(counts)), 1L)
  expect_output(print(counts), "together in x")
  expect_error(sc_pair_counts(x, u), class = "softclust_ClusteringError")
  edges <- sc_pair_counts(c(1, 1, 2, 2), c(1, 1, 2, 3), pairs = cbind(1:3, 2:4))
  expect_equal(sc_measure("adjusted_rand_index", edges), 0.4)
  expect_equal(sc_measure("adjusted_rand_index", counts), sc_measure("adjusted_rand_index", x, y))
  expect_error(sc_pair_counts(x, y, pairs = cbind(1, 7)), "positions from 0 to 5",
               class = "softclust_ClusteringError")
  expect_error(sc_compare(edges), "pair counts have no objects")
})

test_that("several clusterings make a matrix", {
  require_python()
  runs <- list(x = x, y = y, u = u, rough = rough)
  expect_identical(sc_compare_all(runs[1:2])$measure, "adjusted_rand_index")
  expect_identical(sc_compare_all(runs[1:3])$measure, "frobenius_adjusted_rand_index")
  m <- sc_compare_all(runs, "alpha_rand_interval")
  expect_s3_class(m, c("sc_comparison_matrix", "sc_result"), exact = TRUE)
  expect_identical(dimnames(m$lower), list(names(runs), names(runs)))
  expect_identical(c(m$lower["x", "rough"], m$upper["x", "rough"]),
                   unname(sc_measure("alpha_rand_interval", x, rough)))
  expect_equal(as.matrix(as.dist(m)), 1 - as.matrix(m) + diag(diag(as.matrix(m)) - 1),
               ignore_attr = TRUE)
  expect_identical(nrow(as.data.frame(m)), 16L)
  expect_output(print(m), "alpha_rand_interval (agreement) of 4 clusterings", fixed = TRUE)
  single <- sc_compare_all(runs[1:2], "alpha_rand_index", alpha = 0.2)
  expect_identical(single$value["x", "y"], sc_measure("alpha_rand_index", x, y, alpha = 0.2))
  expect_output(print(single), "alpha = 0.2")
  skewed <- sc_compare_all(runs[1:2], "wallace_index")
  expect_false(skewed$symmetric)
  expect_identical(skewed$value["y", "x"], sc_measure("wallace_index", y, x))
  expect_error(as.dist(skewed), "symmetric", class = "softclust_ValueError")
  expect_error(as.dist(sc_compare_all(runs[1:2], "mutual_information")), "best value",
               class = "softclust_ValueError")
  expect_equal(as.vector(as.dist(sc_compare_all(runs[1:2], "rand_distance"))), 3 / 15)
  expect_error(sc_compare_all(runs, "rand_index"), "fuzzy", class = "softclust_ClusteringError")
  expect_error(sc_compare_all(runs, "no_such"), class = "softclust_ValueError")
  expect_identical(sc_compare_all(data.frame(p = x, q = as.character(y)))$names, c("p", "q"))
})

test_that("transport tells what is exact", {
  require_python()
  result <- sc_transport(x, rough)
  expect_true(result$exact_lower && result$exact_upper)
  expect_null(result$seed)
  python <- in_python("[sc.transport_dissimilarity(a['x'], sc.RoughClustering.from_upper(
    np.array(a['u']) > 0.15)).upper]", x = x, u = u)
  expect_equal(result$upper, as.double(python), tolerance = 1e-15)
  expect_identical(row.names(as.data.frame(result)), c("lower", "upper", "value"))
  drawn <- sc_transport(u, rough, method = "montecarlo", n_draws = 50, seed = 4)
  expect_identical(drawn$seed, 4)
  python <- in_python("[sc.transport_dissimilarity(np.array(a['u']), sc.RoughClustering.from_upper(
    np.array(a['u']) > 0.15), method='montecarlo', n_draws=50, rng=4).value]", u = u)
  expect_equal(drawn$value, as.double(python), tolerance = 1e-15)
  again <- sc_transport(u, rough, method = "montecarlo", n_draws = 50)
  expect_identical(sc_transport(u, rough, method = "montecarlo", n_draws = 50,
                                seed = again$seed)$value, again$value)
  agreement <- sc_transport(x, rough, sense = "agreement")
  expect_equal(agreement$lower, 1 - result$upper)
  expect_output(print(result), "exact")
  expect_error(sc_transport(x, rough, base = mean), class = "softclust_TypeError")
  expect_error(sc_transport(x, rough, method = "guess"))
  expect_error(sc_transport(x, rough, nonsense = 1), "no option", class = "softclust_TypeError")
  ready <- matrix(stats::runif(60), 10)
  expect_identical(sc_transport(u, rough, method = "montecarlo", uniforms = ready)$value,
                   sc_transport(u, rough, method = "montecarlo", uniforms = ready)$value)
})

test_that("the Prayatul matrix says who is right", {
  require_python()
  truth <- c("a", "a", "a", "b", "b", "b")
  result <- sc_prayatul(truth, c(1, 1, 1, 2, 2, 1), c(1, 2, 1, 2, 1, 2), names = c("A", "B"))
  expect_identical(unname(result$matrix), rbind(c(4, 6), c(3, 2)))
  expect_equal(result$objects$advantage, c(0.2, 0.6, 0.2, 0.2, 0.6, -0.6))
  expect_equal(result$comparative_deviation, 1 / 3)
  expect_identical(unname(result$same_class + result$different_class), unname(result$matrix))
  limits <- sc_prayatul(x, y, u, ci = "bootstrap", n_resamples = 100, seed = 2)
  python <- in_python("[sc.prayatul(a['x'], a['y'], np.array(a['u'])).bootstrap(2,
    n_resamples=100).to_frame().loc['delta', 'lower']]", x = x, y = y, u = u)
  expect_equal(limits$intervals["delta", "lower"], as.double(python), tolerance = 1e-15)
  expect_identical(limits$seed, 2)
  bounds <- sc_prayatul(x, y, rough, coupling = "evidential")
  expect_identical(dim(bounds$matrix), c(3L, 3L))
  expect_lt(bounds$delta[["low"]], bounds$delta[["high"]])
  expect_output(print(bounds), "unknown")
  expect_output(print(result), "Prayatul matrix of A and B")
  expect_identical(names(as.data.frame(bounds)), c("lower", "upper"))
  noisy <- sc_prayatul(c(1, 1, 2, 2, 1), c(-1, 1, 2, 2, 2), c(1, 1, 2, -1, 1), noise = "drop")
  expect_identical(noisy$positions, c(2, 3, 5))
  other <- sc_prayatul(c(1, 1, 2, 2, 1), c("?", "a", "b", "b", "b"), c("a", "a", "b", "?", "a"),
                       noise = "drop", noise_label = "?")
  expect_identical(other$positions, c(2, 3, 5))
  expect_error(sc_prayatul(x, y, rough), class = "softclust_ClusteringError")
})

test_that("results are drawn and leave the settings of the device alone", {
  require_python()
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  before <- graphics::par("mar")
  results <- list(
    sc_compare(x, y, measures = c("rand_index", "jaccard_index")),
    sc_compare(x, rough, measures = "alpha_rand_interval", ci = "jackknife"),
    sc_compare_all(list(x, u, rough)), sc_transport(x, rough), sc_prayatul(x, y, u),
    suppressWarnings(sc_prayatul(x, y, rough, coupling = "evidential")))
  for (result in results) {
    expect_identical(expect_invisible(plot(result)), result)
    expect_output(expect_invisible(print(result)))
    expect_identical(graphics::par("mar"), before)
  }
  expect_silent(plot(sc_compare(x, u)))   # a range without an end is no reason to leave out
  undefined <- sc_compare(x, y, measures = c("rand_index", "jaccard_index"))
  undefined$rows$low[1L] <- NaN
  expect_message(plot(undefined), "Not drawn \\(undefined\\): rand_index")
  undefined$rows$low[2L] <- NaN
  expect_error(plot(undefined), class = "softclust_ValueError")
})

test_that("results survive saveRDS", {
  require_python()
  file <- tempfile()
  on.exit(unlink(file))
  for (result in list(sc_compare(x, u), sc_compare_all(list(x, u)), sc_transport(x, rough),
                      sc_prayatul(x, y, u), sc_pair_counts(x, y), sc_clustering(u))) {
    saveRDS(result, file)
    expect_identical(readRDS(file), result)
    expect_output(print(readRDS(file)))
  }
})

test_that("counts of pairs can be drawn", {
  require_python()
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  counts <- sc_pair_counts(c(1, 1, 2, 2), c(1, 1, 2, 3))
  expect_identical(plot(counts), counts)
  expect_identical(plot(sc_pair_counts(1:3, 1:3))$n11, 0)
})

test_that("sides without a short name are called by their part", {
  require_python()
  truth <- c(1, 1, 2, 2)
  km <- c(1, 1, 1, 2)
  expect_identical(sc_prayatul(truth, km, c(1, 2, 1, 2))$names, c("km", "alternative"))
  expect_identical(sc_prayatul(truth, c(1, 2, 1, 2), km)$names, c("primary", "km"))
  expect_identical(suppressWarnings(sc_prayatul(truth, km, km))$names, c("primary", "alternative"))
  expect_identical(sc_compare(km, c(1, 2, 1, 2), "rand_index")$names, c("km", "y"))
})

test_that("results without a picture say so", {
  require_python()
  expect_error(plot(new_result(list(value = 1), "sc_estimate")), "has no plot", class = "softclust_TypeError")
})

test_that("measures are understood by common names, and near misses of cRand are the corrected index", {
  require_python()
  x <- c(1, 1, 2, 2, 3)
  y <- c(1, 2, 2, 2, 3)
  value <- sc_measure("adjusted_rand_index", x, y)
  for (name in c("cRand", "ARI", "ari", "adjusted_rand")) {
    expect_identical(sc_measure(name, x, y), value, info = name)
  }
  expect_identical(sc_compare(x, y, "cRand")$rows$measure, "adjusted_rand_index")
  expect_identical(sc_compare_all(list(x, y), "ARI")$measure, "adjusted_rand_index")
  expect_identical(sc_method("cRand")(x, y), value)
  expect_identical(sc_medoid(list(x, y, y), measure = "VI")$measure, "variation_of_information")
  expect_error(sc_measure("cRan", x, y), "similar: adjusted_rand_index", class = "softclust_ValueError")
  expect_error(sc_measure("Rand", x, y), "rand_distance, rand_index", class = "softclust_ValueError")
})

test_that("a method says by which rule it goes", {
  require_python()
  expect_output(print(sc_method("NMI")), "average = \"arithmetic\"", fixed = TRUE)
  expect_output(print(sc_method("NMI", average = "geometric")), "average = \"geometric\")", fixed = TRUE)
})
