package r2lml

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"r2lmlbench/internal/linalg"

	"gonum.org/v1/gonum/mat"
)

// objectiveTolerance ends the epochs when F changes by less (the paper's
// setting).
const objectiveTolerance = 1e-4

// An alternation is the state of the paper's block coordinate descent: the
// variables of F, each improved by one block while the others stay fixed.
type alternation struct {
	m Efficient  // settings, resolved
	x *mat.Dense // samples, labeled ones first
	y []int      // labels of the first len(y) samples

	l []*mat.Dense // K maps
	g *mat.Dense   // coefficients, one row per sample
	s similarity
}

// minimize runs epochs of the given blocks.
func (a *alternation) minimize(ctx context.Context, blocks ...func(context.Context) error) error {
	value := math.Inf(1)
	for epoch := 1; epoch <= a.m.Epochs; epoch++ {
		for _, block := range blocks {
			if err := block(ctx); err != nil {
				return fmt.Errorf("epoch %d: %w", epoch, err)
			}
		}
		before := value
		value = a.objective()
		if math.Abs(before-value) < objectiveTolerance {
			break
		}
	}
	return nil
}

func (a *alternation) objective() float64 {
	return objective(a.x, a.s, a.l, a.g, a.m.C, a.m.Lambda)
}

// transforms is block 1: the descent on every map in turn.
func (a *alternation) transforms(ctx context.Context) error {
	b := newDescent(a.x, a.s, a.m)
	for k := range a.l {
		if err := a.transform(ctx, b, k); err != nil {
			return err
		}
	}
	return nil
}

// transform runs the descent b on the map of metric k.
func (a *alternation) transform(ctx context.Context, b *descent, k int) error {
	b.g = mat.Col(nil, k, a.g)
	next, err := b.run(ctx, a.l[k])
	if err != nil {
		return fmt.Errorf("metric %d: %w", k+1, err)
	}
	a.l[k] = next
	return nil
}

// coefficients is block 2. One metric needs none: the simplex of one
// coefficient is the point 1.
func (a *alternation) coefficients(ctx context.Context) error {
	if len(a.l) == 1 {
		return nil
	}
	b, err := newMajorization(a.s.n, len(a.l), a.m.Variant, multiplyPairs(a.x, a.s, a.l))
	if err != nil {
		return err
	}
	next, err := b.run(ctx, a.g)
	if err != nil {
		return err
	}
	a.g = next
	return nil
}

// similarities is block 3.
func (a *alternation) similarities(ctx context.Context) error {
	b := selection{z: linalg.MapByEach(a.l, a.x), g: a.g, c: a.m.C, labeled: len(a.y), variant: a.m.Variant}
	next, err := b.run(ctx, a.y)
	if err != nil {
		return err
	}
	a.s = next
	return nil
}

// start draws the first maps and coefficients as the authors' program does:
// the entries of L^k uniform on [0,1), g^k uniform on [0,1/(K−1)) for k < K
// and g^K the rest. (The paper's analysis starts from L = 0, which is a
// stationary point.) Metrics come first, so that the first maps are the same
// for every K.
func start(r *rand.Rand, x *mat.Dense, metrics int) ([]*mat.Dense, *mat.Dense) {
	n, d := x.Dims()
	l := make([]*mat.Dense, metrics)
	for k := range l {
		l[k] = mat.NewDense(d, d, nil)
		for i := range d * d {
			l[k].RawMatrix().Data[i] = r.Float64()
		}
	}
	g := mat.NewDense(n, metrics, nil)
	for i := range n {
		row, rest := g.RawRowView(i), 1.0
		for k := range metrics - 1 {
			row[k] = r.Float64() / float64(metrics-1)
			rest -= row[k]
		}
		row[metrics-1] = rest
	}
	return l, g
}
