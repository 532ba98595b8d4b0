package external

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"time"

	"r2lmlbench/experiments/method"
)

// The protocols of programs: one process per fit, or one process that answers a line
// for each fit, see service.
const (
	oneShot = "one-shot"
	stdio   = "stdio"
)

// protocolVariable is set for the protocol stdio, so that one program can support
// both protocols.
const protocolVariable = "R2LMLBENCH_PROTOCOL=" + stdio

// A request is the line that requests a fit. It has the absolute paths of the
// directory of the fit and of its files.
type request struct {
	ID          int    `json:"id"`
	Directory   string `json:"directory"`
	Train       string `json:"train"`
	Validation  string `json:"validation"`
	Query       string `json:"query"`
	Params      string `json:"params"`
	Predictions string `json:"predictions"`
}

// A service is a process of a program that runs one fit after another. It reads requests from its
// standard input, one line of JSON each, and answers with a line of the same id when the
// predictions are in the directory of the fit. Closing its standard input asks it to end.
type service struct {
	cmd      *exec.Cmd
	requests *os.File
	asked    int
	answers  *lines
	stderr   *sink
	ctx      context.Context    // of the process
	end      context.CancelFunc // kills the process and its descendants
	ended    chan struct{}      // closed when all of them have ended
	err      error              // how the process ended; valid after ended is closed
}

// startService starts a service process, which ends with ctx at the latest.
func (e External) startService(ctx context.Context) (*service, error) {
	err := e.program.unchanged()
	if err == nil {
		err = e.program.missing
	}
	if err != nil {
		return nil, err
	}
	dir, remove, err := newScratch()
	if err != nil {
		return nil, method.MachineFault(err)
	}
	input, requests, err := os.Pipe()
	if err != nil {
		remove()
		return nil, method.MachineFault(err)
	}
	defer input.Close()
	ctx, end := context.WithCancel(ctx)
	s := &service{requests: requests, ctx: ctx, end: end, ended: make(chan struct{})}
	s.answers, s.stderr = &lines{whole: make(chan []byte, 1), excess: end}, &sink{full: end}
	s.cmd = e.program.command(ctx, dir, append(environment(e.Env, dir), protocolVariable))
	s.cmd.Stdin, s.cmd.Stdout, s.cmd.Stderr = input, s.answers, s.stderr
	wait, err := start(s.cmd)
	if err != nil {
		end()
		requests.Close()
		remove()
		return nil, started(err)
	}
	go func() {
		defer close(s.ended)
		s.err = wait()
		end()
		requests.Close()
		remove()
	}()
	return s, nil
}

// fit runs a fit of the process in dir, and returns the end of its standard error
// during the fit in said. After an error the process has ended.
func (s *service) fit(ctx context.Context, dir string, memory int64) (said string, err error) {
	ctx, end := context.WithCancelCause(ctx)
	defer end(nil)
	s.stderr.reset(func() { end(errLoud) })
	defer s.stderr.reset(s.end)
	unwatch := context.AfterFunc(ctx, s.end)
	defer watchMemory(s.cmd, memory, func() { end(method.Budget{Memory: memory}.OutOfMemory()) })()
	s.ask(dir)
	select {
	case line := <-s.answers.whole:
		err = s.check(line)
	case <-s.ended:
		err = s.last(ctx)
	}
	if stopped := !unwatch(); stopped && err == nil {
		err = context.Cause(ctx) // the answer came while ctx was ending the process
	}
	if err != nil {
		s.end()
		<-s.ended
	}
	return s.stderr.text(), err
}

// ask writes a request. It ignores write errors; the end of the process reports the
// failure.
func (s *service) ask(dir string) {
	s.asked++
	in := func(file string) string { return filepath.Join(dir, file) }
	line, _ := json.Marshal(request{ // cannot fail: numbers and texts
		s.asked, dir, in(trainFile), in(validationFile), in(queryFile), in(paramsFile), in(predictionsFile),
	})
	s.requests.Write(append(line, '\n'))
}

// last returns the outcome of a fit after the process has ended: an answer that it
// wrote before counts.
func (s *service) last(ctx context.Context) error {
	if err := outcomeOf(ctx, s.err); err != nil && ctx.Err() != nil {
		return err
	}
	select {
	case line := <-s.answers.whole:
		return s.check(line)
	default:
	}
	return left{cmp.Or(s.err, errLeft)}
}

// A left is the failure of a fit whose process ended by itself without an answer.
type left struct{ error }

// Unwrap returns how the process ended.
func (l left) Unwrap() error { return l.error }

// errLeft is the failure of a fit whose process ended without an error.
var errLeft = errors.New("it ended without an answer; with protocol stdio a program answers requests until its standard input ends")

// leftBetween reports whether a fit failed because the process ended, or wrote something that is no
// answer, after it had answered other requests. Whether we see that before or after the next
// request is chance. To keep chance out of the result, we ask a new process once more, and its
// result counts.
func (s *service) leftBetween(err error) bool {
	return s.asked > 1 && (errors.As(err, new(left)) || errors.Is(err, errNoAnswer))
}

// errNoAnswer is wrapped by the failure of a fit with an invalid answer.
var errNoAnswer = errors.New("where the id of the request was due")

// check returns an error if a line is not the answer to the last request.
func (s *service) check(line []byte) error {
	var answer struct {
		ID int `json:"id"`
	}
	if err := json.Unmarshal(line, &answer); err != nil || answer.ID != s.asked {
		return fmt.Errorf("it wrote %.60q to its standard output %w, such as {\"id\": 1}; "+
			"with protocol stdio nothing else is written there", line, errNoAnswer)
	}
	return nil
}

