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
// setting. Each block improves one of the variables of F and fixes the others. It
// keeps its first error; after an error its blocks do nothing.
type blockDescent struct {
	setting  Efficient // resolved
	index    int       // of the setting in its group
	momentum bool      // Nesterov's, in block 1; the authors' program has it, the paper's text does not

	x *mat.Dense // samples, labeled ones first
	y []int      // labels of the first len(y) samples

	start []*mat.Dense // K maps of the start; never changed
	l     []*mat.Dense // K maps
	g     *mat.Dense   // coefficients, one row per sample
	// pull is the weight μ of Σ_k |g^k|² in the objective; 0 until the first block 2
	// of the regularized variant, and in the others.
	pull float64
	s    similarity

	undone int     // regularized variant: runs of block 1 undone
	epochs int     // finished epochs
	value  float64 // F after the last finished epoch
	ended  bool    // no epoch follows
	err    error
	tracer *tracer // nil but in a traced run
}

// A solver computes the sums over all pairs of samples, which take nearly all
// of the time of a fit. There are two: [plain] follows the formulas and is the
// reference of the tests, [batched] is fast. They agree to rounding.
type solver interface {
	// setSimilarities is called after block 3 has chosen the similarities of a fit.
	setSimilarities(f *blockDescent)
	// release is called when a fit has ended; the solver frees what it keeps of it.
	release(f *blockDescent)
	// transforms runs block 1 on every map L^k of all fits. A fit that fails keeps
	// its error.
	transforms(ctx context.Context, fits []*blockDescent)
	// products returns the product dst = S̄^k v, where s̄^k_mn = s_mn E^k_mn (Eq. 5).
	products(f *blockDescent) func(dst, v []float64, k int)
	// psi returns the function that computes row m of Ψ, see
	// [blockDescent.similarities]. A row is valid until the next call.
	psi(f *blockDescent) func(m int) []float64
	// shares returns the term of every metric in F; it depends on one map only.
	shares(f *blockDescent) []float64
	// objective returns F (Eqs. 3 and 4) over ordered pairs.
	objective(f *blockDescent) float64
}

// newBlockDescent returns the start of a resolved setting, without similarities. It
// draws maps and coefficients as the authors' program does: the entries of L^k uniform
// on [0,1), g^k uniform on [0,1/(K−1)) for k < K, and g^K = 1 − Σ_{k<K} g^k. (The
// paper's analysis starts from L = 0, which is a stationary point.) Maps are drawn
// first, so that the first maps are the same for every K. If span is not nil, x is in
// its coordinates and the maps are restricted to it.
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
	f.start = slices.Clone(f.l) // blocks replace the maps of f.l
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

// endEpoch computes F after an epoch and decides whether it was the last: the descent
// ends when F changed by less than objectiveTolerance, or with its first error.
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

// unfinished returns the fits that have not ended and passes the others to done.
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

// movedShare: a map has moved if ‖L − L_start‖ > movedShare ‖L_start‖ in the Frobenius
// norm.
const movedShare = 0.01

// MovedFact names the count of maps that moved from their start. If none moved, the
// step is too short for the features, and the metric is random.
const MovedFact = "maps that moved by more than 1 %"

// UndoneFact names the count of runs of block 1 that raised the objective and were
// undone, of all runs of block 1 on a map (regularized variant).
const UndoneFact = "runs of block 1 put back"

// facts returns the counts of a fit.
func (f *blockDescent) facts() []Count {
	moved := Count{Name: MovedFact, Of: len(f.l)}
	for k, l := range f.l {
		var move mat.Dense
		move.Sub(l, f.start[k])
		if mat.Norm(&move, 2) > movedShare*mat.Norm(f.start[k], 2) {
			moved.Count++
		}
	}
	facts := append(vertices(f.g), moved)
	if f.setting.Variant == Regularized {
		facts = append(facts, Count{Name: UndoneFact, Count: f.undone, Of: len(f.l) * f.epochs})
	}
	return facts
}

// transforms runs block 1 on fits. Fits of the regularized variant keep only the new
// maps that do not raise the objective.
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

// A guard holds the maps and terms of a fit before block 1.
type guard struct {
	fit    *blockDescent
	maps   []*mat.Dense
	shares []float64 // the term of every metric in F
}

// decide restores the maps whose term of F rose; if one map diverged, it restores all
// of them. If it restores any, it halves the step for the next epochs.
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
