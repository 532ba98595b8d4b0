// Package testkit has plans, stores and tables for tests of packages that are above plan,
// run and store. Tests of packages below these use package fixture: testkit would be an import cycle.
package testkit

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"gonum.org/v1/gonum/mat"

	"r2lmlbench/experiments"
	"r2lmlbench/experiments/measure"
	"r2lmlbench/experiments/method"
	"r2lmlbench/experiments/plan"
	"r2lmlbench/experiments/run"
	"r2lmlbench/experiments/spec"
	"r2lmlbench/internal/fixture"
	"r2lmlbench/r2lml"
	"r2lmlbench/results"
	"r2lmlbench/results/store"
	"r2lmlbench/results/table"
)

// Small is a spec of two cells with a grid of four points that takes moments.
const Small = `
name: small
datasets: [twonorm-gen]
methods:
  - method: euclidean
  - method: e-r2lml
    params: {step: 1e-6, epochs: 1, iterations: 2}
    grid: {metrics: [1, 2], lambda: [1, 10]}
`

// Gated has a deterministic and a stochastic method on two sets.
const Gated = `
name: gated
datasets: [overlap60, overlap30]
methods:
  - method: euclidean
  - method: glml
    params: {shrinkage: 1e-3, gamma: 0.1}
  - method: e-r2lml
    params: {step: 1e-6, epochs: 1, iterations: 20}
    grid: {metrics: [1, 2]}
`

// Growing returns a spec with this number of tiny cells, a multiple of 10, of one data set
// and method: splits times scales of features.
func Growing(cells int) string {
	return fmt.Sprintf(`
name: growing
datasets: [overlap30]
split: {rule: random, repeats: %d}
methods:
  - method: euclidean
    sweep: {feature-scale: [0.5, 0.6, 0.7, 0.8, 0.9, 1.1, 1.2, 1.3, 1.4, 1.5]}
`, cells/10)
}

// Parse reads a spec, which must be valid.
func Parse(t *testing.T, text string) *spec.Spec {
	t.Helper()
	return fixture.Must(spec.Parse("test.yaml", []byte(text)))(t)
}

// Run runs a spec into dir and returns its table and the error of the run.
func Run(t *testing.T, ctx context.Context, s *spec.Spec, dir string, workers int, observe func(run.Event)) (table.Table, error) {
	t.Helper()
	source := plan.NewSource(t.TempDir())
	p := fixture.Must(plan.New(context.Background(), s, source))(t)
	st := &store.Store{Dir: dir, Log: t.Logf}
	runner := run.Runner{Store: st, Source: source, Workers: workers, Observe: observe}
	failed := runner.Run(ctx, p.Jobs())
	tbl := fixture.Must(table.Of(p, st))(t)
	return tbl, failed
}

// Stored plans a spec and runs it into a new store.
func Stored(t *testing.T, s *spec.Spec) (plan.Plan, *store.Store) {
	t.Helper()
	st := &store.Store{Dir: t.TempDir(), Log: t.Logf}
	if _, err := Run(t, context.Background(), s, st.Dir, 2, nil); err != nil {
		t.Fatal(err)
	}
	return PlanFor(t, s), st
}

var (
	computeGated sync.Once
	gatedFiles   map[string]string
)

// GatedCells plans [Gated] and returns a new store with its cells, which are computed once.
func GatedCells(t *testing.T) (plan.Plan, *store.Store) {
	t.Helper()
	computeGated.Do(func() {
		_, st := Stored(t, Parse(t, Gated))
		gatedFiles = fixture.Contents(t, st.Dir, "")
	})
	dir := t.TempDir()
	for name, text := range gatedFiles {
		fixture.Write(t, filepath.Join(dir, name), text)
	}
	return PlanFor(t, Parse(t, Gated)), &store.Store{Dir: dir, Log: t.Logf}
}

// JobsOf are the jobs of a data set and a method, by seed.
func JobsOf(p plan.Plan, letter, method string) []plan.Job {
	row := slices.IndexFunc(p.Splits, func(r plan.Split) bool { return r.Dataset.Letter == letter })
	column := slices.IndexFunc(p.Spec.Columns, func(c spec.Column) bool { return c.ID == method })
	return p.Splits[row].Jobs[column]
}

