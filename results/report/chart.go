package report

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"html"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"r2lmlbench/internal/text"
)

// A Chart is what a figure shows.
type Chart struct {
	Name   string // stem of file names, of a-z, 0-9 and "-"
	Title  string // one line
	Panels []Panel
}

// A Panel has points and lines over two axes or, with names, dots and intervals on rows.
type Panel struct {
	Title  string
	X, Y   Axis // Y: only over two axes
	Series []Series
	Wide   bool // for points with names
	Equal  bool // both axes have one scale, as places in a plane have

	Names []string // of the rows, from the top; nil: there are two axes
	Above []Series // over two axes above the rows, with the same X; a specification curve has them
	// Bars join rows from the first to the last of each: groups of methods that do not
	// differ, in a critical-difference diagram.
	Bars [][2]int
	// Lines are numbers on the axis of the rows that points are compared with.
	Lines []Reference
}

// A Reference is an upright line through all rows, with its name above them; with To > X a bar
// of that length above the rows.
type Reference struct {
	X, To float64
	Name  string
}

// A Series is points that belong together. Series of one name and look are one entry of
// the legend; one without a name has none.
type Series struct {
	Name    string
	Look    int  // how it is drawn: Disc, Square and so on
	Line    bool // over two axes: points are joined in their order, with a gap where one is missing
	NoMarks bool // likewise: the line alone
	Points  []Point
}

// A Point has a place; one that is not finite is missing. On rows, Y is the index of one.
type Point struct {
	X, Y      float64
	Low, High float64 // interval of Y, on rows of X; none unless Low < High
	Name      string  // may be empty
	Label     bool    // over two axes: the name stands beside the point
	To        string  // its number on a page, "set/method" escaped for a path, with * for any set, or a part of the page; empty: none
}

func (p Point) missing() bool { return !finite(p.X) || !finite(p.Y) }

func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }

// A Figure is a drawn chart.
type Figure struct {
	Name, Title string // of the chart
	Alt         string // what is seen, in words, made from the data
	SVG         []byte // a file, with Title and Alt as its title and description
	CSV         []byte // the numbers drawn, under a heading
}

// Sizes in units of an SVG, which are pixels.
const (
	narrow    = 250.0 // width of a small panel
	wide      = 336.0 // of a large one
	fileWidth = 830.0 // of a file at most
	gap       = 14.0  // between panels of a file
)

// Figure draws the chart; false if no panel has a number.
func (c Chart) Figure() (Figure, bool) {
	f := Figure{Name: c.Name, Title: Clean(c.Title)}
	var parts []drawing
	var legend []Series
	var said []string
	var records [][]string
	known := false
	for i, p := range c.Panels {
		if i == 0 {
			records = append(records, []string{"panel", "series", "point", "x_axis", "x", "y_axis", "y", "low", "high"})
		}
		records = append(records, p.records()...)
		for _, s := range slices.Concat(p.Above, p.Series) {
			like := func(other Series) bool { return other.Name == s.Name && other.Look == s.Look }
			if s.Name != "" && !slices.ContainsFunc(legend, like) {
				legend = append(legend, s)
			}
			known = known || slices.ContainsFunc(s.Points, func(q Point) bool { return !q.missing() })
		}
		said = append(said, text.Join(": ", Short(p.Title, 60), p.words())+".")
		var d drawing
		if p.Names != nil {
			p.drawRows(&d)
		} else {
			p.drawPlane(&d)
		}
		parts = append(parts, d)
	}
	if len(legend) > 1 {
		parts = slices.Insert(parts, 0, legendOf(legend))
	}
	f.Alt, f.CSV = text.Join(" ", said...), encode(records)
	f.place(parts)
	return f, known
}

// place puts drawings beside and below each other.
func (f *Figure) place(parts []drawing) {
	var body strings.Builder
	x, y, line, width := gap, gap, 0.0, 0.0
	for _, p := range parts {
		size := fmt.Sprintf(`width="%s" height="%s"`, tenths(p.width), tenths(p.height))
		if x > gap && (x+p.width+gap > fileWidth || p.alone) {
			x, y, line = gap, y+line+gap, 0
		}
		fmt.Fprintf(&body, `<svg x="%s" y="%s" %s>%s</svg>`+"\n", tenths(x), tenths(y), size, p.b.String())
		x += p.width + gap
		width, line = max(width, x), max(line, p.height)
		if p.alone {
			x = fileWidth
		}
	}
	height := y + line + gap
	f.SVG = fmt.Appendf(nil, `<svg xmlns="http://www.w3.org/2000/svg" class="fig" role="img" width="%s" height="%s" viewBox="0 0 %[1]s %[2]s">`+"\n"+
		"<title>%s</title>\n<desc>%s</desc>\n<style>%s</style>\n<rect class=\"paper\" width=\"100%%\" height=\"100%%\"/>\n%s</svg>\n",
		tenths(width), tenths(height), Escape(f.Title), Escape(f.Alt), figureRules, body.String())
}

// encode writes CSV in which no field is a formula.
func encode(records [][]string) []byte {
	var b bytes.Buffer
	for _, line := range records {
		for i := range line {
			line[i] = text.CSVText(line[i])
		}
	}
	_ = csv.NewWriter(&b).WriteAll(records) // a buffer takes all that is written
	return b.Bytes()
}

// number has six significant digits; it is empty for what is no number.
func number(x float64) string {
	if !finite(x) {
		return ""
	}
	return strconv.FormatFloat(x, 'g', 6, 64)
}

// short has four significant digits for people, and a true minus: 0.01, −20, 10000, 1e-4.
func short(x float64) string {
	if x = text.Significant(x, 4); x == 0 {
		return "0" // also for −0
	}
	s := strconv.FormatFloat(x, 'f', -1, 64)
	if size := math.Abs(x); size < 0.01 || size >= 1e5 {
		s = strings.NewReplacer("e+0", "e", "e+", "e", "e-0", "e-").Replace(strconv.FormatFloat(x, 'e', -1, 64))
	}
	if rest, negative := strings.CutPrefix(s, "-"); negative {
		return "−" + rest
	}
	return s
}

// Clean replaces what XML cannot hold, control characters and those that change the
// direction of text by spaces.
func Clean(name string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) || r == unicode.ReplacementChar {
			return ' '
		}
		return r
	}, name)
}

// Short is a clean name of at most that many characters.
func Short(name string, most int) string {
	runes := []rune(Clean(name))
	if len(runes) > most {
		return string(runes[:most-1]) + "…"
	}
	return string(runes)
}

// Escape makes a clean text one for elements and attributes.
func Escape(s string) string { return html.EscapeString(Clean(s)) }
