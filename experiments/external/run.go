package external

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"
	"unicode"

	"r2lmlbench/experiments/method"
	"r2lmlbench/internal/machine"
	"r2lmlbench/r2lml"
)

// The limit of standard output and of standard error of a program; how much of the end of standard
// error is kept.
const (
	mostOutput = 16 << 20
	keptOutput = 16 << 10
)

// errLoud is the failure of a program that writes too much.
var errLoud = fmt.Errorf("ended after writing more than %d MiB to its standard output or error", mostOutput>>20)

// errOverdue is wrapped by the failure of a program that exceeds its timeout.
var errOverdue = errors.New("ended after its timeout")

// Fit runs one fit of the program. The log of the result has its standard error, also
// after a failure.
func (e External) Fit(ctx context.Context, p method.Problem) (r2lml.Fitted, error) {
	dir, remove, err := newScratch()
	if err != nil {
		return r2lml.Fitted{}, method.MachineFault(err)
	}
	defer remove()
	if err := e.handOver(dir, p); err != nil {
		return r2lml.Fitted{}, method.MachineFault(anonymous(err))
	}
	limit := time.Duration(e.Timeout * float64(time.Second))
	ctx, cancel := context.WithTimeoutCause(ctx, limit, fmt.Errorf("%w of %g s", errOverdue, e.Timeout))
	defer cancel()
	fit := e.once
	if e.Protocol == stdio {
		fit = e.served
	}
	labels, said, err := fit(ctx, dir, p)
	f := r2lml.Fitted{Labels: labels, Log: strings.ReplaceAll(said, dir, "."), Environment: append(toldEnvironment(dir), systemAndProcessor()...)}
	if err == nil || method.Transient(err) {
		return f, err
	}
	short := shortage(dir, said, err)
	if words := lastWords(f.Log); words != "" {
		err = fmt.Errorf("%w; it said: %s", err, words)
	}
	if short != nil {
		err = method.MachineFault(fmt.Errorf("%w: %w", short, err))
	}
	return f, err
}

// once runs a fit in a new process; said is the end of its standard error. It kills the process if
// it exceeds the memory of the problem. When it returns, the process and all its descendants have
// ended.
func (e External) once(ctx context.Context, dir string, p method.Problem) (labels []int, said string, err error) {
	if err := e.program.unchanged(); err != nil {
		return nil, "", err
	}
	if e.program.missing != nil {
		return nil, "", e.program.missing
	}
	ctx, end := context.WithCancelCause(ctx)
	defer end(nil)
	loud := func() { end(errLoud) }
	stdout, stderr := &sink{full: loud}, &sink{full: loud}
	cmd := e.program.command(ctx, dir, environment(e.Env, dir))
	cmd.Stdout, cmd.Stderr = stdout, stderr
	wait, err := start(cmd)
	if err == nil {
		stop := watchMemory(cmd, p.Memory, func() { end(method.Budget{Memory: p.Memory}.OutOfMemory()) })
		err = outcomeOf(ctx, wait())
		stop()
	} else {
		err = started(err)
	}
	labels, err = e.outcome(dir, p, err)
	return labels, stderr.text(), err
}

// served runs a fit in a service process: one of the pool of ctx or, without a pool, one
// that ends with the fit. A process that failed is not used again.
func (e External) served(ctx context.Context, dir string, p method.Problem) (labels []int, said string, err error) {
	shared, ok := ctx.Value(poolKey{}).(*pool)
	if !ok {
		shared = &pool{ctx: ctx}
		defer shared.close()
	}
	s, err := shared.take(e)
	if err != nil {
		return nil, "", err
	}
	said, err = s.fit(ctx, dir, p.Memory)
	if s.leftBetween(err) {
		shared.tellRetry(e, err, said)
		if err := os.RemoveAll(filepath.Join(dir, predictionsFile)); err != nil { // an incomplete answer
			return nil, said, method.MachineFault(anonymous(err))
		}
		return e.served(ctx, dir, p)
	}
	if err != nil && errors.Is(ctx.Err(), context.DeadlineExceeded) {
		if _, missing := os.Lstat(filepath.Join(dir, predictionsFile)); missing == nil {
			err = fmt.Errorf("%w; its %s is there, but no answer came: end the line of each answer and flush it, such as by print(..., flush=True)",
				err, predictionsFile)
		}
	}
	if labels, err = e.outcome(dir, p, err); err != nil {
		s.end()
		return nil, said, err
	}
	shared.giveBack(e, s)
	return labels, said, nil
}

// outcome reads the predictions in dir unless the fit has failed. It also fails if a
// file of the program has changed.
func (e External) outcome(dir string, p method.Problem, failed error) (labels []int, err error) {
	there := allow(dir)
	if fault := e.program.unchanged(); fault != nil {
		return nil, fault // the change may be the reason of the failure
	}
	if failed != nil {
		return nil, failed
	}
	if !there {
		return nil, errors.New("the directory of the fit is gone; a program leaves it where it is, under its name")
	}
	samples, _ := p.Query.Dims()
	return readPredictions(dir, samples, p.Classes())
}

