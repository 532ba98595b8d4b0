package study

import (
	"math"
	"slices"
	"strings"
	"testing"

	"r2lmlbench/results"
	"r2lmlbench/results/study/studytest"
	"r2lmlbench/results/table"
)

// cellsOf returns the cells of a data set.
func cellsOf(t *testing.T, made table.Table, dataset string) []table.Cell {
	t.Helper()
	i := slices.IndexFunc(made.Rows, func(r table.Row) bool { return r.Dataset == dataset })
	if i < 0 {
		t.Fatalf("no row %s", dataset)
	}
	return made.Rows[i].Cells
}

// compare gives two columns a p-value on a data set.
func compare(t *testing.T, made table.Table, dataset string, a, b int, p float64) {
	t.Helper()
	for i := range made.Rows {
		if made.Rows[i].Dataset == dataset {
			made.Rows[i].Pairs = []table.Pair{{A: made.Columns[a].ID, B: made.Columns[b].ID, P: p}}
		}
	}
}

var (
	got     = studytest.Got
	missing = studytest.Missing
)

// A cell that is missing leaves a statement open unless another refutes it.
// Columns 0 to 2 are T-R2LML with K = 1 to 3, columns 3 to 5 E-R2LML.
func TestMetricsClaims(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(t *testing.T, made table.Table)
		want   []string
	}{
		{"a quarter", func(t *testing.T, made table.Table) {
			for _, id := range []string{"telescope", "winequality", "heart"} {
				for column := range 6 {
					cellsOf(t, made, id)[column] = got(50-column, 100)
				}
			}
		}, []string{"class-count: holds, 6 of 26"}},
		{"open", func(t *testing.T, made table.Table) {
			cellsOf(t, made, "usps")[4] = missing()
		}, []string{
			"class-count: cannot be told, 11 of 25, 1 missing", "best-with-two-e-r2lml: cannot be told, 1 of 1, 1 missing",
			"efficient-ahead: cannot be told, 10 of 12, 1 missing", "many-metrics: holds, 36 of 50", "prominent: cannot be told, 4 of 4, 1 missing",
		}},
		{"refuted though open", func(t *testing.T, made table.Table) {
			cellsOf(t, made, "usps")[4] = missing()
			cellsOf(t, made, "telescope")[5] = got(99, 100)
			compare(t, made, "telescope", 4, 5, 0.04)
		}, []string{"best-with-two-e-r2lml: does not hold, 0 of 1, 1 missing"}},
		{"not significantly", func(t *testing.T, made table.Table) {
			cellsOf(t, made, "telescope")[5] = got(71, 100)
			compare(t, made, "telescope", 4, 5, 0.06)
			compare(t, made, "ringnorm", 4, 5, 0.06)
		}, []string{"best-with-two-e-r2lml: cannot be told, 1 of 2", "monotone: cannot be told, 1 of 2"}},
		{"rising", func(t *testing.T, made table.Table) {
			compare(t, made, "ringnorm", 4, 5, 0.05)
		}, []string{"monotone: does not hold, 1 of 2"}},
		{"falling", func(t *testing.T, made table.Table) {
			cellsOf(t, made, "ringnorm")[5] = got(79, 100)
		}, []string{"monotone: holds, 2 of 2"}},
		{"half known", func(t *testing.T, made table.Table) {
			cellsOf(t, made, "ringnorm")[5] = studytest.Failed()
		}, []string{"monotone: cannot be told, 1 of 1, 1 missing"}},
		{"ahead", func(t *testing.T, made table.Table) {
			cellsOf(t, made, "isolet")[3] = got(71, 100)
			cellsOf(t, made, "wpbc")[4] = got(70, 100)
		}, []string{"efficient-ahead: holds, 13 of 13"}},
		{"ahead where it should not be", func(t *testing.T, made table.Table) {
			compare(t, made, "wpbc", 1, 4, 0.003) // 70 and 71; times 13 data sets
		}, []string{"efficient-ahead: does not hold, 11 of 13"}},
		{"ahead, but one of thirteen", func(t *testing.T, made table.Table) {
			compare(t, made, "wpbc", 1, 4, 0.004)
		}, []string{"efficient-ahead: cannot be told, 11 of 13"}},
		{"behind where it should not be", func(t *testing.T, made table.Table) {
			cellsOf(t, made, "glass")[0] = got(90, 100)
			compare(t, made, "glass", 5, 0, 0.003)
		}, []string{"efficient-ahead: does not hold, 10 of 13"}},
		{"one metric is best", func(t *testing.T, made table.Table) {
			for _, r := range made.Rows {
				r.Cells[0], r.Cells[3] = got(99, 100), got(99, 100)
			}
		}, []string{"many-metrics: does not hold, 0 of 52"}},
		{"as many may be worse as are better", func(t *testing.T, made table.Table) {
			for i := range 11 {
				made.Rows[i].Cells[1], made.Rows[i].Cells[4] = missing(), missing()
			}
		}, []string{"many-metrics: cannot be told, 7 of 8, 22 missing"}},
		{"worse whatever is open", func(t *testing.T, made table.Table) {
			for _, r := range made.Rows {
				r.Cells[0], r.Cells[3] = got(99, 100), got(99, 100)
			}
			made.Rows[0].Cells[1] = missing()
		}, []string{"many-metrics: does not hold, 0 of 50"}},
		{"four others gain more, one is open", func(t *testing.T, made table.Table) {
			for _, id := range []string{"glass", "isolet", "usps", "pendigits"} {
				cellsOf(t, made, id)[0] = got(0, 100)
			}
			cellsOf(t, made, "telescope")[0] = studytest.Failed()
		}, []string{"prominent: does not hold, 0 of 4, 1 missing"}},
		{"another gains more", func(t *testing.T, made table.Table) {
			cellsOf(t, made, "glass")[0] = got(0, 100)
		}, []string{"prominent: does not hold, 3 of 4"}},
		{"few data sets", func(_ *testing.T, made table.Table) {
			for i := 1; i < len(made.Rows); i++ {
				made.Rows[i] = table.Row{Dataset: "other"}
			}
		}, []string{"best-with-two-t-r2lml: cannot be told, 1 of 1, 18 missing"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			made := studytest.Metrics()
			c.change(t, made)
			m, err := ReadMetrics(made, studytest.Classes)
			if err != nil {
				t.Fatal(err)
			}
			expect(t, m.Claims(), c.want...)
		})
	}
}

