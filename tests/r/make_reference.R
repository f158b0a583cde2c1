# Makes the values stored in tests/golden/r anew, as far as the R packages are here.
#
#   Rscript tests/r/make_reference.R FROM TO
#
# Inputs (labels, memberships, starts, drawn indices) are read from the files in FROM; every value
# that R computes from them is computed again; the files go to TO. What needs a package that is
# missing, or starts from numbers that were not stored, is copied and named in the header.
# Packages: clue, cluster, e1071, jsonlite (to read), lpSolve, mclust, quadprog.

arguments <- commandArgs(TRUE)
if (length(arguments) != 2L || !all(dir.exists(arguments)))
  stop("two existing folders are needed: Rscript make_reference.R FROM TO", call. = FALSE)
suppressPackageStartupMessages(library(clue))

# -- reading and writing ---------------------------------------------------------------------------
read <- function(name) jsonlite::fromJSON(file.path(arguments[1L], paste0(name, ".json")),
                                          simplifyVector = FALSE)

# The shortest text that gives the same double back (jsonlite stops at 15 digits).
number <- function(x) {
  if (is.nan(x)) return("\"NaN\"")
  if (is.na(x)) return("\"NA\"")
  if (is.infinite(x)) return(if (x > 0) "\"Inf\"" else "\"-Inf\"")
  for (digits in 15:17) {
    text <- formatC(x, digits = digits, format = "g", width = 1L)
    if (as.numeric(text) == x) return(text)
  }
  text
}

to_json <- function(x) {
  if (is.null(x)) return("null")
  if (is.list(x)) {
    inside <- vapply(x, to_json, "")
    if (is.null(names(x))) return(paste0("[", paste(inside, collapse = ", "), "]"))
    keys <- vapply(names(x), text_json, "")
    return(paste0("{", paste0(keys, ": ", inside, collapse = ", "), "}"))
  }
  if (is.character(x)) return(text_json(x))
  if (is.logical(x) && !is.na(x)) return(if (x) "true" else "false")
  number(as.double(x))
}

text_json <- function(x) {
  x <- gsub("\\", "\\\\", enc2utf8(x), fixed = TRUE)
  x <- gsub("\n", "\\n", gsub("\"", "\\\"", x, fixed = TRUE), fixed = TRUE)
  paste0("\"", x, "\"")
}

write_file <- function(data, name, packages, copied = character()) {
  data$header$R <- paste(R.version$major, R.version$minor, sep = ".")
  data$header$RNGkind <- as.list(RNGkind())
  data$header$packages <- lapply(stats::setNames(packages, packages), function(p)
    as.character(utils::packageVersion(p)))
  if (length(copied)) data$header$copied <- as.list(copied)
  writeLines(to_json(data), file.path(arguments[2L], paste0(name, ".json")), useBytes = TRUE)
}

# -- plain R values as nested lists ----------------------------------------------------------------
array_of <- function(x) as.list(unname(as.vector(x)))
rows_of <- function(m) lapply(seq_len(nrow(m)), function(i) array_of(m[i, ]))
vector_of <- function(x) unlist(x)
matrix_of <- function(x) do.call(rbind, lapply(x, unlist))
plain <- function(m) { m <- unclass(m); array(as.double(m), dim(m)) }

# A partition as it was given: labels or a matrix.
partition <- function(x)
  as.cl_partition(if (is.list(x[[1L]])) matrix_of(x) else vector_of(x))

safely <- function(value) {
  warned <- character()
  found <- withCallingHandlers(
    tryCatch(list(value = force(value)), error = function(e) list(error = conditionMessage(e))),
    warning = function(w) {
      warned <<- c(warned, conditionMessage(w))
      invokeRestart("muffleWarning")
    })
  if (!is.null(found$error)) return(list(error = found$error))
  found <- as.vector(found$value)
  found <- if (length(found) == 1L) found else array_of(found)
  if (length(warned)) list(value = found, warning = as.list(warned)) else found
}
numeric_value <- function(x) { x <- as.vector(x); if (is.numeric(x)) as.double(x) else x }

