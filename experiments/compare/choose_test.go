package compare

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"r2lmlbench/datasets"
	"r2lmlbench/datasets/tabular"
	"r2lmlbench/experiments/cost"
	"r2lmlbench/experiments/plan"
	"r2lmlbench/internal/fixture"
	"r2lmlbench/internal/testkit"
)

// TestChoose: the cheapest methods are kept as long as they fit, and the control and, with all, every one; whoever is left out is
// told what it takes, and with a sample where that is less than half, or that it has too little memory. The limit grows with the data, up to five minutes.
func TestChoose(t *testing.T) {
	limits := map[time.Duration]bool{}
	for _, repeats := range []int{1, 40, 120} {
		spec := fmt.Sprintf("name: c\ndatasets: [letter]\nsplit: {rule: random, train: 0.5, validation: 0.2, repeats: %d, seed: 1}\n"+
			"methods:\n  - {method: euclidean, name: euclidean-raw}\n  - {method: euclidean, name: euclidean-scaled, params: {features: zscore}}\n"+
			"  - method: rca\n  - method: lmnn\n  - method: lfda\n  - method: nca\n  - method: itml\n", repeats)
		p := fixture.Must(plan.New(t.Context(), testkit.Parse(t, spec), plan.NewSource(t.TempDir())))(t)
		source := plan.NewSource(t.TempDir())
		took, less, rates := map[string]time.Duration{}, map[string]time.Duration{}, cost.Nominal(p)
		for i, c := range p.Spec.Columns {
			for _, row := range p.Splits {
				j := row.Jobs[i][0]
				took[c.ID] += time.Duration(1e9 * rates.Seconds(j, source))
				rule := *j.Rule
				rule.MaxTrain, j.Rule = Subsample, &rule
				less[c.ID] += time.Duration(1e9 * rates.Seconds(j, source))
			}
		}
		spent := took[Raw] + took[Scaled]
		limit := max(30*time.Second, min(20*spent, 5*time.Minute))
		limits[limit] = true
		order := []string{"rca", "lmnn", "lfda", "nca", "itml"}
		slices.SortStableFunc(order, func(a, b string) int { return cmp.Compare(took[a], took[b]) })
		for _, control := range []string{Scaled, order[len(order)-1]} {
			c, all, sum := Choose(p, source, control, false), Choose(p, source, control, true), spent
			for _, id := range order {
				sum += took[id]
				at := slices.IndexFunc(c.LeftOut, func(one LeftOut) bool { return one.Method == id })
				if kept := sum <= limit || id == control; kept != slices.Contains(c.Methods, id) || kept != (at < 0) {
					t.Errorf("%d repeats: %s takes it to %v of %v, kept %v, left out %v", repeats, id, sum, limit, c.Methods, c.LeftOut)
				} else if at >= 0 && (c.LeftOut[at].Less > 0) != (less[id] < took[id]/2) {
					t.Errorf("%s takes %v, and %v with a sample; told %+v", id, took[id], less[id], c.LeftOut[at])
				}
			}
			fixture.Equal(t, "methods with all", len(all.Methods), len(order))
			sampled := time.Duration(0)
			for _, id := range order {
				if sampled += took[id]; less[id] < took[id]/2 {
					sampled += less[id] - took[id]
				}
			}
			fixture.Near(t, "all, with a sample where that is less than half", all.Less.Seconds(), sampled.Seconds(), 1e-6)
			fixture.Equal(t, "beyond", all.Beyond, all.Took > limit && all.Less < all.Took/2)
		}
		if repeats > 1 {
			continue
		}
		e := datasets.OwnDataSet("letter", datasets.Own{}) // of which no machine has the memory for some methods
		e.Features, e.Labels, e.Histogram = 1e7, []string{"u", "v"}, []int{1e3, 1e3}
		for _, row := range p.Splits {
			for i := range row.Jobs {
				row.Jobs[i][0].Dataset = &e
			}
		}
		c := Choose(p, source, Scaled, true)
		for _, id := range order {
			at := slices.IndexFunc(c.LeftOut, func(one LeftOut) bool { return one.Method == id })
			if slices.Contains(c.Methods, id) == (at >= 0) || at >= 0 && !strings.Contains(c.LeftOut[at].Reason, "of memory") {
				t.Errorf("%s: compared %v, left out %v", id, c.Methods, c.LeftOut)
			}
		}
		if len(c.LeftOut) == 0 {
			t.Error("no method is left out")
		}
	}
	if !limits[5*time.Minute] || len(limits) < 2 {
		t.Errorf("limits %v, want the most among several", limits)
	}
}

// TestVoid: as many training rows as neighbors are enough, and the k that is advised is the largest odd number of them.
func TestVoid(t *testing.T) {
	text := "a,y\n" + strings.Repeat("1,u\n2,v\n", 10)
	table := fixture.Must(tabular.Read(t.Context(), "x.csv", []byte(text), tabular.Layout{Label: tabular.ColumnRef{Name: tabular.Last}}))(t)
	e := datasets.DataSet{Labels: []string{"u", "v"}, Histogram: []int{10, 10}}
	rule := datasets.Rule{Kind: "random", Train: 0.5}
	fixture.Check(t, Void(table, e, rule, 5))
	fixture.Says(t, Void(table, e, rule, 6), "no class has more than 5 training rows", "--neighbors 5")
	for rows := 1; rows < 9; rows++ {
		e.Histogram = []int{2 * rows, 2}
		fixture.Says(t, Void(table, e, rule, 10), fmt.Sprintf("--neighbors %d,", 2*((rows+1)/2)-1))
	}
}

// TestSpecNames: several files are counted in the name, and a control that is a method is compared.
func TestSpecNames(t *testing.T) {
	o := Inputs{Files: []File{{ID: "one", Path: "one.csv"}}, Methods: []string{"rca"}, Against: "lfda", Splits: 2, Train: 0.5, Validation: 0.2, Neighbors: 5}
	fixture.Has(t, "spec", fixture.Must(Spec(o))(t), "name: compare-one\n", "method: rca", "method: lfda")
	o.Files = append(o.Files, File{ID: "two", Path: "two.csv"})
	fixture.Has(t, "spec", fixture.Must(Spec(o))(t), "name: compare-one-and-1-more\n")
}
