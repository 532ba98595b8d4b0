package study

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"r2lmlbench/results"
	"r2lmlbench/results/study/studytest"
	"r2lmlbench/results/table"
)

// listed fails unless a listing has the row, as its fields joined by bars begin.
func listed(t *testing.T, l table.Listing, row string) {
	t.Helper()
	if !slices.ContainsFunc(l.Rows, func(fields []string) bool { return strings.HasPrefix(strings.Join(fields, "|"), row) }) {
		t.Errorf("%s: %q is not in %q", l.Title, row, l.Rows)
	}
}

// gains writes the largest gains as "Name 12.00".
func gains(p Prominent) string {
	var all []string
	for _, g := range p.Top() {
		all = append(all, fmt.Sprintf("%s %.2f", g.Set.Name, g.Points))
	}
	return strings.Join(all, ", ")
}

func TestMetricsNumbers(t *testing.T) {
	for _, c := range []struct {
		name        string
		change      func(made *table.Table)
		many, gains string
	}{
		{"open", func(made *table.Table) { cellsOf(t, *made, "usps")[4] = missing() },
			"36 of 50, 19 of 25", "WPBC 41.00, Telescope 39.00, Heart 39.00, Ionosphere 31.00"},
		{"one metric is best", func(made *table.Table) {
			for _, r := range made.Rows {
				r.Cells[0], r.Cells[3] = got(99, 100), got(99, 100)
			}
		}, "0 of 52, 0 of 26", "Pendigits -46.00, Wine Quality -49.00, Two Norm -49.00, Ring Norm -53.00"},
		{"four others gain more", func(made *table.Table) {
			for _, id := range []string{"glass", "isolet", "usps", "pendigits"} {
				cellsOf(t, *made, id)[0] = got(0, 100)
			}
			cellsOf(t, *made, "telescope")[0] = studytest.Failed()
		}, "35 of 50, 19 of 25", "Pendigits 72.00, USPS 71.00, Isolet 69.00, Glass 65.00"},
		{"another gains more", func(made *table.Table) { cellsOf(t, *made, "glass")[0] = got(0, 100) },
			"37 of 52, 20 of 26", "Glass 65.00, WPBC 41.00, Telescope 39.00, Heart 39.00"},
		{"one data set", func(made *table.Table) { made.Rows = made.Rows[:1] },
			"4 of 4, 2 of 2", "Pendigits 12.00"},
	} {
		t.Run(c.name, func(t *testing.T) {
			made := studytest.Metrics()
			c.change(&made)
			m, err := ReadMetrics(made, studytest.Classes)
			if err != nil {
				t.Fatal(err)
			}
			n := m.ManyMetrics()
			if got := fmt.Sprintf("%d of %d, %d of %d", n.Better, n.Settings, n.BestBetter, n.Curves); got != c.many {
				t.Errorf("better with several: %s, want %s", got, c.many)
			}
			if got := gains(m.Prominent()); got != c.gains {
				t.Errorf("%s, want %s", got, c.gains)
			}
		})
	}
}

// A data set that the paper speaks of and the table does not have is missing, and
// without numbers of classes there are no cases.
func TestMetricsOfOneDataset(t *testing.T) {
	made := studytest.Metrics()
	made.Rows = made.Rows[:1] // Pendigits
	m, err := ReadMetrics(made, nil)
	if err != nil {
		t.Fatal(err)
	}
	expect(t, m.Claims(), "class-count: cannot be told, 0 of 0", "best-with-two-t-r2lml: cannot be told, 1 of 1, 18 missing",
		"best-with-two-e-r2lml: cannot be told, 0 of 0, 6 missing", "monotone: cannot be told, 0 of 0, 6 missing",
		"efficient-ahead: cannot be told, 1 of 1, 30 missing", "many-metrics: holds, 4 of 4", "prominent: cannot be told, 0 of 1, 24 missing")
	if len(m.OutOfRange()) > 0 {
		t.Errorf("%v: a range without classes", m.OutOfRange())
	}
	listed(t, m.Listings()[0], "Pendigits|E-R2LML|-|80.00|")
}

func TestCollapseNumbers(t *testing.T) {
	made := studytest.Variants()
	for _, r := range made.Rows {
		for j := range r.Cells {
			if made.Columns[j].Swept["variant"] == Published {
				r.Cells[j] = got(r.N, r.N)
			}
		}
	}
	c, err := ReadCollapse(made)
	if err != nil {
		t.Fatal(err)
	}
	if n := c.Several(); n.Pairs != 8 || n.Lower != 0 || n.Equal != 0 || n.Higher != 8 {
		t.Errorf("several: %+v", n)
	}
	if n := c.Single(); n.Pairs != 4 || n.Lower != 0 || n.Higher != 4 {
		t.Errorf("single: %+v", n)
	}
	if o := c.Constancies()[0]; o.Set.Name != "Heart" || o.Method != Efficient || o.Low.Accuracy != "100.00" ||
		o.High.Accuracy != "100.00" || o.Vertices.Fits != 0 || !o.Same() {
		t.Errorf("%+v", o)
	}
}

func TestLambdaNumbers(t *testing.T) {
	made := studytest.Lambda()
	for _, id := range []string{"overlap30", "overlap30:2"} {
		cellsOf(t, made, id)[2] = got(320, 320) // printed: 0.534
	}
	cellsOf(t, made, "overlap60")[2] = got(300, 320) // no facts
	l, err := ReadLambda(made)
	if err != nil {
		t.Fatal(err)
	}
	listed(t, l.Families[0].Accuracies(), "1000|2|1.000|0.000|1.000|1.000|0.534")
	listed(t, l.Families[1].Zeros(), "1000|29.0|") // of the one draw that has facts
	if judged, outside := l.Families[0].Outside(); len(judged) != 2 || len(outside) != 1 || outside[0].Lambda != 1000 {
		t.Errorf("%d judged, %+v outside", len(judged), outside)
	}
}

func TestTriangleNumbers(t *testing.T) {
	made := studytest.Triangle()
	made.Rows[0].Cells[0] = got(90, 100, results.Fact{Name: triangleFact, Count: 1, Of: 1000000})
	r, err := ReadTriangle(made)
	if err != nil {
		t.Fatal(err)
	}
	listed(t, r.Listings()[0], "Pendigits|E-R2LML|reference|1|1|1000000|0.0001")
	if k := r.Kept(Reference); k.Worst.Of != 1000000 || k.Triples != (Total{1, 3000000}) {
		t.Errorf("%+v", k)
	}
}
