package batch

import (
	"gonum.org/v1/gonum/mat"

	"r2lmlbench/internal/kernel"
)

// A turn is the choice of coordinates in which the prefilter sees the mapped samples of
// a lane: their principal directions, by falling variance. Where the first few hold
// nearly all of the variance, they decide most tiles of pairs by themselves. Any
// directions are right; those of a map serve for the next ones.
type turn struct {
	q     []float64 // D×D, a direction per row
	first int       // features that are looked at first; D: all, in the coordinates as they are
	age   int       // passes since q was taken
}

const (
	// turnPasses is for how many passes over the pairs a turn serves.
	turnPasses = 8
	// turnTiles: no turn is worth making for less than one in turnTiles of all tiles.
	turnTiles = 8
	// lateRows: tiles are tried in one of lateRows tile rows.
	lateRows = 64
	// earlyCost is what deciding after the first features costs, in features.
	earlyCost = 3
)

// firstFeatures are tried as the number of features to look at first.
var firstFeatures = []int{4, 8, 12, 16, 20, 24}

// fillTurned makes the prefilter that of the mapped samples of a lane, in the
// coordinates of its turn.
func (b *scan) fillTurned(t *turn) {
	fresh := t.age == 0
	t.age = (t.age + 1) % turnPasses
	if fresh && !b.principalDirections(t) || !fresh && t.first == b.d {
		t.first = b.d
		b.prefilter.Fill(b.z, b.h, b.n, b.d)
		return
	}
	kernel.Map(b.zw, b.hw, b.z, t.q, b.n, b.d)
	if fresh {
		t.first = b.cheapestFirst()
	}
	b.prefilter.FillTurned(b.zw, b.h, b.n, b.d, t.first)
}

// principalDirections sets q to the eigenvectors of the second moments of the mapped
// samples, L C Lᵀ for those of the samples C, the largest eigenvalue's first. It fails
// where numbers overflow.
func (b *scan) principalDirections(t *turn) bool {
	l := mat.NewDense(b.d, b.d, b.l)
	var lc, m mat.Dense
	lc.Mul(l, b.moments)
	m.Mul(&lc, l.T())
	sym := mat.NewSymDense(b.d, nil)
	for i := range b.d {
		for j := i; j < b.d; j++ {
			sym.SetSym(i, j, m.At(i, j))
		}
	}
	var eig mat.EigenSym
	var vectors mat.Dense
	if !(mat.Norm(sym, 1) < maxMoment) || !eig.Factorize(sym, true) {
		return false
	}
	eig.VectorsTo(&vectors)
	t.q = resized(t.q, b.d*b.d)
	for i := range b.d {
		mat.Col(t.q[i*b.d:(i+1)*b.d], b.d-1-i, &vectors)
	}
	return orthogonal(mat.NewDense(b.d, b.d, t.q))
}

// maxMoment bounds the second moments of which eigenvectors are taken.
const maxMoment = 1e100

// orthogonal says whether ‖QᵀQ − I‖ is small enough for the prefilter.
func orthogonal(q *mat.Dense) bool {
	var gram mat.Dense
	gram.Mul(q.T(), q)
	n, _ := q.Dims()
	for i := range n {
		gram.Set(i, i, gram.At(i, i)-1)
	}
	return mat.Norm(&gram, 2) <= kernel.TurnTolerance
}

// cheapestFirst returns the number of features to look at first, for the turned samples
// in b.zw, by the tiles of some rows that they leave undecided. It writes to b.now, which
// the caller fills anew.
func (b *scan) cheapestFirst() int {
	best, least := b.d, float64(b.d)
	for _, first := range firstFeatures {
		if first+earlyCost >= b.d {
			break
		}
		b.prefilter.FillTurned(b.zw, b.h, b.n, b.d, first)
		late, of := b.prefilter.Late(b.now, lateRows)
		cost := float64(first+earlyCost) + float64(late)/float64(of)*float64(b.d-first+earlyCost)
		if cost < least {
			best, least = first, cost
		}
	}
	return best
}
