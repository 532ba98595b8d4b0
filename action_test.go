package main

import (
	"archive/tar"
	"compress/gzip"
	"crypto/sha256"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
)

// TestTemplate runs the commands of the template's README.md in a copy of the
// template, with the program alone. In step 4 another method is put in place.
func TestTemplate(t *testing.T) {
	dir := template(t)
	j := newJob(t, dir)
	j.github["action_path"] = "" // nothing of the repository
	j.path = commandDir(t) + string(os.PathListSeparator) + j.path
	j.env = []string{asProgram + "=1", "XDG_CACHE_HOME=" + t.TempDir()}
	var commands []string
	for line := range strings.Lines(readFrom(t, "action/template/README.md")) {
		if command, ok := strings.CutPrefix(line, "       "); ok {
			commands = append(commands, strings.TrimSpace(command))
		}
	}
	want := []struct {
		passes bool
		says   string
	}{
		{true, ""}, {true, "mat:samples: 120 training, 60 validation and 120 test samples, 4 features, 3 classes"},
		{true, "70.00²     87.50¹  86.67¹"},
		{true, "3 cells of mine are accepted"}, {true, "Of 3 cells 3 pass"},
		{true, "70.00²     87.50¹  70.00²"}, {false, "86.67 -> 70.00 %"},
		{true, "3 cells of mine are accepted"},
	}
	if len(commands) != len(want) {
		t.Fatalf("README.md of the template has %d commands, want %d:\n%s", len(commands), len(want), strings.Join(commands, "\n"))
	}
	for i, command := range commands {
		if i == 5 {
			breakMethod(t, dir)
		}
		j.log = ""
		if passed := j.steps([]step{{Run: command}}, scope{}); passed != want[i].passes || !strings.Contains(j.log, want[i].says) {
			t.Errorf("%s: passed %t, want %t and %q\n%s", command, passed, want[i].passes, want[i].says, j.log)
		}
	}
	j.log = ""
	if passed := j.steps([]step{{Run: commands[4]}}, scope{}); !passed || !strings.Contains(j.log, "Of 3 cells 3 pass") {
		t.Errorf("accepted again: passed %t\n%s", passed, j.log)
	}
}

// template copies the template.
func template(t *testing.T) string {
	t.Helper()
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("no python3 here")
	}
	dir := filepath.Join(t.TempDir(), "mine")
	if err := os.CopyFS(dir, os.DirFS("action/template")); err != nil {
		t.Fatal(err)
	}
	return dir
}

// breakMethod leaves out the scaling that the method of the template owes its
// accuracy to.
func breakMethod(t *testing.T, dir string) {
	t.Helper()
	file := filepath.Join(dir, "method", "scaled_knn.py")
	before := readFrom(t, file)
	after := strings.Replace(before, "return [1 / (statistics.pstdev(feature) or 1) for", "return [1 for", 1)
	if after == before {
		t.Fatalf("%s has no scaling", file)
	}
	writeTo(t, file, after)
}

// commandDir is a directory for PATH with the program as r2lmlbench.
func commandDir(t *testing.T) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.Symlink(self, filepath.Join(dir, "r2lmlbench")); err != nil {
		t.Fatal(err)
	}
	return dir
}

// accept runs the template and accepts its cells.
func accept(t *testing.T, dir string) {
	t.Helper()
	data, runs := filepath.Join(t.TempDir(), "data"), filepath.Join(t.TempDir(), "runs")
	split := exec.Command("python3", "data/split.py", "data/samples.csv", "data/samples.mat")
	split.Dir = dir
	if out, err := split.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, args := range [][]string{
		{"data", "import", "data/samples.mat"}, {"run", "spec.yaml", "--results", runs}, {"gate", "spec.yaml", "--results", runs, "--accept"},
	} {
		cmd := program(append(args, "--data", data)...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %v\n%s", args, err, out)
		}
	}
}

// A suite is what a reader of JUnit's XML counts.
type suite struct {
	Suite struct {
		Tests    int `xml:"tests,attr"`
		Failures int `xml:"failures,attr"`
		Errors   int `xml:"errors,attr"`
	} `xml:"testsuite"`
}

func junit(t *testing.T, file string) (tests, bad int) {
	t.Helper()
	var s suite
	if err := xml.Unmarshal([]byte(readFrom(t, file)), &s); err != nil {
		t.Errorf("%s: %v", file, err)
	}
	return s.Suite.Tests, s.Suite.Failures + s.Suite.Errors
}

