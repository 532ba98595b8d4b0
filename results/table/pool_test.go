package table_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"gonum.org/v1/gonum/stat"
	"pgregory.net/rapid"

	"r2lmlbench/internal/document"
	"r2lmlbench/internal/fixture"
	. "r2lmlbench/internal/testkit"
	"r2lmlbench/results"
	. "r2lmlbench/results/table"
	"r2lmlbench/stats"
)

// splitRow is one split of a data set on which the columns have so many of n right; a
// negative number stands for a missing cell.
func splitRow(dataset, split string, train, n int, right ...int) RowInput {
	in := RowInput{Dataset: dataset, Name: dataset, Split: split, Repeat: 1, Train: train, N: n, Unlike: true}
	for i, correct := range right {
		if correct < 0 {
			in.Cells = append(in.Cells, CellInput{Status: StatusMissing, Reason: "not computed yet"})
			continue
		}
		in.Cells = append(in.Cells, InputOf(fixture.NewCell(dataset, poolColumns[i].ID, correct, n, uint64(i))))
	}
	return in
}

const correctedT = "corrected-resampled-t"

var poolColumns = []Column{{ID: "a", Method: "a", Name: "A"}, {ID: "b", Method: "b", Name: "B"}, {ID: "c", Method: "c", Name: "C"}}

func pooled(t rapid.TB, rows ...RowInput) Table {
	t.Helper()
	return New(AccuracySpec(poolColumns...), rows).Pooled()
}

// folds are five folds of a data set with 200 training and 50 test samples, on which A
// is 30, 34, 32, 36 and 28 points better than B, and C like B.
func folds(dataset string) []RowInput {
	var rows []RowInput
	for i, gain := range []int{15, 17, 16, 18, 14} {
		rows = append(rows, splitRow(dataset, fmt.Sprintf("cv folds=5 seed=1 repeat=1 fold=%d", i+1), 200, 50, 10+gain, 10, 10))
	}
	return rows
}

func TestPooledRow(t *testing.T) {
	table := pooled(t, folds("x")...)
	if len(table.Rows) != 1 {
		t.Fatalf("%d rows, want 1", len(table.Rows))
	}
	row := table.Rows[0]
	if p := *row.Pool; row.N != 250 || row.Split != "cv folds=5 seed=1" || p.Splits != 5 || p.Train != 1000 || p.Test != correctedT || p.Sizes != nil {
		t.Errorf("row %q of %d samples, pool %+v", row.Split, row.N, row.Pool)
	}
	// A has 25, 27, 26, 28 and 24 of 50 right.
	for i, want := range []string{"130 52.00 1 true a", "50 20.00 2 false b", "50 20.00 2 false b"} {
		c := row.Cells[i]
		fixture.Equal(t, c.Method, fmt.Sprintf("%d %s %d %v %s", c.Correct, c.Accuracy, c.Rank, c.Best, c.Letters), want)
	}
	fixture.Same(t, "A: spread", row.Cells[0].Spread, &Spread{Runs: 5, Mean: "52.00", SD: "3.16", Min: "48.00", Max: "56.00"})
	// scipy 1.10.1: d = [30, 34, 32, 36, 28]; s = sqrt((1/5 + 50/200) * var(d, ddof=1)), t = mean(d) / s,
	// p = 2*scipy.stats.t.sf(t, 4), and mean(d) ∓ scipy.stats.t.ppf(0.975, 4) * s
	for i, want := range []string{
		`"a","b":"b","splits":5,"difference":"32.00","sd":"3.16","min":"28.00","max":"36.00",` +
			`"test":{"t":15.0849,"df":4,"p":0.000112553,"p_holm":0.00033766,"family":3,"significant":true,"interval":["26.11","37.89"]}}`,
		`"a","b":"c","splits":5,"difference":"32.00","sd":"3.16","min":"28.00","max":"36.00",` +
			`"test":{"t":15.0849,"df":4,"p":0.000112553,"p_holm":0.00033766,"family":3,"significant":true,"interval":["26.11","37.89"]}}`,
		`"b","b":"c","splits":5,"difference":"0.00","sd":"0.00","min":"0.00","max":"0.00",` +
			`"test":{"t":0,"df":4,"p":1,"p_holm":1,"family":3,"significant":false,"interval":["0.00","0.00"]}}`,
	} {
		fixture.Equal(t, "contrast", string(fixture.Must(json.Marshal(row.Contrasts[i:i+1]))(t)), `[{"a":`+want+"]")
	}
	if len(row.Pairs) > 0 || table.Across != nil {
		t.Errorf("McNemar's pairs %v, comparison over data sets %v", row.Pairs, table.Across)
	}
}

