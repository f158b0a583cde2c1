# Stand-in written from the formulas: Masson and Denoeux (2008) for ECM and the derived fields,
# Denoeux, Li and Sriboonchitta (2018) for pair masses and credal Rand indices.

makeF <- function(c, type = c("simple", "full", "pairs"), pairs = NULL, Omega = TRUE) {
  type <- match.arg(type)
  if (type == "full") return(unname(as.matrix(expand.grid(rep(list(0:1), c)))))
  sets <- rbind(rep(0, c), diag(c))
  if (type == "pairs") {
    if (is.null(pairs)) pairs <- t(utils::combn(c, 2))
    for (p in seq_len(nrow(pairs))) sets <- rbind(sets, as.numeric(seq_len(c) %in% pairs[p, ]))
  }
  if (Omega && !(type == "pairs" && c == 2)) sets <- rbind(sets, rep(1, c))
  unname(sets)
}

# No default for `method`, as in the package.
extractMass <- function(mass, F, g = NULL, S = NULL, method, crit = NULL, Kmat = NULL,
                        trace = NULL, D = NULL, W = NULL, J = NULL, param = NULL) {
  F <- unname(as.matrix(F))
  if (ncol(F) < 2 || nrow(mass) < 2) stop("one class or one object")
  n <- nrow(mass)
  c <- ncol(F)
  size <- rowSums(F)
  if (size[1] > 0) {
    F <- rbind(0, F)
    mass <- cbind(0, mass)
    size <- c(0, size)
  }
  conf <- mass[, 1]
  rest <- mass[, -1, drop = FALSE]
  sets <- F[-1, , drop = FALSE]
  pl <- rest %*% sets
  # the single clusters stand in columns 2 to c + 1, as the caller has to see to
  bel <- mass[, 1 + seq_len(c), drop = FALSE]
  betp <- rest %*% (sets / rowSums(sets))
  best <- apply(mass, 1, which.max)
  Y <- F[best, , drop = FALSE]
  Ynd <- t(vapply(seq_len(n), function(i) {
    strongest <- vapply(seq_len(c), function(k) max(bel[i, -k], 0), 0)
    as.numeric(pl[i, ] >= strongest - 1e-12)
  }, numeric(c)))
  if (c == 1) Ynd <- matrix(Ynd, n)
  inside <- function(sets) lapply(seq_len(c), function(k)
    which(sets[, k] == 1 & rowSums(sets) == 1))
  reach <- function(sets) lapply(seq_len(c), function(k) which(sets[, k] == 1))
  log_size <- log(rowSums(sets))
  N <- if (c > 1) mean((rest %*% log_size + conf * log(c)) / log(c)) else 0
  structure(list(
    F = F, mass = mass, mass.n = rest / (1 - conf), conf = conf, g = g, crit = crit,
    pl = pl, pl.n = pl / (1 - conf), p = pl / rowSums(pl), bel = bel, bel.n = bel / (1 - conf),
    betp = betp, betp.n = betp / (1 - conf), y.pl = max.col(pl, "first"),
    y.bel = max.col(bel, "first"), Y = Y, Ynd = Ynd, outlier = which(best == 1), method = method,
    lower.approx = inside(Y), upper.approx = reach(Y),
    lower.approx.nd = inside(Ynd), upper.approx.nd = reach(Ynd), N = N), class = "credpart")
}

create_hard_credpart <- function(y) {
  c <- max(y)
  y <- y[y > 0]   # an object with label 0 is lost, as in the package
  extractMass(cbind(0, outer(y, seq_len(c), "==") * 1), rbind(0, diag(c)), method = "hard")
}

create_fuzzy_credpart <- function(U) {
  U <- as.matrix(U)
  extractMass(cbind(1 - rowSums(U), U), rbind(0, diag(ncol(U))), method = "fuzzy")
}

