package external

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"r2lmlbench/experiments/method"
	"r2lmlbench/internal/machine"
)

// A keeper is a process between us and a program: this executable under another
// name, one for every fit. As a child subreaper (prctl(2)) it becomes the parent of
// all orphans of the program, also of those in other sessions, and kills them when
// the program ends. We cannot be the subreaper ourselves: with several programs at
// once we could not know which program left a process, nor which of our children
// other packages wait for. A cgroup would work, but few users may create one.
//
//	standard input   a pipe; when it closes, also by our death, the keeper kills all
//	1, 2             those of the program
//	reportTo         receives a report when the program has ended
//	inputFrom        the standard input of the program
const (
	keeperName = "r2lmlbench-keeper"
	reportTo   = 3
	inputFrom  = 4
	self       = "/proc/self/exe"
)

// patience is how long a keeper tries to kill processes: one that waits for a disk
// or runs as another user may not be killable.
const patience = 5 * time.Second

// A report describes how a program ended.
type report struct {
	Status  syscall.WaitStatus
	Error   string // error of starting it, or ""
	Lacking bool   // it did not start because the machine lacked a resource
}

// init runs the keeper in a process that start began for it. Every executable with this package can
// be one, including tests.
func init() {
	if len(os.Args) > 2 && os.Args[0] == keeperName {
		syscall.CloseOnExec(reportTo)
		syscall.CloseOnExec(inputFrom)
		keep(os.NewFile(reportTo, "report"), os.Args[1], os.Args[2:])
		syscall.Exit(0)
	}
}

// hasKeepers reports whether a keeper can start and list processes.
var hasKeepers = sync.OnceValue(func() bool {
	_, err := os.Stat(self)
	return err == nil
})

// start starts a command under a keeper. Its Stdin is a file or nil. wait waits for the command and
// all its descendants, and returns the error of the command. When the context of the command ends,
// all are killed.
func start(cmd *exec.Cmd) (wait func() error, err error) {
	if cmd.Err != nil || !hasKeepers() {
		return startGroup(cmd)
	}
	input, ok := cmd.Stdin.(*os.File)
	if !ok {
		if input, err = os.Open(os.DevNull); err != nil {
			return nil, err
		}
		defer input.Close()
	}
	alive, hold, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer alive.Close()
	from, to, err := os.Pipe()
	if err != nil {
		hold.Close()
		return nil, err
	}
	defer to.Close()
	cmd.Args = append([]string{keeperName, cmd.Path}, cmd.Args...)
	cmd.Path = self
	cmd.Stdin, cmd.ExtraFiles = alive, []*os.File{to, input}
	stopped := false // by us, before the keeper ended
	cmd.Cancel = func() error { stopped = true; hold.Close(); return nil }
	cmd.WaitDelay = 2 * patience
	ownGroup(cmd)
	if err := cmd.Start(); err != nil {
		hold.Close()
		from.Close()
		return nil, err
	}
	return func() error {
		defer from.Close()
		defer hold.Close()
		err := cmd.Wait()
		var r report
		if unread := json.NewDecoder(from).Decode(&r); unread != nil {
			err = fmt.Errorf("the keeper of the program ended before it: %w", errors.Join(err, unread))
			if stopped {
				return err
			}
			return method.MachineFault(err)
		}
		return r.outcome()
	}, nil
}

// outcome returns the error of a program in the form of package exec.
func (r report) outcome() error {
	switch {
	case r.Lacking:
		return method.MachineFault(errors.New(r.Error))
	case r.Error != "":
		return errors.New(r.Error)
	case r.Status.Signaled():
		return death{r.Status.Signal(), r.Status.CoreDump()}
	case r.Status != 0:
		return fmt.Errorf("exit status %d", r.Status.ExitStatus())
	}
	return nil
}

// keep runs a program, reports how it ended, and returns when all its descendants
// have ended.
func keep(to io.Writer, path string, argv []string) {
	runtime.LockOSThread() // the program dies with the thread that started it
	pid, err := startKept(path, argv)
	if err != nil {
		json.NewEncoder(to).Encode(report{Error: err.Error(), Lacking: method.Transient(err)})
		return
	}
	end := sync.OnceFunc(func() { go endDescendants() })
	go func() {
		io.Copy(io.Discard, os.Stdin)
		end()
	}()
	for {
		var status syscall.WaitStatus
		switch ended, err := syscall.Wait4(-1, &status, 0, nil); {
		case errors.Is(err, syscall.EINTR):
		case err != nil: // no children, so no descendants
			return
		case ended == pid:
			json.NewEncoder(to).Encode(report{Status: status})
			end()
		}
	}
}

// startKept starts a program as a child of this process, the subreaper.
func startKept(path string, argv []string) (pid int, err error) {
	signals := make(chan os.Signal, 1) // the keeper ignores signals, its program does not; the pipe ends the keeper
	signal.Notify(signals, unix.SIGINT, unix.SIGTERM, unix.SIGHUP)
	if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
		return 0, fmt.Errorf("the program cannot be watched: prctl: %w", err)
	}
	defer syscall.Close(inputFrom) // a writer gets an error when the program has ended
	pid, err = syscall.ForkExec(path, argv, &syscall.ProcAttr{
		Env:   os.Environ(),
		Files: []uintptr{inputFrom, 1, 2},
		Sys:   &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL},
	})
	if err != nil {
		return 0, started(&os.PathError{Op: "fork/exec", Path: path, Err: err})
	}
	return pid, nil
}

// endDescendants kills all descendants of this process until none is left or patience
// has passed. Processes started during a round are killed in the next one.
func endDescendants() {
	for begun := time.Now(); time.Since(begun) < patience; time.Sleep(time.Millisecond) {
		for _, p := range machine.Descendants(os.Getpid()) {
			syscall.Kill(p.PID, syscall.SIGKILL)
		}
	}
	fmt.Fprintln(os.Stderr, "r2lmlbench: some processes that the program has started cannot be ended")
	syscall.Exit(1)
}
