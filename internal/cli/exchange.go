package cli

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"r2lmlbench/datasets"
	"r2lmlbench/experiments/run"
	"r2lmlbench/experiments/spec"
	"r2lmlbench/internal/document"
	"r2lmlbench/internal/files"
	"r2lmlbench/internal/strictyaml"
	"r2lmlbench/internal/text"
	"r2lmlbench/results/store"
)

func (a *app) importCommand() *cobra.Command {
	cmd := a.verb("import FILE", anyFile)
	a.withCells(cmd)
	var im run.Import
	var dataset, of string
	f := cmd.Flags()
	f.StringVar(&dataset, "dataset", "", "data set, by id or letter")
	f.StringVar(&of, "spec", "", "spec whose data set and split it is, by name or path (default: the split of the paper's authors)")
	f.StringVar(&im.Name, "name", "", "name by which stanzas refer to the predictions (default: the file's name without its ending)")
	f.IntVar(&im.Repeat, "repeat", 1, "number of the spec's split among random ones")
	f.IntVar(&im.Fold, "fold", 0, "number of the fold that tests, for splits of a spec with folds")
	f.IntVar(&im.Seed, "seed", 1, "which of the spec's seeds the predictions stand for")
	f.BoolVar(&im.Codes, "codes", false, "the labels of FILE are class codes, as data show lists them, not those of the data")
	f.StringVar(&im.Note, "note", "", "remark to keep with them")
	cmd.RegisterFlagCompletionFunc("dataset", completeDataset)
	cmd.RegisterFlagCompletionFunc("spec", completeSpecs)
	cmd.RunE = func(cmd *cobra.Command, args []string) (err error) {
		im.File = args[0]
		if dataset == "" {
			return flagError(cmd, errors.New("--dataset must be given"))
		}
		if err := importOf(&im, dataset, of); err != nil {
			return err
		}
		if im.Name == "" {
			im.Name = strings.TrimSuffix(filepath.Base(im.File), filepath.Ext(im.File))
		}
		if err := im.Check(); err != nil {
			return err
		}
		cell, from, err := im.Read(a.source)
		if errors.Is(err, run.ErrSplit) {
			return err
		}
		if err != nil {
			return fmt.Errorf("%w: %w", errData, err)
		}
		if err := run.Keep(cmd.Context(), a.store, cell, from); err != nil {
			return err
		}
		fmt.Fprintf(a.Out, "%s, %s, seed %d: %s, %d of %d right, in %s\n", text.OneLine(cell.Dataset), cell.Split, cell.Seed,
			text.OneLine(im.Name), cell.Correct(), len(cell.Truth), text.OneLine(a.store.Path(cell.Inputs)))
		return nil
	}
	return cmd
}

// importOf finds the data set of predictions and its split.
func importOf(im *run.Import, dataset, of string) (err error) {
	if of == "" {
		im.Split = spec.Split{Rule: "authors", PCA: "all"}
		if im.Dataset, err = spec.FindDataset(dataset); err != nil {
			err = fmt.Errorf("%w; own data of a spec need --spec beside their id", err)
		}
		return err
	}
	if im.Of, err = spec.Load(of); err != nil {
		return err
	}
	im.Split = im.Of.Split
	at := slices.IndexFunc(im.Of.Sets, func(e datasets.DataSet) bool { return e.ID == dataset || e.Letter == dataset })
	if at < 0 {
		return fmt.Errorf("%s: %s", of, strictyaml.Unknown("data set", dataset, datasets.IDs(im.Of.Sets)))
	}
	im.Dataset = im.Of.Sets[at]
	return nil
}

func (a *app) mergeCommand() *cobra.Command {
	cmd := a.verb("merge DIR...", directories)
	cmd.Args = countArgs(1, math.MaxInt, "one or more result directories")
	a.withResults(cmd)
	a.withQuiet(cmd)
	a.withFormat(cmd, formats...)
	cmd.RunE = func(cmd *cobra.Command, dirs []string) error {
		merged, err := a.store.Merge(cmd.Context(), dirs)
		if err != nil {
			return err
		}
		t, damaged := document.New("", "directory", "cells", "copied", "failures copied", "damaged", "unfinished grids"), 0
		for _, m := range merged {
			t.Add(m.Dir, m.Cells, m.Copied, m.Failed, m.Damaged, m.Journals)
			damaged += m.Damaged
			if m.Journals > 0 {
				a.Remark("%s: %s, which `run --results %s` goes on with", m.Dir, text.Counted(m.Journals, "unfinished grid"), a.results)
			}
		}
		err = a.Listing(t, struct {
			Schema  int            `json:"schema"`
			Results string         `json:"results"`
			Sources []store.Merged `json:"sources"`
		}{1, a.results, merged})
		if err == nil && damaged > 0 {
			err = fmt.Errorf("%w to be merged: damaged files: %d; the rest is in %s", run.ErrCells, damaged, a.results)
		}
		return err
	}
	return cmd
}

// project is what init writes: data, a method, a spec and a workflow that runs the gate.
//
//go:embed all:template
var project embed.FS

// initCommand writes the files of the project into a folder.
func (a *app) initCommand() *cobra.Command {
	cmd := a.verb("init DIR", directories)
	a.withQuiet(cmd)
	cmd.RunE = func(_ *cobra.Command, args []string) error {
		dir := args[0]
		if dir == "" {
			return errors.New("init: DIR is empty; name a new or an empty folder")
		}
		there, err := os.ReadDir(dir)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return files.MarkIO(fmt.Errorf("init %s: %w; name a new or an empty folder", dir, err))
		}
		for _, entry := range there {
			if entry.Name() != ".git" && !files.Unfinished(dir) { // .git of a repository without files yet
				return fmt.Errorf("init %s: the folder is not empty, it has %s; name a new or an empty one", dir, entry.Name())
			}
		}
		if err := writeProject(dir); err != nil {
			return fmt.Errorf("init %s: %w", dir, err)
		}
		a.Remark("%s has a spec, data, a method and a workflow for CI; next, in that folder: r2lmlbench run spec.yaml; README.md says more", dir)
		return nil
	}
	return cmd
}

// writeProject writes the project of the command init.
func writeProject(dir string) error {
	var all []files.File
	err := fs.WalkDir(project, "template", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := fs.ReadFile(project, path)
		all = append(all, files.File{Path: strings.TrimPrefix(path, "template/"), Data: b})
		return err
	})
	if err != nil {
		return err
	}
	return files.WriteFolder(dir, all)
}
