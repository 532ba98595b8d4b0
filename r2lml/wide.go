package r2lml

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"r2lmlbench/internal/linalg"
)

// The differences of few samples span few of the D directions: x_m − x_n = Q (z_m − z_n)
// with orthonormal columns Q, D×R, and R < N. Outside the span a map L changes only the nuclear
// norms of F, and LQQᵀ has the least one: ‖LQQᵀ‖_* ≤ ‖L‖_*. A descent from LQQᵀ stays in the
// span, since its gradient is 4LQ(…)Qᵀ and the proximal map adds no row. An orthogonal factor
// on either side of L passes through the descent. So with LQ = OT, where O has orthonormal
// columns and T is triangular, it is a descent on the R×R map T with samples z: the same
// distances at a cost that grows with R. LearnedDimensions says when we do this.
//
// A descent from L keeps the part of its random start outside the span until the nuclear norm
// has shrunk it. So for λ > 0 its maps differ from ours, and for any λ its distances of queries
// outside the span.

// wide: a fit uses the span if there are at least wide times as many features as samples. No
// problem of the paper has: Wisconsin Prognostic Breast Cancer has 20 samples of 33 features.
const wide = 2

// spanShare is the least singular value, relative to the largest, of a direction in the span of
// the centered samples.
const spanShare = 1e-10

// LearnedDimensions returns the dimension of the space in which E-R2LML learns from n training
// samples, or T-R2LML from n training and query samples, of d features.
func LearnedDimensions(n, d int) int {
	if d < wide*n {
		return d
	}
	return max(1, n-1)
}

// inSpan returns the span Q of the differences of the rows of x, and their coordinates z, N×R.
// If x is not wide, or its rows are equal or not finite, it returns nil and x.
func inSpan(x *mat.Dense) (span, z *mat.Dense, err error) {
	n, d := x.Dims()
	if LearnedDimensions(n, d) == d {
		return nil, x, nil
	}
	differences := centered(x)
	if size := largest(differences); !(size > 0 && size <= math.MaxFloat64) {
		return nil, x, nil
	}
	if span, err = linalg.RowSpan(differences, spanShare); err != nil {
		return nil, nil, err
	}
	z = new(mat.Dense)
	z.Mul(differences, span)
	return span, z, nil
}

// restricted returns T for a map L; L itself if span is nil.
func restricted(l, span *mat.Dense) *mat.Dense {
	if span == nil {
		return l
	}
	var onto, t mat.Dense
	onto.Mul(l, span)
	var qr mat.QR
	qr.Factorize(&onto)
	qr.RTo(&t)
	_, rank := onto.Dims()
	return mat.DenseCopyOf(t.Slice(0, rank, 0, rank))
}

// lifted returns the maps TQᵀ, R×D, on all features.
func lifted(l []*mat.Dense, span *mat.Dense) []*mat.Dense {
	if span == nil {
		return l
	}
	all := make([]*mat.Dense, len(l))
	for k := range l {
		all[k] = new(mat.Dense)
		all[k].Mul(l[k], span.T())
	}
	return all
}