func TestMetricsDetails(t *testing.T) {
	made := studytest.Metrics()
	cellsOf(t, made, "telescope")[5] = got(71, 100)
	compare(t, made, "telescope", 4, 5, 0.06)
	m, err := ReadMetrics(made, studytest.Classes)
	if err != nil {
		t.Fatal(err)
	}
	b := m.BestWithTwo(Efficient)
	if len(b.Yes) != 1 || b.Yes[0].Set.Name != "USPS" || len(b.Near) != 1 || !slices.Equal(b.Near[0].Best(), []int{3}) || len(b.No) != 0 {
		t.Errorf("%+v", b)
	}
	a := m.EfficientAhead()
	if a.Compared() != 13 || len(a.Against) != 0 || names(a.Ties) != "Isolet" || a.Agreeing != 10 || names(a.Losses) != "Ionosphere, Breast Tissue and Heart" {
		t.Errorf("%+v", a)
	}
	if o := names(m.OutOfRange()); !strings.Contains(o, "Isolet") || strings.Contains(o, "Glass") {
		t.Errorf("%s", o)
	}
	if top := m.Prominent().Top(); len(top) != 4 || top[0].Set.Name != "Telescope" || top[1].Set.Name != "WPBC" || top[1].Points != 41 || top[3].Points != 31 {
		t.Errorf("%+v", top)
	}
	if c := m.Curve("nowhere", Efficient); c.Complete() || len(c.Cells) != 3 || c.Set.Name != "nowhere" {
		t.Errorf("%+v", c)
	}
}

