package baselines

import (
	"context"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"r2lmlbench/internal/fixture"
	"r2lmlbench/r2lml"
)

// shape is a synthetic set with the size of a real one's training part.
type shape struct {
	name                 string
	rows, features, sets int
	spread               float64 // of the class means; the samples spread by 1
}

var shapes = []shape{
	{"ionosphere", 80, 34, 2, 0.3},
	{"robot", 240, 4, 4, 0.7},
	{"wine", 150, 12, 3, 0.5},
	{"letter", 520, 16, 26, 0.7},
}

// problem draws Gaussian classes of equal size.
func (s shape) problem() r2lml.Problem {
	r := rand.New(rand.NewPCG(1, 2))
	mean := mat.NewDense(s.sets, s.features, nil)
	fill(mean, func(int) float64 { return s.spread * r.NormFloat64() })
	p := r2lml.Problem{X: mat.NewDense(s.rows, s.features, nil), Y: make([]int, s.rows), Seed: 1}
	for n := range p.Y {
		c := n % s.sets
		p.Y[n] = c + 1
		for d := range s.features {
			p.X.Set(n, d, mean.At(c, d)+r.NormFloat64())
		}
	}
	p.Query = p.X
	return p
}

func fill(m *mat.Dense, value func(int) float64) {
	data := m.RawMatrix().Data
	for i := range data {
		data[i] = value(i)
	}
}

// BenchmarkFit times the learning of a metric: of the paper's whole grid for
// ITML, GLML and PLML, of one setting for the others.
func BenchmarkFit(b *testing.B) {
	gammas := []ITML{{1e-4}, {1e-3}, {1e-2}, {0.1}, {1}, {10}, {100}, {1e3}, {1e4}}
	var glml []GLML
	for _, gamma := range []float64{0, 1e-3, 1e-2, 0.1, 1, 10, 100} {
		glml = append(glml, GLML{Gamma: gamma, Shrinkage: 1e-3})
	}
	benchmarkGrid(b, "itml", FitGrid[ITML], gammas)
	benchmarkGrid(b, "lmnn", r2lml.Singly, []LMNN{{}})
	benchmarkGrid(b, "lmnn-mm", FitGrid[LMNNMM], []LMNNMM{{}})
	benchmarkGrid(b, "nca", r2lml.Singly, []NCA{{}})
	benchmarkGrid(b, "rca", r2lml.Singly, []RCA{{}})
	benchmarkGrid(b, "glml", FitGrid[GLML], glml)
	benchmarkGrid(b, "plml", FitGrid[PLML], []PLML{{Alpha1: 0.01}, {Alpha1: 0.1}, {Alpha1: 1}, {Alpha1: 10}, {Alpha1: 100}})
	benchmarkGrid(b, "dann", r2lml.Singly, []DANN{{Shrinkage: 0.1}})
	benchmarkGrid(b, "scml-local", FitGrid[SCML], []SCML{{Beta: 1e-5}})
	benchmarkGrid(b, "scml-global", FitGrid[SCMLGlobal], []SCMLGlobal{{Beta: 1e-5}})
}

func benchmarkGrid[M r2lml.Method](b *testing.B, method string, fit r2lml.GridFit[M], settings []M) {
	for _, s := range shapes {
		p := s.problem()
		b.Run("method="+method+"/dataset="+s.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				for _, task := range fit(p, settings) {
					task.Run(context.Background(), func(_ int, _ r2lml.Fitted, err error) {
						fixture.Check(b, err)
					})
				}
			}
		})
	}
}

// BenchmarkBeside climbs NCA's objective on the float64 that .ci/beside.py has put into
// files, until it rises by less than a share of itself, and counts.
func BenchmarkBeside(b *testing.B) {
	var d int
	var share float64
	folder := fixture.Beside(b, &d, &share)
	x, labels := fixture.Floats(b, folder+"/training"), fixture.Floats(b, folder+"/labels")
	n := neighborhoods{ctx: context.Background(), x: mat.NewDense(len(labels), d, x)}
	for _, label := range labels {
		n.y = append(n.y, int(label))
	}
	if len(n.y) <= NCAWhole {
		n.w = mat.NewDense(len(n.y), len(n.y), nil)
	}
	for b.Loop() {
		evaluations, highest := 0, 0.0
		climb := lbfgs{iterations: 1000, history: 10, gradient: share, decrease: share, function: func(l []float64) (float64, []float64) {
			a := n.at(mat.NewDense(d, d, l))
			evaluations, highest = evaluations+1, max(highest, a.value)
			a.gradient.Scale(-1, a.gradient)
			return -a.value, a.gradient.RawMatrix().Data
		}}
		fixture.Must(climb.minimize(n.ctx, identity(d).RawMatrix().Data))(b)
		b.ReportMetric(float64(climb.taken), "iterations")
		b.ReportMetric(float64(evaluations), "evaluations")
		b.ReportMetric(1000*highest, "milliobjective") // a report rounds to few decimals
	}
}
