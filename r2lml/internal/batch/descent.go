package batch

import (
	"context"
	"fmt"
	"math"
	"runtime"

	"gonum.org/v1/gonum/mat"

	"r2lmlbench/internal/kernel"
	"r2lmlbench/internal/machine"
)

// A Batch holds the fits of several settings to one problem and their shared
// scratch. It is not safe for concurrent use.
//
// Its descents run block 1 for up to kernel.Lanes maps at once: from Y = P = L,
// iteration t is
//
//	P⁺ = prox_{ηλ‖·‖_*}(Y − η ∇f(Y)),  Y = P⁺ + (t−1)/(t+2) (P⁺ − P)
//
// without the second term of Y if a setting has no momentum.
type Batch struct {
	*scan
	others []*scan // one for each further core

	y, prev, next, w []float64 // in lanes: Y, P, P⁺, Y − η ∇f(Y)
	hess, grad       []float64 // in lanes: A − C B, a quarter of the gradient
	prox             *kernel.Prox
}

// A scan holds the samples and the scratch of a pass over the pairs of a lane. Passes of
// different lanes may run at once, each with its own scan.
type scan struct {
	*Samples
	limits

	// Stop is called now and then; when it returns true, sums stop early and are invalid.
	// nil: never.
	Stop func() bool

	z, h         []float64        // mapped samples in panels, half squared norms
	prefilter    kernel.Prefilter // of z
	now          []uint64         // pairs at distance below 1
	tiles        []int32          // screens: active tiles
	move, zw, hw []float64        // screens: a difference of maps, samples mapped by W
	tileMargins  kernel.Margins   // screens
	l, u         []float64        // a map by rows; for kernel.UpdateScatter
}

// limits are the least sizes for shortcuts. They change the time and no bit of a result.
type limits struct {
	screenTiles       int // with fewer tiles the proximal map takes most of the time
	prefilterSamples  int // a prefilter halves the time of a test of D multiplications;
	prefilterFeatures int // filling it takes time too
	turnSamples       int // a turn costs D multiplications per sample, and sometimes an eigendecomposition
	spreadTiles       int // with fewer tiles, starting another core takes longer than a pass
}

var measuredLimits = limits{screenTiles: 4096, spreadTiles: 4096, prefilterSamples: 192, prefilterFeatures: 4, turnSamples: 1024}

// New returns a batch without fits.
func New(s *Samples) *Batch {
	size := kernel.LanesLen(s.d)
	lanes := func() []float64 { return make([]float64, size) }
	return &Batch{
		scan: newScan(s),
		y:    lanes(), prev: lanes(), next: lanes(), w: lanes(), hess: lanes(), grad: lanes(),
		prox: kernel.NewProx(s.d),
	}
}

func newScan(s *Samples) *scan {
	tiles := kernel.TileOffset(kernel.TileRows(s.n))
	return &scan{
		Samples: s, limits: measuredLimits,
		z: make([]float64, len(s.panels)), h: make([]float64, kernel.PanelLen(s.n, 1)),
		now: make([]uint64, tiles), tiles: make([]int32, tiles),
		move: make([]float64, s.d*s.d), zw: make([]float64, len(s.panels)), hw: make([]float64, kernel.PanelLen(s.n, 1)),
		l: make([]float64, s.d*s.d), u: make([]float64, kernel.ScatterScratch(s.n, s.d)),
	}
}

// A lane is one map of one fit.
type lane struct {
	fit *Fit
	k   int

	similar []float64 // D×D: A = Σ_{m<n} s_mn g_m g_n D_mn D_mnᵀ
	near    []uint64  // dissimilar pairs at distance below 1
	scatter []float64 // B = Σ D_mn D_mnᵀ over them
	screen  screen
	turn    turn
	exact   int // remaining passes over the pairs without a prefilter

	done bool
	err  error
}

// A DivergenceError says that an entry of a map grew beyond Setting.Bound.
type DivergenceError struct {
	Metric    int // from 1
	Iteration int // of the descent, from 1
}

// Error implements error.
func (e *DivergenceError) Error() string {
	return fmt.Sprintf("metric %d: iteration %d: an entry of the map is out of bounds", e.Metric, e.Iteration)
}

// Descend runs block 1: it improves the maps of fits of this batch, eight at a
// time, on the caller's core and on other free cores. A fit whose descent failed
// has an Err; the maps of the other fits are valid. It returns early with the
// context's error when ctx ends.
func (b *Batch) Descend(ctx context.Context, fits []*Fit) error {
	var lanes []*lane
	for _, f := range fits {
		f.prepare()
		lanes = append(lanes, f.lanes...)
	}
	defer func() { b.others = nil }() // frees the memory for other fits
	for len(lanes) > 0 {
		n := min(kernel.Lanes, len(lanes))
		if err := b.descend(ctx, lanes[:n]); err != nil {
			return err
		}
		lanes = lanes[n:]
	}
	return nil
}

