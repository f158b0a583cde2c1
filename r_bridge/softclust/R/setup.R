#' Check the Python installation
#'
#' `sc_available()` checks whether Python with a matching version of softclust can be used. It never
#' downloads anything. `sc_config()` lists all versions and anything that is missing.
#'
#' @details Python is found in the same way as by reticulate: the environment variable
#'   `RETICULATE_PYTHON`, a Python chosen by [reticulate::use_python()] or
#'   [reticulate::use_virtualenv()], an active virtualenv, the virtualenv `r-softclust` that
#'   [install_softclust()] makes. reticulate 1.41 and newer would download a Python when nothing is
#'   configured; this package raises an error instead, unless `RETICULATE_PYTHON` is `managed`.
#'
#' @return `sc_available()`: `TRUE` or `FALSE`.
#'
#'   `sc_config()`: a list of class `sc_config`:
#'   * `available`; `problem`: `NULL`, or what is wrong and how to fix it.
#'   * `python`: its path.
#'   * `versions`: a named character vector.
#' @examples
#' sc_available()
#' sc_config()
#' @export
sc_available <- function() {
  tryCatch({
    front()
    TRUE
  }, softclust_unavailable = function(e) FALSE)
}

#' @rdname sc_available
#' @export
sc_config <- function() {
  problem <- tryCatch({
    front()
    NULL
  }, softclust_unavailable = conditionMessage)
  versions <- c(R = as.character(getRversion()), softclust.R = own_version(),
                reticulate = package_version_text("reticulate"), clue = package_version_text("clue"))
  if (is.null(problem)) versions <- c(versions, unlist(python_versions()[-1L]))
  structure(
    list(available = is.null(problem), problem = problem,
         python = if (python_runs()) reticulate::py_config()$python,
         versions = versions),
    class = "sc_config"
  )
}

#' @export
print.sc_config <- function(x, ...) {
  no_dots(...)
  cat("softclust: ", if (x$available) "ready" else "not available", "\n", sep = "")
  if (!is.null(x$problem)) cat(strwrap(x$problem, prefix = "  "), sep = "\n")
  if (!is.null(x$python)) cat("  python: ", x$python, "\n", sep = "")
  cat(paste0("  ", format(names(x$versions)), "  ", x$versions), sep = "\n")
  invisible(x)
}

#' Install the Python package softclust
#'
#' Makes a Python virtualenv, if need be, and installs the Python package into it by pip, with
#' matplotlib, which lays out the charts of `plot()`. Nothing else in this package downloads anything.
#'
#' @param envname Name or path of the virtualenv; `NULL` is `"r-softclust"`, which is found
#'   without further settings. Another one must be chosen by [reticulate::use_virtualenv()] in
#'   each session.
#' @param packages What pip installs: the path of the folder of sources (with pyproject.toml) or of a
#'   wheel. The default is the version that belongs to this R package, from the index that pip
#'   knows; it works once the package is published there.
#' @param ... Passed to [reticulate::virtualenv_install()].
#' @return The name of the virtualenv, invisibly.
#' @examples
#' \dontrun{
#' install_softclust(packages = "/path/to/softclust")
#' }
#' @export
install_softclust <- function(envname = NULL, packages = python_requirement(), ...) {
  if (is.null(envname)) envname <- own_virtualenv
  if (!is.character(envname) || length(envname) != 1L || is.na(envname) || !nzchar(envname)) {
    stop_softclust("ValueError", "`envname` must be the name of one virtualenv, or NULL")
  }
  if (!reticulate::virtualenv_exists(envname)) reticulate::virtualenv_create(envname)
  reticulate::virtualenv_install(envname, c(packages, for_pictures), ...)
  if (python_runs()) {
    message("Python is already running in this session; restart R to use ", envname, ".")
  } else if (envname != own_virtualenv) {
    message("In each session, choose it with reticulate::use_virtualenv(\"", envname, "\")")
  }
  invisible(envname)
}

# -- finding Python -----------------------------------------------------------------------------
own_virtualenv <- "r-softclust"

own_version <- function() as.character(utils::packageVersion("softclust"))

package_version_text <- function(package) {
  path <- system.file(package = package)
  if (nzchar(path)) as.character(utils::packageVersion(package)) else "missing"
}

minor <- function(version) sub("^([0-9]+[.][0-9]+).*$", "\\1", version)

python_requirement <- function() paste0("softclust==", minor(own_version()), ".*")

# Charts are laid out by it.
for_pictures <- "matplotlib>=3.8"

# Whether this reticulate can declare requirements, and so downloads a Python by itself.
reticulate_manages <- function() "py_require" %in% getNamespaceExports("reticulate")

