package cli

import (
	"cmp"
	"fmt"
	"log/slog"
	"os"
	"runtime/metrics"
	"slices"
	"strings"
	"sync"
	"time"

	"r2lmlbench/experiments/cost"
	"r2lmlbench/experiments/plan"
	"r2lmlbench/experiments/run"
	"r2lmlbench/internal/text"
)

// progress tells how far a run is: a line per finished cell, and in between a
// bar on a terminal or a line now and then. At the end it sums up.
type progress struct {
	app *app
	bar bool

	mu       sync.Mutex
	points   int            // grid points of all cells
	done     int            // points with an outcome, those of earlier runs included
	fitted   int            // points with an outcome of this run
	work     float64        // estimate of all points, see cost.Work
	doneWork float64        // of those that are done
	fitWork  float64        // of those that this run fitted
	known    map[string]int // points with an outcome of an earlier run, by key of the cell
	failed   map[string]int // points that failed in this run, by key of the cell
	cells    int            // cells of the run
	stored   int            // of these, those that are stored, as result or failure
	finished []finishedCell // computed by this run, in the order of their end

	started, spoken time.Time
	stop            chan struct{} // ends the redrawing of the bar
	redrawn         sync.WaitGroup
}

// A finishedCell is a cell that the run computed.
type finishedCell struct {
	Dataset string  `json:"dataset"`
	Split   string  `json:"split"`
	Method  string  `json:"method"`
	Seed    uint64  `json:"seed"`
	Seconds float64 `json:"seconds"`
	Failure string  `json:"failure,omitempty"`
}

// pause is the time between two lines of progress where there is no terminal,
// redraw that between two states of the bar.
const (
	pause  = 30 * time.Second
	redraw = 500 * time.Millisecond
)

func (a *app) progress(jobs []plan.Job) *progress {
	p := &progress{
		app:   a,
		bar:   terminal(a.stderr) && a.log == "text" && !a.quiet && os.Getenv("TERM") != "dumb",
		cells: len(jobs), known: map[string]int{}, failed: map[string]int{},
		started: time.Now(), spoken: time.Now(), stop: make(chan struct{}),
	}
	for _, j := range jobs {
		p.points += j.Fits()
		p.work += p.pointWork(j) * float64(j.Fits())
	}
	if p.bar && len(jobs) > 0 {
		p.redrawn.Go(p.redraw)
	}
	return p
}

// redraw keeps the bar true while nothing happens.
func (p *progress) redraw() {
	ticker := time.NewTicker(redraw)
	defer ticker.Stop()
	for {
		p.mu.Lock()
		p.draw()
		p.mu.Unlock()
		select {
		case <-p.stop:
			return
		case <-ticker.C:
		}
	}
}

// pointWork estimates a point of a job; those of one job count alike.
func (p *progress) pointWork(j plan.Job) float64 {
	return cost.Work(j, p.app.source()) / float64(max(j.Fits(), 1))
}

// observe is the Observe function of a runner.
func (p *progress) observe(e run.Event) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch fits := e.Job.Fits(); e.Kind {
	case run.PointKnown:
		p.count(e.Job, 1)
		p.known[e.Job.Inputs.Key()]++
	case run.PointDone:
		p.fit(e)
		if e.Failure != "" {
			p.failed[e.Job.Inputs.Key()]++
		}
		p.now()
	case run.CellKnown:
		p.stored++
		p.count(e.Job, fits)
	case run.CellDone:
		p.stored++
		if fits == 1 { // no grid, so no point was counted
			p.fit(e)
		}
		p.cell(e)
	}
}

// count takes note of points that have an outcome.
func (p *progress) count(j plan.Job, points int) {
	p.done += points
	p.doneWork += p.pointWork(j) * float64(points)
}

// fit counts the point that an event tells of as one of this run.
func (p *progress) fit(e run.Event) {
	p.count(e.Job, 1)
	p.fitted += fitsOf(e)
	p.fitWork += p.pointWork(e.Job)
}

// fitsOf is the number of fits that an event tells of.
func fitsOf(e run.Event) int {
	if e.Shared {
		return 0
	}
	return 1
}

// cell tells that a cell is finished.
func (p *progress) cell(e run.Event) {
	in := e.Job.Inputs
	c := finishedCell{in.Dataset, in.Split, e.Job.Column.ID, in.Seed, e.Duration.Seconds(), e.Failure}
	p.finished = append(p.finished, c)
	what := "done"
	if e.Failure != "" {
		what = red(p.app.stderr, "FAILED") + ": " + text.OneLine(e.Failure)
	} else if failed := p.failed[in.Key()]; failed > 0 {
		what = fmt.Sprintf("done, but %d of %s failed", failed, text.Counted(len(in.Points), "grid point"))
	}
	known := p.known[in.Key()]
	if known > 0 {
		what = fmt.Sprintf("%d of %s from before, %s", known, text.Counted(len(in.Points), "grid point"), what)
	}
	p.app.tell(fmt.Sprintf("%s (%s) in %s: %s  [cell %d of %d]", text.OneLine(c.name()), c.Split, seconds(c.Seconds), what, p.stored, p.cells),
		slog.String("event", "cell"), slog.String("dataset", c.Dataset), slog.String("split", c.Split), slog.String("method", c.Method),
		slog.Uint64("seed", c.Seed), slog.Float64("seconds", c.Seconds), slog.String("failure", c.Failure),
		slog.Int("points", len(in.Points)), slog.Int("resumed", known), slog.Int("cell", p.stored), slog.Int("cells", p.cells))
}

