package cli

import (
	"encoding/csv"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"r2lmlbench/internal/fixture"
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
		}), "--methods lfda", 0, `^LFDA is the most accurate, .*: all 2 others are significantly worse[.]\nLFDA beats plain k-NN .* by \d+`, "more splits|--splits"},
		{"equal", labelled(40, 3, func(r *rand.Rand, class int) []any { return []any{r.NormFloat64() + 50*float64(class), class} }), "",
			0, `^All 3 methods have 100.00 %`, "significantly better|more splits"},
		{"no clear winner", labelled(60, 2, func(r *rand.Rand, class int) []any { return []any{r.NormFloat64() + 3*float64(class), r.NormFloat64()} }), "",
			0, `^No clear winner: .* of 2 others are not significantly worse[.]\nNo method is significantly better than k-NN`, "beats plain"},
		{"standardizing helps", labelled(100, 2, func(r *rand.Rand, class int) []any {
			return []any{r.NormFloat64() + 3*float64(class), 1e4 * r.NormFloat64()}
		}), "--methods kissme", 0, `Standardizing the features gives plain k-NN \d+[.]\d+ points more .* no method is significantly better than that`, ""},
		{"noise", labelled(60, 2, noise), "", 0, `^No method (is shown to be|has a) (better|higher accuracy) than always answering`, "No clear winner|winner"},
		{"heavy imbalance", func(r *rand.Rand) (rows [][]any) {
			for i := range 248 {
				rows = append(rows, []any{r.NormFloat64() + 2*float64(i/240), r.NormFloat64(), []string{"n", "r"}[i/240]})
			}
			return rows
		}, "", 0, "Accuracy hardly counts the rare class `r` [(]3.2 %[)]; --measure balanced-accuracy", ""},
		{"imbalance by another measure", func(r *rand.Rand) (rows [][]any) {
			for i := range 248 {
				rows = append(rows, []any{r.NormFloat64() + 9*float64(i/240), r.NormFloat64(), []string{"n", "r"}[i/240]})
			}
			return rows
		}, "--measure balanced-accuracy", 0, "balanced accuracy", "rare"},
		{"three rows a class", labelled(3, 10, noise), "", exitSpec, "more than [12] training rows? in a split, and 5 neighbors vote.*--neighbors 1", "computed"},
		{"three rows a class, few neighbors", labelled(3, 10, noise), "--neighbors 1 --methods euclidean", 0, "always answering", "nothing to compare"},
		{"constant", labelled(30, 2, func(*rand.Rand, int) []any { return []any{1, 2} }), "", exitSpec, "all features are constant", "computed"},
		{"copies", twice(labelled(30, 2, noise), 0), "", 0, `On average \d+.* of the \d+ test rows of a split have a copy`, "each of the 60 values|--group x"},
		{"near copies", twice(labelled(30, 2, noise), 1e-6), "", 0, `On average \d+.* of the \d+ test rows of a split have a copy or near copy`, "each of the"},
		{"a column that gives the class", labelled(60, 2, func(r *rand.Rand, class int) []any { return []any{r.NormFloat64(), 7 + 2*class} }), "",
			0, `Beware: column "x1" alone gives the class`, ""},
		{"patients", patients, "", 0, `Beware: each of the 30 values of column "x0" has one class, in 6 rows on average`, ""},
		{"patients kept together", patients, "--group x0", 0, "^No method (is shown to be|has a) (better|higher accuracy) than always answering", "Beware"},
		{"failures", labelled(40, 2, func(_ *rand.Rand, class int) []any { return []any{class, 2 * class} }), "--methods rca", exitCells,
			`RCA has no result: it failed on all 4 splits`, `(?s)FAILED.*FAILED`},
	} {
		t.Run(c.name, func(t *testing.T) {
			file := filepath.Join(dir, strings.ReplaceAll(c.name, " ", "-")+".csv")
			var b strings.Builder
			w := csv.NewWriter(&b)
			rows := c.rows(rand.New(rand.NewPCG(1, 2)))
			for i, row := range rows {
				var fields []string
				if i == 0 {
					for j := range row[1:] {
						fields = append(fields, fmt.Sprintf("x%d", j))
					}
					fixture.Check(t, w.Write(append(fields, "class")))
					fields = nil
				}
				for _, v := range row {
					fields = append(fields, fmt.Sprint(v))
				}
				fixture.Check(t, w.Write(fields))
			}
			w.Flush()
			fixture.Check(t, os.WriteFile(file, []byte(b.String()), 0o666))
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
