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

// TestBuilds: `go run`, `go build` and a release are one build, though their executables
// are not the same. A changed file makes another one.
func TestBuilds(t *testing.T) {
	fixture.Long(t)
	dir := t.TempDir()
	sum := func(command ...string) string {
		t.Helper()
		var build struct{ Sources string }
		out, err := exec.Command(command[0], append(command[1:], "version", "--format", "json")...).Output()
		if err == nil {
			err = json.Unmarshal(out, &build)
		}
		if err != nil || len(build.Sources) != 64 {
			t.Fatalf("%v: %v\n%s", command, err, out)
		}
		return build.Sources
	}
	want := sum("go", "run", ".")
	for _, flags := range [][]string{{}, {"-trimpath", "-buildvcs=false", "-ldflags=-s -w"}} {
		fixture.Equal(t, "sources of go build", sum(built(t, dir, flags...)), want)
	}
	original := fixture.Must(filepath.Abs("stats/holm.go"))(t)
	changed := fixture.Write(t, filepath.Join(dir, "holm.go"), fixture.Text(t, original)+"// changed\n")
	replaced := fixture.Must(json.Marshal(map[string]any{"Replace": map[string]string{original: changed}}))(t)
	if sum(built(t, dir, "-overlay", fixture.Write(t, filepath.Join(dir, "overlay.json"), string(replaced)))) == want {
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
		"CITATION.cff": "version: " + cli.Version, "Dockerfile": "docker build -t " + image + " .",
		"action/workflow.yml": "ref: v" + cli.Version, "docs/gate.md": "OWNER/r2lmlbench@v" + cli.Version,
		"action/template/.github/workflows/gate.yml": "OWNER/r2lmlbench@v" + cli.Version,
	} {
		fixture.Has(t, file, fixture.Text(t, file), want)
	}
}
