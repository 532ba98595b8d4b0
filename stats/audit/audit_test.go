package audit

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"r2lmlbench/internal/fixture"
)

// valid is a table on which the tests change a line.
const valid = `name: t
columns: [a, b, c]
rows:
  - {row: X, n: 60, printed: [51.67, 78.33, 80.00], rank: [2, 1, 1]}
`

func mustParse(t *testing.T, text string) *PrintedTable {
	t.Helper()
	return fixture.Must(Parse("t.yaml", []byte(text)))(t)
}

// Every fault is told at its line and column.
func TestParseRefuses(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{"name: t", "name: ''", "t.yaml:1:7: want a name"},
		{"name: t", "nam: t", `t.yaml:1:1: unknown key "nam"; did you mean "name"?`},
		{"name: t", "name: t\nmeasure: acuracy", `t.yaml:2:10: unknown word "acuracy"; did you mean "accuracy"?`},
		{"name: t", "name: t\nunit: per", "t.yaml:2:7: unknown word"},
		{"name: t", "name: t\ntest: {pair: mcnemar}", "t.yaml:2:14: unknown test"},
		{"name: t", "name: t\ntest: {correction: hlm}", `t.yaml:2:20: unknown word "hlm"; did you mean "holm"?`},
		{"name: t", "name: t\ntest: {alpha: 0}", "t.yaml:2:15: alpha is 0"},
		{"[a, b, c]", "[a, b, b]", `t.yaml:2:17: there are two columns "b"`},
		{"[a, b, c]", "[a, b, '']", "t.yaml:2:17: want the id of a method"},
		{"[a, b, c]", "[a, b]", "t.yaml:4:30: 3 numbers for 2 columns"},
		{"[a, b, c]", "[a, b, c]\nnames: [A]", "t.yaml:3:8: 1 names for 3 columns"},
		{"[a, b, c]", "[" + strings.Repeat("x, ", 60) + "y]", "61 columns, want at most 60"},
		{"row: X", "row: ''", "t.yaml:4:11: want the letter or id of the row"},
		{"n: 60", "n: 0", "t.yaml:4:17: n is 0"},
		{"n: 60", "n: 1000001", "t.yaml:4:17: n is 1000001"},
		{"n: 60", "n: 60, printed-n: -1", "t.yaml:4:32: printed-n is -1"},
		{"51.67", "-1", "t.yaml:4:31: want a number as it is printed"},
		{"51.67", "1e3", "t.yaml:4:31: want a number as it is printed"},
		{"51.67", "51.67 ± 2.1", "t.yaml:4:31: want a number as it is printed, such as 81.25 or 0.8125, without %, ± or footnotes"},
		{"51.67", ".5167", "and with a digit before the point, or ~"},
		{"51.67", "[1]", "t.yaml:4:31: want a number as it is printed"},
		{"[51.67, 78.33, 80.00]", "[0.5167, 0.7833, 0.8]", "all accuracies are 1 % or less; if they are shares, add `unit: proportion`"},
		{"51.67", "101", "t.yaml:4:31: 101 is more than the whole, 100 in unit percent"},
		{"name: t", "name: t\nunit: proportion", "t.yaml:5:31: 51.67 is more than the whole, 1 in unit proportion"},
		{"[51.67, 78.33, 80.00], rank: [2, 1, 1]", "[~, ~, ~]", "t.yaml:4:30: want at least one number"},
		{"[2, 1, 1]", "[2, 1]", "2 ranks for 3 columns"},
		{"[2, 1, 1]", "[4, 1, 1]", "t.yaml:4:60: rank 4 of 3 columns"},
		{"[2, 1, 1]", "[0, 1, 1]", "t.yaml:4:60: want a rank, a whole number from 1"},
		{"[2, 1, 1]", "[1.5, 1, 1]", "t.yaml:4:60: want a rank, a whole number from 1, or ~ where there is none"},
		{"[2, 1, 1]", "[NA, 1, 1]", "t.yaml:4:60: want a rank, a whole number from 1, or ~ where there is none"},
		{"[2, 1, 1]", "[[1], 1, 1]", "t.yaml:4:60: want a rank"},
		{"rank:", "ranking:", `t.yaml:4:53: unknown key "ranking"; known: `},
		{"[2, 1, 1]", "[~, 1, 1]", "t.yaml:4:60: a has no rank"},
		{"51.67", "~", "t.yaml:4:56: a has a rank and no printed number"},
		{"[2, 1, 1]", "[2, 1, 1], bold: [d]", `unknown column "d"`},
		{"[2, 1, 1]", "[2, 1, 1], classes: [40, 21]", "the classes have 61 test samples together, n is 60"},
		{"[2, 1, 1]", "[2, 1, 1], classes: [0]", "a class of 0 test samples"},
		{"rows:", "rows:\n  - {row: X, n: 60, printed: [50, 50, 50]}", `t.yaml:5:11: there are two rows "X"`},
		{valid, "", "the file is empty"},
		{valid, "name: t\ncolumns: [a]\nrows: []", "t.yaml:3:7: want at least one row"},
		{valid, "name: t\nrows:\n- {row: A, n: 1, printed: [1]}", "want the ids of the methods"},
	} {
		text := strings.Replace(valid, c.old, c.new, 1)
		table, err := Parse("t.yaml", []byte(text))
		if table != nil || !errors.Is(err, ErrFile) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, want %q", c.new, err, c.want)
		}
	}
}

