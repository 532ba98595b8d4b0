package main

import (
	"encoding/json"
	"errors"
	"io"
	"maps"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"r2lmlbench/internal/fixture"
)

// imports is who may import whom among the packages of this module, test files
// left out. Data flows one way and imports point the other: a package that is
// not listed, or an import that is not, fails the test.
var imports = map[string][]string{
	"":                    {"internal/cli", "results"},
	"experiments/program": {"experiments/method", "experiments/registry", "internal/cli"},

	// spec -> plan -> run
	"experiments":           {},
	"experiments/published": {"stats/audit"},
	"experiments/measure":   {"r2lml", "results"},
	"experiments/method":    {"datasets", "internal/files", "internal/strictyaml", "r2lml", "results"},
	"experiments/external": {
		"datasets", "datasets/tabular", "experiments/method", "internal/files", "internal/machine", "internal/strictyaml", "internal/text", "r2lml",
		"results",
	},
	"experiments/registry": {"baselines", "experiments/external", "experiments/method", "experiments/published", "r2lml", "results"},
	"experiments/spec": {
		"datasets", "datasets/tabular", "experiments", "experiments/measure", "experiments/method", "experiments/published", "experiments/registry",
		"internal/files", "internal/strictyaml", "r2lml", "results", "stats", "stats/audit",
	},
	"experiments/plan": {"datasets", "experiments/measure", "experiments/method", "experiments/spec", "results", "results/store"},
	"experiments/run": {
		"datasets", "experiments/external", "experiments/measure", "experiments/method", "experiments/plan", "experiments/registry", "experiments/spec",
		"internal/files", "internal/machine", "r2lml", "results", "results/store",
	},
	"experiments/compare": {
		"datasets", "datasets/tabular", "experiments/cost", "experiments/method", "experiments/plan", "experiments/registry", "experiments/spec",
		"internal/machine", "internal/strictyaml", "internal/text", "results",
	},
	"experiments/fit": {"datasets", "experiments/method", "experiments/run", "internal/codecs", "r2lml", "results"},
	"experiments/cost": {
		"experiments/measure", "experiments/method", "experiments/plan", "experiments/run", "experiments/spec", "internal/machine", "r2lml",
		"results",
	},

	// plan and store -> table -> gate, paper -> report
	"results":       {"internal/text"},
	"results/store": {"internal/files", "results"},
	"results/table": {
		"experiments/plan", "experiments/published", "experiments/spec", "internal/document", "internal/text", "r2lml", "results", "results/store", "stats",
	},
	"results/answer": {
		"datasets", "datasets/tabular", "experiments/compare", "experiments/method", "experiments/plan", "internal/document", "internal/text", "results",
		"results/store", "results/table", "stats",
	},
	"results/rank": {
		"datasets/tabular", "internal/document", "internal/files", "internal/text", "results", "results/gate", "results/store", "results/table", "stats",
	},
	"results/paper": {
		"experiments", "experiments/measure", "experiments/method", "experiments/plan", "experiments/published", "experiments/spec", "internal/document",
		"internal/files", "internal/text", "r2lml", "results", "results/store",
		"results/table", "stats", "stats/audit",
	},
	"results/gate": {"experiments/plan", "internal/document", "internal/text", "results", "results/store", "results/table", "stats"},
	"results/report": {
		"datasets", "experiments/measure", "experiments/plan", "experiments/published", "experiments/spec", "internal/document", "internal/files",
		"internal/text", "r2lml", "results", "results/gate", "results/paper", "results/store", "results/table", "stats",
	},

	// libraries
	"baselines":            {"internal/kernel", "internal/linalg", "internal/strictyaml", "r2lml"},
	"datasets":             {"datasets/tabular", "internal/codecs", "internal/files", "internal/linalg", "internal/text"},
	"datasets/tabular":     {"internal/codecs", "internal/files", "internal/strictyaml", "internal/text"},
	"r2lml":                {"internal/kernel", "internal/linalg", "internal/strictyaml", "r2lml/internal/batch"},
	"r2lml/internal/batch": {"internal/kernel", "internal/linalg", "internal/machine"},
	"stats":                {},
	"stats/audit":          {"internal/strictyaml", "internal/text", "stats"},

	// the command and what has no knowledge of experiments
	"internal/cli": {
		"datasets", "datasets/tabular", "experiments", "experiments/compare", "experiments/cost", "experiments/external", "experiments/fit",
		"experiments/method", "experiments/plan", "experiments/published", "experiments/registry", "experiments/run", "experiments/spec",
		"internal/cluster", "internal/console", "internal/document", "internal/files", "internal/kernel", "internal/machine", "internal/strictyaml",
		"internal/text", "results", "results/answer", "results/gate", "results/paper", "results/rank", "results/report", "results/store",
		"results/table", "stats", "stats/audit",
	},
	"internal/cluster":    {},
	"internal/codecs":     {},
	"internal/console":    {"internal/document", "internal/text"},
	"internal/document":   {"internal/text"},
	"internal/files":      {},
	"internal/kernel":     {},
	"internal/linalg":     {"internal/kernel"},
	"internal/machine":    {},
	"internal/strictyaml": {},
	"internal/text":       {},

	// helpers of tests
	"internal/fixture": {"results"},
	"internal/testkit": {
		"experiments", "experiments/measure", "experiments/method", "experiments/plan", "experiments/published", "experiments/run", "experiments/spec",
		"internal/fixture", "r2lml", "results", "results/store", "results/table", "stats",
	},
	"r2lml/methodtest": {"r2lml"},
}

