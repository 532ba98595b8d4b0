package r2lml

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"r2lmlbench/internal/kernel"
)

// A scene holds the samples of a problem in the layouts of package kernel, for
// every descent on it. Samples are centered: only differences count, and
// squared norms then lose few digits in them.
type scene struct {
	n, d int
	x    *mat.Dense // N×D, centered
	cols []float64  // the same in panels
	rows []float64  // the same by rows of kernel.ScatterStride places

	radius float64 // a bound of the norms of samples
}

func newScene(x *mat.Dense) *scene {
	n, d := x.Dims()
	c := &scene{n: n, d: d, x: centered(x)}
	c.cols = make([]float64, kernel.PanelLen(n, d))
	kernel.Pack(c.cols, c.x.RawMatrix().Data, d, n, d)
	ld := kernel.ScatterStride(d)
	c.rows = make([]float64, n*ld)
	for i := range n {
		row := c.x.RawRowView(i)
		copy(c.rows[i*ld:], row)
		c.radius = max(c.radius, normBound(row))
	}
	return c
}

// centered returns x less the mean of its rows.
func centered(x *mat.Dense) *mat.Dense {
	n, d := x.Dims()
	c := mat.DenseCopyOf(x)
	for j := range d {
		mean := mat.Sum(x.ColView(j)) / float64(n)
		for i := range n {
			c.Set(i, j, c.At(i, j)-mean)
		}
	}
	return c
}

// dissimilarPairs marks the pairs with s_mn = 0 in the layout of kernel.Near.
func dissimilarPairs(s similarity) []uint64 {
	masks := make([]uint64, kernel.TileOffset(kernel.TileRows(s.n)))
	for t := range kernel.TileRows(s.n) {
		for tile := kernel.TileOffset(t); tile < kernel.TileOffset(t+1); tile++ {
			column := tile - kernel.TileOffset(t)
			for r, row := range s.rows[kernel.TileRow*t : min(kernel.TileRow*(t+1), s.n)] {
				similar := row[column/4] >> (kernel.Panel * (column % 4)) & (1<<kernel.Panel - 1)
				masks[tile] |= (similar ^ (1<<kernel.Panel - 1)) << (kernel.Panel * r)
			}
		}
	}
	kernel.Trim(masks, s.n)
	return masks
}

// A lane is one map of one setting, as laneDescent improves it.
type lane struct {
	m *member
	k int

	similar []float64 // D×D: A = Σ_{m<n} s_mn g_m g_n D_mn D_mnᵀ
	near    []uint64  // dissimilar pairs at distance below 1
	scatter []float64 // B = Σ D_mn D_mnᵀ over them
	screen  screen

	done bool
	err  error
}

// A laneDescent is block 1 for up to kernel.Lanes maps at once: the descent of
// [descent], with the same iterates to rounding. For fixed g the similar pairs
// contribute a constant matrix A to the gradient, and B changes only with the
// pairs that come within distance 1 or leave it,
//
//	∇f(Y) = 4 Y (A − C B)
//
// The maps of different settings and metrics do not depend on one another, so
// they share a call in the lanes of a vector; the result of a lane is the same,
// bit for bit, whatever the others hold.
type laneDescent struct {
	*scene
	z, h             []float64        // scratch: mapped samples in panels, half squared norms
	sieve            kernel.Prefilter // of z, where it pays
	now              []uint64         // scratch: pairs at distance below 1
	tiles            []int32          // scratch of screens: tiles awake
	move, zw, hw     []float64        // the same: a difference of maps, samples mapped by W
	values           []float64        // the same: for kernel.Margins
	l, u             []float64        // scratch: a map by rows; for kernel.UpdateScatter
	y, prev, next, w []float64        // in lanes: Y, P, P⁺, Y − η ∇f(Y)
	hess, grad       []float64        // in lanes: A − C B, a quarter of the gradient
	prox             *kernel.Prox
}

func newLaneDescent(c *scene) *laneDescent {
	size, tiles := kernel.LanesLen(c.d), kernel.TileOffset(kernel.TileRows(c.n))
	lanes := func() []float64 { return make([]float64, size) }
	return &laneDescent{
		scene: c,
		z:     make([]float64, len(c.cols)), h: make([]float64, kernel.PanelLen(c.n, 1)),
		now: make([]uint64, tiles), tiles: make([]int32, tiles), values: make([]float64, kernel.MarginScratch(c.n)),
		move: make([]float64, c.d*c.d), zw: make([]float64, len(c.cols)), hw: make([]float64, kernel.PanelLen(c.n, 1)),
		l: make([]float64, c.d*c.d), u: make([]float64, kernel.ScatterScratch(c.n, c.d)),
		y: lanes(), prev: lanes(), next: lanes(), w: lanes(), hess: lanes(), grad: lanes(),
		prox: kernel.NewProx(c.d),
	}
}

// run improves the maps of at most kernel.Lanes lanes in place. A lane that
// fails keeps its error.
func (b *laneDescent) run(ctx context.Context, lanes []*lane) error {
	b.load(lanes)
	for t := 1; b.end(lanes, t); t++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		for p, l := range lanes {
			if !l.done {
				b.weigh(l, p)
			}
		}
		kernel.Mul(b.grad, b.y, b.hess, b.d)
		b.check(lanes, b.step(lanes), t)
		if err := b.advance(lanes, t); err != nil {
			return err
		}
	}
	return nil
}

// end takes out the lanes whose iterations are used up before iteration t and
// tells whether any is left.
func (b *laneDescent) end(lanes []*lane, t int) bool {
	left := false
	for p, l := range lanes {
		if !l.done && t > l.m.m.Iterations {
			b.unload(l, p)
		}
		left = left || !l.done
	}
	return left
}

