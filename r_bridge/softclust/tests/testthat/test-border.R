front_call <- getFromNamespace("front_call", "softclust")
echo <- function(x) front_call("echo", value = x)

test_that("vectors, matrices and lists come back as they went", {
  require_python()
  m <- matrix(c(1.5, NA, -2, 0, NaN, Inf), 3)
  for (x in list(m, c(1.5, NA), array(as.double(1:24), 2:4), "é", c("é", "b"), TRUE,
                 c(TRUE, FALSE, TRUE), matrix(c(TRUE, FALSE), 1), 0.5, 2^40, -3, NULL, list(),
                 list(1, "a", list(TRUE, "b")), list(a = 1, b = c("x", "y"), c = NULL))) {
    expect_identical(echo(x), x)
  }
  expect_identical(echo(1:3), c(1, 2, 3))
  expect_identical(echo(matrix(1:4, 2)), matrix(c(1, 2, 3, 4), 2))
  expect_identical(echo(factor(c("b", "a"))), c("b", "a"))
  expect_identical(echo(numeric(0)), numeric(0))
})

test_that("strings survive another encoding", {
  require_python()
  latin <- iconv("M\u00fcnchen", "UTF-8", "latin1")
  expect_identical(echo(latin), "M\u00fcnchen")
  expect_identical(echo(c(latin, "\u4e2d")), c("M\u00fcnchen", "\u4e2d"))
})

test_that("a million numbers cross", {
  require_python()
  m <- matrix(as.double(1:1e6), 1000)
  expect_identical(echo(m), m)
})

test_that("clusterings and ensembles come back as they went", {
  require_python()
  upper <- rbind(c(TRUE, FALSE), c(TRUE, TRUE))
  for (x in list(
    sc_clustering(c(a = "u", b = "v", c = "u")), sc_clustering(c(5, 3, 5)), sc_clustering(c(1, 2, 1)),
    sc_clustering(matrix(c(0.9, 0.4, 0.1, 0.6), 2, dimnames = list(c("x", "y"), c("a", "b")))),
    sc_rough(upper = upper), sc_clustering(matrix(c(0.5, 1, 0.1, 0), 2), "possibilistic"),
    sc_evidential(rbind(c(0.2, 0.8), c(0, 1)), list(NULL, c(1, 2))),
    sc_clustering("one"), sc_ensemble(a = c(1, 2), b = sc_rough(upper = upper)),
    sc_cover(list(a = c("u", "w"), b = character(0), c = c("v", "w")), c("u", "v", "w", "z"))
  )) {
    expect_identical(echo(x), x)
  }
})

test_that("what has no counterpart raises", {
  require_python()
  expect_error(echo(NA), class = "softclust_ValueError")
  expect_error(echo(c(1L, NA)), class = "softclust_ValueError")
  expect_error(echo(c("a", NA)), class = "softclust_ValueError")
  expect_error(echo(1i), class = "softclust_TypeError")
  expect_error(echo(mean), class = "softclust_TypeError")
  expect_error(echo(list(a = 1, a = 2)), class = "softclust_TypeError")
  expect_error(echo(as.Date("2020-01-01")), class = "softclust_TypeError")
})

test_that("errors of Python are conditions with classes and with R's words", {
  require_python()
  e <- tryCatch(sc_measure("rand_index", c(1, 2), rbind(c(1, 0), c(0.5, 0.5))), error = identity)
  expect_s3_class(e, c("softclust_ClusteringError", "softclust_error", "error", "condition"),
                  exact = TRUE)
  expect_match(conditionMessage(e), "sc_harden(y)", fixed = TRUE)
  expect_error(sc_measure("rand_indx", c(1, 2), c(1, 2)), "rand_index",
               class = "softclust_ValueError")
  expect_error(front_call("no_such_command"), class = "softclust_LookupError")
})

test_that("warnings of Python are conditions with classes", {
  require_python()
  expect_warning(v <- sc_measure("katz_powell_index", c(1, 1, 1), c(1, 2, 3)),
                 class = "softclust_UndefinedMeasureWarning")
  expect_true(is.nan(v))
  w <- tryCatch(sc_measure("katz_powell_index", c(1, 1, 1), c(1, 2, 3)), warning = identity)
  expect_s3_class(w, c("softclust_UndefinedMeasureWarning", "softclust_warning", "warning",
                       "condition"), exact = TRUE)
})

