package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"r2lmlbench/datasets"
	"r2lmlbench/datasets/tabular"
	"r2lmlbench/experiments/plan"
	"r2lmlbench/experiments/spec"
	"r2lmlbench/internal/files"
)

// shownOwn is the JSON of `data show` for a file of own data.
type shownOwn struct {
	ID        string        `json:"id"`
	File      string        `json:"file"`
	Format    string        `json:"format"`
	SHA256    string        `json:"sha256"`
	Digest    string        `json:"content_digest"`
	Rows      int           `json:"rows"`
	Features  int           `json:"features"`
	Labels    []string      `json:"labels"`    // in code order
	Histogram []int         `json:"histogram"` // rows per class
	Missing   int           `json:"missing_values"`
	Dropped   int           `json:"dropped_rows"`
	Constant  []string      `json:"constant"`                // features
	Equal     int           `json:"duplicate_rows"`          // that have the features of an earlier row
	Conflicts int           `json:"duplicate_rows_of_other"` // class
	Columns   []shownColumn `json:"columns"`
	Folds     []shownFold   `json:"folds,omitempty"`
	Remarks   []string      `json:"remarks"`
	Guesses   []string      `json:"guesses"` // what of the stanza is a guess
	Stanza    string        `json:"stanza"`  // to paste into a spec
}

// A shownColumn is a feature: numbers, or the texts that have become categories.
type shownColumn struct {
	Name string `json:"name"`
	*shownNumbers
	Values  []string `json:"values,omitempty"`
	Missing int      `json:"missing"`
}

type shownNumbers struct {
	Min       float64 `json:"min"`
	Max       float64 `json:"max"`
	Mean      float64 `json:"mean"`
	Deviation float64 `json:"sd"`
}

type shownFold struct {
	Fold string `json:"fold"`
	Rows int    `json:"rows"`
}