# -- clue: two partitions --------------------------------------------------------------------------
pairs_file <- function() {
  data <- read("clue_pairs")
  data$cases <- lapply(data$cases, function(case) {
    x <- partition(case$x)
    y <- partition(case$y)
    n <- n_of_objects(x)
    agree <- function(a, b, names) lapply(stats::setNames(names, names), function(m)
      safely(numeric_value(cl_agreement(a, b, m))))
    case$n_objects <- n
    case$n_classes <- list(n_of_classes(x), n_of_classes(y))
    case$is_hard <- list(is.cl_hard_partition(x), is.cl_hard_partition(y))
    case$agreement <- agree(x, y, names(case$agreement))
    case$agreement_y_x <- agree(y, x, names(case$agreement_y_x))
    case$dissimilarity <- lapply(stats::setNames(nm = names(case$dissimilarity)), function(m)
      safely(numeric_value(cl_dissimilarity(x, y, m))))
    case$VI_weights_1_to_n <- safely(numeric_value(
      cl_dissimilarity(x, y, "VI", weights = seq_len(n))))
    case$Mallows_p2 <- safely(numeric_value(cl_dissimilarity(x, y, "Mallows", p = 2)))
    cost <- matrix_of(case$CSSD$cost)
    case$CSSD$value <- safely(numeric_value(cl_dissimilarity(x, y, "CSSD", L = cost)))
    case
  })
  write_file(data, "clue_pairs", c("clue", "lpSolve"))
}

# -- clue: assignment, one partition, lattice, prediction, bagging ---------------------------------
misc_file <- function() {
  data <- read("clue_misc")
  data$solve_LSAP <- lapply(data$solve_LSAP, function(case) {
    x <- matrix_of(case$x)
    for (goal in c("min", "max")) {
      columns <- as.integer(solve_LSAP(x, maximum = goal == "max"))
      case[[paste0(goal, "_columns")]] <- array_of(columns)
      case[[paste0(goal, "_value")]] <- sum(x[cbind(seq_along(columns), columns)])
    }
    case
  })
  data$matching <- lapply(data$matching, function(case) {
    x <- matrix_of(case$x)
    y <- matrix_of(case$y)
    table <- crossprod(x, y)
    columns <- as.integer(solve_LSAP(table, maximum = TRUE))
    case$columns_euclidean <- array_of(columns)
    case$trace_euclidean <- sum(table[cbind(seq_along(columns), columns)])
    cost <- outer(seq_len(ncol(x)), seq_len(ncol(y)),
                  Vectorize(function(k, l) sum(abs(x[, k] - y[, l]))))
    columns <- as.integer(solve_LSAP(cost))
    case$columns_manhattan <- array_of(columns)
    case$cost_manhattan <- sum(cost[cbind(seq_along(columns), columns)])
    case
  })
  data$partition <- lapply(data$partition, function(case) {
    p <- partition(case$input)
    m <- cl_membership(p)
    case$membership <- rows_of(plain(m))
    case$class_ids <- array_of(as.integer(cl_class_ids(p)))
    case$n_of_classes <- n_of_classes(p)
    case$n_of_objects <- n_of_objects(p)
    case$is_hard <- is.cl_hard_partition(p)
    case$margin <- array_of(as.double(cl_margin(p)))
    case$fuzziness_PC_normalized <- as.double(cl_fuzziness(p))
    case$fuzziness_PC <- as.double(cl_fuzziness(p, "PC", FALSE))
    case$fuzziness_PE_normalized <- as.double(cl_fuzziness(p, "PE"))
    case$fuzziness_PE <- as.double(cl_fuzziness(p, "PE", FALSE))
    case$membership_two_extra_columns <- rows_of(plain(cl_membership(p, ncol(m) + 2L)))
    case
  })
  data$lattice <- lapply(data$lattice, function(case) {
    p <- lapply(case[c("A", "B", "C")], function(v) as.cl_hard_partition(vector_of(v)))
    ids <- function(x) array_of(as.integer(cl_class_ids(x)))
    both <- cl_ensemble(list = p[1:2])
    meet <- cl_meet(both)
    join <- cl_join(both)
    case$meet_AB <- ids(meet)
    case$join_AB <- ids(join)
    case$meet_ABC <- ids(cl_meet(cl_ensemble(list = p)))
    case$join_ABC <- ids(cl_join(cl_ensemble(list = p)))
    case$order <- list(A_le_B = p$A <= p$B, B_le_A = p$B <= p$A, meet_le_A = meet <= p$A,
                       A_le_join = p$A <= join, A_eq_B = p$A == p$B)
    case$lattice_distance_AB <- as.double(cl_dissimilarity(p$A, p$B, "BA/C"))
    case
  })
  data$tabulate <- lapply(data$tabulate, function(case) {
    e <- cl_ensemble(list = lapply(case$members, partition))
    table <- cl_tabulate(e)
    case$counts <- array_of(table$counts)
    case$values <- lapply(seq_along(table$values), function(i)
      array_of(as.integer(cl_class_ids(table$values[[i]]))))
    case
  })
  data$validity <- lapply(data$validity, function(case) {
    case$dissimilarity_accounted_for <- unlist(cl_validity(
      partition(case$membership), stats::as.dist(matrix_of(case$d))), use.names = FALSE)
    case
  })
  data$predict <- lapply(data$predict, predict_case)
  data$bagging <- lapply(data$bagging, bagging_case)
  write_file(data, "clue_misc", c("clue", "e1071", "cluster"),
             c("memberships_from_distances", "pclust"))
}

