# What tests need. With CI=true a test that cannot run is a failure, otherwise it is skipped.
missing_thing <- function(...) {
  if (identical(Sys.getenv("CI"), "true")) stop("CI=true: ", ..., call. = FALSE)
  testthat::skip(paste0(...))
}

require_python <- function() {
  if (!sc_available()) missing_thing("Python with package softclust is not available")
}

require_package <- function(name) {
  if (!requireNamespace(name, quietly = TRUE)) missing_thing("R package ", name, " is missing")
}

# Packages that only CRAN has, and Debian does not: stored values cover them.
require_cran_package <- function(name) {
  if (!requireNamespace(name, quietly = TRUE)) testthat::skip(paste("only CRAN has", name))
}

# Stored values of the repository, which the built package does not contain; the repository's own
# runs name their folder in SOFTCLUST_GOLDEN.
golden <- function(...) {
  folder <- Sys.getenv("SOFTCLUST_GOLDEN")
  testthat::skip_if(!nzchar(folder), "SOFTCLUST_GOLDEN names no folder of stored values")
  require_package("jsonlite")
  jsonlite::read_json(file.path(folder, ...), simplifyVector = TRUE)
}

# What Python itself computes: an expression with softclust as sc, numpy as np and `arguments`,
# which are passed as JSON text; its value comes back as JSON text, so nothing but text crosses.
in_python <- function(expression, ...) {
  require_package("jsonlite")
  arguments <- jsonlite::toJSON(list(...), auto_unbox = TRUE, digits = NA, matrix = "rowmajor")
  code <- paste(
    "import json, warnings", "import numpy as np", "import softclust as sc",
    "warnings.simplefilter('ignore')",
    paste0("a = json.loads(r'''", arguments, "''')"),
    "def plain(v):",
    "    if isinstance(v, np.ndarray): return plain(v.tolist())",
    "    if isinstance(v, (list, tuple)): return [plain(w) for w in v]",
    "    if isinstance(v, np.generic): return plain(v.item())",
    "    return repr(v) if isinstance(v, float) else v",
    paste0("answer = json.dumps(plain(", expression, "))"), sep = "\n")
  answer <- reticulate::py_run_string(code)$answer
  value <- jsonlite::fromJSON(answer)
  # Floats come as the shortest text that gives them back exactly.
  if (is.character(value) && !anyNA(suppressWarnings(as.numeric(value[value != "nan"])))) {
    numbers <- suppressWarnings(as.numeric(sub("nan", "NaN", value, fixed = TRUE)))
    dim(numbers) <- dim(value)
    return(numbers)
  }
  value
}