// descend improves the maps of at most kernel.Lanes lanes. A lane that fails
// keeps its error.
func (b *Batch) descend(ctx context.Context, lanes []*lane) error {
	b.load(lanes)
	for t := 1; b.retire(lanes, t); t++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		b.hessians(ctx, lanes)
		kernel.Mul(b.grad, b.y, b.hess, b.d)
		b.check(lanes, b.step(lanes), t)
		if err := b.advance(lanes, t); err != nil {
			return err
		}
	}
	return nil
}

// retire unloads the lanes that have done their iterations before iteration t and
// reports whether any is left.
func (b *Batch) retire(lanes []*lane, t int) bool {
	left := false
	for p, l := range lanes {
		if !l.done && t > l.fit.Iterations {
			b.unload(l, p)
		}
		left = left || !l.done
	}
	return left
}

// load starts every lane from Y = P = L.
func (b *Batch) load(lanes []*lane) {
	for _, v := range [][]float64{b.y, b.prev, b.hess} {
		clear(v)
	}
	for p, l := range lanes {
		b.prox.Reset(p)
		l.done, l.err = false, nil
		l.screen.reset()
		l.turn.age, l.exact = 0, 0
		b.clearNear(l)
		kernel.SetLane(b.y, l.fit.L[l.k].RawMatrix().Data, p)
		kernel.SetLane(b.prev, l.fit.L[l.k].RawMatrix().Data, p)
	}
}

// clearNear clears the near pairs of a lane and their scatter.
func (b *scan) clearNear(l *lane) {
	l.near = resized(l.near, len(b.now))
	l.scatter = resized(l.scatter, b.d*kernel.ScatterStride(b.d))
	clear(l.near)
	clear(l.scatter)
}

func resized[T any](v []T, n int) []T {
	if cap(v) < n {
		return make([]T, n)
	}
	return v[:n]
}

// rowsAtOnce is the number of tile rows between two calls of Stop.
const rowsAtOnce = 256

func (b *scan) stopped() bool { return b.Stop != nil && b.Stop() }

// hessians writes the Hessians of all lanes, on free cores.
func (b *Batch) hessians(ctx context.Context, lanes []*lane) {
	var open []int
	for p, l := range lanes {
		if !l.done {
			open = append(open, p)
		}
	}
	if len(b.now) < b.spreadTiles {
		for _, p := range open {
			b.hessian(lanes[p], p, b.y, b.hess)
		}
		return
	}
	for len(b.others) < min(len(open), runtime.GOMAXPROCS(0))-1 {
		b.others = append(b.others, nil) // its worker makes it
	}
	machine.Each(ctx, len(open), func(worker, i int) {
		s := b.scan
		if worker > 0 {
			if b.others[worker-1] == nil {
				b.others[worker-1] = newScan(b.Samples)
			}
			s = b.others[worker-1]
			s.limits, s.Stop = b.limits, b.Stop
		}
		s.hessian(lanes[open[i]], open[i], b.y, b.hess)
	})
}

// hessian writes A − C B at the map of lane p of y: a quarter of the Hessian of f for
// each row of the map.
func (b *scan) hessian(l *lane, p int, y, hess []float64) {
	kernel.GetLane(b.l, y, p)
	b.update(l)
	b.setReference(l)
	ld, c := kernel.ScatterStride(b.d), l.fit.C
	for i := range b.d {
		for j := i; j < b.d; j++ {
			v := l.similar[i*b.d+j] - c*l.scatter[i*ld+j]
			hess[(i*b.d+j)*kernel.Lanes+p] = v
			hess[(j*b.d+i)*kernel.Lanes+p] = v
		}
	}
}

// update updates the near pairs of a lane and their scatter matrix to the map b.l.
func (b *scan) update(l *lane) {
	kernel.Map(b.z, b.h, b.panels, b.l, b.n, b.d)
	dissimilar := l.fit.Pairs.dissimilar
	tiles, ok := b.activeTiles(l)
	if ok {
		f := b.prefiltered(l, len(tiles))
		kernel.NearTiles(b.now, b.z, b.h, f, b.n, b.d, tiles)
		b.judge(l, f, len(tiles))
		for _, tile := range tiles {
			b.now[tile] &= dissimilar[tile]
		}
		kernel.UpdateScatterTiles(l.scatter, b.u, b.rows, b.n, b.d, b.now, l.near, tiles)
		return
	}
	f := b.prefiltered(l, len(b.now))
	for from := 0; from < kernel.TileRows(b.n) && !b.stopped(); from += rowsAtOnce {
		kernel.Near(b.now, b.z, b.h, f, b.n, b.d, from, from+rowsAtOnce)
	}
	b.judge(l, f, len(b.now))
	for i, m := range dissimilar {
		b.now[i] &= m
	}
	kernel.UpdateScatter(l.scatter, b.u, b.rows, b.n, b.d, b.now, l.near)
}

