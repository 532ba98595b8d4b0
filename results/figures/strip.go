package figures

import (
	"cmp"
	_ "embed"
	"fmt"
	"html"
	"html/template"
	"slices"
	"strings"

	"r2lmlbench/internal/text"
	"r2lmlbench/results/chart"
	"r2lmlbench/results/published"
	"r2lmlbench/results/verdict"
)

//go:embed strip.css
var stripRules string

// StripStyle is the style sheet of the strip on a page that has [chart.Style].
func StripStyle() string { return stripRules }

// Links are what squares have besides their verdicts; all may be nil.
type Links struct {
	Names  map[string]string            // of data sets by id; others go by it
	Href   func(verdict.Verdict) string // link of a number
	Before func(verdict.Verdict) string // what the verdict was, empty where it is the same
}

// Sizes of the strip, in units of its SVG.
const (
	squareStep = 14.8
	stripLeft  = 62.0 // room for the names of methods
	stripTop   = 66.0 // room for the slanted names of data sets
	outline    = `<rect class="changed" x="-0.9" y="-0.9" width="14.8" height="14.8" rx="2.6"/>`
)

// squareOf is the square of a verdict: "differs" has a cross, so that it is not told by
// color alone, and "cannot tell" is empty.
func squareOf(word string) string {
	s := fmt.Sprintf(`<g class="r%d"><rect width="13" height="13" rx="2"/>`, slices.Index(verdict.Words(), word))
	if word == verdict.Differs {
		s += `<path d="M3.8 3.8l5.4 5.4M9.2 3.8l-5.4 5.4"/>`
	}
	return s + "</g>"
}

// Strip has a square for every printed number, a column for each data set and a row for
// each method, by its verdict: with its legend, elements for a page that has [StripStyle].
// It is empty without printed numbers.
func Strip(v verdict.Verdicts, with Links) template.HTML {
	var squares, legend strings.Builder
	var rows, columns, counts []string
	changed := 0
	for _, one := range v.Verdicts {
		set := setName(one.Letter, cmp.Or(with.Names[one.Dataset], one.Dataset))
		rows, columns = text.AppendNew(rows, one.Method), text.AppendNew(columns, set)
		say := fmt.Sprintf("%s, %s: printed %s", set, published.MethodName(one.Method), one.Published)
		if one.Mean != nil {
			say += fmt.Sprintf(", ours %.2f ± %.2f (%d of %s), %s points", *one.Mean, one.SD, one.Runs, text.Counted(one.Planned, "run"),
				chart.Signed(*one.Difference, 2))
		}
		say += "; " + one.Verdict + ": " + one.Reason
		open, end, around := "<g", "</g>", ""
		if with.Href != nil {
			open, end = fmt.Sprintf(`<a href="%s"`, html.EscapeString(with.Href(one))), "</a>"
		}
		if with.Before != nil && with.Before(one) != "" {
			changed, around = changed+1, outline
			say += "; the verdict was: " + with.Before(one)
		}
		x, y := stripLeft+squareStep*float64(slices.Index(columns, set)), stripTop+squareStep*float64(slices.Index(rows, one.Method))
		fmt.Fprintf(&squares, "\n%s transform=\"translate(%.1f %.1f)\"><title>%s</title>%s%s%s", open, x, y, chart.Escape(say), squareOf(one.Verdict), around, end)
	}
	if len(rows) == 0 {
		return ""
	}
	for j, name := range columns {
		x := stripLeft + squareStep*float64(j) + 6.5
		fmt.Fprintf(&squares, "\n<text x=\"%.1f\" y=\"62\" transform=\"rotate(-55 %.1[1]f 62)\">%[2]s</text>", x, chart.Escape(chart.Short(name, 20)))
	}
	for i, name := range rows {
		fmt.Fprintf(&squares, "\n<text class=\"end\" x=\"58\" y=\"%.1f\">%s</text>", stripTop+squareStep*float64(i)+10,
			chart.Escape(chart.Short(published.MethodName(name), 10)))
	}
	entry := func(square, name string, n int) {
		fmt.Fprintf(&legend, `<li><svg viewBox="-1.5 -1.5 16 16" aria-hidden="true">%s</svg>%s&#160;<b>%d</b></li>`, square, name, n)
	}
	for _, w := range v.Summary.Words {
		if w.Count > 0 {
			entry(squareOf(w.Word), w.Word, w.Count)
			counts = append(counts, fmt.Sprintf("%d %s", w.Count, w.Word))
		}
	}
	if changed > 0 {
		entry(outline, "outlined: another verdict than before", changed)
	}
	return template.HTML(fmt.Sprintf("<div class=\"strip\"><svg viewBox=\"0 0 %.1f %.1f\" role=\"group\" "+
		"aria-label=\"Printed accuracies by method and data set: %s\">%s</svg>\n<ul>%s</ul></div>",
		stripLeft+squareStep*float64(len(columns))+12, stripTop+squareStep*float64(len(rows)), strings.Join(counts, "; "), squares.String(), legend.String()))
}
