package run_test

import (
	"os"
	"path/filepath"
	"testing"

	"r2lmlbench/experiments/spec"
	"r2lmlbench/results"
)

// TestChangedProgramIsAMiss: the key holds the program's content, not where it
// lies.
func TestChangedProgramIsAMiss(t *testing.T) {
	key := func(folder, script string) string {
		if err := os.WriteFile(filepath.Join(folder, "method.sh"), []byte(script), 0o666); err != nil {
			t.Fatal(err)
		}
		s, err := spec.Parse(filepath.Join(folder, "spec.yaml"), []byte(
			"name: x\ndatasets: I\nmethods: [{method: external, params: {command: [sh, ./method.sh, it's]}}]\n"))
		if err != nil {
			t.Fatal(err)
		}
		points := s.Columns[0].Points("ionosphere")
		if got := points[0].Params["command"]; got != `sh ./method.sh 'it'\''s'` {
			t.Errorf("command %q", got)
		}
		return results.Inputs{Points: points}.Key()
	}
	here, there := t.TempDir(), t.TempDir()
	first := key(here, "echo 1")
	if key(there, "echo 1") != first {
		t.Error("the same program in another folder has another key")
	}
	if key(here, "echo 22") == first {
		t.Error("another program has the same key")
	}
}
