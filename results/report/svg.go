package report

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"
)

// figureRules is the style sheet of every figure, light and dark.
//
//go:embed figures.css
var figureRules string

// A drawing collects the elements of one panel. Its origin is at the top left.
type drawing struct {
	b             strings.Builder
	width, height float64
	alone         bool // it has a line of its own
}

// A look is how a series is drawn. Color and dashes are classes of the style sheet.
type look struct {
	color, dashes string
	open          bool   // the mark is an outline
	mark          string // path of the mark from its middle; empty: a disc
}

// The looks of series, which differ by color, dashes and mark.
const (
	Disc = iota
	Square
	Triangle
	OpenDiamond
	Ring
	OpenSquare
	OpenTriangle
	Diamond
	Looks // how many there are
)

const (
	square   = "m-3.2-3.2h6.4v6.4h-6.4z"
	diamond  = "m0-4.4l4.4 4.4l-4.4 4.4l-4.4-4.4z"
	triangle = "m0-4.2l3.9 6.6h-7.8z"
)

var looks = [Looks]look{
	{color: "b"}, {color: "v", dashes: "d", mark: square}, {color: "p", dashes: "o", mark: triangle}, {dashes: "e", open: true, mark: diamond},
	{color: "b", dashes: "d", open: true}, {color: "v", dashes: "o", open: true, mark: square}, {color: "p", open: true, mark: triangle}, {mark: diamond},
}

// classes are those of a line or an area in the color of the look.
func (l look) classes(kind string) string { return strings.TrimSpace(kind + " " + l.color) }

// tenths is a coordinate, with one decimal at most.
func tenths(x float64) string {
	if s := strings.TrimSuffix(strconv.FormatFloat(x, 'f', 1, 64), ".0"); s != "-0" {
		return s
	}
	return "0"
}

// line draws a line through points, x and y in turn.
func (d *drawing) line(classes string, at ...float64) {
	letter := "M"
	fmt.Fprintf(&d.b, `<path class="%s" d="`, strings.TrimSpace(classes))
	for i := 0; i+1 < len(at); i += 2 {
		d.b.WriteString(letter + tenths(at[i]) + " " + tenths(at[i+1]))
		letter = "L"
	}
	d.b.WriteString("\"/>\n")
}

// text writes a text whose left end, middle ("m") or right end ("e") is at x.
func (d *drawing) text(x, y float64, anchor, classes, s string) {
	if anchor != "" {
		classes = strings.TrimSpace("a" + anchor + " " + classes)
	}
	if s = Escape(s); strings.TrimSpace(s) != "" {
		fmt.Fprintf(&d.b, "<text class=\"%s\" x=\"%s\" y=\"%s\">%s</text>\n", classes, tenths(x), tenths(y), s)
	}
}

// heading writes the title of a panel, and returns where what is below it begins.
func (d *drawing) heading(title string) float64 {
	if title == "" {
		return 2
	}
	d.text(0, 13, "", "h", fit(title, d.width/1.1))
	return 19
}

// mark draws the mark of a look.
func (d *drawing) mark(l look, x, y float64) {
	classes := l.classes("")
	if l.open {
		classes = l.classes("s r")
	}
	if l.mark == "" {
		fmt.Fprintf(&d.b, `<circle class="%s" cx="%s" cy="%s" r="3.3"/>`, classes, tenths(x), tenths(y))
	} else {
		fmt.Fprintf(&d.b, `<path class="%s" d="M%s %s%s"/>`, classes, tenths(x), tenths(y), l.mark)
	}
}

// legendOf draws the entries in lines.
func legendOf(all []Series) drawing {
	const sample, height = 30.0, 18.0
	d := drawing{alone: true, width: wide}
	x, y := 0.0, height
	for _, s := range all {
		name := fit(s.Name, wide-sample)
		entry := sample + width(name)
		if x > 0 && x+entry > wide {
			x, y = 0, y+height
		}
		l := looks[s.Look]
		if s.Line {
			d.line(l.classes("s")+" "+l.dashes, x, y-8, x+sample-6, y-8)
		}
		if !s.NoMarks {
			d.mark(l, x+sample/2-3, y-8)
		}
		d.text(x+sample, y-4, "", "", name)
		x += entry + 12
	}
	d.height = y
	return d
}

// width estimates that of a text of 12 pixels in Arial or a font like it, rather too wide.
func width(s string) float64 {
	em := 0.0
	for _, r := range s {
		switch {
		case strings.ContainsRune("ijlI.,:;'|!()[] ft", r):
			em += 0.34
		case strings.ContainsRune("mwMW%@—…", r), r > 0x2e80:
			em++
		case r >= 'A' && r <= 'Z':
			em += 0.71
		default:
			em += 0.57
		}
	}
	return 12 * em
}

// fit cuts a clean name where it would be wider than the room there is. What follows a
// colon stays: columns of several k differ there only.
func fit(name string, room float64) string {
	head, tail := Short(name, 200), ""
	if at := strings.LastIndexByte(head, ':'); at > 0 && len(head)-at <= 6 {
		head, tail = head[:at], head[at:]
	}
	runes, s := []rune(head), head+tail
	for n := len(runes); n > 0 && width(s) > room; n-- {
		s = string(runes[:n-1]) + "…" + tail
	}
	return s
}
