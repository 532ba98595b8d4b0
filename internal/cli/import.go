package cli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"r2lmlbench/datasets"
	"r2lmlbench/experiments/run"
	"r2lmlbench/experiments/spec"
	"r2lmlbench/internal/strictyaml"
	"r2lmlbench/internal/text"
)

const importHelp = `Import takes predictions of test samples that another program made and stores
them as a cell. A stanza

    - method: imported
      name: mine                  # the column
      params: {name: NAME}        # the name given to import

shows them in the tables and tests of a spec like those of any other method.

FILE is a CSV file. Its column label holds class codes (data show SET lists
them), one for every test sample of the split. The lines are in the order of the
split's test samples, or a column row says which sample a line is about, counted
from 1. A header names the columns; labels alone need none. "table SPEC --format
long" has the samples of stored cells in this order, with their rows in the data.

The split is that of --split, or of a spec. With --spec, --dataset is one of the
spec's data sets, own data included, by the id of its stanza. --repeat and --fold are
then numbers as the table's split has them, such as "cv ... repeat=2 fold=3".

Name, SHA-256 and date of the file and --note are kept beside the cell. The same
predictions may be imported again; others never replace a stored cell.`

func (a *app) importCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "import FILE",
		Short: "Store predictions made elsewhere as a cell",
		Long:  importHelp,
		Example: `  r2lmlbench import labels.csv --dataset robot
  r2lmlbench import mine.csv --dataset I --name mine --note "our cluster, May"
  r2lmlbench import labels.csv --spec iris --dataset iris --repeat 3`,
		Args: one("FILE"),
	}
	a.withCells(cmd)
	var im run.Import
	var dataset, of string
	f := cmd.Flags()
	f.StringVar(&dataset, "dataset", "", "data set, by id or letter")
	f.StringVar(&of, "spec", "", "spec whose data set and split it is, by name or path (default: those of the catalogue)")
	f.StringVar(&im.Name, "name", "", "name by which stanzas refer to the predictions (default: the file's name without its ending)")
	f.StringVar(&im.Split.Rule, "split", "authors", "rule of the split: authors or random")
	f.Uint64Var(&im.Split.Seed, "split-seed", 0, "seed of random splits: the spec's split.seed")
	f.IntVar(&im.Repeat, "repeat", 1, "number of the split among random ones")
	f.IntVar(&im.Fold, "fold", 0, "number of the fold that tests, for splits of a spec with folds")
	f.StringVar(&im.Split.PCA, "pca", "all", "rows the principal components were fitted to: all or train")
	f.IntVar(&im.Seed, "seed", 1, "which of the spec's seeds the predictions stand for")
	f.StringVar(&im.Note, "note", "", "remark to keep with them")
	cmd.MarkFlagRequired("dataset")
	cmd.RunE = func(cmd *cobra.Command, args []string) (err error) {
		im.File = args[0]
		if err := importOf(cmd, &im, dataset, of); err != nil {
			return err
		}
		if im.Name == "" {
			im.Name = strings.TrimSuffix(filepath.Base(im.File), filepath.Ext(im.File))
		}
		return a.importPredictions(cmd.Context(), im)
	}
	return cmd
}

// importOf finds the data set of predictions and, for one of a spec, the split.
func importOf(cmd *cobra.Command, im *run.Import, dataset, of string) (err error) {
	if of == "" {
		if im.Dataset, err = spec.FindDataset(dataset); err != nil {
			err = fmt.Errorf("%w; own data of a spec need --spec beside their id", err)
		}
		return err
	}
	for _, flag := range []string{"split", "split-seed", "pca"} {
		if cmd.Flags().Changed(flag) {
			return fmt.Errorf("--%s does not go with --spec, which says how data are divided", flag)
		}
	}
	if im.Of, err = spec.Load(of); err != nil {
		return err
	}
	im.Split = im.Of.Split
	at := slices.IndexFunc(im.Of.Entries, func(e datasets.Entry) bool { return e.ID == dataset || e.Letter == dataset && dataset != "" })
	if at < 0 {
		var ids []string
		for _, e := range im.Of.Entries {
			ids = append(ids, e.ID)
		}
		return fmt.Errorf("%s: %s", of, strictyaml.Unknown("data set", dataset, ids))
	}
	im.Dataset = im.Of.Entries[at]
	return nil
}

func (a *app) importPredictions(ctx context.Context, im run.Import) error {
	if err := im.Check(); err != nil {
		return err
	}
	cell, from, err := im.Read(a.source())
	if errors.Is(err, run.ErrSplit) {
		return err
	}
	if err != nil {
		return fmt.Errorf("%w: %w", errData, err)
	}
	store := a.store()
	if err := run.Keep(ctx, store, cell, from); err != nil {
		return err
	}
	fmt.Fprintf(a.stdout, "%s, %s, seed %d: %s, %d of %d right, in %s\n",
		text.OneLine(cell.Dataset), cell.Split, cell.Seed, text.OneLine(im.Name), cell.Correct(), len(cell.Truth), text.OneLine(store.Path(cell.Inputs)))
	return nil
}
