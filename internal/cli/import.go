package cli

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"r2lmlbench/experiments/run"
	"r2lmlbench/experiments/spec"
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
from 1. A header names the columns; labels alone need none.

Name, SHA-256 and date of the file and --note are kept beside the cell. The same
predictions may be imported again; others never replace a stored cell.`

func (a *app) importCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "import FILE",
		Short: "Store predictions made elsewhere as a cell",
		Long:  importHelp,
		Example: `  r2lmlbench import labels.csv --dataset robot
  r2lmlbench import mine.csv --dataset I --name mine --note "our cluster, May"`,
		Args: one("FILE"),
	}
	a.withCells(cmd)
	var im run.Import
	var dataset string
	f := cmd.Flags()
	f.StringVar(&dataset, "dataset", "", "data set, by id or letter")
	f.StringVar(&im.Name, "name", "", "name by which stanzas refer to the predictions (default: the file's name without its ending)")
	f.StringVar(&im.Split.Rule, "split", "authors", "rule of the split: authors or random")
	f.Uint64Var(&im.Split.Seed, "split-seed", 0, "seed of random splits: the spec's split.seed")
	f.IntVar(&im.Repeat, "repeat", 1, "number of the split among random ones")
	f.StringVar(&im.Split.PCA, "pca", "all", "rows the principal components were fitted to: all or train")
	f.IntVar(&im.Seed, "seed", 1, "which of the spec's seeds the predictions stand for")
	f.StringVar(&im.Note, "note", "", "remark to keep with them")
	cmd.MarkFlagRequired("dataset")
	cmd.RunE = func(cmd *cobra.Command, args []string) (err error) {
		im.File = args[0]
		if im.Dataset, err = spec.FindDataset(dataset); err != nil {
			return err
		}
		if im.Name == "" {
			im.Name = strings.TrimSuffix(filepath.Base(im.File), filepath.Ext(im.File))
		}
		return a.importPredictions(cmd.Context(), im)
	}
	return cmd
}

func (a *app) importPredictions(ctx context.Context, im run.Import) error {
	if err := im.Check(); err != nil {
		return err
	}
	cell, from, err := im.Read(a.source())
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