// load starts every lane from Y = P = L.
func (b *laneDescent) load(lanes []*lane) {
	for _, v := range [][]float64{b.y, b.prev, b.hess} {
		clear(v)
	}
	for p, l := range lanes {
		b.prox.Reset(p)
		l.done, l.err = false, nil
		l.screen.reset()
		l.near = resized(l.near, len(b.now))
		l.scatter = resized(l.scatter, b.d*kernel.ScatterStride(b.d))
		clear(l.near)
		clear(l.scatter)
		kernel.SetLane(b.y, l.m.l[l.k].RawMatrix().Data, p)
		kernel.SetLane(b.prev, l.m.l[l.k].RawMatrix().Data, p)
	}
}

func resized[T any](v []T, n int) []T {
	if cap(v) < n {
		return make([]T, n)
	}
	return v[:n]
}

// weigh writes A − C B at the map of lane p.
func (b *laneDescent) weigh(l *lane, p int) {
	kernel.GetLane(b.l, b.y, p)
	b.update(l)
	b.refer(l)
	ld, c := kernel.ScatterStride(b.d), l.m.m.C
	for i := range b.d {
		for j := i; j < b.d; j++ {
			v := l.similar[i*b.d+j] - c*l.scatter[i*ld+j]
			b.hess[(i*b.d+j)*kernel.Lanes+p] = v
			b.hess[(j*b.d+i)*kernel.Lanes+p] = v
		}
	}
}

// update brings the near pairs of a lane and their scatter matrix to the map
// b.l.
func (b *laneDescent) update(l *lane) {
	kernel.Map(b.z, b.h, b.cols, b.l, b.n, b.d)
	sieve := b.sieved()
	if tiles, ok := b.awake(&l.screen); ok {
		kernel.NearTiles(b.now, b.z, b.h, sieve, b.n, b.d, tiles)
		for _, tile := range tiles {
			b.now[tile] &= l.m.dissimilar[tile]
		}
		kernel.UpdateScatterTiles(l.scatter, b.u, b.rows, b.n, b.d, b.now, l.near, tiles)
		return
	}
	kernel.Near(b.now, b.z, b.h, sieve, b.n, b.d, 0, kernel.TileRows(b.n))
	for i, m := range l.m.dissimilar {
		b.now[i] &= m
	}
	kernel.UpdateScatter(l.scatter, b.u, b.rows, b.n, b.d, b.now, l.near)
}

// A sieve is used from so many samples and features on. It makes tests of D
// multiplications twice as fast, not what follows on them, and has to be filled.
// Variables for tests.
var (
	sieveSamples  = 512
	sieveFeatures = 8
)

// sieved returns a sieve of the mapped samples, or nil where none pays.
func (b *laneDescent) sieved() *kernel.Prefilter {
	if b.n < sieveSamples || b.d < sieveFeatures {
		return nil
	}
	b.sieve.Fill(b.z, b.h, b.n, b.d)
	return &b.sieve
}

// step sets b.w to Y − η ∇f(Y) and returns the largest entry of each gradient.
func (b *laneDescent) step(lanes []*lane) (largest [kernel.Lanes]float64) {
	var factor [kernel.Lanes]float64
	for p, l := range lanes {
		factor[p] = 4 * l.m.m.Step
	}
	kernel.Step(b.w, b.y, b.grad, &factor, &largest)
	for p := range largest {
		largest[p] *= 4
	}
	return largest
}

// check takes out the lanes whose next point would be beyond all bounds and
// those whose gradient is small.
func (b *laneDescent) check(lanes []*lane, largest [kernel.Lanes]float64, t int) {
	var beyond [kernel.Lanes]bool
	for i, v := range b.w {
		if !(math.Abs(v) <= divergence) {
			beyond[i%kernel.Lanes] = true
		}
	}
	for p, l := range lanes {
		switch {
		case l.done:
		case beyond[p]:
			l.err = fmt.Errorf("metric %d: iteration %d: %w", l.k+1, t, errDivergence)
			b.unload(l, p)
		case largest[p] <= gradientTolerance:
			b.unload(l, p)
		}
	}
}

// unload takes a lane's map out and leaves zeros, which stay zeros.
func (b *laneDescent) unload(l *lane, p int) {
	l.done = true
	kernel.GetLane(b.l, b.y, p)
	l.m.l[l.k] = mat.NewDense(b.d, b.d, append([]float64(nil), b.l...))
	clear(b.l)
	for _, v := range [][]float64{b.y, b.prev, b.w, b.hess} {
		kernel.SetLane(v, b.l, p)
	}
}

// advance makes the proximal step and the extrapolation of iteration t.
func (b *laneDescent) advance(lanes []*lane, t int) error {
	var tau, factor, norm [kernel.Lanes]float64
	for p, l := range lanes {
		tau[p] = l.m.m.Step * l.m.m.Lambda
		if l.m.m.Variant == Reference {
			factor[p] = float64(t-1) / float64(t+2)
		}
	}
	if err := b.prox.Apply(b.next, b.w, &tau, &norm); err != nil {
		return fmt.Errorf("block 1: %w", err)
	}
	for p := range lanes {
		if norm[p] == 0 { // every singular value was shrunk to 0: leave no rounding
			clear(b.l)
			kernel.SetLane(b.next, b.l, p)
		}
	}
	kernel.Momentum(b.y, b.next, b.prev, &factor)
	b.prev, b.next = b.next, b.prev
	return nil
}