# Arguments go by value: clue looks up the fuzzifier in the call.
run_kmeans <- function(x, start) stats::kmeans(x, start, iter.max = 100, algorithm = "Lloyd")
run_cmeans <- function(x, start, m) do.call(e1071::cmeans, list(
  x, start, iter.max = 10000, m = m, control = list(reltol = 1e-16)))

predict_case <- function(case) {
  x <- matrix_of(case$X)
  start <- matrix_of(case$start)
  new <- matrix_of(case$newdata)
  hard <- run_kmeans(x, start)
  case$kmeans_centers <- rows_of(unname(hard$centers))
  case$kmeans_ids <- array_of(as.integer(cl_class_ids(cl_predict(hard, new))))
  soft <- run_cmeans(x, start, case$fuzzifier)
  case$cmeans_centers <- rows_of(unname(soft$centers))
  case$cmeans_memberships <- rows_of(plain(cl_predict(soft, new, "memberships")))
  case
}

bagging_case <- function(case) {
  x <- matrix_of(case$x)
  start <- matrix_of(case$start)
  fit <- function(data) if (case$algorithm == "kmeans") run_kmeans(data, start) else
    run_cmeans(data, start, case$fuzzifier)
  members <- function(fitted) plain(cl_membership(as.cl_partition(
    cl_predict(fitted, x, "memberships")), case$k))
  reference <- plain(cl_membership(fit(x), case$k))
  runs <- lapply(case$indices, function(rows) members(fit(x[vector_of(rows), , drop = FALSE])))
  matched <- lapply(runs, function(m)
    m[, as.integer(solve_LSAP(crossprod(reference, m), maximum = TRUE)), drop = FALSE])
  bagged <- Reduce(`+`, matched) / length(matched)
  case$reference <- rows_of(reference)
  if (case$algorithm == "kmeans")
    case$bootstrap_class_ids <- lapply(runs, function(m) array_of(max.col(m))) else
    case$bootstrap_memberships <- lapply(runs, rows_of)
  case$bagged <- rows_of(bagged)
  case$margin <- array_of(as.double(cl_margin(as.cl_partition(bagged))))
  case
}

# -- clue: consensus -------------------------------------------------------------------------------
criteria <- list(SE = c("euclidean", 2), HE = c("euclidean", 2), DWH = c("euclidean", 2),
                 SM = c("manhattan", 1), HM = c("manhattan", 1), GV1 = c("GV1", 2))

recompute <- function(members, found, method, weights) {
  d <- as.vector(cl_dissimilarity(members, found, criteria[[method]][1L]))
  weights <- rep_len(weights, length(members))
  sum(weights * d^as.numeric(criteria[[method]][2L])) / sum(weights)
}

consensus_result <- function(key, stored, members, case) {
  method <- sub("_.*", "", key)
  variant <- if (grepl("_", key)) sub("^[^_]*_", "", key) else ""
  starts <- lapply(case$starts, matrix_of)
  weights <- if (variant == "weights") vector_of(case$weights) else 1
  control <- if (method == "DWH")
    list(order = if (is.null(stored$order)) seq_along(members) else vector_of(stored$order)) else
    list(start = if (variant == "2starts") starts else if (is.null(stored$start)) starts[[1L]] else
      matrix_of(stored$start))
  if (variant == "k2") control$k <- 2
  if (variant == "kplus1") control$k <- case$k_max + 1
  set.seed(1)
  found <- cl_consensus(members, method, weights, control)
  told <- attr(found$.Data, "meta")
  new <- list(objval_recomputed = recompute(members, found, method, weights),
              membership = rows_of(plain(cl_membership(found))),
              class_ids = array_of(as.integer(cl_class_ids(found))),
              is_hard = is.cl_hard_partition(found))
  if (!is.null(told$objval)) new$objval_reported <- as.double(told$objval)
  if (!is.null(told$converged)) new$converged <- as.logical(told$converged)
  for (name in names(new)) stored[[name]] <- new[[name]]
  stored
}

