package cli

import (
	"os"
	"slices"
	"strings"
	"testing"

	"r2lmlbench/results/audit"
)

// TestExamples: every command has examples, and they are command lines that it takes:
// flags, their values and the number of arguments.
func TestExamples(t *testing.T) {
	t.Chdir(t.TempDir())
	for path, documented := range commands(t) {
		if documented.Example == "" {
			t.Errorf("%s has no example", path)
		}
		for line := range strings.Lines(documented.Example) {
			line = strings.TrimSpace(line)
			args := words(line)
			if len(args) < 2 || args[0] != "r2lmlbench" {
				t.Errorf("%s: %q is no command line", path, line)
				continue
			}
			root := Command()
			cmd, rest, err := root.Find(args[1:])
			if err == nil {
				err = cmd.ParseFlags(rest)
			}
			if err == nil {
				err = cmd.ValidateArgs(cmd.Flags().Args())
			}
			if err == nil {
				err = cmd.ValidateRequiredFlags()
			}
			if err != nil || !strings.HasPrefix(strings.TrimPrefix(line, "r2lmlbench "), path) {
				t.Errorf("%s: %s: %v", path, line, err)
			}
		}
	}
}

// words are those of a command line of a shell, up to a redirection.
func words(line string) []string {
	line, _, _ = strings.Cut(line, " > ")
	var all []string
	for i, part := range strings.Split(line, `"`) {
		if i%2 == 1 {
			all = append(all, part)
		} else {
			all = append(all, strings.Fields(part)...)
		}
	}
	return all
}

// TestExamplesRun runs the examples, one after another in an empty directory, but
// those that need data files, a network or minutes. TestOutside of package main has
// the report.
func TestExamplesRun(t *testing.T) {
	t.Chdir(t.TempDir())
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	writeFile(t, ".", "my.yaml", small)
	writeFile(t, ".", "mine.yaml", string(audit.Example)) // which an example makes by redirection
	for _, dir := range []string{"one", "two"} {
		command(t, "run", "my.yaml", "--results", dir)
	}
	command(t, "run", "my.yaml")
	skipped := []string{
		"run quick", "run accuracy", "plan quick --cost", // minutes
		"gate smoke",                                                                                 // wants all of its cells
		"reproduction --",                                                                            // the pages of a checkout
		"report",                                                                                     // see above
		"data fetch", "data verify", "data import", "data show mat:", "data show iris.csv", "import", // files
		"slurm accuracy", // a Slurm cluster, and a program that was built
	}
	ran := 0
	for path, cmd := range commands(t) {
		for line := range strings.Lines(cmd.Example) {
			args := words(line)[1:]
			joined := strings.Join(args, " ")
			if slices.ContainsFunc(skipped, func(s string) bool { return strings.HasPrefix(joined, s) }) {
				continue
			}
			ran++
			if code, stdout, stderr := command(t, args...); code != exitOK {
				t.Errorf("%s: %s: exit code %d\n%s%s", path, joined, code, stdout, stderr)
			}
		}
	}
	if _, err := os.Stat("accuracy.yaml"); err != nil || ran < 18 {
		t.Errorf("%d examples ran, %v", ran, err)
	}
}
