setting <- function(name) getFromNamespace(name, "softclust")

# Evaluates `code` with other functions in the package's namespace (testthat 3.1.7 and newer have
# local_mocked_bindings() for it).
with_functions <- function(functions, code) {
  space <- asNamespace("softclust")
  put <- function(values) {
    for (name in names(values)) {
      unlockBinding(name, space)
      assign(name, values[[name]], envir = space)
      lockBinding(name, space)
    }
  }
  kept <- mget(names(functions), envir = space)
  on.exit(put(kept))
  put(functions)
  force(code)
}

# Evaluates `code` with these environment variables; NA removes one.
with_variables <- function(values, code) {
  set <- function(v) {
    for (name in names(v)) {
      if (is.na(v[[name]])) Sys.unsetenv(name) else do.call(Sys.setenv, as.list(v[name]))
    }
  }
  old <- Sys.getenv(names(values), unset = NA)
  on.exit(set(old))
  set(values)
  force(code)
}

unconfigured <- c(RETICULATE_PYTHON = NA, RETICULATE_PYTHON_ENV = NA, VIRTUAL_ENV = NA,
                  CONDA_PREFIX = NA)
nothing_found <- list(own_virtualenv_exists = function() FALSE,
                      python_was_chosen = function() FALSE, python_runs = function() FALSE)

# Evaluates `code` as if Python had not been called yet.
before_first_call <- function(code) {
  state <- get(".state", asNamespace("softclust"))
  kept <- state$call
  on.exit(state$call <- kept)
  state$call <- NULL
  force(code)
}

test_that("sc_config() lists versions", {
  config <- sc_config()
  expect_s3_class(config, "sc_config")
  expect_true(all(c("R", "softclust.R", "reticulate") %in% names(config$versions)))
  expect_output(print(config), "softclust:")
  expect_identical(config$available, sc_available())
})

test_that("Python's versions are known when it is there", {
  require_python()
  expect_true(all(c("python", "numpy", "softclust") %in% names(sc_config()$versions)))
  expect_null(sc_config()$problem)
})

test_that("loading starts neither Python nor anything else", {
  script <- tempfile(fileext = ".R")
  writeLines(c(
    sprintf("loadNamespace('softclust', lib.loc = %s)", deparse(dirname(find.package("softclust")))),
    "cat(reticulate::py_available(initialize = FALSE))",
    "invisible(softclust::sc_clustering(c(1, 2)))",
    "cat('', reticulate::py_available(initialize = FALSE))"), script)
  out <- system2(file.path(R.home("bin"), "Rscript"), c("--vanilla", script), stdout = TRUE)
  expect_match(paste(out, collapse = "\n"), "FALSE FALSE")
})

test_that("a new reticulate without a configured Python downloads nothing", {
  new <- c(nothing_found, list(
    reticulate_manages = function() TRUE,
    start_python = function() stop("Python was started")
  ))
  source <- setting("python_source")
  with_functions(new, {
    with_variables(unconfigured, {
      expect_null(source())
      # front() refuses before it asks reticulate for anything.
      before_first_call({
        expect_false(sc_available())
        expect_error(setting("front")(), "install_softclust(packages = ", fixed = TRUE,
                     class = "softclust_unavailable")
        expect_match(sc_config()$problem, "no Python is configured")
      })
    })
    with_variables(replace(unconfigured, "RETICULATE_PYTHON", "managed"),
                   expect_identical(source(), "managed"))
    with_variables(replace(unconfigured, "VIRTUAL_ENV", "/somewhere"),
                   expect_identical(source(), "VIRTUAL_ENV"))
  })
})

test_that("an own virtualenv is found before anything else is tried", {
  found <- replace(nothing_found, "own_virtualenv_exists", list(function() TRUE))
  with_functions(found, with_variables(unconfigured, {
    expect_identical(setting("python_source")(), "r-softclust")
  }))
})

test_that("requirements are declared where reticulate can", {
  declared <- NULL
  declare <- setting("declare_python")
  with_functions(list(reticulate_manages = function() TRUE, python_runs = function() FALSE,
                      py_require = function(packages) declared <<- packages), declare())
  expect_match(declared[1L], "^softclust==[0-9]+[.][0-9]+[.][*]$")
  expect_match(declared[2L], "^matplotlib")
  declared <- NULL
  # A Python that runs already would be changed, and the network used, while loading.
  with_functions(list(reticulate_manages = function() TRUE, python_runs = function() TRUE,
                      py_require = function(packages) declared <<- packages), declare())
  expect_null(declared)
  declared <- NULL
  with_functions(list(reticulate_manages = function() FALSE,
                      py_require = function(packages) declared <<- packages), declare())
  expect_null(declared)
})

test_that("an older reticulate looks for Python itself", {
  old <- c(nothing_found, list(reticulate_manages = function() FALSE))
  with_functions(old, with_variables(unconfigured, {
    expect_identical(setting("python_source")(), "found by reticulate")
  }))
})

test_that("another version of the Python package is refused", {
  require_python()
  with_functions(list(own_version = function() "9.8.7"), before_first_call({
    expect_error(setting("front")(), "9.8.7", class = "softclust_unavailable")
  }))
})

test_that("install_softclust() checks its argument", {
  expect_error(install_softclust(envname = c("a", "b")), class = "softclust_ValueError")
  expect_error(install_softclust(envname = NA_character_), class = "softclust_ValueError")
})
