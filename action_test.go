package main

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"testing"

	"r2lmlbench/internal/fixture"
)

// A job runs scripts of the action in a project, as a runner does.
type job struct {
	t    *testing.T
	dir  string // of the project
	temp string // of the runner
	env  []string
	log  string // of the last script
}

func newJob(t *testing.T, dir string) *job {
	t.Helper()
	fixture.Needs(t, "bash")
	self := fixture.Must(os.Executable())(t)
	return &job{t: t, dir: dir, temp: t.TempDir(), env: []string{asProgram + "=1", "PROGRAM=" + self, "REPOSITORY=someone/r2lmlbench"}}
}

// run runs a script with inputs, and tells whether it ended well and what outputs it set.
func (j *job) run(script string, inputs ...string) (ok bool, outputs map[string]string) {
	j.t.Helper()
	here := fixture.Must(os.Getwd())(j.t)
	file := func(name string) string { return filepath.Join(j.temp, name) }
	os.Remove(file("output"))
	cmd := exec.Command("bash", filepath.Join(here, "action", script))
	cmd.Dir = j.dir
	cmd.Env = append(append(os.Environ(), j.env...), "RUNNER_TEMP="+j.temp, "GITHUB_OUTPUT="+file("output"),
		"GITHUB_STEP_SUMMARY="+file("summary.md"), "GITHUB_PATH="+file("path"), "GITHUB_REPOSITORY=someone/project")
	cmd.Env = append(cmd.Env, inputs...)
	out, err := cmd.CombinedOutput()
	j.log = string(out)
	outputs = map[string]string{}
	set, _ := os.ReadFile(file("output"))
	for line := range strings.Lines(string(set)) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), "=")
		outputs[name] = value
	}
	return err == nil, outputs
}

// gate checks inputs and runs the gate, as the steps of action.yml do; passed is what it
// told.
func (j *job) gate(inputs ...string) (passed bool, outputs map[string]string) {
	j.t.Helper()
	all := append([]string{"SPEC=spec.yaml", "VERSION=", "ACCEPTED=results/accepted", "RESULTS=", "DATA=", "FETCH=", "CELLS_KEY=", "ALLOW_CHANGED=false",
		"COMMENT=false", "IMPORT=", "ARGS="}, inputs...)
	ok, checked := j.run("inputs.sh", all...)
	if !ok {
		return false, checked
	}
	log := j.log
	ok, outputs = j.run("gate.sh", append(all, "RESULTS="+checked["results"], "DATA="+checked["data"])...)
	j.log = log + j.log
	return ok && outputs["status"] == "0", outputs
}

// accepted is the project that init writes, with its cells accepted.
func accepted(t *testing.T) string {
	t.Helper()
	fixture.Needs(t, "python3")
	dir, runs := filepath.Join(t.TempDir(), "mine"), filepath.Join(t.TempDir(), "runs")
	fixture.Must(program("init", dir).Output())(t)
	for _, args := range [][]string{{"run", "spec.yaml", "--results", runs}, {"gate", "spec.yaml", "--results", runs, "--accept"}} {
		cmd := program(args...)
		cmd.Dir = dir
		fixture.Must(cmd.Output())(t)
	}
	return dir
}

// junit is how many tests a file in JUnit's XML has, and how many did not pass.
func junit(t *testing.T, file string) string {
	t.Helper()
	return regexp.MustCompile(`tests="\d+" failures="\d+" errors="\d+"`).FindString(fixture.Text(t, file))
}

