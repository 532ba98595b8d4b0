package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"r2lmlbench/internal/atomicfile"
	"r2lmlbench/internal/memlimit"
	"r2lmlbench/results/pages"
)

// checkedPages are the pages that show numbers of the results, seen from a checkout.
var checkedPages = []string{"README.md", "REPRODUCTION.md", "docs/*.md"}

func (a *app) reproductionCommand() *cobra.Command {
	var check, write bool
	cmd := &cobra.Command{
		Use:   "reproduction [PAGE...]",
		Short: "List the numbers that pages show, or check the pages",
		Long: `List the numbers that pages show, or check the pages.

People write README.md, REPRODUCTION.md and docs. Numbers and tables of the accepted
results stand there between comments such as <!-- within.1 -->51<!-- / -->. Without a
flag the command lists their names and values.

--check compares the pages with the accepted results, and exits with status 1 if a
number is another one. --write puts the right numbers and tables into the pages and
never changes a word. Without PAGE both take README.md, REPRODUCTION.md and docs/*.md
in the current directory.`,
		Example: `  r2lmlbench reproduction
  r2lmlbench reproduction --check
  r2lmlbench reproduction --write REPRODUCTION.md`,
	}
	cmd.Flags().BoolVar(&check, "check", false, "compare the pages with the accepted results")
	cmd.Flags().BoolVar(&write, "write", false, "mend the numbers and tables of the pages")
	cmd.MarkFlagsMutuallyExclusive("check", "write")
	a.withFormat(cmd, listedFormats...)
	a.withQuiet(cmd)
	accepted := a.accepted(cmd)
	cmd.RunE = func(cmd *cobra.Command, files []string) error {
		store := accepted()
		if err := hasCells(store, "name the accepted cells with --accepted"); err != nil {
			return err
		}
		defer memlimit.Aim(reportMemory)()
		facts, err := a.session().Facts(cmd.Context(), store)
		if err != nil {
			return err
		}
		if check || write {
			return a.checkPages(files, facts, write)
		}
		if len(files) > 0 {
			return errors.New("pages are for --check or --write; without them the numbers are listed")
		}
		var lines [][]string
		for _, name := range slices.Sorted(maps.Keys(facts)) {
			if !strings.HasPrefix(name, "table ") {
				lines = append(lines, []string{name, facts[name]})
			}
		}
		return a.listing([]string{"name", "value"}, lines, struct {
			Schema int         `json:"schema"`
			Facts  pages.Facts `json:"facts"`
		}{1, facts})
	}
	return cmd
}

// checkPages compares pages with the facts, and mends them if they are to be written.
func (a *app) checkPages(files []string, facts pages.Facts, write bool) error {
	if len(files) == 0 {
		for _, pattern := range checkedPages {
			found, _ := filepath.Glob(pattern) // the patterns are well formed
			files = append(files, found...)
		}
	}
	if len(files) == 0 {
		return fmt.Errorf("there is no %s here; go to a checkout, or name the pages", strings.Join(checkedPages, ", "))
	}
	stale := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("there is no page %s", file)
		}
		if err != nil {
			return atomicfile.MarkIO(err)
		}
		mended, faults, _ := pages.Check(filepath.ToSlash(file), text, facts)
		for _, f := range faults {
			if write && f.Problem == "" {
				a.remark("%v; mended", f)
				continue
			}
			stale++
			fmt.Fprintln(a.stdout, f)
		}
		if write && string(mended) != string(text) {
			if err := atomicfile.WriteAll([]atomicfile.File{{Path: file, Data: mended}}); err != nil {
				return err
			}
		}
	}
	if stale > 0 {
		return fmt.Errorf("%w: the pages are not what the results say; `r2lmlbench reproduction --write` mends numbers and tables", errGate)
	}
	return nil
}
