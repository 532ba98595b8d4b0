package tabular

import (
	"archive/zip"
	"bytes"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"r2lmlbench/internal/codecs"
	"r2lmlbench/internal/files"
	"r2lmlbench/internal/text"
)

// A matrix is an array of a file: numbers, or texts in one column.
type matrix struct {
	name   string
	shape  []int
	isText bool
	number func(i, j int) (v float64, exact bool)
	text   func(i int) (text string, ok bool)
}

// pairs are what features and labels are called together, the names in lower case: frequent pairs first, then all others.
var pairs = func() (all [][2]string) {
	all = [][2]string{
		{"x", "y"}, {"fea", "gnd"}, {"features", "labels"}, {"data", "labels"}, {"data", "label"}, {"data", "target"}, {"features", "target"}, {"x", "labels"},
		{"x", "label"}, {"x", "target"}, {"inputs", "targets"}, {"images", "labels"}, {"arr_0", "arr_1"},
	}
	for _, x := range []string{"x", "fea", "features", "data", "inputs", "images", "embeddings", "attributes"} {
		for _, y := range []string{"y", "gnd", "labels", "label", "target", "targets", "class", "classes"} {
			if pair := [2]string{x, y}; !slices.Contains(all, pair) {
				all = append(all, pair)
			}
		}
	}
	return all
}()

// partNames are what the arrays of a part have in their names, before or behind a mark.
var partNames = []struct{ part, in string }{
	{"train", "train"}, {"train", "tr"}, {"validation", "val"}, {"validation", "valid"}, {"validation", "va"}, {"test", "test"}, {"test", "te"},
}

// A pair is the arrays of a part of the data.
type arrayPair struct {
	part string // "": there are no parts
	x, y string
}

// findPairs returns the arrays that hold features and labels, of the training rows before those of others.
func findPairs(names []string) []arrayPair {
	find := func(want string) string {
		for _, exact := range []func(a, b string) bool{func(a, b string) bool { return a == b }, strings.EqualFold} {
			if i := slices.IndexFunc(names, func(name string) bool { return exact(name, want) }); i >= 0 {
				return names[i]
			}
		}
		return ""
	}
	var found []arrayPair
	for _, p := range pairs {
		if x, y := find(strings.ToUpper(p[0])), find(p[1]); x != "" && y != "" && x != y {
			return []arrayPair{{x: x, y: y}}
		}
	}
	for _, p := range partNames {
		for _, pair := range pairs {
			for _, form := range []string{"%[1]s_%[2]s", "%[2]s_%[1]s", "%[1]s%[2]s", "%[2]s%[1]s"} {
				x, y := find(fmt.Sprintf(form, pair[0], p.in)), find(fmt.Sprintf(form, pair[1], p.in))
				if x != "" && y != "" && !slices.ContainsFunc(found, func(a arrayPair) bool { return a.part == p.part }) {
					found = append(found, arrayPair{p.part, x, y})
				}
			}
		}
	}
	if len(found) == 1 && found[0].part == "test" {
		return nil
	}
	return found
}

// uses tells whether one of the pairs has an array.
func uses(found []arrayPair, name string) bool {
	return slices.ContainsFunc(found, func(p arrayPair) bool { return p.x == name || p.y == name })
}

// Load reads the bytes of a file of data. An array in a file of its own, such as X.npy, comes with those
// beside it that belong to it, y.npy or y_train.npy and those of the test rows, as a file of NPZ; with
// alone the arrays of other parts do not come.
func Load(file string, alone bool) ([]byte, error) {
	b, err := files.Read(file, MaxBytes+1)
	if err != nil || !bytes.HasPrefix(b, []byte("\x93NUMPY")) {
		return b, err
	}
	const suffix = ".npy"
	dir, own := filepath.Dir(file), strings.TrimSuffix(filepath.Base(file), suffix)
	beside, _ := filepath.Glob(filepath.Join(globbed(dir), "*"+suffix))
	var names []string
	for _, path := range beside {
		names = append(names, strings.TrimSuffix(filepath.Base(path), suffix))
	}
	found := findPairs(names)
	for len(found) > 0 && !uses(found, own) {
		names = slices.DeleteFunc(names, func(name string) bool { return uses(found, name) })
		found = findPairs(names)
	}
	if alone {
		found = slices.DeleteFunc(found, func(p arrayPair) bool { return p.x != own && p.y != own })
	}
	arrays := []string{own}
	for _, p := range found {
		arrays = append(arrays, p.x, p.y)
	}
	slices.Sort(arrays)
	var all bytes.Buffer
	z := zip.NewWriter(&all)
	for _, name := range slices.Compact(arrays) {
		content := b
		if name != own {
			if content, err = files.Read(filepath.Join(dir, name+suffix), MaxBytes+1); err != nil {
				return nil, err
			}
		}
		w, err := z.CreateHeader(&zip.FileHeader{Name: name + suffix, Method: zip.Store})
		if err == nil {
			_, err = w.Write(content)
		}
		if err != nil {
			return nil, err
		}
	}
	err = z.Close()
	return all.Bytes(), err
}

