package compare

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

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