// A row of one split, and rows that differ in more than the draw, stay as they are.
func TestPooledLeavesSingleSplits(t *testing.T) {
	rows := []RowInput{
		splitRow("x", "random seed=1 repeat=1", 10, 30, 20, 10, 5),
		splitRow("y", "authors", 10, 30, 20, 10, 5),
		splitRow("y", "authors codes=alphabet", 10, 30, 21, 10, 5),
	}
	spec := AccuracySpec(poolColumns...)
	fixture.Same(t, "the pooled table", pooled(t, rows...), New(spec, rows), cmp.Exporter(func(reflect.Type) bool { return true }), cmpopts.EquateNaNs())
}

// With more test than training samples, or an unknown number of these, there is no test
// and no rank, and the notes say why.
func TestPooledWithoutTest(t *testing.T) {
	for name, c := range map[string]struct {
		train  int
		tested bool
		says   string
	}{
		"as many": {50, true, "Test samples for one training sample: x 1.00."},
		"more":    {49, false, "more test than training samples; test samples for one training sample: x 1.02. McNemar's test is for one split."},
		"unknown": {0, false, "the number of training samples is not known: x"},
	} {
		t.Run(name, func(t *testing.T) {
			rows := folds("x")
			for i := range rows {
				rows[i].Train = c.train
			}
			table := pooled(t, rows...)
			row := table.Rows[0]
			if (row.Pool.Test == correctedT) != c.tested || (row.Pool.Reason == "") != c.tested {
				t.Errorf("pool %+v", row.Pool)
			}
			for _, cell := range row.Cells {
				if (cell.Rank > 0) != c.tested || (cell.Letters != "") != c.tested || cell.Best && !c.tested {
					t.Errorf("%s: %+v", cell.Method, cell.Score)
				}
			}
			for _, contrast := range row.Contrasts {
				if contrast.Tested() != c.tested || contrast.Units != 5 {
					t.Errorf("contrast %+v", contrast)
				}
			}
			notes := strings.Join(table.Notes(), "\n")
			fixture.Has(t, "the notes", notes, c.says)
			fixture.Lacks(t, "the notes", notes, "mcnemar")
		})
	}
}

// Folds may differ in size. One with more test than training samples forbids the test,
// whatever the sums are; n is that of all splits where it is no multiple.
func TestPooledUnevenSplits(t *testing.T) {
	for train, valid := range map[int]bool{84: false, 143: true} {
		table := pooled(t, splitRow("x", "fold=1", train, 143, 100, 90, 80), splitRow("x", "fold=2", 180, 68, 60, 50, 40),
			splitRow("x", "fold=3", 211, 37, 30, 30, 20))
		pool := table.Rows[0].Pool
		if (pool.Test == correctedT) != valid || strings.Contains(pool.Reason, "differ in size") == valid {
			t.Errorf("%d training samples of fold 1: %+v", train, pool)
		}
		if text := render(t, table, "text", document.Style{}); !bytes.Contains(text, []byte("3×(37 to 143)")) {
			t.Errorf("n is not 143, 68 and 37:\n%s", text)
		}
	}
}