// Every seed counts: only ranges that do not overlap tell the variants apart.
func TestCollapseClaims(t *testing.T) {
	made := studytest.Variants()
	heart := cellsOf(t, made, "heart")
	for column, s := range map[int]table.Spread{
		1: {Runs: 2, Min: "60.00", Max: "80.00"}, 4: {Runs: 2, Min: "50.00", Max: "59.99"}, // K = 2: below
		2: {Runs: 3, Min: "60.00", Max: "80.00"}, 5: {Runs: 3, Min: "9.00", Max: "60.00"}, // K = 3: neither
		0: {Runs: 2, Min: "60.00", Max: "80.00"}, 3: {Runs: 2, Min: "50.00", Max: "59.99"}, // K = 1: not asked
		7: {Runs: 2, Min: "60.00", Max: "80.00"}, 10: {Runs: 1, Min: "90.00", Max: "90.00"}, // one seed
	} {
		heart[column].Spread = &s
	}
	c, err := ReadCollapse(made)
	if err != nil {
		t.Fatal(err)
	}
	expect(t, c.Claims(), "published-lower-all-seeds: counted, 1 of 2", "published-lower: counted, 6 of 8")
	n := c.Several()
	if n.Equal != 1 || n.Higher != 1 || math.Abs(n.Mean-365.0/12) > 1e-12 {
		t.Errorf("%+v", n)
	}
	if n.Least.Difference() != 27.5 || n.Least.Set.Name != "Heart" || n.Most.Difference() != 32.5 || n.Most.Method != Transductive {
		t.Errorf("%+v", n)
	}
	if v := c.Vertices(Published); v.Fits != 8 || v.Low.Count != 50 || v.High.Count != 60 {
		t.Errorf("%+v", v)
	}
	for _, r := range made.Rows {
		for j := range r.Cells {
			if made.Columns[j].Swept["variant"] == Published {
				r.Cells[j] = got(r.N, r.N)
			}
		}
	}
	if c, err = ReadCollapse(made); err != nil {
		t.Fatal(err)
	}
	expect(t, c.Claims(), "published-lower: counted, 0 of 8", "published-constant: counted, 4 of 4", "vertices-published: counted, 0 of 0")
	if n := c.Several(); n.Higher != 8 || !math.IsNaN(n.Mean) {
		t.Errorf("%+v", n)
	}
}

func TestLambdaClaims(t *testing.T) {
	made := studytest.Lambda()
	for _, id := range []string{"overlap30", "overlap30:2"} {
		cellsOf(t, made, id)[2] = got(320, 320) // printed: 0.534
		cellsOf(t, made, id)[3] = missing()
	}
	cellsOf(t, made, "overlap60")[2] = got(300, 320) // no facts
	cellsOf(t, made, "overlap60:2")[3] = got(290, 320, studytest.ZeroFacts(0, 29, 60)...)
	l, err := ReadLambda(made)
	if err != nil {
		t.Fatal(err)
	}
	expect(t, l.Claims(),
		"overlap30-printed: does not hold, 1 of 2, 2 missing",
		"overlap60-sparsity-1000-1e-06: cannot be told, 1 of 1, 1 missing", "overlap60-sparsity-1000-0.001: cannot be told, 1 of 1, 1 missing",
		"overlap60-sparsity-10000-1e-06: does not hold, 1 of 2", "overlap60-sparsity-10000-0.001: does not hold, 0 of 2")
	if f := l.Families[0]; f.Missing != 2 || f.Found != 6 || f.Settings[2].Mean() != 1 || f.Settings[2].SD() != 0 {
		t.Errorf("%+v", f)
	}
	if _, _, ok := l.Families[0].Best(); ok {
		t.Error("the best of settings with different draws")
	}
	if best, none, ok := l.Families[1].Best(); !ok || l.Families[1].Settings[best].Lambda != 1000 || none != 0 {
		t.Errorf("best %d, none %d, %v", best, none, ok)
	}
	made.Columns[0], made.Columns[3] = made.Columns[3], made.Columns[0]
	if l, err = ReadLambda(made); err != nil || l.Families[0].Settings[0].Lambda != 0 || l.Families[0].Settings[3].Lambda != 1e4 {
		t.Errorf("not by λ: %+v, %v", l.Families[0], err)
	}
}

func TestTriangleClaims(t *testing.T) {
	made := studytest.Triangle()
	cells := made.Rows[0].Cells
	cells[0] = got(90, 100, results.Fact{Name: triangleFact, Count: 1, Of: 1000000})
	for _, j := range []int{2, 3, 5} {
		cells[j] = missing()
	}
	r, err := ReadTriangle(made)
	if err != nil {
		t.Fatal(err)
	}
	expect(t, r.Claims(), "triangle-reference: does not hold, 1 of 3000000", "triangle-published: cannot be told, 0 of 0, 3 missing")
	if k := r.Kept(Reference); k.Fits != 3 || k.Violated != 1 || k.Worst.Count != 1 {
		t.Errorf("%+v", k)
	}
}

