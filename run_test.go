package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"r2lmlbench/internal/cli"
	"r2lmlbench/internal/cluster"
	"r2lmlbench/internal/fixture"
)

// asProgram makes the test binary the program itself, so that tests of whole
// processes need not build it.
const asProgram = "R2LMLBENCH_TEST_AS_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		main()
	}
	os.Exit(m.Run())
}

// program prepares a run of the program.
func program(args ...string) *exec.Cmd {
	cmd := exec.Command(os.Args[0], args...)
	cmd.Env = append(os.Environ(), asProgram+"=1")
	return cmd
}

// TestSources: the sources that tell builds apart are those of every package of the
// program, for all systems and processors, tests left out.
func TestSources(t *testing.T) {
	all := packages(t)
	main := all[slices.IndexFunc(all, func(p listed) bool { return p.room() == "" })]
	checked := 0
	for _, p := range all {
		if p.ImportPath != main.ImportPath && !slices.Contains(main.Deps, p.ImportPath) {
			continue
		}
		for _, pattern := range []string{"*.go", "*.s"} {
			files := fixture.Must(filepath.Glob(filepath.Join(p.Dir, pattern)))(t)
			for _, file := range files {
				name := strings.TrimPrefix(filepath.ToSlash(strings.TrimPrefix(file, main.Dir)), "/")
				if strings.HasSuffix(name, "_test.go") {
					continue
				}
				checked++
				if there, err := sources.ReadFile(name); err != nil || string(there) != fixture.Text(t, file) {
					t.Errorf("run.go does not embed %s as it is: %v", name, err)
				}
			}
		}
	}
	if checked < 200 {
		t.Errorf("%d files", checked)
	}
}

// built builds the program into a directory and returns its path.
func built(t *testing.T, dir string, flags ...string) string {
	t.Helper()
	file := filepath.Join(dir, "built.exe")
	if out, err := exec.Command("go", slices.Concat([]string{"build", "-o", file}, flags, []string{"."})...).CombinedOutput(); err != nil {
		t.Fatalf("go build %v: %v\n%s", flags, err, out)
	}
	return file
}

// overlay writes what replaces files of the source in a build, and returns the file that
// go build -overlay takes.
func overlay(t *testing.T, dir string, texts map[string]string) string {
	t.Helper()
	replaced := map[string]string{}
	for name, text := range texts {
		replaced[fixture.Must(filepath.Abs(name))(t)] = fixture.Write(t, filepath.Join(dir, filepath.Base(name)), text)
	}
	list := fixture.Must(json.Marshal(map[string]any{"Replace": replaced}))(t)
	return fixture.Write(t, filepath.Join(dir, "overlay.json"), string(list))
}

// TestBuilds: `go run`, `go build` and a release are one build, though their executables
// are not the same. A changed file makes another one.
func TestBuilds(t *testing.T) {
	fixture.Long(t)
	dir := t.TempDir()
	sum := func(command ...string) string {
		t.Helper()
		out, err := exec.Command(command[0], append(command[1:], "version")...).Output()
		_, sources, _ := strings.Cut(strings.TrimSpace(string(out)), "\nsources ")
		if err != nil || len(sources) != 64 {
			t.Fatalf("%v: %v\n%s", command, err, out)
		}
		return sources
	}
	want := sum("go", "run", ".")
	for _, flags := range [][]string{{}, {"-trimpath", "-buildvcs=false", "-ldflags=-s -w"}} {
		fixture.Equal(t, "sources of go build", sum(built(t, dir, flags...)), want)
	}
	const changed = "stats/holm.go"
	if sum(built(t, dir, "-overlay", overlay(t, dir, map[string]string{changed: fixture.Text(t, changed) + "// changed\n"}))) == want {
		t.Error("a build with a changed file is the same build")
	}
}

