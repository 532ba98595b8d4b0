// Package stats compares classifiers on one test set: McNemar's test for a pair
// of them, Holm's correction over all pairs, and the rank groups of a results
// table. It knows nothing of metrics, data sets or files: labels, counts and
// p-values go in, tests and ranks come out.
//
// The steps of one table row are
//
//  1. [ComparePredictions] counts, for each pair of methods, the test samples
//     that only one of the two labels correctly;
//  2. [McNemar] turns the two counts of a pair into a p-value;
//  3. [Holm] adjusts the k(k-1)/2 p-values of the k methods of the row, so that
//     the chance of even one false difference in the row stays at most alpha;
//  4. [Group] gives the methods ranks: equal ranks for "comparable with the
//     leader", rank 1 for the best method and those comparable with it;
//  5. [Percent], [Proportion] and [FormatP] print the numbers.
//
// With b samples right by the first method only, c by the second only,
// D = b+c and m = min(b,c), the p-values of the four variants are
//
//	mcnemar-exact  min(1, 2 P(X ≤ m))            X ~ Bin(D, 1/2)
//	mcnemar-midp   min(1, 2 P(X ≤ m) - P(X = m))
//	mcnemar-cc     P(χ²₁ > (|b-c|-1)²/D)
//	mcnemar-chi2   P(χ²₁ > (b-c)²/D)
//
// and p = 1 in all of them when b = c, D = 0 included. Holm's adjusted value of
// the i-th smallest of m p-values is
//
//	adj₍ᵢ₎ = max(adj₍ᵢ₋₁₎, min(1, (m-i+1) p₍ᵢ₎)).
//
// Everything is decided on integers for as long as possible: accuracies are
// compared by their numbers of correct samples, percentages are rounded by
// integer division, and binomial tails are summed as integers up to D = 1000.
//
// Symbols and names:
//
//	b, c       Paired.OnlyFirst, Paired.OnlySecond; Result.B, Result.C
//	b/c        Paired.OddsRatio
//	g          Paired.CohensG, max(b,c)/D - 1/2
//	adj        the slice returned by Holm
//
// Unequal lengths, negative counts and p-values outside [0,1] are programming
// errors and panic, as they do in gonum.
//
// References:
//
//	Q. McNemar, Note on the sampling error of the difference between
//	  correlated proportions or percentages, Psychometrika 12, 1947.
//	S. Holm, A simple sequentially rejective multiple test procedure,
//	  Scandinavian Journal of Statistics 6, 1979.
//	T. G. Dietterich, Approximate statistical tests for comparing supervised
//	  classification learning algorithms, Neural Computation 10, 1998.
//	M. W. Fagerland, S. Lydersen, P. Laake, The McNemar test for binary
//	  matched-pairs data, BMC Medical Research Methodology 13:91, 2013.
//	H.-P. Piepho, An algorithm for a letter-based representation of
//	  all-pairwise comparisons, Journal of Computational and Graphical
//	  Statistics 13, 2004.
package stats
