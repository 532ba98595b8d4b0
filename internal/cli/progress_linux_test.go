package cli

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"r2lmlbench/internal/fixture"
	"r2lmlbench/internal/testkit"
)

// pseudoTerminal opens a terminal of that width: what is written to tty can be
// read from screen.
func pseudoTerminal(t *testing.T, width uint16) (screen, tty *os.File) {
	t.Helper()
	open := func(name string, flags int) *os.File {
		f, err := os.OpenFile(name, os.O_RDWR|flags, 0)
		if err != nil {
			t.Skipf("no terminal can be had here: %v", err)
		}
		t.Cleanup(func() { f.Close() })
		return f
	}
	screen = open("/dev/ptmx", 0)
	number := fixture.Must(unix.IoctlGetInt(int(screen.Fd()), unix.TIOCGPTN))(t)
	fixture.Check(t, unix.IoctlSetPointerInt(int(screen.Fd()), unix.TIOCSPTLCK, 0))
	tty = open(fmt.Sprint("/dev/pts/", number), syscall.O_NOCTTY)
	fixture.Check(t, unix.IoctlSetWinsize(int(tty.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: 24, Col: width}))
	return screen, tty
}

// onTerminal runs the program with standard error on a terminal of that width
// and returns what it wrote there.
func onTerminal(t *testing.T, width uint16, env []string, args ...string) (code int, stderr string) {
	t.Helper()
	p := program(t, args...)
	p.Env = append(append(p.Env, "TERM=xterm"), env...)
	return shownBy(t, width, p, &p.Stderr)
}

// shownBy runs a program with one of its streams on a terminal, and returns what it wrote there.
func shownBy(t *testing.T, width uint16, p *process, stream *io.Writer) (code int, shown string) {
	t.Helper()
	screen, tty := pseudoTerminal(t, width)
	*stream = tty
	fixture.Check(t, p.Start())
	tty.Close()
	written := make(chan string)
	go func() {
		var b bytes.Buffer
		io.Copy(&b, screen) // ends with EIO when nobody has the terminal open
		written <- b.String()
	}()
	code = p.code(t)
	return code, strings.ReplaceAll(<-written, "\r\n", "\n")
}

// TestLabelsOnATerminal: programs get labels as they are, a terminal none that it obeys.
func TestLabelsOnATerminal(t *testing.T) {
	dir := t.TempDir()
	file := fixture.Write(t, filepath.Join(dir, "x.csv"), "a,y\n"+strings.Repeat("1,\x1b[2Ju\n9,v\n", 8))
	args := []string{"fit", file, "--label", "y", "--method", "euclidean", "--neighbors", "1", "--predict", file, "--quiet", "--results", dir}
	fixture.Has(t, "for programs", succeed(t, args...), "\n\x1b[2Ju\n")
	p := program(t, args...)
	code, shown := shownBy(t, 80, p, &p.Stdout)
	fixture.Equal(t, "exit code", code, 0)
	fixture.Lacks(t, "on a terminal", shown, "\x1b")
	fixture.Has(t, "on a terminal", shown, `\x1b[2Ju`)
}

// bars are the states of the bar in what was written to a terminal.
var bars = regexp.MustCompile(`\r\x1b\[K(\[[#-]*\][^\r\n]*)`)

// seen is what stays on the screen: of every line, what follows its last
// erasure.
func seen(written string) string {
	lines := strings.Split(written, "\n")
	for i, line := range lines {
		if at := strings.LastIndex(line, "\r\x1b[K"); at >= 0 {
			lines[i] = line[at+len("\r\x1b[K"):]
		}
	}
	return strings.Join(lines, "\n")
}

