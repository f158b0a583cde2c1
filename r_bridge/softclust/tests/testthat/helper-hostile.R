# A saved result may come from a stranger. No part of it makes Python or R run what it names.

# Calls of the system in all forms in which a part of a result may ask for one.
bombs_of <- function(flag) {
  command <- paste("touch", shQuote(flag))
  encoded <- function(...) structure(list(...), class = "sc_encoded")
  list(
    of = encoded(.t = "of", name = "results.stored.os.system", command = command),
    map = encoded(.t = "m", k = list("a"), v = list(list(
      .t = "of", name = "running.compiler.os.system", command = command))),
    call = bquote(system(.(command))),
    fun = eval(bquote(function(...) system(.(command)))),
    list = list(a = bquote(system(.(command))), b = encoded(.t = "of", name = "results.kept.os.system",
                                                            command = command)))
}

# Every element and attribute of an object, as the list of steps that leads there.
places_of <- function(x, depth = 3L) {
  if (!depth || is.function(x)) return(list())
  inner <- if (is.list(x)) lapply(seq_along(unclass(x)), function(i) list("element", i))
  attributes <- lapply(setdiff(names(attributes(x)), c("names", "class", "row.names", "dim",
                                                        "dimnames", "levels")),
                       function(name) list("attribute", name))
  found <- list()
  for (step in c(inner, attributes)) {
    part <- if (step[[1L]] == "element") unclass(x)[[step[[2L]]]] else attr(x, step[[2L]])
    found <- c(found, list(list(step)), lapply(places_of(part, depth - 1L), function(rest) {
      c(list(step), rest)
    }))
  }
  found
}

with_part <- function(x, place, part) {
  step <- place[[1L]]
  class <- oldClass(x)
  x <- unclass(x)
  old <- if (step[[1L]] == "element") x[[step[[2L]]]] else attr(x, step[[2L]])
  new <- if (length(place) > 1L) with_part(old, place[-1L], part) else part
  if (step[[1L]] == "element") x[step[[2L]]] <- list(new) else attr(x, step[[2L]]) <- new
  # R makes no factor of anything but whole numbers.
  oldClass(x) <- if (is.integer(x)) class else setdiff(class, "factor")
  x
}

# What is done with objects; `like` is an object with which it can be done.
verbs <- list(print, summary, plot, as.data.frame, generics::tidy, generics::glance,
              function(x) x + x, function(x) predict(x, iris[1:3, 1:4]), function(x) sc_measure("rand_index", x, x),
              function(x) sc_compare(x, x), function(x) sc_match(x, x), as.matrix, sc_consensus,
              sc_interval_mds)

quietly <- function(verb, x) {
  utils::capture.output(done <- suppressMessages(suppressWarnings(try({
    setTimeLimit(elapsed = 20, transient = TRUE)
    print(verb(x))
    TRUE
  }, silent = TRUE))))
  isTRUE(done)
}

saved_results <- function(which = NULL) {
  x <- iris[seq(1, 150, by = 5), 1:4]
  runs <- list(one = rep(1:2, 15), two = rep(1:2, each = 15), three = rep(1:3, 10))
  soft <- cbind(rep(c(.8, .3), 15), rep(c(.2, .7), 15))
  tree <- stats::hclust(stats::dist(x))
  makers <- list(
    sums = function() sc_membership_sums(soft, runs$two),
    comparison = function() sc_compare(runs$one, runs$two),
    counts = function() sc_pair_counts(runs$one, runs$two),
    fit = function() sc_cluster(x, 3, "evidential_cmeans", seed = 1),
    table = function() sc_contingency_table(runs$one, runs$two),
    hard = function() sc_clustering(runs$one), fuzzy = function() sc_clustering(soft),
    ensemble = function() sc_ensemble(runs),
    partial = function() sc_partial_ensemble(rbind(c(1, NA, 2), c(1, 2, NA))),
    rough_fit = function() sc_cluster(x, 3, "rough_kmeans", seed = 1),
    bagged = function() sc_bagged(x, 3, n_resamples = 5, seed = 1),
    number = function() sc_cluster_number(x, 2:3, "silhouette", seed = 1),
    roc = function() sc_pair_roc(iris$Species[seq(1, 150, by = 5)], tree),
    matching = function() sc_match(runs$one, runs$two, seed = 1),
    consensus = function() sc_consensus(runs, seed = 1), medoid = function() sc_medoid(runs),
    matrix = function() sc_compare_all(runs, "rand_index"),
    chance = function() sc_chance(runs$one, runs$two, "rand_index", seed = 1),
    coassociation = function() sc_coassociation(runs),
    stability = function() sc_cluster_stability(runs$one, runs),
    changes = function() sc_cluster_changes(runs$one, runs$two),
    posterior = function() sc_posterior_partition(runs, seed = 1))
  lapply(if (is.null(which)) makers else makers[which], function(make) suppressWarnings(make()))
}

# Uses the results with hostile contents in a process of their own: what ran, and how many were tried.
# A place has one of the contents, drawn at random, unless `all` is true.
attack <- function(results, all = FALSE) {
  flag <- tempfile("ran")
  folder <- tempfile("attack")
  dir.create(folder)
  saveRDS(results, file.path(folder, "results.rds"))
  script <- file.path(folder, "script.R")
  writeLines(c(
    sprintf(".libPaths(c(%s, .libPaths()))", deparse1(dirname(system.file(package = "softclust")))),
    "library(softclust)",
    sprintf("sys.source(%s, environment())", deparse1(normalizePath("helper-hostile.R"))),
    sprintf("flag <- %s", deparse1(flag)),
    "grDevices::pdf(NULL)",
    sprintf("results <- readRDS(%s)", deparse1(file.path(folder, "results.rds"))),
    "bombs <- bombs_of(flag)",
    "tried <- 0",
    "set.seed(1)",
    "for (name in names(results)) {",
    "  possible <- Filter(function(verb) quietly(verb, results[[name]]), verbs)",
    "  for (place in c(list(list()), places_of(results[[name]])))",
    sprintf("  for (bomb in names(bombs)[%s]) {", if (all) "TRUE" else "sample(5L, 1L)"),
    "    hostile <- if (length(place)) with_part(results[[name]], place, bombs[[bomb]])",
    "               else structure(bombs[[bomb]], class = setdiff(class(results[[name]]), 'factor'))",
    "    for (verb in possible) quietly(verb, hostile)",
    "    tried <- tried + 1",
    "    if (file.exists(flag)) {",
    "      cat('RAN', name, bomb, deparse1(place), '\\n')",
    "      unlink(flag)",
    "    }",
    "  }",
    "}",
    "cat('tried', tried, '\\n')"), script)
  output <- system2(file.path(R.home("bin"), "Rscript"), c("--vanilla", shQuote(script)),
                    stdout = TRUE, stderr = TRUE)
  list(ran = grep("^RAN", output, value = TRUE), tried = grep("^tried", output, value = TRUE),
       output = output)
}
