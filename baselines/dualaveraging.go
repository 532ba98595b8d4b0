package baselines

import (
	"context"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"r2lmlbench/internal/kernel"
	"r2lmlbench/internal/linalg"
)

// A tripletLoss holds the triplets of SCML and the training samples on the basis
// directions b. Under weights w_b of the squared directions the loss of the
// triplet (i, j, k) is
//
//	[1 + Σ_b w_b δ_b]₊,   δ_b = (b·(x_i − x_j))² − (b·(x_i − x_k))²
type tripletLoss struct {
	triplets []comparison
	along    *mat.Dense // N×K, b·x_i; rows are padded with zeros to kernel.Padded(K) entries
}

func newTripletLoss(x, bases *mat.Dense, triplets []comparison) *tripletLoss {
	n, _ := x.Dims()
	k, _ := bases.Dims()
	c := &tripletLoss{triplets: triplets, along: paddedDense(n, k)}
	c.along.Mul(x, bases.T())
	return c
}

// paddedDense returns an n×kernel.Padded(k) matrix of zeros.
func paddedDense(n, k int) *mat.Dense {
	return mat.NewDense(n, kernel.Padded(k), nil).Slice(0, n, 0, k).(*mat.Dense)
}

// on returns the loss restricted to these directions.
func (c *tripletLoss) on(directions []int) *tripletLoss {
	n, _ := c.along.Dims()
	along := paddedDense(n, max(1, len(directions)))
	for i := range n {
		row, from := along.RawRowView(i), c.along.RawRowView(i)
		for place, b := range directions {
			row[place] = from[b]
		}
	}
	return &tripletLoss{triplets: c.triplets, along: along}
}

// deltas writes δ_b of a triplet for all b to dst, which has kernel.Padded(K) entries.
func (c *tripletLoss) deltas(dst []float64, t comparison) {
	raw := c.along.RawMatrix()
	kernel.Pulls(dst, raw.Data[t.i*raw.Stride:], raw.Data[t.j*raw.Stride:], raw.Data[t.k*raw.Stride:])
}

// A schedule is the length of a stochastic descent and its draws.
type schedule struct {
	iterations int
	check      int        // iterations between two evaluations of the objective
	draw       func() int // the triplet of the next iteration
}

// dualStep is the inverse step length of the dual averaging.
const dualStep = 5e-3

// averaging learns one weight per direction by regularized dual averaging
// (L. Xiao, NIPS 2009) of
//
//	β Σ_b w_b + mean over triplets of [1 + Σ_b w_b δ_b]₊,   w ≥ 0
type averaging struct {
	*tripletLoss
	beta float64
	w    []float64
	mean []float64 // of the gradients drawn so far

	// w, mean and the δ of the drawn triplet, padded to kernel.Padded(K) entries.
	paddedW, paddedMean, drawn []float64

	sum     [1]float64 // scratch
	factors [4]float64
}

func newAveraging(c *tripletLoss, beta float64) *averaging {
	_, k := c.along.Dims()
	a := &averaging{tripletLoss: c, beta: beta}
	places := kernel.Padded(k)
	a.paddedW, a.paddedMean, a.drawn = make([]float64, places), make([]float64, places), make([]float64, places)
	a.w, a.mean = a.paddedW[:k], a.paddedMean[:k]
	return a
}

// run returns the weights with the least evaluated objective, and all evaluated
// objectives.
func (a *averaging) run(ctx context.Context, s schedule) (best, objectives []float64, err error) {
	least := math.Inf(1)
	best = make([]float64, len(a.w))
	for i := range s.iterations {
		if i%s.check == 0 {
			if err := ctx.Err(); err != nil {
				return nil, nil, err
			}
			value := a.objective(ctx)
			objectives = append(objectives, value)
			if value < least {
				least = value
				copy(best, a.w)
			}
		}
		a.step(float64(i+1), a.triplets[s.draw()])
	}
	return best, objectives, ctx.Err()
}

// objective returns β Σ_b w_b plus the mean loss over the triplets. It is incomplete when ctx ends.
func (a *averaging) objective(ctx context.Context) float64 {
	var loss float64
	for i := range linalg.Rows(ctx, len(a.triplets)) {
		a.deltas(a.drawn, a.triplets[i])
		kernel.Dots(a.sum[:], a.drawn, len(a.drawn), a.w)
		loss += max(0, 1+a.sum[0])
	}
	return a.beta*floats.Sum(a.w) + loss/float64(len(a.triplets))
}

// step runs iteration s on the triplet t: it adds the gradient at t to the mean, and
//
//	w_b = max(0, −√s/dualStep · sign(mean_b) max(|mean_b| − β, 0))
func (a *averaging) step(s float64, t comparison) {
	a.deltas(a.drawn, t)
	kernel.Dots(a.sum[:], a.drawn, len(a.drawn), a.w)
	if 1+a.sum[0] <= 0 {
		clear(a.drawn)
	}
	a.factors = [4]float64{s - 1, s, math.Sqrt(s) / dualStep, a.beta}
	kernel.Average(a.paddedMean, a.paddedW, a.drawn, &a.factors)
}
