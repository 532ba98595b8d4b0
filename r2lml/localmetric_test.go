package r2lml

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

// quadratic returns vᵀ Lᵀ L v; a nil map is the identity.
func quadratic(l *mat.Dense, v *mat.VecDense) float64 {
	if l == nil {
		return mat.Dot(v, v)
	}
	var a mat.Dense
	a.Mul(l.T(), l)
	return mat.Inner(v, &a, v)
}

func TestLocalMetricIsAQuadraticForm(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawProblem(t)
		n, d := p.X.Dims()
		m, _ := p.Query.Dims()
		rank := rapid.IntRange(1, d).Draw(t, "rank")
		l := []*mat.Dense{drawDense(t, "L1", rank, d, 3), nil, drawDense(t, "L3", d, d, 3)}
		u, v := drawDense(t, "U", m, len(l), 1), drawDense(t, "V", n, len(l), 1)
		f := NewLocalMetric(p, l, u, v)
		got := make([]float64, n)
		for i := range m {
			f.SquaredDistances(got, i)
			for j := range n {
				var diff mat.VecDense
				diff.SubVec(p.Query.RowView(i), p.X.RowView(j))
				var want, size float64
				for k, lk := range l {
					term := u.At(i, k) * v.At(j, k) * quadratic(lk, &diff)
					want += term
					size += math.Abs(term)
				}
				if !(math.Abs(got[j]-want) <= 1e-11*(1+size)) {
					t.Fatalf("distance from %d to %d is %v, want %v", i, j, got[j], want)
				}
			}
		}
	})
}
