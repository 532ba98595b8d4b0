package machine

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"r2lmlbench/internal/fixture"
)

// TestDescendants: children of children are found, with their memory, also in a
// session of their own.
func TestDescendants(t *testing.T) {
	fixture.Needs(t, "setsid")
	cmd := exec.Command("sh", "-c", "setsid sh -c 'sleep 60 & echo $!; read end; kill $!' <&0; true")
	in := fixture.Must(cmd.StdinPipe())(t)
	out := fixture.Must(cmd.StdoutPipe())(t)
	fixture.Check(t, cmd.Start())
	var sleeper int
	fixture.Must(fmt.Fscan(out, &sleeper))(t)
	found := map[int]int64{}
	fixture.Await(t, "the processes", func() bool { // one has no memory at the moment that it starts its program
		for _, p := range Descendants(os.Getpid()) {
			found[p.PID] = p.Resident
		}
		return found[sleeper] > 0
	})
	if found[sleeper] < 4096 || found[cmd.Process.Pid] < 4096 {
		t.Errorf("%v, want the processes %d and %d", found, sleeper, cmd.Process.Pid)
	}
	if _, ok := found[os.Getpid()]; ok {
		t.Error("a process is below itself")
	}
	if m := MemoryBelow(cmd.Process.Pid); m < found[sleeper] || m > 1<<30 {
		t.Errorf("%d bytes", m)
	}
	in.Close()
	fixture.Check(t, cmd.Wait())
}

func TestParse(t *testing.T) {
	line := "42 (a) b) ( c) S 7 42 42 0 -1 4194560 1 0 0 0 0 0 0 0 20 0 1 0 100 2000000 250 18446744073709551615"
	p, parent, ok := parse([]byte(line))
	if want := (Process{42, 250 * int64(os.Getpagesize())}); p != want || parent != 7 || !ok {
		t.Errorf("%+v below %d, %v", p, parent, ok)
	}
	for _, bad := range []string{"", "42", "42 (x) S 7", strings.Replace(line, " 7 ", " x ", 1), strings.Replace(line, "42 (", "x (", 1)} {
		if _, _, ok := parse([]byte(bad)); ok {
			t.Errorf("read %q", bad)
		}
	}
}
