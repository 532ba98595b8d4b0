package spec

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"r2lmlbench/datasets"
)

// PaperEntries are the 18 data sets of the paper, A to R.
func PaperEntries() []datasets.Entry {
	var list []datasets.Entry
	for _, e := range datasets.All() {
		if e.Letter != "" && !e.Generated() {
			list = append(list, e)
		}
	}
	return list
}

func datasetIDs() []string {
	var ids []string
	for _, e := range datasets.All() {
		ids = append(ids, e.ID)
	}
	return ids
}

// allDatasets names the paper's 18 in a spec.
const allDatasets = "all"

// ImportedPrefix marks the split of an imported author-style .mat file.
const ImportedPrefix = "mat:"

// OwnPrefix marks own data that were imported into the library.
const OwnPrefix = "own:"

// Imported tells whether a data set is a split of the user's own.
func Imported(e datasets.Entry) bool { return strings.HasPrefix(e.ID, ImportedPrefix) }

// FindDatasets returns the data sets that a name in a spec stands for: one id
// or letter, or all for the paper's.
func FindDatasets(name string) ([]datasets.Entry, error) {
	if name == allDatasets {
		return PaperEntries(), nil
	}
	e, err := FindDataset(name)
	if err != nil {
		return nil, err
	}
	return []datasets.Entry{e}, nil
}

// FindDataset returns the data set of this id or letter, or that of a generated
// one and a seed, see [datasets.Find]. An id mat:NAME names an imported split and
// own:NAME imported data, which may or may not be there.
func FindDataset(name string) (datasets.Entry, error) {
	if rest, ok := strings.CutPrefix(name, ImportedPrefix); ok && rest != "" {
		return datasets.Entry{ID: name, Name: rest}, nil
	}
	if rest, ok := strings.CutPrefix(name, OwnPrefix); ok && rest != "" {
		return datasets.LibraryEntry(rest), nil
	}
	e, err := datasets.Find(name)
	if errors.Is(err, datasets.ErrUnknown) {
		id, _, _ := strings.Cut(name, ":")
		return e, fmt.Errorf("%w %q%s", datasets.ErrUnknown, name, cmp.Or(suggest(id, datasetIDs()), "; see: r2lmlbench data list"))
	}
	return e, err
}

// SplitName names a split in cells and tables.
func SplitName(e datasets.Entry, rule datasets.Rule) string {
	if Imported(e) {
		return "imported"
	}
	return rule.String()
}