func (c finishedCell) name() string { return fmt.Sprintf("%s %s seed %d", c.Dataset, c.Method, c.Seed) }

// seconds prints a duration to the millisecond.
func seconds(s float64) string {
	return time.Duration(s * float64(time.Second)).Round(time.Millisecond).String()
}

// now shows the state: at once on a terminal, otherwise when it is time.
func (p *progress) now() {
	if p.bar {
		p.draw()
		return
	}
	if time.Since(p.spoken) < pause {
		return
	}
	p.spoken = time.Now()
	p.app.tell(p.state(),
		slog.String("event", "progress"), slog.Int("points_done", p.done), slog.Int("points", p.points),
		slog.Int("cells_done", p.stored), slog.Int("cells", p.cells), slog.Float64("points_per_second", p.rate()),
		slog.Float64("seconds_left", p.left().Seconds()), slog.Uint64("memory_bytes", memory()))
}

// barWidth is the number of columns of the bar itself.
const barWidth = 20

// draw writes the bar, in one line of the terminal.
func (p *progress) draw() {
	full := 0
	if p.points > 0 {
		full = barWidth * min(p.done, p.points) / p.points
	}
	bar := "[" + strings.Repeat("#", full) + strings.Repeat("-", barWidth-full) + "] " + p.state()
	p.app.live.set(p.app.stderr, shortened(bar, columns(p.app.stderr)-1))
}

// state says what is done, how fast, the time left and the memory in use.
func (p *progress) state() string {
	speed := "no rate yet"
	switch r := p.rate(); {
	case r >= 1:
		speed = fmt.Sprintf("%.1f/s, about %s left", r, p.left())
	case r > 0:
		speed = fmt.Sprintf("%.1f/min, about %s left", 60*r, p.left())
	}
	return fmt.Sprintf("%d of %s, %d of %s, %s, %d MiB",
		p.done, text.Counted(p.points, "grid point"), p.stored, text.Counted(p.cells, "cell"), speed, memory()>>20)
}

// rate is the number of grid points fitted per second.
func (p *progress) rate() float64 {
	return float64(p.fitted) / max(time.Since(p.started).Seconds(), 1e-3)
}

// left estimates the time left: what this run has fitted so far took as long as it did,
// and the points that are left are as much work as estimated. Where nothing is known of
// that, all points count alike. It is 0 as long as nothing is fitted.
func (p *progress) left() time.Duration {
	rest, fitted := p.work-p.doneWork, p.fitWork
	if fitted <= 0 {
		rest, fitted = float64(p.points-p.done), float64(p.fitted)
	}
	if fitted <= 0 {
		return 0
	}
	s := max(rest, 0) / fitted * time.Since(p.started).Seconds()
	return time.Duration(min(s, mostLeft) * float64(time.Second)).Round(time.Second)
}

// mostLeft is the longest time that is told as left, in seconds: ten years.
const mostLeft = 10 * 365 * 24 * 3600

// memory is what the Go runtime holds of the machine's memory, in bytes.
func memory() uint64 {
	samples := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(samples)
	return samples[0].Value.Uint64() - samples[1].Value.Uint64()
}

// slowest is how many cells a summary names.
const slowest = 5

// end removes the bar and sums the run up.
func (p *progress) end() {
	close(p.stop)
	p.redrawn.Wait()
	p.app.live.set(p.app.stderr, "")
	if len(p.finished) == 0 {
		return
	}
	failed, known := 0, 0
	for _, c := range p.finished {
		if c.Failure != "" {
			failed++
		}
	}
	for _, n := range p.known {
		known += n
	}
	slow := slices.Clone(p.finished)
	slices.SortStableFunc(slow, func(a, b finishedCell) int { return cmp.Compare(b.Seconds, a.Seconds) })
	slow = slow[:min(len(slow), slowest)]
	var names []string
	for _, c := range slow {
		names = append(names, text.OneLine(c.name())+" "+seconds(c.Seconds))
	}
	took := time.Since(p.started).Seconds()
	p.app.tell(fmt.Sprintf("computed %s in %s, %d failed; %s fitted, %d known from before; slowest: %s",
		text.Counted(len(p.finished), "cell"), seconds(took), failed, text.Counted(p.fitted, "grid point"), known, strings.Join(names, ", ")),
		slog.String("event", "summary"), slog.Int("cells", len(p.finished)), slog.Int("failed", failed), slog.Float64("seconds", took),
		slog.Int("points_fitted", p.fitted), slog.Int("points_resumed", known), slog.Any("slowest", slow))
}
