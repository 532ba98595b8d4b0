package datasets

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mat"

	"r2lmlbench/datasets/tabular"
	"r2lmlbench/internal/files"
)

// Own is a file of a user's data and its layout.
type Own struct {
	File     string         // path, also named in faults
	Options  tabular.Layout // layout
	Embedded []byte         // content of an embedded file; nil: File is opened
	Task     string         // file of the splits of an OpenML task; "": there is none
	Parts    [3]string      // instead of File: files of the training, validation and test rows; the second may be ""
}

// OwnDataSet returns the data set of a file. [DataSet.Known] fills in its content once the
// file is read.
func OwnDataSet(id string, o Own) DataSet { return DataSet{ID: id, Name: id, own: &o} }

// Own reports whether the set is a file of the user.
func (e DataSet) Own() bool { return e.own != nil }

// Carried reports whether the data are embedded or generated, so that no file is
// opened.
func (e DataSet) Carried() bool { return e.Generated() || e.own != nil && e.own.Embedded != nil }

// Identity returns a key that differs for different own files with the same id.
func (e DataSet) Identity() string {
	if e.own == nil {
		return e.ID
	}
	options, err := json.Marshal(e.own.Options)
	if err != nil {
		panic(err) // cannot happen: the struct has texts and numbers only
	}
	return fmt.Sprintf("%s %t %s %q %s%s", e.ID, e.own.Embedded != nil, e.own.File, e.own.Parts, e.own.Task, options)
}

// Known returns the entry of an own set with features, labels and rows of its data.
func (e DataSet) Known(d *Data) DataSet {
	_, e.Features = d.X.Dims()
	for _, texts := range d.Categories {
		e.Features += max(len(texts)-1, 0)
	}
	e.Labels, e.Histogram, e.Missing, e.Digest = d.Labels, d.Histogram(), d.Missing, d.Digest()
	e.FoldSizes, e.GroupSizes = d.foldSizes(), groupSizes(d.Groups, d.Y)
	e.More = nil
	for i := range d.More {
		e.More = append(e.More, d.repeated(i+2).foldSizes())
	}
	e.Note, e.Alike = strings.Join(d.Remarks, "; "), d.Alike
	return e
}

// Known returns the entry of an imported split with features, labels and parts of the split.
func (s *Split) Known(e DataSet) DataSet {
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

// load reads the file, or the files of the parts in turn: the training file sets classes and
// features of all parts.
func (o Own) load() (*Data, error) {
	parts, paths := []string{o.File}, "the path of `file` starts"
	if o.Parts[0] != "" {
		parts, paths = o.Parts[:], "the paths of the parts start"
		o.Options.Indices = o.indices()
	}
	var all *tabular.Table
	for p, file := range parts {
		if file == "" {
			continue // no validation part
		}
		options := o.Options
		if all != nil {
			options.Classes, options.Part = all.Labels, true
		}
		var table *tabular.Table
		var err error
		b := o.Embedded
		if b == nil {
			b, err = tabular.Load(file, len(parts) > 1)
		}
		if err == nil {
			table, err = tabular.Read(files.Context(), file, b, options)
		}
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil, fmt.Errorf("%s: %w; %s at the folder of the spec", file, ErrMissing, paths)
		case errors.Is(err, context.Canceled): // not a fault of the data
			return nil, err
		case err != nil:
			return nil, fmt.Errorf("%w\n%w", ErrUnusable, err)
		}
		if len(parts) > 1 && table.Folds != nil {
			return nil, fmt.Errorf("%w\n%s: the file has parts of its own; name it as `file`, without rule files", ErrUnusable, file)
		}
		if len(parts) > 1 {
			table.Folds = slices.Repeat([]string{partWords[p][0]}, table.Rows())
		}
		if all == nil {
			all = table
			continue
		}
		if !slices.Equal(table.Names, all.Names) {
			return nil, fmt.Errorf("%w\n%s: its features are not those of %s: %s", ErrUnusable, file, o.Parts[0], otherFeature(all.Names, table.Names))
		}
		if err := recode(all, table); err != nil {
			return nil, fmt.Errorf("%w\n%s: %w", ErrUnusable, file, err)
		}
		all.X, all.Y = append(all.X, table.X...), append(all.Y, table.Y...)
		all.Lines, all.Folds = append(all.Lines, table.Lines...), append(all.Folds, table.Folds...)
		all.Missing += table.Missing
		all.Dropped += table.Dropped
	}
	d := OwnData(all, o.Options)
	if o.Task == "" {
		return d, nil
	}
	return d, d.divideBy(o.Task, all.Dropped)
}