func TestToyClaims(t *testing.T) {
	made := studytest.Toy()
	cells := &made.Rows[0].Cells
	(*cells)[1] = (*cells)[2] // the global metric as good as the local ones
	same, err := ReadToy(made)
	if err != nil {
		t.Fatal(err)
	}
	expect(t, same.Claims(), "toy-nearest-published: cannot be told, 0 of 1", "toy-nearest-reference: cannot be told, 0 of 0, 2 missing")
	made = studytest.Toy()
	made.Columns = append(made.Columns, studytest.Swept(Efficient, "variant", Published, "metrics", "3"))
	cells = &made.Rows[0].Cells
	*cells = append(*cells, (*cells)[2])
	(*cells)[2] = (*cells)[1]
	three, err := ReadToy(made)
	if err != nil {
		t.Fatal(err)
	}
	if n := three.Sets[0].Nearest(Published); n.Verdict != Holds || !slices.Equal(n.Better, []int{3}) || !n.TwoMissed() {
		t.Errorf("%+v", n)
	}
	(*cells)[2] = missing()
	if three, err = ReadToy(made); err != nil {
		t.Fatal(err)
	}
	if n := three.Sets[0].Nearest(Published); n.Verdict != Holds || n.TwoMissed() || n.Missing != 1 {
		t.Errorf("%+v", n)
	}
}

func TestToyPlaces(t *testing.T) {
	toy, err := ReadToy(studytest.Toy())
	if err != nil {
		t.Fatal(err)
	}
	none, global, local := toy.Sets[0].Figure()
	if none.Metrics != 0 || global.Metrics != 1 || local.Metrics != 2 || local.Variant != Published || local.Nearest.Count != 4 {
		t.Errorf("%+v, %+v, %+v", none, global, local)
	}
	if len(none.Features) != 2 || len(none.Maps) != 0 || len(none.Embedding) != 1 || !math.IsNaN(none.Lost) {
		t.Errorf("%+v", none.Places)
	}
	if len(local.Maps) != 2 || local.Maps[1][0][0] != 3 || local.Maps[1][1][1] != -4 {
		t.Errorf("%+v", local.Maps)
	}
	if len(local.Coefficients) != 2 || local.Coefficients[0][1] != 1 || local.Lost != 0.0123456 {
		t.Errorf("%+v", local.Places)
	}
	if o := toy.Sets[0].Original(); !slices.Equal(o.Features[1], []float64{-1, 1, 1, -1}) || !slices.Equal(o.Labels, []float64{1, 1, 2, 2}) {
		t.Errorf("%+v", o)
	}
}

func TestConvergenceClaims(t *testing.T) {
	made := studytest.Convergence()
	made.Columns = made.Columns[:1]
	for i := range made.Rows {
		made.Rows[i].Cells = []table.Cell{studytest.Traced(6, false)} // nothing raised, R² = 0.91
	}
	c, err := ReadConvergence(made)
	if err != nil {
		t.Fatal(err)
	}
	expect(t, c.Claims(), "theorem-2-published: cannot be told, 0 of 0", "theorem-2-reference: holds, 2 of 2",
		"theorem-1-runs: counted, 4 of 4", "theorem-1-single: counted, 28 of 60")
	if f := c.Falling(Reference); f.Runs != (Total{4, 4}) || f.Blocks != [blocks]Total{{0, 4}, {0, 4}, {}} {
		t.Errorf("%+v", f)
	}
	d := c.Sets[0].Descents[0][1]
	if d.Mode != WithoutMomentum || d.Start != 1006 || !slices.Equal(d.Best, []float64{900, 800, 690}) || d.Rate.R2 != 0.91 {
		t.Errorf("%+v", d)
	}
	if d.Blocks[2] != nil || len(d.Rising()) != 0 {
		t.Errorf("%+v", d)
	}
	made.Rows[1].Cells[0] = missing()
	if c, err = ReadConvergence(made); err != nil {
		t.Fatal(err)
	}
	expect(t, c.Claims(), "theorem-2-reference: cannot be told, 1 of 1, 1 missing")
}
