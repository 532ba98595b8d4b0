package main

import (
	"os"
	"testing"

	"r2lmlbench/internal/fixture"
)

// TestWrite: every command has a page, which tells nothing of the environment.
func TestWrite(t *testing.T) {
	dir := t.TempDir()
	var first []byte
	for _, data := range []string{"", t.TempDir()} {
		t.Setenv("R2LMLBENCH_DATA", data)
		t.Setenv("R2LMLBENCH_RESULTS", data)
		fixture.Check(t, write(dir))
		page, err := os.ReadFile(dir + "/r2lmlbench-data-show.1")
		if err != nil || first != nil && string(page) != string(first) {
			t.Errorf("the page depends on the environment, or is not there: %v", err)
		}
		first = page
	}
}