// Fill stores a cell with this number of correct test samples of n.
func Fill(t *testing.T, st *store.Store, in results.Inputs, n, correct int) {
	t.Helper()
	c := results.Cell{Inputs: in, Truth: slices.Repeat([]int{1}, n)}
	c.Predicted = slices.Concat(slices.Repeat([]int{1}, correct), slices.Repeat([]int{2}, n-correct))
	fixture.Check(t, st.Put(c, results.Run{}))
}

// FillSurface stores a cell with test scores of the grid: right[i] of 190 test samples are
// correct in setting i, and the first setting is chosen.
func FillSurface(t *testing.T, cells *store.Store, in results.Inputs, right []int) {
	t.Helper()
	c := results.Cell{Inputs: in, Validation: &results.Profile{N: 100, Correct: make([]int, len(in.Settings))}}
	c.Measure = []string{measure.Surface}
	c.Validation.Correct[0] = 1
	c.Truth = slices.Concat(slices.Repeat([]int{1}, 95), slices.Repeat([]int{2}, 95))
	outcomes := map[int]results.Outcome{}
	for i, n := range right {
		first := min(n, 95) + 95 - max(n-95, 0) // samples with predicted label 1
		outcomes[i] = results.Outcome{Test: results.TestCount{ByClass: []int{min(n, 95), max(n-95, 0)}, Largest: max(first, 190-first)}}
	}
	c.GridScores = results.NewGridScores(c.Truth, len(in.Settings), outcomes)
	c.Predicted = slices.Concat(slices.Repeat([]int{1}, min(right[0], 95)), slices.Repeat([]int{2}, 95-min(right[0], 95)),
		slices.Repeat([]int{2}, max(right[0]-95, 0)), slices.Repeat([]int{1}, 95-max(right[0]-95, 0)))
	fixture.Check(t, cells.Put(c, results.Run{}))
}

// Cells returns the files of the cells below dir, including failures.
func Cells(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := fixture.Contents(t, dir, ".json")
	maps.DeleteFunc(files, func(name, _ string) bool { return strings.HasSuffix(name, ".run.json") })
	return files
}

// EqualCells fails unless two sets of cell files are the same bytes.
func EqualCells(t *testing.T, got, want map[string]string) {
	t.Helper()
	if len(want) == 0 || len(got) != len(want) {
		t.Fatalf("%d cells, want %d and some", len(got), len(want))
	}
	for name, b := range want {
		if got[name] != b {
			t.Errorf("cell %s:\n%s\nwant\n%s", name, got[name], b)
		}
	}
}

// PlanFor plans a spec without data files.
func PlanFor(t *testing.T, s *spec.Spec) plan.Plan {
	t.Helper()
	return fixture.Must(plan.New(context.Background(), s, plan.NewSource(t.TempDir())))(t)
}

// Accuracy plans the spec of the paper's table without data files.
func Accuracy(t *testing.T) plan.Plan {
	t.Helper()
	return fixture.Must(plan.Named(context.Background(), experiments.Paper))(t)
}

// ShippedSettings returns the settings that the spec of all methods searches on
// Two Norm, whose features are of unit scale, by method.
func ShippedSettings(t *testing.T) map[string][]method.Setting {
	t.Helper()
	s := fixture.Must(spec.Load("beyond"))(t)
	settings := map[string][]method.Setting{}
	for _, c := range s.Columns {
		settings[c.Method.ID] = c.Settings["twonorm"]
	}
	return settings
}

// Clusters draws normal samples around the means of classes, two standard deviations apart.
func Clusters(s method.Size) method.Problem {
	r := rand.New(rand.NewPCG(uint64(s.N), uint64(s.D)))
	draw := func(rows int) (*mat.Dense, []int) {
		x, y := fixture.Normal(r, rows, s.D), make([]int, rows)
		for i := range rows {
			y[i] = 1 + i%s.C
			x.Set(i, y[i]%s.D, x.At(i, y[i]%s.D)+2)
		}
		return x, y
	}
	x, y := draw(s.N)
	query, _ := draw(s.M)
	return method.Problem{Problem: r2lml.Problem{X: x, Y: y, Query: query, Seed: 1}, Phase: method.TestPhase, Neighbors: 5}
}
