package cli

import (
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"r2lmlbench/experiments/judge"
	"r2lmlbench/internal/atomicfile"
	"r2lmlbench/internal/memlimit"
	"r2lmlbench/results/reproduction"
)

func (a *app) reproductionCommand() *cobra.Command {
	var folder string
	cmd := &cobra.Command{
		Use:   "reproduction",
		Short: "Write what the accepted cells say about the paper, as Markdown",
		Long: `Write what the accepted cells say about the paper, as Markdown.

Without -o the page alone goes to standard output. With -o DIR it is written to
DIR/` + reproduction.PageName + `, its appendices into DIR/` + reproduction.Folder + `, and a note for the paper's readers
into DIR/docs.`,
		Example: `  r2lmlbench reproduction
  r2lmlbench reproduction -o .`,
		Args: none,
	}
	cmd.Flags().StringVarP(&folder, "output", "o", "", "directory for the page and its appendices")
	a.withQuiet(cmd)
	accepted := a.accepted(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		store := accepted()
		if err := hasCells(store, "name the accepted cells with --accepted"); err != nil {
			return err
		}
		if folder != "" {
			if err := makeOutput(folder); err != nil {
				return err
			}
		}
		defer memlimit.Aim(reportMemory)()
		in, err := judge.Reproduction(cmd.Context(), a.session(), store)
		if err != nil {
			return err
		}
		report, err := reproduction.New(in)
		if err != nil {
			return err
		}
		if folder != "" {
			return writeReproduction(folder, report)
		}
		_, err = io.WriteString(a.stdout, report.Page.Markdown())
		return err
	}
	return cmd
}

// makeOutput makes a directory to write to.
func makeOutput(dir string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return atomicfile.MarkIO(fmt.Errorf("reproduction: %w; name a directory with --output", err))
	}
	return nil
}

// writeReproduction writes the appendices and the page, which is named last; what
// else is in their folder stays.
func writeReproduction(folder string, report reproduction.Report) error {
	var files []atomicfile.File
	for _, f := range append(report.Files, reproduction.File{Name: reproduction.PageName, Data: []byte(report.Page.Markdown())}) {
		path := filepath.Join(folder, filepath.FromSlash(f.Name))
		if err := makeOutput(filepath.Dir(path)); err != nil {
			return err
		}
		files = append(files, atomicfile.File{Path: path, Data: f.Data})
	}
	return atomicfile.WriteAll(files)
}