// globbed is a path as a pattern that matches it alone.
func globbed(path string) string {
	return strings.NewReplacer(`*`, `[*]`, `?`, `[?]`, `[`, `[[]`).Replace(path)
}

// featuresAlone finds features that no labels belong to: rows that labels are wanted for.
func featuresAlone(names []string) []arrayPair {
	for _, name := range names {
		if len(names) == 1 || slices.ContainsFunc(pairs, func(p [2]string) bool { return strings.EqualFold(p[0], name) }) {
			return []arrayPair{{x: name}}
		}
	}
	return nil
}

// npz opens the arrays of a file that numpy.savez or savez_compressed wrote.
func (t *builder) npz() *sheet {
	b, err := t.whole()
	var z *codecs.Archive
	if err == nil {
		z, err = codecs.Open(b, codecs.Memory(len(t.raw)))
	}
	if err != nil {
		t.ended(err)
		return nil
	}
	return t.arrays(z.Names, 0, func(name string) (matrix, error) {
		a, err := z.Read(name, MaxRows, maxName)
		return matrix{name, a.Shape, a.IsText(), a.Number, a.Text}, err
	})
}

// mat opens the matrices of a MAT-file. Rows of X may be its columns, if y has as many values.
func (t *builder) mat() *sheet {
	b, err := t.whole()
	var all map[string]codecs.Matrix
	if err == nil {
		all, err = codecs.ReadMAT(b)
	}
	if err != nil {
		t.ended(err)
		return nil
	}
	var names []string
	for name := range all {
		names = append(names, name)
	}
	slices.Sort(names)
	return t.arrays(names, 1, func(name string) (matrix, error) {
		a := all[name]
		m := matrix{name: name, shape: []int{a.Rows, a.Cols}, number: func(i, j int) (float64, bool) { return a.At(i, j), true }}
		m.text = func(i int) (string, bool) { v := a.Data[i]; return strconv.FormatFloat(v, 'f', -1, 64), v == v }
		return m, nil
	})
}

// arrays makes a sheet of the arrays of features and labels.
// base is the label of the first column of labels that are vectors with a 1.
func (t *builder) arrays(names []string, base int, read func(name string) (matrix, error)) *sheet {
	found := findPairs(names)
	if t.wanted != nil && found == nil {
		found = featuresAlone(names)
	}
	if found == nil {
		if len(names) == 1 { // of named fields, perhaps, or of Python objects
			if _, err := read(names[0]); err != nil {
				t.ended(err)
				return nil
			}
		}
		t.at(0, 0, "%s", t.noPair(names))
		return nil
	}
	s := &sheet{labelled: true, parts: len(found) > 1}
	rows, err := t.fitted(found, base, read)
	if err != nil {
		t.ended(err)
		return nil
	}
	s.width = rows[0][0].shape[1]
	var others []string
	for _, name := range names {
		if !uses(found, name) {
			others = append(others, quoted(name))
		}
	}
	if len(others) > 0 {
		t.notes = []string{fmt.Sprintf("%s of the file %s not used: %s", text.Counted(len(others), "array"), text.Agree(len(others), "is", "are"), someOf(others))}
	}
	for j := range s.width {
		s.names, s.declared = append(s.names, fmt.Sprintf("x%d", j+1)), append(s.declared, numbers)
	}
	s.each = func(faults *reporter, use func(row) bool) {
		before := 0
		for k, pair := range rows {
			if !t.arrayRows(pair, found[k].part, before, faults, use) {
				return
			}
			before += pair[0].shape[0]
		}
	}
	return s
}

// fitted reads the arrays of each part and checks that they belong together.
func (t *builder) fitted(found []arrayPair, base int, read func(name string) (matrix, error)) (rows [][2]matrix, err error) {
	for _, p := range found {
		x, err := read(p.x)
		var y matrix
		if err == nil && p.y != "" {
			y, err = read(p.y)
		} else if err == nil {
			y = matrix{shape: x.shape[:min(len(x.shape), 1)], text: func(int) (string, bool) { return "", false }}
		}
		if err == nil {
			x, y, err = fit(x, y, base)
		}
		if err != nil {
			return nil, err
		}
		rows = append(rows, [2]matrix{x, y})
		if width := rows[0][0].shape[1]; x.shape[1] != width {
			return nil, fmt.Errorf("%s has %d columns, %s has %d", x.name, x.shape[1], found[0].x, width)
		}
	}
	return rows, nil
}

