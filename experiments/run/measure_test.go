package run_test

import (
	"testing"

	"r2lmlbench/experiments/method"
	"r2lmlbench/experiments/plan"
	"r2lmlbench/experiments/registry"
	. "r2lmlbench/experiments/run"
	"r2lmlbench/experiments/spec"
	"r2lmlbench/internal/spectest"
	"r2lmlbench/r2lml"
	"r2lmlbench/results"
)

// run computes the cells of a spec and returns them in the order of the plan.
func measuredCells(t *testing.T, text string) []results.Cell {
	t.Helper()
	s := spectest.Parse(t, text)
	return cellsOf(t, s)
}

func cellsOf(t *testing.T, s *spec.Spec) []results.Cell {
	t.Helper()
	_, cells, _ := compute(t, s, &Runner{}) // failures are in cells
	return cells
}

func factOf(t *testing.T, c results.Cell, name string) results.Fact {
	t.Helper()
	for _, f := range c.Facts {
		if f.Name == name {
			return f
		}
	}
	t.Fatalf("%s has no fact %q, only %v", c.Method, name, c.Facts)
	return results.Fact{}
}

func seriesOf(t *testing.T, c results.Cell, name string) []float64 {
	t.Helper()
	for _, s := range c.Series {
		if s.Name == name {
			values, err := s.Floats()
			if err != nil {
				t.Fatal(err)
			}
			return values
		}
	}
	t.Fatalf("%s has no series %q", c.Method, name)
	return nil
}

// A global metric keeps the triangle inequality. The published block 2 puts
// samples at distance 0, and nothing but the metric may be at fault for what is
// counted.
func TestMeasures(t *testing.T) {
	cells := measuredCells(t, `
name: measures
datasets: [overlap30]
measure: [convergence, triangle, zero-columns]
methods:
  - method: e-r2lml
    params: {step: 1e-6, epochs: 2, iterations: 30}
    sweep: {variant: [reference, published], metrics: [1, 3]}
`)
	for i, c := range cells {
		if c.Failure != "" {
			t.Fatal(c.Failure)
		}
		triangles := factOf(t, c, "triangle inequality violated")
		if triangles.Of != 80*79*78/6 {
			t.Errorf("cell %d: %d triples of 80 samples", i, triangles.Of)
		}
		if global := i%2 == 0; global && triangles.Count != 0 {
			t.Errorf("cell %d: a global metric violates the triangle inequality %d times", i, triangles.Count)
		}
		if f := factOf(t, c, "zero columns of metric 1 at 1e-06, constant features"); f != (results.Fact{Name: f.Name}) {
			t.Errorf("cell %d: %+v, but no feature is constant", i, f)
		}
		if f := factOf(t, c, "with momentum: iterations of block 1 that raised the objective"); f.Of != 2*30*(1+2*(i%2)) {
			t.Errorf("cell %d: %d iterations followed", i, f.Of)
		}
		best := seriesOf(t, c, "without momentum: best objective so far")
		for k := 1; k < len(best); k++ {
			if best[k] > best[k-1] {
				t.Errorf("cell %d: the best objective so far rises from %g to %g", i, best[k-1], best[k])
			}
		}
	}
}

// What the registry says of the metric of a method is so for a fit of each that has a metric; the
// others give none.
func TestMetricsOfTheRegistry(t *testing.T) {
	s, err := spec.Load("smoke")
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Narrow([]string{"overlap30"}, nil); err != nil {
		t.Fatal(err)
	}
	source := plan.NewSource(t.TempDir())
	fitted := map[string]bool{}
	for _, j := range spectest.PlanFor(t, s).Jobs() {
		split, err := source.Split(*j.Entry, *j.Rule)
		if err != nil {
			t.Fatal(err)
		}
		m, settings := j.Column.Method, j.Column.Settings[j.Entry.ID][:1]
		for _, task := range m.Family.Tasks(ProblemOf(j, split, method.TestPhase, 0), settings) {
			task.Run(t.Context(), func(_ int, f r2lml.Fitted, err error) {
				if _, is := f.Metric.(*r2lml.LocalMetric); err != nil || is != (m.Metric == method.LocalMetric) {
					t.Errorf("%s: Metric is local: %v, the metric is a %T (%v)", m.ID, (m.Metric == method.LocalMetric), f.Metric, err)
				}
				fitted[m.ID] = true
			})
		}
	}
	for _, m := range registry.Methods {
		if labels := m.ID == "external" || m.ID == "euclidean-ties" || m.Imported; labels && (m.Metric == method.LocalMetric) || !labels && !fitted[m.ID] {
			t.Errorf("%s: Metric is local: %v, fitted is %v", m.ID, (m.Metric == method.LocalMetric), fitted[m.ID])
		}
	}
}
