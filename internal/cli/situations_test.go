package cli

import (
	"cmp"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"r2lmlbench/internal/document"
	"r2lmlbench/internal/fixture"
	"r2lmlbench/results"
)

// A draw makes the rows of a file, the class last.
type draw func(r *rand.Rand) [][]any

// labelled makes n rows of each class in turn, whose features are those of a class.
func labelled(n, classes int, features func(r *rand.Rand, class int) []any) draw {
	return func(r *rand.Rand) (rows [][]any) {
		for i := range n * classes {
			rows = append(rows, append(features(r, i%classes), string(rune('a'+i%classes))))
		}
		return rows
	}
}

// noise is features that say nothing of the class.
func noise(r *rand.Rand, _ int) []any {
	return []any{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}
}

// twice has every row a second time, each feature a little larger.
func twice(of draw, by float64) draw {
	return func(r *rand.Rand) (rows [][]any) {
		for _, row := range of(r) {
			rows = append(rows, row, []any{row[0].(float64) + by, row[1].(float64) + by, row[2].(float64) + by, row[3]})
		}
		return rows
	}
}

// patients have six rows each, of nearly the same features; the class is drawn for each patient.
func patients(r *rand.Rand) (rows [][]any) {
	for p := range 30 {
		x, class := noise(r, 0), string(rune('a'+r.IntN(2)))
		for range 6 {
			rows = append(rows, []any{7 * p % 30, x[0].(float64) + r.NormFloat64()/20, x[1].(float64) + r.NormFloat64()/20, class})
		}
	}
	return rows
}

