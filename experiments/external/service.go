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

// The protocols by which a program is asked for fits: a process for each, or one
// process that answers a line for each, see service.
const (
	oneShot = "one-shot"
	stdio   = "stdio"
)

// protocolVariable tells a program of the protocol stdio that it is one, so that
// the same file can serve both protocols.
const protocolVariable = "R2LMLBENCH_PROTOCOL=" + stdio

// A request is the line that asks for a fit. It names the directory of the fit
// and the files in it by absolute paths.
type request struct {
	ID          int    `json:"id"`
	Directory   string `json:"directory"`
	Train       string `json:"train"`
	Validation  string `json:"validation"`
	Query       string `json:"query"`
	Params      string `json:"params"`
	Predictions string `json:"predictions"`
}

// A service is a process of a program that makes one fit after another. It reads
// requests from its standard input, a line of JSON each, and answers each with a
// line that has the same id, when the predictions are in the directory of the fit.
// The end of its standard input asks it to end.
type service struct {
	cmd      *exec.Cmd
	requests *os.File
	asked    int
	answers  *lines
	stderr   *sink
	ctx      context.Context    // of the process
	end      context.CancelFunc // ends the process and what it has started
	ended    chan struct{}      // closed when all of that is gone
	err      error              // how it ended, once it has
}

// startService starts a process that ends with ctx at the latest.
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
		return nil, method.TransientFailure{Cause: err}
	}
	input, requests, err := os.Pipe()
	if err != nil {
		remove()
		return nil, method.TransientFailure{Cause: err}
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

// fit has the process make a fit in dir, and returns the end of what it has
// written to its standard error meanwhile. After an error it has ended.
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
		err = context.Cause(ctx) // the answer came when the process was about to be ended
	}
	if err != nil {
		s.end()
		<-s.ended
	}
	return s.stderr.text(), err
}

// ask writes a request. That it cannot be written tells nothing: the end of the
// process does.
func (s *service) ask(dir string) {
	s.asked++
	in := func(file string) string { return filepath.Join(dir, file) }
	line, _ := json.Marshal(request{ // numbers and texts always have a form
		s.asked, dir, in(trainFile), in(validationFile), in(queryFile), in(paramsFile), in(predictionsFile),
	})
	s.requests.Write(append(line, '\n'))
}

// last is what becomes of a fit when the process has ended: an answer that it left
// counts.
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

// A left is the failure of a fit whose process has ended without an answer to it, in a
// way that nobody asked for.
type left struct{ error }

// Unwrap returns how the process has ended.
func (l left) Unwrap() error { return l.error }

// errLeft is the failure of a fit whose process has ended as if all was done.
var errLeft = errors.New("it ended without an answer; with protocol stdio a program answers requests until its standard input ends")

// leftBetween tells whether a fit failed because the process ended, or wrote something that
// is no answer, when it had answered others. When it does so after an answer, it is chance
// whether that is seen before the next request or after it. So that chance decides nothing,
// a new process is asked once more: what that does is what the program does.
func (s *service) leftBetween(err error) bool {
	return s.asked > 1 && (errors.As(err, new(left)) || errors.Is(err, errNoAnswer))
}

// errNoAnswer is within the failure of a fit for which the process wrote something else.
var errNoAnswer = errors.New("where the id of the request was due")

// check refuses what is no answer to the last request.
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

// ready tells whether the process can take another fit: it runs, it has said
// nothing unasked, and the files of its program are as they were planned.
func (s *service) ready(p program) bool {
	return s.answers.empty() && s.ctx.Err() == nil && p.unchanged() == nil
}

// grace is how long a process may take to end by itself.
const grace = 2 * time.Second

// retire asks the process to end, and ends it when it does not.
func (s *service) retire() {
	s.requests.Close()
	select {
	case <-s.ended:
	case <-time.After(grace):
		s.end()
		<-s.ended
	}
}

// longestAnswer is more than a line of an answer has, in bytes.
const longestAnswer = 64 << 10

// lines divides what a process writes to its standard output. One line at a time
// is kept; a second one before the first was read ends the process.
type lines struct {
	whole  chan []byte // of capacity 1
	excess func()

	mu   sync.Mutex
	part []byte
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
		l.excess()
	}
	l.part = nil
}

func (l *lines) empty() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.part) == 0 && len(l.whole) == 0
}

// mostIdle is how many processes may wait for a fit. A program has at most one for
// each worker; those of several programs add up.
const mostIdle = 16

// A pool keeps services between their fits.
type pool struct {
	ctx  context.Context                  // of all services
	tell func(format string, args ...any) // nil: nobody

	mu   sync.Mutex
	told map[string]bool // the programs that were asked again, by identity
	idle []waiting       // the one that was used last is the last
	live sync.WaitGroup
}

// A waiting service can make a fit for any stanza with the same program.
type waiting struct {
	program string
	service *service
}

type poolKey struct{}

// WithServices returns a context in which fits share the processes of programs
// with the protocol stdio. The function it returns ends these processes, and is
// called when no fit is at work. The first time that another process of a program is asked
// for a fit, tell says so.
func WithServices(ctx context.Context, tell func(format string, args ...any)) (with context.Context, end func()) {
	p := &pool{ctx: ctx, tell: tell, told: map[string]bool{}}
	return context.WithValue(ctx, poolKey{}, p), p.close
}

// identity is the same for two settings that a process can serve, and for no others:
// every text in it is quoted, so that none can look like two.
func (e External) identity() string {
	id := fmt.Sprintf("%q %q %q", e.program.path, e.program.argv, e.Env)
	for _, f := range e.program.files {
		id += fmt.Sprintf(" %q %q", f.path, f.digest)
	}
	return id
}

// take returns a process for a fit. It is started when none is idle.
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

// tellRetry tells, once for each program, that another process is asked for a fit that failed.
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

// pop takes the service that was used last from those of a program, nil without any.
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

// giveBack keeps a service for the next fit. Where too many wait, the one that
// has waited longest is retired.
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

// close retires all services, which are idle, and waits for their end.
func (p *pool) close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, w := range p.idle {
		p.live.Go(w.service.retire)
	}
	p.idle = nil
	p.live.Wait()
}