# Once Python runs a declaration would make reticulate install at once; then it is too late.
declare_python <- function() {
  if (reticulate_manages() && !python_runs()) {
    try(suppressWarnings(py_require(c(python_requirement(), for_pictures))), silent = TRUE)
  }
}

# Not written reticulate::py_require(), which older versions do not have.
py_require <- function(packages) getExportedValue("reticulate", "py_require")(packages)

python_runs <- function() reticulate::py_available(initialize = FALSE)

# Where Python would come from, without starting it; NULL if reticulate would have to download it.
python_source <- function() {
  if (python_runs()) return("running")
  variable <- Sys.getenv(c("RETICULATE_PYTHON", "RETICULATE_PYTHON_ENV", "VIRTUAL_ENV",
                           "CONDA_PREFIX"))
  variable <- variable[nzchar(variable) & variable != "managed"]
  if (length(variable)) return(names(variable)[1L])
  if (python_was_chosen()) return("chosen")
  if (own_virtualenv_exists()) return(own_virtualenv)
  if (Sys.getenv("RETICULATE_PYTHON") == "managed") return("managed")
  if (reticulate_manages()) NULL else "found by reticulate"
}

own_virtualenv_exists <- function() {
  tryCatch(reticulate::virtualenv_exists(own_virtualenv), error = function(e) FALSE)
}

# use_python() and its like leave a note in reticulate, which has no function to read it.
python_was_chosen <- function() {
  globals <- get0(".globals", asNamespace("reticulate"), inherits = FALSE)
  is.environment(globals) && (length(globals$use_python_versions) > 0L ||
                                length(globals$required_python_version) > 0L)
}

remedy <- function() {
  paste0("Install the Python package from the same sources as this R package with ",
         "softclust::install_softclust(packages = \"/path/to/softclust\") (the folder with ",
         "pyproject.toml, or a wheel), or name a Python that has it before Python starts: ",
         "Sys.setenv(RETICULATE_PYTHON = \"/path/to/python\")")
}

# The function of Python that runs commands; an error of class softclust_unavailable if it cannot
# be had. Looked up once in a session.
front <- function() {
  if (!is.null(.state$call)) return(.state$call)
  source <- python_source()
  if (is.null(source)) {
    stop_softclust("unavailable", "no Python is configured, and softclust does not download one. ", remedy())
  }
  if (source == own_virtualenv) reticulate::use_virtualenv(own_virtualenv, required = TRUE)
  start_python()
  # reticulate prints its configuration when a module is missing; the message below says enough.
  utils::capture.output(found <- tryCatch(.state$module$call, error = function(e) {
    stop_softclust("unavailable", "the Python ", python_path(), " cannot load softclust: ",
                     first_line(conditionMessage(e)), ". ", remedy())
  }))
  versions <- decode(found("versions", named_list())$value)
  if (minor(versions$softclust) != minor(own_version())) {
    stop_softclust("unavailable", "the Python package softclust is ", versions$softclust,
                     " and this R package is ", own_version(),
                     "; both must have the same major.minor version. Install it with ",
                     "softclust::install_softclust(packages = \"/path/to/softclust\") and restart R")
  }
  found("exports", list(names = as.list(grep("^sc_", getNamespaceExports("softclust"), value = TRUE))))
  .state$versions <- c(list(R = as.character(getRversion())), versions)
  .state$call <- found
  found
}

start_python <- function() {
  # reticulate before 1.41 offers to install Miniconda when it finds nothing.
  old <- Sys.getenv("RETICULATE_MINICONDA_ENABLED", unset = NA)
  if (is.na(old)) {
    Sys.setenv(RETICULATE_MINICONDA_ENABLED = "FALSE")
    on.exit(Sys.unsetenv("RETICULATE_MINICONDA_ENABLED"))
  }
  # py_config() says why it fails; py_available(initialize = TRUE) would not.
  tryCatch(reticulate::py_config(), error = function(e) {
    stop_softclust("unavailable", "Python cannot be started: ", first_line(conditionMessage(e)), ". ", remedy())
  })
}

python_path <- function() {
  tryCatch(reticulate::py_config()$python, error = function(e) "found by reticulate")
}

first_line <- function(text) {
  lines <- strsplit(text, "\n", fixed = TRUE)[[1L]]
  lines <- sub("[. ]+$", "", lines[nzchar(trimws(lines))])
  if (length(lines)) lines[[1L]] else "no reason given"
}

named_list <- function() structure(list(), names = character(0))

python_versions <- function() {
  front()
  .state$versions
}