// TestAction: the gate of the template passes, and fails once its method is another, with
// an annotation at its line. The outcome is one comment that replaces the earlier one. A
// method that fails makes the gate fail, and what it prints is no command to the runner.
func TestAction(t *testing.T) {
	fixture.Long(t)
	dir, hub := accepted(t), newHub(t)
	j := newJob(t, dir)
	gate := func() (passed bool, outputs map[string]string) { // and writes the comment
		t.Helper()
		passed, outputs = j.gate()
		log := j.log
		if ok, _ := j.run("comment.sh", "BODY="+outputs["comment-file"], "NUMBER=7", "TOKEN=a-token", "GITHUB_API_URL="+hub.URL); !ok {
			t.Errorf("comment:\n%s", j.log)
		}
		j.log = log
		return passed, outputs
	}
	passed, outputs := gate()
	fixture.Equal(t, "JUnit", junit(t, outputs["junit"]), `tests="15" failures="0" errors="0"`)
	if !passed || strings.Contains(j.log, "::error") {
		t.Errorf("passed %t\n%s", passed, j.log)
	}
	if len(hub.comments) != 2 || !strings.Contains(hub.comments[1], "gate: passed") {
		t.Errorf("comments: %q", hub.comments)
	}
	method := filepath.Join(dir, "method", "scaled_knn.py")
	before, after, found := strings.Cut(fixture.Text(t, method), "return [1 / (statistics.pstdev(feature) or 1) for")
	fixture.Equal(t, "the method owes its accuracy to a scaling", found, true)
	fixture.Write(t, method, before+"return [1 for"+after)
	passed, outputs = gate()
	fixture.Equal(t, "JUnit", junit(t, outputs["junit"]), `tests="15" failures="5" errors="0"`)
	if passed || !regexp.MustCompile(`(?m)^::error file=spec\.yaml,line=10,.*scaled-knn .*90\.00 -> 73\.33 %25`).MatchString(j.log) {
		t.Errorf("passed %t; want an annotation at the line of the method with its accuracies:\n%s", passed, j.log)
	}
	if len(hub.comments) != 2 || !strings.Contains(hub.comments[1], "gate: not passed") || !strings.Contains(hub.comments[0], "by a person") {
		t.Errorf("comments: %q", hub.comments)
	}
	fixture.Write(t, method, "import sys\nprint('\\n::error::of the method\\n::set-output name=passed::true', file=sys.stderr)\nsys.exit('the method fails')\n")
	passed, _ = j.gate()
	if said := obeyed(t, j.log); passed || !strings.Contains(said, "run ended with exit code 5") ||
		regexp.MustCompile("(?m)^::(error::of|set-output)").MatchString(said) {
		t.Errorf("passed %t, the runner obeys\n%s", passed, said)
	}
}

