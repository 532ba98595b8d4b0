package verdict_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"r2lmlbench/experiments/spec"
	"r2lmlbench/internal/fixture"
	"r2lmlbench/internal/spectest"
	"r2lmlbench/results/store"
	"r2lmlbench/results/verdict"
)

// TestComparableColumns: a column stands for the printed number if it chooses as the
// paper did, by the grids of the spec accuracy.
func TestComparableColumns(t *testing.T) {
	const (
		metrics = "metrics: [1, 2, 3, 4, 5, 6, 7]"
		lambda  = "lambda: [0.01, 0.1, 1, 10, 100]"
		chosen  = "; the paper chose lambda and metrics on the validation samples"
	)
	for _, c := range []struct{ name, stanza, want string }{
		{"nothing to choose", "{method: euclidean}", ""},
		{"another parameter", "{method: lmnn, params: {neighbors: 1}}", ""},
		{"the grid", "{method: e-r2lml, params: {step: 1}, grid: {" + metrics + ", " + lambda + "}}", ""},
		{"the grid, turned round", "{method: e-r2lml, params: {step: 1}, grid: {" + metrics + ", lambda: [100, 10.0, 1e0, 1e-1, 0.01]}}", ""},
		{"the grid, from several starts", "{method: e-r2lml, params: {step: 1}, restarts: 2, grid: {" + lambda + ", " + metrics + "}}", ""},
		{"the grid of another method", "{method: t-r2lml, params: {step: 1}, grid: {" + metrics + ", " + lambda + "}}", "has other samples without labels"},
		{"a parameter more", "{method: e-r2lml, params: {step: 1}, grid: {" + metrics + ", " + lambda + ", c: [1, 2]}}", ""},
		{"one fixed", "{method: e-r2lml, params: {step: 1}, grid: {metrics: [7], " + lambda + "}}", "fixes metrics" + chosen},
		{"both fixed", "{method: e-r2lml, params: {step: 1, lambda: 1, metrics: 2}}", "fixes lambda and metrics" + chosen},
		{"one swept", "{method: e-r2lml, params: {step: 1}, sweep: {" + metrics + "}, grid: {lambda: [1, 2]}}",
			"sweeps metrics, searches other values of lambda" + chosen},
		{"a variant swept", "{method: e-r2lml, params: {step: 1}, sweep: {variant: [reference, published]}, grid: {" + metrics + ", " + lambda + "}}",
			"sweeps variant" + chosen},
		{"swept, of a method without a grid", "{method: lmnn, sweep: {neighbors: [1, 2]}}", "sweeps neighbors"},
		{"other unlabelled samples",
			"{method: t-r2lml, params: {step: 1}, grid: {" + metrics + ", lambda: [0.1, 1, 10, 100, 1e3, 1e4, 1e5, 1e6, 1e7]}}",
			"has other samples without labels"},
		{"default instead of the grid", "{method: itml}", "fixes gamma; the paper chose gamma on the validation samples"},
	} {
		t.Run(c.name, func(t *testing.T) {
			plan := spectest.PlanFor(t, spectest.Parse(t, "name: x\npublished: accuracy\ndatasets: [M, P]\nmethods: ["+c.stanza+"]"))
			v := fixture.Must(verdict.Of(plan, spectest.Paper(t), &store.Store{Dir: t.TempDir()}))(t)
			if c.want == "" {
				if len(v.Verdicts) != 2 || v.Excluded != nil {
					t.Errorf("%d verdicts, left out %+v; want both numbers judged", len(v.Verdicts), v.Excluded)
				}
				return
			}
			if len(v.Verdicts) != 0 || len(v.Excluded) != len(plan.Spec.Columns) {
				t.Fatalf("%d verdicts, left out %+v; want every column left out", len(v.Verdicts), v.Excluded)
			}
			for _, l := range v.Excluded {
				if l.Reason != c.want || !slices.Equal(l.Letters, []string{"M", "P"}) {
					t.Errorf("%+v, want rows M and P as the spec %s", l, c.want)
				}
			}
		})
	}
}

// TestComparableColumnsOfEmbeddedSpecs: the specs of the paper's table judge all of
// it, those that take it apart none.
func TestComparableColumnsOfEmbeddedSpecs(t *testing.T) {
	st := (&store.Store{Dir: t.TempDir()}).Snapshot()
	for name, want := range map[string]int{
		"accuracy": 144, "beyond": 126, "measured": 18,
		"variants": 0, "metrics": 0, "convergence": 0, "triangle": 0, "lambda": 0, "quick": 16, "smoke": 3,
		"pays": 0,
	} {
		s := fixture.Must(spec.Load(name))(t)
		v, err := verdict.Of(spectest.PlanFor(t, s), spectest.Paper(t), st)
		if s.Published == nil && want == 0 && errors.Is(err, verdict.ErrNothingPrinted) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if v.Summary.Numbers != want {
			t.Errorf("%s: %d published numbers, want %d", name, v.Summary.Numbers, want)
		}
		if want == 0 && !strings.Contains(v.Notes()[0], "no published number") {
			t.Errorf("%s: notes %q", name, v.Notes())
		}
	}
}

// A number is judged once, whatever the columns of its method.
func TestNumbersAreJudgedOnce(t *testing.T) {
	planned := spectest.PlanFor(t, spectest.Parse(t,
		"name: x\npublished: accuracy\ndatasets: [M]\nmethods: [{method: lmnn}, {method: euclidean}, {method: lmnn, name: other, params: {neighbors: 1}}]"))
	v, err := verdict.Of(planned, spectest.Paper(t), &store.Store{Dir: t.TempDir()})
	if err != nil || len(v.Verdicts) != 2 || len(v.Excluded) != 1 || v.Excluded[0].Method != "other" || v.Excluded[0].Reason != "judges it with the column lmnn" {
		t.Errorf("%v: %+v, %+v", err, v.Verdicts, v.Excluded)
	}
}
