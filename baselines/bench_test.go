package baselines

import (
	"context"
	"testing"

	"gonum.org/v1/gonum/mat"

	"r2lmlbench/internal/fixture"
)

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