// A method that lacks a split has the mean of the others, no rank and no test, and the
// Holm family is that of the rest.
func TestPooledIncomplete(t *testing.T) {
	rows := folds("x")
	rows[3].Cells[2] = CellInput{Status: StatusFailed, Reason: "it diverged"}
	for i := range rows {
		rows[i].Cells[0].Cells[0].Warnings = []string{fmt.Sprintf("%d sweeps", i)}
	}
	rows[1].Cells[1].Cells[0].Warnings = []string{"few samples"}
	table := pooled(t, rows...)
	row := table.Rows[0]
	c := row.Cells[2]
	fixture.Equal(t, "C: rank, accuracy, runs, notes", fmt.Sprintf("%d %s %d %d", c.Rank, c.Accuracy, c.Spread.Runs, len(c.Notes)), "0 20.00 4 1")
	fixture.Has(t, "the note on C", c.Notes[0], "4 of 5 splits have a result", "it diverged")
	if !slices.Equal(row.MissingMethods, []string{"c"}) || row.Contrasts[0].Family != 1 || row.Contrasts[1].Tested() || row.Contrasts[1].Units != 4 {
		t.Errorf("missing %v, contrasts %+v", row.MissingMethods, row.Contrasts)
	}
	if text := string(render(t, table, "text", document.Style{})); strings.Count(text, "4 of 5 splits\n") != 1 || c.Partial != 4 || row.Cells[0].Partial != 0 {
		t.Errorf("C, on %d splits, does not say so in its cell:\n%s", c.Partial, text)
	}
	fixture.EqualSlice(t, "notes on A", row.Cells[0].Notes, []string{"0 sweeps [alike on 5 of 5 splits]"})
	fixture.EqualSlice(t, "notes on B", row.Cells[1].Notes, []string{"few samples [1 of 5 splits]"})
	fixture.Equal(t, "C has no result over the data sets", math.IsNaN(table.Scores().Rows[0][2]), true)
	for i := range rows {
		rows[i].Cells[2] = CellInput{Status: StatusFailed, Reason: "it diverged"}
	}
	if c := pooled(t, rows...).Rows[0].Cells[2]; c.Score != nil || c.Status != StatusFailed || c.Reason != "it diverged" {
		t.Errorf("C without any split: %+v", c)
	}
}

// Over data sets each counts once, by its mean: with eight on all of which A is better
// the exact p is 2/2⁸, and Holm's correction is over three pairs.
func TestAcross(t *testing.T) {
	var rows []RowInput
	for i := range 8 {
		rows = append(rows, folds("set"+strconv.Itoa(i))...)
	}
	table := pooled(t, rows...)
	written := fixture.Must(json.Marshal(table.Across))(t)
	fixture.Equal(t, "over the sets", string(written), `{"test":"wilcoxon-signed-rank","correction":"holm","pairs":[`+
		`{"a":"a","b":"b","sets":8,"difference":"32.00","p":0.0078125,"p_holm":0.0234375,"family":3,"significant":true},`+
		`{"a":"a","b":"c","sets":8,"difference":"32.00","p":0.0078125,"p_holm":0.0234375,"family":3,"significant":true},`+
		`{"a":"b","b":"c","sets":8,"difference":"0.00","p":1,"p_holm":1,"family":3,"significant":false}],`+
		// CD: 2.343·√(3·4/(6·8)); p: (2!/3!)⁷, as all sets have the same ranks
		`"data_sets":8,"average_ranks":[{"column":"a","rank":"1.00"},{"column":"b","rank":"2.50"},{"column":"c","rank":"2.50"}],`+
		`"friedman_p":0.000457247,"critical_difference":"1.17"}`)
	slices.Reverse(table.Across.Ranks) // methods stand in this order, each with the numbers of its column
	for k, row := range table.ByMethod().Rows[:3] {
		j := 2 - k
		fixture.Equal(t, "method and rank", row[0].Text+" "+row[1].Text, table.Columns[j].Name+" "+table.Across.Ranks[k].Rank)
		for i, r := range table.Rows {
			fixture.Equal(t, "number", row[2+i].Text, r.Cells[j].Value())
		}
	}
	fixture.Has(t, "the notes", strings.Join(table.Notes(), "\n"), "Over 8 data sets", "A less B 32.00 (p after Holm 0.023)")
	table.Test.Across = "sign" // the word of a spec is the test that is used and named
	if over := NewAcross(table); over.Test != "sign" || !strings.Contains(strings.Join(table.Notes(), "\n"), stats.SignTest{}.Title()) {
		t.Errorf("%+v", over)
	}
	rows = append(rows, splitRow("set0", "authors", 200, 50, 20, 10, 10))
	if over := NewAcross(pooled(t, rows...)); over != nil { // a data set would count twice
		t.Errorf("over rows of one data set by two rules: %+v", over)
	}
	fixture.Has(t, "the notes on few", strings.Join(pooled(t, rows[:10]...).Notes(), "\n"), "Over 2 data sets", "no pair can differ")
}

