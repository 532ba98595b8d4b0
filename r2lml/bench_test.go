package r2lml

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"

	"r2lmlbench/internal/fixture"
	"r2lmlbench/internal/kernel"
)

// A benchShape is a problem of clustered random samples.
type benchShape struct {
	d, n         int // n is N + M for T-R2LML
	transductive bool
	step         float64
}

// benchShapes are those of robot, ionosphere, and three between; and of robot and USPS
// with all query samples.
var benchShapes = []benchShape{
	{d: 4, n: 240, step: 1e-6}, {d: 34, n: 80, step: 1e-6}, {d: 16, n: 520, step: 1e-6},
	{d: 30, n: 400, step: 1e-6}, {d: 60, n: 200, step: 1e-6},
	{d: 4, n: 5216, transductive: true, step: 1e-9}, {d: 30, n: 4800, transductive: true, step: 1e-9},
}

// on runs a benchmark of the plain solver, or of the batched one at the level in use,
// which R2LMLBENCH_SIMD chooses.
func (s benchShape) on(b *testing.B, engine string, f func(b *testing.B)) {
	method := "e-r2lml"
	if s.transductive {
		method = "t-r2lml"
	}
	if engine != "plain" {
		engine, _ = kernel.Level()
	}
	b.Run(fmt.Sprintf("method=%s/d=%d/n=%d/engine=%s", method, s.d, s.n, engine), func(b *testing.B) {
		b.ReportAllocs()
		f(b)
	})
}

// problem draws ten clusters; a twelfth of the samples is labeled if
// transductive.
func (s benchShape) problem() Problem {
	x, y := fixture.Clusters(rand.New(rand.NewPCG(uint64(s.n), uint64(s.d))), s.n, s.d, 10, 3)
	labeled := s.n - 1
	if s.transductive {
		labeled = s.n / 12
	}
	rows := func(from, to int) *mat.Dense { return mat.DenseCopyOf(x.Slice(from, to, 0, s.d)) }
	return Problem{X: rows(0, labeled), Y: y[:labeled], Query: rows(labeled, s.n), Seed: 1}
}

// start starts a setting on a problem of the shape.
func (s benchShape) start(metrics, iterations int) *blockDescent {
	m, err := Efficient{Metrics: metrics, Lambda: 1, Step: StepLength(s.step), Epochs: 1, Iterations: iterations}.Resolve()
	if err != nil {
		panic(err)
	}
	return startEither(s.problem(), m, s.transductive)
}

// per reports the time of one of count pieces of work in an operation.
func per(b *testing.B, unit string, count int) {
	b.ReportMetric(float64(b.Elapsed())/float64(time.Millisecond)/float64(b.N*count), "ms/"+unit)
}

// BenchmarkBlock1 times block 1 from the start of a fit: ms/iteration is the
// time of a proximal iteration of one map. The engine runs eight maps of small
// shapes, as in a grid, and three of large ones.
func BenchmarkBlock1(b *testing.B) {
	for _, s := range benchShapes {
		const iterations = 200
		lanes, few := kernel.Lanes, 10
		if s.transductive {
			lanes, few = 3, 2
		}
		s.on(b, "plain", func(b *testing.B) {
			f := s.start(1, few)
			first := f.l[0]
			for b.Loop() {
				f.l[0] = first
				if (plain{}).transforms(context.Background(), []*blockDescent{f}); f.err != nil {
					b.Fatal(f.err)
				}
			}
			per(b, "iteration", few)
		})
		s.on(b, "batched", func(b *testing.B) {
			f := s.start(lanes, iterations)
			engine, first := batchedFor(f), append([]*mat.Dense{}, f.l...)
			for b.Loop() {
				copy(f.l, first)
				if engine.transforms(context.Background(), []*blockDescent{f}); f.err != nil {
					b.Fatal(f.err)
				}
			}
			per(b, "iteration", lanes*iterations)
		})
	}
}

// BenchmarkBlock2 times one step of block 2 for three metrics.
func BenchmarkBlock2(b *testing.B) {
	for _, s := range benchShapes {
		step := func(b *testing.B, multiply func(dst, v []float64, k int), g *mat.Dense) {
			n, k := g.Dims()
			m := &majorization{multiply: multiply, lmax: float64(n * s.d), weight: 0.5}
			for b.Loop() {
				m.step(mat.DenseCopyOf(g), m.times(g))
			}
			per(b, "metric", k)
		}
		s.on(b, "plain", func(b *testing.B) {
			f := s.start(3, 1)
			step(b, plain{}.products(f), f.g)
		})
		s.on(b, "batched", func(b *testing.B) {
			f := s.start(3, 1)
			step(b, batchedFor(f).products(f), f.g)
		})
	}
}
