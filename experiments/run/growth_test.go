package run_test

import (
	"context"
	"fmt"
	"runtime"
	"testing"

	"r2lmlbench/experiments/plan"
	. "r2lmlbench/experiments/run"
	"r2lmlbench/experiments/spec"
	"r2lmlbench/internal/spectest"
	"r2lmlbench/results/store"
)

// BenchmarkRun computes tiny cells: the time of each does not depend on how many
// there are.
func BenchmarkRun(b *testing.B) {
	for _, cells := range []int{500, 1000, 2000, 4000} {
		b.Run(fmt.Sprint("cells=", cells), func(b *testing.B) {
			s, err := spec.Parse("growing.yaml", []byte(spectest.Growing(cells)))
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				source := plan.NewSource(b.TempDir())
				p, err := plan.New(b.Context(), s, source)
				if err != nil {
					b.Fatal(err)
				}
				runner := Runner{Store: &store.Store{Dir: b.TempDir()}, Source: source, Workers: runtime.GOMAXPROCS(0)}
				if err := runner.Run(context.Background(), p.Jobs()); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*cells), "µs/cell")
		})
	}
}
