package table_test

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp/cmpopts"

	"r2lmlbench/experiments/spec"
	"r2lmlbench/internal/fixture"
	"r2lmlbench/internal/testkit"
	"r2lmlbench/results"
	"r2lmlbench/results/table"
	"r2lmlbench/stats"
)

var twoColumns = []table.Column{{ID: "a", Name: "A"}, {ID: "b", Name: "B"}}

// sleepDifferences are those of R's data set sleep (Student 1908), here thousandths of a
// test set.
var sleepDifferences = []int{12, 24, 13, 13, 0, 10, 18, 8, 46, 14}

func sleepRows() []table.RowInput {
	var rows []table.RowInput
	for i, d := range sleepDifferences {
		rows = append(rows, splitOf(string(rune('a'+i)), 1000, []results.Cell{cellOf(1, 500+d, 1000)}, []results.Cell{cellOf(1, 500, 1000)}))
	}
	return rows
}

// cellOf makes a cell with so many right answers of n.
func cellOf(seed uint64, correct, n int) results.Cell {
	return fixture.NewCell("made", "made", correct, n, seed)
}

// chosen makes the cell one of two settings, of which the chosen one had so many right
// validation samples of n.
func chosen(c results.Cell, right, n int) results.Cell {
	c.Settings = []results.Setting{{}, {Restart: 1}}
	c.Chosen, c.Validation = 1, &results.Profile{N: n, Correct: []int{0, right}}
	return c
}

// splitOf makes a row of a table from the cells of every column, with twice as many
// training as test samples.
func splitOf(dataset string, n int, columns ...[]results.Cell) table.RowInput {
	r := table.RowInput{Dataset: dataset, Name: dataset, N: n, Train: 2 * n}
	for _, cells := range columns {
		r.Cells = append(r.Cells, table.CellInput{Cells: cells})
	}
	return r
}

func tableOf(columns []table.Column, rows []table.RowInput) table.Table {
	return table.New(table.Experiment{Columns: columns, Alpha: 0.05}, rows)
}

func TestContrast(t *testing.T) {
	ab, ba := spec.Pairing{Name: "x", A: []string{"a"}, B: []string{"b"}}, spec.Pairing{Name: "y", A: []string{"b"}, B: []string{"a"}}
	c := table.NewComparisons([]spec.Pairing{ab, ba}, tableOf(twoColumns, sleepRows()))[0]
	for _, x := range []struct {
		what      string
		got, want float64
	}{
		{"mean", c.Mean, 1.58},                  // R: mean(d)
		{"low", c.MeanRange.Low, 0.7001142},     // R: t.test(d)$conf.int
		{"high", c.MeanRange.High, 2.4598858},   // the same
		{"detectable", c.Detectable, 0.8798858}, // half of its width
		{"median", c.Median, 1.3},               // R: median(d)
		{"median low", c.MedianRange.Low, 0.8},  // the second smallest of 10
		{"median high", c.MedianRange.High, 2.4},
		{"p", c.P, 0.00390625},      // 2/2⁹: nine differences that are not 0, all positive
		{"Holm", c.Holm, 0.0078125}, // two contrasts of the same p
		{"wins", float64(c.Wins), 9}, {"ties", float64(c.Ties), 1}, {"losses", float64(c.Losses), 0},
		{"above", float64(c.Above), 7}, {"within", float64(c.Within), 3}, {"below", float64(c.Below), 0}, // 1.0 is within
	} {
		fixture.Near(t, x.what, x.got, x.want, 1e-6)
	}
	if sum := c.Better + c.Equivalent + c.Less; math.Abs(sum-1) > 1e-9 || c.Better < 0.5 || c.Less > 0.01 {
		t.Errorf("posterior %v, %v, %v", c.Better, c.Equivalent, c.Less)
	}
	fixture.Has(t, "JSON", string(fixture.Must(json.Marshal(c))(t)), `"difference":"4.60","sd":"-"`)
	if len(c.Sets) != 10 || c.Sets[8].Points != 4.6 || !math.IsNaN(c.Sets[0].P) || !math.IsNaN(c.Sets[0].SD) {
		t.Errorf("by set %+v", c.Sets)
	}
}

// TestEquivalent: sides that differ by half a point on every data set are equivalent, which is within a point.
func TestEquivalent(t *testing.T) {
	var rows []table.RowInput
	for i := range 10 {
		rows = append(rows, splitOf(string(rune('a'+i)), 1000, []results.Cell{cellOf(1, 505, 1000)}, []results.Cell{cellOf(1, 500, 1000)}))
	}
	c := table.NewComparisons([]spec.Pairing{{A: []string{"a"}, B: []string{"b"}}}, tableOf(twoColumns, rows))[0]
	fixture.Near(t, "probability", c.Equivalent, 1, 0.01)
}