// command returns the command that runs a program in dir until ctx ends.
func (p program) command(ctx context.Context, dir string, env []string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, p.path, p.argv[1:]...)
	cmd.Args[0] = p.argv[0]
	cmd.Dir, cmd.Env = dir, env
	return cmd
}

// startGroup starts a command as the leader of a process group. wait waits for the
// command and then kills the group; the end of its context kills it too. Children in
// other groups survive.
func startGroup(cmd *exec.Cmd) (wait func() error, err error) {
	ownGroup(cmd)
	cmd.Cancel = func() error { endGroup(cmd); return nil }
	cmd.WaitDelay = time.Second // for a child outside the group that keeps our pipes open
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	return func() error {
		defer endGroup(cmd)
		return cmd.Wait()
	}, nil
}

// started returns the error of starting a program: transient if the machine lacked a
// resource, and with advice if the file is no program.
func started(err error) error {
	for _, short := range []error{syscall.EAGAIN, syscall.ENOMEM, syscall.EMFILE, syscall.ENFILE, syscall.ETXTBSY} {
		if errors.Is(err, short) {
			return method.MachineFault(err)
		}
	}
	const first = "name what runs it in front, such as [python3, ./program.py]"
	switch {
	case errors.Is(err, syscall.EACCES):
		return fmt.Errorf("%w; make it executable, or %s", err, first)
	case errors.Is(err, syscall.ENOEXEC):
		return fmt.Errorf("%w; let its first line say what runs it, such as #!/usr/bin/env python3, or %s", err, first)
	}
	return err
}

// watchMemory calls over when the processes of a started command occupy more than
// memory bytes together. stop ends the watch.
func watchMemory(cmd *exec.Cmd, memory int64, over func()) (stop func()) {
	if memory <= 0 {
		return func() {}
	}
	return machine.Watch(func() {
		if machine.MemoryBelow(cmd.Process.Pid) > memory {
			over()
		}
	})
}

// shortages are errors of a full machine; programs in most languages quote their texts.
var shortages = []syscall.Errno{syscall.ENOSPC, syscall.EDQUOT, syscall.EMFILE, syscall.ENFILE}

// room is the free space in bytes below which shortage calls the scratch directory full.
const room = 64 << 10

// shortage returns which resource the machine lacked when a program failed in dir, nil if unknown:
// a system limit ended the program, its last words quote a shortage, or the scratch directory is
// full.
func shortage(dir, said string, failed error) error {
	if endedByLimit(failed) {
		return errors.New("a limit of this machine, which is none of the spec, ended the program")
	}
	last := strings.ToLower(lastWords(said))
	for _, short := range shortages {
		if strings.Contains(last, strings.ToLower(short.Error())) {
			return short
		}
	}
	if !allow(dir) { // the program moved its directory: its own fault
		return nil
	}
	probe, err := os.CreateTemp(dir, "room-") // a new file: the files of the program may be links
	if err == nil {
		_, err = probe.Write(make([]byte, room))
		probe.Close()
		os.Remove(probe.Name())
	}
	return anonymous(err)
}

// anonymous removes the path from an error, since the directory of a fit has another name in every
// run.
func anonymous(err error) error {
	if where, ok := errors.AsType[*fs.PathError](err); ok {
		return where.Err
	}
	return err
}

// outcomeOf returns the failure of a program; nil if it did not fail.
func outcomeOf(ctx context.Context, err error) error {
	switch {
	case method.OfMachine(err): // also if the time was over while the output of a child was awaited
		return err
	case err == nil, errors.Is(err, exec.ErrWaitDelay):
		return nil
	case ctx.Err() != nil:
		return context.Cause(ctx)
	default:
		return err
	}
}

// A sink keeps the end of the output of a program.
type sink struct {
	mu    sync.Mutex
	full  func() // called when the output is too long
	total int
	end   []byte
}

// reset clears the sink.
func (s *sink) reset(full func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.full, s.total, s.end = full, 0, nil
}

// Write implements io.Writer.
func (s *sink) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.total += len(b); s.total > mostOutput {
		s.full()
	}
	s.end = append(s.end, b[max(0, len(b)-keptOutput):]...)
	if excess := len(s.end) - keptOutput; excess > keptOutput {
		s.end = append(s.end[:0], s.end[excess:]...)
	}
	return len(b), nil
}

// text returns the kept end of the output as valid UTF-8; a mark replaces the part
// before it.
func (s *sink) text() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	end := s.end[max(0, len(s.end)-keptOutput):]
	text := strings.ToValidUTF8(string(end), "\uFFFD")
	if s.total > len(end) {
		text = "[...]" + text
	}
	return text
}

// lastWords returns the last lines of a log, joined to one line.
func lastWords(log string) string {
	const most, lines = 300, 3
	var last []string
	for _, line := range strings.Split(log, "\n") {
		if line = strings.TrimSpace(strings.Map(printable, line)); line != "" {
			last = append(last, line)
		}
	}
	text := []rune(strings.Join(last[max(0, len(last)-lines):], " | "))
	if len(text) > most {
		return "[...]" + string(text[len(text)-most:])
	}
	return string(text)
}

func printable(r rune) rune {
	if unicode.IsControl(r) {
		return ' '
	}
	return r
}
