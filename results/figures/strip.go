package figures

import (
	"cmp"
	_ "embed"
	"fmt"
	"html"
	"strings"

	words "r2lmlbench/internal/text"
	"r2lmlbench/results/figures/chart"
	"r2lmlbench/results/published"
	"r2lmlbench/results/verdict"
)

//go:embed strip.css
var stripRules string

// StripStyle is the style sheet of the strip on a page that has [chart.Style].
func StripStyle() string { return stripRules }

// A StripPicture has a square for every printed number, a column for each data set
// and a row for each method, by its verdict.
type StripPicture struct {
	rows, columns []string // methods, and data sets by letter and name
	squares       []stripSquare
	summary       verdict.Summary
}

type stripSquare struct {
	row, column, word int  // word is an index of verdict.Words
	changed           bool // the verdict was another
	href, title       string
}

// Links are what squares have besides their verdicts; all may be nil.
type Links struct {
	Names  map[string]string            // of data sets by id; others go by it
	Href   func(verdict.Verdict) string // link of a number
	Before func(verdict.Verdict) string // what the verdict was, empty where it is the same
}

// setTitle names the data set of a number.
func setTitle(v verdict.Verdict, names map[string]string) string {
	return strings.TrimSpace(v.Letter + " " + cmp.Or(names[v.Dataset], v.Dataset))
}

// NewStrip makes the strip of verdicts. There are no squares without printed numbers.
func NewStrip(v verdict.Verdicts, with Links) StripPicture {
	p := StripPicture{summary: v.Summary}
	order := map[string]int{}
	for i, w := range verdict.Words() {
		order[w] = i
	}
	for _, one := range v.Verdicts {
		set := setTitle(one, with.Names)
		s := stripSquare{row: place(&p.rows, one.Method), column: place(&p.columns, set), word: order[one.Verdict], title: squareTitle(set, one)}
		if with.Href != nil {
			s.href = with.Href(one)
		}
		if with.Before != nil {
			if was := with.Before(one); was != "" {
				s.changed = true
				s.title += "; the verdict was: " + was
			}
		}
		p.squares = append(p.squares, s)
	}
	return p
}

// Empty tells whether there is nothing to show.
func (p StripPicture) Empty() bool { return len(p.squares) == 0 }

// squareTitle says what is known of a number: "A Robot, ITML: printed 74.10, ours 73.20 ±
// 0.51 (10 of 10 runs), −0.90 points; agrees".
func squareTitle(set string, v verdict.Verdict) string {
	s := fmt.Sprintf("%s, %s: printed %s", set, published.MethodName(v.Method), v.Published)
	if v.Mean != nil {
		s += fmt.Sprintf(", ours %.2f ± %.2f (%d of %s), %s points", *v.Mean, v.SD, v.Runs, words.Counted(v.Planned, "run"),
			strings.ReplaceAll(words.Signed(*v.Difference), "-", "−"))
	}
	return s + "; " + v.Verdict + ": " + v.Reason
}

// Sizes of the strip, in units of its SVG.
const (
	squareSide = 13.0
	squareStep = 14.8
	stripLeft  = 62.0 // room for the names of methods
	stripTop   = 66.0 // room for the names of data sets
	stripRight = 12.0 // room for the end of the last name
	nameSlant  = 55   // degrees of these names
	nameLength = 20   // their characters at most
)

func (p StripPicture) size() (wide, high float64) {
	return stripLeft + squareStep*float64(len(p.columns)) + stripRight, stripTop + squareStep*float64(len(p.rows))
}

// HTML is the strip with its legend as elements for a page that has [Style]. Its
// root is a div of class strip.
func (p StripPicture) HTML() string {
	if p.Empty() {
		return ""
	}
	var b strings.Builder
	wide, high := p.size()
	fmt.Fprintf(&b, `<div class="strip"><svg viewBox="0 0 %s %s" role="group" aria-label="%s">`,
		chart.Coordinate(wide), chart.Coordinate(high), html.EscapeString(p.label()))
	p.draw(&b)
	b.WriteString("</svg>\n<ul>")
	for _, w := range p.legend() {
		fmt.Fprintf(&b, `<li><svg viewBox="0 0 13 13" aria-hidden="true"><g class="r%d">%s</g></svg>%s&#160;<b>%d</b></li>`,
			w.index, squareOf(w.index), html.EscapeString(w.Word), w.Count)
	}
	if n := p.changes(); n > 0 {
		fmt.Fprintf(&b, `<li><svg viewBox="-1.5 -1.5 16 16" aria-hidden="true">%s</svg>outlined: another verdict than before&#160;<b>%d</b></li>`, changedOutline, n)
	}
	b.WriteString("</ul></div>")
	return b.String()
}

// changedOutline is around the squares of verdicts that were others.
const changedOutline = `<rect class="changed" x="-0.9" y="-0.9" width="14.8" height="14.8" rx="2.6"/>`

