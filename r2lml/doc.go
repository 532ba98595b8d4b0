// Package r2lml learns reduced-rank local distance metrics for k-NN
// classification, and holds the contract that every metric learner of this
// module follows: [Problem], [Method], [Metric] and the k-NN rule [Classify].
//
// A local metric is a conical combination of K Mahalanobis metrics whose
// coefficients belong to the samples. Between samples x_m and x_n it is
//
//	d²(x_m, x_n) = Σ_k g^k_m g^k_n ‖L^k (x_m − x_n)‖²
//
// [Efficient] (E-R2LML) learns the maps L^k and the coefficients g of the
// training samples by minimizing, with s_mn = 1 for pairs of one class,
//
//	F = Σ_k Σ_mn [ s_mn g^k_m g^k_n E^k_mn + C (1 − s_mn) [1 − E^k_mn]₊ ] + λ Σ_k ‖L^k‖_*
//
// over L^k and over g on the simplex (Eq. 4), where E^k_mn = ‖L^k (x_m − x_n)‖²
// and the sums run over ordered pairs. One epoch is block 1, a proximal
// subgradient descent on each L^k, and block 2, a majorization-minimization
// on g.
//
// [Transductive] (T-R2LML) minimizes the same F over training and query samples
// together (Eq. 3). There s_mn is known from the labels of two training samples
// only; the others are variables, and block 3 of an epoch chooses them.
//
// Samples are rows here: our X is N×D, the paper's is its transpose.
//
//	paper        here
//	N, M, D, K   training samples, query samples, features, metrics
//	x_n          row n of Problem.X; of Problem.Query for query samples
//	L^k          LocalMetric.L[k], D×D, applied as L^k x
//	g^k_n        LocalMetric.V.At(n, k) for training samples, LocalMetric.U.At(m, k) for queries
//	s_mn         similarity.at(m, n)
//	ψ_mn         entry n of row m of solver.psi
//	λ, C, η      Efficient.Lambda, Efficient.C, Efficient.Step
//
// The paper's algorithm box is the loop of shared.minimize; E-R2LML skips block 3. A
// blockDescent holds the variables and blocks 2 and 3. A solver computes block 1 and
// all other sums over pairs of samples. The plain solver follows the formulas; tests
// and traces use it. The batched solver of package batch runs block 1 of several
// settings at once, so the loop runs several settings side by side.
//
// Equations are numbered as the paper's LaTeX source counts them: (1) global
// metric, (2) constrained problem, (3) T-R2LML, (4) E-R2LML, (5) S̄^k, (6) S̃,
// (7) the quadratic program in g, (8) its majorizer, (9) and (10) Theorem 1.
//
// Reference: Reduced-Rank Local Distance Metric Learning for k-NN
// Classification, arXiv 1902.08313. The authors' programs (yinjiehuang/R2LML)
// differ from the text in places, see [Variant].
package r2lml
