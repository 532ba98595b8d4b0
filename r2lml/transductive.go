package r2lml

import (
	"context"
	"math/bits"

	"gonum.org/v1/gonum/mat"
)

// Transductive is T-R2LML, the local metric learner of Eq. 3. It learns from
// the labeled and the query samples together. Similarities among the labeled
// ones come from their labels; every other one starts as a fair coin flip and
// is a variable of the problem. Every query sample has its own coefficients, so
// the metric depends on the query samples. The hyper-parameters are those of
// [Efficient]. Reference: the paper's three-block algorithm; yinjiehuang/R2LMTL.
type Transductive Efficient

var _ Method = Transductive{}

// Resolve fills in the defaults of zero fields and refuses values that no fit
// could use.
func (m Transductive) Resolve() (Transductive, error) {
	resolved, err := Efficient(m).Resolve()
	return Transductive(resolved), err
}

// Fit implements [Method]. It fails when a map diverges, because the step is too
// large for the scale of the features.
func (m Transductive) Fit(ctx context.Context, p Problem) (fitted Fitted, err error) {
	FitTransductive(p, []Transductive{m})[0].Run(ctx, func(_ int, f Fitted, e error) { fitted, err = f, e })
	return fitted, err
}

// FitTransductive is the [GridFit] of T-R2LML, grouped like [FitEfficient].
func FitTransductive(p Problem, settings []Transductive) []Task {
	same := make([]Efficient, len(settings))
	for i, m := range settings {
		same[i] = Efficient(m)
	}
	return tasks(p, true, same)
}

// stacked returns the training samples of p, and the query samples below them.
func stacked(p Problem) *mat.Dense {
	var x mat.Dense
	x.Stack(p.X, p.Query)
	return &x
}

// SimilarFact names the count of pairs with an unlabelled sample that are similar at
// the end of a fit of T-R2LML.
const SimilarFact = "similar pairs chosen"

// similarPairs counts the similar pairs with an unlabeled sample; the first n samples
// are labeled.
func similarPairs(s similarity, n int) Count {
	f := Count{Name: SimilarFact}
	for i := n; i < s.n; i++ {
		row, last := s.rows[i], i/64
		for _, word := range row[:last] {
			f.Count += bits.OnesCount64(word)
		}
		f.Count += bits.OnesCount64(row[last] & (1<<(i%64) - 1))
		f.Of += i
	}
	return f
}
