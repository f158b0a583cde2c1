# No exception of Python reaches R in Python's own words.
raw <- paste("truth value", "NoneType", "ndarray", "unexpected keyword", "positional argument", "not subscriptable",
             "has no attribute", "StopIteration", "unsupported operand", "not supported between", "\\bdtype",
             "object is not", "Traceback", "could not be broadcast", "\\bself\\b", "np[.]", "float\\(\\)", "\\barray\\(\\[",
             "counterpart in Python", "\\bNone\\b", "\\b1 objects", sep = "|")
# Nor a check inside of R that says nothing of the argument.
inner <- paste("cannot coerce type", "must be of a vector type", "requires vector arguments", "invalid '", "for\\(\\) loop",
               "subscript out of bounds", "non-numeric argument", "missing value where TRUE", sep = "|")

test_that("a second argument of the wrong kind is an error in R's words, for every function", {
  require_python()
  labels <- c(1, 1, 2, 2, 3, 3)
  x <- cbind(a = c(1, 2, 1, 8, 9, 8), b = c(1, 1, 2, 7, 7, 9))
  ours <- getNamespaceExports("softclust")
  ours <- setdiff(grep("^sc_", ours, value = TRUE), c("sc_available", "sc_config", "sc_measures", "sc_transport_methods",
                                                      "sc_report"))
  found <- character()
  for (name in sort(ours)) {
    f <- getExportedValue("softclust", name)
    first <- names(formals(f))[1L]
    start <- switch(first, data = x, tree = , levels = hclust(dist(x)), name = "rand_index", labels,
                    runs = , ensemble = , draws = rbind(labels, rev(labels)), cohorts = list(a = x, b = x))
    if (name %in% c("sc_cophenetic_correlation", "sc_dendrogram_curve", "sc_dendrogram_map", "sc_untangle",
                    "sc_cluster_set_distance", "sc_dendrogram_element_centric")) start <- hclust(dist(x))
    wrong <- list(cbind(0, 1), NULL, list(1, "a"), mean, "zz", NA, letters)
    for (given in c(lapply(wrong, function(value) list(start, value)), lapply(wrong, function(value) list(value, labels)))) {
      said <- tryCatch({
        suppressWarnings(suppressMessages(do.call(f, given)))
        NULL
      }, error = function(e) e)
      if (!is.null(said) && (grepl(paste(raw, inner, sep = "|"), conditionMessage(said)) ||
                             inherits(said, c("softclust_StopIteration", "softclust_AttributeError", "softclust_IndexError")))) {
        found <- c(found, paste0(name, "(", class(given[[1L]])[1L], ", ", class(given[[2L]])[1L], "): ", conditionMessage(said)))
      }
    }
  }
  expect_identical(found, character())
})
