package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestWrite: the folder holds the pages of the help, whatever the environment, and no
// older ones.
func TestWrite(t *testing.T) {
	all, err := pages()
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "man")
	for _, data := range []string{"", t.TempDir()} {
		t.Setenv("R2LMLBENCH_DATA", data)
		t.Setenv("R2LMLBENCH_RESULTS", data)
		if err := write(dir); err != nil {
			t.Fatal(err)
		}
		for name, want := range all {
			if got, err := os.ReadFile(filepath.Join(dir, name)); err != nil || !bytes.Equal(got, want) {
				t.Errorf("%s depends on the environment, or is not there: %v", name, err)
			}
		}
		files, err := os.ReadDir(dir)
		if err != nil || len(files) != len(all) {
			t.Errorf("%d files, want %d, %v", len(files), len(all), err)
		}
		if err := os.WriteFile(filepath.Join(dir, "r2lmlbench-old.1"), nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// TestPages: each page has its parts and no date.
func TestPages(t *testing.T) {
	all, err := pages()
	if err != nil || len(all) < 25 {
		t.Fatalf("%d pages, %v", len(all), err)
	}
	for name, page := range all {
		text := string(page)
		parts := []string{".TH ", ".SH NAME", ".SH SYNOPSIS", ".SH OPTIONS"}
		if !strings.Contains(name, "completion") {
			parts = append(parts, ".SH EXAMPLE")
		}
		for _, part := range parts {
			if !strings.Contains(text, part) {
				t.Errorf("%s lacks %s", name, part)
			}
		}
		if !strings.Contains(text, `"1" "" "r2lmlbench `) || strings.Contains(text, "0001") {
			t.Errorf("%s has a date, or no version:\n%.200s", name, text)
		}
	}
	if run := string(all["r2lmlbench-run.1"]); !strings.Contains(run, "r2lmlbench run quick") || !strings.Contains(run, "point-memory") {
		t.Errorf("the page of run lacks an example or a flag:\n%s", run)
	}
}
