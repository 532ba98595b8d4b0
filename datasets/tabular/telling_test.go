package tabular

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"r2lmlbench/internal/fixture"
)

// drawTable writes rows with a feature of noise, a column x and a class, in any order. value
// draws the column and the class, from 0, of row i; a tenth of the odd rows may lack the column.
func drawTable(t *rapid.T, n int, value func(rng *rand.Rand, i int) (x string, class int)) string {
	rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
	gaps := rapid.Bool().Draw(t, "missing values")
	var lines []string
	for i := range n {
		x, class := value(rng, i)
		if gaps && i%2 == 1 && rng.IntN(10) == 0 {
			x = "NA"
		}
		lines = append(lines, fmt.Sprintf("%.6f,%s,class %d\n", rng.NormFloat64(), x, class))
	}
	rng.Shuffle(n, func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
	return "noise,x,class\n" + strings.Join(lines, "")
}

// telling are the remarks on a table that columns tell the class.
func telling(t *rapid.T, text string, drop ...ColumnRef) []string {
	o := Layout{Label: ColumnRef{Name: "class"}, Encode: OneHot, Impute: "mean", Drop: drop}
	return fixture.Must(read("x.csv", []byte(text), o))(t).Telling()
}

// spelled writes a value as a number or as a word.
func spelled(words bool, value int) string {
	if words {
		return fmt.Sprintf("v%02d", value)
	}
	return fmt.Sprint(value)
}

// A column whose one or two values of each class are those of no other gives the class.
func TestColumnGivesClass(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		classes, each, words := rapid.IntRange(2, 5).Draw(t, "classes"), rapid.IntRange(1, 2).Draw(t, "values a class"), rapid.Bool().Draw(t, "words")
		text := drawTable(t, rapid.IntRange(60, 200).Draw(t, "rows"), func(rng *rand.Rand, i int) (string, int) {
			return spelled(words, i%classes+classes*rng.IntN(each)), i % classes
		})
		got := telling(t, text)
		if len(got) != 1 || !strings.Contains(got[0], `"x" alone gives the class`) {
			t.Errorf("got %q", got)
		}
		fixture.Equal(t, "remarks where the column is no feature", len(telling(t, text, ColumnRef{Name: "x"})), 0)
	})
}

// Many values with one class each, in no order, are those of groups, feature or not.
func TestColumnNamesGroups(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		classes, words := rapid.IntRange(2, 3).Draw(t, "classes"), rapid.Bool().Draw(t, "words")
		groups, each := rapid.IntRange(8, 40).Draw(t, "groups"), rapid.IntRange(4, 10).Draw(t, "rows a group")
		text := drawTable(t, groups*each, func(_ *rand.Rand, i int) (string, int) { return spelled(words, i/each), i / each % classes })
		for _, drop := range []Columns{nil, {{Name: "x"}}} {
			got := telling(t, text, drop...)
			if len(got) != 1 || !strings.Contains(got[0], fmt.Sprintf(`column "x" have the same class (%d values`, groups)) {
				t.Errorf("dropped %v: got %q", drop, got)
			}
		}
	})
}

// Columns that tell nothing, or as good features do: noise, names of rows, numbers that have
// each class in a range or two, values that have one class but for one row.
func TestColumnTellsNothing(t *testing.T) {
	kinds := map[string]func(rng *rand.Rand, i int) (string, int){
		"noise":       func(rng *rand.Rand, i int) (string, int) { return fmt.Sprintf("%.2f", rng.NormFloat64()), i % 2 },
		"whole noise": func(rng *rand.Rand, i int) (string, int) { return fmt.Sprint(rng.IntN(9)), i % 3 },
		"words":       func(rng *rand.Rand, i int) (string, int) { return spelled(true, rng.IntN(30)), i % 2 },
		"rare class":  func(rng *rand.Rand, i int) (string, int) { return spelled(true, rng.IntN(30)), 1 / (1 + i/3) },
		"row numbers": func(_ *rand.Rand, i int) (string, int) { return fmt.Sprint(i), i % 2 },
		"pairs":       func(_ *rand.Rand, i int) (string, int) { return fmt.Sprint(i - i%97/90), i % 2 },
		"threshold":   func(rng *rand.Rand, _ int) (string, int) { x := rng.IntN(40); return fmt.Sprint(x), x / 20 },
		"thresholds":  func(rng *rand.Rand, _ int) (string, int) { x := rng.IntN(40); return fmt.Sprint(x), x / 14 },
		"inside":      func(rng *rand.Rand, _ int) (string, int) { x := rng.IntN(40); return fmt.Sprint(x), x / 10 % 3 % 2 },
		"some astray": func(_ *rand.Rand, i int) (string, int) { return fmt.Sprint(i % 2), (i + 1/(1+i/12)) % 2 },
	}
	for name, value := range kinds {
		t.Run(name, rapid.MakeCheck(func(t *rapid.T) {
			text := drawTable(t, rapid.IntRange(60, 400).Draw(t, "rows"), value)
			for _, drop := range []Columns{nil, {{Name: "x"}}} {
				if got := telling(t, text, drop...); len(got) > 0 {
					t.Errorf("dropped %v: got %q", drop, got)
				}
			}
		}))
	}
}

// The order of rows changes no remark on copies.
func TestCopiesOfPermutedRows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rows := drawRows(t, 1e-6)
		table := func() *Table {
			all := Table{Names: make([]string, len(rows[0]))}
			for _, row := range rows {
				all.X, all.Y = append(all.X, row...), append(all.Y, 1)
			}
			return &all
		}
		before := table().copied()
		slices.Reverse(rows)
		fixture.EqualSlice(t, "remarks", table().copied(), before)
	})
}
