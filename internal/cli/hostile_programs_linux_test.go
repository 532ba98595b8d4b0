package cli

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"r2lmlbench/internal/fixture"
)

// served is a script of the shell that makes fits under both protocols, in the directory of each.
func served(fit string) string {
	return "fit() { " + fit + "\n}\n" + `if [ "$R2LMLBENCH_PROTOCOL" != stdio ]; then fit; exit; fi
while read -r line; do id=${line#*:}; id=${id%%,*}; to=${line#*directory\":\"}; cd "${to%%\"*}"; fit
echo "{\"id\": $id}"; done`
}

// processesBelow are the processes that run in a folder or have it on their command line, but not this one.
func processesBelow(dir string) (all []string) {
	found, _ := filepath.Glob("/proc/[0-9]*")
	for _, p := range found {
		cwd, _ := os.Readlink(p + "/cwd")
		line, _ := os.ReadFile(p + "/cmdline")
		if p != fmt.Sprint("/proc/", os.Getpid()) && (strings.HasPrefix(cwd, dir) || strings.Contains(string(line), dir)) {
			all = append(all, p+" "+string(line))
		}
	}
	return all
}

// TestHostilePrograms: whatever a program does, its cell fails with the reason or has the labels that it wrote, in bounded time and memory;
// no process and no scratch folder is left, and the files of the user stay.
func TestHostilePrograms(t *testing.T) {
	fixture.Long(t)
	fixture.Needs(t, "sh", "setsid", "head", "sed")
	const right = `sed 1d query.csv | sed s/.*/1/ > predictions.csv; `
	const once, stream, both = "one-shot", "stdio", "one-shot stdio"
	for _, c := range []struct {
		name, protocols, fit string
		code                 int
		stored               string // text of the cell; empty: there is none
	}{
		{"dies at once", both, `exit 7`, 5, "exit status 7"},
		{"is killed as by the machine", stream, `kill -9 $$`, 6, ""},
		{"dies in the middle of its labels", once, `printf '1\n1\n' > predictions.csv; exit 1`, 5, "exit status 1"},
		{"dies in the middle of an answer", stream, right + `printf '{"id": '; exit 1`, 5, "exit status 1"},
		{"floods its output", both, `head -c 1000000000 /dev/zero`, 5, ""},
		{"floods its errors", both, `head -c 1000000000 /dev/zero >&2`, 5, "more than 16 MiB"},
		{"answers after its timeout", both, `sleep 2; ` + right, 5, "after its timeout of 0.5 s"},
		{"answers another request", stream, right + `id=99`, 5, "where the id of the request was due"},
		{"answers twice", stream, right + `echo "{\"id\": $id}"`, 0, `"predicted"`},
		{"says NaN", once, `sed 1d query.csv | sed s/.*/NaN/ > predictions.csv`, 5, "no whole number"},
		{"says infinity", once, `sed 1d query.csv | sed s/.*/1e999/ > predictions.csv`, 5, "no whole number"},
		{"gives a label too few", once, right + `sed -i 1d predictions.csv`, 5, "labels for"},
		{"gives a label too many", once, right + `echo 1 >> predictions.csv`, 5, "a label too many"},
		{"writes labels without end", once, `head -c 300000000 /dev/zero > predictions.csv`, 5, "more than"},
		{"nests labels deeply", once, `head -c 5000 /dev/zero | tr '\0' '[' > predictions.csv`, 5, "predictions.csv"},
		{"nests an answer deeply", stream, right + `head -c 50000 /dev/zero | tr '\0' '['; echo`, 5, "where the id of the request was due"},
		{"answers a giant line", stream, right + `head -c 100000000 /dev/zero | tr '\0' '7'; echo`, 5, "where the id of the request was due"},
		{"forks a daemon that keeps its pipes", both, right + `setsid sh -c 'trap "" TERM INT HUP; sleep 300; : ` + "DIR" + `' &`, 0, `"predicted"`},
		{"ignores signals", stream, `trap "" TERM INT HUP; while :; do sleep 300; done`, 5, "after its timeout of 0.5 s"},
		{"links its labels to a file of the user", once, `ln -s "DIR/precious" predictions.csv`, 5, "no regular file"},
		{"links every name to a file of the user", stream, `for f in train.csv query.csv params.json environment.json; do ln -sf "DIR/precious" $f; done; exit 1`,
			5, "exit status 1"},
		{"deletes its folder", both, `rm -rf "$(pwd)"`, 5, "the directory of the fit is gone"},
		{"replaces its folder by a link", both, `d=$(pwd); rm -rf "$d"; ln -s DIR "$d"; exit 1`, 5, "exit status 1"},
		{"fills its folder", stream, right + `head -c 300000000 /dev/zero > big; mkdir -p a/b/c; : > a/b/c/d`, 0, `"predicted"`},
		{"forbids its folder", both, right + `mkdir -p a/b; : > a/b/c; chmod 0 a/b a .`, 0, ""},
		{"closes its output and runs on", both, `exec >&- 2>&-; sleep 300`, 5, "after its timeout of 0.5 s"},
	} {
		for _, protocol := range strings.Fields(c.protocols) {
			t.Run(c.name+"/"+protocol, func(t *testing.T) { hostileProgram(t, protocol, served(c.fit), c.code, c.stored) })
		}
	}
}

