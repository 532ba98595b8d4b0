package r2lml

import (
	"context"

	"gonum.org/v1/gonum/mat"
)

// Transductive is T-R2LML, the local metric learner of Eq. 3. It learns from
// the labeled and the query samples together: similarities among the labeled
// ones come from their labels, every other one starts as a fair coin flip and
// is a variable of the problem, and a query sample has coefficients of its own.
// So the metric depends on which samples are asked for. The hyper-parameters
// are those of [Efficient]. Reference: the paper's three-block algorithm;
// yinjiehuang/R2LMTL.
type Transductive Efficient

var _ Method = Transductive{}

// Resolve fills in the defaults of zero fields and refuses values that no fit
// could use.
func (m Transductive) Resolve() (Transductive, error) {
	resolved, err := Efficient(m).Resolve()
	return Transductive(resolved), err
}

// Fit implements [Method]. It fails when a map grows beyond all bounds, as it
// does when the step is too large for the scale of the features.
func (m Transductive) Fit(ctx context.Context, p Problem) (fitted Fitted, err error) {
	for _, task := range FitTransductive(p, []Transductive{m}) {
		task.Run(ctx, func(_ int, f Fitted, e error) { fitted, err = f, e })
	}
	return fitted, err
}

// transductive is the result of T-R2LML.
func (a *alternation) transductive(p Problem) Fitted {
	n := len(p.Y)
	v := mat.DenseCopyOf(a.g.Slice(0, n, 0, a.m.Metrics))
	u := mat.DenseCopyOf(a.g.Slice(n, a.s.n, 0, a.m.Metrics))
	return Fitted{Metric: NewLocalMetric(p, a.l, u, v), Facts: append(vertices(a.g), similarPairs(a.s, n))}
}

// start draws maps, then coefficients, then similarities.
func (m Transductive) start(p Problem) *alternation {
	var x mat.Dense
	x.Stack(p.X, p.Query)
	unlabeled, _ := p.Query.Dims()
	r := p.Rand()
	a := &alternation{m: Efficient(m), x: &x, y: p.Y}
	a.l, a.g = start(r, a.x, m.Metrics)
	a.s = coinSimilarity(r, p.Y, unlabeled)
	return a
}

// similarPairs counts the similar ones of the pairs that the labels leave
// open: those with a sample behind the first n.
func similarPairs(s similarity, n int) Fact {
	f := Fact{Name: "similar pairs chosen"}
	for i := n; i < s.n; i++ {
		for j := range i {
			if s.at(i, j) {
				f.Count++
			}
			f.Of++
		}
	}
	return f
}
