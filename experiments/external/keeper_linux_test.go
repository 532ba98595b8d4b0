package external

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"r2lmlbench/internal/fixture"
)

// TestDeathOfARunEndsPrograms: when this process is killed, nobody is left to close
// anything, and yet programs and what they started in other sessions end.
func TestDeathOfARunEndsPrograms(t *testing.T) {
	if folder := os.Getenv("R2LMLBENCH_TEST_START_IN"); folder != "" {
		cmd := exec.CommandContext(t.Context(), "sh", "-c", "setsid sleep 300 & echo $! $$ > pids; sleep 300")
		cmd.Dir = folder
		wait := fixture.Must(start(cmd))(t)
		t.Fatal(wait()) // until killed
	}
	fixture.Needs(t, "setsid")
	folder := t.TempDir()
	run := exec.Command(os.Args[0], "-test.run=^TestDeathOfARunEndsPrograms$")
	run.Env = append(os.Environ(), "R2LMLBENCH_TEST_START_IN="+folder)
	fixture.Check(t, run.Start())
	var session, program int
	fixture.Await(t, "a program", func() bool {
		b, _ := os.ReadFile(filepath.Join(folder, "pids"))
		n, _ := fmt.Sscan(string(b), &session, &program)
		return n == 2
	})
	fixture.Check(t, errors.Join(run.Process.Kill(), syscall.Kill(session, 0), syscall.Kill(program, 0)))
	run.Wait()
	for _, pid := range []int{session, program} {
		fixture.Await(t, fmt.Sprintf("the end of process %d", pid), func() bool { return errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) })
	}
}
