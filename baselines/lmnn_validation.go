package baselines

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"r2lmlbench/internal/linalg"
	"r2lmlbench/r2lml"
)

// mostDivisions is the number of random divisions to try before going without
// validation.
const mostDivisions = 10_000

// A holdOut is the training samples of a problem, divided in two.
type holdOut struct {
	train r2lml.Problem // its query samples are those held out
	y     []int         // labels of the samples held out; none: validation is off
}

// divide draws divisions until one leaves every class a sample and its targets
// to train on. Failing that, all samples train.
func (m LMNN) divide(ctx context.Context, p r2lml.Problem) holdOut {
	n := len(p.Y)
	keep := int(math.Round((1 - m.Validation) * float64(n)))
	r := p.Rand()
	for range linalg.Rows(ctx, mostDivisions) {
		order := r.Perm(n)
		train, held := order[:keep], order[keep:]
		if len(held) > 0 && everyClassHas(m.Neighbors+1, p.Y, train) {
			slices.Sort(train)
			slices.Sort(held)
			return holdOut{
				train: r2lml.Problem{X: pickRows(p.X, train), Y: pickLabels(p.Y, train), Query: pickRows(p.X, held)},
				y:     pickLabels(p.Y, held),
			}
		}
	}
	return holdOut{train: p}
}

// everyClassHas says whether every label of y occurs at least least times among
// the rows.
func everyClassHas(least int, y, rows []int) bool {
	count := make([]int, slices.Max(y)+1)
	for _, n := range rows {
		count[y[n]]++
	}
	for _, label := range y {
		if count[label] < least {
			return false
		}
	}
	return true
}

func pickLabels(y, rows []int) []int {
	picked := make([]int, len(rows))
	for i, n := range rows {
		picked[i] = y[n]
	}
	return picked
}

// A choice keeps the best of the maps offered to it.
type choice struct {
	holdOut
	neighbors int
	l         *mat.Dense // nil before the first offer that counts
	errors    int        // of l
}

// offer takes l unless it labels more of the held out samples wrong than the
// map before. It takes none when no samples are held out. They vote by the defaults of
// the k-NN rule, as in the toolbox, whatever a spec says of ties and distances: this
// choice is a step of the method and not of the protocol.
func (c *choice) offer(ctx context.Context, l *mat.Dense) {
	if len(c.y) == 0 {
		return
	}
	labels, err := r2lml.ClassifyContext(ctx, c.train, r2lml.NewGlobal(c.train, l), []int{c.neighbors}, r2lml.Voting{})
	if err != nil {
		return // who asked ends, too
	}
	errors := 0
	for i, label := range labels[0] {
		if label != c.y[i] {
			errors++
		}
	}
	if errors <= c.errors {
		c.l, c.errors = l, errors
	}
}
