package r2lml

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"

	"r2lmlbench/internal/kernel"
)

// A benchShape is a problem of clustered random samples.
type benchShape struct {
	d, n         int // n is N + M for T-R2LML
	transductive bool
	step         float64
}

var (
	// small are the shapes of robot, ionosphere, and three between.
	small = []benchShape{
		{d: 4, n: 240, step: 1e-6}, {d: 34, n: 80, step: 1e-6}, {d: 16, n: 520, step: 1e-6},
		{d: 30, n: 400, step: 1e-6}, {d: 60, n: 200, step: 1e-6},
	}
	// large are the shapes of robot and USPS with all query samples.
	large = []benchShape{{d: 4, n: 5216, transductive: true, step: 1e-9}, {d: 30, n: 4800, transductive: true, step: 1e-9}}
)

func (s benchShape) name(engine string) string {
	method := "e-r2lml"
	if s.transductive {
		method = "t-r2lml"
	}
	return fmt.Sprintf("method=%s/d=%d/n=%d/engine=%s", method, s.d, s.n, engine)
}

// problem draws ten clusters; a twelfth of the samples is labeled if
// transductive.
func (s benchShape) problem() Problem {
	r := rand.New(rand.NewPCG(uint64(s.n), uint64(s.d)))
	x, y, centers := normalDense(r, s.n, s.d), make([]int, s.n), normalDense(r, 10, s.d)
	for i := range y {
		y[i] = 1 + i%10
		for j := range s.d {
			x.Set(i, j, x.At(i, j)+3*centers.At(i%10, j))
		}
	}
	labeled := s.n - 1
	if s.transductive {
		labeled = s.n / 12
	}
	rows := func(from, to int) *mat.Dense { return mat.DenseCopyOf(x.Slice(from, to, 0, s.d)) }
	return Problem{X: rows(0, labeled), Y: y[:labeled], Query: rows(labeled, s.n), Seed: 1}
}

func (s benchShape) setting(metrics, epochs, iterations int) Efficient {
	return Efficient{Metrics: metrics, Lambda: 1, Step: StepLength(s.step), Epochs: epochs, Iterations: iterations}
}

// start starts a setting on a problem of the shape.
func (s benchShape) start(m Efficient) *blockDescent {
	p := s.problem()
	m, err := m.Resolve()
	if err != nil {
		panic(err)
	}
	if s.transductive {
		return startTransductive(context.Background(), p, m, stacked(p))
	}
	return startEfficient(p, p.X, m, labelSimilarity(p.Y, 0))
}

// onEngine runs the benchmark of the batched solver at the level in use, which
// R2LMLBENCH_SIMD chooses.
func onEngine(b *testing.B, s benchShape, f func(b *testing.B)) {
	level, _ := kernel.Level()
	b.Run(s.name(level), func(b *testing.B) { b.ReportAllocs(); f(b) })
}

// onPlain runs the benchmark of the plain solver.
func onPlain(b *testing.B, s benchShape, f func(b *testing.B)) {
	b.Run(s.name("plain"), func(b *testing.B) { b.ReportAllocs(); f(b) })
}

// per reports the time of one of count pieces of work in an operation.
func per(b *testing.B, unit string, count int) {
	b.ReportMetric(float64(b.Elapsed())/float64(time.Millisecond)/float64(b.N*count), "ms/"+unit)
}

// BenchmarkBlock1 times block 1 from the start of a fit: ms/iteration is the
// time of a proximal iteration of one map. The engine runs eight maps of small
// shapes, as in a grid, and three of large ones.
func BenchmarkBlock1(b *testing.B) {
	for _, s := range append(append([]benchShape{}, small...), large...) {
		lanes, iterations, few := kernel.Lanes, 200, 10
		if s.transductive {
			lanes, iterations, few = 3, 200, 2
		}
		onPlain(b, s, func(b *testing.B) {
			f := s.start(s.setting(1, 1, few))
			first := f.l[0]
			for b.Loop() {
				f.l[0] = first
				if (plain{}).transforms(context.Background(), []*blockDescent{f}); f.err != nil {
					b.Fatal(f.err)
				}
			}
			per(b, "iteration", few)
		})
		onEngine(b, s, func(b *testing.B) {
			f := s.start(s.setting(lanes, 1, iterations))
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
	for _, s := range append(append([]benchShape{}, small...), large...) {
		step := func(b *testing.B, multiply func(dst, v []float64, k int), g *mat.Dense) {
			n, k := g.Dims()
			m := &majorization{multiply: multiply, lmax: float64(n * s.d), weight: 0.5}
			for b.Loop() {
				m.step(mat.DenseCopyOf(g), m.times(g))
			}
			per(b, "metric", k)
		}
		onPlain(b, s, func(b *testing.B) {
			f := s.start(s.setting(3, 1, 1))
			step(b, plain{}.products(f), f.g)
		})
		onEngine(b, s, func(b *testing.B) {
			f := s.start(s.setting(3, 1, 1))
			step(b, batchedFor(f).products(f), f.g)
		})
	}
}

// BenchmarkGrid times E-R2LML's whole grid, 35 settings of 2500 iterations, on
// one core.
func BenchmarkGrid(b *testing.B) {
	var settings []Efficient
	for metrics := 1; metrics <= 7; metrics++ {
		for _, lambda := range []float64{1e-2, 0.1, 1, 10, 100} {
			settings = append(settings, Efficient{Metrics: metrics, Lambda: lambda, Step: 1e-6})
		}
	}
	for _, s := range small[:2] {
		onEngine(b, s, func(b *testing.B) {
			p := s.problem()
			for b.Loop() {
				for _, task := range FitEfficient(p, settings) {
					task.Run(context.Background(), func(i int, _ Fitted, err error) {
						if err != nil {
							b.Fatalf("setting %d: %v", i, err)
						}
					})
				}
			}
		})
	}
}
