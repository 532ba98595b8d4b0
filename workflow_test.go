package main

import (
	"bytes"
	"errors"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"
)

// A step is what the tests run of a step of a workflow or a composite action.
type step struct {
	Name  string            `yaml:"name"`
	ID    string            `yaml:"id"`
	If    string            `yaml:"if"`
	Uses  string            `yaml:"uses"`
	With  map[string]string `yaml:"with"`
	Env   map[string]string `yaml:"env"`
	Shell string            `yaml:"shell"`
	Run   string            `yaml:"run"`
}

// An action is the content of action.yml.
type action struct {
	Name        string            `yaml:"name"`
	Description string            `yaml:"description"`
	Branding    map[string]string `yaml:"branding"`
	Inputs      map[string]struct {
		Description string `yaml:"description"`
		Required    bool   `yaml:"required"`
		Default     string `yaml:"default"`
	} `yaml:"inputs"`
	Outputs map[string]struct {
		Description string `yaml:"description"`
		Value       string `yaml:"value"`
	} `yaml:"outputs"`
	Runs struct {
		Using string `yaml:"using"`
		Steps []step `yaml:"steps"`
	} `yaml:"runs"`
}

// readYAML reads a file that has no keys but those of v.
func readYAML(t *testing.T, file string, v any) {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	d := yaml.NewDecoder(bytes.NewReader(b))
	d.KnownFields(true)
	if err := d.Decode(v); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
}

// stepsOf reads the steps of the only job of a workflow.
func stepsOf(t *testing.T, file string) []step {
	t.Helper()
	var w struct {
		Name        string            `yaml:"name"`
		On          any               `yaml:"on"`
		Permissions map[string]string `yaml:"permissions"`
		Jobs        map[string]struct {
			RunsOn  string `yaml:"runs-on"`
			Timeout int    `yaml:"timeout-minutes"`
			Steps   []step `yaml:"steps"`
		} `yaml:"jobs"`
	}
	readYAML(t, file, &w)
	if len(w.Jobs) != 1 {
		t.Fatalf("%s has %d jobs, want one", file, len(w.Jobs))
	}
	return w.Jobs["gate"].Steps
}

// A job runs steps as a runner of GitHub does: shell steps in bash, in the
// workspace, with the files by which they speak to the runner; this action by its
// own steps; actions of others are only noted.
type job struct {
	t         *testing.T
	workspace string
	temp      string
	github    map[string]string            // the context github
	env       []string                     // further variables of every step
	path      string                       // PATH
	log       string                       // what the shell steps print
	used      map[string]map[string]string // the last inputs of an action of others, by its name
}

func newJob(t *testing.T, workspace string) *job {
	t.Helper()
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip("no bash here")
	}
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	return &job{
		t: t, workspace: workspace, temp: t.TempDir(), path: os.Getenv("PATH"), used: map[string]map[string]string{},
		github: map[string]string{"action_path": here, "token": "a-token"},
	}
}

// again is a job after another on the same machine, which need not link the
// program again.
func (j *job) again(t *testing.T) *job {
	t.Helper()
	next := newJob(t, j.workspace)
	next.temp, next.env = j.temp, j.env
	if err := os.Remove(j.summary()); err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	for _, dir := range []string{"results", "r2lmlbench/results", "r2lmlbench/data"} {
		if err := os.RemoveAll(filepath.Join(j.temp, dir)); err != nil {
			t.Fatal(err)
		}
	}
	return next
}

// A scope is what the expressions of steps may name, besides the context github.
type scope struct {
	inputs  map[string]string
	outputs map[string]map[string]string // by step
}

// steps runs steps and tells whether none failed.
func (j *job) steps(all []step, s scope) bool {
	passed := true
	for _, st := range all {
		if !j.wanted(st.If, s, passed) {
			continue
		}
		var out map[string]string
		ok := true
		switch {
		case strings.HasPrefix(st.Uses, "OWNER/r2lmlbench@"):
			ok, out = j.action(j.expandAll(st.With, s))
		case st.Uses != "":
			out = j.note(st.Uses, j.expandAll(st.With, s))
		default:
			ok, out = j.shell(st, s)
		}
		if st.ID != "" {
			s.outputs[st.ID] = out
		}
		passed = passed && ok
	}
	return passed
}

// action runs this action.
func (j *job) action(with map[string]string) (ok bool, out map[string]string) {
	j.t.Helper()
	var a action
	readYAML(j.t, "action.yml", &a)
	s := scope{inputs: map[string]string{}, outputs: map[string]map[string]string{}}
	for name, in := range a.Inputs {
		s.inputs[name] = j.expand(in.Default, s)
	}
	for name, value := range with {
		if _, known := a.Inputs[name]; !known {
			j.t.Fatalf("the action has no input %s", name)
		}
		s.inputs[name] = value
	}
	ok = j.steps(a.Runs.Steps, s)
	out = map[string]string{}
	for name, o := range a.Outputs {
		out[name] = j.expand(o.Value, s)
	}
	return ok, out
}

