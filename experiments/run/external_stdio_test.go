package run_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	. "r2lmlbench/experiments/run"
	"r2lmlbench/internal/fixture"
	"r2lmlbench/internal/spectest"
	"r2lmlbench/results"
)

// serving is a script of the shell that makes fits under both protocols, in the
// directory of each. begin is said once for a process.
func serving(begin, fit string) string {
	return begin + "\nfit() { " + fit + "\n}\n" +
		`if [ "$R2LMLBENCH_PROTOCOL" != stdio ]; then fit; exit; fi
while read -r line; do
	id=${line#*:}; id=${id%%,*}
	to=${line#*directory\":\"}; cd "${to%%\"*}"
	fit
	echo "{\"id\": $id}"
done`
}

// own is a line of the shell that sets a variable to a parameter of the program.
func own(name string) string {
	return fmt.Sprintf(`%[1]s=$(sed -n 's/.*"%[1]s": "*\([a-z0-9 -]*\).*/\1/p' params.json); `, name)
}

// under is a stanza that runs a script under a protocol.
func under(protocol, script, rest string) string {
	b, _ := json.Marshal([]string{"sh", "-c", script})
	return fmt.Sprintf("  - method: external\n    params: {command: %s, protocol: %s}\n%s", b, protocol, rest)
}

// lineCount is the number of lines in a file.
func lineCount(t *testing.T, name string) int {
	t.Helper()
	b := fixture.Must(os.ReadFile(name))(t)
	return strings.Count(string(b), "\n")
}

// TestProtocolsGiveTheSameCells: cells are the same bytes whether a process makes one
// fit or many, on one worker and on several, and for every way to fail that both have.
func TestProtocolsGiveTheSameCells(t *testing.T) {
	fixture.Long(t)
	t.Parallel()
	needs(t, "sh")
	starts := filepath.Join(t.TempDir(), "starts")
	script := serving(`echo $$ >> "`+starts+`"`, own("do")+own("class")+`
		case "$do" in
		crash) echo one >&2; echo two >&2; echo out of memory >&2; echo aborted >&2; exit 3 ;;
		killed) kill -SEGV $$ ;;
		hang) echo waiting >&2; sleep 60 ;;
		flood) yes garbage >&2 ;;
		nothing) return ;;
		folder) mkdir predictions.csv; return ;;
		link) ln -s /dev/zero predictions.csv; return ;;
		circle) ln -s predictions.csv predictions.csv; return ;;
		pipe) mkfifo predictions.csv; return ;;
		few) echo 1 > predictions.csv; return ;;
		unknown) class=4 ;;
		esac
		sed 1d query.csv | sed "s/.*/$class/" > predictions.csv`)
	stanzas := func(protocol string) string {
		all := under(protocol, script, "    name: grid\n    grid: {class: [3, 2, 1, 4]}\n    restarts: 2\n")
		for _, do := range []string{"crash", "killed", "hang", "flood", "nothing", "folder", "link", "circle", "pipe", "few", "unknown"} {
			rest := fmt.Sprintf("    name: %[1]s\n    datasets: {mat:tiny: {do: %[1]s, class: 1, timeout: %d}}\n", do, map[bool]int{true: 1, false: 60}[do == "hang"])
			all += under(protocol, script, rest)
		}
		return all
	}
	once, served := t.TempDir(), t.TempDir()
	row, _, err := runTiny(t, context.Background(), once, stanzas("one-shot"))
	if !errors.Is(err, ErrCells) || row.Cells[0].Params["class"] != 3 {
		t.Fatalf("one-shot: %v, %+v", err, row.Cells[0])
	}
	if n := lineCount(t, starts); n != 20 { // 4 points of 2 restarts, the test samples, and 11 that fail
		t.Errorf("one-shot started %d processes, want one for each of 20 fits", n)
	}
	os.Remove(starts)
	if row, _, err := runTiny(t, context.Background(), served, stanzas("stdio")); !errors.Is(err, ErrCells) || row.Cells[0].Score == nil {
		t.Fatalf("stdio: %v, %+v", err, row.Cells[0])
	}
	// Thirteen fits fail, those of class 4 included. Two processes are started at first, and
	// one after each failure; a fit that a used process leaves without an answer is asked of
	// a new one before it fails.
	if n := lineCount(t, starts); n > 2+2*13 {
		t.Errorf("stdio started %d processes, want at most 28", n)
	}
	if len(spectest.Cells(t, once)) != 12 {
		t.Errorf("%d cells, want 12", len(spectest.Cells(t, once)))
	}
	spectest.EqualCells(t, spectest.Cells(t, served), spectest.Cells(t, once))
}

