package baselines

import (
	"errors"

	"gonum.org/v1/gonum/mat"

	"r2lmlbench/r2lml"
)

// pairScatters are mean outer products of differences of samples, over all pairs
// i < j,
//
//	S = mean over y_i = y_j of (x_i−x_j)(x_i−x_j)ᵀ,   D = mean over y_i ≠ y_j
type pairScatters struct {
	similar, dissimilar           *mat.SymDense // S, D
	similarPairs, dissimilarPairs int
}

var (
	errOneClass     = errors.New("all samples are of one class, so that no pair is dissimilar; give two classes")
	errNoPair       = errors.New("no class has two samples, so that no pair is similar; give more samples")
	errEqualSimilar = errors.New("the samples of every class are equal; give classes that vary")
)

// newPairScatters takes O(ND²): with the scatter T of all samples about their mean
// and T_c that of class c, of n_c samples, the sums over pairs are
//
//	Σ similar = Σ_c n_c T_c,   Σ dissimilar = N T − Σ_c n_c T_c
func newPairScatters(p r2lml.Problem) (pairScatters, error) {
	n, d := p.X.Dims()
	total := mat.NewSymDense(d, nil)
	centered := mat.DenseCopyOf(p.X)
	center(centered, upTo(n))
	total.SymOuterK(float64(n), centered.T())
	s := pairScatters{similar: mat.NewSymDense(d, nil), dissimilar: mat.NewSymDense(d, nil)}
	for label := 1; label <= p.Classes(); label++ {
		rows := rowsOf(p.Y, label)
		if len(rows) == 0 {
			continue
		}
		center(centered, rows)
		var own mat.SymDense
		own.SymOuterK(float64(len(rows)), pickRows(centered, rows).T())
		s.similar.AddSym(s.similar, &own)
		s.similarPairs += len(rows) * (len(rows) - 1) / 2
	}
	s.dissimilarPairs = n*(n-1)/2 - s.similarPairs
	switch {
	case s.dissimilarPairs == 0:
		return s, errOneClass
	case s.similarPairs == 0:
		return s, errNoPair
	}
	s.dissimilar.ScaleSym(-1, s.similar)
	s.dissimilar.AddSym(total, s.dissimilar)
	s.similar.ScaleSym(1/float64(s.similarPairs), s.similar)
	s.dissimilar.ScaleSym(1/float64(s.dissimilarPairs), s.dissimilar)
	return s, nil
}

// shrunk returns both scatters drawn towards the identity, see [towardsIdentity].
func (s pairScatters) shrunk(rho float64) (similar, dissimilar *mat.SymDense, err error) {
	if mat.Trace(s.similar) == 0 {
		return nil, nil, errEqualSimilar
	}
	return towardsIdentity(s.similar, rho), towardsIdentity(s.dissimilar, rho), nil
}
