# Runs the tests of the installed R package and writes what happened to a file, one line a test
# that did not pass: Rscript run_testthat.R LIBRARY TESTS OUT [FILTER]. Versions come first.
arguments <- commandArgs(trailingOnly = TRUE)
library("softclust", lib.loc = arguments[1])
print(sc_config())
for (package in c("testthat", "e1071", "cluster", "mclust", "jsonlite"))
  cat("  ", package, "  ", if (length(find.package(package, quiet = TRUE)))
    as.character(utils::packageVersion(package)) else "missing", "\n", sep = "")
flush(stdout())

results <- testthat::test_dir(arguments[2], package = "softclust", reporter = "silent",
                              filter = if (length(arguments) > 3) arguments[4],
                              load_package = "installed", stop_on_failure = FALSE)
lines <- c()
for (result in results) {
  kinds <- vapply(result$results, function(e) sub("^expectation_", "", class(e)[1]), "")
  bad <- result$results[kinds %in% c("failure", "error", "warning", "skip")]
  names(bad) <- kinds[kinds %in% c("failure", "error", "warning", "skip")]
  lines <- c(lines, paste(result$file, "ran", result$test, length(kinds), sep = "\t"))
  for (k in seq_along(bad)) {
    message <- gsub("[\t\n]+", " | ", conditionMessage(bad[[k]]))
    lines <- c(lines, paste(result$file, names(bad)[k], result$test, message, sep = "\t"))
  }
}
writeLines(enc2utf8(lines), arguments[3], useBytes = TRUE)
