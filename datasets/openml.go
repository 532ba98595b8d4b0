package datasets

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"r2lmlbench/datasets/tabular"
	"r2lmlbench/internal/files"
)

// openmlColumns are the attributes of a file of splits, as https://www.openml.org/api_splits/get/TASK has it.
var openmlColumns = []string{"type", "rowid", "repeat", "fold"}

// openmlParts are the parts of a column of folds, by their second letter, which differs.
var openmlParts = map[byte]string{'r': "train", 'e': "test"}

// openmlSplits reads the splits of an OpenML task on data of some rows: for each repeat what each row has in a column of
// folds. A repeat of one fold has the parts train and test, others the numbers of the folds in which the rows test.
func openmlSplits(file string, rows int) (repeats [][]string, err error) {
	b, err := tabular.Load(file, true)
	if err != nil {
		return nil, err
	}
	cells, err := tabular.OpenCells(files.Context(), file, b, tabular.MaxBytes, tabular.Layout{Format: tabular.ARFF})
	if err != nil {
		return nil, err
	}
	at, err := openmlPlaces(cells.Names)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	fail := func(format string, args ...any) error {
		return fmt.Errorf("%s"+format, append([]any{file}, args...)...)
	}
	var parts [][][]byte // by repeat and fold, of each row: a letter of openmlParts, or 0
	kept := 0
	err = cells.Each(func(line int, row []tabular.Value) error {
		part, n, err := openmlRow(row[at[0]], row[at[1]], row[at[2]], row[at[3]])
		if err != nil {
			return fail(":%d: %w", line, err)
		}
		if n[0] >= rows {
			return fail(":%d: rowid is %d, and the data have %d rows, numbered from 0; it is not the task of these data, or rows are left out", line, n[0], rows)
		}
		for len(parts) <= n[1] {
			parts = append(parts, nil)
		}
		for len(parts[n[1]]) <= n[2] {
			if kept += rows; kept > tabular.MaxValues {
				return fail(": more than %d rows in all folds, which is the limit", tabular.MaxValues)
			}
			parts[n[1]] = append(parts[n[1]], make([]byte, rows))
		}
		of := &parts[n[1]][n[2]][n[0]]
		if *of != 0 {
			return fail(":%d: row %d is twice in fold %d of repeat %d", line, n[0], n[2], n[1])
		}
		*of = part[1]
		return nil
	})
	if err != nil {
		return nil, err
	}
	for r, folds := range parts {
		one, err := columnOf(folds, rows, len(parts[0]))
		if err != nil {
			return nil, fail(": repeat %d: %w", r, err)
		}
		repeats = append(repeats, one)
	}
	if repeats == nil {
		return nil, fail(": the file has no splits")
	}
	return repeats, nil
}

// openmlPlaces finds openmlColumns among the attributes of a file.
func openmlPlaces(names []string) (at [4]int, err error) {
	for i, name := range openmlColumns {
		if at[i] = slices.Index(names, name); at[i] < 0 {
			return at, fmt.Errorf("there is no attribute %s; want the splits of an OpenML task, with type, rowid, repeat and fold", name)
		}
	}
	if slices.Contains(names, "sample") {
		return at, errors.New("the task is a learning curve, whose samples are no splits; use those of a task of cross-validation or holdout")
	}
	return at, nil
}

// openmlRow has the values of type, in small letters, and of rowid, repeat and fold.
func openmlRow(kind tabular.Value, cells ...tabular.Value) (part string, n [3]int, err error) {
	if part = strings.ToLower(kind.Text); part != "train" && part != "test" {
		return part, n, fmt.Errorf("type is %q, want TRAIN or TEST", kind.Text)
	}
	for i, c := range cells {
		if n[i] = int(c.Number); float64(n[i]) != c.Number || n[i] < 0 || i > 0 && n[i] >= tabular.MaxFolds {
			return part, n, fmt.Errorf("%s is %q, want a number from 0", openmlColumns[i+1], c.Text)
		}
	}
	return part, n, nil
}

// columnOf makes a column of folds of the parts that each row has in each fold of a repeat.
func columnOf(folds [][]byte, rows, want int) ([]string, error) {
	if len(folds) != want {
		return nil, fmt.Errorf("it has %d folds, and repeat 0 has %d", len(folds), want)
	}
	column := make([]string, rows)
	for row := range rows {
		for f, part := range folds {
			switch {
			case part[row] == 0:
				return nil, fmt.Errorf("row %d of the data is not in fold %d; it is not the task of these data", row, f)
			case len(folds) == 1:
				column[row] = openmlParts[part[row]]
			case part[row] == 'e' && column[row] != "":
				return nil, fmt.Errorf("row %d tests in two folds; want folds of a cross-validation, or one for each repeat", row)
			case part[row] == 'e':
				column[row] = strconv.Itoa(f + 1)
			}
		}
		if column[row] == "" {
			return nil, fmt.Errorf("row %d tests in no fold; want folds of a cross-validation, or one for each repeat", row)
		}
	}
	return column, nil
}