// TestVersions: the program and the documents of a release agree on what is released.
func TestVersions(t *testing.T) {
	const image = "r2lmlbench:" + cli.Version
	changes := regexp.MustCompile(`(?m)^## \[(\d+\.\d+\.\d+)\] - \d{4}-\d\d-\d\d$`).FindStringSubmatch(fixture.Text(t, "CHANGELOG.md"))
	if len(changes) == 0 || changes[1] != cli.Version || cluster.Image != image {
		t.Errorf("version %s, CHANGELOG.md has %v, manifests name %s", cli.Version, changes, cluster.Image)
	}
	for file, want := range map[string]string{
		"CITATION.cff": "version: " + cli.Version + "\ndate-released: " + cli.Released, "Dockerfile": "docker build -t " + image + " .",
		"action/workflow.yml": "ref: v" + cli.Version, "docs/gate.md": "OWNER/r2lmlbench@v" + cli.Version,
		"internal/cli/template/.github/workflows/gate.yml": "OWNER/r2lmlbench@v" + cli.Version,
	} {
		fixture.Has(t, file, fixture.Text(t, file), want)
	}
}

// TestNewBaseline: a baseline is a file in baselines/, a line of the registry and a stanza
// of a spec. Here the file is laid over the source, and the program built with it.
func TestNewBaseline(t *testing.T) {
	fixture.Long(t)
	const registry, list = "experiments/registry/registry.go", "\nvar Methods = []method.Method{\n"
	line := list + `method.New("weighted", "Weighted", r2lml.Singly[baselines.Weighted], method.About{Source: "a test", Complexity: "none", Version: 1}),` + "\n"
	dir := t.TempDir()
	program := built(t, dir, "-overlay", overlay(t, dir, map[string]string{
		registry: strings.Replace(fixture.Text(t, registry), list, line, 1), "baselines/weighted.go": fixture.Text(t, "testdata/threeplaces/weighted.go.txt"),
	}))
	spec := fixture.Must(filepath.Abs("testdata/threeplaces/three.yaml"))(t)
	cmd := exec.Command(program, "run", spec, "--format", "json", "--quiet")
	cmd.Dir = dir
	var table struct {
		Rows []struct {
			Cells []struct {
				Method, Accuracy string
				Facts            []struct{ Name string }
			}
		}
	}
	fixture.Check(t, json.Unmarshal(fixture.Must(cmd.Output())(t), &table))
	euclidean, weighted := table.Rows[0].Cells[0], table.Rows[0].Cells[1]
	fixture.Equal(t, "method", weighted.Method, "weighted")
	fixture.Equal(t, "accuracy with weight 1", weighted.Accuracy, euclidean.Accuracy)
	fixture.Equal(t, "facts", len(weighted.Facts), 4)
}

// TestReadmeShowsCompare: the first command of the README prints what stands below it, and draws the
// picture. With -update the picture is drawn anew.
func TestReadmeShowsCompare(t *testing.T) {
	fixture.Long(t)
	_, rest, found := strings.Cut(fixture.Text(t, "README.md"), "    $ r2lmlbench ")
	call, shown, _ := strings.Cut(rest, "\n")
	if !found || !strings.HasPrefix(call, "compare experiments/iris.csv ") {
		t.Fatalf("the first command of README.md is %q", call)
	}
	dir := t.TempDir()
	cmd := program(append(strings.Fields(call), "--quiet", "--results", dir)...)
	cmd.Env = append(cmd.Env, "COLUMNS=110")
	cmd.Args[slices.Index(cmd.Args, "iris.svg")] = filepath.Join(dir, "iris.svg")
	out, _, _ := strings.Cut(string(fixture.Must(cmd.Output())(t)), "\n\nA split has ") // the notes
	var lines strings.Builder
	for line := range strings.Lines(out + "\n") {
		lines.WriteString(strings.TrimRight("    "+line, " \n") + "\n")
	}
	if !strings.HasPrefix(shown, lines.String()) {
		t.Errorf("README.md does not show\n%s", lines.String())
	}
	fixture.Golden(t, "docs/iris.svg", fixture.Must(os.ReadFile(filepath.Join(dir, "iris.svg")))(t))
}
