# The stored values of the repository, recomputed through R: what crosses the border is right.

test_that("measures of soft clusterings are those stored", {
  require_python()
  stored <- golden("soft-measures.json")
  inputs <- lapply(stored$inputs, stored_clustering)
  measures <- sc_measures()
  known <- if ("measure" %in% names(measures)) measures$measure else rownames(measures)
  cases <- stored$cases
  done <- 0
  for (i in which(cases$`function` %in% known)) {
    arguments <- lapply(cases$args[[i]], function(name) inputs[[name]])
    options <- Filter(function(v) !all(is.na(v)), lapply(as.list(cases$kwargs[i, ]), unlist))
    expected <- cases$expected[[i]]
    found <- suppressWarnings(do.call(sc_measure, c(cases$`function`[i], arguments, options)))
    if (is.null(expected) || all(is.na(expected))) {
      expect_true(is.nan(found[1L]), label = cases$id[i])
    } else {
      expect_lte(max(abs(as.vector(found) - unlist(expected))), cases$abs_tol[i],
                 label = cases$id[i])
    }
    done <- done + 1
  }
  expect_gt(done, 200)
})

test_that("alpha-Rand, alpha-partition and credal Rand indices are those stored", {
  require_python()
  stored <- golden("relational.json")
  named <- lapply(stored$paper_clusterings, stored_clustering)
  check <- function(x, y, values) {
    close <- function(found, expected) {
      expect_lte(abs(found - fraction(expected)), 1e-12)   # sums of a few fractions
    }
    for (alpha in names(values$alpha_rand)) {
      a <- fraction(alpha)
      close(sc_measure("alpha_rand_index", x, y, alpha = a), values$alpha_rand[[alpha]])
      close(sc_measure("alpha_partition_dissimilarity", x, y, alpha = a),
            values$alpha_partition[[alpha]])
    }
    interval <- sc_measure("alpha_rand_interval", x, y)
    close(interval[["low"]], values$alpha_rand[["1"]])
    close(interval[["high"]], values$alpha_rand[["0"]])
    close(sc_measure("credal_rand_index", x, y), values$belief_rand)
    close(sc_measure("credal_rand_index", x, y, distance = "jousselme"), values$jousselme_rand)
  }
  folder <- Sys.getenv("SOFTCLUST_GOLDEN")
  stored <- jsonlite::read_json(file.path(folder, "relational.json"))
  for (entry in stored$paper_examples) {
    check(named[[entry$x]], named[[entry$y]], entry$values)
  }
  for (entry in stored$random[seq(1, length(stored$random), by = 3)]) {
    if (is.null(entry$values) || isTRUE(entry$unnormalised)) next
    check(stored_clustering(entry$x), stored_clustering(entry$y), entry$values)
  }
})

test_that("clusterers reach the stored fits from the stored starts", {
  require_python()
  folder <- golden("clusterers.json")$about   # skips without the folder
  stored <- jsonlite::read_json(file.path(Sys.getenv("SOFTCLUST_GOLDEN"), "clusterers.json"))
  methods <- c(FuzzyCMeans = "fuzzy_cmeans", EvidentialCMeans = "evidential_cmeans",
               PossibilisticCMeans = "possibilistic_cmeans", RoughKMeans = "rough_kmeans")
  done <- 0
  for (case in stored$cases) {
    method <- unname(methods[case$estimator])
    if (is.na(method) || !identical(case$data, "toy2")) next
    x <- rows(stored$data$toy2$X)
    options <- lapply(case$params, function(v) if (is.list(v)) rows(v) else v)
    if (!is.null(case$sample_weight)) {
      options$sample_weight <- unlist(stored$weights[[case$sample_weight]])
    }
    start <- stored$starts[[case$init]]
    if (is.null(start) || "init" %in% names(options)) next
    start <- rows(start)
    fit <- suppressWarnings(do.call(sc_cluster, c(list(x, nrow(start), method = method, seed = 0,
                                                       init = start, n_init = 1), options)))
    allowed <- max(1e-7, suppressWarnings(as.numeric(unlist(case$tolerance))), na.rm = TRUE)
    expected <- case$expected
    if (!is.null(expected$cluster_centers)) {
      expect_lte(max(abs(fit$centers - rows(expected$cluster_centers))),
                 allowed, label = case$id)
    }
    for (part in intersect(c("membership", "typicality"), names(expected))) {
      expect_lte(max(abs(fit$clustering[[part]] - rows(expected[[part]]))),
                 allowed, label = case$id)
    }
    done <- done + 1
  }
  expect_gte(done, 5)
})

