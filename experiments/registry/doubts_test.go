package registry_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"r2lmlbench/experiments/method"
	. "r2lmlbench/experiments/registry"
	"r2lmlbench/internal/fixture"
	"r2lmlbench/internal/testkit"
	"r2lmlbench/r2lml"
	"r2lmlbench/r2lml/methodtest"
	"r2lmlbench/results"
)

// doubtsOf fits a method with parameters as a spec writes them, and returns what readers are
// told of the fit.
func doubtsOf(t *testing.T, id, params string, p r2lml.Problem) (doubts []string) {
	t.Helper()
	m, _ := Find(id)
	s := testkit.Parse(t, fmt.Sprintf("name: x\ndatasets: [overlap30]\nmethods: [{method: %s, params: %s}]", id, params))
	setting := s.Columns[0].Settings["overlap30"][0]
	m.Tasks(method.Problem{Problem: p}, []method.Setting{setting})[0].Run(t.Context(), func(_ int, f r2lml.Fitted, err error) {
		fixture.Check(t, err)
		_, doubts = results.Told(f.Warnings, m.Doubts(setting, setting.Features.Of(method.Problem{Problem: p}).Problem, f))
	})
	return doubts
}

// quick are parameters with which a fit takes moments.
var quick = map[string]string{
	"lmnn": "{iterations: 30}", "lmnn-mm": "{iterations: 5}", "scml-local": "{bases: 20}", "scml-global": "{bases: 20}",
	"t-r2lml": "{metrics: 2, step: auto}", "e-r2lml": "{metrics: 2, step: auto}",
}

// TestDoubts fits every method to ordinary problems, of which nothing is told but that plml and
// nca stop at a limit; replaces what it learned by a metric with each fault, which is
// told; and spares those that learn nothing on purpose.
func TestDoubts(t *testing.T) {
	problems := []r2lml.Problem{methodtest.Blobs([]int{30, 25}, 4, 11), methodtest.Blobs([]int{20, 15, 25}, 3, 7)}
	for _, m := range Methods {
		if m.Metric == method.NoMetric {
			continue
		}
		t.Run(m.ID, func(t *testing.T) {
			t.Parallel()
			params := quick[m.ID]
			if params == "" {
				params = "{}"
			}
			for i, p := range problems {
				doubts := doubtsOf(t, m.ID, params, p)
				for _, d := range doubts {
					if !strings.HasPrefix(d, "not converged") || m.ID != "nca" && m.ID != "plml" {
						t.Errorf("problem %d: %s", i+1, d)
					}
				}
			}
			p := problems[1] // of three classes
			for start, metric := range map[string]r2lml.Metric{
				"collapsed: all":        r2lml.NewGlobal(p, mat.NewDense(3, 3, nil)),
				"collapsed: the metric": r2lml.NewGlobal(p, mat.NewDense(1, 3, []float64{1, 2, 3})),
				"nothing learned":       r2lml.NewGlobal(p, nil),
			} {
				doubts := m.Doubts(method.Setting{Of: struct{}{}}, p, r2lml.Fitted{Metric: metric})
				if told := len(doubts) == 1 && strings.HasPrefix(doubts[0], start); told != (m.Scope != method.NothingLearned) {
					t.Errorf("%s: told %q", start, doubts)
				}
			}
		})
	}
}

// TestDoubtsOfUnits: a feature in a unit that hides it from distances is told by the methods
// whose labels depend on units, unless features are standardized; a constant one is not.
func TestDoubtsOfUnits(t *testing.T) {
	for _, m := range Methods {
		if m.Metric == method.NoMetric {
			continue
		}
		for factor, want := range map[float64]bool{1e-6: true, 1e-3: false, 0: false} {
			p := methodtest.Blobs([]int{20, 15, 25}, 3, 7)
			p.X = mat.DenseCopyOf(p.X)
			for i := range len(p.Y) {
				p.X.Set(i, 1, factor*p.X.At(i, 1))
			}
			of := func(p r2lml.Problem) bool {
				doubts := m.Doubts(method.Setting{Of: struct{}{}}, p, r2lml.Fitted{Metric: r2lml.NewGlobal(p, mat.NewDense(2, 3, []float64{1, 2, 3, 3, 1, 1}))})
				return slices.ContainsFunc(doubts, func(d string) bool { return strings.HasPrefix(d, "1 of 3 features") })
			}
			fixture.Equal(t, fmt.Sprintf("%s, factor %g", m.ID, factor), of(p), want && m.Scope != method.NothingLearned && m.Invariances.Units < 1)
			scaled := method.Features{Scaling: "zscore"}.Of(method.Problem{Problem: p}).Problem
			fixture.Equal(t, fmt.Sprintf("%s, factor %g, standardized", m.ID, factor), of(scaled), false)
		}
	}
}

// TestDoubtsOfFits has fits that go wrong by themselves.
func TestDoubtsOfFits(t *testing.T) {
	blobs := methodtest.Blobs([]int{30, 25}, 4, 11)
	large := blobs
	large.X, large.Query = mat.DenseCopyOf(blobs.X), mat.DenseCopyOf(blobs.Query)
	large.X.Scale(1e5, large.X)
	large.Query.Scale(1e5, large.Query)
	alike := methodtest.Blobs([]int{30, 30}, 4, 11)
	for i := range 30 { // the classes have the same covariances
		for j := range 4 {
			alike.X.Set(30+i, j, alike.X.At(i, j)+float64(j+1))
		}
	}
	one := methodtest.Blobs([]int{40, 40}, 1, 3)
	for _, x := range []*mat.Dense{one.X, one.Query} { // few values, which the classes share
		x.Apply(func(i, _ int, v float64) float64 { return float64(i%7) - 3 }, x)
	}
	for _, c := range []struct {
		id, params string
		p          r2lml.Problem
		starts     []string
	}{
		{"nca", "{}", large, []string{"nothing learned"}},
		{"nca", "{features: zscore, iterations: 1}", large, []string{"not converged: stopped at its limit of 1 "}},
		{"e-r2lml", "{step: auto, lambda: 1e9}", blobs, []string{"collapsed"}},
		{"t-r2lml", "{step: auto, lambda: 1e9}", blobs, []string{"collapsed"}},
		{"lfda", "{rank: 1}", blobs, nil},
		{"kissme", "{}", alike, nil}, // one dimension, which is Fisher's
		{"dmlmj", "{rank: 1}", blobs, nil},
		{"plml", "{}", one, []string{"collapsed"}},
		{"scml-global", "{beta: 1e3}", blobs, []string{"nothing learned: all weights are 0"}},
		{"scml-global", "{beta: 1e3}", one, []string{"nothing learned: all weights are 0", "collapsed"}},
		{"itml", "{}", methodtest.Blobs(slices.Repeat([]int{3}, 26), 4, 11), []string{"not converged"}}, // four sweeps over 26,000 pairs
	} {
		doubts := doubtsOf(t, c.id, c.params, c.p)
		same := len(doubts) == len(c.starts)
		for i := range c.starts {
			same = same && strings.HasPrefix(doubts[i], c.starts[i])
		}
		if !same {
			t.Errorf("%s %s: %q, want %q", c.id, c.params, doubts, c.starts)
		}
	}
}
