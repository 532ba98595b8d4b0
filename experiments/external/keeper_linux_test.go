package external

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"

	"gonum.org/v1/gonum/mat"

	"r2lmlbench/experiments/method"
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

// TestForbiddenScratch: a program that takes the rights to its folder away, from a user who is not root, has its labels read and its folder
// removed, as for root. A folder that is replaced by a link is gone, and what the link leads to stays as it is.
func TestForbiddenScratch(t *testing.T) {
	runtime.LockOSThread() // which has the user
	defer runtime.UnlockOSThread()
	base := t.TempDir()
	t.Setenv("TMPDIR", base)
	fixture.Check(t, errors.Join(os.Chmod(base, 0o777), os.Chmod(filepath.Dir(base), 0o755)))
	if os.Getuid() == 0 {
		const nobody = 65534
		syscall.Setfsuid(nobody)
		defer syscall.Setfsuid(0)
	}
	var p method.Problem
	p.Query, p.Y = mat.NewDense(1, 1, nil), []int{1, 2}
	dir, remove, err := newScratch()
	if err != nil {
		t.Skip("another user than root cannot write below ", base)
	}
	fixture.Write(t, filepath.Join(dir, predictionsFile), "2\n")
	fixture.Write(t, filepath.Join(dir, "a", "b", "c"), "")
	for _, folder := range []string{"a/b", "a", "."} {
		fixture.Check(t, os.Chmod(filepath.Join(dir, folder), 0))
	}
	fixture.Equal(t, "labels", fmt.Sprint(fixture.Must(External{}.outcome(dir, p, nil))(t)), "[2]")
	fixture.Check(t, os.Chmod(dir, 0))
	remove()
	fixture.Is(t, fixture.Error(os.Lstat(dir)), os.ErrNotExist)

	dir, remove, err = newScratch()
	fixture.Check(t, err)
	user := filepath.Dir(fixture.Write(t, filepath.Join(base, "user", predictionsFile), "2\n"))
	fixture.Check(t, errors.Join(os.Chmod(user, 0o755), os.Remove(dir), os.Symlink(user, dir)))
	fixture.Says(t, fixture.Error(External{}.outcome(dir, p, nil)), "is gone")
	fixture.Equal(t, "shortage", fmt.Sprint(shortage(dir, "", nil)), "<nil>")
	remove()
	info := fixture.Must(os.Stat(user))(t)
	fixture.Equal(t, "rights", info.Mode().Perm(), os.FileMode(0o755))
	fixture.Equal(t, "file of the user", fixture.Text(t, filepath.Join(user, predictionsFile)), "2\n")
}