// arrayRows gives the rows of a part, numbered on from those before. It tells whether more are wanted.
func (t *builder) arrayRows(pair [2]matrix, part string, before int, faults *reporter, use func(row) bool) bool {
	x, y := pair[0], pair[1]
	cells := make([]cell, x.shape[1])
	for i := range x.shape[0] {
		if i%1024 == 0 {
			if faults.stopped = t.ctx.Err(); faults.stopped != nil {
				return false
			}
		}
		for j := range cells {
			v, exact := x.number(i, j)
			cells[j] = cellOf(v)
			if !exact {
				faults.at(0, 0, "%s[%d, %d] is an integer beyond 2^53 that has no exact float64; if column %d has the names of rows, leave it out with `drop: [%d]`, "+
					"or else save X.astype(float)", x.name, i, j, j+1, j+1)
			}
		}
		label, ok := y.text(i)
		r := row{line: before + i + 1, cells: cells, label: cell{text: label, is: word}, place: func(int) (int, int) { return 0, 0 }, part: part}
		if !ok {
			r.label.is = absent
		}
		if !use(r) {
			return false
		}
	}
	return true
}

// fit checks that an array of features and one of labels belong together, and returns them with rows first. Labels that are
// vectors with a single 1 become its place.
func fit(x, y matrix, base int) (matrix, matrix, error) {
	if len(y.shape) == 2 && (y.shape[1] == 1 || y.shape[0] == 1) {
		y.shape = []int{y.shape[0] * y.shape[1]}
	}
	if len(y.shape) == 2 && !y.isText && y.shape[1] <= MaxClasses {
		var err error
		if y, err = unhot(y, base); err != nil {
			return x, y, err
		}
	}
	if len(x.shape) == 2 && len(y.shape) == 1 && x.shape[0] != y.shape[0] && x.shape[1] == y.shape[0] && base == 1 { // samples in columns
		of := x.number
		x.shape, x.number = []int{x.shape[1], x.shape[0]}, func(i, j int) (float64, bool) { return of(j, i) }
	}
	switch {
	case len(x.shape) > 2:
		return x, y, fmt.Errorf("%[1]s has %[2]s, want two: rows and features; images become rows by: %[1]s.reshape(len(%[1]s), -1)",
			x.name, text.Counted(len(x.shape), "dimension"))
	case len(x.shape) != 2:
		return x, y, fmt.Errorf("%s has %s, want two: rows and features", x.name, text.Counted(len(x.shape), "dimension"))
	case len(y.shape) != 1:
		return x, y, fmt.Errorf("%s has %s, want one: a label for each row of %s", y.name, text.Counted(len(y.shape), "dimension"), x.name)
	case x.shape[0] != y.shape[0]:
		return x, y, fmt.Errorf("%s has %s, %s has %d labels", x.name, text.Counted(x.shape[0], "row"), y.name, y.shape[0])
	case x.isText:
		return x, y, fmt.Errorf("%s holds texts; it must hold numbers", x.name)
	case x.shape[1] == 0 || x.shape[1] > MaxColumns:
		return x, y, fmt.Errorf("%s has %d columns, 1 to %d are possible", x.name, x.shape[1], MaxColumns)
	case x.shape[0] > MaxRows || x.shape[0]*x.shape[1] > MaxValues:
		return x, y, fmt.Errorf("%s has more than %d rows or %d values", x.name, MaxRows, MaxValues)
	}
	return x, y, nil
}

// unhot makes labels of rows with a single 1 each.
func unhot(y matrix, base int) (matrix, error) {
	places := make([]int, y.shape[0])
	for i := range places {
		ones := 0
		for j := range y.shape[1] {
			switch v, _ := y.number(i, j); v {
			case 0:
			case 1:
				places[i], ones = j+base, ones+1
			default:
				ones = 2
			}
		}
		if ones != 1 {
			return y, fmt.Errorf("%s has %d columns and in row %d not a single 1; want a label for each row", y.name, y.shape[1], i)
		}
	}
	return matrix{name: y.name, shape: y.shape[:1], text: func(i int) (string, bool) { return strconv.Itoa(places[i]), true }}, nil
}

// noPair tells of a file whose arrays are not called as features and labels are.
func (t *builder) noPair(names []string) string {
	has := "no array"
	if len(names) > 0 {
		var list []string
		for _, name := range names {
			list = append(list, quoted(name))
		}
		has = someOf(list)
	}
	switch {
	case slices.Contains(names, "indptr") && slices.Contains(names, "indices"):
		return "the file is a sparse matrix of SciPy without labels; save both: numpy.savez('table.npz', X=scipy.sparse.load_npz(FILE).toarray(), y=y)"
	case slices.Contains(names, "train_data") && slices.Contains(names, "test_data"):
		return "the file holds a split in the authors' form; `r2lmlbench data import` takes it"
	case t.layout.Format == MAT:
		return "no matrices X and y; the file has " + has + ", of full matrices of numbers; save them in MATLAB: " +
			"X = full(X); [~, ~, y] = unique(y); save('table.mat', 'X', 'y', '-v7')"
	}
	missing := "X"
	if slices.ContainsFunc(names, func(name string) bool {
		return slices.ContainsFunc(pairs, func(p [2]string) bool { return strings.EqualFold(p[0], name) })
	}) {
		missing = "y"
	}
	return "no array " + missing + "; the file has " + has + "; save it with: numpy.savez(FILE, X=X, y=y)"
}