normalize.credpart <- function(clus, method = "d") {
  m <- clus$mass
  F <- clus$F
  if (method == "d") m <- cbind(0, m[, -1, drop = FALSE] / (1 - m[, 1])) else {
    all <- which(rowSums(F) == ncol(F))
    if (!length(all)) {
      F <- rbind(F, 1)
      m <- cbind(m, 0)
      all <- nrow(F)
    }
    m[, all] <- m[, all] + m[, 1]
    m[, 1] <- 0
  }
  extractMass(m, F, method = clus$method)
}

pairwise_mass <- function(clus) {
  m <- clus$mass
  F <- clus$F
  empty <- rowSums(F) == 0
  single <- rowSums(F) == 1
  apart <- (F %*% t(F) == 0) & !outer(empty, empty, "|")
  e <- rowSums(m[, empty, drop = FALSE])
  list(M0 = stats::as.dist(m %*% apart %*% t(m)),
       M1 = stats::as.dist(m[, single, drop = FALSE] %*% t(m[, single, drop = FALSE])),
       Me = stats::as.dist(outer(e, e, function(a, b) a + b - a * b)))
}

credal_RI <- function(P1, P2, type = "c") {
  v <- lapply(c(e = "Me", s = "M1", d = "M0"), function(name) list(P1[[name]], P2[[name]]))
  # Pair by pair by `[[`, as in the package: package proxy gives that another meaning for "dist".
  over_pairs <- function(f) mapply(function(e, s, d, E, S, D) f(e - E, s - S, d - D),
                                   v$e[[1]], v$s[[1]], v$d[[1]], v$e[[2]], v$s[[2]], v$d[[2]])
  delta <- switch(type,
    c = v$e[[1]] + v$e[[2]] - v$e[[1]] * v$e[[2]] + v$s[[1]] * v$d[[2]] + v$d[[1]] * v$s[[2]],
    # Jousselme's matrix: 1/2 between each of same, different and undetermined
    j = over_pairs(function(e, s, d) {
      t <- -(e + s + d)
      sqrt(pmax(0, (e^2 + s^2 + d^2 + t^2 + s * t + d * t) / 2))
    }),
    over_pairs(function(e, s, d) (abs(s) + abs(d) + abs(e)) / 2))
  1 - mean(unlist(delta))
}

nonspecificity <- function(P) mean(1 - P$M0 - P$M1)

ecm <- function(x, c, g0 = NULL, type = "full", pairs = NULL, Omega = TRUE, ntrials = 1,
                alpha = 1, beta = 2, delta = 10, epsi = 1e-3, init = "kmeans", disp = TRUE) {
  x <- as.matrix(x)
  F <- makeF(c, type, pairs, Omega)
  sets <- F[-1, , drop = FALSE]
  size <- rowSums(sets)
  g <- if (!is.null(g0)) g0 else if (init == "kmeans") stats::kmeans(x, c)$centers else
    x[sample.int(nrow(x), c), , drop = FALSE]
  last <- Inf
  repeat {
    centres <- (sets %*% g) / size
    d2 <- vapply(seq_along(size), function(a) colSums((t(x) - centres[a, ])^2),
                 numeric(nrow(x)))
    # an object on a centre would divide by 0
    cost <- pmax(t(t(d2) * size^alpha), 1e-100)
    share <- cbind(delta^2, cost)^(-1 / (beta - 1))
    m <- share / rowSums(share)
    crit <- sum(cost * m[, -1]^beta) + delta^2 * sum(m[, 1]^beta)
    w <- m[, -1]^beta
    H <- t(sets) %*% (sets * (colSums(w) * size^(alpha - 2)))
    B <- t(sets * size^(alpha - 1)) %*% t(w) %*% x
    g <- solve(H, B)
    if (disp) print(crit)
    if (abs(last - crit) <= epsi) break
    last <- crit
  }
  extractMass(m, F, g = g, method = "ecm", crit = crit)
}