// Swapping a and b negates every difference, whatever cells there are.
func TestContrastIsAntisymmetric(t *testing.T) {
	for n := range 15 {
		draw := rand.New(rand.NewPCG(1, uint64(n)))
		var rows []table.RowInput
		for i := range 1 + draw.IntN(12) {
			for range 1 + draw.IntN(3) {
				var sides [2][]results.Cell
				for side := range sides {
					for seed := range draw.IntN(3) {
						sides[side] = append(sides[side], cellOf(uint64(seed+1), draw.IntN(51), 50))
					}
				}
				rows = append(rows, splitOf(string(rune('a'+i)), 50, sides[0], sides[1]))
			}
		}
		pair := []string{spec.PairSplit, spec.PairSeed}[n%2]
		both := []spec.Pairing{{A: []string{"a"}, B: []string{"b"}, Pair: pair}, {A: []string{"b"}, B: []string{"a"}, Pair: pair}}
		made := table.NewComparisons(both, tableOf(twoColumns, rows))
		x, y := made[0], made[1]
		fixture.Same(t, "mean, median, their lower ends, p, Holm's p, share that is better",
			[]float64{x.Mean, x.Median, x.MeanRange.Low, x.MedianRange.Low, x.P, x.Holm, x.Better},
			[]float64{-y.Mean, -y.Median, -y.MeanRange.High, -y.MedianRange.High, y.P, y.Holm, y.Less},
			cmpopts.EquateApprox(0, 1e-9), cmpopts.EquateNaNs())
		fixture.Equal(t, "counts", [5]int{x.Wins, x.Ties, x.Above, x.Within, len(x.Sets)}, [5]int{y.Losses, y.Ties, y.Below, y.Within, len(y.Sets)})
		fixture.Equal(t, "sums of the counts", [2]int{x.Wins + x.Ties + x.Losses, x.Above + x.Within + x.Below}, [2]int{len(x.Sets), len(x.Sets)})
	}
}

// Of a list the column with more right validation samples counts, the first of equal
// ones, and a split where one of them has no result does not.
func TestContrastPicksOnValidation(t *testing.T) {
	columns := []table.Column{{ID: "a"}, {ID: "b"}, {ID: "c"}}
	cell := func(correct, right int) []results.Cell {
		return []results.Cell{chosen(cellOf(1, correct, 100), right, 20)}
	}
	rows := []table.RowInput{
		splitOf("x", 100, cell(60, 10), cell(70, 11), cell(50, 20)), // b: 20 points
		splitOf("x", 100, cell(60, 10), cell(70, 10), cell(50, 0)),  // a: 10
		splitOf("x", 100, cell(60, 10), nil, cell(50, 0)),           // not known
	}
	c := table.NewComparisons([]spec.Pairing{{A: []string{"a", "b"}, B: []string{"c"}}}, tableOf(columns, rows))[0]
	if len(c.Sets) != 1 || c.Sets[0].Points != 15 || c.Sets[0].Pairs != 2 || c.SettingsA != 4 || c.SettingsB != 2 {
		t.Errorf("%+v", c)
	}
	fixture.Equal(t, "p", c.Sets[0].P, stats.ResampledT([]float64{20, 10}, 400, 200, 1).P)
	kappa := splitOf("x", 100, cell(60, 10), cell(70, 11), cell(50, 20)) // by which a is the better one
	kappa.Cells[0].Cells[0].Validation.Scores, kappa.Cells[1].Cells[0].Validation.Scores = []string{"0", "1/2"}, []string{"0", "1/4"}
	byKappa := table.NewComparisons([]spec.Pairing{{A: []string{"a", "b"}, B: []string{"c"}}}, tableOf(columns, []table.RowInput{kappa}))[0]
	fixture.Equal(t, "points by the metric of select", byKappa.Mean, 10)
	kappa.Cells[0].Cells[0].Select = results.Kappa // and b by accuracy, so that both are compared by accuracy
	byBoth := table.NewComparisons([]spec.Pairing{{A: []string{"a", "b"}, B: []string{"c"}}}, tableOf(columns, []table.RowInput{kappa}))[0]
	fixture.Equal(t, "points where metrics of select differ", byBoth.Mean, 20)
	unknown := []spec.Pairing{{A: []string{"a"}, B: []string{"nowhere"}}}
	if c := table.NewComparisons(unknown, tableOf(columns, rows))[0]; len(c.Sets) != 0 || len(c.Without) != 1 || !math.IsNaN(c.P) {
		t.Errorf("without a column: %+v", c)
	}
}