// TestAction runs the workflow of the template: it passes, fails once the method
// is another, with all outputs written, and answers in one comment.
func TestAction(t *testing.T) {
	dir := template(t)
	accept(t, dir)
	hub := newHub(t)
	workflow := stepsOf(t, "action/template/.github/workflows/gate.yml")
	j := newJob(t, dir)
	run := func(want bool) *job {
		t.Helper()
		j := j.again(t)
		j.env = []string{"GITHUB_API_URL=" + hub.URL}
		j.github["event.pull_request.number"] = "7"
		if passed := j.steps(workflow, scope{outputs: map[string]map[string]string{}}); passed != want {
			t.Fatalf("passed %t, want %t\n%s", passed, want, j.log)
		}
		return j
	}
	outputs := func(j *job) string {
		t.Helper()
		return strings.Fields(j.used["actions/upload-artifact"]["path"])[0]
	}
	j = run(true)
	if summary := readFrom(t, j.summary()); !strings.Contains(summary, "### r2lmlbench gate: passed") || !strings.Contains(summary, "Of 3 cells 3 pass") {
		t.Errorf("summary:\n%s", summary)
	}
	if tests, bad := junit(t, filepath.Join(outputs(j), "gate.xml")); tests != 3 || bad != 0 {
		t.Errorf("JUnit: %d tests, %d bad; want 3, 0", tests, bad)
	}
	if strings.Contains(j.log, "::error") || !json.Valid([]byte(readFrom(t, filepath.Join(outputs(j), "gate.json")))) {
		t.Errorf("a gate that passes:\n%s", j.log)
	}
	if len(hub.comments) != 2 || !strings.Contains(hub.comments[1], "gate: passed") {
		t.Errorf("comments: %q", hub.comments)
	}
	green := j.used["actions/cache/restore"]["key"]
	if again := j.used["actions/cache/save"]["key"]; green == "" || again != green {
		t.Errorf("cells are saved under %q and looked for under %q", again, green)
	}

	breakMethod(t, dir)
	j = run(false)
	if !regexp.MustCompile(`(?m)^::error file=spec\.yaml,line=9,.*scaled-knn .*86\.67 -> 70\.00 %25`).MatchString(j.log) {
		t.Errorf("no annotation at the line of the method has its accuracies:\n%s", j.log)
	}
	if summary := readFrom(t, j.summary()); !strings.Contains(summary, "### r2lmlbench gate: not passed") || !strings.Contains(summary, "scaled-knn") {
		t.Errorf("summary:\n%s", summary)
	}
	if tests, bad := junit(t, filepath.Join(outputs(j), "gate.xml")); tests != 3 || bad != 1 {
		t.Errorf("JUnit: %d tests, %d bad; want 3, 1", tests, bad)
	}
	if len(hub.comments) != 2 || !strings.Contains(hub.comments[1], "gate: not passed") {
		t.Errorf("comments: %q", hub.comments)
	}
	if !strings.Contains(hub.comments[0], "by a person") {
		t.Errorf("the comment of a person was replaced: %q", hub.comments[0])
	}
	if key := j.used["actions/cache/restore"]["key"]; strings.Count(key, "-") != strings.Count(green, "-") || key == green {
		t.Errorf("cells of another state of the repository are looked for under %q, before %q", key, green)
	}
}

// A hub keeps the comments of a pull request as GitHub does.
type hub struct {
	*httptest.Server
	mu       sync.Mutex
	comments []string // by number less one
	refuses  bool
}

// newHub has a comment of a person that begins like those of the gate.
func newHub(t *testing.T) *hub {
	t.Helper()
	h := &hub{comments: []string{fmt.Sprintf("<!-- r2lmlbench-gate %x -->\nby a person", sha256.Sum256([]byte("spec.yaml")))}}
	h.Server = httptest.NewServer(http.HandlerFunc(h.serve))
	t.Cleanup(h.Close)
	for _, name := range []string{"curl", "jq"} {
		if _, err := exec.LookPath(name); err != nil {
			t.Skipf("no %s here", name)
		}
	}
	return h
}