// TestBar: on a terminal a bar tells points, rate, time left and memory in one
// line, and it is gone in the end; lines of cells stay above it.
func TestBar(t *testing.T) {
	fixture.Long(t)
	dir := t.TempDir()
	spec := fixture.Write(t, filepath.Join(dir, "chaotic.yaml"), chaotic)
	code, written := onTerminal(t, 200, nil, "run", "-v", spec, "--results", filepath.Join(dir, "wide"))
	fixture.Equal(t, "exit code", code, 0)
	states := bars.FindAllStringSubmatch(written, -1)
	whole := regexp.MustCompile(`^\[[#-]{20}\] (about \S+ left, )?\d+ of 36 settings, \d of 8 results, (no rate yet|\d+\.\d/(s|min)), \d+ MiB$`)
	for _, s := range states {
		if !whole.MatchString(s[1]) {
			t.Errorf("the bar is %q", s[1])
		}
	}
	if len(states) < 10 || !strings.Contains(states[len(states)-1][1], "36 of 36 settings") {
		t.Errorf("%d states of the bar, the last %q", len(states), states[len(states)-1])
	}
	screen := strings.Split(strings.TrimSuffix(seen(written), "\n"), "\n")
	if len(screen) != 1+8+1 || !strings.HasPrefix(screen[9], "computed 8 results in ") || strings.Contains(strings.Join(screen, ""), "\x1b") {
		t.Errorf("what stays on the screen:\n%s", strings.Join(screen, "\n"))
	}
	for i, line := range screen[1:9] {
		fixture.Has(t, "line", line+"\n", fmt.Sprintf("[%d of 8]\n", i+1))
	}
	_, written = onTerminal(t, 40, nil, "run", spec, "--results", filepath.Join(dir, "narrow"))
	if screen := strings.Split(strings.TrimSuffix(seen(written), "\n"), "\n"); len(screen) < 2 || !strings.HasPrefix(screen[1], "computed 8 results") {
		t.Errorf("without -v there stays %q", screen)
	}
	for _, s := range bars.FindAllStringSubmatch(written, -1) {
		if len(s[1]) > 39 {
			t.Errorf("on 40 columns the bar has %d: %q", len(s[1]), s[1])
		}
	}
}

// TestNoBar: the bar is for people at terminals, and color for those who want it.
func TestNoBar(t *testing.T) {
	fixture.Long(t)
	dir := t.TempDir()
	// one cell fails
	spec := fixture.Write(t, filepath.Join(dir, "failing.yaml"), strings.Replace(small, "iterations: 1}",
		"iterations: 1}\n    datasets: {ringnorm-gen: {step: 1e300, iterations: 20}}", 1))
	run := 0
	args := func(more ...string) []string {
		run++
		return append([]string{"run", "-v", spec, "--results", filepath.Join(dir, fmt.Sprint(run))}, more...)
	}
	for _, c := range []struct {
		name              string
		env, args         []string
		bar, color, lines bool
	}{
		{"terminal", []string{"NO_COLOR="}, nil, true, true, true},
		{"NO_COLOR", []string{"NO_COLOR=1"}, nil, true, false, true},
		{"dumb terminal", []string{"NO_COLOR=", "TERM=dumb"}, nil, false, false, true},
		{"quiet", []string{"NO_COLOR="}, []string{"--quiet"}, false, false, false},
		{"json", []string{"NO_COLOR="}, []string{"--log", "json"}, false, false, true},
	} {
		code, written := onTerminal(t, 120, c.env, args(c.args...)...)
		fixture.Equal(t, c.name+": exit code", code, 5)
		got := [3]bool{strings.Contains(written, "\r"), strings.Contains(written, "\x1b[31mFAILED\x1b[0m"), strings.Contains(written, "[4 of 4]")}
		if want := [3]bool{c.bar, c.color, c.lines}; got != want || !c.bar && strings.Contains(written, "\x1b") {
			t.Errorf("%s: a bar, color, and lines of cells: %v, want %v\n%q", c.name, got, want, written)
		}
	}
	code, _, stderr := runProgram(t, args()...)
	if code != 5 || strings.ContainsAny(stderr, "\r\x1b") || strings.Count(stderr, " of 4]") != 4 {
		t.Errorf("no terminal: exit code %d\n%q", code, stderr)
	}
}

