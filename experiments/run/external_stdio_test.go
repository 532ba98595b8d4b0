package run_test

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	. "r2lmlbench/experiments/run"
	"r2lmlbench/internal/fixture"
	"r2lmlbench/internal/testkit"
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

// lineCount is the number of lines in a file.
func lineCount(t *testing.T, name string) int {
	t.Helper()
	return strings.Count(fixture.Text(t, name), "\n")
}

// TestProtocolsGiveTheSameCells: cells are the same bytes whether a process makes one fit or
// many, some of which fail. A process that ends with an error after each answer, or says more
// than that, has no fit that fails, in each of 20 runs at once.
func TestProtocolsGiveTheSameCells(t *testing.T) {
	fixture.Long(t)
	fixture.Needs(t, "sh")
	run := func(t *testing.T, protocol, script string) map[string]string {
		st := storeIn(t, t.TempDir())
		cells, err := runTiny(t, under(protocol, script, "    grid: {class: [3, 2, 1, 4]}\n    restarts: 2\n"), &Runner{Store: st})
		if err != nil || cells[0].Setting().Params["class"] != 3 || len(cells[0].Validation.Failures) != 2 {
			t.Fatalf("%s: %v, %+v", protocol, err, cells[0])
		}
		return testkit.Cells(t, st.Dir)
	}
	served := serving("", own("class")+`sed 1d query.csv | sed "s/.*/$class/" > predictions.csv`)
	for end, runs := range map[string]int{"": 3, "exit 1": 20, "kill -9 $$": 3, `echo more; exit 0`: 3} {
		script := strings.Replace(served, `echo "{\"id\": $id}"`, `echo "{\"id\": $id}"; `+end, 1)
		once := run(t, "one-shot", script)
		for i := range runs {
			t.Run(fmt.Sprintf("%s/%d", end, i), func(t *testing.T) {
				t.Parallel()
				testkit.EqualCells(t, run(t, "stdio", script), once)
			})
		}
	}
}

// TestOneProcessPerWorker: a program is started once for each worker, and ends with
// the run.
func TestOneProcessPerWorker(t *testing.T) {
	t.Parallel()
	fixture.Needs(t, "sh")
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
		fixture.Must(runTiny(t, stanzas, &Runner{Workers: workers}))(t)
		if n := lineCount(t, file("starts")); n > workers {
			t.Errorf("%d workers started %d processes", workers, n)
		}
		fixture.Equal(t, "fits", lineCount(t, file("fits")), 30)
		fixture.Equal(t, "processes that ended by themselves", lineCount(t, file("ends")), lineCount(t, file("starts")))
	}
}

// TestFaultsInAStream: what goes wrong in the middle of a stream fails the fit that
// was asked for, and no other one. The next fit has a new process, and where no answer
// came, the same fit has one before.
func TestFaultsInAStream(t *testing.T) {
	fixture.Long(t)
	fixture.Needs(t, "sh")
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
			stanza := under("stdio", script, "    grid: {point: [1, 2, 3, 4, 5]}\n    datasets: {mat:tiny: {timeout: 2}}\n")
			st, told := storeIn(t, t.TempDir()), ""
			st.Log = func(format string, args ...any) { told += fmt.Sprintf(format, args...) }
			cells, err := runTiny(t, stanza, &Runner{Store: st, Workers: 1})
			cell := cells[0]
			if c.again && strings.Count(told, "another process of") != 1 {
				t.Errorf("it is told %q", told)
			}
			if err != nil || cell.Validation == nil {
				t.Fatal(err, cell.Failure)
			}
			want := []int{4, 4, -1, 4, 4}
			if c.fine {
				want[2] = 4
			}
			if !slices.Equal(cell.Validation.Correct, want) || !strings.Contains(cell.Validation.Failures[2], c.want) {
				t.Errorf("%d right, failures %v; want %d and %q", cell.Validation.Correct, cell.Validation.Failures, want, c.want)
			}
			fixture.Equal(t, "right test samples", cell.Correct(), 7)
			processes := 2 // before the fault and after it
			if c.again {
				processes++
			}
			fixture.Equal(t, "processes", lineCount(t, starts), processes)
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
	fixture.Needs(t, "sh")
	starts := filepath.Join(t.TempDir(), "starts")
	begun := time.Now()
	_, err := runTiny(t, under("stdio", serving(`echo $$ >> "`+starts+`"`, ones)+"\nsleep 60", ""), &Runner{Workers: 1})
	if err != nil || time.Since(begun) > 20*time.Second {
		t.Errorf("%v after %v", err, time.Since(begun))
	}
	if pid := fixture.Text(t, starts); exec.Command("sh", "-c", "kill -0 "+pid).Run() == nil {
		t.Errorf("process %s is left", pid)
	}
}