// ready reports whether the process can run another fit: it is alive, it has written
// nothing unrequested, and the files of its program have not changed.
func (s *service) ready(p program) bool {
	return s.answers.empty() && s.ctx.Err() == nil && p.unchanged() == nil
}

// between returns what a process does while it waits for a request: a fault if it writes, a remark
// if it ends.
func (s *service) between() (remark, fault string) {
	select {
	case <-s.ended:
	case <-time.After(waits):
	}
	switch {
	case !s.answers.empty():
		return "", "it writes to its standard output after its answer; write one line for each request, and other text to standard error"
	case s.ctx.Err() != nil:
		return "it ends after its answer, so that each fit starts it anew", ""
	}
	return "", ""
}

// waits is how long between watches a process.
const waits = 200 * time.Millisecond

// grace is the time for a process to end by itself.
const grace = 2 * time.Second

// retire asks the process to end, and kills it after grace.
func (s *service) retire() {
	s.requests.Close()
	select {
	case <-s.ended:
	case <-time.After(grace):
		s.end()
		<-s.ended
	}
}

// longestAnswer is the limit of a line of an answer, in bytes.
const longestAnswer = 64 << 10

// lines divides the standard output of a process into lines. It keeps one line; a
// second one before the first is read ends the process.
type lines struct {
	whole  chan []byte // of capacity 1
	excess func()

	mu       sync.Mutex
	part     []byte
	exceeded bool // excess was called
}

// Write implements io.Writer.
func (l *lines) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	rest := b
	for len(rest) > 0 {
		line, after, whole := bytes.Cut(rest, []byte("\n"))
		l.part = append(l.part, line[:min(len(line), longestAnswer)]...)
		if whole || len(l.part) > longestAnswer {
			l.deliver()
		}
		rest = after
	}
	return len(b), nil
}

func (l *lines) deliver() {
	select {
	case l.whole <- l.part:
	default:
		l.exceeded = true
		l.excess()
	}
	l.part = nil
}

// empty reports whether nothing was written since the last answer.
func (l *lines) empty() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.part) == 0 && len(l.whole) == 0 && !l.exceeded
}

// mostIdle is the limit of idle processes of all programs. A program has at most one
// process per worker.
const mostIdle = 16

// A pool keeps services between their fits.
type pool struct {
	ctx  context.Context                  // of all services
	tell func(format string, args ...any) // may be nil

	mu   sync.Mutex
	told map[string]bool // programs that tell has reported, by identity
	idle []waiting       // the most recently used last
	live sync.WaitGroup
}

// A waiting service can run fits of all settings with the same program.
type waiting struct {
	program string
	service *service
}

type poolKey struct{}

// WithServices returns a context in which fits share processes of programs with the protocol stdio.
// end ends these processes; call it when no fit is running. When a new process repeats a failed
// fit, tell reports it, once per program.
func WithServices(ctx context.Context, tell func(format string, args ...any)) (with context.Context, end func()) {
	p := &pool{ctx: ctx, tell: tell, told: map[string]bool{}}
	return context.WithValue(ctx, poolKey{}, p), p.close
}

// identity returns a key that is equal for settings that one process can serve, and only
// for these: every text in it is quoted.
func (e External) identity() string {
	id := fmt.Sprintf("%q %q %q", e.program.path, e.program.argv, e.Env)
	for _, f := range e.program.files {
		id += fmt.Sprintf(" %q %q", f.path, f.digest)
	}
	return id
}

// take returns a process for a fit: an idle one or a new one.
func (p *pool) take(e External) (*service, error) {
	for s := p.pop(e.identity()); s != nil; s = p.pop(e.identity()) {
		if s.ready(e.program) {
			return s, nil
		}
		s.end()
	}
	s, err := e.startService(p.ctx)
	if err == nil {
		p.live.Go(func() { <-s.ended })
	}
	return s, err
}

// tellRetry reports, once per program, that a new process repeats a failed fit.
func (p *pool) tellRetry(e External, failed error, said string) {
	p.mu.Lock()
	known := p.told[e.identity()]
	p.told[e.identity()] = true
	p.mu.Unlock()
	if p.tell != nil && !known {
		p.tell("another process of %s is asked for a fit, since one that had answered before failed: %v; it said: %s",
			e.program.argv[0], failed, cmp.Or(lastWords(said), "nothing"))
	}
}

// pop removes and returns the most recently used service of a program; nil without any.
func (p *pool) pop(program string) *service {
	p.mu.Lock()
	defer p.mu.Unlock()
	for i := len(p.idle) - 1; i >= 0; i-- {
		if w := p.idle[i]; w.program == program {
			p.idle = append(p.idle[:i], p.idle[i+1:]...)
			return w.service
		}
	}
	return nil
}

// giveBack keeps a service for the next fit. If there are too many, it retires the
// least recently used one.
func (p *pool) giveBack(e External, s *service) {
	p.mu.Lock()
	p.idle = append(p.idle, waiting{e.identity(), s})
	var oldest *service
	if len(p.idle) > mostIdle {
		oldest, p.idle = p.idle[0].service, p.idle[1:]
	}
	p.mu.Unlock()
	if oldest != nil {
		oldest.retire()
	}
}

// close retires all services, which must be idle, and waits for their end.
func (p *pool) close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, w := range p.idle {
		p.live.Go(w.service.retire)
	}
	p.idle = nil
	p.live.Wait()
}
