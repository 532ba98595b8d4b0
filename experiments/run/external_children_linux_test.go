package run_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	. "r2lmlbench/experiments/run"
	"r2lmlbench/internal/fixture"
	"r2lmlbench/internal/testkit"
)

// awaited reads the number of a process that a program writes to a file.
func awaited(t *testing.T, path string) (pid int) {
	t.Helper()
	fixture.Await(t, path, func() bool {
		b, err := os.ReadFile(path)
		if err == nil && strings.HasSuffix(string(b), "\n") {
			_, err = fmt.Sscan(string(b), &pid)
		}
		return err == nil && pid > 0
	})
	return pid
}

// alive tells whether there is a process of this number.
func alive(pid int) bool { return !errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) }

// daemon starts a process in a session of its own that outlives its parent, and
// waits until it has written its number to a file.
func daemon(path string) string {
	return fmt.Sprintf(`(setsid sh -c 'trap "" TERM INT HUP; echo $$ > "%[1]s"; exec sleep 300' <&- >/dev/null 2>&1 &); `+
		`until [ -s "%[1]s" ]; do sleep 0.01; done; `, path)
}

// TestSessionsAreEnded: real children in sessions of their own are gone after the
// timeout of their program, its end, its failure and an interruption.
func TestSessionsAreEnded(t *testing.T) {
	fixture.Long(t)
	fixture.Needs(t, "setsid", "env")
	for _, c := range []struct {
		name, script, rest string
		want               error
	}{
		{name: "normal end", script: ones},
		{name: "failure", script: "exit 4", want: ErrCells},
		{name: "killed", script: "kill -KILL $$", want: ErrCells},
		{name: "timeout", script: "sleep 300", rest: "    datasets: {mat:tiny: {timeout: 2}}\n", want: ErrCells},
		{name: "interrupted", script: "sleep 300", want: context.Canceled},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			first, second := filepath.Join(dir, "first"), filepath.Join(dir, "second")
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			if c.want == context.Canceled {
				go func() {
					awaited(t, second)
					cancel()
				}()
			}
			// One without our environment, too.
			stanza := shell(daemon(first)+"env -i \"PATH=$PATH\" sh -c '"+strings.ReplaceAll(daemon(second), "'", `'\''`)+"'; "+c.script, c.rest)
			_, _, err := compute(t, ctx, testkit.Parse(t, tiny(stanza)), &Runner{})
			fixture.Is(t, err, c.want)
			for _, path := range []string{first, second} {
				if pid := awaited(t, path); alive(pid) {
					t.Errorf("process %d is left", pid)
					syscall.Kill(pid, syscall.SIGKILL)
				}
			}
		})
	}
}

// TestSessionsOfOthersStay: the end of a program leaves alone what other programs
// have started, and children of this process keep their exit status.
func TestSessionsOfOthersStay(t *testing.T) {
	fixture.Long(t)
	t.Parallel()
	fixture.Needs(t, "setsid")
	dir := t.TempDir()
	done, own := filepath.Join(dir, "done"), filepath.Join(dir, "own")
	child := exec.Command("sh", "-c", `until [ -e "$0" ]; do sleep 0.01; done; exit 7`, filepath.Join(dir, "over"))
	fixture.Check(t, child.Start())
	stanzas := shell(daemon(filepath.Join(dir, "left"))+ones+fmt.Sprintf(`until [ -s "%s" ]; do sleep 0.01; done; touch "%s"`, own, done),
		"    name: short\n") +
		shell(daemon(own)+fmt.Sprintf(`until [ -e "%s" ]; do sleep 0.01; done; sleep 0.5; kill -0 $(cat "%s") || exit 9; `, done, own)+ones,
			"    name: long\n")
	fixture.Must(runTiny(t, stanzas, &Runner{}))(t)
	for _, name := range []string{"left", "own"} {
		if pid := awaited(t, filepath.Join(dir, name)); alive(pid) {
			t.Errorf("process %s is left", name)
		}
	}
	fixture.Write(t, filepath.Join(dir, "over"), "")
	if child.Wait(); child.ProcessState.ExitCode() != 7 {
		t.Errorf("a child of this process: %v, want exit status 7", child.ProcessState)
	}
}

// TestKeeperIsKilled: a program ends with its parent, as where a limit of the machine ends that; nothing
// is stored.
func TestKeeperIsKilled(t *testing.T) {
	fixture.Long(t)
	t.Parallel()
	fixture.Needs(t, "sh")
	dir := t.TempDir()
	st := storeIn(t, filepath.Join(dir, "results"))
	killed := shell(`echo $$ > "`+dir+`/pid"; kill -KILL $PPID; sleep 300`, "")
	_, err := runTiny(t, strings.Replace(killed, "protocol:", "timeout: 1, protocol:", 1), &Runner{Store: st})
	fixture.Is(t, err, ErrMachine)
	fixture.Equal(t, "cells stored", len(testkit.Cells(t, st.Dir)), 0)
	pid := awaited(t, filepath.Join(dir, "pid"))
	fixture.Await(t, fmt.Sprintf("the end of process %d", pid), func() bool { return !alive(pid) })
}