// TestLogJSONTellsEverything: one object per line, the error at the end too, and
// a summary.
func TestLogJSONTellsEverything(t *testing.T) {
	dir := t.TempDir()
	spec := fixture.Write(t, filepath.Join(dir, "chaotic.yaml"), chaotic+
		"  - method: e-r2lml\n    name: failing\n    params: {step: 1e300, epochs: 1, iterations: 20}\n")
	code, _, stderr := runProgram(t, "run", spec, "--results", filepath.Join(dir, "results"), "--log", "json")
	fixture.Equal(t, "exit code", code, 5)
	all := events(t, stderr, false)
	cells := 0
	for _, e := range all {
		if e.Event != "cell" {
			continue
		}
		cells++
		if failing := e.Method == "failing"; failing != strings.Contains(e.Failure,
			"finite") || e.Dataset == "" || e.Seed != 1 || e.Cell != cells || e.Cells != 10 || e.Points < 1 {
			t.Errorf("%+v", e)
		}
	}
	summary, last := all[len(all)-2], all[len(all)-1]
	if summary.Event != "summary" || summary.Cells != 10 || summary.Failed != 2 || summary.PointsFitted != 38 {
		t.Errorf("summary %+v", summary)
	}
	if cells != 10 || last.Level != "ERROR" || !strings.Contains(last.Msg, "some cells failed") {
		t.Errorf("%d cells, the last line %+v", cells, last)
	}
	if code, _, stderr := runProgram(t, "run", "no-such-spec", "--log", "json"); code != 3 || len(events(t, stderr, false)) != 1 {
		t.Errorf("no such spec: exit code %d\n%s", code, stderr)
	}
}

// reads is how often this process has read from a file so far.
func reads(t *testing.T) int {
	b, err := os.ReadFile("/proc/self/io")
	if err != nil {
		t.Skipf("reads are not counted here: %v", err)
	}
	_, after, _ := strings.Cut(string(b), "syscr: ")
	var n int
	fixture.Must(fmt.Sscan(after, &n))(t)
	return n
}

// TestRunReadsEachCellOnce: how often a run reads grows with the cells that there are
// and with those that are missing, not with their product. Reading is counted, for
// time depends on what else the machine does.
func TestRunReadsEachCellOnce(t *testing.T) {
	fixture.Long(t)
	base := t.TempDir()
	spec := fixture.Write(t, filepath.Join(base, "growing.yaml"),
		"name: growing\ndatasets: [overlap30]\nsplit: {rule: random, repeats: 120}\nmethods: [{method: euclidean}]\n")
	whole := filepath.Join(base, "whole")
	finish(t, "run", spec, "--results", whole)
	all := fixture.Contents(t, whole, "")
	cells := testkit.Cells(t, whole)
	command(t, "run", spec, "--results", whole, "--quiet", "--data", base) // the first in a process also reads the executable
	for _, missing := range []int{0, 1, 2, 15, 30, 45, 60, 75, 90, 105, len(cells) - 1, len(cells)} {
		dir := t.TempDir()
		left := missing
		for name, data := range all {
			if _, isCell := cells[name]; isCell && left > 0 {
				left--
				continue
			}
			fixture.Write(t, filepath.Join(dir, name), data)
		}
		before := reads(t)
		fixture.Equal(t, "exit code", Main([]string{"run", spec, "--results", dir, "--quiet", "--data", base}, io.Discard, io.Discard), 0)
		// A stored cell is read twice, each time with the record of its run: to find what is
		// missing, and for the table, which shows doubts about fits; two calls a file. A missing
		// one has its earlier record read before that is replaced.
		if n, most := reads(t)-before, 8*(len(cells)-missing)+14*missing+100; n > most {
			t.Errorf("%d reads with %d of %d cells missing, want at most %d", n, missing, len(cells), most)
		}
	}
}

