package console

import (
	"fmt"
	"log/slog"
	"os"
	"runtime/metrics"
	"strings"
	"sync"
	"time"

	"r2lmlbench/internal/text"
)

// Progress shows the progress of a run: a bar on a terminal, otherwise a line every 30 s; and a
// line for every failed cell or, with cells, for every cell. End prints a summary.
type Progress struct {
	console *Console
	bar     bool
	cells   bool // a line for every cell

	mu       sync.Mutex
	all      share              // settings of all cells
	done     share              // settings with a result or failure, including earlier runs
	fitted   share              // settings fitted by this run
	known    map[Key]int        // settings with a result or failure of an earlier run
	failed   map[Key]int        // settings that failed in this run
	whys     map[[3]string]bool // data set, column and reason of the failures printed so far
	jobs     int                // cells of the run
	stored   int                // cells stored before, as result or failure
	computed int                // cells computed by this run
	broken   int                // computed cells that failed

	ranking         func(columns int) []string // lines above the bar; nil: none
	started, spoken time.Time
	stop            chan struct{} // ends redraw
	redrawn         sync.WaitGroup
}

// A Key is the key of a cell within a run.
type Key struct {
	Dataset, Split, Method string
	Seed                   uint64
}

// A Job is a cell of a run.
type Job struct {
	Key
	Settings int     // of its grid
	Fits     int     // settings that this run fits
	Work     float64 // estimate for one setting, in any unit
}

// A share counts settings of a run and sums their estimated work.
type share struct {
	points int
	work   float64
}

func (s *share) add(points int, work float64) {
	s.points += points
	s.work += work * float64(points)
}

// pause is the time between two lines of progress if there is no terminal, redraw the time between
// two updates of the bar.
const (
	pause  = 30 * time.Second
	redraw = 500 * time.Millisecond
)

// Progress begins to show the progress of a run; cells asks for a line for every cell.
func (c *Console) Progress(jobs []Job, cells bool) *Progress {
	now := time.Now()
	p := &Progress{
		console: c, cells: cells || c.Log == "json",
		bar:  isTerminal(c.Err) && c.Log != "json" && !c.Quiet && os.Getenv("TERM") != "dumb",
		jobs: len(jobs), known: map[Key]int{}, failed: map[Key]int{}, whys: map[[3]string]bool{}, started: now, spoken: now, stop: make(chan struct{}),
	}
	for _, j := range jobs {
		p.all.add(j.Fits, j.Work)
	}
	if p.bar && len(jobs) > 0 {
		p.redrawn.Go(p.redraw)
	}
	return p
}

// Rank shows a table above the bar; lines formats it for a terminal of this width. Without a bar
// Rank does nothing.
func (p *Progress) Rank(lines func(columns int) []string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.ranking = lines
}

// Live reports whether there is a bar.
func (p *Progress) Live() bool { return p.bar }

// redraw updates the bar at intervals until stop is closed.
func (p *Progress) redraw() {
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

// SettingKnown counts a setting that an earlier run fitted.
func (p *Progress) SettingKnown(j Job) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done.add(1, j.Work)
	p.known[j.Key]++
}

// SettingDone counts a setting that this run fitted or, with a failure, that failed. shared means
// that the fit was made for another setting.
func (p *Progress) SettingDone(j Job, failure string, shared bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.fit(j, shared)
	if failure != "" {
		p.failed[j.Key]++
	}
	p.now()
}

// fit counts a fit.
func (p *Progress) fit(j Job, shared bool) {
	p.done.add(1, j.Work)
	p.fitted.work += j.Work
	if !shared {
		p.fitted.points++
	}
}

// CellKnown counts a cell that was stored already.
func (p *Progress) CellKnown(j Job) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.stored++
	p.done.add(j.Fits, j.Work)
}

// PartDone counts a cell whose other settings other processes fit.
func (p *Progress) PartDone() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.stored++
}

// CellDone counts a cell that was stored, as result or, with a failure, as failed, and prints its
// line.
func (p *Progress) CellDone(j Job, failure string, shared bool, took time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if j.Fits == 1 { // SettingDone did not count its only setting
		p.fit(j, shared)
	}
	p.stored++
	p.computed++
	if failure != "" {
		p.broken++
	}
	why := [3]string{j.Dataset, j.Method, failure}
	if !p.cells && (failure == "" || p.whys[why]) { // one line per reason; -v prints all
		return
	}
	p.whys[why] = true
	what := "done"
	if failure != "" {
		what = "FAILED"
		if colored(p.console.Err) {
			what = "\x1b[31mFAILED\x1b[0m"
		}
		what += ": " + text.OneLine(failure)
	} else if failed := p.failed[j.Key]; failed > 0 {
		what = fmt.Sprintf("done, but %d of %s failed", failed, text.Counted(j.Settings, "setting"))
	}
	known := p.known[j.Key]
	if known > 0 {
		what = fmt.Sprintf("%d of %s from before, %s", known, text.Counted(j.Settings, "setting"), what)
	}
	p.console.tell(fmt.Sprintf("%s %s seed %d (%s) in %s: %s  [%d of %d]",
		text.OneLine(j.Dataset), text.OneLine(j.Method), j.Seed, text.OneLine(j.Split), seconds(took.Seconds()), what, p.stored, p.jobs),
		slog.String("event", "cell"), slog.String("dataset", j.Dataset), slog.String("split", j.Split), slog.String("method", j.Method),
		slog.Uint64("seed", j.Seed), slog.Float64("seconds", took.Seconds()), slog.String("failure", failure),
		slog.Int("points", j.Settings), slog.Int("resumed", known), slog.Int("cell", p.stored), slog.Int("cells", p.jobs))
}

