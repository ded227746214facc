# What test_across_networks.py holds the six Twitch networks against: Rscript tests/twitch_networks.R
models <- c("wvrn", "nbc", "cdrn", "prior")
source_file <- "tests/test_across_networks.py"
text <- readLines(source_file)
rows <- grep("^    \\[0\\.", text, value = TRUE)
errors <- t(sapply(strsplit(gsub("[],[ ]+", " ", rows), " +"), function(x) as.numeric(x[x != ""])))
colnames(errors) <- models
print(friedman.test(errors))
pairs <- combn(4, 2)
p <- apply(pairs, 2, function(ij) {
  difference <- round(errors[, ij[1]] - errors[, ij[2]], 12)
  c(wilcoxon = wilcox.test(difference[difference != 0])$p.value,
    sign = binom.test(sum(difference < 0), sum(difference != 0))$p.value)
})
colnames(p) <- apply(pairs, 2, function(ij) paste(models[ij], collapse = " - "))
print(p, digits = 15)
print(apply(p, 1, p.adjust, method = "holm"), digits = 15)
ranks <- colMeans(t(apply(errors, 1, rank)))
print(ranks)
k <- 4
n <- nrow(errors)
q <- abs(ranks[pairs[1, ]] - ranks[pairs[2, ]]) / sqrt(k * (k + 1) / (12 * n))
print(ptukey(q, k, Inf, lower.tail = FALSE), digits = 15)
