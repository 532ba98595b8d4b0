package run_test

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"gonum.org/v1/gonum/mat"

	"r2lmlbench/experiments/method"
	. "r2lmlbench/experiments/run"
	"r2lmlbench/experiments/spec"
	"r2lmlbench/internal/fixture"
	"r2lmlbench/internal/testkit"
	"r2lmlbench/r2lml"
	"r2lmlbench/results"
)

// A drawn is a method for tests whose metric is drawn from the seed of the problem and its
// own number: every fit labels samples differently.
type drawn struct {
	Number int `yaml:"number"`
	Log    int `yaml:"log"` // bytes
}

func (m drawn) Resolve() (drawn, error) { return m, nil }

func (m drawn) Fit(_ context.Context, p r2lml.Problem) (r2lml.Fitted, error) {
	draw := rand.New(rand.NewPCG(p.Seed, uint64(m.Number)))
	_, d := p.X.Dims()
	l := mat.NewDense(d, d, nil)
	for i := range d {
		l.Set(i, i, math.Exp(3*draw.NormFloat64()))
	}
	return r2lml.Fitted{Metric: r2lml.NewGlobal(p, l), Environment: []string{"here"}, Log: strings.Repeat(".", m.Log)}, nil
}

// A cell predicts what the chosen setting, restart and k predict when they alone are fitted
// and asked, whatever else its grid has and whatever other k its bundle has.
func TestCellsPredictByTheChosenSetting(t *testing.T) {
	const restarts = 3
	source, split := tinySource(t)
	others := map[string]int{}
	for seed := range uint64(8) {
		for _, ks := range [][]int{nil, {1, 5, 9}} { // of the settings; nil: the spec has three
			s := testkit.Parse(t, tiny("  - method: rca\n")+"neighbors: [1, 5, 9]\n")
			var settings []method.Setting
			for number := range 3 {
				for _, k := range append(ks, 0)[:max(1, len(ks))] {
					settings = append(settings, method.Setting{Of: drawn{Number: 10*int(seed) + number}, Rule: method.Rule{K: k}})
				}
			}
			m := method.New("drawn", "Drawn", r2lml.Singly[drawn], method.About{Version: 1, Stochastic: true})
			of := s.Columns
			s.Columns = nil
			for i, c := range of {
				if ks != nil && i > 0 {
					break
				}
				k := c.Neighbors
				if ks != nil {
					k = map[string]int{"mat:tiny": 0}
				}
				s.Columns = append(s.Columns, spec.Column{ID: "drawn" + strconv.Itoa(i), Method: m, Restarts: restarts, Neighbors: k,
					Settings: map[string][]method.Setting{"mat:tiny": settings}})
			}
			jobs, cells, err := compute(t, t.Context(), s, &Runner{Source: source})
			fixture.Check(t, err)
			for i, c := range cells {
				setting, restart := settings[c.Chosen/restarts], c.Chosen%restarts
				k := max(setting.Rule.K, jobs[i].Inputs.Neighbors)
				p := r2lml.Problem{X: split.Train.X, Y: split.Train.Y, Query: split.Test.X, Seed: jobs[i].Inputs.Seed<<16 | uint64(restart)}
				f := fixture.Must(setting.Of.(drawn).Fit(t.Context(), p))(t)
				alone := fixture.Must(r2lml.ClassifyContext(t.Context(), p, f.Metric, []int{k}, r2lml.Voting{}))(t)
				fixture.EqualSlice(t, jobs[i].Column.ID, c.Predicted, alone[0])
				if setting.Of != settings[0].Of {
					others["another setting"]++
				}
				if restart > 0 {
					others["another restart"]++
				}
				if setting.Rule.K > 1 {
					others["another k"]++
				}
			}
		}
	}
	for _, what := range []string{"another setting", "another restart", "another k"} {
		if others[what] == 0 {
			t.Errorf("no cell chose %s than the first", what)
		}
	}
}

// asked are the sums of the query samples of every fit of an asking, by the seed of its cell.
var asked sync.Map

// An asking is a method for tests that keeps what it was asked.
type asking struct {
	Number int `yaml:"number"`
}

func (m asking) Resolve() (asking, error) { return m, nil }

func (m asking) Fit(_ context.Context, p r2lml.Problem) (r2lml.Fitted, error) {
	sums, _ := asked.LoadOrStore(p.Seed>>16, &sync.Map{})
	sums.(*sync.Map).Store(mat.Sum(p.Query), true)
	return r2lml.Fitted{Metric: r2lml.NewGlobal(p, nil), Log: "said\n"}, nil
}

// Cross-validation deals the samples by the seed of the cell, so that seeds tell how much a
// result depends on the folds. The log of a setting names each fold once.
func TestFoldsDependOnTheSeed(t *testing.T) {
	const folds, seeds = 2, 3
	s := testkit.Parse(t, tiny("  - method: scml-local\n")+"seeds: "+strconv.Itoa(seeds)+"\n")
	c := &s.Columns[0]
	c.Method = method.New("asking", "Asking", r2lml.Singly[asking], method.About{Version: 1, Stochastic: true})
	c.Restarts, c.Folds, c.Settings = 1, folds, map[string][]method.Setting{"mat:tiny": {{Of: asking{1}}, {Of: asking{2}}}}
	r := &Runner{}
	jobs, _, err := compute(t, t.Context(), s, r)
	fixture.Check(t, err)
	for _, j := range jobs {
		run, _, _ := r.Store.Run(j.Inputs)
		var texts []string
		for _, l := range run.Logs {
			texts = append(texts, l.Text)
		}
		slices.Sort(texts)
		of := "fold 1: said\nfold 2: said\n"
		fixture.EqualSlice(t, "logs of two settings and the last fit", texts, []string{of, of, "said\n"})
	}
	distinct, all := map[any]bool{}, 0
	asked.Range(func(_, sums any) bool {
		sums.(*sync.Map).Range(func(sum, _ any) bool {
			distinct[sum], all = true, all+1
			return true
		})
		return true
	})
	fixture.Equal(t, "questions: the folds and the test samples of each seed", all, seeds*(folds+1))
	if len(distinct) < seeds*folds { // one is the question for the test samples
		t.Errorf("%d seeds have %d different folds, want %d", seeds, len(distinct)-1, seeds*folds)
	}
}

// The record of a run has the environment of the fit that labels the test samples, also of a fit
// that labelled the validation samples with them. Logs beyond a megabyte are left out.
func TestEnvironmentOfTheChosenFit(t *testing.T) {
	for _, unlabeled := range []string{"", results.UnlabeledJoint} {
		s := testkit.Parse(t, tiny("  - method: scml-local\n"))
		c := &s.Columns[0]
		c.Method = method.New("drawn", "Drawn", r2lml.Singly[drawn], method.About{Version: 1, Transductive: true})
		c.Restarts, c.Unlabeled, c.Settings = 1, unlabeled, map[string][]method.Setting{"mat:tiny": {{Of: drawn{1, 400_000}}, {Of: drawn{2, 400_000}}}}
		r := &Runner{}
		jobs, _, err := compute(t, t.Context(), s, r)
		fixture.Check(t, err)
		run, _, _ := r.Store.Run(jobs[0].Inputs)
		fixture.EqualSlice(t, "environment with unlabeled: "+unlabeled, run.Environment, []string{"here"})
		fixture.Equal(t, "logs of less than a megabyte together", len(run.Logs), 2)
	}
}
