package cluster

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"gopkg.in/yaml.v3"
	"pgregory.net/rapid"

	"r2lmlbench/internal/fixture"
)

func quick() Job {
	return Job{Name: "quick", Spec: "quick", Program: "/opt/r2lmlbench", Results: "/shared/it's results", Data: "/shared/data",
		Methods: "euclidean,itml", Tasks: 4, Workers: 2, Format: "markdown"}
}

// recorder is a script that tests run in place of the program. It appends its arguments to a file,
// each ended by a zero byte and a call by another one. Its exit status is read from a file with the
// name of its command.
const recorder = `#!/bin/sh
printf '%s\0' "$@" '' >>"$RECORD"
[ ! -f "$RECORD.$1" ] || exit "$(cat "$RECORD.$1")"
`

// A shell runs scripts with the recorder as the program.
type shell struct {
	program, record string
}

func newShell(t *testing.T) shell {
	t.Helper()
	fixture.Needs(t, "sh")
	dir := t.TempDir()
	s := shell{filepath.Join(dir, "r2lmlbench"), filepath.Join(dir, "record")}
	fixture.Check(t, os.WriteFile(s.program, []byte(recorder), 0o777))
	return s
}

// run runs a command and returns the calls of the program.
func (s shell) run(env []string, command ...string) (calls [][]string, err error) {
	os.Remove(s.record)
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Env = append(os.Environ(), append(env, "RECORD="+s.record, "PATH="+filepath.Dir(s.program)+":"+os.Getenv("PATH"))...)
	err = cmd.Run()
	b, _ := os.ReadFile(s.record)
	for call := range strings.SplitSeq(strings.TrimSuffix(string(b), "\x00\x00"), "\x00\x00") {
		if call != "" {
			calls = append(calls, strings.Split(call, "\x00"))
		}
	}
	return calls, err
}

// awkward draws texts that a shell could misread.
var awkward = rapid.StringOfN(rapid.RuneFrom([]rune(" '\"$`\\;&|<>*?[]{}()!#~%-=\n\tab/ü,")), 1, 12, -1)

// tried is how many sets of texts the shell is tried with.
const tried = 30

// TestSlurmQuoting: whatever names and paths hold, a shell hands them to the
// program as they are.
func TestSlurmQuoting(t *testing.T) {
	s := newShell(t)
	base := t.TempDir()
	for seed := range tried {
		draw := func(n int) string { return awkward.Example(6*seed + n) }
		j := Job{
			Name: draw(0), Spec: "/" + draw(1), Program: s.program,
			Results: filepath.Join(base, strings.ReplaceAll(draw(2), "/", "")+"x"),
			Data:    draw(3), Datasets: draw(4), Methods: draw(5),
			Tasks: 3, Workers: 1, Format: "text",
		}
		os.RemoveAll(j.Results)
		script := fixture.Must(Slurm(j))(t)
		for line := range strings.Lines(script) {
			if strings.HasPrefix(line, "#SBATCH") && !directive.MatchString(line) {
				t.Fatalf("line %q", line)
			}
		}
		common := []string{j.Spec, "--data", j.Data, "--datasets", j.Datasets, "--methods", j.Methods}
		shard := j.Results + "/shards/2-of-3"
		calls, err := s.run([]string{"SLURM_ARRAY_TASK_ID=2"}, "sh", "-c", script)
		want := [][]string{slices.Concat([]string{"run"}, common, []string{"--results", shard, "--shard", "2/3", "--workers", "1"})}
		fixture.Check(t, err)
		fixture.Same(t, "task 2", calls, want)
		calls, err = s.run([]string{"SLURM_ARRAY_TASK_ID=0"}, "sh", "-c", script)
		want = [][]string{{"merge", shard, "--results", j.Results}, slices.Concat([]string{"table"}, common, []string{"--results", j.Results, "--format", "text"})}
		fixture.Check(t, err)
		fixture.Same(t, "task 0", calls, want)
		fixture.Must(os.Stat(filepath.Join(j.Results, j.Table())))(t)
	}
}

// directive is what a #SBATCH line of ours may look like.
var directive = regexp.MustCompile(`^#SBATCH --[a-z-]+(=[a-zA-Z0-9%_.-]+)?\n$`)