// note takes an action of others for done; of a cache that it is empty.
func (j *job) note(name string, with map[string]string) map[string]string {
	name, _, _ = strings.Cut(name, "@")
	j.used[name] = with
	return map[string]string{"cache-primary-key": with["key"]}
}

// shell runs a shell step.
func (j *job) shell(st step, s scope) (ok bool, out map[string]string) {
	j.t.Helper()
	if strings.Contains(st.Run, "${{") {
		j.t.Errorf("step %s: an expression within a script; hand it over in env", st.Name)
	}
	files := map[string]string{}
	for _, name := range []string{"OUTPUT", "ENV", "PATH"} {
		files[name] = filepath.Join(j.t.TempDir(), name)
		writeTo(j.t, files[name], "")
	}
	script := filepath.Join(j.t.TempDir(), "step.sh")
	writeTo(j.t, script, st.Run)
	cmd := exec.Command("bash", "--noprofile", "--norc", "-eo", "pipefail", script)
	cmd.Dir = j.workspace
	cmd.Env = append(j.environment(), "GITHUB_OUTPUT="+files["OUTPUT"], "GITHUB_ENV="+files["ENV"], "GITHUB_PATH="+files["PATH"])
	for name, value := range j.expandAll(st.Env, s) {
		cmd.Env = append(cmd.Env, name+"="+value)
	}
	b, err := cmd.CombinedOutput()
	j.log += string(b)
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		j.t.Fatal(err)
	}
	out = map[string]string{}
	for line := range strings.Lines(readFrom(j.t, files["OUTPUT"])) {
		name, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "=")
		out[name] = value
	}
	if dir := strings.TrimSpace(readFrom(j.t, files["PATH"])); dir != "" {
		j.path = dir + string(os.PathListSeparator) + j.path
	}
	return err == nil, out
}

// environment is that of a runner: nothing of ours is set.
func (j *job) environment() []string {
	var env []string
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, "R2LMLBENCH_") && !strings.HasPrefix(v, "GITHUB_") && !strings.HasPrefix(v, "PATH=") {
			env = append(env, v)
		}
	}
	return append(append(env, "PATH="+j.path, "CI=true", "RUNNER_TEMP="+j.temp, "GITHUB_ACTION_PATH="+j.github["action_path"],
		"GITHUB_STEP_SUMMARY="+j.summary(), "GITHUB_WORKSPACE="+j.workspace, "GITHUB_REPOSITORY=someone/project"), j.env...)
}

// summary is the file of the job summary.
func (j *job) summary() string { return filepath.Join(j.temp, "summary.md") }

var (
	expression = regexp.MustCompile(`\$\{\{\s*(.*?)\s*\}\}`)
	named      = regexp.MustCompile(`^(inputs|github|steps)\.([A-Za-z0-9_.-]+)$`)
	compared   = regexp.MustCompile(`^(\S+) (==|!=) '([^']*)'$`)
)

// expand replaces the expressions in a text, which are names only.
func (j *job) expand(text string, s scope) string {
	j.t.Helper()
	return expression.ReplaceAllStringFunc(text, func(e string) string { return j.value(expression.FindStringSubmatch(e)[1], s) })
}

func (j *job) expandAll(all map[string]string, s scope) map[string]string {
	all = maps.Clone(all)
	for name, value := range all {
		all[name] = j.expand(value, s)
	}
	return all
}

// value looks a name up; as on GitHub, what is not there is empty.
func (j *job) value(name string, s scope) string {
	j.t.Helper()
	m := named.FindStringSubmatch(name)
	if m == nil {
		j.t.Fatalf("the expression %q is none that the tests know", name)
	}
	switch m[1] {
	case "inputs":
		value, ok := s.inputs[m[2]]
		if !ok {
			j.t.Fatalf("there is no input %s", m[2])
		}
		return value
	case "github":
		return j.github[m[2]]
	}
	id, output, _ := strings.Cut(m[2], ".outputs.")
	return s.outputs[id][output]
}

// wanted evaluates the condition of a step: comparisons joined by &&. Without
// always() none of the steps before may have failed.
func (j *job) wanted(condition string, s scope, passed bool) bool {
	j.t.Helper()
	yes, always := true, false
	for part := range strings.SplitSeq(condition, "&&") {
		part = strings.TrimSpace(part)
		m := compared.FindStringSubmatch(part)
		switch {
		case part == "always()":
			always = true
		case part == "":
		case m == nil:
			j.t.Fatalf("the condition %q is none that the tests know", part)
		default:
			yes = yes && (j.value(m[1], s) == m[3]) == (m[2] == "==")
		}
	}
	return yes && (passed || always)
}

func writeTo(t *testing.T, file, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

func readFrom(t *testing.T, file string) string {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
