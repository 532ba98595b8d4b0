package r2lml

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// objectiveTolerance ends the epochs when F changes by less (the paper's
// setting).
const objectiveTolerance = 1e-4

// A blockDescent is the state of the paper's block coordinate descent for one
// setting: the variables of F, each improved by one block while the others stay
// fixed. It keeps its first error; its blocks then do nothing more.
type blockDescent struct {
	setting  Efficient // resolved
	index    int       // of the setting in its group
	momentum bool      // Nesterov's, in block 1: in the authors' program, not in the paper's text

	x *mat.Dense // samples, labeled ones first
	y []int      // labels of the first len(y) samples

	start []*mat.Dense // K maps of the start, which stay as they are
	l     []*mat.Dense // K maps
	g     *mat.Dense   // coefficients, one row per sample
	// pull is the weight μ of Σ_k |g^k|² in the objective; 0 until the first block 2
	// of the regularized variant, and in the others.
	pull float64
	s    similarity

	undone int     // maps that block 1 put back, of the regularized variant
	epochs int     // that have ended
	value  float64 // F after the last of them
	ended  bool    // no epoch follows
	err    error
	tracer *tracer // nil but in a traced run
}

// A solver computes the sums over all pairs of samples, on which fits spend
// nearly all of their time. There are two: [plain] follows the formulas and is
// the reference of the tests, [batched] is made for speed. They agree to
// rounding.
type solver interface {
	// setSimilarities is told when block 3 has chosen the similarities of a fit.
	setSimilarities(f *blockDescent)
	// release is told when a fit has ended: the solver keeps nothing of it.
	release(f *blockDescent)
	// transforms is block 1 for all fits: it descends on every map L^k. A fit
	// that fails keeps its error.
	transforms(ctx context.Context, fits []*blockDescent)
	// products returns the product dst = S̄^k v, where s̄^k_mn = s_mn E^k_mn (Eq. 5).
	products(f *blockDescent) func(dst, v []float64, k int)
	// psi returns the function that computes row m of Ψ, see
	// [blockDescent.similarities]. A row is good until the next one.
	psi(f *blockDescent) func(m int) []float64
	// shares returns the shares of the metrics in F, which depend on one map each.
	shares(f *blockDescent) []float64
	// objective returns F (Eqs. 3 and 4) over ordered pairs.
	objective(f *blockDescent) float64
}

// newBlockDescent returns the state in which a resolved setting starts, but for
// the similarities. It draws maps and coefficients as the authors' program does:
// the entries of L^k uniform on [0,1), g^k uniform on [0,1/(K−1)) for k < K and
// g^K the rest. (The paper's analysis starts from L = 0, which is a stationary
// point.) Maps come first, so that the first ones are the same for every K. Where x is in the
// coordinates of a span, the maps are restricted to it.
func newBlockDescent(m Efficient, r *rand.Rand, x *mat.Dense, y []int, span *mat.Dense) *blockDescent {
	f := &blockDescent{setting: m, momentum: m.Variant != Published, x: x, y: y, value: math.Inf(1)}
	n, d := x.Dims()
	if span != nil {
		d, _ = span.Dims()
	}
	for range m.Metrics {
		l := mat.NewDense(d, d, nil)
		for i := range d * d {
			l.RawMatrix().Data[i] = r.Float64()
		}
		f.l = append(f.l, restricted(l, span))
	}
	f.start = slices.Clone(f.l) // blocks put new maps in their places
	f.g = mat.NewDense(n, m.Metrics, nil)
	for i := range n {
		row, rest := f.g.RawRowView(i), 1.0
		for k := range m.Metrics - 1 {
			row[k] = r.Float64() / float64(m.Metrics-1)
			rest -= row[k]
		}
		row[m.Metrics-1] = rest
	}
	return f
}

// endEpoch takes F after the blocks of an epoch and decides whether it was the
// last: the descent ends when F hardly changed, or with its first error.
func (f *blockDescent) endEpoch(s solver) {
	f.epochs++
	if f.err != nil {
		f.err = fmt.Errorf("epoch %d: %w", f.epochs, f.err)
		f.ended = true
	} else {
		before := f.value
		f.value = s.objective(f)
		if f.pull > 0 {
			f.value += f.pull * dot(f.g, f.g)
		}
		f.ended = f.epochs == f.setting.Epochs || math.Abs(before-f.value) < objectiveTolerance
	}
	if f.ended {
		s.release(f)
	}
}

// unfinished returns the fits that have not ended and hands over those that have.
func unfinished(fits []*blockDescent, done func(*blockDescent)) []*blockDescent {
	var left []*blockDescent
	for _, f := range fits {
		if f.ended {
			done(f)
		} else {
			left = append(left, f)
		}
	}
	return left
}

// movedShare is the distance from its start, as a share of the start's own size,
// both in the Frobenius norm, above which a map has moved.
const movedShare = 0.01

// MovedFact counts the maps that a fit moved away from their start. Where none has
// moved, the step is too short for the features, and the metric is a random one.
const MovedFact = "maps that moved by more than 1 %"

// UndoneFact counts how often the regularized variant put a map back that block 1
// had made worse, of all runs of block 1 on a map.
const UndoneFact = "runs of block 1 put back"

// facts are the counts that every fit reports.
func (f *blockDescent) facts() []Fact {
	moved := Fact{Name: MovedFact, Of: len(f.l)}
	for k, l := range f.l {
		var move mat.Dense
		move.Sub(l, f.start[k])
		if mat.Norm(&move, 2) > movedShare*mat.Norm(f.start[k], 2) {
			moved.Count++
		}
	}
	facts := append(vertices(f.g), moved)
	if f.setting.Variant == Regularized {
		facts = append(facts, Fact{Name: UndoneFact, Count: f.undone, Of: len(f.l) * f.epochs})
	}
	return facts
}

// transforms is block 1 of some fits. Those of the regularized variant take its
// maps only where they do not raise the objective.
func transforms(ctx context.Context, s solver, fits []*blockDescent) {
	var guards []guard
	for _, f := range fits {
		if f.setting.Variant == Regularized {
			guards = append(guards, guard{f, slices.Clone(f.l), s.shares(f)})
		}
	}
	s.transforms(ctx, fits)
	for _, g := range guards {
		g.decide(s)
	}
}

// A guard knows a fit as it was before block 1.
type guard struct {
	fit    *blockDescent
	maps   []*mat.Dense
	shares []float64 // of the metrics in F
}

// decide puts back the maps that raised their share of F, all of them if one has
// diverged, and halves the step of the next epochs then.
func (g guard) decide(s solver) {
	f := g.fit
	if f.err != nil && !errors.Is(f.err, errDivergence) {
		return
	}
	undone := 0
	if f.err != nil {
		f.err, undone = nil, len(f.l)
		copy(f.l, g.maps)
	} else {
		for k, share := range s.shares(f) {
			if !(share <= g.shares[k]) {
				f.l[k] = g.maps[k]
				undone++
			}
		}
	}
	if undone > 0 {
		f.setting.Step /= 2
	}
	f.undone += undone
	f.err = f.tracer.blockEnded(1, 0)
}
