# Computes what `rank` tells a second time, in base R: counts and exact p of McNemar's test
# of all pairs with Holm's correction, ranks by the leader rule, and over data sets average
# ranks, Friedman's test, Nemenyi's critical difference and Wilcoxon's test of all pairs.
#
#     Rscript rank.R ANSWERS.csv > numbers.csv
#
# ANSWERS.csv has the columns dataset, item, system, correct. Items that some system has
# not answered are left out.
d <- read.csv(commandArgs(TRUE)[1], colClasses = "character")
systems <- unique(d$system)
sets <- unique(d$dataset)
say <- function(...) cat(paste(..., sep = ","), sep = "\n")
accuracy <- NULL
for (set in sets) {
  rows <- d[d$dataset == set, ]
  m <- tapply(as.numeric(rows$correct), list(rows$item, factor(rows$system, systems)), sum)
  m <- m[rowSums(is.na(m)) == 0, , drop = FALSE]
  accuracy <- rbind(accuracy, 100 * colMeans(m))
  pairs <- t(combn(length(systems), 2))
  b <- apply(pairs, 1, function(p) sum(m[, p[1]] > m[, p[2]]))
  c <- apply(pairs, 1, function(p) sum(m[, p[1]] < m[, p[2]]))
  p <- mapply(function(b, c) if (b + c == 0) 1 else binom.test(b, b + c)$p.value, b, c)
  holm <- p.adjust(p, "holm")
  differ <- matrix(FALSE, length(systems), length(systems))
  differ[pairs] <- holm <= 0.05
  differ <- differ | t(differ)
  say("pair", set, systems[pairs[, 1]], systems[pairs[, 2]], b, c, signif(p, 10), signif(holm, 10))
  # The leader rule: rank 1 is the best system and all that do not differ from it, of the
  # others again the best is the leader of the next rank.
  rank <- integer(length(systems))
  while (any(rank == 0)) {
    left <- which(rank == 0)
    leader <- left[which.max(colSums(m)[left])]
    rank[left[!differ[leader, left]]] <- max(rank) + 1
  }
  say("system", set, systems, colSums(m), rank)
}
n <- nrow(accuracy)
k <- length(systems)
if (n > 1) {
  ranks <- t(apply(-accuracy, 1, rank))
  chi <- unname(friedman.test(accuracy)$statistic)
  f <- (n - 1) * chi / (n * (k - 1) - chi)
  say("average", systems, sprintf("%.9f", colMeans(ranks)))
  say("friedman", signif(pf(f, k - 1, (k - 1) * (n - 1), lower.tail = FALSE), 10))
  say("critical", sprintf("%.2f", qtukey(0.95, k, Inf) / sqrt(2) * sqrt(k * (k + 1) / (6 * n))))
  signs <- function(n) as.matrix(expand.grid(rep(list(c(0, 1)), n)))
  wilcoxon <- function(x) { # all arrangements of signs
    x <- round(x, 8)
    x <- x[x != 0]
    if (length(x) == 0) return(1)
    r <- rank(abs(x))
    w <- min(sum(r[x > 0]), sum(r[x < 0]))
    min(1, 2 * mean(signs(length(x)) %*% r <= w + 1e-9))
  }
  pairs <- t(combn(k, 2))
  p <- apply(pairs, 1, function(i) wilcoxon(accuracy[, i[1]] - accuracy[, i[2]]))
  say("across", systems[pairs[, 1]], systems[pairs[, 2]], sprintf("%.2f", rowMeans(t(accuracy[, pairs[, 1]] - accuracy[, pairs[, 2]]))),
      signif(p, 10), signif(p.adjust(p, "holm"), 10))
}
