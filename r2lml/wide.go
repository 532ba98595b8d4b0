package r2lml

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"r2lmlbench/internal/linalg"
)

// Where samples are few, their differences span few of D directions: x_m − x_n = Q (z_m − z_n)
// with orthonormal columns Q, D×R, and R < N. Nothing of F but the nuclear norms depends on
// what a map L does elsewhere, and these are least where it does nothing: ‖LQQᵀ‖_* ≤ ‖L‖_*.
// A descent from LQQᵀ keeps to the span, since its gradient is 4LQ(…)Qᵀ and the proximal map
// adds no row. It turns with an orthogonal matrix on either side of L. So with LQ = OT, where
// O has orthonormal columns and T is triangular, it is a descent on the R×R map T with samples
// z: the same distances at a cost that grows with R. LearnedDimensions says where that is done.
//
// Beside a descent from L, which has the rest of its random start in the nuclear norms until
// they have shrunk it, the maps differ for λ > 0, and the distances of queries beyond the span
// for any λ.

// wide is how many features a sample has, at least, for samples to be taken in their span. No
// problem of the paper is wide: Wisconsin Prognostic Breast Cancer has 20 samples of 33 features.
const wide = 2

// spanShare is the least singular value of centered samples, beside the largest, of a direction
// that they span.
const spanShare = 1e-10

// LearnedDimensions is the number of directions that E-R2LML learns from n samples of d
// features in, and T-R2LML from n training and query samples.
func LearnedDimensions(n, d int) int {
	if d < wide*n {
		return d
	}
	return max(1, n-1)
}

// inSpan returns the span Q of the differences of wide samples, the rows of x, and their
// coordinates, N×R. Other samples stay as they are, without a span; so do those that are equal
// or not finite.
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

// restricted returns T for a map L, and L itself without a span.
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

// lifted returns the maps TQᵀ, R×D, of samples with all features.
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