// The first lines of an answer say what the tests carry, and what is suspicious about the data; what
// can tell nothing is refused before anything is computed.
func TestSituations(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct {
		name  string
		rows  draw
		flags string
		code  int
		says  string // of both streams
		not   string // "": nothing
	}{
		{"clear winner", labelled(100, 2, func(r *rand.Rand, class int) []any {
			x := r.NormFloat64()
			return []any{x + 0.05*float64(class), x, r.NormFloat64(), r.NormFloat64()}
		}), "--methods lfda", 0, `(?s)^LFDA is the most accurate, .*: all 2 other k-NN methods are significantly worse[.]\nLFDA beats plain k-NN .* by \d+` +
			`.*\nA split has 100 training, 40 validation and 60 test rows`, "more splits"},
		{"equal", labelled(40, 3, func(r *rand.Rand, class int) []any { return []any{r.NormFloat64() + 50*float64(class), class} }), "",
			0, `^All 3 k-NN methods have 100.00 %`, "significantly better|more splits"},
		{"no clear winner", labelled(60, 2, func(r *rand.Rand, class int) []any { return []any{r.NormFloat64() + 3*float64(class), r.NormFloat64()} }), "",
			0, `^No clear winner: .* none of the 2 other k-NN methods is significantly worse[.]\nNo method is significantly better than k-NN(?s).*` +
				`\nUntil more splits [(]--splits 20[)] or rows decide, keep k-NN on standardized features`,
			"beats plain"},
		{"standardizing helps", labelled(100, 2, func(r *rand.Rand, class int) []any {
			return []any{r.NormFloat64() + 3*float64(class), 1e4 * r.NormFloat64()}
		}), "--methods kissme", 0, `Standardizing the features gives plain k-NN \d+[.]\d+ points more .* no method is significantly better than that`, ""},
		{"noise", labelled(60, 2, noise), "",
			0, `^No method (is shown to be|has a) (better|higher accuracy) than always answering(?s).*` +
				`\nRun more splits first [(]--splits 20[)], then collect more rows`, "No clear winner|winner"},
		{"heavy imbalance", func(r *rand.Rand) (rows [][]any) {
			for i := range 248 {
				rows = append(rows, []any{r.NormFloat64() + 2*float64(i/240), r.NormFloat64(), []string{"n", "r"}[i/240]})
			}
			return rows
		}, "", 0, "(?s)Accuracy hardly counts the rare class \"r\" [(]3.2 %[)]; --measure balanced-accuracy.*\nalways n +97", ""},
		{"imbalance by another measure", func(r *rand.Rand) (rows [][]any) {
			for i := range 248 {
				rows = append(rows, []any{r.NormFloat64() + 9*float64(i/240), r.NormFloat64(), []string{"n", "r"}[i/240]})
			}
			return rows
		}, "--measure balanced-accuracy", 0, "^method +balanced accuracy.*\\n[A-Za-z-]+ +(9\\d|100)[.]", "rare"},
		{"three rows a class", labelled(3, 10, noise), "", exitSpec, "more than [12] training rows? in a split, and 5 neighbors vote.*--neighbors 1", "computed"},
		{"three rows a class, few neighbors", labelled(3, 10, noise), "--neighbors 1 --methods euclidean", 0, "^euclidean-raw +\\d", "nothing to compare"},
		{"constant", labelled(30, 2, func(*rand.Rand, int) []any { return []any{1, 2} }), "", exitSpec, "all features are constant", "computed"},
		{"copies", twice(labelled(30, 2, noise), 0), "", 0, `On average \d+.* of the \d+ test rows of a split have a copy`, "60 values|--group x"},
		{"near copies", twice(labelled(30, 2, noise), 1e-6), "", 0, `On average \d+.* of the \d+ test rows of a split have a copy or near copy`, "each of the"},
		{"a number for missing values", labelled(60, 2, func(r *rand.Rand, class int) []any {
			if r.IntN(5) == 0 {
				return []any{-999, r.NormFloat64()}
			}
			return []any{r.NormFloat64() + 3*float64(class), r.NormFloat64()}
		}), "", 0, `^Beware: column "x0" has -999 in \d+ rows(?s).*\nFirst settle the warnings above`, ""},
		{"a column that gives the class", labelled(60, 2, func(r *rand.Rand, class int) []any { return []any{r.NormFloat64(), 7 + 2*class} }), "",
			0, `Beware: column "x1" alone gives the class`, ""},
		{"patients", patients, "", 0, `Beware: all rows with the same value of column "x0" have the same class \(30 values, 6 rows each on average\)`, ""},
		{"patients kept together", patients, "--group x0", 0, "^No method (is shown to be|has a) (better|higher accuracy) than always answering", "Beware"},
		{"failures", labelled(40, 2, func(_ *rand.Rand, class int) []any { return []any{class, 2 * class} }), "--methods rca", exitCells,
			`RCA has no result: it failed on all 4 splits`, `(?s)FAILED.*FAILED`},
	} {
		t.Run(c.name, func(t *testing.T) {
			file := filepath.Join(dir, strings.ReplaceAll(c.name, " ", "-")+".csv")
			write(t, file, c.rows)
			args := []string{"compare", file, "--label", "class", "--splits", "4", "--results", filepath.Join(dir, "r")}
			if !strings.Contains(c.flags, "--methods") {
				args = append(args, "--methods", "kissme")
			}
			code, stdout, stderr := command(t, append(args, strings.Fields(c.flags)...)...)
			fixture.Equal(t, "exit code", code, c.code)
			all := stdout
			if code != 0 {
				all += stderr
			}
			if !regexp.MustCompile("(?m)" + c.says).MatchString(all) {
				t.Errorf("want %q in:\n%s\n%s", c.says, stdout, stderr)
			}
			if c.not != "" && regexp.MustCompile(c.not).MatchString(stdout+stderr) {
				t.Errorf("want no %q in:\n%s\n%s", c.not, stdout, stderr)
			}
		})
	}
}

// write makes a file of drawn rows, with a header whose last column is the class.
func write(t *testing.T, file string, of draw) {
	t.Helper()
	var b strings.Builder
	w := csv.NewWriter(&b)
	for i, row := range of(rand.New(rand.NewPCG(1, 2))) {
		var head, fields []string
		for j, v := range row {
			head, fields = append(head, fmt.Sprintf("x%d", j)), append(fields, fmt.Sprint(v))
		}
		if head[len(head)-1] = "class"; i == 0 {
			fixture.Check(t, w.Write(head))
		}
		fixture.Check(t, w.Write(fields))
	}
	w.Flush()
	fixture.Check(t, os.WriteFile(file, []byte(b.String()), 0o666))
}