// changes counts them.
func (p StripPicture) changes() int {
	n := 0
	for _, s := range p.squares {
		if s.changed {
			n++
		}
	}
	return n
}

// SVG is the strip with its legend as a file, which has its own style.
func (p StripPicture) SVG() []byte {
	var b strings.Builder
	wide, high := p.size()
	const line, pad, scale = 19, 12, 1.8
	legend := p.legend()
	lines := (len(legend) + 1) / 2
	full, tall := max(scale*wide, 560)+2*pad, scale*high+float64(lines*line)+3*pad
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" class="strip" role="img" width="%s" height="%s" viewBox="0 0 %[1]s %[2]s">`+"\n",
		chart.Coordinate(full), chart.Coordinate(tall))
	fmt.Fprintf(&b, "<title>%s</title>\n<desc>%s</desc>\n<style>%s.strip g text { font-size: 7px; } .strip .legend text { font-size: 13px; }</style>\n",
		"Which printed accuracies agree with ours", html.EscapeString(p.label()), chart.FileStyle(stripRules))
	fmt.Fprintf(&b, `<rect width="%s" height="%s" rx="6" class="paper"/>`+"\n", chart.Coordinate(full), chart.Coordinate(tall))
	fmt.Fprintf(&b, `<g transform="translate(%d %[1]d)scale(%g)">`, pad, scale)
	p.draw(&b)
	b.WriteString("</g>\n<g class=\"legend\">")
	for i, w := range legend {
		x, y := float64(pad), scale*high+2*pad+float64(i%lines*line)
		if i >= lines {
			x = full * 0.46
		}
		fmt.Fprintf(&b, `<g class="r%d" transform="translate(%s %s)">%s</g><text x="%s" y="%s">%s %d</text>`+"\n",
			w.index, chart.Coordinate(x), chart.Coordinate(y), squareOf(w.index), chart.Coordinate(x+19), chart.Coordinate(y+11), html.EscapeString(w.Word), w.Count)
	}
	b.WriteString("</g>\n</svg>\n")
	return []byte(b.String())
}

// draw writes names and squares.
func (p StripPicture) draw(b *strings.Builder) {
	for j, name := range p.columns {
		x, y := chart.Coordinate(stripLeft+squareStep*float64(j)+squareSide/2), chart.Coordinate(stripTop-4)
		fmt.Fprintf(b, `<text x="%s" y="%s" transform="rotate(-%d %[1]s %[2]s)">%[4]s</text>`, x, y, nameSlant, html.EscapeString(chart.Short(name, nameLength)))
	}
	for i, name := range p.rows {
		fmt.Fprintf(b, `<text class="end" x="%s" y="%s">%s</text>`, chart.Coordinate(stripLeft-4), chart.Coordinate(stripTop+squareStep*float64(i)+10),
			html.EscapeString(chart.Short(published.MethodName(name), 10)))
	}
	for _, s := range p.squares {
		at := fmt.Sprintf(` class="r%d" transform="translate(%s %s)"`, s.word,
			chart.Coordinate(stripLeft+squareStep*float64(s.column)), chart.Coordinate(stripTop+squareStep*float64(s.row)))
		open, end := "<g", "</g>"
		if s.href != "" {
			open, end = fmt.Sprintf(`<a href="%s"`, html.EscapeString(s.href)), "</a>"
		}
		outline := ""
		if s.changed {
			outline = changedOutline
		}
		fmt.Fprintf(b, "\n%s%s><title>%s</title>%s%s%s", open, at, html.EscapeString(chart.Clean(s.title)), squareOf(s.word), outline, end)
	}
}

// squareOf is the square of a word, an index of verdict.Words: "differs" has a cross, so
// that it is not told by color alone, and "cannot tell" is empty.
func squareOf(word int) string {
	const square = `<rect width="13" height="13" rx="2"/>`
	if verdict.Words()[word] != verdict.Differs {
		return square
	}
	return square + `<path d="M3.8 3.8l5.4 5.4M9.2 3.8l-5.4 5.4"/>`
}

type stripEntry struct {
	verdict.WordCount
	index int
}

// legend lists the words that some number has.
func (p StripPicture) legend() []stripEntry {
	var all []stripEntry
	for i, w := range p.summary.Words {
		if w.Count > 0 {
			all = append(all, stripEntry{w, i})
		}
	}
	return all
}

// label says in words what is seen.
func (p StripPicture) label() string {
	var counts []string
	for _, w := range p.legend() {
		counts = append(counts, fmt.Sprintf("%d %s", w.Count, w.Word))
	}
	return fmt.Sprintf("%s, %s by %s, one for each printed accuracy: %s.",
		words.Counted(len(p.squares), "square"), words.Counted(len(p.rows), "method"), words.Counted(len(p.columns), "data set"), strings.Join(counts, "; "))
}
