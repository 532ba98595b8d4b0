package datasets

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mat"

	"r2lmlbench/datasets/tabular"
	"r2lmlbench/internal/interrupt"
	"r2lmlbench/internal/plainfile"
)

// Own is a file of somebody's own data, and how to read it.
type Own struct {
	File     string          // as it is opened, and named in faults
	Options  tabular.Options // how it is laid out
	Embedded []byte          // its bytes where the program carries it; nil: it is opened
	Parts    [3]string       // in place of File: files of the training, validation and test rows, the second may be none
}

// OwnEntry returns the entry of a file. What is in it is not known before it is
// read, see [Entry.Known].
func OwnEntry(id string, o Own) Entry { return Entry{ID: id, Name: id, own: &o} }

// Own tells whether the set is a file of somebody's own.
func (e Entry) Own() bool { return e.own != nil }

// OwnFile returns the file of an own set.
func (e Entry) OwnFile() Own { return *e.own }

// Carried tells whether the program carries the data or draws them, so that no
// file is opened.
func (e Entry) Carried() bool { return e.Generated() || e.own != nil && e.own.Embedded != nil }

// Identity tells sets apart that may have the same id: own files of several specs.
func (e Entry) Identity() string {
	if e.own == nil {
		return e.ID
	}
	options, err := json.Marshal(e.own.Options)
	if err != nil {
		panic(err) // a struct of texts and numbers
	}
	return fmt.Sprintf("%s %t %s %q %s", e.ID, e.own.Embedded != nil, e.own.File, e.own.Parts, options)
}

// Known returns the entry of an own set with what its data say.
func (e Entry) Known(d *Data) Entry {
	_, e.Features = d.X.Dims()
	for _, texts := range d.Categories {
		e.Features += max(len(texts)-1, 0)
	}
	e.Labels, e.Histogram, e.Missing, e.Digest = d.Labels, d.Histogram(), d.Missing, d.Digest()
	e.FoldSizes = d.foldSizes()
	e.Note, e.Alike = strings.Join(d.Remarks, "; "), d.Alike
	return e
}

// Known returns the entry of an imported split with what the split says.
func (s *Split) Known(e Entry) Entry {
	_, e.Features = s.Train.X.Dims()
	e.Labels = counted(slices.Max(s.Train.Y))
	e.Histogram = make([]int, len(e.Labels))
	for p, part := range []Samples{s.Train, s.Validation, s.Test} {
		e.Parts[p] = len(part.Y)
		for _, code := range part.Y {
			e.Histogram[code-1]++
		}
	}
	e.Digest = s.Digest
	return e
}

// counted returns the labels "1" to n.
func counted(n int) []string {
	labels := make([]string, n)
	for i := range labels {
		labels[i] = strconv.Itoa(i + 1)
	}
	return labels
}

// load reads the file.
func (o Own) load() (*Data, error) {
	if o.Parts[0] != "" {
		return o.loadParts()
	}
	table, err := o.read()
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("%s: %w; the path of `file` starts at the folder of the spec", o.File, ErrMissing)
	case err != nil:
		return nil, unusableBy(err)
	}
	return OwnData(table, o.Options), nil
}

// unusableBy is the error about own data that cannot be read; what ended with its context
// is no fault of theirs.
func unusableBy(err error) error {
	if errors.Is(err, context.Canceled) {
		return err
	}
	return fmt.Errorf("%w\n%w", ErrUnusable, err)
}

// OwnData are the data of a table that was read with some options.
func OwnData(t *tabular.Table, o tabular.Options) *Data {
	d := &Data{Labels: t.Labels, Missing: t.Missing, Lines: t.Lines, Folds: t.Folds, Categories: t.Categories, Remarks: t.Remarks(), Alike: t.Alike()}
	d.X, d.Y = mat.NewDense(t.Rows(), t.Features(), t.X), t.Y
	if t.Missing > 0 {
		d.Impute = o.Impute
	}
	return d
}

func (o Own) read() (*tabular.Table, error) {
	if o.Embedded != nil {
		return tabular.Read(interrupt.Current(), o.File, o.Embedded, o.Options)
	}
	b, err := plainfile.Read(o.File, tabular.MaxBytes+1)
	if err != nil {
		return nil, err
	}
	return tabular.Read(interrupt.Current(), o.File, b, o.Options)
}