// The pooled numbers are those of the splits: mean, range, contrasts and their test.
func TestPooledProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, splits := rapid.IntRange(5, 60).Draw(t, "n"), rapid.IntRange(2, 8).Draw(t, "splits")
		train := rapid.IntRange(1, 120).Draw(t, "train")
		var rows []RowInput
		var differences []float64
		sum := 0
		for i := range splits {
			a, b := rapid.IntRange(0, n).Draw(t, "a"), rapid.IntRange(0, n).Draw(t, "b")
			rows = append(rows, splitRow("x", fmt.Sprintf("random train=0.5 seed=1 repeat=%d", i+1), train, n, a, b, b))
			differences = append(differences, float64(100*(a-b))/float64(n))
			sum += a
		}
		table := pooled(t, rows...)
		row := table.Rows[0]
		if want := stats.Percent(sum, n*splits, 2); row.Cells[0].Accuracy != want || row.Cells[0].Spread.Mean != want || row.Cells[0].Correct != sum {
			t.Errorf("A %s, want %s", row.Cells[0].Accuracy, want)
		}
		c := row.Contrasts[0]
		if tested := c.Tested(); tested != (n <= train) {
			t.Fatalf("%d to train, %d to test: test %v", train, n, tested)
		} else if tested {
			want := stats.ResampledT(differences, train*splits, n*splits, 100/float64(n))
			fixture.Near(t, "p", c.P, want.P, 1e-7*want.P)
			better := row.Cells[0].Rank <= row.Cells[1].Rank
			if c.Significant && better != (want.Mean > 0) {
				t.Errorf("ranks %d and %d for a difference of %v", row.Cells[0].Rank, row.Cells[1].Rank, want.Mean)
			}
		}
		fixture.Equal(t, "ranks of equal methods", row.Cells[1].Rank, row.Cells[2].Rank)
		var b bytes.Buffer
		for _, format := range formats {
			fixture.Check(t, table.Render(&b, format, document.Style{}))
		}
		fixture.Check(t, table.Render(&b, "latex", document.Style{Document: true, Notes: true}))
	})
}

// A difference that is the same on every split, here 2 of 10 samples, has a test as others
// have, with the p-value of one that is off by a sample on one split: t = 20 / (10/√3 ·
// √(1/3 + 1/2)) = 3.794733, so that p = 1 - t/√(2 + t²) with 2 degrees of freedom.
func TestPooledWithoutSpread(t *testing.T) {
	var rows []RowInput
	for i, c := range [][3]int{{9, 7, 5}, {8, 6, 9}, {10, 8, 3}} {
		rows = append(rows, splitRow("x", fmt.Sprintf("random train=0.5 seed=1 repeat=%d", i+1), 20, 10, c[0], c[1], c[2]))
	}
	table := pooled(t, rows...)
	for _, c := range table.Rows[0].Contrasts {
		fixture.Equal(t, "family of "+c.A+" and "+c.B, c.Family, 3)
	}
	fixture.Near(t, "p", table.Rows[0].Contrasts[0].P, 0.0629574, 1e-7)
	fixture.Has(t, "the notes", strings.Join(table.Notes(), "\n"), "A less B 20.00")
	r, _ := table.Rank(table.Rows[0])
	fixture.Equal(t, "A is tested against the others", fmt.Sprintf("%d %s", r.Family, r.Best), "3 a")
}

// Every format has one row for the five folds, with mean, deviation, range and rank.
func TestPooledFormats(t *testing.T) {
	table := pooled(t, folds("x")...)
	for format, says := range map[string]string{
		"text":     "5×50  52.00¹ ±3.16  20.00² ±0.00",
		"markdown": "| x | 5×50 | **52.00**¹ ±3.16<br>48.00–56.00 |",
		"latex":    `{}x & 5$\times$50 & $\textbf{52.00}^{1}$ {\scriptsize $\pm$3.16, 48.00--56.00}`,
		"csv":      ",250,a,,,130,52.00,1,true,a,",
		"json":     `"test": "corrected-resampled-t"`,
	} {
		fixture.Has(t, format, string(render(t, table, format, document.Style{})), says)
	}
	for _, r := range table.ByMethod().Rows { // without the range
		fixture.Equal(t, r[0].Text+": lines below the number", len(r[2].Below), 0)
	}
}

