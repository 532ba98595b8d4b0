// Package batch is the batched solver behind package r2lml: it computes the sums over all pairs of
// samples that the blocks of R2LML need, for several settings of one problem side by side. Package
// r2lml holds the algorithm and a plain solver; the results here agree with that to rounding.
//
// The words, from the outside in:
//
//	Samples   the samples of a problem, packed in the layouts of package kernel
//	Pairs     which pairs are similar: sums over these, and the others as bits
//	Batch     the fits that share packed samples and scratch
//	Fit       a batched fit: the maps and coefficients of one setting
//	lane      one map of one fit; a descent improves eight lanes at once
//	screen    spares a lane the pairs that cannot have crossed distance 1
//
// For fixed coefficients g the similar pairs contribute a constant matrix A to
// the gradient of block 1. The dissimilar pairs within distance 1 contribute B,
// which changes only with the pairs that cross that distance:
//
//	∇f(Y) = 4 Y (A − C B),  A = Σ_{m<n} s_mn g_m g_n D_mn D_mnᵀ,  B = Σ D_mn D_mnᵀ
//
// where D_mn = x_m − x_n and B runs over m < n with s_mn = 0 and |Y D_mn| < 1.
// Which pairs are that close is found in float64 for tiles of 64 pairs, after a
// float32 prefilter that decides the certain ones ([kernel.Prefilter]).
//
// The maps of different settings and metrics do not depend on one another, so
// they share the lanes of vectors. The result of a lane is the same, bit for
// bit, whatever the other lanes hold, with and without screen and prefilter.
package batch
