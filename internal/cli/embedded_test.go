package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"r2lmlbench/results/verdict"
)

// TestEmbedded: where there is no results/accepted, the program shows the
// accepted cells that it was built with, says so, and changes none.
func TestEmbedded(t *testing.T) {
	accepted, err := filepath.Abs(filepath.Join("..", "..", "results", "accepted"))
	if err != nil {
		t.Fatal(err)
	}
	empty := t.TempDir()
	t.Chdir(empty)
	data := []string{"--data", filepath.Join(empty, "data")}
	for _, c := range []struct{ from, args []string }{
		{[]string{"--accepted", accepted}, []string{"verdict", "accuracy", "--datasets", "I,P", "--format", "json"}},
		{[]string{"--accepted", accepted}, []string{"explain", "I/e-r2lml", "--format", "json"}},
		{[]string{"--accepted", accepted}, []string{"gate", "smoke"}},
		{[]string{"--results", accepted}, []string{"table", "accuracy"}},
	} {
		code, want, _ := command(t, append(append(c.args, data...), c.from...)...)
		again, got, stderr := command(t, append(c.args, data...)...)
		if want = strings.ReplaceAll(want, accepted, embeddedAccepted); again != code || got != want {
			t.Errorf("%v: exit code %d, with %v %d\n%s\nwant\n%s", c.args, again, c.from, code, got, want)
		}
		if !strings.Contains(stderr, embeddedAccepted) {
			t.Errorf("%v: stderr does not say where the cells are from:\n%s", c.args, stderr)
		}
	}
	if code, stdout, stderr := command(t, "table", "smoke", "--results", embeddedAccepted); code != 0 || !strings.Contains(stdout, "97.") || stderr != "" {
		t.Errorf("a table of them by name: exit code %d\n%s%s", code, stdout, stderr)
	}
	spec := writeFile(t, t.TempDir(), "small.yaml", small)
	runs := filepath.Join(t.TempDir(), "runs")
	command(t, "run", spec, "--results", runs)
	for _, args := range [][]string{
		{"gate", spec, "--results", runs, "--accept"}, {"run", spec, "--results", embeddedAccepted}, {"merge", runs, "--results", embeddedAccepted},
	} {
		if code, _, stderr := command(t, args...); code != 2 || !strings.Contains(stderr,
			"cannot be changed; work in a checkout of the repository, or name a directory") {
			t.Errorf("%v: exit code %d\n%s", args, code, stderr)
		}
	}
	if left, err := os.ReadDir(empty); err != nil || len(left) > 0 {
		t.Errorf("%v was made, %v", left, err)
	}

	// A checkout has its own.
	if err := os.MkdirAll(filepath.Join("results", "accepted", "packs"), 0o777); err != nil {
		t.Fatal(err)
	}
	if code, stdout, stderr := command(t, "verdict", "accuracy", "--datasets", "P"); code != 0 || strings.Count(stdout, verdict.NoRuns) != 8 || stderr != "" {
		t.Errorf("an empty results/accepted: exit code %d\n%s%s", code, stdout, stderr)
	}
}