test_that("nothing is printed and the global environment stays as it is", {
  require_python()
  before <- ls(globalenv(), all.names = TRUE)
  expect_silent(sc_measure("rand_index", c(1, 1, 2), c(1, 2, 2)))
  expect_identical(setdiff(ls(globalenv(), all.names = TRUE), c(before, ".Random.seed")),
                   character(0))
})

test_that("R's random numbers move only where something is drawn", {
  require_python()
  u <- rbind(c(0.9, 0.1), c(0.2, 0.8), c(0.5, 0.5))
  set.seed(1)
  before <- .Random.seed
  sc_measure("alpha_rand_index", u, u[3:1, ])
  sc_measure("rand_index", c(1, 2, 2), c(1, 1, 2))
  sc_transport(c(1, 2, 2), c(1, 1, 2))
  sc_compare(c(1, 2, 2), c(1, 1, 2), ci = "jackknife")
  expect_identical(.Random.seed, before)
  sc_compare(c(1, 2, 2), c(1, 1, 2), measures = "rand_index", ci = "bootstrap", n_resamples = 50)
  expect_false(identical(.Random.seed, before))
})

test_that("set.seed() governs; a seed that is given wins", {
  require_python()
  x <- rep(1:3, 5)
  y <- c(rep(1:3, 4), 3, 1, 2)
  limits <- function(...) {
    sc_compare(x, y, measures = "rand_index", ci = "bootstrap", n_resamples = 50, ...)
  }
  set.seed(7)
  a <- limits()
  set.seed(7)
  b <- limits()
  expect_identical(a, b)
  expect_identical(limits(seed = a$seed)$rows, a$rows)
  expect_false(identical(limits(seed = 3)$rows$ci_low, limits(seed = 4)$rows$ci_low))
  python <- in_python("[r.ci_low for r in sc.compare(a['x'], a['y'], measures='rand_index',
    ci='bootstrap', n_resamples=50, rng=3)]", x = x, y = y)
  expect_equal(limits(seed = 3)$rows$ci_low, as.double(python), tolerance = 1e-15)
  expect_error(limits(seed = -1), class = "softclust_ValueError")
  expect_error(limits(seed = "a"), class = "softclust_ValueError")
})

test_that("options must have names, once", {
  expect_error(sc_measure("rand_index", c(1, 2), c(1, 2), 3), class = "softclust_TypeError")
  require_python()
  expect_error(sc_measure("rand_index", c(1, 2), c(1, 2), foo = 3), "no option",
               class = "softclust_TypeError")
})

test_that("Ctrl-C ends a call and leaves Python usable", {
  require_python()
  skip_on_os("windows")
  script <- tempfile(fileext = ".R")
  writeLines(c(
    sprintf("library('softclust', lib.loc = %s)", deparse(dirname(find.package("softclust")))),
    "invisible(sc_measure('rand_index', c(1, 1, 2), c(1, 2, 2)))",
    "n <- 200000; u <- matrix(stats::runif(6 * n), n); u <- u / rowSums(u)",
    "system(sprintf('(sleep 2; kill -INT %d) &', Sys.getpid()))",
    "found <- tryCatch(sc_measure('alpha_rand_index', u, u[n:1, ]),",
    "                  interrupt = function(i) 'interrupted', error = conditionMessage)",
    "cat(found, sc_measure('rand_index', c(1, 1, 2, 2), c(1, 1, 2, 2)))"), script)
  out <- system2(file.path(R.home("bin"), "Rscript"), c("--vanilla", script), stdout = TRUE,
                 stderr = TRUE)
  expect_match(paste(out, collapse = " "), "interrupted 1")
})

test_that("limits of time end a call and leave Python usable", {
  require_python()
  n <- 200000
  u <- matrix(stats::runif(6 * n), n)
  u <- u / rowSums(u)
  sc_measure("alpha_rand_index", u[1:50, ], u[50:1, ])   # nothing is left to compile
  started <- proc.time()[["elapsed"]]
  on.exit(setTimeLimit())
  setTimeLimit(elapsed = 1, transient = TRUE)
  message <- tryCatch(sc_measure("alpha_rand_index", u, u[n:1, ]), error = conditionMessage)
  setTimeLimit()
  expect_identical(message, gettext("reached elapsed time limit", domain = "R"))
  expect_lt(proc.time()[["elapsed"]] - started, 20)
  expect_null(getOption("error"))
  expect_identical(sc_measure("rand_index", c(1, 1, 2, 2), c(1, 1, 2, 2)), 1)
})