func (h *hub) serve(w http.ResponseWriter, r *http.Request) {
	h.mu.Lock()
	defer h.mu.Unlock()
	var sent struct{ Body string }
	if r.Method != http.MethodGet {
		if err := json.NewDecoder(r.Body).Decode(&sent); err != nil {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
	}
	var id int
	switch {
	case h.refuses || r.Header.Get("Authorization") != "Bearer a-token":
		w.WriteHeader(http.StatusForbidden)
	case r.Method == http.MethodGet && r.URL.Path == "/repos/someone/project/issues/7/comments":
		var all []map[string]any
		for i, body := range h.comments {
			author := map[bool]string{true: "User", false: "Bot"}[i == 0]
			all = append(all, map[string]any{"id": i + 1, "body": body, "user": map[string]string{"type": author}})
		}
		json.NewEncoder(w).Encode(all)
	case r.Method == http.MethodPost && r.URL.Path == "/repos/someone/project/issues/7/comments":
		h.comments = append(h.comments, sent.Body)
	case r.Method == http.MethodPatch && sscan(r.URL.Path, "/repos/someone/project/issues/comments/%d", &id) && id <= len(h.comments):
		h.comments[id-1] = sent.Body
	default:
		w.WriteHeader(http.StatusNotFound)
	}
}

func sscan(text, format string, id *int) bool {
	n, err := fmt.Sscanf(text, format, id)
	return err == nil && n == 1
}

// TestCommentRefused: a comment that cannot be written is a warning.
func TestCommentRefused(t *testing.T) {
	h := newHub(t)
	h.refuses = true
	j := newJob(t, t.TempDir())
	body := filepath.Join(t.TempDir(), "comment.md")
	writeTo(t, body, "a comment\n")
	comment := func(number string) bool {
		j.env = []string{"GITHUB_API_URL=" + h.URL}
		return j.steps([]step{{Run: `bash "$GITHUB_ACTION_PATH/action/comment.sh"`,
			Env: map[string]string{"BODY": body, "NUMBER": number, "TOKEN": "a-token"}}}, scope{})
	}
	if !comment("7") || !strings.Contains(j.log, "::warning title=r2lmlbench::the comment could not be written") || strings.Contains(j.log, "a-token") {
		t.Errorf("refused:\n%s", j.log)
	}
	if !comment("") || comment("7/../8") || len(h.comments) != 1 {
		t.Errorf("no number, and none:\n%s", j.log)
	}
}

// moody is a method that the file beside it decides on, which the key of its cells
// does not hold, and which speaks to the runner.
const (
	moody = `import csv, pathlib, sys
mood = pathlib.Path(__file__).with_name("mood.txt").read_text()
print("\n::error::of the method\n::set-output name=passed::true", file=sys.stderr)
if mood == "failing":
    sys.exit("the method fails\n::error::of the failure")
train, queries = ([[float(v) for v in row] for row in list(csv.reader(open(name)))[1:]] for name in ("train.csv", "query.csv"))
with open("predictions.csv", "w") as out:
    for query in queries:
        nearest = min(train, key=lambda sample: sum((u - v) ** 2 for u, v in zip(query, sample[1:])))
        print(int(nearest[0]) if mood == "near" else 1, file=out)
`
	moodySpec = `
name: moody
datasets: [mat:samples]
methods:
  - method: euclidean
  - method: external
    name: moody
    params: {command: [python3, ./moody.py], timeout: 60}
`
)

// gated is a project with the method moody, accepted as nearest neighbors.
func gated(t *testing.T) (dir string) {
	t.Helper()
	dir = template(t)
	writeTo(t, filepath.Join(dir, "spec.yaml"), moodySpec)
	writeTo(t, filepath.Join(dir, "moody.py"), moody)
	writeTo(t, filepath.Join(dir, "mood.txt"), "near")
	accept(t, dir)
	return dir
}

// gateStep runs this action alone.
func gateStep(j *job, with map[string]string) bool {
	return j.steps([]step{{ID: "gate", Uses: "OWNER/r2lmlbench@v0", With: with}}, scope{outputs: map[string]map[string]string{}})
}

// TestActionOtherPredictions: other predictions under the same key are found, a
// method that fails makes the gate fail, and what a method prints is no command to
// the runner.
func TestActionOtherPredictions(t *testing.T) {
	dir := gated(t)
	writeTo(t, filepath.Join(dir, "mood.txt"), "lazy")
	with := map[string]string{"spec": "spec.yaml", "import": "data/samples.mat"}
	j := newJob(t, dir)
	if gateStep(j, with) || !strings.Contains(obeyed(t, j.log), "80 of 120 predictions differ") {
		t.Errorf("other predictions pass:\n%s", j.log)
	}
	if !strings.Contains(obeyed(t, j.log), "-> 33.33 %") {
		t.Errorf("no annotation:\n%s", j.log)
	}
	writeTo(t, filepath.Join(dir, "mood.txt"), "failing")
	j = j.again(t)
	if gateStep(j, with) || !strings.Contains(obeyed(t, j.log), "run ended with exit code 5") {
		t.Errorf("a method that fails passes:\n%s", j.log)
	}
	if !strings.Contains(readFrom(t, j.summary()), "the method fails") {
		t.Errorf("the summary has no reason:\n%s", readFrom(t, j.summary()))
	}
	for line := range strings.Lines(obeyed(t, j.log)) {
		if strings.HasPrefix(line, "::error::of") || strings.HasPrefix(line, "::set-output") {
			t.Errorf("the runner obeys a method: %s", line)
		}
	}
}

// obeyed is what of a log the runner reads commands in: not what stands between
// stop-commands and its mark.
func obeyed(t *testing.T, log string) string {
	t.Helper()
	var b strings.Builder
	stopped := ""
	for line := range strings.Lines(log) {
		mark, stops := strings.CutPrefix(strings.TrimSpace(line), "::stop-commands::")
		switch {
		case stopped == "" && stops:
			stopped = "::" + mark + "::"
		case stopped == "":
			b.WriteString(line)
		case strings.TrimSpace(line) == stopped:
			stopped = ""
		}
	}
	if stopped != "" {
		t.Errorf("commands are stopped to the end:\n%s", log)
	}
	return b.String()
}

// TestActionHostileInputs: no input is run, and all are refused or handed over as
// they are.
func TestActionHostileInputs(t *testing.T) {
	dir := t.TempDir()
	first := newJob(t, dir)
	for _, c := range []struct {
		name string
		with map[string]string
		says string
	}{
		{"commands in the spec", map[string]string{"spec": "$(touch pwned)`touch pwned`'; touch pwned; \".yaml"}, "touch pwned"},
		{"a flag as the spec", map[string]string{"spec": "--help"}, "--help"},
		{"two lines", map[string]string{"spec": "smoke\nstatus=0"}, "control character or more than one line"},
		{"an annotation", map[string]string{"spec": "a%0A::error::mine.yaml"}, "a%250A::error::mine.yaml"},
		{"commands in the arguments", map[string]string{"spec": "smoke", "args": "; touch pwned\n$(touch pwned) *"}, "arguments"},
		{"a flag that run does not have in the arguments", map[string]string{"spec": "smoke", "args": "--accept"}, "unknown flag: --accept"},
		{"commands in the directories", map[string]string{"spec": "none.yaml", "accepted": "$(touch pwned)", "results": "a b; touch pwned"}, "none.yaml"},
		{"an option as a file", map[string]string{"spec": "smoke", "import": "--name=x"}, "--name=x"},
		{"not a truth value", map[string]string{"spec": "smoke", "allow-changed": "true; exit 0"}, "want true or false"},
		{"no spec", map[string]string{"spec": ""}, "the input spec is empty"},
		{"no accepted cells", map[string]string{"spec": "smoke", "accepted": ""}, "the input accepted is empty"},
	} {
		t.Run(c.name, func(t *testing.T) {
			j := first.again(t)
			if gateStep(j, c.with) || !strings.Contains(j.log, c.says) {
				t.Errorf("want %q in\n%s", c.says, j.log)
			}
			if !strings.Contains(obeyed(t, j.log), "::error title=r2lmlbench::") || regexp.MustCompile(`(?m)^::error::`).MatchString(obeyed(t, j.log)) {
				t.Errorf("annotations:\n%s", j.log)
			}
			if found, _ := filepath.Glob(filepath.Join(dir, "*pwned*")); len(found) > 0 && found[0] != filepath.Join(dir, "a b; touch pwned") {
				t.Errorf("a command in an input was run: %v", found)
			}
			if out := j.used["actions/upload-artifact"]["path"]; out != "" {
				if tests, bad := junit(t, filepath.Join(strings.Split(out, "\n")[0], "gate.xml")); tests == 0 || bad != tests {
					t.Errorf("JUnit: %d tests, %d bad", tests, bad)
				}
			}
		})
	}
}

// TestActionDownload: a release is run if it has the digest that goes with it.
func TestActionDownload(t *testing.T) {
	if _, err := exec.LookPath("curl"); err != nil {
		t.Skip("no curl here")
	}
	name := fmt.Sprintf("r2lmlbench-9.8.7-%s-%s.tar.gz", runtime.GOOS, runtime.GOARCH)
	archive := release(t, "#!/bin/sh\necho r2lmlbench of the release\n")
	for _, c := range []struct {
		name, version, sums, says string
		passes                    bool
	}{
		{"right", "v9.8.7", fmt.Sprintf("%x  %s\n", sha256.Sum256(archive), name), "r2lmlbench of the release", true},
		{"another digest", "v9.8.7", fmt.Sprintf("%x  %s\n", sha256.Sum256(nil), name), "has not the digest in SHA256SUMS", false},
		{"not listed", "v9.8.7", "", "has not the digest in SHA256SUMS", false},
		{"no such release", "v1.0.0", "", "cannot download", false},
		{"no version", "../v9.8.7", "", "want a release such as v0.2.0", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			files := map[string]string{name: string(archive), "SHA256SUMS": c.sums}
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				file, there := files[strings.TrimPrefix(r.URL.Path, "/someone/r2lmlbench/releases/download/v9.8.7/")]
				if !there {
					w.WriteHeader(http.StatusNotFound)
				}
				io.WriteString(w, file)
			}))
			defer server.Close()
			j := newJob(t, t.TempDir())
			j.env = []string{"GITHUB_SERVER_URL=" + server.URL}
			passed := j.steps([]step{{Run: `bash "$GITHUB_ACTION_PATH/action/program.sh"`,
				Env: map[string]string{"VERSION": c.version, "REPOSITORY": "someone/r2lmlbench"}}, {Run: "r2lmlbench"}}, scope{})
			if passed != c.passes || !strings.Contains(j.log, c.says) || !c.passes && strings.Contains(j.log, "of the release\n") {
				t.Errorf("passed %t, want %t and %q\n%s", passed, c.passes, c.says, j.log)
			}
		})
	}
}