// TestTaskStatus: failed cells stop nothing, anything else ends the task with
// the same exit status, and known cells are taken over.
func TestTaskStatus(t *testing.T) {
	for _, c := range []struct {
		name, command, task string
		status              int
		calls               []string
		ends                int
	}{
		{"all well", "run", "1", 0, []string{"merge", "run"}, 0},
		{"some cells failed", "run", "1", 5, []string{"merge", "run"}, 0},
		{"interrupted", "run", "1", 130, []string{"merge", "run"}, 130},
		{"damaged known cells", "merge", "1", 5, []string{"merge", "run"}, 0},
		{"known cells conflict", "merge", "1", 2, []string{"merge"}, 2},
		{"damaged shares", "merge", "0", 5, []string{"merge", "table"}, 0},
		{"shares conflict", "merge", "0", 2, []string{"merge"}, 2},
		{"no table", "table", "0", 3, []string{"merge", "table"}, 3},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newShell(t)
			fixture.Write(t, s.record+"."+c.command, strconv.Itoa(c.status))
			j := quick()
			j.Program, j.Results = s.program, t.TempDir()
			fixture.Check(t, os.MkdirAll(filepath.Join(j.Results, "cells"), 0o777))
			calls, err := s.run([]string{"SLURM_ARRAY_TASK_ID=" + c.task}, "sh", "-c", fixture.Must(Slurm(j))(t))
			var commands []string
			for _, call := range calls {
				commands = append(commands, call[0])
			}
			ended := 0
			if exit, ok := errors.AsType[*exec.ExitError](err); ok {
				ended, err = exit.ExitCode(), nil
			}
			fixture.Check(t, err)
			fixture.EqualSlice(t, "calls", commands, c.calls)
			fixture.Equal(t, "exit status", ended, c.ends)
		})
	}
}

// TestName: names that are names of jobs already stay as they are; the others
// are altered and keep apart.
func TestName(t *testing.T) {
	long := strings.Repeat("a", longestName)
	for name, want := range map[string]string{
		"": "r2lmlbench", "quick": "r2lmlbench-quick", "a-b": "r2lmlbench-a-b", long: "r2lmlbench-" + long,
		"My Spec, 2nd\n#SBATCH x": "r2lmlbench-my-spec-2nd-sbatch-x-62abde06",
		"a--b":                    "r2lmlbench-a-b-90827a2e",
		strings.Repeat("ab ", 30): "r2lmlbench-ab-ab-ab-ab-ab-ab-ab-f02b901a",
		long + "b":                "r2lmlbench-aaaaaaaaaaaaaaaaaaaaa-3e019c13",
		long + "c":                "r2lmlbench-aaaaaaaaaaaaaaaaaaaaa-fc3a5c57",
	} {
		fixture.Equal(t, fmt.Sprintf("%q", name), (Job{Name: name}).ID(), want)
	}
}

// kubernetesSchemas compiles the schemas that Kubernetes publishes of the objects in a manifest.
func kubernetesSchemas(t *testing.T) map[string]*jsonschema.Schema {
	t.Helper()
	compiler := jsonschema.NewCompiler()
	schemas := map[string]*jsonschema.Schema{}
	for kind, name := range map[string]string{
		"batch/v1 Job":             "io.k8s.api.batch.v1.Job",
		"v1 PersistentVolumeClaim": "io.k8s.api.core.v1.PersistentVolumeClaim",
		"v1 ConfigMap":             "io.k8s.api.core.v1.ConfigMap",
	} {
		schemas[kind] = fixture.Must(compiler.Compile("testdata/kubernetes.schema.json#/$defs/" + name))(t)
	}
	return schemas
}

// kubernetes decodes a manifest as kubectl would, without our types.
func kubernetes(t testing.TB, j Job, p Pod) (list []map[string]any) {
	t.Helper()
	for d := yaml.NewDecoder(strings.NewReader(fixture.Must(Kubernetes(j, p))(t))); ; {
		var document map[string]any
		err := d.Decode(&document)
		if errors.Is(err, io.EOF) {
			return list
		}
		fixture.Check(t, err)
		list = append(list, document)
	}
}

// TestKubernetesSchema: every object of a manifest is valid by the schema that
// Kubernetes publishes, which tells unknown fields and wrong types.
func TestKubernetesSchema(t *testing.T) {
	schemas := kubernetesSchemas(t)
	rapid.Check(t, func(r *rapid.T) {
		j := Job{Name: awkward.Draw(r, "name"), Spec: awkward.Draw(r, "spec"), Datasets: awkward.Draw(r, "datasets"), Methods: awkward.Draw(r, "methods"),
			Tasks: rapid.IntRange(1, 1000).Draw(r, "tasks"), Workers: rapid.IntRange(1, 64).Draw(r, "workers"), Format: "json"}
		p := Pod{Image: rapid.StringMatching(`[!-~]{1,12}`).Draw(r, "image"), Claim: rapid.SampledFrom([]string{"", "mine", "my.claim-2"}).Draw(r, "claim")}
		want := 2
		if p.Claim == "" {
			want++
		}
		if rapid.Bool().Draw(r, "own") {
			p.Spec = []byte(awkward.Draw(r, "content"))
			want++
		}
		list := kubernetes(t, j, p)
		if len(list) != want {
			r.Fatalf("%d objects, want %d", len(list), want)
		}
		if p.Spec != nil {
			fixture.Equal[any](r, "content", list[want-3]["data"].(map[string]any)["spec.yaml"], string(p.Spec))
		}
		for _, document := range list {
			kind := fmt.Sprint(document["apiVersion"], " ", document["kind"])
			schema := schemas[kind]
			if schema == nil {
				r.Fatalf("object of kind %q", kind)
			}
			fixture.Check(r, schema.Validate(document))
		}
	})
}

