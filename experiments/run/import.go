package run

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"r2lmlbench/datasets"
	"r2lmlbench/experiments/external"
	"r2lmlbench/experiments/method"
	"r2lmlbench/experiments/plan"
	"r2lmlbench/experiments/registry"
	"r2lmlbench/experiments/spec"
	"r2lmlbench/internal/files"
	"r2lmlbench/results"
	"r2lmlbench/results/store"
)

// An Import is a file of predictions by another program that becomes a cell: a method
// block `method: imported` with `params: {name: NAME}` shows it in tables. The file has
// the format of predictions.csv, for the test samples of the split, with the label texts
// of the data.
type Import struct {
	File    string
	Codes   bool   // it has class codes, not the label texts of the data
	Name    string // parameter name of the method block
	Dataset datasets.DataSet
	Split   spec.Split // that of Of, or that of the paper's authors
	Repeat  int        // number of the split among random ones, from 1
	Fold    int        // number of the test fold, from 1; 0 without folds
	Of      *spec.Spec // spec of Dataset and Split; nil: the catalogue
	Seed    int        // one of the spec's seeds, from 1
	Note    string
}

// ErrSplit is wrapped by the error about a split that the spec does not have.
var ErrSplit = errors.New("import: no such split")

// Check returns errors that do not depend on the content of the file.
func (im Import) Check() error {
	switch {
	case im.Name == "":
		return errors.New("import: the predictions need a name")
	case im.Seed < 1 || im.Seed > spec.MaxRuns:
		return fmt.Errorf("import: seed %d, want a number from 1 to %d", im.Seed, spec.MaxRuns)
	case im.Repeat < 1 || im.Repeat > spec.MaxRuns:
		return fmt.Errorf("import: repeat %d, want a number from 1 to %d", im.Repeat, spec.MaxRuns)
	case im.Of == nil && (im.Fold != 0 || im.Repeat != 1):
		return errors.New("import: the authors' split is one; repeat and fold belong to the split of a spec, which --spec names")
	}
	return nil
}

// Read reads the file and returns its cell and its origin. An error is about the
// data set, or begins with the file and, if known, the line.
func (im Import) Read(source *plan.Source) (cell results.Cell, from results.Import, err error) {
	j, err := im.job(source)
	cell.Inputs = j.Inputs
	if err != nil {
		return cell, from, err
	}
	split, err := source.Split(*j.Dataset, *j.Rule)
	if err != nil {
		return cell, from, err
	}
	cell.Truth = split.Test.Y
	f, info, err := files.Open(im.File)
	if err != nil {
		return cell, from, fmt.Errorf("import: %w", err)
	}
	defer f.Close()
	notation := external.Notation{Classes: len(j.Dataset.Labels), Texts: j.Dataset.Labels}
	if im.Codes {
		notation.Texts = nil
	}
	b, err := io.ReadAll(io.LimitReader(f, notation.Bytes(len(cell.Truth))+1))
	if err != nil {
		return cell, from, fmt.Errorf("import: %w", err)
	}
	from = results.Import{File: filepath.Base(im.File), SHA256: fmt.Sprintf("%x", sha256.Sum256(b)), Modified: info.ModTime().UTC(), Note: im.Note}
	cell.Predicted, err = external.ReadLabels(files.Context(), im.File, b, len(cell.Truth), notation)
	return cell, from, err
}

// job returns the job that a spec would have for the cell.
func (im Import) job(source *plan.Source) (plan.Job, error) {
	e, err := source.Known(im.Dataset, im.Split.RuleOf(im.Dataset, 1))
	if err != nil {
		return plan.Job{}, err
	}
	number, err := im.number(e)
	if err != nil {
		return plan.Job{}, err
	}
	m, _ := registry.Find(external.ImportedID)
	column := spec.Column{ID: im.Name, Method: m, Restarts: 1, Settings: map[string][]method.Setting{e.ID: {{Of: external.Imported{Name: im.Name}}}}}
	s := &spec.Spec{Seeds: 1, Split: im.Split, Columns: []spec.Column{column}}
	j := plan.NewRow(s, source, e, im.Split.RuleOf(e, number), number).Jobs[0][0]
	j.Inputs.Seed = uint64(im.Seed)
	return j, nil
}

// number returns the number of the split among all of the data set, see [spec.Split.RuleOf].
func (im Import) number(e datasets.DataSet) (int, error) {
	if im.Of == nil {
		return im.Repeat, nil
	}
	folds := max(im.Split.Folds, 1)
	if im.Split.RuleOf(e, 1).ByColumn() {
		folds = e.Folds()
	}
	repeats := im.Split.SplitsOf(e) / folds
	switch {
	case im.Repeat > repeats:
		return 0, fmt.Errorf("%w: repeat %d of %s, want a number from 1 to %d", ErrSplit, im.Repeat, e.ID, repeats)
	case folds > 1 && (im.Fold < 1 || im.Fold > folds):
		return 0, fmt.Errorf("%w: %s is divided into %d folds; say which one the predictions are of, --fold 1 to %d", ErrSplit, e.ID, folds, folds)
	case folds == 1 && im.Fold != 0:
		return 0, fmt.Errorf("%w: fold %d, and %s is not divided into folds", ErrSplit, im.Fold, e.ID)
	}
	return (im.Repeat-1)*folds + max(im.Fold, 1), nil
}

// Keep stores imported predictions and their origin. Importing the same predictions
// again changes nothing; other predictions for a stored cell are an error.
func Keep(ctx context.Context, st *store.Store, cell results.Cell, from results.Import) error {
	release, err := st.Lock(ctx, cell.Inputs)
	if err != nil {
		return err
	}
	defer release()
	there, ok, err := st.Find(cell.Inputs)
	if err != nil {
		return err
	}
	if ok && !slices.Equal(there.Predicted, cell.Predicted) {
		return fmt.Errorf("import: %s holds other predictions under this name; choose another name, or remove that file", st.Path(cell.Inputs))
	}
	if ok {
		return nil
	}
	now := time.Now().UTC()
	host, _ := os.Hostname()
	return st.Put(cell, results.Run{Started: now, Finished: now, Host: host, Import: &from})
}