// Whatever the sizes of the splits, every aggregate that is printed or in JSON is what its
// definition says: percentages are means of the splits' percentages, differences of methods are
// means of the splits' differences, and over data sets each counts once by its mean.
func TestAggregates(t *testing.T) {
	uneven, reversed := 0, 0 // reversed: right answers of all splits together would give another best method
	rapid.Check(t, func(t *rapid.T) {
		names := []string{"a", "b", "c"}
		var rows []RowInput
		plain := map[string][][3]float64{} // percentages by data set, split and method
		majority := map[string][]map[int]float64{}
		for _, set := range []string{"s", "t", "u"} {
			for i := range rapid.IntRange(2, 5).Draw(t, "splits") {
				n := rapid.IntRange(3, 40).Draw(t, "n")
				var right []int
				for range names {
					right = append(right, rapid.IntRange(0, n).Draw(t, "right"))
				}
				rows = append(rows, splitRow(set, fmt.Sprintf("cv seed=1 fold=%d", i+1), 2*n, n, right...))
				percent := func(k int) float64 { return 100 * float64(right[k]) / float64(n) }
				plain[set] = append(plain[set], [3]float64{percent(0), percent(1), percent(2)})
				classes := map[int]float64{}
				for _, label := range rows[len(rows)-1].Cells[0].Cells[0].Truth {
					classes[label] += 100 / float64(n)
				}
				majority[set] = append(majority[set], classes)
			}
		}
		mean := func(of []float64) float64 { return stat.Mean(of, nil) }
		column := func(set string, k int) (all []float64) {
			for _, split := range plain[set] {
				all = append(all, split[k])
			}
			return all
		}
		table := pooled(t, rows...)
		near := func(what, printed string, want float64) {
			t.Helper()
			if got, err := strconv.ParseFloat(printed, 64); err != nil || math.Abs(got-want) > 0.005+1e-9 {
				t.Errorf("%s: %s, want %v of %v", what, printed, want, plain)
			}
		}
		ranks := map[string]float64{}
		csv, text := strings.Split(string(render(t, table, "csv", document.Style{})), "\n")[1:], string(render(t, table, "text", document.Style{}))
		for i, row := range table.Rows {
			for k, c := range row.Cells {
				of := column(row.Dataset, k)
				near("accuracy", c.Accuracy, mean(of))
				near("mean", c.Spread.Mean, mean(of))
				near("accuracy as CSV", strings.Split(csv[3*i+k], ",")[11], mean(of))
				near("deviation", c.Spread.SD, stat.StdDev(of, nil))
				near("least", c.Spread.Min, slices.Min(of))
				near("most", c.Spread.Max, slices.Max(of))
				if least, _ := strconv.ParseFloat(c.Spread.Min, 64); c.Mean < least-0.005 || c.Mean > slices.Max(of)+1e-9 {
					t.Errorf("mean %v outside of %s to %s", c.Mean, c.Spread.Min, c.Spread.Max)
				}
				for _, other := range row.Cells {
					switch {
					case other.Mean > c.Mean:
						ranks[c.Method] += 1. / 3
					case other.Mean == c.Mean && other.Method != c.Method:
						ranks[c.Method] += .5 / 3
					}
				}
			}
			var shares []float64
			for _, classes := range majority[row.Dataset] {
				shares = append(shares, classes[row.Classes.Majority.Label])
			}
			near("majority", row.Classes.Majority.Accuracy, mean(shares))
			for _, c := range row.Contrasts {
				var d []float64
				for _, split := range plain[row.Dataset] {
					d = append(d, split[slices.Index(names, c.A)]-split[slices.Index(names, c.B)])
				}
				near("difference", Points(c.Difference).String(), mean(d))
				near("its deviation", Points(c.SD).String(), stat.StdDev(d, nil))
				near("its least", Points(c.Min).String(), slices.Min(d))
				near("its most", Points(c.Max).String(), slices.Max(d))
			}
			best, _ := table.Rank(row)
			for _, other := range best.Ranked {
				of := func(method string) float64 { return mean(column(row.Dataset, slices.Index(names, method))) }
				near("behind", other.Behind.String(), of(best.Best)-of(other.Method))
			}
			if row.Pool.Sizes != nil {
				uneven++
				fixture.Has(t, "n", text, fmt.Sprintf("%d×(%d to %d)", row.Pool.Splits, row.Pool.Sizes[0], row.Pool.Sizes[1]))
			}
			if slices.ContainsFunc(row.Cells, func(c Result) bool { return c.Correct > row.Cells[slices.Index(names, best.Best)].Correct }) {
				reversed++
			}
		}
		for _, p := range table.Across.Pairs {
			var d []float64
			for _, set := range []string{"s", "t", "u"} {
				d = append(d, mean(column(set, slices.Index(names, p.A)))-mean(column(set, slices.Index(names, p.B))))
			}
			near("difference over the data sets", Points(p.Difference).String(), mean(d))
		}
		for _, r := range table.Across.Ranks {
			near("average rank", r.Rank, 1+ranks[r.Column])
		}
	})
	if uneven < 20 || reversed < 5 {
		t.Errorf("%d rows of uneven splits, in %d of them another method has more right answers", uneven, reversed)
	}
}

