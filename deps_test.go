package main

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// imports is who may import whom among the packages of this module, test files
// left out. Data flows one way and imports point the other: a package that is
// not listed, or an import that is not, fails the test.
var imports = map[string][]string{
	"r2lmlbench":                      {"internal/cli"},
	"r2lmlbench/internal/atomicfile":  {},
	"r2lmlbench/internal/cluster":     {},
	"r2lmlbench/internal/golden":      {},
	"r2lmlbench/internal/kernel":      {},
	"r2lmlbench/internal/matfile":     {},
	"r2lmlbench/internal/strictyaml":  {},
	"r2lmlbench/internal/unlzw":       {},
	"r2lmlbench/stats":                {},
	"r2lmlbench/internal/linalg":      {"internal/kernel"},
	"r2lmlbench/r2lml":                {"internal/kernel", "internal/linalg"},
	"r2lmlbench/r2lml/methodtest":     {"r2lml"},
	"r2lmlbench/baselines":            {"r2lml", "internal/linalg"},
	"r2lmlbench/datasets":             {"internal/atomicfile", "internal/matfile", "internal/unlzw"},
	"r2lmlbench/results":              {"internal/atomicfile", "stats"},
	"r2lmlbench/results/accepted":     {},
	"r2lmlbench/results/report":       {"internal/atomicfile", "results", "results/reproduction", "stats"},
	"r2lmlbench/results/figures":      {"results", "stats"},
	"r2lmlbench/results/reproduction": {"results", "stats"},
	"r2lmlbench/experiments":          {"baselines", "datasets", "internal/strictyaml", "r2lml", "results", "results/figures", "results/report", "results/reproduction", "stats"},
	"r2lmlbench/internal/cli":         {"datasets", "experiments", "internal/cluster", "internal/kernel", "results", "results/accepted", "results/report", "results/reproduction"},
}

func TestImports(t *testing.T) {
	out, err := exec.Command("go", "list", "-json=ImportPath,Imports", "./...").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	decoder := json.NewDecoder(strings.NewReader(string(out)))
	seen := 0
	for {
		var pkg struct {
			ImportPath string
			Imports    []string
		}
		if err := decoder.Decode(&pkg); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		seen++
		allowed, ok := imports[pkg.ImportPath]
		if !ok {
			t.Errorf("package %s is not in the table of imports", pkg.ImportPath)
		}
		for _, path := range pkg.Imports {
			if name, ours := strings.CutPrefix(path, "r2lmlbench/"); ours && !slices.Contains(allowed, name) {
				t.Errorf("%s may not import %s", pkg.ImportPath, path)
			}
		}
	}
	if seen != len(imports) {
		t.Errorf("go list names %d packages, the table %d", seen, len(imports))
	}
}
