package cli

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"r2lmlbench/experiments/run"
	"r2lmlbench/internal/text"
	"r2lmlbench/results/store"
)

const mergeHelp = `Merge copies the cells of other result directories, with the records of how they
came to be, into that of --results. Nothing in the sources is changed.

Equal cells are the same bytes. When a cell differs between any two of the
directories, all such cells are named, nothing is merged, and the exit status
is 2. A good cell takes the place of the record of a failure. Damaged files are
named and left out, and the exit status is 5. Grids that are not finished stay
where they are: run with --results on that directory goes on with them.

A directory of accepted cells keeps them in packs, one file per data set and
method. Merged into a directory that has a folder "packs", cells are packed, and
the records of how they came to be are left out. Merged into any other, every
cell gets a file of its own. So ` + "`mkdir -p DIR/packs; r2lmlbench merge RUNS --results DIR`" + `
packs the cells of RUNS, and a merge from DIR into a new directory unpacks them.`

func (a *app) mergeCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "merge DIR...",
		Short:   "Join result directories, unless their cells differ",
		Long:    mergeHelp,
		Example: "  r2lmlbench merge one two --results all",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return errors.New("merge wants one or more result directories, got none; see `r2lmlbench merge --help`")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return a.merge(cmd.Context(), args) },
	}
	a.withResults(cmd)
	a.withQuiet(cmd)
	a.withFormat(cmd, listedFormats...)
	return cmd
}

func (a *app) merge(ctx context.Context, dirs []string) error {
	merged, err := a.store().Merge(ctx, dirs)
	if err != nil {
		return err
	}
	var rows [][]string
	damaged := 0
	for _, m := range merged {
		rows = append(rows, []string{m.Dir, strconv.Itoa(m.Cells), strconv.Itoa(m.Copied), strconv.Itoa(m.Failed), strconv.Itoa(m.Damaged), strconv.Itoa(m.Journals)})
		damaged += m.Damaged
		if m.Journals > 0 {
			a.remark("%s: %s %s there; `run --results %s` goes on", m.Dir, text.Counted(m.Journals, "unfinished grid"), text.Agree(m.Journals, "stays", "stay"), m.Dir)
		}
	}
	err = a.listing([]string{"directory", "cells", "copied", "failures copied", "damaged", "unfinished grids"}, rows, struct {
		Schema  int            `json:"schema"`
		Results string         `json:"results"`
		Sources []store.Merged `json:"sources"`
	}{1, a.results, merged})
	if err == nil && damaged > 0 {
		err = fmt.Errorf("%w to be merged: damaged files: %d; the rest is in %s", run.ErrCells, damaged, a.results)
	}
	return err
}
