package cost

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"r2lmlbench/experiments/method"
	"r2lmlbench/experiments/run"
	"r2lmlbench/experiments/spec"
	"r2lmlbench/internal/fixture"
	"r2lmlbench/internal/memlimit"
	"r2lmlbench/r2lml"
)

// scaleSpec has one setting of every method. That of R2LML takes its step from the samples.
const scaleSpec = `
name: scale
datasets: [twonorm-gen]
methods:
  - method: euclidean
  - {method: itml, params: {gamma: 1}}
  - method: lmnn
  - method: lmnn-mm
  - {method: glml, params: {shrinkage: 1e-3}}
  - method: plml
  - {method: t-r2lml, params: {metrics: 2, lambda: 10, step: auto, epochs: 1, iterations: 100}}
  - {method: e-r2lml, params: {metrics: 2, lambda: 10, step: auto, epochs: 1, iterations: 100}}
  - method: nca
  - method: rca
  - {method: dann, params: {shrinkage: 0.1}}
  - {method: scml-local, params: {beta: 1e-5, step: 0.7}}
  - method: kissme
  - method: lfda
  - method: gmml
  - method: dmlmj
  - method: rfm
  - {method: scml-global, params: {beta: 1e-5}}
`

// BenchmarkScale fits every method to clusters of growing size and labels a tenth as many
// query samples. Beside the time it reports by how much the heap grew at most, and the
// ratio of the CPU time to the estimate of the method's Work, which is in units of one
// machine: how that ratio changes with the size tells how well the model grows. Sizes whose
// estimate is above five minutes are left out.
func BenchmarkScale(b *testing.B) {
	s := fixture.Must(spec.Parse("scale.yaml", []byte(scaleSpec)))(b)
	for _, c := range s.Columns {
		for _, n := range []int{250, 1000, 4000, 16_000, 20_000} {
			size := method.Size{N: n, M: n / 10, D: 20, C: 4}
			settings := c.Settings["twonorm-gen"][:1]
			if shared, each := workOf(c.Method)(size, method.ParamsOf(settings[0])); shared+each > 300e9 {
				continue
			}
			b.Run(fmt.Sprintf("method=%s/n=%d", c.ID, n), func(b *testing.B) { measureScale(b, c.Method, settings, size) })
		}
	}
}

// measureScale fits once.
func measureScale(b *testing.B, m method.Method, settings []method.Setting, size method.Size) {
	p := clusters(size)
	var meter memlimit.PeakMeter
	var seconds float64
	var grown int64
	for b.Loop() {
		end, started := meter.Begin(), cpuSeconds()
		fixture.Check(b, run.FitFirst(b.Context(), m, settings, p))
		seconds, grown = cpuSeconds()-started, end()
	}
	shared, each := workOf(m)(size, method.ParamsOf(settings[0]))
	b.ReportMetric(seconds, "cpu-s")
	b.ReportMetric(float64(grown)/(1<<20), "MiB")
	b.ReportMetric(seconds/((shared+each)*1e-9), "cpu/model")
}

// clusters draws normal samples around the means of classes, two standard deviations apart.
func clusters(s method.Size) method.Problem {
	r := rand.New(rand.NewPCG(uint64(s.N), uint64(s.D)))
	draw := func(rows int) (*mat.Dense, []int) {
		x, y := mat.NewDense(rows, s.D, nil), make([]int, rows)
		for i := range rows {
			y[i] = 1 + i%s.C
			for k := range s.D {
				x.Set(i, k, r.NormFloat64())
			}
			x.Set(i, y[i]%s.D, x.At(i, y[i]%s.D)+2)
		}
		return x, y
	}
	x, y := draw(s.N)
	query, _ := draw(s.M)
	return method.Problem{Problem: r2lml.Problem{X: x, Y: y, Query: query, Seed: 1}, Phase: method.TestPhase, Neighbors: 5}
}
