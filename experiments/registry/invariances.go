package registry

import "r2lmlbench/r2lml"

// What the methods declare to be invariant to; TestInvariances tries all of it. Samples enter
// every method as differences, and labels as equal or not, so that translation and names of
// classes leave all labels. The other reasons stand beside each.
var (
	// What has no length of its own, and starts from I or from nothing, may be scaled and
	// rotated: Euclidean distances, covariances and what is inverted of them, shrunk by a share
	// of their trace, neighbors, kernels as wide as the median distance. The shares of the trace
	// and Euclidean neighbors depend on the units of single features.
	bySimilarity = r2lml.Invariances{Translation: 1, Scale: 1, Rotation: 1, Features: 1, Rows: 1, Classes: 1}

	// RCA inverts the covariance within classes, by correlations. So its generalized inverse of a
	// singular one goes by the features, and labels stay under rotations of a regular one alone.
	rcaInvariances = r2lml.Invariances{Translation: 1, Scale: 1, Units: 1, Features: 1, Rows: 1, Classes: 1}

	// ITML has the prior I, LMNN and LMNN-MM the margin 1 and steps of a given length, all in
	// the units of the samples. Pairs, and samples held out, are drawn by their rows.
	fromIdentity = r2lml.Invariances{Translation: 1, Rotation: 1, Features: 1, Classes: 1}

	// NCA starts from I, too, without a draw. L-BFGS divides by differences of gradients, and
	// so magnifies the rounding of sums in another order. 1 of 400 labels moved under rotations
	// and under orders of rows; where version 2 changed the sums, up to 5.1 % of a data set.
	ncaInvariances = r2lml.Invariances{Translation: 1, Rotation: 0.94, Features: 0.94, Rows: 0.94, Classes: 1}

	// R2LML draws the entries of its maps, and coefficients for each row. A step is a number in
	// the units of the samples; with auto all labels stay when samples are scaled.
	r2lmlInvariances = r2lml.Invariances{Translation: 1, Classes: 1}

	// PLML and SCML standardize the features, and draw the centers of k-means by rows.
	standardizedInvariances = r2lml.Invariances{Translation: 1, Scale: 1, Units: 1, Features: 1, Classes: 1}
)