// TestOneProcessPerWorker: a program is started once for each worker, and ends with
// the run.
func TestOneProcessPerWorker(t *testing.T) {
	t.Parallel()
	needs(t, "sh")
	for _, workers := range []int{1, 2} {
		dir := t.TempDir()
		file := func(name string) string { return filepath.Join(dir, name) }
		script := serving(`echo $$ >> "`+file("starts")+`"; trap 'echo $$ >> "`+file("ends")+`"' EXIT`, own("class")+
			`echo $$ >> "`+file("fits")+`"; sed 1d query.csv | sed "s/.*/$class/" > predictions.csv`)
		stanzas := ""
		for _, name := range []string{"one", "two", "three"} {
			stanza := under("stdio", script, "    name: "+name+"\n    grid: {class: [1, 2, 3]}\n    restarts: 3\n")
			stanzas += strings.Replace(stanza, "protocol: stdio", "protocol: stdio, of: "+name, 1)
		}
		c := runPoints(t, stanzas, &Runner{Workers: workers})
		if c[0].Failure != "" {
			t.Fatal(c[0].Failure)
		}
		if n := lineCount(t, file("starts")); n > workers {
			t.Errorf("%d workers started %d processes", workers, n)
		}
		if n := lineCount(t, file("fits")); n != 30 {
			t.Errorf("%d fits, want 30", n)
		}
		if begun, ended := lineCount(t, file("starts")), lineCount(t, file("ends")); begun != ended {
			t.Errorf("%d of %d processes ended by themselves", ended, begun)
		}
	}
}

// runPoints runs stanzas on mat:tiny and returns their cells.
func runPoints(t *testing.T, stanzas string, r *Runner) []results.Cell {
	t.Helper()
	r.Source, _ = tinySource(t)
	_, cells, err := compute(t, spectest.Parse(t, tiny(stanzas)), r)
	if err != nil && !errors.Is(err, ErrCells) {
		t.Fatal(err)
	}
	return cells
}

// TestFaultsInAStream: what goes wrong in the middle of a stream fails the fit that
// was asked for, and no other one. The next fit has a new process, and where no answer
// came, the same fit has one before.
func TestFaultsInAStream(t *testing.T) {
	fixture.Long(t)
	needs(t, "sh")
	for _, c := range []struct {
		name, fault string
		want        string
		fine        bool // the fit itself succeeds
		again       bool // it is tried by another process
	}{
		{name: "crash", fault: `echo no more >&2; exit 3`, want: "external: sh: exit status 3; it said: no more", again: true},
		{name: "end without an answer", fault: `exit 0`, want: "external: sh: it ended without an answer", again: true},
		{name: "an answer that is not flushed", fault: `sleep 60`, want: "ended after its timeout of 2 s; its predictions.csv is there, but no answer came"},
		{name: "hang that will not be ended", fault: `trap "" TERM INT HUP; while :; do sleep 60; done`, want: "external: sh: ended after its timeout of 2 s"},
		{name: "flood of answers", fault: `yes garbage`, want: `external: sh: it wrote "garbage" to its standard output where the id`, again: true},
		{name: "another id", fault: `id=1000`, want: `it wrote "{\"id\": 1000}" to its standard output`, again: true},
		{name: "an unknown class", fault: `sed -i 5s/1/4/ predictions.csv`, want: "predictions.csv:5: label 4 is unknown; want a class from 1 to 3"},
		{name: "two answers", fault: `printf '{"id": %s}\n{"id": %s}\n' $id $id; exec sleep 60`, fine: true},
		{name: "end after the answer", fault: `echo "{\"id\": $id}"; exit 0`, fine: true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			starts := filepath.Join(t.TempDir(), "starts")
			script := serving(`echo $$ >> "`+starts+`"`, own("point")+ones+"\nif [ $point = 3 ]; then "+c.fault+"; fi")
			begun := time.Now()
			cell := runPoints(t, under("stdio", script, "    grid: {point: [1, 2, 3, 4, 5]}\n    datasets: {mat:tiny: {timeout: 2}}\n"), &Runner{Workers: 1})[0]
			if cell.Validation == nil {
				t.Fatal(cell.Failure)
			}
			want := []int{4, 4, -1, 4, 4}
			if c.fine {
				want[2] = 4
			}
			if !slices.Equal(cell.Validation.Correct, want) || !strings.Contains(cell.Validation.Failures[2], c.want) {
				t.Errorf("%d right, failures %v; want %d and %q", cell.Validation.Correct, cell.Validation.Failures, want, c.want)
			}
			if cell.Failure != "" || cell.Correct() != 7 {
				t.Errorf("the test samples: %q, %d right", cell.Failure, cell.Correct())
			}
			processes := 2 // before the fault and after it
			if c.again {
				processes++
			}
			if n := lineCount(t, starts); n != processes {
				t.Errorf("%d processes, want %d", n, processes)
			}
			if d := time.Since(begun); d > 30*time.Second {
				t.Errorf("it took %v", d)
			}
		})
	}
}

// TestServiceThatStays: a process that does not end with its standard input is ended
// with the run.
func TestServiceThatStays(t *testing.T) {
	fixture.Long(t)
	t.Parallel()
	needs(t, "sh")
	starts := filepath.Join(t.TempDir(), "starts")
	begun := time.Now()
	cell := runPoints(t, under("stdio", serving(`echo $$ >> "`+starts+`"`, ones)+"\nsleep 60", ""), &Runner{Workers: 1})[0]
	if cell.Failure != "" || time.Since(begun) > 20*time.Second {
		t.Errorf("%q after %v", cell.Failure, time.Since(begun))
	}
	b := fixture.Must(os.ReadFile(starts))(t)
	if exec.Command("sh", "-c", "kill -0 "+string(b)).Run() == nil {
		t.Errorf("process %s is left", b)
	}
}