test_that("consensus reaches clue's from clue's starts", {
  require_python()
  stored <- golden("r", "clue_consensus.json")$ensembles$fuzzy_n20_k3_B5
  members <- lapply(seq_len(dim(stored$members)[1L]), function(b) {
    m <- stored$members[b, , ]
    m / rowSums(m)   # printed rows sum to 1 up to 1e-15
  })
  for (method in c("SE", "GV1")) {
    found <- sc_consensus(members, method, start = stored$starts[1L, , ], max_iter = 1000)
    expected <- stored$results[[method]]
    # clue stops when its objective moves by less than 1.5e-8 of itself
    expect_equal(found$objective, expected$objval_recomputed, tolerance = 1e-7)
    expect_equal(sort(colSums(found$membership)), sort(colSums(expected$membership)),
                 tolerance = 1e-6)
  }
  weighted <- sc_consensus(members, "SE", weights = stored$weights, max_iter = 1000,
                           start = stored$starts[1L, , ])
  expect_equal(weighted$objective, stored$results$SE_weights$objval_recomputed, tolerance = 1e-7)
})

test_that("margins, fuzziness, meets and joins are clue's", {
  require_python()
  stored <- golden("r", "clue_misc.json")
  for (case in stored$partition[c("fuzzy_k4", "fuzzy_k5_sharp")]) {
    u <- case$input / rowSums(case$input)
    expect_equal(sc_margin(u), case$margin, tolerance = 1e-12)
    expect_equal(sc_fuzziness(u), case$fuzziness_PC_normalized, tolerance = 1e-12)
    expect_equal(sc_fuzziness(u, method = "partition_entropy", normalize = FALSE),
                 case$fuzziness_PE, tolerance = 1e-12)
  }
  appearance <- function(x) match(x, unique(x))
  for (case in stored$lattice) {
    ids <- function(x) as.integer(unclass(x$labels))
    expect_equal(ids(sc_meet(case$A, case$B)), appearance(case$meet_AB))
    expect_equal(ids(sc_join(case$A, case$B)), appearance(case$join_AB))
    expect_equal(ids(sc_join(list(case$A, case$B, case$C))), appearance(case$join_ABC))
  }
})

test_that("bagging R's own k-means gives what clue::cl_bag gives for the same draws", {
  require_python()
  stored <- golden("r", "clue_misc.json")$bagging
  for (case in stored[c("kmeans_1", "kmeans_2")]) {
    lloyd <- function(x, k) kmeans(x, case$start, algorithm = "Lloyd", iter.max = 100)
    nearest <- function(fit, x) {
      apply(x, 1L, function(row) which.min(colSums((t(fit$centers) - row)^2)))
    }
    found <- sc_bagged(case$x, case$k, estimator = lloyd, predict = nearest, votes = "all",
                       indices = case$indices, seed = 1)
    expect_equal(unname(found$membership), case$bagged, tolerance = 1e-12)
  }
})

test_that("the area of a dendrogram is that stored", {
  require_python()
  stored <- golden("roc.json")
  folder <- Sys.getenv("SOFTCLUST_GOLDEN")
  items <- jsonlite::read_json(file.path(folder, "roc.json"))$items
  names(items) <- vapply(items, function(item) item$id, "")
  toy <- items[["toy-six"]]
  roc <- sc_pair_roc(unlist(toy$input$truth), hclust(dist(unlist(toy$input$x)), "single"))
  expect_equal(roc$k, unlist(toy$expected$k))
  expect_equal(roc$eps1, unlist(toy$expected$eps1), tolerance = 1e-9)
  expect_equal(roc$eps2, unlist(toy$expected$eps2), tolerance = 1e-9)
  area <- items[["table1-iris"]]$expected$average
  if (isTRUE(area$tie_free)) {
    roc <- sc_pair_roc(iris$Species, hclust(dist(iris[, 1:4]), "average"), max_clusters = 20,
                       ties = "order")
    expect_equal(roc$auc, area$auc_kmax, tolerance = 1e-5)   # six digits are stored
  }
})

test_that("matchings of the stored tables have the stored pairs", {
  require_python()
  golden("truecluster.json")$about
  items <- jsonlite::read_json(file.path(Sys.getenv("SOFTCLUST_GOLDEN"), "truecluster.json"))$items
  for (item in items) {
    if (is.null(item$input$table) || is.null(item$expected$trace)) next
    table <- rows(item$input$table)
    if (sum(table) > 1e4 || any(rowSums(table) == 0) || any(colSums(table) == 0)) next
    cells <- which(table > 0, arr.ind = TRUE)
    x <- rep(cells[, 1L], table[cells])
    y <- rep(cells[, 2L], table[cells])
    for (method in c("trace", "truematch")) {
      found <- sc_match(x, y, method = method, seed = 1)
      expect_equal(unname(found$table), table)
      mine <- apply(found$pairs, 1L, paste, collapse = "-")
      allowed <- vapply(item$expected[[method]], function(answer) {
        setequal(vapply(answer$pairs, function(p) paste(unlist(p) + 1L, collapse = "-"), ""), mine)
      }, NA)
      expect_true(any(allowed), label = paste(item$id, method))
    }
  }
})
