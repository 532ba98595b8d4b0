package registry

import "r2lmlbench/r2lml"

// The declared invariances of the methods; TestInvariances tests all. Every method but cosine uses
// only differences of samples, and equality of labels, so translation and names of classes keep all
// labels. The reasons for the others follow.
var (
	// Methods without an absolute length keep labels under scaling and rotation: they use
	// Euclidean distances, neighbors, covariances and their inverses with shrinkage relative to
	// the trace, and kernels relative to the median distance. Traces and Euclidean neighbors
	// depend on the units of single features.
	bySimilarity = r2lml.Invariances{Translation: 1, Scale: 1, Rotation: 1, Features: 1, Rows: 1, Classes: 1}

	// Manhattan distances depend on the directions of the axes, cosines on the origin.
	manhattanInvariances = r2lml.Invariances{Translation: 1, Scale: 1, Features: 1, Rows: 1, Classes: 1}
	cosineInvariances    = r2lml.Invariances{Scale: 1, Rotation: 1, Features: 1, Rows: 1, Classes: 1}

	// RCA inverts the covariance within classes by correlations. Its generalized inverse of a
	// singular covariance depends on the features, so rotations keep labels only if the covariance
	// is regular.
	rcaInvariances = r2lml.Invariances{Translation: 1, Scale: 1, Units: 1, Features: 1, Rows: 1, Classes: 1}

	// ITML has the prior I, LMNN and LMNN-MM the margin 1 and an absolute step length, all in the
	// units of the samples. Pairs and held out samples are drawn by row number.
	fromIdentity = r2lml.Invariances{Translation: 1, Rotation: 1, Features: 1, Classes: 1}

	// NCA starts from I and draws nothing. L-BFGS divides by differences of gradients, which
	// magnifies rounding errors of sums in another order. 1 of 400 labels changed under rotations
	// and orders of rows; when version 2 changed the sums, up to 5.1 % of a data set changed.
	ncaInvariances = r2lml.Invariances{Translation: 1, Rotation: 0.94, Features: 0.94, Rows: 0.94, Classes: 1}

	// R2LML draws the entries of its maps, and coefficients for each row. A numeric step is in the
	// units of the samples; with auto, scaling keeps all labels.
	r2lmlInvariances = r2lml.Invariances{Translation: 1, Classes: 1}

	// PLML and SCML standardize the features, and draw the centers of k-means by rows.
	standardizedInvariances = r2lml.Invariances{Translation: 1, Scale: 1, Units: 1, Features: 1, Classes: 1}
)
