package cli

import (
	"io"
	"strings"
	"testing"

	"r2lmlbench/internal/invoke"
)

// TestInvoke: the command takes what the texts of the program tell to run.
func TestInvoke(t *testing.T) {
	full := invoke.Run{Spec: "smoke", Datasets: "robot", Methods: "itml", Results: "results/runs/remade"}
	for _, c := range []struct{ line, command string }{
		{invoke.Run{Spec: "smoke"}.String(), "run"},
		{full.String(), "run"},
		{invoke.Fetch("robot"), "fetch"},
	} {
		root := (&app{stdout: io.Discard, stderr: io.Discard}).command()
		cmd, rest, err := root.Find(strings.Fields(c.line)[1:])
		if err == nil {
			err = cmd.ParseFlags(rest)
		}
		if err != nil || cmd.Name() != c.command || len(cmd.Flags().Args()) != 1 {
			t.Errorf("%s: %s %q, %v; want %s and one argument", c.line, cmd.Name(), cmd.Flags().Args(), err, c.command)
		}
	}
	const want = "r2lmlbench run smoke --datasets robot --methods itml --results results/runs/remade"
	if full.String() != want {
		t.Errorf("%s, want %s", full, want)
	}
}