// TestActionNeedsAVerdict runs the gate with programs that end with status 0 and compare
// nothing, as r2lmlbench does with --help among its arguments. Only a gate.json that says
// pass, or changed where that is allowed, may pass.
func TestActionNeedsAVerdict(t *testing.T) {
	fixture.Needs(t, "jq")
	j := newJob(t, t.TempDir())
	program := filepath.Join(j.temp, "program")
	for _, c := range []struct{ prints, allow, passed string }{
		{"Usage: r2lmlbench gate SPEC", "false", "false"},
		{"", "false", "false"},
		{`{"schema":1,"rows":[]}`, "false", "false"},
		{`{"schema":1,"status":"pass"}`, "false", "true"},
		{`{"schema":1,"status":"changed"}`, "false", "false"},
		{`{"schema":1,"status":"changed"}`, "true", "true"},
		{`{"schema":1,"status":"error"}`, "true", "false"},
	} {
		fixture.Write(t, program, "#!/bin/sh\ncat <<'END'\n"+c.prints+"\nEND\n")
		fixture.Check(t, os.Chmod(program, 0o755))
		_, outputs := j.gate("PROGRAM="+program, "ALLOW_CHANGED="+c.allow, "ARGS=--help")
		fixture.Equal(t, fmt.Sprintf("it prints %q, changed is allowed %s: passed", c.prints, c.allow), outputs["passed"], c.passed)
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
	j := newJob(t, dir)
	for _, c := range []struct{ input, says string }{
		{"SPEC=$(touch pwned)`touch pwned`'; touch pwned; \".yaml", "touch pwned"},
		{"SPEC=--help", "--help"},
		{"SPEC=smoke\nstatus=0", "control character or more than one line"},
		{"SPEC=a%0A::error::mine.yaml", "a%250A::error::mine.yaml"},
		{"ARGS=; touch pwned\n$(touch pwned) *", "exit code 2"},
		{"ARGS=--accept", "unknown flag: --accept"},
		{"ACCEPTED=$(touch pwned)", "exit code"},
		{"RESULTS= a'b\"$(touch pwned)`touch pwned`", "spec.yaml"},
		{"DATA= a'b\"$(touch pwned)`touch pwned`", "spec.yaml"},
		{"FETCH=$(touch pwned) '; touch pwned; \"", "touch"},
		{"CELLS_KEY='; touch pwned; $(touch pwned)", "spec.yaml"},
		{"RESULTS=-x", "looks like a flag"},
		{"DATA=a\nstatus=0", "control character or more than one line"},
		{"IMPORT=--name=x", "--name=x"},
		{"ALLOW_CHANGED=true; exit 0", "want true or false"},
		{"SPEC=", "the input spec is empty"},
		{"ACCEPTED=", "the input accepted is empty"},
	} {
		if passed, _ := j.gate("IMPORT=", c.input); passed || !strings.Contains(j.log, c.says) {
			t.Errorf("%s: passed %t, want %q in\n%s", c.input, passed, c.says, j.log)
		}
		if !strings.Contains(obeyed(t, j.log), "::error title=r2lmlbench::") || regexp.MustCompile(`(?m)^::error::`).MatchString(obeyed(t, j.log)) {
			t.Errorf("%s: annotations:\n%s", c.input, j.log)
		}
		if found, _ := filepath.Glob(filepath.Join(dir, "pwned*")); len(found) > 0 {
			t.Fatalf("%s: a command in an input was run: %v", c.input, found)
		}
	}
}

// TestActionDownload: a release is run if it has the digest that goes with it.
func TestActionDownload(t *testing.T) {
	fixture.Needs(t, "curl", "tar")
	name := fmt.Sprintf("r2lmlbench-9.8.7-%s-%s.tar.gz", runtime.GOOS, runtime.GOARCH)
	packed := t.TempDir()
	file := fixture.Write(t, filepath.Join(packed, "r2lmlbench-9.8.7", "r2lmlbench"), "#!/bin/sh\necho r2lmlbench of the release\n")
	fixture.Check(t, os.Chmod(file, 0o755))
	archive := fixture.Must(exec.Command("tar", "-cz", "-C", packed, "r2lmlbench-9.8.7").Output())(t)
	for _, c := range []struct {
		name, version, sums, says string
		passes                    bool
	}{
		{"right", "v9.8.7", fmt.Sprintf("%x  %s\n", sha256.Sum256(archive), name), "r2lmlbench of the release", true},
		{"another digest", "v9.8.7", fmt.Sprintf("%x  %s\n", sha256.Sum256(nil), name), "has not the digest in SHA256SUMS", false},
		{"not listed", "v9.8.7", "", "has not the digest in SHA256SUMS", false},
		{"no such release", "v1.0.0", "", "cannot download", false},
		{"no version", "../v9.8.7", "", "want a release such as v0.2.0", false},
		{"a path", "v9/../v9.8.7", "", "want a release such as v0.2.0", false},
		{"a command", "v9.8.7$(touch pwned)", "", "want a release such as v0.2.0", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			for file, content := range map[string]string{name: string(archive), "SHA256SUMS": c.sums} {
				fixture.Write(t, filepath.Join(dir, "someone/r2lmlbench/releases/download/v9.8.7", file), content)
			}
			server := httptest.NewServer(http.FileServer(http.Dir(dir)))
			defer server.Close()
			j := newJob(t, t.TempDir())
			passed, _ := j.run("program.sh", "VERSION="+c.version, "GITHUB_SERVER_URL="+server.URL)
			if passed != c.passes || !strings.Contains(j.log, c.says) || !c.passes && strings.Contains(j.log, "of the release\n") {
				t.Errorf("passed %t, want %t and %q\n%s", passed, c.passes, c.says, j.log)
			}
		})
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
	fixture.Needs(t, "curl", "jq")
	return h
}

func (h *hub) serve(w http.ResponseWriter, r *http.Request) {
	h.mu.Lock()
	defer h.mu.Unlock()
	var sent struct{ Body string }
	err := json.NewDecoder(r.Body).Decode(&sent)
	switch {
	case err != nil && r.Method != http.MethodGet:
		w.WriteHeader(http.StatusBadRequest)
	case h.refuses || r.Header.Get("Authorization") != "Bearer a-token":
		w.WriteHeader(http.StatusForbidden)
	case r.Method == http.MethodGet && r.URL.Path == "/repos/someone/project/issues/7/comments":
		var all []map[string]any
		for i, body := range h.comments {
			all = append(all, map[string]any{"id": i + 1, "body": body, "user": map[string]string{"type": []string{"User", "Bot"}[i]}})
		}
		json.NewEncoder(w).Encode(all)
	case r.Method == http.MethodPost && r.URL.Path == "/repos/someone/project/issues/7/comments":
		h.comments = append(h.comments, sent.Body)
	case r.Method == http.MethodPatch && r.URL.Path == "/repos/someone/project/issues/comments/2" && len(h.comments) > 1:
		h.comments[1] = sent.Body
	default:
		w.WriteHeader(http.StatusNotFound)
	}
}

// TestCommentRefused: a comment that cannot be written is a warning.
func TestCommentRefused(t *testing.T) {
	h := newHub(t)
	h.refuses = true
	j := newJob(t, t.TempDir())
	body := filepath.Join(t.TempDir(), "comment.md")
	fixture.Write(t, body, "a comment\n")
	comment := func(number string) bool {
		ok, _ := j.run("comment.sh", "BODY="+body, "NUMBER="+number, "TOKEN=a-token", "GITHUB_API_URL="+h.URL)
		return ok
	}
	if !comment("7") || !strings.Contains(j.log, "::warning title=r2lmlbench::the comment could not be written") || strings.Contains(j.log, "a-token") {
		t.Errorf("refused:\n%s", j.log)
	}
	if !comment("") || comment("7/../8") || len(h.comments) != 1 {
		t.Errorf("no number, and none:\n%s", j.log)
	}
}