// TestRankingWhileItRuns: in a terminal compare shows the ranking so far from the third split
// on. Ctrl-C then ends with the answer over the finished splits, and a second run prints the
// answer of a run that was never interrupted.
func TestRankingWhileItRuns(t *testing.T) {
	fixture.Long(t)
	dir := t.TempDir()
	var rows strings.Builder
	rows.WriteString("a,b,class\n")
	for i := range 120 {
		fmt.Fprintf(&rows, "%d,%d,%c\n", i*i%31+9*(i%2), i*7%13, 'x'+rune(i%2))
	}
	data := fixture.Write(t, filepath.Join(dir, "two.csv"), rows.String())
	args := []string{"compare", data, "--label", "class", "--methods", "scml-global,kissme", "--splits", "12", "--workers", "1", "--format", "json", "--results"}
	screen, tty := pseudoTerminal(t, 100)
	page := filepath.Join(dir, "page")
	p := program(t, append(args, filepath.Join(dir, "stopped"), "--page", page)...)
	var out bytes.Buffer
	p.Stdout, p.Stderr, p.Env = &out, tty, append(p.Env, "TERM=xterm")
	fixture.Check(t, p.Start())
	tty.Close()
	var written []byte
	for chunk, sent := make([]byte, 4096), false; ; {
		n, err := screen.Read(chunk)
		if written = append(written, chunk[:n]...); err != nil {
			break
		}
		if !sent && bytes.Contains(written, []byte("so far, 3 of 12 splits")) {
			sent = true // a second signal would end the process at once
			fixture.Check(t, p.Process.Signal(os.Interrupt))
		}
	}
	fixture.Equal(t, "exit code", p.code(t), exitInterrupted)
	said := regexp.MustCompile(`The answer is over (\d+) of 12 splits`).FindSubmatch(written)
	if said == nil || !bytes.Contains(out.Bytes(), []byte(`"splits": `+string(said[1])+",")) {
		t.Fatalf("%s\n%s", written, out.String())
	}
	fixture.Has(t, "the page", fixture.Text(t, filepath.Join(page, "index.html")), string(said[0]))
	_, again, _ := command(t, append(args, filepath.Join(dir, "stopped"))...)
	_, whole, _ := command(t, append(args, filepath.Join(dir, "whole"))...)
	fixture.Equal(t, "the answer of a second run", again, whole)
	fixture.Has(t, "the answer", whole, `"splits": 12,`)
}

// TestSecondInterrupt: a second signal ends a comparison at once, while it ends after the first or writes its answer. What was
// finished is kept, and the next run gives the answer of an undisturbed one.
func TestSecondInterrupt(t *testing.T) {
	fixture.Long(t)
	dir := t.TempDir()
	args := []string{"compare", "../../experiments/iris.csv", "--label", "species", "--methods", "scml-global,kissme", "--splits", "4", "--workers", "1",
		"--results"}
	p := program(t, append(args, filepath.Join(dir, "stopped"), "--page", filepath.Join(dir, "page"))...)
	p.Stderr = nil
	report := fixture.Must(p.StderrPipe())(t)
	fixture.Check(t, p.Start())
	for len(fixture.Must(filepath.Glob(filepath.Join(dir, "stopped", "cells", "*", "*.json")))(t)) == 0 {
		time.Sleep(time.Millisecond)
	}
	fixture.Check(t, p.Process.Signal(os.Interrupt))
	var written []byte
	for chunk, sent := make([]byte, 4096), false; ; {
		n, err := report.Read(chunk)
		if written = append(written, chunk[:n]...); err != nil {
			break
		}
		if !sent && bytes.Contains(written, []byte("stopping")) {
			sent = true
			p.Process.Signal(os.Interrupt) // it may have ended
		}
	}
	p.Wait()
	if code := p.ProcessState.ExitCode(); code != exitInterrupted && code != -1 {
		t.Fatalf("exit code %d\n%s", code, written)
	}
	_, again, _ := command(t, append(args, filepath.Join(dir, "stopped"))...)
	_, whole, _ := command(t, append(args, filepath.Join(dir, "whole"))...)
	fixture.Equal(t, "the answer of the next run", again, whole)
}