// texts spells findings as "row/method kind printed nearest".
func texts(all []Finding) []string {
	var lines []string
	for _, f := range all {
		lines = append(lines, strings.TrimSpace(f.Letter+"/"+f.Method+" "+f.Kind+" "+f.Printed+" "+f.Nearest))
	}
	return lines
}

func TestExample(t *testing.T) {
	want := []string{"A/metric-b unreachable 96.50 96.67", "B/knn constant-class 51.67", "B/knn largest-class 51.67 51.67"}
	fixture.Same(t, "findings", texts(mustParse(t, string(Example)).Findings()), want)
}

// turned is a table of error rates in place of one of accuracies, with its findings.
func turned(text string, findings []string) (string, []string) {
	number := regexp.MustCompile(`\b[0-9]+\.[0-9]+\b`)
	other := func(s string) string {
		v, _ := strconv.ParseFloat(s, 64)
		whole := 100.0
		if v < 1 {
			whole = 1
		}
		return strconv.FormatFloat(whole-v, 'f', len(s)-strings.Index(s, ".")-1, 64)
	}
	for i, f := range findings {
		findings[i] = number.ReplaceAllStringFunc(f, other)
	}
	return "measure: error\n" + number.ReplaceAllStringFunc(text, other), findings
}

// Of 60 samples 31 are 51.67 %, 47 are 78.33 %, and 29 errors are 48.33 %. A table of error rates has
// the findings of that of the accuracies.
func TestFindings(t *testing.T) {
	for _, c := range []struct {
		name, old, new string
		want           []string
	}{
		{"nothing", "", "", nil},
		{"unreachable", "51.67", "51.66", []string{"X/a unreachable 51.66 51.67"}},
		{"a missing number", "51.67, 78.33, 80.00], rank: [2, 1, 1]", "51.67, ~, 80.01], rank: [2, ~, 1]", []string{"X/c unreachable 80.01 80.00"}},
		{"proportions", valid, strings.NewReplacer("rows", "unit: proportion\nrows", "51.67", "0.517", "78.33", "0.783", "80.00", "0.801").Replace(valid),
			[]string{"X/c unreachable 0.801 0.800"}},
		{"ranks with a gap", "[2, 1, 1]", "[3, 1, 1]", []string{"X/ skipped-rank 1, 3 1, 2"}},
		{"behind a worse one", "[2, 1, 1]", "[1, 2, 1]", []string{
			"X/b inversion 78.33", "X/a infeasible-rank 51.67", "X/b infeasible-rank 78.33",
		}},
		{"bold", "[2, 1, 1]", "[2, 1, 1], bold: [a, b]", []string{"X/a bold 51.67", "X/c bold 80.00"}},
		{"another size", "n: 60", "n: 60, printed-n: 70", []string{"X/ size 70 60"}},
		{"the share of a class", "[2, 1, 1]", "[2, 1, 1], classes: [31, 29]", []string{"X/a constant-class 51.67", "X/a largest-class 51.67 51.67"}},
		{"two classes of that size", valid[strings.Index(valid, "51"):], "50.00, 78.33, 80.00], rank: [2, 1, 1], classes: [30, 30]}\n", []string{
			"X/a constant-class 50.00", "X/a largest-class 50.00 50.00",
		}},
		{"equal numbers of several counts", "60, printed: [51.67, 78.33, 80.00], rank: [2, 1, 1]", "39000, printed: [51.67, 80.00, 80.00], rank: [3, 2, 1]", nil},
		{"equal numbers of no count", "51.67, 78.33, 80.00], rank: [2, 1, 1]", "51.67, 80.01, 80.01], rank: [3, 2, 1]", []string{
			"X/b unreachable 80.01 80.00", "X/c unreachable 80.01 80.00",
		}},
		{"above all classes", "[2, 1, 1]", "[2, 1, 1], classes: [20, 20, 20]", nil},
		{"below the largest class", "[2, 1, 1]", "[2, 1, 1], classes: [47, 12]", []string{"X/b constant-class 78.33", "X/ largest-class  78.33"}},
		{"all below it", "[2, 1, 1]", "[2, 1, 1], classes: [50, 10]", []string{"X/ largest-class  83.33"}},
	} {
		text := strings.Replace(valid, c.old, c.new, 1)
		fixture.EqualSlice(t, c.name, texts(mustParse(t, text).Findings()), c.want)
		text, c.want = turned(text, c.want)
		fixture.EqualSlice(t, c.name+", as errors", texts(mustParse(t, text).Findings()), c.want)
	}
}

