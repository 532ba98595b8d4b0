package cli

import (
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"r2lmlbench/internal/invoke"
)

// commands are all commands of the tree that do something, by their path without
// the name of the program.
func commands(t *testing.T) map[string]*cobra.Command {
	t.Helper()
	root := Command()
	all := map[string]*cobra.Command{}
	var visit func(*cobra.Command)
	visit = func(cmd *cobra.Command) {
		for _, c := range cmd.Commands() {
			all[strings.TrimPrefix(c.CommandPath(), "r2lmlbench ")] = c
			visit(c)
		}
	}
	visit(root)
	if len(all) < 20 {
		t.Fatalf("%d commands", len(all))
	}
	return all
}

// TestSharedFlags: a command has the flags that act on it, and no others.
func TestSharedFlags(t *testing.T) {
	cells := []string{invoke.Results, dataFlag, quietFlag}
	want := map[string][]string{
		"run": append([]string{formatFlag, workersFlag, "shard"}, cells...), "plan": append([]string{formatFlag}, cells...),
		"table": append([]string{formatFlag}, cells...), "verdict": append([]string{formatFlag}, cells...),
		"gate": append([]string{formatFlag, workersFlag}, cells...), "explain": append([]string{formatFlag}, cells...),
		"report": cells, "import": cells, "merge": {invoke.Results, quietFlag, formatFlag},
		"slurm": append([]string{formatFlag, workersFlag}, cells...), "k8s": {dataFlag, quietFlag, formatFlag, workersFlag},
		"audit": {formatFlag, quietFlag}, "methods": {formatFlag}, "version": {formatFlag},
		"data list": {dataFlag, formatFlag}, "data show": {dataFlag, formatFlag}, "data verify": {dataFlag, formatFlag, quietFlag},
		"data fetch": {dataFlag, quietFlag}, "data import": {dataFlag, quietFlag}, "list": {dataFlag, formatFlag}, "validate": {dataFlag, quietFlag},
		"reproduction": {formatFlag, quietFlag},
	}
	for path, cmd := range commands(t) {
		for _, name := range []string{invoke.Results, dataFlag, workersFlag, "shard", formatFlag, quietFlag} {
			if has := cmd.Flag(name) != nil; has != slices.Contains(want[path], name) {
				t.Errorf("%s has --%s: %v", path, name, has)
			}
		}
		if cmd.Flag("log") == nil {
			t.Errorf("%s has no --log, but may end with an error", path)
		}
		cmd.InheritedFlags().VisitAll(func(f *pflag.Flag) {
			if f.Name != "log" {
				t.Errorf("%s inherits --%s", path, f.Name)
			}
		})
	}
}

// TestFormats: every format that a command names works, and the others are refused
// with a list of those that do.
func TestFormats(t *testing.T) {
	t.Chdir(t.TempDir())
	everywhere := []string{"text", "markdown", "latex", "csv", "json", "junit", "github", longFormat}
	for _, c := range []struct {
		args    []string
		formats []string
	}{
		{[]string{"table", "quick"}, tableFormats},
		{[]string{"plan", "quick"}, listedFormats},
		{[]string{"verdict", "accuracy", "--datasets", "P"}, listedFormats},
		{[]string{"explain", "P/itml"}, []string{"text", "json"}},
		{[]string{"audit"}, listedFormats},
		{[]string{"methods"}, listedFormats},
		{[]string{"data", "list"}, listedFormats},
		{[]string{"data", "show", "P"}, listedFormats},
		{[]string{"data", "verify", "overlap30"}, listedFormats},
		{[]string{"slurm", "quick", "--program", "x"}, rankedFormats},
		{[]string{"k8s", "quick"}, rankedFormats},
	} {
		for _, format := range everywhere {
			code, stdout, stderr := command(t, append(c.args, "--format", format)...)
			switch {
			case slices.Contains(c.formats, format) && (code != exitOK || stdout == ""):
				t.Errorf("%v as %s: exit code %d\n%s", c.args, format, code, stderr)
			case !slices.Contains(c.formats, format) && (code != exitUsage || stdout != "" || !strings.Contains(stderr, alternatives(c.formats))):
				t.Errorf("%v as %s: exit code %d\n%s%s", c.args, format, code, stdout, stderr)
			}
		}
	}
}

// TestFlagsBeforeTheCommand: flags may stand before the name of the command that
// takes them.
func TestFlagsBeforeTheCommand(t *testing.T) {
	for _, c := range []struct {
		args []string
		code int
	}{
		{[]string{"--quiet", "audit"}, exitOK},
		{[]string{"--format", "json", "audit", "--quiet"}, exitOK},
		{[]string{"--log", "json", "--quiet", "audit"}, exitOK},
		{[]string{"--quiet", "methods"}, exitUsage},
		{[]string{"--workers", "2", "audit"}, exitUsage},
	} {
		code, stdout, stderr := command(t, c.args...)
		if code != c.code || (stdout == "") != (c.code != exitOK) || (stderr == "") != (c.code == exitOK) {
			t.Errorf("%v: exit code %d, want %d\n%s", c.args, code, c.code, stderr)
		}
	}
}