// release packs a program.
func release(t *testing.T, program string) []byte {
	t.Helper()
	var b strings.Builder
	z := gzip.NewWriter(&b)
	w := tar.NewWriter(z)
	if err := w.WriteHeader(&tar.Header{Name: "r2lmlbench-9.8.7/r2lmlbench", Mode: 0o755, Size: int64(len(program))}); err != nil {
		t.Fatal(err)
	}
	for _, err := range []error{second(io.WriteString(w, program)), w.Close(), z.Close()} {
		if err != nil {
			t.Fatal(err)
		}
	}
	return []byte(b.String())
}

func second[T any](_ T, err error) error { return err }

// TestWorkflow runs the shell steps of the workflow without this action.
func TestWorkflow(t *testing.T) {
	dir := template(t)
	accept(t, dir)
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(here, filepath.Join(dir, "r2lmlbench")); err != nil {
		t.Fatal(err)
	}
	workflow := stepsOf(t, "action/workflow.yml")
	j := newJob(t, dir)
	for _, passes := range []bool{true, false} {
		if !passes {
			breakMethod(t, dir)
		}
		j = j.again(t)
		j.env = []string{"R2LMLBENCH_DATA=" + t.TempDir()}
		if passed := j.steps(workflow, scope{}); passed != passes || strings.Contains(j.log, "::error file=") == passes {
			t.Errorf("passed %t, want %t\n%s", passed, passes, j.log)
		}
		tests, bad := junit(t, filepath.Join(dir, "gate.xml"))
		if want := map[bool]int{true: 0, false: 1}[passes]; tests != 3 || bad != want {
			t.Errorf("JUnit: %d tests, %d bad; want 3, %d", tests, bad, want)
		}
		says := map[bool]string{true: "Of 3 cells 3 pass", false: "scaled-knn"}[passes]
		if summary := readFrom(t, j.summary()); !strings.Contains(summary, says) {
			t.Errorf("summary:\n%s", summary)
		}
	}
}

// TestActionInputs: gate.md documents every input and output.
func TestActionInputs(t *testing.T) {
	var a action
	readYAML(t, "action.yml", &a)
	page := readFrom(t, "docs/gate.md")
	var names []string
	for name := range a.Inputs {
		names = append(names, name)
	}
	for name := range a.Outputs {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		if !strings.Contains(page, "| `"+name+"`") {
			t.Errorf("docs/gate.md does not explain %s", name)
		}
	}
	if len(names) < 15 {
		t.Errorf("the action has %d inputs and outputs: %v", len(names), names)
	}
}
