# Writes the three data files of this folder from the package mlbench (Debian:
# r-cran-mlbench), which has the values of UCI's files in their order. Run it in
# this folder: Rscript write.R, then gzip -9n on each file.
library(mlbench)
data(Glass)
data(Ionosphere)
data(Sonar)

write <- function(name, rows) {
  file <- file(name, "wb")
  writeLines(rows, file, sep = "\n")
  close(file)
}

# Glass: a number for each row, the refractive index with 5 decimals, the others with 2.
write("glass.data", sapply(seq_len(nrow(Glass)), function(i) {
  paste(c(i, sprintf("%.5f", Glass[i, 1]), sprintf("%.2f", as.numeric(Glass[i, 2:9])), as.character(Glass[i, 10])), collapse = ",")
}))

# Sonar: 4 decimals.
write("sonar.all-data", sapply(seq_len(nrow(Sonar)), function(i) {
  paste(c(sprintf("%.4f", as.numeric(Sonar[i, 1:60])), as.character(Sonar[i, 61])), collapse = ",")
}))

# Ionosphere: whole numbers as such, others with 5 decimals. UCI's file spells one half
# as 0.5, but for two places of row 170.
write("ionosphere.data", sapply(seq_len(nrow(Ionosphere)), function(i) {
  v <- c(as.numeric(as.character(Ionosphere[i, 1])), as.numeric(as.character(Ionosphere[i, 2])), as.numeric(Ionosphere[i, 3:34]))
  text <- ifelse(v == round(v), sprintf("%d", as.integer(round(v))), sprintf("%.5f", v))
  short <- abs(v) == 0.5 & !(i == 170 & seq_along(v) %in% c(8, 26))
  text[short] <- sprintf("%.1f", v[short])
  paste(c(text, if (Ionosphere[i, 35] == "good") "g" else "b"), collapse = ",")
}))
