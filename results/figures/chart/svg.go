package chart

import (
	"fmt"
	"html"
	"strings"
	"unicode"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A Figure is one picture with its data.
type Figure struct {
	Name  string // stem of its file names, of a-z, 0-9 and "-"
	Title string // one line
	Alt   string // what is seen, in sentences, computed from the data
	See   string // what to look at, in a sentence or two
	SVG   []byte // a file, with Title and Alt as its title and description
	CSV   []byte // the numbers drawn, under a heading

	// Inline has the elements for a page that has [Style] and [Script]: the legend, if there is
	// one, and the picture.
	Inline string
	Height float64 // of Inline, as a multiple of its width
}

// NewFigure makes a figure of what paint draws on a canvas of a height.
func NewFigure(name, title, alt string, csv []byte, height vg.Length, paint func(draw.Canvas)) (Figure, error) {
	f := Figure{Name: name, Title: Clean(title), Alt: Clean(alt), CSV: csv, Height: height.Points() / Width.Points()}
	c := newCanvas(height)
	paint(draw.New(c))
	c.close()
	size := fmt.Sprintf(`viewBox="0 0 %s %s"`, Coordinate(Width.Points()), Coordinate(height.Points()))
	below, rest := vg.Length(0), c.b.String()
	if len(c.key.entries) > 0 {
		below, rest = LegendHeight(c.key.entries), rest[:c.key.from]+rest[c.key.to:]
	}
	f.Inline = c.key.html() + fmt.Sprintf(`<svg class="fig" role="img" tabindex="0" viewBox="0 %s %s %s" aria-label="%s">%s</svg>`,
		Coordinate(below.Points()), Coordinate(Width.Points()), Coordinate((height-below).Points()), html.EscapeString(f.Title+". "+f.Alt), rest)
	f.SVG = fmt.Appendf(nil, `<svg xmlns="http://www.w3.org/2000/svg" class="fig" role="img" width="%s" height="%s" %s>`+"\n"+
		"<title>%s</title>\n<desc>%s</desc>\n<style>%s</style>\n<rect class=\"paper\" width=\"100%%\" height=\"100%%\"/>\n%s</svg>\n",
		Coordinate(Width.Points()), Coordinate(height.Points()), size, html.EscapeString(f.Title), html.EscapeString(f.Alt), FileStyle(figureRules), c.b.String())
	return f, nil
}

// Clean replaces what XML cannot hold, control characters and those that change
// the direction of text by spaces.
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

// Coordinate is a number with at most one decimal.
func Coordinate(x float64) string {
	s := fmt.Sprintf("%.1f", x)
	if s = strings.TrimSuffix(s, ".0"); s == "-0" {
		return "0"
	}
	return s
}