// compare, table, run, page and LaTeX say the same of the same cells: means, deviations, which methods may
// be the best, and p.
func TestOneAnswerEverywhere(t *testing.T) {
	for i, of := range []draw{
		labelled(60, 2, noise), patients,
		labelled(50, 3, func(r *rand.Rand, class int) []any { return []any{r.NormFloat64() + float64(class), r.NormFloat64()} }),
		labelled(100, 2, func(r *rand.Rand, class int) []any {
			return []any{r.NormFloat64() + 3*float64(class), 1e4 * r.NormFloat64()}
		}),
		labelled(80, 2, func(r *rand.Rand, class int) []any {
			x := r.NormFloat64()
			return []any{x + 0.1*float64(class), x, r.NormFloat64()}
		}),
	} {
		measure := results.MetricIDs()[i%len(results.MetricIDs())]
		dir := t.TempDir()
		file, page, cells := filepath.Join(dir, "own.csv"), filepath.Join(dir, "page"), filepath.Join(dir, "r")
		write(t, file, of)
		var answer struct {
			Methods []struct {
				Method, Name, Accuracy, Score, SD string
				NotWorse                          bool     `json:"not_worse"`
				PHolm                             *float64 `json:"p_holm"`
			}
		}
		succeeds := func(into any, args ...string) string {
			code, stdout, stderr := command(t, append(args, "--results", cells)...)
			if code != 0 {
				t.Fatalf("%v: exit code %d: %s", args, code, stderr)
			}
			if into != nil {
				fixture.Check(t, json.Unmarshal([]byte(stdout), into))
			}
			return stdout
		}
		succeeds(&answer, "compare", file, "--label", "class", "--methods", "kissme,rca", "--splits", "4", "--measure", measure, "--page", page, "--format", "json")
		var data struct {
			Rows []struct {
				Cells []struct {
					Method, Accuracy, Score string
					Rank                    int
					Spread                  struct{ Mean, SD string }
				}
				Contrasts []struct {
					A, B string
					Test struct {
						PHolm *float64 `json:"p_holm"`
					}
				}
			}
		}
		own := filepath.Join(page, "compare.yaml")
		fixture.Equal(t, "run prints what table prints", succeeds(nil, "run", own, "--format", "json"), succeeds(&data, "table", own, "--format", "json"))
		latex := succeeds(nil, "table", own, "--format", "latex")
		_, shown, _ := strings.Cut(fixture.Text(t, filepath.Join(page, "index.html")), `<section id="methods"`)
		shown, _, _ = strings.Cut(shown, "</section>")
		for _, m := range answer.Methods {
			at := fmt.Sprintf("file %d, %s, %s", i, measure, m.Method)
			mean := cmp.Or(m.Score, m.Accuracy)
			for _, c := range data.Rows[0].Cells {
				if c.Method == m.Method {
					fixture.Equal(t, at+": table", fmt.Sprint(c.Spread.Mean, " ", c.Spread.SD, " ", c.Rank == 1), fmt.Sprint(mean, " ", m.SD, " ", m.NotWorse))
				}
			}
			for _, pair := range data.Rows[0].Contrasts {
				if best := answer.Methods[0].Method; pair.A == best && pair.B == m.Method || pair.B == best && pair.A == m.Method {
					fixture.Equal(t, at+": p", *pair.Test.PHolm, *m.PHolm)
				}
			}
			bold := map[bool]string{true: " best"}[m.NotWorse]
			fixture.Has(t, at+": page", shown, fmt.Sprintf(`<th scope="row">%s</th><td class="num%s">%s ± %s</td>`, m.Name, bold, document.Minus(mean), m.SD))
			number := mean
			if m.NotWorse {
				digits, negative := strings.CutPrefix(mean, "-")
				number = map[bool]string{true: "-"}[negative] + `\textbf{` + digits + `}`
			}
			fixture.Has(t, at+": LaTeX", latex, "$"+number+"^{", `$\pm$`+m.SD)
		}
	}
}

// The spec that `data show` gives for a training and a test file runs as it stands, and tests on the rows of the second.
func TestPairSpec(t *testing.T) {
	dir := t.TempDir()
	for name, rows := range map[string]int{"my train.csv": 40, "my test.csv": 26} {
		text := "x,y,class\n"
		for i := range rows {
			text += fmt.Sprintf("%d.5,%d,%c\n", i%7+3*(i%2), i%5, 'a'+i%2)
		}
		fixture.Check(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666))
	}
	code, stdout, stderr := command(t, "data", "show", filepath.Join(dir, "my train.csv"))
	_, spec, _ := strings.Cut(stdout, "`{name:")
	spec, _, found := strings.Cut(spec, "`")
	if code != 0 || !found {
		t.Fatalf("%d: %s%s", code, stdout, stderr)
	}
	file := filepath.Join(dir, "pair.yaml")
	fixture.Check(t, os.WriteFile(file, []byte("{name:"+spec), 0o666))
	code, stdout, stderr = command(t, "run", file, "--results", filepath.Join(dir, "results"), "--format", "csv")
	rows := strings.Split(strings.TrimSpace(stdout), "\n")
	if code != 0 || len(rows) != 3 || !strings.Contains(rows[1], ",26,euclidean,") {
		t.Errorf("%d: %s%s", code, stdout, stderr)
	}
}