// hostileProgram runs a spec with a program. DIR in its script is a folder of the user.
func hostileProgram(t *testing.T, protocol, script string, code int, stored string) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", fixture.Must(os.MkdirTemp(dir, "tmp"))(t))
	precious := fixture.Write(t, filepath.Join(dir, "precious"), "of the user")
	fixture.Write(t, filepath.Join(dir, "own.csv"), "a,b,y\n"+strings.Repeat("1,2,u\n3,4,v\n2,1,u\n5,6,v\n", 10))
	timeout := "30"
	if strings.Contains(stored, "timeout") {
		timeout = "0.5"
	}
	line, _ := json.Marshal([]string{"sh", "-c", strings.ReplaceAll(script, "DIR", dir)})
	spec := fixture.Write(t, filepath.Join(dir, "hostile.yaml"), "name: hostile\ndatasets: [{id: own, file: ./own.csv, label: y}]\n"+
		"split: {rule: random, train: 0.5, seed: 1}\nmethods:\n"+
		fmt.Sprintf("  - method: external\n    params: {command: %s, protocol: %s, timeout: %s}\n", line, protocol, timeout))
	stop, begun := growth(), time.Now()
	got, stdout, stderr := command(t, "run", spec, "--results", filepath.Join(dir, "results"), "--workers", "1")
	took, grown := time.Since(begun), stop()
	if got != code || took > 15*time.Second || grown > 64<<20 {
		t.Errorf("exit code %d after %v and %d MiB, want %d\n%s%s", got, took, grown>>20, code, stdout, stderr)
	}
	if strings.Contains(stderr, "goroutine ") || len(stderr) > 1<<14 {
		t.Errorf("it says %.2000s", stderr)
	}
	cells := ""
	for name, text := range fixture.Contents(t, filepath.Join(dir, "results"), "") {
		if strings.Contains(name, "external") && !strings.HasSuffix(name, ".run.json") {
			cells += text
		}
	}
	if code == 6 && strings.Contains(cells, `"failure"`) || !strings.Contains(cells, stored) {
		t.Errorf("stored is %s, want %q", cells, stored)
	}
	fixture.Equal(t, "file of the user", fixture.Text(t, precious), "of the user")
	if left := processesBelow(dir); len(left) > 0 {
		t.Errorf("processes are left: %q", left)
	}
	if left := fixture.Must(os.ReadDir(os.Getenv("TMPDIR")))(t); len(left) > 0 {
		t.Errorf("left in $TMPDIR: %v", left)
	}
	t.Logf("exit code %d, %v, %d MiB", got, took.Round(time.Millisecond), grown>>20)
}