// divideBy takes the folds of an OpenML task. dropped is how many rows of the file are left out.
func (d *Data) divideBy(task string, dropped int) error {
	repeats, err := openmlSplits(task, len(d.Y))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s: %w; the path of `file` in `split` starts at the folder of the spec", task, ErrMissing)
	case err != nil && files.Context().Err() != nil:
		return files.Context().Err()
	case err == nil && dropped > 0:
		err = fmt.Errorf("%s: the task numbers all rows of the data, and %d are left out; use `impute` in place of `drop-rows`", task, dropped)
	case err == nil && d.Folds != nil:
		err = fmt.Errorf("%s: the data have a column of folds, too; remove `fold`", task)
	}
	if err != nil {
		return fmt.Errorf("%w\n%w", ErrUnusable, err)
	}
	d.Folds, d.More = repeats[0], repeats[1:]
	return nil
}

// OwnData returns the data of a table that was read with these options.
func OwnData(t *tabular.Table, o tabular.Layout) *Data {
	d := &Data{
		Labels: t.Labels, Missing: t.Missing, Lines: t.Lines, Folds: t.Folds, Groups: t.Groups, Categories: t.Categories, Alike: t.Alike(),
	}
	d.Remarks, d.Grave = t.Check()
	d.X, d.Y = mat.NewDense(t.Rows(), t.Features(), t.X), t.Y
	if t.Missing > 0 {
		d.Impute = o.Impute
	}
	return d
}

// recode replaces the text codes of a part by those of all.
func recode(all, part *tabular.Table) error {
	for j, name := range all.Names {
		var known, texts []string
		if all.Categories != nil {
			known = all.Categories[j]
		}
		if part.Categories != nil {
			texts = part.Categories[j]
		}
		if (known == nil) != (texts == nil) {
			return fmt.Errorf("the feature %q is text here or in the training file, and numbers in the other", name)
		}
		for _, text := range texts {
			if !slices.Contains(known, text) {
				known = append(known, text)
			}
		}
		for i := range part.Rows() {
			if v := &part.Row(i)[j]; texts != nil && !math.IsNaN(*v) {
				*v = float64(slices.Index(known, texts[int(*v)]))
			}
		}
		if known != nil {
			all.Categories[j] = known
		}
	}
	return nil
}

// indices returns the least and the greatest feature index of all LIBSVM parts: a feature that
// a part does not name is 0 in all of its rows. nil if no part is LIBSVM.
func (o Own) indices() *[2]int {
	var all *[2]int
	for _, file := range o.Parts {
		if file == "" {
			continue
		}
		b, err := tabular.Load(file, true)
		if err != nil {
			continue // load reports the error
		}
		least, most, ok := tabular.Indices(files.Context(), file, b, o.Options)
		if !ok {
			continue
		}
		if all == nil {
			all = &[2]int{least, most}
		}
		all[0], all[1] = min(all[0], least), max(all[1], most)
	}
	return all
}

// otherFeature describes the first difference between the names of features.
func otherFeature(want, got []string) string {
	if len(want) != len(got) {
		return fmt.Sprintf("%d, want %d", len(got), len(want))
	}
	i := 0
	for want[i] == got[i] {
		i++
	}
	return fmt.Sprintf("feature %d is %q, want %q", i+1, got[i], want[i])
}
