package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const (
	committed  = "../../docs/man"
	regenerate = "run `go generate ./internal/cli`"
)

// TestPagesAreCurrent: docs/man holds the pages that the help of the commands gives,
// whatever the environment.
func TestPagesAreCurrent(t *testing.T) {
	t.Setenv("R2LMLBENCH_DATA", t.TempDir())
	t.Setenv("R2LMLBENCH_RESULTS", t.TempDir())
	all, err := pages()
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range all {
		got, err := os.ReadFile(filepath.Join(committed, name))
		if err != nil || !bytes.Equal(bytes.ReplaceAll(got, []byte("\r\n"), []byte("\n")), want) {
			t.Errorf("%s is not current (%v); %s", name, err, regenerate)
		}
	}
	files, err := os.ReadDir(committed)
	if err != nil || len(files) != len(all) {
		t.Errorf("docs/man has %d files, want %d, %v; %s", len(files), len(all), err, regenerate)
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