// A listed package is what go list tells of one.
type listed struct {
	ImportPath string
	Dir        string
	GoFiles    []string
	Imports    []string
	Deps       []string
}

// room is the path of a package below the module.
func (p listed) room() string {
	return strings.TrimPrefix(strings.TrimPrefix(p.ImportPath, "r2lmlbench"), "/")
}

func packages(t *testing.T) []listed {
	t.Helper()
	out := fixture.Must(exec.Command("go", "list", "-json=ImportPath,Dir,GoFiles,Imports,Deps", "./...").Output())(t)
	var all []listed
	for decoder := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p listed
		err := decoder.Decode(&p)
		if errors.Is(err, io.EOF) {
			return all
		}
		fixture.Check(t, err)
		all = append(all, p)
	}
}

// TestImports holds the packages against the table. What it would let slip in step by step
// is checked as well: what plans and computes cells needs nothing that is made of them. A program of
// one's own methods has the whole command.
func TestImports(t *testing.T) {
	all := packages(t)
	cells := []string{"results", "results/store"}
	for _, p := range all {
		allowed, ok := imports[p.room()]
		if !ok {
			t.Errorf("package %s is not in the table of imports", p.ImportPath)
		}
		for _, name := range allowed {
			if !slices.Contains(p.Imports, "r2lmlbench/"+name) {
				t.Errorf("%s need not be allowed to import %s", p.ImportPath, name)
			}
		}
		for _, imported := range p.Imports {
			if name, ours := strings.CutPrefix(imported, "r2lmlbench/"); ours && !slices.Contains(allowed, name) {
				t.Errorf("%s may not import %s", p.ImportPath, imported)
			}
		}
		for _, needed := range p.Deps {
			name := strings.TrimPrefix(needed, "r2lmlbench/")
			if strings.HasPrefix(p.room(), "experiments") && p.room() != "experiments/program" && strings.HasPrefix(name, "results/") && !slices.Contains(cells, name) {
				t.Errorf("%s needs %s, which is made of cells", p.ImportPath, needed)
			}
		}
	}
	if len(all) != len(imports) {
		t.Errorf("go list names %d packages, the table %d", len(all), len(imports))
	}
}

// goFiles are the Go files of the module by their paths.
func goFiles(t *testing.T) map[string]string {
	t.Helper()
	files := fixture.Contents(t, ".", ".go")
	maps.DeleteFunc(files, func(name, _ string) bool { return strings.HasPrefix(name, ".") })
	if len(files) < 300 {
		t.Fatalf("%d files", len(files))
	}
	return files
}

// TestWidth: no line of Go is longer than a screen is wide, but for generated code and the tags
// of structs.
func TestWidth(t *testing.T) {
	const longest = 160
	for name, text := range goFiles(t) {
		for number, line := range strings.Split(text, "\n") {
			if n := utf8.RuneCountInString(line); n > longest && !strings.Contains(line, "jsonschema") && !strings.HasSuffix(name, "_amd64.go") {
				t.Errorf("%s:%d has %d characters, want at most %d", name, number+1, n, longest)
			}
		}
	}
}

// TestNamedTests: every test that stands for a defence in SECURITY.md, or that a page or CI
// runs by a part of its name, is there.
func TestNamedTests(t *testing.T) {
	var there []string
	for _, text := range goFiles(t) {
		for _, m := range regexp.MustCompile(`(?m)^func ((?:Test|Fuzz|Benchmark)\w+)\(`).FindAllStringSubmatch(text, -1) {
			there = append(there, m[1])
		}
	}
	check := func(file, name string, named func(test, name string) bool) {
		if !slices.ContainsFunc(there, func(test string) bool { return named(test, name) }) {
			t.Errorf("%s names %s, which is no test", file, name)
		}
	}
	named := regexp.MustCompile(`\b(Test|Fuzz)[A-Z]\w*`).FindAllString(fixture.Text(t, "SECURITY.md"), -1)
	for _, name := range named {
		check("SECURITY.md", name, func(test, name string) bool { return test == name })
	}
	if len(named) < 30 {
		t.Errorf("SECURITY.md names %d tests, want at least 30", len(named))
	}
	parts := regexp.MustCompile(`go test .*-run '?([A-Za-z|\\]+)`)
	for _, file := range []string{".ci/run", ".ci/image", "CONTRIBUTING.md", "docs/dev/reliability.md"} {
		runs := parts.FindAllStringSubmatch(strings.ReplaceAll(fixture.Text(t, file), "\\\n", ""), -1)
		for _, m := range runs {
			for _, part := range strings.FieldsFunc(m[1], func(r rune) bool { return r == '|' || r == '\\' }) {
				check(file, part, strings.Contains)
			}
		}
		if len(runs) == 0 {
			t.Errorf("%s runs no test by name", file)
		}
	}
}