// seconds prints a duration to the millisecond.
func seconds(s float64) string {
	return time.Duration(s * float64(time.Second)).Round(time.Millisecond).String()
}

// now updates the progress: at once on a terminal, otherwise after pause.
func (p *Progress) now() {
	if p.bar {
		p.draw()
		return
	}
	if time.Since(p.spoken) < pause {
		return
	}
	p.spoken = time.Now()
	p.console.tell(p.state(),
		slog.String("event", "progress"), slog.Int("points_done", p.done.points), slog.Int("points", p.all.points),
		slog.Int("cells_done", p.stored), slog.Int("cells", p.jobs), slog.Float64("points_per_second", p.rate()),
		slog.Float64("seconds_left", p.left().Seconds()), slog.Uint64("memory_bytes", memory()))
}

// barWidth is the number of columns of the bar itself.
const barWidth = 20

// draw writes the bar, and above it as many lines of the ranking as fit.
func (p *Progress) draw() {
	full := 0
	if p.all.points > 0 {
		full = barWidth * min(p.done.points, p.all.points) / p.all.points
	}
	bar := "[" + strings.Repeat("#", full) + strings.Repeat("-", barWidth-full) + "] " + p.state()
	width, height := size(p.console.Err)
	var lines []string
	if p.ranking != nil {
		lines = p.ranking(width - 1)
	}
	lines = append(lines[:min(len(lines), max(height-2, 0))], bar)
	for i, line := range lines {
		lines[i] = shortened(line, width-1)
	}
	p.console.live.set(p.console.Err, strings.Join(lines, "\n"))
}

// state formats time left, work done, rate and memory in use. A narrow terminal cuts the end off.
func (p *Progress) state() string {
	left, speed := "", "no rate yet"
	if r := p.rate(); r > 0 {
		left, speed = fmt.Sprintf("about %s left, ", p.left()), fmt.Sprintf("%.1f/s", r)
		if r < 1 {
			speed = fmt.Sprintf("%.1f/min", 60*r)
		}
	}
	return fmt.Sprintf("%s%d of %s, %d of %s, %s, %d MiB",
		left, p.done.points, text.Counted(p.all.points, "setting"), p.stored, text.Counted(p.jobs, "result"), speed, memory()>>20)
}

// rate returns the number of settings fitted per second.
func (p *Progress) rate() float64 {
	return float64(p.fitted.points) / max(time.Since(p.started).Seconds(), 1e-3)
}

// mostLeft is the longest time left that is printed, in seconds: ten years.
const mostLeft = 10 * 365 * 24 * 3600

// left estimates the time left, from the estimated work of the remaining settings and the speed of
// this run. Without estimates all settings count alike. It returns 0 until a setting is fitted.
func (p *Progress) left() time.Duration {
	rest, fitted := p.all.work-p.done.work, p.fitted.work
	if fitted <= 0 {
		rest, fitted = float64(p.all.points-p.done.points), float64(p.fitted.points)
	}
	if fitted <= 0 {
		return 0
	}
	s := max(rest, 0) / fitted * time.Since(p.started).Seconds()
	return time.Duration(min(s, mostLeft) * float64(time.Second)).Round(time.Second)
}

// memory returns the bytes of memory that the Go runtime holds.
func memory() uint64 {
	samples := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(samples)
	return samples[0].Value.Uint64() - samples[1].Value.Uint64()
}

// End removes the bar and prints a summary of the run.
func (p *Progress) End() {
	close(p.stop)
	p.redrawn.Wait()
	p.console.live.set(p.console.Err, "")
	if p.computed == 0 {
		return
	}
	known := 0
	for _, n := range p.known {
		known += n
	}
	took := time.Since(p.started).Seconds()
	p.console.tell(fmt.Sprintf("computed %s in %s, %d failed; %s fitted, %d known from before",
		text.Counted(p.computed, "result"), seconds(took), p.broken, text.Counted(p.fitted.points, "setting"), known),
		slog.String("event", "summary"), slog.Int("cells", p.computed), slog.Int("failed", p.broken), slog.Float64("seconds", took),
		slog.Int("points_fitted", p.fitted.points), slog.Int("points_resumed", known))
}
