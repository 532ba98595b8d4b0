//go:build unix

package cli

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// fifo makes a pipe that nobody writes to or reads from.
func fifo(t *testing.T, path string) string {
	t.Helper()
	if err := syscall.Mkfifo(path, 0o666); err != nil {
		t.Skipf("there are no pipes here: %v", err)
	}
	return path
}

// ends runs the program and fails when it has not ended by itself after a while.
func ends(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	p := program(t, args...)
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	timer := time.AfterFunc(time.Minute, func() {
		t.Errorf("%q hangs", args)
		p.Process.Kill()
	})
	defer timer.Stop()
	code = p.code(t)
	return code, p.stdout.String(), p.stderr.String()
}

// A pipe, a device or a folder in the place of a file that is read is refused
// with a message, and waited for by nobody.
func TestNoFilesAreRefused(t *testing.T) {
	dir := t.TempDir()
	spec := writeFile(t, dir, "small.yaml", small)
	base := func(name, path string) string {
		return writeFile(t, dir, name, strings.Replace(small, "datasets:", "base: "+path+"\ndatasets:", 1))
	}
	for _, c := range []struct{ path, kind string }{
		{fifo(t, filepath.Join(dir, "fifo")), "a pipe"}, {"/dev/zero", "a device"}, {dir, "a directory"},
	} {
		for name, args := range map[string][]string{
			"spec":      {"3", "validate", c.path},
			"spec, run": {"3", "run", c.path, "--results", filepath.Join(dir, "runs")},
			"base":      {"3", "validate", base("base.yaml", c.path)},
			"k8s":       {"3", "cluster", "k8s", c.path},
			"import":    {"4", "import", c.path, "--dataset", "overlap30", "--results", filepath.Join(dir, "runs")},
			"data":      {"4", "data", "import", c.path},
		} {
			code, stdout, stderr := ends(t, args[1:]...)
			if code != int(args[0][0]-'0') || stdout != "" || !strings.Contains(stderr, c.path+" is "+c.kind+": not a regular file") {
				t.Errorf("%s is %s: exit code %d, want %s\n%s%s", name, c.kind, code, args[0], stdout, stderr)
			}
		}
		if c.kind == "a directory" {
			continue
		}
		for name, args := range map[string][]string{
			"results":        {"run", spec, "--results", c.path},
			"results, table": {"table", spec, "--results", c.path},
			"accepted":       {"gate", "smoke", "--accepted", c.path},
			"report":         {"report", "smoke", "-o", c.path},
			"slurm":          {"cluster", "slurm", spec, "--program", "r2lmlbench", "-o", c.path},
			"k8s output":     {"cluster", "k8s", spec, "-o", c.path},
			"merge":          {"merge", c.path, "--results", filepath.Join(dir, "merged")},
			"against":        {"report", "smoke", "-o", filepath.Join(dir, "page"), "--against", c.path},
			"data, copied":   {"data", "fetch", "ionosphere", "--from", c.path},
			"data of a run":  {"run", "accuracy", "--datasets", "I", "--data", c.path, "--results", filepath.Join(dir, "runs")},
		} {
			code, _, stderr := ends(t, args...)
			if code == 0 || !strings.Contains(stderr, c.path) {
				t.Errorf("%s is %s: exit code %d\n%s", name, c.kind, code, stderr)
			}
			if info, err := os.Stat(c.path); err != nil || info.Mode().IsRegular() {
				t.Fatalf("%s: %s was replaced", name, c.path)
			}
		}
	}
}

// TestSpecFromAPipeIsReadOnce: what a command needs of a spec in a pipe it has from the
// one time that it reads it. Tasks of Slurm would have to read it again.
func TestSpecFromAPipeIsReadOnce(t *testing.T) {
	if _, err := os.Stat("/dev/stdin"); err != nil {
		t.Skip("there is no /dev/stdin")
	}
	dir := t.TempDir()
	file := writeFile(t, dir, "small.yaml", small)
	results := filepath.Join(dir, "results")
	for _, args := range [][]string{{"cluster", "k8s"}, {"plan", "--results", results}, {"run", "--results", results, "--methods", "euclidean"}} {
		p := program(t, append(args, "/dev/stdin")...)
		p.Stdin = strings.NewReader(small)
		if err := p.Start(); err != nil {
			t.Fatal(err)
		}
		if code := p.code(t); code != exitOK {
			t.Errorf("%v: exit code %d\n%s", args, code, p.stderr.String())
		}
		if args[0] != "cluster" {
			continue
		}
		if _, want, _ := command(t, "cluster", "k8s", file); p.stdout.String() != want {
			t.Errorf("the manifest differs from that of the file:\n%s", p.stdout.String())
		}
	}
	p := program(t, "cluster", "slurm", "--program", "x", "/dev/stdin")
	p.Stdin = strings.NewReader(small)
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	if code := p.code(t); code != exitUsage || p.stdout.String() != "" || !strings.Contains(p.stderr.String(), "/dev/stdin") {
		t.Errorf("slurm: exit code %d\n%s%s", code, p.stdout.String(), p.stderr.String())
	}
}

// Results that cannot be written are exit code 6; who closes the pipe early gets no
// message.
func TestStandardOutputFails(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip(err)
	}
	defer full.Close()
	for _, args := range [][]string{
		{"table", "smoke"}, {"methods", "--format", "csv"}, {"methods", "--format", "json"}, {"audit"}, {"validate", "--schema"}, {"version"}, {"validate", "smoke"},
		{"explain", "I/itml"}, {"--help"}, {"gate", "smoke", "--format", "github"},
	} {
		p := program(t, args...)
		p.Stdout = full
		if err := p.Start(); err != nil {
			t.Fatal(err)
		}
		if code := p.code(t); code != 6 || !strings.Contains(p.stderr.String(), "standard output: write /dev/stdout: no space left on device") {
			t.Errorf("%q: exit code %d\n%s", args, code, p.stderr.String())
		}
	}
	for _, ignored := range []bool{false, true} { // the Go runtime does not heed the second
		read, write, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		read.Close()
		p := program(t, "methods", "--format", "csv")
		p.Stdout = write
		if ignored {
			p.Path, p.Args = "/bin/sh", append([]string{"sh", "-c", `trap "" PIPE; exec "$0" "$@"`}, p.Args...)
		}
		if err := p.Start(); err != nil {
			t.Fatal(err)
		}
		write.Close()
		p.Wait()
		status := p.ProcessState.Sys().(syscall.WaitStatus)
		if !status.Signaled() || status.Signal() != syscall.SIGPIPE || p.stderr.Len() > 0 {
			t.Errorf("closed pipe, signal ignored %v: %v\n%s", ignored, p.ProcessState, p.stderr.String())
		}
	}
}
