package baselines

import (
	"context"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// A tripletLoss holds the triplets of SCML and the training samples on the basis
// directions b. Under weights w_b of the squared directions the loss of the
// triplet (i, j, k) is
//
//	[1 + Σ_b w_b δ_b]₊,   δ_b = (b·(x_i − x_j))² − (b·(x_i − x_k))²
type tripletLoss struct {
	triplets []comparison
	along    *mat.Dense // N×K, b·x_i
}

func newTripletLoss(x, bases *mat.Dense, triplets []comparison) *tripletLoss {
	var along mat.Dense
	along.Mul(x, bases.T())
	return &tripletLoss{triplets: triplets, along: &along}
}

// A standing is a triplet on the basis directions.
type standing struct{ i, j, k []float64 }

func (c *tripletLoss) standing(t comparison) standing {
	return standing{c.along.RawRowView(t.i), c.along.RawRowView(t.j), c.along.RawRowView(t.k)}
}

// delta returns δ_b.
func (s standing) delta(b int) float64 {
	near, far := s.i[b]-s.j[b], s.i[b]-s.k[b]
	return near*near - far*far
}

// deltas writes δ_b of a triplet for all b to dst.
func (c *tripletLoss) deltas(dst []float64, t comparison) {
	s := c.standing(t)
	j, k, dst := s.j[:len(s.i)], s.k[:len(s.i)], dst[:len(s.i)]
	for b, at := range s.i {
		near, far := at-j[b], at-k[b]
		dst[b] = near*near - far*far
	}
}

// A schedule says how long a stochastic descent runs.
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
	beta  float64
	w     []float64
	mean  []float64 // of the gradients drawn so far
	drawn []float64 // δ of the triplet drawn
}

func newAveraging(c *tripletLoss, beta float64) *averaging {
	_, k := c.along.Dims()
	return &averaging{tripletLoss: c, beta: beta, w: make([]float64, k), mean: make([]float64, k), drawn: make([]float64, k)}
}

// run returns the best weights met at the evaluations of the objective, and the
// objectives.
func (a *averaging) run(ctx context.Context, s schedule) (best, objectives []float64, err error) {
	least := math.Inf(1)
	best = make([]float64, len(a.w))
	for i := range s.iterations {
		if i%s.check == 0 {
			if err := ctx.Err(); err != nil {
				return nil, nil, err
			}
			value := a.objective()
			objectives = append(objectives, value)
			if value < least {
				least = value
				copy(best, a.w)
			}
		}
		a.step(float64(i+1), a.triplets[s.draw()])
	}
	return best, objectives, nil
}

func (a *averaging) objective() float64 {
	var loss float64
	for _, t := range a.triplets {
		a.deltas(a.drawn, t)
		loss += max(0, 1+floats.Dot(a.w, a.drawn))
	}
	return a.beta*floats.Sum(a.w) + loss/float64(len(a.triplets))
}

// step is iteration s: the mean gradient takes in that of t, and
//
//	w_b = max(0, −√s/dualStep · sign(mean_b) max(|mean_b| − β, 0))
func (a *averaging) step(s float64, t comparison) {
	a.deltas(a.drawn, t)
	if 1+floats.Dot(a.w, a.drawn) <= 0 {
		clear(a.drawn)
	}
	scale := math.Sqrt(s) / dualStep
	mean, w := a.mean[:len(a.drawn)], a.w[:len(a.drawn)]
	for b, delta := range a.drawn {
		m := ((s-1)*mean[b] + delta) / s
		mean[b] = m
		w[b] = max(0, scale*(-m-a.beta))
	}
}
