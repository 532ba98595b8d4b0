package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestLadderAgain: a second program in another language reads the accepted cells
// and finds the same verdicts.
func TestLadderAgain(t *testing.T) {
	python := ""
	for _, candidate := range []string{"python3", "/usr/bin/python3"} {
		if python == "" && exec.Command(candidate, "-c", "import numpy").Run() == nil {
			python = candidate
		}
	}
	if python == "" {
		t.Skip("needs Python 3 with numpy")
	}
	verdicts, err := program("verdict", "accuracy", "--format", "json").Output()
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "verdicts.json")
	if err := os.WriteFile(file, verdicts, 0o666); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(python, "docs/ladder.py", "results/accepted/packs", "results/published/accuracy.yaml", file).CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
