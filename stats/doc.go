// Package stats compares classifiers on one test set: McNemar's test for a pair of them, Holm's
// correction over all pairs, and the rank groups of a results table. It also compares methods over
// several data sets, compares published accuracies with ours, and finds printed tables that no
// predictions can give. It knows nothing of metrics, data sets or files: it takes labels, counts,
// scores and p-values, and returns tests, intervals and ranks.
//
// Every comparison of methods is a call of [Compare] with a [Test], a [Sample] per method, and the
// pairs of one family, from [AllPairs] or [Against]. The steps of one table row are
//
//  1. [Variant.Compare] counts, for each pair of methods, the test samples
//     that only one of the two labels correctly;
//  2. [McNemar] turns the two counts of a pair into a p-value;
//  3. [Holm] adjusts the k(k-1)/2 p-values of the k methods of the row, so that
//     the chance of even one false difference in the row stays at most alpha;
//  4. [Group] gives the methods ranks: equal ranks for "comparable with the
//     leader", rank 1 for the best method and those comparable with it;
//  5. [Percent], [Proportion] and [FormatP] print the numbers;
//  6. [Wilson] gives the interval of an accuracy, [Newcombe] that of a difference;
//     [MinGap] tells what the test could have seen.
//
// Over several data sets, with one score per data set and method,
//
//   - [Friedman] asks whether the methods differ at all, and [NemenyiP] which do; a [Standing]
//     has both;
//   - [CDGroups] and [Cliques] are the bars of a critical-difference diagram, over
//     average ranks and over pairwise tests;
//   - [Wilcoxon] compares two methods, and a [Posterior] many pairs of them by the
//     Bayesian signed-rank test;
//   - [Spearman] tells whether two columns of scores order the data sets alike;
//   - [ResampledT] tests a mean difference over random splits of one data set, and has its
//     interval.
//
// For published numbers,
//
//   - [CheckPercent] and [CheckProportion] tell whether any count prints so;
//   - [BoundPairs] and [RankClaims] whether any predictions lead to printed ranks.
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
// Decisions use integers as long as possible: accuracies are compared by their numbers of correct
// samples, percentages are rounded by integer division, and binomial tails are summed as integers
// up to D = 1000.
//
// Symbols and names:
//
//	b, c       Paired.OnlyFirst, Paired.OnlySecond; Result.B, Result.C
//	b/c        Paired.OddsRatio
//	g          Paired.CohensG, max(b,c)/D - 1/2
//	adj        the slice returned by Holm
//	φ          the correlation of a Paired table, in Newcombe's interval
//	N, k       data sets and methods of Friedman
//	CD         CriticalDifference
//	s, z, w    BayesSettings.Strength, differences and their weights
//
// Unequal lengths, negative counts, scores that are not numbers and p-values
// outside [0,1] are programming errors and panic, as they do in gonum. Text that
// is no number is an error.
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
//	J. Demšar, Statistical comparisons of classifiers over multiple data sets,
//	  Journal of Machine Learning Research 7, 2006.
//	A. Benavoli, F. Mangili, G. Corani, M. Zaffalon, F. Ruggeri, A Bayesian
//	  Wilcoxon signed-rank test based on the Dirichlet process, ICML 2014.
//	A. Benavoli, G. Corani, J. Demšar, M. Zaffalon, Time for a change: a
//	  tutorial for comparing multiple classifiers through Bayesian analysis,
//	  Journal of Machine Learning Research 18:77, 2017.
//	R. G. Newcombe, Improved confidence intervals for the difference between
//	  binomial proportions based on paired data, Statistics in Medicine 17, 1998.
//	D. G. Bonett, R. M. Price, Adjusted Wald confidence interval for a
//	  difference of binomial proportions based on paired data, Journal of
//	  Educational and Behavioral Statistics 37, 2012.
//	C. Nadeau, Y. Bengio, Inference for the generalization error, Machine
//	  Learning 52, 2003.
//	R. R. Bouckaert, E. Frank, Evaluating the replicability of significance
//	  tests for comparing learning algorithms, PAKDD 2004.
//	N. J. L. Brown, J. A. J. Heathers, The GRIM test, Social Psychological and
//	  Personality Science 8, 2017 (preprint 2016).
//	H.-P. Piepho, An algorithm for a letter-based representation of
//	  all-pairwise comparisons, Journal of Computational and Graphical
//	  Statistics 13, 2004.
package stats