// isFile tells whether an argument of `data show` is a file: it is no data set, and
// is there or looks like a path.
func isFile(name string) bool {
	if _, err := spec.FindDataset(name); err == nil {
		return false
	}
	_, err := os.Stat(name)
	return err == nil || strings.ContainsAny(name, `/\`) || tabular.Layout{}.FormatOf(name) != ""
}

// showFile shows a file of own data, and what to paste into a spec on a line that is not broken.
func (a *app) showFile(ctx context.Context, file string, given tabular.Layout) error {
	b, err := readData(file)
	if err != nil {
		return err
	}
	proposal, t, err := readGuessed(ctx, file, b, given)
	if err != nil {
		return err
	}
	if test := testBeside(file); test != "" {
		proposal.Why = append(proposal.Why, unusedBeside(file, test, proposal.Options))
	}
	s := describe(file, t, proposal)
	return a.showFacts("file", s, struct {
		Schema int        `json:"schema"`
		Files  []shownOwn `json:"files"`
	}{1, []shownOwn{s}}, fmt.Sprintf("\ndatasets: # for a spec in this folder\n  - %s\n%s", s.Stanza, s.split()))
}

// readGuessed reads the bytes of a file as is proposed for it.
func readGuessed(ctx context.Context, file string, b []byte, given tabular.Layout) (tabular.Proposal, *tabular.Table, error) {
	proposal, t, err := tabular.ReadGuessed(ctx, file, b, given)
	if ctx.Err() != nil {
		return proposal, nil, ctx.Err()
	}
	if err != nil {
		lines := append([]string{""}, proposal.Why...)
		if !proposal.NoLabel && !proposal.NoTable { // which have one remedy
			lines = append(lines, `say how the file is read with --stanza, such as: --stanza "{label: COLUMN, drop: [COLUMN]}"`)
		}
		return proposal, nil, fmt.Errorf("%w\n%w%s", datasets.ErrUnusable, err, strings.Join(lines, "\n"))
	}
	return proposal, t, nil
}

// unusedBeside says how a spec uses the test rows beside a file.
func unusedBeside(file, test string, o tabular.Layout) string {
	return fmt.Sprintf("%s beside it seems to have the test rows, which are not used here; as a spec in their folder: `%s`", test, pairSpec(file, test, o))
}

// pairSpec is a spec beside two files, in a line, that trains on one and tests on the other.
func pairSpec(train, test string, o tabular.Layout) string {
	id := idOf(train)
	return fmt.Sprintf("{name: %s, datasets: [%s], split: {rule: files, train: %q, test: %q}, select: {on: cross-validation}, features: zscore, "+
		"methods: [{method: euclidean}, {method: lfda}]}", id, spec.DataStanza(id, "", o), "./"+filepath.Base(train), "./"+filepath.Base(test))
}

// testBeside returns the file beside one of training rows whose name says that it has the test rows; "" without one.
func testBeside(file string) string {
	dir, name := filepath.Split(file)
	for _, pair := range [][2]string{{"", ".t"}, {"train", "test"}, {"Train", "Test"}, {"TRAIN", "TEST"}, {".tra", ".tes"}, {".data", ".test"}} {
		i := strings.LastIndex(name, pair[0])
		if i < 0 || pair[0] == ".tra" && strings.Contains(name, ".train") {
			continue
		}
		test := dir + name[:i] + pair[1] + name[i+len(pair[0]):]
		if info, err := os.Stat(test); err == nil && info.Mode().IsRegular() {
			return test
		}
	}
	return ""
}

// describe describes a file that was read.
func describe(file string, t *tabular.Table, read tabular.Proposal) shownOwn {
	id, o := idOf(file), read.Options
	data, equal := datasets.OwnData(t, o), t.Duplicates()
	s := shownOwn{
		ID: id, File: file, Format: t.Layout.Format, SHA256: t.SHA256, Digest: data.Digest(), Rows: t.Rows(), Features: t.Features(),
		Labels: t.Labels, Histogram: t.Histogram(), Missing: t.Missing, Dropped: t.Dropped, Constant: []string{},
		Equal: equal.Rows, Conflicts: equal.Classes, Remarks: append([]string{}, data.Remarks...), Guesses: append([]string{}, read.Why...),
	}
	for i, c := range t.Columns() {
		column := shownColumn{Name: c.Name, Missing: c.Missing}
		if t.Categories != nil && t.Categories[i] != nil {
			column.Values = t.Categories[i]
		} else {
			column.shownNumbers = &shownNumbers{c.Min, c.Max, c.Mean, c.Deviation}
		}
		s.Columns = append(s.Columns, column)
		if c.Min == c.Max {
			s.Constant = append(s.Constant, c.Name)
		}
	}
	for _, f := range (datasets.DataSet{}).Known(data).FoldSizes {
		fold := shownFold{Fold: f.Name}
		for _, rows := range f.Rows {
			fold.Rows += rows
		}
		s.Folds = append(s.Folds, fold)
	}
	o.SHA256 = t.SHA256
	s.Stanza = spec.DataStanza(id, file, o)
	return s
}

// split is the line of a spec that uses the parts or folds of the file.
func (s shownOwn) split() string {
	if s.Folds == nil {
		return ""
	}
	return "split: {rule: fold} # the parts or folds of the file\n"
}

// notInID are the characters that an id does not have.
var notInID = regexp.MustCompile(`[^A-Za-z0-9._-]+`)

// idOf proposes an id for a file, by its name without the end.
func idOf(file string) string {
	name := filepath.Base(file)
	for _, packed := range []string{".gz", ".bz2", ".zip"} {
		name = strings.TrimSuffix(name, packed)
	}
	name = strings.TrimSuffix(name, filepath.Ext(name))
	name = strings.Trim(notInID.ReplaceAllString(name, "-"), "-._")
	name = name[:min(len(name), 60)]
	if name == "" || spec.CheckID(name) != nil {
		name = "my-" + name
	}
	return strings.TrimSuffix(name, "-")
}

// libraryEntries are the imported splits with their facts, and what is wrong where they
// cannot be read.
func libraryEntries(library datasets.Library) []listedSet {
	var sets []listedSet
	for _, name := range library.ImportedNames() {
		e := datasets.DataSet{ID: spec.ImportedPrefix + name, Name: name}
		state := "corrupt"
		if split, err := library.OpenImported(name); err == nil {
			e, state = split.Known(e), "imported"
		}
		sets = append(sets, listedSet{e.ID, "", e.Name, e.Rows(), e.Features, len(e.Labels), state, "", e.Note})
	}
	return sets
}

// alike warns of the labels of own data that may mean the same.
func (a *app) alike(e datasets.DataSet) {
	for _, remark := range e.Alike {
		a.Remark("warning: %s: %s", e.ID, remark)
	}
}

// tellSplits warns of parts and folds that are not used, and of overlaps.
func (a *app) tellSplits(p plan.Plan) {
	for _, unused := range p.Unused() {
		a.Remark("warning: %s", unused)
	}
	a.tellOverlaps(p)
}

// tellOverlaps warns of test rows that are training rows, too. The answer of compare has a
// sentence of its own, which counts near copies as well.
func (a *app) tellOverlaps(p plan.Plan) {
	for _, overlap := range p.Overlaps() {
		a.Remark("warning: %s", overlap)
	}
}

// readData reads a file of data, or what was made of one. The error is errData.
func readData(file string) ([]byte, error) {
	b, err := tabular.Load(file, false)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w: there is no file %s", errData, file)
	}
	if errors.Is(err, files.ErrKind) {
		err = fmt.Errorf("%w; name a file of data", err)
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errData, err)
	}
	return b, nil
}