// prefiltered returns the prefilter of the mapped samples of a lane for this number of
// tiles, or nil if none pays.
func (b *scan) prefiltered(l *lane, tiles int) *kernel.Prefilter {
	if !b.prefilters(l) {
		l.exact = max(0, l.exact-1)
		return nil
	}
	if b.n < b.turnSamples || tiles < len(b.now)/turnTiles {
		b.prefilter.Fill(b.z, b.h, b.n, b.d)
	} else {
		b.fillTurned(&l.turn)
	}
	return &b.prefilter
}

// prefilters reports whether the next pass over the pairs of a lane uses a prefilter.
func (b *scan) prefilters(l *lane) bool {
	return b.n >= b.prefilterSamples && b.d >= b.prefilterFeatures && l.exact == 0 && kernel.Prefilters()
}

const (
	// mostDoubt: with a larger share of undecided tiles a prefilter costs more than it saves.
	mostDoubt = 0.5
	// exactPasses is the number of passes without a prefilter before it is tried again.
	exactPasses = 15
)

// judge suspends the prefilter of a lane for exactPasses if it left too many of its tiles undecided, as
// happens when the map moves groups far apart.
func (b *scan) judge(l *lane, f *kernel.Prefilter, tiles int) {
	if f != nil && tiles >= len(b.now)/turnTiles && f.Doubt() > mostDoubt {
		l.exact = exactPasses
	}
}

// step sets b.w to Y − η ∇f(Y) and returns the largest entry of each gradient.
func (b *Batch) step(lanes []*lane) (largest [kernel.Lanes]float64) {
	var factor [kernel.Lanes]float64
	for p, l := range lanes {
		factor[p] = 4 * l.fit.Step
	}
	kernel.Step(b.w, b.y, b.grad, &factor, &largest)
	for p := range largest {
		largest[p] *= 4
	}
	return largest
}

// check unloads the lanes whose next point is out of bounds and those whose
// gradient is small.
func (b *Batch) check(lanes []*lane, largest [kernel.Lanes]float64, t int) {
	beyond := b.outOfBounds(lanes)
	for p, l := range lanes {
		switch {
		case l.done:
		case beyond[p]:
			l.err = &DivergenceError{Metric: l.k + 1, Iteration: t}
			b.unload(l, p)
		case largest[p] <= l.fit.Tolerance:
			b.unload(l, p)
		}
	}
}

// outOfBounds reports the lanes with an entry of b.w beyond the bound.
func (b *Batch) outOfBounds(lanes []*lane) (beyond [kernel.Lanes]bool) {
	var bound [kernel.Lanes]float64
	for p, l := range lanes {
		bound[p] = l.fit.Bound
	}
	for i, v := range b.w {
		if !(math.Abs(v) <= bound[i%kernel.Lanes]) {
			beyond[i%kernel.Lanes] = true
		}
	}
	return beyond
}

// unload copies the map of a lane to its fit and clears the lane, which stays zero.
func (b *Batch) unload(l *lane, p int) {
	l.done = true
	kernel.GetLane(b.l, b.y, p)
	l.fit.L[l.k] = mat.NewDense(b.d, b.d, append([]float64(nil), b.l...))
	clear(b.l)
	for _, v := range [][]float64{b.y, b.prev, b.w, b.hess} {
		kernel.SetLane(v, b.l, p)
	}
}

// advance computes the proximal step and the extrapolation of iteration t.
func (b *Batch) advance(lanes []*lane, t int) error {
	var tau, factor, norm [kernel.Lanes]float64
	for p, l := range lanes {
		tau[p] = l.fit.Step * l.fit.Lambda
		if l.fit.Momentum {
			factor[p] = float64(t-1) / float64(t+2)
		}
	}
	if err := b.prox.Apply(b.next, b.w, &tau, &norm); err != nil {
		return fmt.Errorf("block 1: %w", err)
	}
	for p := range lanes {
		if norm[p] == 0 { // every singular value was shrunk to 0: clear rounding errors
			clear(b.l)
			kernel.SetLane(b.next, b.l, p)
		}
	}
	kernel.Momentum(b.y, b.next, b.prev, &factor)
	b.prev, b.next = b.next, b.prev
	return nil
}