// Seeds are subtracted one by one, or as means, which only matters when a side has more.
func TestContrastPairs(t *testing.T) {
	a := []results.Cell{cellOf(1, 60, 100), cellOf(2, 80, 100)}
	rows := []table.RowInput{splitOf("x", 100, a, []results.Cell{cellOf(1, 50, 100)})}
	for pair, want := range map[string]float64{spec.PairSplit: 20, spec.PairSeed: 10} {
		if c := table.NewComparisons([]spec.Pairing{{A: []string{"a"}, B: []string{"b"}, Pair: pair}}, tableOf(twoColumns, rows))[0]; c.Mean != want {
			t.Errorf("%s: %v, want %v", pair, c.Mean, want)
		}
	}
}

// Two samples of 7 on every split are a constant difference, however the seeds share them.
func TestContrastOfAConstantDifference(t *testing.T) {
	var rows []table.RowInput
	for i := range 6 {
		a := []results.Cell{cellOf(1, 1+i%2, 7), cellOf(2, 3-i%2, 7)}
		rows = append(rows, splitOf("x", 7, a, []results.Cell{cellOf(1, 0, 7), cellOf(2, 0, 7)}))
	}
	for pair, step := range map[string]float64{spec.PairSplit: 100. / 7, spec.PairSeed: 50. / 7} {
		got := table.NewComparisons([]spec.Pairing{{A: []string{"a"}, B: []string{"b"}, Pair: pair}}, tableOf(twoColumns, rows))[0].Sets[0]
		want := stats.ResampledT(slices.Repeat([]float64{200. / 7}, 6), 6*14, 6*7, step)
		fixture.Near(t, pair+": t", got.T, want.T, 1e-6)
		fixture.Near(t, pair+": p", got.P, want.P, 1e-9)
	}
}

// One spec with the key contrast is all that a newcomer writes: its numbers are there, and
// agree with the ranked table.
func TestContrastOfANewSpec(t *testing.T) {
	p, cells := testkit.Stored(t, testkit.Parse(t, `
name: mine
datasets: [overlap30, "overlap30:2", "overlap60", "overlap60:2"]
methods:
  - {method: euclidean}
  - {method: rca, grid: {features: [raw, zscore]}}
  - {method: gmml, grid: {t: [0, 0.5]}}
contrast:
  - {name: learned, a: rca, b: euclidean, over: dataset}
  - {name: picked, a: [rca, gmml], b: euclidean, pair: seed}
`))
	ranked := fixture.Must(table.Of(p, cells))(t)
	contrasts := ranked.Contrasts
	if len(contrasts) != 2 {
		t.Fatalf("%d contrasts", len(contrasts))
	}
	sum := 0.0
	for i, r := range ranked.Rows {
		difference := 100 * float64(r.Cells[1].Correct-r.Cells[0].Correct) / float64(r.N)
		if got := contrasts[0].Sets[i]; got.Dataset != r.Dataset || got.Points-difference > 1e-9 || difference-got.Points > 1e-9 {
			t.Errorf("%s: %+v, the table has %v", r.Dataset, got, difference)
		}
		sum += difference / 4
	}
	numbers := contrasts[0].Numbers()
	if want := fmt.Sprintf("%.2f", sum); numbers["mean"] != want || numbers["sets"] != "4" || contrasts[1].SettingsA != 4 {
		t.Errorf("numbers %v, want the mean %s", numbers, want)
	}
	l := table.ComparisonListing(contrasts, ranked.Columns).Texts()
	if len(l) != 3 || l[1][0] != "learned" || !slices.Contains(l[1], numbers["mean"]) {
		t.Errorf("%+v", l)
	}
	narrowed := *p.Spec
	fixture.Check(t, narrowed.Narrow(nil, []string{"euclidean", "rca"}))
	less := testkit.PlanFor(t, &narrowed)
	ranked = fixture.Must(table.Of(less, cells))(t)
	fixture.Equal(t, "contrasts of a narrowed spec", len(ranked.Contrasts), 1)
}

// A stanza with the key only has no cells on other data sets, and its contrast leaves
// these out.
func TestContrastOfARestrictedMethod(t *testing.T) {
	p, cells := testkit.Stored(t, testkit.Parse(t, `
name: mine
datasets: [overlap30, overlap60]
methods: [{method: euclidean}, {method: rca, only: overlap60}]
contrast: {a: rca, b: euclidean}
`))
	ranked := fixture.Must(table.Of(p, cells))(t)
	left := ranked.Rows[0].Cells[1]
	if n := len(p.Jobs()); n != 3 || left.Status != table.StatusMissing || !strings.Contains(left.Reason, "leaves this data set out") {
		t.Errorf("%d jobs, %+v", n, left)
	}
	if all := ranked.Contrasts; all[0].Name != "rca-euclidean" || len(all[0].Sets) != 1 || len(all[0].Without) != 1 {
		t.Errorf("%+v", all)
	}
}