// The least p-value of 6 and 0 right answers is 2/2⁶ = 0.031, below 0.05, and over three
// pairs three times that, 0.094.
func TestCorrections(t *testing.T) {
	row := "[{row: X, n: 60, printed: [10.00, 0.00, 10.00], rank: [1, 2, 1]}]" // 6, 0 and 6 of 60
	for correction, want := range map[string]int{"holm": 1, "bonferroni": 1, "none": 0} {
		table := mustParse(t, "name: t\ncolumns: [a, b, c]\ntest: {correction: "+correction+"}\nrows: "+row)
		fixture.Equal(t, correction+": findings", len(table.Findings()), want)
	}
	table := mustParse(t, "name: t\ncolumns: [a, b, c]\ntest: {correction: none, alpha: 0.01}\nrows: "+row)
	got := table.Findings()
	if len(got) != 1 || !strings.Contains(got[0].Text, "p is at least 0.031") || strings.Contains(got[0].Text, "adjusted") {
		t.Errorf("%+v", got)
	}
}

// FuzzParse: whatever the bytes, there is a table that can be audited, with verdicts on its claims, or an
// error that says where.
func FuzzParse(f *testing.F) {
	f.Add(Example)
	f.Add([]byte(valid))
	f.Add([]byte("name: t\ncolumns: [a]\nrows: [{row: X, n: 1, printed: [~]}]"))
	for _, c := range oneOfEachKind {
		f.Add([]byte(valid + "claims: [" + c + "]"))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		table, err := Parse("f.yaml", b)
		if (table == nil) != (err != nil) {
			t.Fatalf("table %v with error %v", table, err)
		}
		if err != nil {
			fixture.Has(t, "the error", err.Error(), "f.yaml:")
			return
		}
		for _, finding := range table.Findings() {
			if finding.Text == "" || !utf8.ValidString(finding.Text) {
				t.Errorf("%+v", finding)
			}
		}
		table.Remarks()
		for i, j := range fixture.Must(table.Judge(nil))(t) {
			fixture.Equal(t, "study", j.Study, cmp.Or(table.Claims[i].Study, table.Name))
			if !slices.Contains([]string{Holds, Fails, Untested}, j.Print.Word) || j.Runs.Word != Untested || j.Print.Why == "" {
				t.Errorf("%+v", j)
			}
		}
	})
}

// A row is blind from as many samples as the decimals have numbers; then a count is behind every number.
func TestBlind(t *testing.T) {
	table := PrintedTable{Unit: percent, Columns: []string{"a"}}
	for n := 95; n <= 105; n++ {
		fixture.Equal(t, strconv.Itoa(n), table.newPrintedRow(DataSet{N: n, Printed: []Printed{"50"}}).blind(), n >= 100)
		for k := range 101 {
			if n >= 100 && !table.reach(strconv.Itoa(k), n).Possible {
				t.Errorf("no count of %d is %d %%", n, k)
			}
		}
	}
}

// Made-up rows of 100 test samples and five methods.
func TestClassesOfMadeUpRows(t *testing.T) {
	row := func(correct, rank []int) printedRow {
		r := DataSet{ID: "Y", N: 100}
		for i, n := range correct {
			r.Printed, r.Rank = append(r.Printed, Printed(fmt.Sprint(n))), append(r.Rank, Rank(rank[i]))
		}
		names := []string{"a", "b", "c", "d", "e"}[:len(correct)]
		table := PrintedTable{Name: "t", Unit: percent, Columns: names, Names: names, Test: Test{Correction: holm, Alpha: 0.05}}
		made := table.newPrintedRow(r)
		made.bound()
		return made
	}
	for _, c := range []struct {
		name string
		row  printedRow
		want []string
	}{
		{"behind the best", row([]int{90, 89, 10}, []int{1, 2, 3}), []string{"infeasible-rank first-rank"}},
		{"with the best", row([]int{90, 10}, []int{1, 1}), []string{"infeasible-rank first-rank"}},
		{"no peer", row([]int{95, 50, 10}, []int{1, 2, 2}), []string{"infeasible-rank no-peer"}},
		{"a peer that is no leader", row([]int{99, 70, 50, 35}, []int{1, 2, 2, 2}), []string{"infeasible-rank leader-rule"}},
		{"later ranks", row([]int{95, 50, 49}, []int{1, 2, 3}), []string{"infeasible-rank leader-rule"}},
		{"a chain", row([]int{90, 89, 88}, []int{1, 2, 3}), []string{"infeasible-rank first-rank", "infeasible-rank first-rank", "infeasible-rank overlap"}},
		{"an inversion", row([]int{90, 70, 65}, []int{1, 2, 1}), []string{"inversion overlap", "infeasible-rank first-rank"}},
		{"an inversion that may be", row([]int{60, 50, 49}, []int{1, 2, 1}), []string{"inversion allowed"}},
		{"an inversion of leaders", row([]int{90, 30, 60}, []int{1, 2, 3}), []string{"inversion leader-rule"}},
	} {
		var got []string
		for _, f := range append(c.row.inversions(), c.row.infeasibleRanks()...) {
			got = append(got, f.Kind+" "+f.Class)
		}
		fixture.EqualSlice(t, c.name, got, c.want)
	}
}