// A difference is significant where its p-value after Holm's correction is at most alpha, on
// pooled rows, against the best, on single splits and over the data sets, and the correction
// is over the unrounded p-values.
func TestSignificantAfterHolm(t *testing.T) {
	decided := map[string]int{} // differences that only the correction makes no significant ones
	rapid.Check(t, func(t *rapid.T) {
		var rows, single []RowInput
		gain, draw := rapid.IntRange(0, 12).Draw(t, "gain"), rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		for j, set := range []string{"s", "t", "u", "v", "w", "x"} {
			for i := range 4 {
				rows = append(rows, splitRow(set, fmt.Sprintf("cv seed=1 fold=%d", i+1), 120, 40, 10+gain+draw.IntN(6), 10+draw.IntN(6), 10+gain/2+draw.IntN(6)))
			}
			single = append(single, splitRow(set, "authors", 160, 40, 10+2*gain+j, 10, 10+gain))
		}
		check := func(what string, significant bool, p, holm float64) {
			t.Helper()
			if significant != (holm <= 0.05) {
				t.Errorf("%s: significant %v with p after Holm %v", what, significant, holm)
			}
			if !significant && p <= 0.05 {
				decided[what]++
			}
		}
		table := pooled(t, rows...)
		table.Against = table.Columns[1].ID
		for _, row := range table.Rows {
			p, holm := map[[2]string]float64{}, map[[2]string]float64{}
			var raw, adjusted []float64
			for _, c := range row.Contrasts {
				check("contrast", c.Significant, c.P, c.PHolm)
				p[[2]string{c.A, c.B}], p[[2]string{c.B, c.A}] = c.P, c.P
				holm[[2]string{c.A, c.B}], holm[[2]string{c.B, c.A}] = c.PHolm, c.PHolm
				raw, adjusted = append(raw, c.P), append(adjusted, c.PHolm)
			}
			if want := stats.Holm(raw); !slices.Equal(adjusted, want) {
				t.Errorf("p after Holm %v, want %v of the unrounded %v", adjusted, want, raw)
			}
			best, _ := table.Rank(row)
			for _, m := range best.Ranked {
				if m.Over != nil && m.Over.Points > 0 {
					check("over the control", m.Over.Better, p[[2]string{table.Against, m.Method}], float64(m.Over.PHolm))
				}
			}
			highest := table
			highest.Against = best.Best
			if against, _ := highest.Rank(row); len(against.Better()) > 0 {
				t.Errorf("better than the highest mean: %+v", against.Better())
			}
			for _, m := range best.Ranked[1:] {
				pair := [2]string{best.Best, m.Method}
				check("against the best", !m.NotWorse, p[pair], float64(*m.PHolm))
				if float64(*m.PHolm) != holm[pair] {
					t.Errorf("%v: p after Holm %v, in the table %v", pair, *m.PHolm, holm[pair])
				}
			}
		}
		for _, p := range table.Across.Pairs {
			check("over the data sets", p.Significant, p.P, p.PHolm)
		}
		for _, row := range New(AccuracySpec(poolColumns...), single).Rows {
			for _, p := range row.Pairs {
				check("pair", p.Significant, p.P, p.PHolm)
			}
		}
	})
	for _, what := range []string{"contrast", "against the best", "over the control", "over the data sets", "pair"} {
		if decided[what] < 3 {
			t.Errorf("%s: the correction decides %d times", what, decided[what])
		}
	}
}

