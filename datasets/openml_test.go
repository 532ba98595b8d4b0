package datasets

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"r2lmlbench/datasets/tabular"
	"r2lmlbench/internal/fixture"
)

// openmlHeader is that of the files of OpenML.
const openmlHeader = "@RELATION toy_splits\n\n@ATTRIBUTE type {TRAIN,TEST}\n" +
	"@ATTRIBUTE rowid INTEGER\n@ATTRIBUTE repeat INTEGER\n@ATTRIBUTE fold INTEGER\n\n@DATA\n"

// Under rule openml the rows of each part are those that the file gives to it, whatever its order of lines.
func TestOpenMLSplits(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		repeats, folds, rows := rapid.IntRange(1, 3).Draw(t, "repeats"), rapid.IntRange(1, 4).Draw(t, "folds"), 24
		var lines []string
		want := map[[3]int]bool{} // repeat, fold, row: it tests
		for r := range repeats {
			of := make([]int, rows)
			for i := range of {
				of[i] = i
			}
			of = rapid.Permutation(of).Draw(t, "order")
			for row := range rows {
				for f := range folds {
					test := of[row]%max(folds, 2) == f
					want[[3]int{r, f, row}] = test
					lines = append(lines, fmt.Sprintf("%s,%d,%d,%d", map[bool]string{true: "TEST", false: "TRAIN"}[test], row, r, f))
				}
			}
		}
		lines = rapid.Permutation(lines).Draw(t, "lines")
		file := filepath.Join(dir, "splits.arff")
		fixture.Write(t, file, openmlHeader+strings.Join(lines, "\n")+"\n")
		data := "x,class\n"
		for row := range rows {
			data += fmt.Sprintf("%d.5,%s\n", row, []string{"u", "v"}[row%2])
		}
		table := filepath.Join(dir, "data.csv")
		fixture.Write(t, table, data)
		e := OwnDataSet("toy", Own{File: table, Task: file, Options: tabular.Layout{Label: tabular.ColumnRef{Name: "class"}}})
		d, err := Library{}.Load(e)
		if err != nil {
			t.Fatal(err)
		}
		if e = e.Known(d); e.Splits() != repeats*folds {
			t.Fatalf("%d splits, want %d", e.Splits(), repeats*folds)
		}
		for r := range repeats {
			for f := range folds {
				rule := Rule{Kind: "openml", Repeat: r + 1}
				if folds > 1 {
					rule.Folds, rule.Fold = folds, f+1
				}
				parts, _, err := Divide(e, d, rule)
				if err != nil {
					continue // a class that does not train
				}
				sizes, err := rule.PartSizes(e)
				if err != nil || sizes != [3]int{len(parts[0]), len(parts[1]), len(parts[2])} || len(parts[0])+len(parts[2]) != rows {
					t.Fatalf("%v: sizes %v, %d and %d rows, %v", rule, sizes, len(parts[0]), len(parts[2]), err)
				}
				for _, row := range parts[2] {
					if !want[[3]int{r, f, row}] {
						t.Fatalf("%v tests on row %d", rule, row)
					}
				}
				for _, row := range parts[0] {
					if want[[3]int{r, f, row}] {
						t.Fatalf("%v trains on row %d", rule, row)
					}
				}
			}
		}
	})
}

// The folds of a repeat are numbered from 1, and those of a holdout are its parts.
func TestNamesOfOpenMLSplits(t *testing.T) {
	for text, want := range map[string]string{
		"TRAIN,0,0,0\nTEST,1,0,0\nTEST,0,0,1\nTRAIN,1,0,1\n": "[[2 1]]",
		"TRAIN,0,0,0\nTEST,1,0,0\nTEST,0,1,0\nTRAIN,1,1,0\n": "[[train test] [test train]]",
	} {
		file := fixture.Write(t, filepath.Join(t.TempDir(), "splits.arff"), openmlHeader+text)
		fixture.Equal(t, text, fmt.Sprint(fixture.Must(openmlSplits(file, 2))(t)), want)
	}
}

// A file that is no task of the data is refused, with the line or the row.
func TestOtherOpenMLSplits(t *testing.T) {
	fixture.Equal(t, "limits", [2]int{tabular.MaxFolds, tabular.MaxValues}, [2]int{1000, 32 << 20})
	whole := "TRAIN,0,0,0\nTEST,1,0,0\nTEST,0,0,1\nTRAIN,1,0,1\n"
	for _, c := range []struct{ name, text, want string }{
		{"whole", openmlHeader + whole, ""},
		{"a row more", openmlHeader + whole + "TRAIN,2,0,0\n", ":13: rowid is 2, and the data have 2 rows"},
		{"a row less", openmlHeader + "TRAIN,0,0,0\nTEST,0,0,1\n", "repeat 0: row 1 of the data is not in fold 0"},
		{"a row twice", openmlHeader + whole + "TEST,0,0,0\n", "row 0 is twice in fold 0 of repeat 0"},
		{"two test folds", openmlHeader + strings.Replace(whole, "TRAIN,0", "TEST,0", 1), "row 0 tests in two folds"},
		{"no test fold", openmlHeader + strings.Replace(whole, "TEST,0", "TRAIN,0", 1), "row 0 tests in no fold"},
		{"other folds", openmlHeader + whole + "TRAIN,0,1,0\nTEST,1,1,0\n", "repeat 1: it has 1 folds, and repeat 0 has 2"},
		{"a fraction", openmlHeader + "TRAIN,0.5,0,0\n", `rowid is "0.5"`},
		{"a far repeat", openmlHeader + "TRAIN,0,1000,0\n", "repeat is"},
		{"a far fold", openmlHeader + "TRAIN,0,999,1000\n", "fold is"},
		{"no splits", openmlHeader, "no splits"},
		{"a missing type", openmlHeader + "?,0,0,0\n", "want TRAIN or TEST"},
		{"a learning curve", strings.Replace(openmlHeader, "\n@DATA", "@ATTRIBUTE sample INTEGER\n@DATA", 1) + "TRAIN,0,0,0,0\n", "learning curve"},
		{"another file", "@relation r\n@attribute x real\n@data\n1\n", "no attribute type"},
	} {
		file := filepath.Join(t.TempDir(), "splits.arff")
		fixture.Write(t, file, c.text)
		_, err := openmlSplits(file, 2)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}
