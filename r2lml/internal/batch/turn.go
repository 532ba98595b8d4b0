package batch

import (
	"gonum.org/v1/gonum/mat"

	"r2lmlbench/internal/kernel"
)

// A turn rotates the mapped samples of a lane to their principal directions, by falling variance,
// before the prefilter compares them. If the first few hold nearly all of the variance, they decide
// most tiles of pairs. Any orthogonal directions are valid, so those of one map serve for several.
type turn struct {
	q     []float64 // D×D, one direction per row
	first int       // number of features compared first; D: all, without rotation
	age   int       // passes since q was taken
}

const (
	// turnPasses is the number of passes over the pairs that a turn serves.
	turnPasses = 8
	// turnTiles: a pass over fewer than one in turnTiles of all tiles makes no turn.
	turnTiles = 8
	// lateRows: one in lateRows tile rows is tested to choose turn.first.
	lateRows = 64
	// earlyCost is the cost of deciding after the first features, in features.
	earlyCost = 3
)

// firstFeatures are the candidates for turn.first.
var firstFeatures = []int{4, 8, 12, 16, 20, 24}

// fillTurned fills the prefilter with the mapped samples of a lane, rotated by its turn.
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

// principalDirections sets q to the eigenvectors of the second moments of the mapped samples, L C
// Lᵀ where C are those of the samples, largest eigenvalue first. It returns false if numbers
// overflow.
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

// maxMoment is the largest norm of second moments that are decomposed.
const maxMoment = 1e100

// orthogonal reports whether ‖QᵀQ − I‖ is small enough for the prefilter.
func orthogonal(q *mat.Dense) bool {
	var gram mat.Dense
	gram.Mul(q.T(), q)
	n, _ := q.Dims()
	for i := range n {
		gram.Set(i, i, gram.At(i, i)-1)
	}
	return mat.Norm(&gram, 2) <= kernel.TurnTolerance
}

// cheapestFirst returns the number of features to compare first, for the rotated samples in b.zw,
// from the number of tiles that they leave undecided in some rows. It overwrites b.now, which the
// caller fills anew.
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
