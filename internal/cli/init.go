package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/spf13/cobra"

	"r2lmlbench/action"
	"r2lmlbench/internal/atomicfile"
	"r2lmlbench/internal/usage"
)

// initCommand writes the files of package action into a folder.
func (a *app) initCommand() *cobra.Command {
	cmd := a.verb("init DIR", directories)
	cmd.Args = usage.One("DIR")
	a.withQuiet(cmd)
	cmd.RunE = func(_ *cobra.Command, args []string) error {
		dir := args[0]
		there, err := os.ReadDir(dir)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return atomicfile.MarkIO(fmt.Errorf("init %s: %w; name a new or an empty folder", dir, err))
		}
		for _, entry := range there {
			if entry.Name() != ".git" { // of a repository without files yet
				return fmt.Errorf("init %s: the folder is not empty, it has %s; name a new or an empty one", dir, entry.Name())
			}
		}
		if err := os.CopyFS(dir, action.Project()); err != nil {
			return atomicfile.MarkIO(fmt.Errorf("init %s: %w", dir, err))
		}
		a.Remark("%s has a spec, data, a method and a workflow for CI; next, in that folder: r2lmlbench run spec.yaml; README.md says more", dir)
		return nil
	}
	return cmd
}