// expand does to a command what Kubernetes does: $(NAME) becomes the value of a
// variable if there is one, and $$ becomes $.
func expand(text string, variables map[string]string) string {
	var b strings.Builder
	for len(text) > 0 {
		name, rest, closed := strings.Cut(strings.TrimPrefix(text, "$("), ")")
		value, known := variables[name]
		switch {
		case strings.HasPrefix(text, "$$"):
			b.WriteByte('$')
			text = text[2:]
		case strings.HasPrefix(text, "$(") && closed && known:
			b.WriteString(value)
			text = rest
		default:
			b.WriteByte(text[0])
			text = text[1:]
		}
	}
	return b.String()
}

// commandOf is the command line of the container of a task, as a pod runs it.
func commandOf(t *testing.T, document map[string]any, variables map[string]string) (command []string) {
	t.Helper()
	var job struct {
		Spec struct {
			Template struct {
				Spec struct {
					Containers []struct{ Command, Args []string }
				}
			}
		}
	}
	fixture.Check(t, yaml.Unmarshal(fixture.Must(yaml.Marshal(document))(t), &job))
	container := job.Spec.Template.Spec.Containers[0]
	for _, word := range slices.Concat(container.Command, container.Args) {
		command = append(command, expand(word, variables))
	}
	return command
}

// TestKubernetesContract runs the commands of a manifest as a pod would: the
// tasks are the shares, counted from 1, and the last one merges.
func TestKubernetesContract(t *testing.T) {
	fixture.Long(t)
	s := newShell(t)
	work := t.TempDir()
	for seed := range tried {
		os.RemoveAll(filepath.Join(work, "results"))
		j := Job{Name: "quick", Spec: "$(HOME)$$(HOME)" + awkward.Example(2*seed), Methods: awkward.Example(2*seed + 1), Tasks: 4, Workers: 3, Format: "csv"}
		list := kubernetes(t, j, Pod{Image: "x", Claim: "mine"})
		common := []string{j.Spec, "--data", "/r2lmlbench/data", "--methods", j.Methods}
		run := func(document map[string]any, env ...string) [][]string {
			command := commandOf(t, document, map[string]string{"HOME": "/wrong"})
			command[2] = strings.ReplaceAll(command[2], "results=/r2lmlbench/", "results="+work+"/")
			return fixture.Must(s.run(env, command...))(t)
		}
		shard := work + "/results/shards/3-of-4"
		want := [][]string{slices.Concat([]string{"run"}, common, []string{"--results", shard, "--shard", "3/4", "--workers", "3"})}
		fixture.Same(t, "index 2", run(list[0], "JOB_COMPLETION_INDEX=2"), want)
		want = [][]string{{"merge", shard, "--results", work + "/results"}, slices.Concat([]string{"table"}, common, []string{"--results",
			work + "/results", "--format", "csv"})}
		fixture.Same(t, "last task", run(list[1]), want)
	}
}

// TestPodNames: what cannot be the name of an image or a claim is refused, with
// the flag to give another one by.
func TestPodNames(t *testing.T) {
	label := strings.Repeat("a", 63)
	for _, c := range []struct{ image, claim, says string }{
		{"r2lmlbench", "", ""},
		{"example.org:5000/a_b/r2lmlbench@sha256:00ff", "a", ""},
		{"x", "a-b.2", ""},
		{"x", label + "." + label, ""},
		{"", "", "--image"},
		{"a b", "", "--image"},
		{"a\x00", "", "--image"},
		{"a\xff", "", "--image"},
		{"x", "A", "--claim"},
		{"x", "a_b", "--claim"},
		{"x", "a-", "--claim"},
		{"x", "a\n", "--claim"},
		{"x", label + "a", "--claim"},
		{"x", strings.Repeat("a.", 126) + "aa", "--claim"},
	} {
		_, err := Kubernetes(quick(), Pod{Image: c.image, Claim: c.claim})
		if c.says == "" {
			fixture.Check(t, err)
			continue
		}
		fixture.Says(t, err, c.says)
	}
	j := quick()
	j.Data = "a\x00b" // no script can hold a zero byte
	fixture.Says(t, fixture.Error(Slurm(j)), "zero")
}

// TestImage runs the containers of a manifest in the image that it names. .ci/image sets the
// variable: a program that runs a command in a container of the image, with the volume in
// place. Its first argument is the index of the pod, empty for the last task.
func TestImage(t *testing.T) {
	runner := os.Getenv("R2LMLBENCH_IMAGE_RUN")
	if runner == "" {
		t.Skip("$R2LMLBENCH_IMAGE_RUN is not set; .ci/image sets it")
	}
	list := kubernetes(t, Job{Name: "quick", Spec: "quick", Methods: "euclidean", Tasks: 2, Workers: 1, Format: "csv"}, Pod{Image: Image, Claim: "mine"})
	run := func(document map[string]any, index string) string {
		return string(fixture.Must(exec.Command(runner, append([]string{index}, commandOf(t, document, nil)...)...).Output())(t))
	}
	run(list[0], "0")
	run(list[0], "1")
	fixture.Has(t, "table", run(list[1], ""), "75.57") // README.md, Ionosphere, Euclidean
}
