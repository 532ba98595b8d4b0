#!/usr/bin/env Rscript
# Recomputes the accuracies of a table from its long export, with base R.
#
#     r2lmlbench table SPEC --format long > long.csv
#     docs/long/accuracy.R long.csv
long <- read.csv(commandArgs(trailingOnly = TRUE)[1])
long <- long[long$seed == 1, ]
long$correct <- long$truth == long$predicted
cells <- aggregate(correct ~ dataset + split + method, long, function(x) c(sum = sum(x), n = length(x)))
right <- cells$correct[, "sum"]
n <- cells$correct[, "n"]
# Percent with two decimals, halves rounded up, in whole numbers: 12345 stands for 123.45.
hundredths <- (20000 * right + n) %/% (2 * n)
cells$accuracy <- sprintf("%d.%02d", as.integer(hundredths %/% 100), as.integer(hundredths %% 100))
write.csv(cells[c("dataset", "split", "method", "accuracy")], row.names = FALSE)
