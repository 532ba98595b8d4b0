package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	testsOfPackage = regexp.MustCompile("^`([a-z0-9/.]+)` ([A-Za-z0-9, ]+)$")
	testFunction   = regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)\w+)\(`)
)

// TestSecurityTable: every row of the table in SECURITY.md names a threat, a
// defence and tests, and these are in the package it says.
func TestSecurityTable(t *testing.T) {
	text, err := os.ReadFile("SECURITY.md")
	if err != nil {
		t.Fatal(err)
	}
	var rows [][]string
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "|") {
			rows = append(rows, strings.Split(strings.Trim(line, "| \n"), " | "))
		}
	}
	if len(rows) < 3 {
		t.Fatalf("%d rows, want a heading, a rule and the threats", len(rows))
	}
	for _, row := range rows[2:] {
		if len(row) != 3 {
			t.Errorf("%d cells, want threat, defence and test: %q", len(row), row)
			continue
		}
		for _, part := range strings.Split(row[2], "; ") {
			m := testsOfPackage.FindStringSubmatch(part)
			if m == nil {
				t.Errorf("%s: %q is not a package and its tests", row[0], part)
				continue
			}
			there := testFunctions(t, m[1])
			for _, name := range strings.Split(m[2], ", ") {
				if !there[name] {
					t.Errorf("%s: there is no %s in %s", row[0], name, m[1])
				}
			}
		}
	}
}

// testFunctions returns the tests and fuzz targets of a folder.
func testFunctions(t *testing.T, folder string) map[string]bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	functions := map[string]bool{}
	for _, file := range files {
		code, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range testFunction.FindAllStringSubmatch(string(code), -1) {
			functions[m[1]] = true
		}
	}
	return functions
}