proximities <- function(members, names, f) lapply(stats::setNames(nm = names), function(m)
  rows_of(plain(as.matrix(f(members, method = m)))))

consensus_file <- function() {
  data <- read("clue_consensus")
  data$ensembles <- lapply(data$ensembles, function(case) {
    members <- cl_ensemble(list = lapply(case$members, partition))
    for (key in names(case$results)) if (sub("_.*", "", key) %in% names(criteria))
      case$results[[key]] <- consensus_result(key, case$results[[key]], members, case)
    case$dissimilarity <- proximities(members, names(case$dissimilarity), cl_dissimilarity)
    case$agreement <- proximities(members, names(case$agreement), cl_agreement)
    case$cross_agreement_1to2_vs_3to5 <- rows_of(plain(as.matrix(
      cl_agreement(members[1:2], members[3:5]))))
    for (m in c("euclidean", "VI"))
      case[[paste0("medoid_", m)]] <- unname(which.min(rowSums(as.matrix(
        cl_dissimilarity(members, method = m)))))
    fit <- cl_pam(members, 2)
    case$pam_k2 <- list(cluster = array_of(as.integer(fit$cluster)),
                        medoid_ids = array_of(fit$medoid_ids),
                        criterion = as.double(fit$criterion))
    case
  })
  write_file(data, "clue_consensus", c("clue", "lpSolve", "quadprog", "cluster", "e1071"),
             c("GV3", "soft/symdiff", "hard/symdiff"))
}

# -- data of clue ----------------------------------------------------------------------------------
data_file <- function() {
  data <- read("clue_data")
  shipped <- new.env()
  utils::data(list = c("CKME", "GVME", "GVME_Consensus", "Phonemes"), package = "clue",
              envir = shipped)
  members <- list(CKME_1_12 = shipped$CKME[1:12], GVME = shipped$GVME)
  for (name in names(members)) {
    case <- data$cases[[name]]
    case$agreement <- proximities(members[[name]], names(case$agreement), cl_agreement)
    case$dissimilarity <- proximities(members[[name]], names(case$dissimilarity),
                                      cl_dissimilarity)
    case$medoid <- unname(which.min(rowSums(as.matrix(cl_dissimilarity(members[[name]])))))
    data$cases[[name]] <- case
  }
  d <- 1 - as.matrix(shipped$Phonemes)  # its diagonal is 1
  for (name in c("Phonemes_k3", "Phonemes_k2")) {
    case <- data$cases[[name]]
    three <- name == "Phonemes_k3"
    fit <- cluster::fanny(stats::as.dist(d), if (three) 3 else 2,
                          memb.exp = if (three) 1.2 else 1.3, maxit = 5000)
    case$membership <- rows_of(unname(fit$membership))
    case$dissimilarity_accounted_for <- unlist(cl_validity(fit, d), use.names = FALSE)
    case$fuzziness_PC_normalized <- as.double(cl_fuzziness(fit))
    case$fuzziness_PE_normalized <- as.double(cl_fuzziness(fit, "PE"))
    case$margin <- array_of(as.double(cl_margin(fit)))
    data$cases[[name]] <- case
  }
  write_file(data, "clue_data", c("clue", "cluster", "lpSolve", "quadprog"),
             c("CSSD_first5", "criterion_of_published_consensus",
               "fuzziness_of_published_consensus", "consensus"))
}

# -- mclust and e1071 among the hard packages ------------------------------------------------------
hard_file <- function() {
  data <- read("hard_packages")
  data$cases <- lapply(data$cases, function(case) {
    x <- vector_of(case$x)
    y <- vector_of(case$y)
    case$mclust_ari <- as.double(mclust::adjustedRandIndex(x, y))
    case$mclust_classError <- as.double(mclust::classError(x, y)$errorRate)
    case$e1071 <- lapply(e1071::classAgreement(table(x, y)), as.double)
    case
  })
  write_file(data, "hard_packages", c("mclust", "e1071"),
             c("aricode", "pairs", "partitionComparison", "genieclust", "fpc",
               "e1071_matchClasses"))
}

RNGkind("Mersenne-Twister", "Inversion", "Rejection")
for (make in list(pairs_file, misc_file, consensus_file, data_file, hard_file)) make()