// The right validation samples of a pooled row are those of all splits together.
func TestPooledValidation(t *testing.T) {
	rows, right, of := folds("x"), 0, 0
	for i := range rows {
		n := 40 + i
		for k := range 3 {
			cell := &rows[i].Cells[k].Cells[0]
			cell.Settings = []results.Setting{{Params: results.Params{"gamma": "1"}}, {Params: results.Params{"gamma": "2"}}}
			cell.Validation, cell.Chosen = &results.Profile{N: n, Correct: []int{7, 20 + i*i}}, 1
		}
		right, of = right+20+i*i, of+n
	}
	for _, c := range pooled(t, rows...).Rows[0].Cells {
		if c.Validation == nil || *c.Validation != (Tally{Correct: right, Of: of}) {
			t.Errorf("%s: %v, want %d of %d", c.Method, c.Validation, right, of)
		}
	}
}

// A setting that every split chose is that of all; where one split chose another, there is none.
func TestPooledSettings(t *testing.T) {
	rows := folds("x")
	for i := range rows {
		for k := range 3 {
			cell := &rows[i].Cells[k].Cells[0]
			cell.Settings = []results.Setting{{Params: results.Params{"gamma": "1"}, Restart: 1}}
			if i == 3 && k == 1 {
				cell.Settings[0].Params = results.Params{"gamma": "2"}
			}
			if i == 4 && k == 2 {
				cell.Settings[0].Restart = 2
			}
		}
	}
	cells := pooled(t, rows...).Rows[0].Cells
	fixture.Same(t, "A", cells[0].Params, results.Params{"gamma": "1"})
	fixture.Equal(t, "restart of A", cells[0].Restart, 1)
	for _, c := range cells[1:] {
		fixture.Same(t, c.Method, c.Params, results.Params{})
		fixture.Equal(t, "restart of "+c.Method, c.Restart, 0)
	}
}

// Counts of a pooled row are sums over its splits, and a note of some splits says on how many.
func TestPooledCounts(t *testing.T) {
	rows := folds("x")
	for i := range rows {
		rows[i].Overlap = i + 1
		cell := &rows[i].Cells[0].Cells[0]
		cell.Counts = []results.Count{{Name: "votes", Count: i, Of: 10 + i}}
		if i < 3 {
			cell.Warnings, cell.Doubts = []string{"few samples"}, []string{"learned little"}
		}
		rows[i].Cells[1].Cells[0].Warnings = []string{fmt.Sprintf("%d sweeps", []int{7, 8, 7, 7, 7}[i])}
		if i > 2 {
			rows[i].Cells[2] = CellInput{Status: StatusFailed, Reason: fmt.Sprint("fault ", i)}
		}
	}
	row := pooled(t, rows...).Rows[0]
	fixture.Same(t, "doubts", row.Cells[0].Doubts, []Doubt{{Text: "learned little", Splits: 3}})
	fixture.EqualSlice(t, "notes whose numbers vary", row.Cells[1].Notes, []string{"7 sweeps [alike on 5 of 5 splits]"})
	fixture.Has(t, "the note on missing splits", strings.Join(row.Cells[2].Notes, ""), "fault 3")
	fixture.Equal(t, "overlap", row.Overlap, 1+2+3+4+5)
	fixture.Same(t, "facts", row.Cells[0].Facts, []results.Count{{Name: "votes", Count: 0 + 1 + 2 + 3 + 4, Of: 10 + 11 + 12 + 13 + 14}})
	fixture.EqualSlice(t, "notes", row.Cells[0].Notes, []string{"few samples [3 of 5 splits]"})
	fixture.Equal(t, "training samples", row.Pool.Train, 5*200)
	rows[2].Train = 0
	fixture.Equal(t, "training samples with a split whose number is not known", pooled(t, rows...).Rows[0].Pool.Train, 0)
}
