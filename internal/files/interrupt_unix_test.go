//go:build unix

package files

import (
	"bufio"
	"context"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"testing"
	"time"

	"r2lmlbench/internal/fixture"
)

// child is the variable by which this program starts itself; it names what to do.
const child = "R2LMLBENCH_INTERRUPT_CHILD"

func TestMain(m *testing.M) {
	if mode := os.Getenv(child); mode != "" {
		wait(mode)
	}
	os.Exit(m.Run())
}

// wait tells when a signal has ended the context, and that a second one has not ended
// the program.
func wait(mode string) {
	if mode == "nohup" {
		signal.Ignore(syscall.SIGHUP)
	}
	ctx, stop := Interruptible(context.Background())
	println("ready")
	select {
	case <-ctx.Done():
		println("ended")
	case <-time.After(time.Second):
		println("goes on")
	}
	RestoreSignals(stop)
	println("insists")
	time.Sleep(time.Second)
	println("done")
	os.Exit(0)
}

// TestSignals: each of the signals ends the context; after RestoreSignals a second one ends the
// program, but for a hangup. One that is ignored stays so.
func TestSignals(t *testing.T) {
	for _, c := range []struct {
		mode          string
		first, second syscall.Signal
		want          string
		killed        bool
	}{
		{"plain", syscall.SIGINT, syscall.SIGINT, "ready ended insists", true},
		{"plain", syscall.SIGTERM, syscall.SIGTERM, "ready ended insists", true},
		{"plain", syscall.SIGHUP, syscall.SIGHUP, "ready ended insists done", false},
		{"plain", syscall.SIGHUP, syscall.SIGINT, "ready ended insists", true},
		{"nohup", syscall.SIGHUP, syscall.SIGHUP, "ready goes on insists done", false},
	} {
		t.Run(c.mode+" "+c.first.String()+" "+c.second.String(), func(t *testing.T) {
			t.Parallel()
			caught := make(chan os.Signal, 1)
			signal.Notify(caught, syscall.SIGHUP) // so that the child has the default
			defer signal.Stop(caught)
			cmd := exec.Command(os.Args[0])
			cmd.Env = append(os.Environ(), child+"="+c.mode)
			out := fixture.Must(cmd.StderrPipe())(t)
			fixture.Check(t, cmd.Start())
			var said []string
			for lines := bufio.NewScanner(out); lines.Scan(); {
				said = append(said, lines.Text())
				switch lines.Text() {
				case "ready":
					cmd.Process.Signal(c.first)
				case "insists":
					cmd.Process.Signal(c.second)
				}
			}
			err := cmd.Wait()
			if got := strings.Join(said, " "); got != c.want || (err != nil) != c.killed {
				t.Errorf("%q, %v; want %q, killed %v", got, err, c.want, c.killed)
			}
		})
	}
}

// TestCurrent: reads far from the command see its context, and before and after it an open one.
func TestCurrent(t *testing.T) {
	current.Store(nil)
	fixture.Check(t, Context().Err())
	ctx, stop := Interruptible(context.Background())
	fixture.Equal(t, "context", Context(), ctx)
	stop()
	fixture.Equal(t, "its end with the command", ctx.Err(), context.Canceled)
	fixture.Check(t, Context().Err())
}
