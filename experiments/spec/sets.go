package spec

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"r2lmlbench/datasets"
)

// allDatasets names the paper's 18 in a spec.
const allDatasets = "all"

// ImportedPrefix marks the split of an imported author-style .mat file.
const ImportedPrefix = "mat:"

// Imported reports whether a data set is an imported split.
func Imported(e datasets.DataSet) bool { return strings.HasPrefix(e.ID, ImportedPrefix) }

// FindDatasets returns the data sets of a name in a spec: an id, a letter, or
// "all" for the paper's sets.
func FindDatasets(name string) ([]datasets.DataSet, error) {
	if name == allDatasets { // A to R
		return slices.DeleteFunc(datasets.All(), func(e datasets.DataSet) bool { return e.Letter == "" || e.Generated() }), nil
	}
	e, err := FindDataset(name)
	if err != nil {
		return nil, err
	}
	return []datasets.DataSet{e}, nil
}

// FindDataset returns the data set of an id or letter, or of a generated one and a seed,
// see [datasets.Find]. An id mat:NAME names an imported split; its file may be missing.
func FindDataset(name string) (datasets.DataSet, error) {
	if rest, ok := strings.CutPrefix(name, ImportedPrefix); ok && rest != "" {
		return datasets.DataSet{ID: name, Name: rest}, nil
	}
	e, err := datasets.Find(name)
	if errors.Is(err, datasets.ErrUnknown) {
		id, _, _ := strings.Cut(name, ":")
		return e, fmt.Errorf("%w %q%s", datasets.ErrUnknown, name, cmp.Or(suggest(id, datasets.IDs(datasets.All())), "; see: r2lmlbench data list"))
	}
	return e, err
}

// SplitName names a split in cells and tables.
func SplitName(e datasets.DataSet, rule datasets.Rule) string {
	if Imported(e) {
		return "imported"
	}
	return rule.String()
}

// Narrow keeps the named data sets and methods of a spec; empty lists keep
// all. A method is named by its column or by its id. Unknown names are errors.
func (s *Spec) Narrow(datasetNames, methodNames []string) error {
	entries, err := pick(s.Name, s.Sets, datasetNames, "data set", func(e datasets.DataSet) []string { return []string{e.ID, e.Letter} },
		letters(s.Sets))
	if err != nil {
		return err
	}
	columns, err := pick(s.Name, s.Columns, methodNames, "method", func(c Column) []string { return []string{c.ID, c.Method.ID} }, "")
	if err != nil {
		return err
	}
	s.Narrowed = s.Narrowed || len(entries) < len(s.Sets) || len(columns) < len(s.Columns)
	s.Sets, s.Columns = entries, columns
	return nil
}

// letters lists the letters of data sets in words; "" without any.
func letters(entries []datasets.DataSet) string {
	var all []string
	for _, e := range entries {
		if e.Letter != "" {
			all = append(all, e.Letter)
		}
	}
	if len(all) == 0 {
		return ""
	}
	slices.Sort(all)
	return "; letters " + strings.Join(slices.Compact(all), ", ")
}

// pick keeps the items of a spec with one of the wanted names, in the order of the spec. The
// error about an unknown name ends with besides, which lists other kinds of names.
func pick[T any](spec string, items []T, wanted []string, what string, names func(T) []string, besides string) ([]T, error) {
	if len(wanted) == 0 {
		return items, nil
	}
	keep := make([]bool, len(items))
	for _, w := range wanted {
		found := false
		var known []string
		for i, item := range items {
			known = append(known, names(item)[0])
			if slices.ContainsFunc(names(item), func(n string) bool { return n != "" && strings.EqualFold(n, w) }) {
				keep[i], found = true, true
			}
		}
		if !found {
			return nil, fmt.Errorf("%s has no %s %q%s; it has %s%s", spec, what, w, suggest(w, known), strings.Join(known, ", "), besides)
		}
	}
	var kept []T
	for i, item := range items {
		if keep[i] {
			kept = append(kept, item)
		}
	}
	return kept, nil
}
