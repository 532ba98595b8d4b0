package compare

import (
	"fmt"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"
	"pgregory.net/rapid"

	"r2lmlbench/datasets/tabular"
	"r2lmlbench/experiments/registry"
	"r2lmlbench/internal/fixture"
	"r2lmlbench/internal/spectest"
	"r2lmlbench/results/table"
)

// twoScales writes a file of two classes that differ in the first feature only, beside a
// feature of noise a thousand times larger: scaling decides.
func twoScales(t *testing.T) string {
	t.Helper()
	rng := rand.New(rand.NewPCG(7, 7))
	text := "a,b,class\n"
	for i := range 120 {
		text += fmt.Sprintf("%.4f,%.2f,c%d\n", float64(i%2)*4+rng.NormFloat64(), 1000*rng.NormFloat64(), i%2)
	}
	return fixture.Write(t, filepath.Join(t.TempDir(), "two.csv"), text)
}

func options(file string, methods ...string) Options {
	return Options{
		ID: "two", File: file, Data: tabular.Options{Label: tabular.Column{Name: "class"}}, Methods: methods,
		Splits: 5, Train: 0.5, Validation: 0.2, Neighbors: 5, Seed: 1,
	}
}

// Whatever the registry has is in the spec of all methods, tuned and with the choice of
// the features.
func TestSpecOfAllMethods(t *testing.T) {
	text := fixture.Must(Spec(options(twoScales(t))))(t)
	s := spectest.Parse(t, text)
	fixture.Equal(t, "methods", len(Methods()), len(registry.Methods)-2)
	fixture.Equal(t, "columns", len(s.Columns), 2+len(Methods()))
	for _, c := range s.Columns[2:] {
		if n := len(c.Settings["two"]); n < 2 || n%2 != 0 {
			t.Errorf("%s has %d settings, want both scalings of each", c.ID, n)
		}
	}
	fixture.Says(t, fixture.Error(Spec(options("x.csv", "lmnm"))), "lmnm")
}

// On features of different scales raw Euclidean k-NN guesses, and no learned metric is
// needed: standardized features are enough.
func TestAnswer(t *testing.T) {
	p, st := spectest.Stored(t, spectest.Parse(t, fixture.Must(Spec(options(twoScales(t), "euclidean", "kissme")))(t)))
	a := fixture.Must(Read(p, st, nil))(t)
	of := map[string]Method{}
	for _, m := range a.Methods {
		of[m.Method] = m
	}
	raw, scaled := of[Raw], of[Scaled]
	if raw.NotWorse || !scaled.NotWorse || scaled.Accuracy < "90" || raw.Accuracy > "70" || len(a.Methods) != 4 || a.Family != 3 {
		t.Errorf("raw %+v\nscaled %+v\n%+v", raw, scaled, a)
	}
	for _, m := range a.Methods {
		if want := map[string]string{Raw: "raw", Scaled: "zscore", "euclidean": "zscore"}[m.Method]; want != "" && m.Features != want {
			t.Errorf("%s: features %q, want %q", m.Method, m.Features, want)
		}
	}
	fixture.Has(t, "sentences", strings.Join(a.Sentences(), " "), scaled.Accuracy)
}

// A learned metric is measured by the better of the two plain rows, which is named.
func TestBetterPlain(t *testing.T) {
	ranked := []table.Ranked{{Method: "rca", Name: "RCA"}, {Method: Raw, Behind: "0.34", Accuracy: "97.11"}, {Method: Scaled, Behind: "2.89", Accuracy: "94.56"}}
	for _, want := range []string{
		"0.34 points more than plain Euclidean k-NN with raw features (97.11 %), and significantly more, " +
			"and 2.89 points more than with standardized features (94.56 %).",
		"2.89 points more than plain Euclidean k-NN with standardized features (94.56 %)",
	} {
		a := Answer{Ranking: table.Ranking{Best: "rca", Ranked: ranked}, Methods: []Method{{Ranked: ranked[0]}}, learned: 1}
		fixture.Has(t, "sentences", strings.Join(a.Sentences(), " "), want)
		ranked = slices.Delete(ranked, 1, 2)
	}
}

// The advised number of splits would tell 1 point from the best with the spread that was seen,
// after Bonferroni's correction over the family, and one split less would not.
func TestNeeded(t *testing.T) {
	advised := 0
	rapid.Check(t, func(t *rapid.T) {
		splits, train, test := rapid.IntRange(2, 30).Draw(t, "splits"), rapid.IntRange(50, 500).Draw(t, "train"), rapid.IntRange(1, 50).Draw(t, "test")
		a := Answer{Ranking: table.Ranking{Best: "b", Family: rapid.IntRange(1, 20).Draw(t, "family"), Alpha: 0.05}}
		row := table.Row{N: splits*test + 1, Pool: &table.Pool{Splits: splits, Train: splits*train + 1}} // splits of unequal size
		sd := rapid.Float64Range(0.3, 6).Draw(t, "sd")
		for _, c := range []table.Contrast{{A: "a", B: "b", SD: table.Points(sd)}, {A: "a", B: "c", SD: 99}, {A: "b", B: "c", SD: table.Points(sd)}} {
			c.Min, c.Max = -1, 1
			row.Contrasts = append(row.Contrasts, c)
		}
		row.Contrasts = append(row.Contrasts, table.Contrast{A: "b", B: "d"}) // the same on every split: tells nothing of the spread
		corrected := func(splits int) float64 {
			t := 1 / (sd * math.Sqrt(1/float64(splits)+float64(row.N)/float64(row.Pool.Train)))
			return 2 * float64(a.Family) * distuv.StudentsT{Sigma: 1, Nu: float64(splits - 1)}.CDF(-t)
		}
		switch n := a.needed(row); {
		case n == 0 && corrected(10_000) <= 0.05:
			t.Errorf("no number of splits, and 10,000 give p %v", corrected(10_000))
		case n > 0:
			advised++
			if corrected(n) > 0.05*(1+1e-9) || n > 2 && corrected(n-1) <= 0.05*(1-1e-9) {
				t.Errorf("%d splits: p %v, with one less %v", n, corrected(n), corrected(n-1))
			}
		}
	})
	if advised < 10 {
		t.Errorf("%d numbers advised", advised)
	}
}

// Numbers stay numbers until they are printed: no source here and in the packages of results
// reads one back from a text, but for those whose texts are other people's.
func TestNumbersStayNumbers(t *testing.T) {
	texts := map[string]string{ // what the texts are
		"../../results/published/lambda.go":    "a paper's table, as printed",
		"../../results/published/published.go": "a paper's table, as printed",
		"../../results/figures/studies.go":     "values of a spec, and a paper's table",
		"../../results/cell.go":                "parameters of a spec",
		"../../results/chart/chart.go":         "rounds a number",
	}
	files := 0
	for _, root := range []string{".", "../../results"} {
		fixture.Check(t, filepath.WalkDir(root, func(path string, _ fs.DirEntry, err error) error {
			path = filepath.ToSlash(path)
			if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || strings.Contains(path, "/rank/") || strings.Contains(path, "/audit/") {
				return err
			}
			files++
			if strings.Contains(string(fixture.Must(os.ReadFile(path))(t)), "ParseFloat(") && texts[path] == "" {
				t.Errorf("%s reads a number from a text; keep the number", path)
			}
			return err
		}))
	}
	if files < 50 {
		t.Errorf("%d files searched", files)
	}
}
