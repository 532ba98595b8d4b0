package cli

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"
	"text/tabwriter"
	"time"
	"unicode"

	"r2lmlbench/experiments"
)

// remark writes a line to standard error, unless --quiet is set.
func (a *app) remark(format string, args ...any) {
	if a.quiet {
		return
	}
	text := fmt.Sprintf(format, args...)
	if a.log == "json" {
		slog.New(slog.NewJSONHandler(a.stderr, nil)).Info(text)
		return
	}
	fmt.Fprintln(a.stderr, text)
}

// progress tells how far a run is: a line per finished cell, and in between a
// bar on a terminal or a line now and then.
type progress struct {
	app    *app
	bar    bool
	points int // grid points of all cells
	done   int // points with an outcome, those of earlier runs included
	fitted int // points with an outcome of this run
	cells  int // cells of the run
	stored int

	started, spoken time.Time
}

// pause is the time between two lines of progress where there is no terminal.
const pause = 30 * time.Second

func (a *app) progress(jobs []experiments.Job) *progress {
	p := &progress{app: a, bar: terminal(a.stderr) && a.log == "text" && !a.quiet, cells: len(jobs), started: time.Now(), spoken: time.Now()}
	for _, j := range jobs {
		p.points += len(j.Inputs.Points)
	}
	return p
}

// observe is the Observe function of a runner.
func (p *progress) observe(e experiments.Event) {
	switch e.Kind {
	case experiments.PointKnown:
		p.done++
		return
	case experiments.PointDone:
		p.done++
		p.fitted++
		p.now()
		return
	}
	p.stored++
	if len(e.Job.Inputs.Points) == 1 { // no grid, so no point was counted
		p.done++
		p.fitted++
	}
	what := "done"
	if e.Failure != "" {
		what = "FAILED: " + e.Failure
	}
	p.clear()
	p.app.remark("%s %s seed %d (%s) in %s: %s  [cell %d of %d]", e.Job.Entry.ID, e.Job.Column.ID, e.Job.Inputs.Seed,
		e.Job.Inputs.Split, e.Duration.Round(time.Millisecond), what, p.stored, p.cells)
}

// now shows the state: at once on a terminal, otherwise when it is time.
func (p *progress) now() {
	state := fmt.Sprintf("%d of %d grid points, %d of %d cells, %s left", p.done, p.points, p.stored, p.cells, p.left())
	switch {
	case p.bar:
		fmt.Fprintf(p.app.stderr, "\r\x1b[K%s", state)
	case time.Since(p.spoken) > pause:
		p.spoken = time.Now()
		p.app.remark("%s", state)
	}
}

// left estimates the time left from the grid points fitted so far.
func (p *progress) left() string {
	if p.fitted == 0 {
		return "unknown time"
	}
	perPoint := time.Since(p.started) / time.Duration(p.fitted)
	return "about " + (perPoint * time.Duration(max(p.points-p.done, 0))).Round(time.Second).String()
}

func (p *progress) clear() {
	if p.bar {
		fmt.Fprint(p.app.stderr, "\r\x1b[K")
	}
}

// listing writes rows under headers as text, Markdown or CSV, or value as JSON.
func (a *app) listing(headers []string, rows [][]string, value any) error {
	switch a.format {
	case "json":
		return writeJSON(a.stdout, value)
	case "csv":
		w := csv.NewWriter(a.stdout)
		return w.WriteAll(append([][]string{headers}, rows...))
	case "markdown":
		return a.markdown(headers, rows)
	case "text":
		return a.columns(headers, rows)
	default:
		return fmt.Errorf("--format %s is for tables of accuracy; want text, markdown, csv or json here", a.format)
	}
}

// report is listing with notes below it, where the format has a place for them.
func (a *app) report(headers []string, rows [][]string, notes []string, value any) error {
	if err := a.listing(headers, rows, value); err != nil {
		return err
	}
	bullet, ok := map[string]string{"text": "", "markdown": "- "}[a.format]
	if !ok || len(notes) == 0 {
		return nil
	}
	text := "\n"
	for _, note := range notes {
		text += bullet + strings.Map(visible, note) + "\n"
	}
	_, err := io.WriteString(a.stdout, text)
	return err
}

func (a *app) columns(headers []string, rows [][]string) error {
	w := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, strings.Join(headers, "\t"))
	for _, row := range rows {
		clean := make([]string, len(row))
		for i, cell := range row {
			clean[i] = strings.Map(visible, cell)
		}
		fmt.Fprintln(w, strings.Join(clean, "\t"))
	}
	return w.Flush()
}

// visible keeps control characters, which names may hold, from the terminal.
func visible(r rune) rune {
	if unicode.IsControl(r) {
		return ' '
	}
	return r
}

func (a *app) markdown(headers []string, rows [][]string) error {
	escape := strings.NewReplacer("|", "\\|", "\n", " ")
	line := func(cells []string) string { return "| " + strings.Join(cells, " | ") + " |\n" }
	var b strings.Builder
	b.WriteString(line(headers))
	b.WriteString(line(slices.Repeat([]string{"---"}, len(headers))))
	for _, row := range rows {
		escaped := make([]string, len(row))
		for i, cell := range row {
			escaped[i] = escape.Replace(cell)
		}
		b.WriteString(line(escaped))
	}
	_, err := io.WriteString(a.stdout, b.String())
	return err
}

func writeJSON(w io.Writer, value any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(value)
}
