#!/usr/bin/env Rscript
# Recomputes the accuracies of a table from its long export, with base R.
#
#     r2lmlbench table SPEC --format long > long.csv
#     docs/long/accuracy.R long.csv
file <- commandArgs(trailingOnly = TRUE)
if (length(file) != 1) stop("usage: accuracy.R LONG.CSV")
long <- read.csv(file)
long <- long[long$seed == 1, ]
long$correct <- long$truth == long$predicted
cells <- aggregate(correct ~ dataset + split + method, long, mean)
# One row for all splits of a rule, as in the table: its name is that without repeat and fold. Its
# accuracy is the mean of the splits' accuracies.
cells$split <- gsub(" (repeat|fold)=[0-9]+", "", cells$split)
cells <- aggregate(correct ~ dataset + split + method, cells, mean)
# Percent with two decimals, halves rounded up, in whole numbers: 12345 stands for 123.45.
hundredths <- floor(10000 * cells$correct + 0.5 + 1e-9)
cells$accuracy <- sprintf("%d.%02d", as.integer(hundredths %/% 100), as.integer(hundredths %% 100))
write.csv(cells[c("dataset", "split", "method", "accuracy")], row.names = FALSE)
