package datasets

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"slices"

	"r2lmlbench/datasets/tabular"
	"r2lmlbench/internal/interrupt"
	"r2lmlbench/internal/plainfile"
)

// loadParts reads own data that come as a file for each part, one after another. The
// training file says which classes and features there are.
func (o Own) loadParts() (*Data, error) {
	var all *tabular.Table
	indices := o.indices()
	for p, file := range o.Parts {
		if file == "" {
			continue // no validation part
		}
		part := o
		part.File, part.Options.Indices = file, indices
		if all != nil {
			part.Options.Classes, part.Options.Part = all.Labels, true
		}
		table, err := part.read()
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil, fmt.Errorf("%s: %w; the paths of the parts start at the folder of the spec", file, ErrMissing)
		case err != nil:
			return nil, unusableBy(err)
		case all == nil:
			all = &tabular.Table{Names: table.Names, Labels: table.Labels, Categories: table.Categories}
		case !slices.Equal(table.Names, all.Names):
			return nil, fmt.Errorf("%w\n%s: its features are not those of %s: %s", ErrUnusable, file, o.Parts[0], otherFeature(all.Names, table.Names))
		}
		if err := recode(all, table); err != nil {
			return nil, fmt.Errorf("%w\n%s: %w", ErrUnusable, file, err)
		}
		all.X, all.Y, all.Lines = append(all.X, table.X...), append(all.Y, table.Y...), append(all.Lines, table.Lines...)
		all.Folds = append(all.Folds, slices.Repeat([]string{partWords[p][0]}, table.Rows())...)
		all.Missing += table.Missing
		all.Dropped += table.Dropped
	}
	return OwnData(all, o.Options), nil
}

// recode gives the texts of a part the codes that they have in all parts.
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

// indices are the least and the greatest of all parts that are LIBSVM: a feature that a
// part does not name is 0 in all of its rows. nil if none is LIBSVM.
func (o Own) indices() *[2]int {
	var all *[2]int
	for _, file := range o.Parts {
		if file == "" || o.Options.FormatOf(file) != tabular.LIBSVM {
			continue
		}
		b, err := plainfile.Read(file, tabular.MaxBytes+1)
		if err != nil {
			continue // told where the part is read
		}
		least, most := tabular.Indices(interrupt.Current(), b)
		if all == nil {
			all = &[2]int{least, most}
		}
		all[0], all[1] = min(all[0], least), max(all[1], most)
	}
	return all
}

// otherFeature tells where the names of features differ.
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
