package figures

import (
	"fmt"
	"html"
	"strings"
	"unicode"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// newFigure makes a figure of what paint draws on a canvas of a height.
func newFigure(name, title, alt string, csv []byte, height vg.Length, paint func(draw.Canvas)) (Figure, error) {
	f := Figure{Name: name, Title: clean(title), Alt: clean(alt), CSV: csv, Height: height.Points() / width.Points()}
	c := newCanvas(height)
	paint(draw.New(c))
	c.close()
	size := fmt.Sprintf(`viewBox="0 0 %s %s"`, coordinate(width.Points()), coordinate(height.Points()))
	f.Inline = fmt.Sprintf(`<svg class="fig" role="img" tabindex="0" %s aria-label="%s">%s</svg>`, size, html.EscapeString(f.Title+". "+f.Alt), c.b.String())
	f.SVG = fmt.Appendf(nil, `<svg xmlns="http://www.w3.org/2000/svg" class="fig" role="img" width="%s" height="%s" %s>`+"\n"+
		"<title>%s</title>\n<desc>%s</desc>\n<style>%s</style>\n<rect class=\"paper\" width=\"100%%\" height=\"100%%\"/>\n%s</svg>\n",
		coordinate(width.Points()), coordinate(height.Points()), size, html.EscapeString(f.Title), html.EscapeString(f.Alt), fileStyle(figureRules), c.b.String())
	return f, nil
}

// clean replaces what XML cannot hold, control characters and those that change
// the direction of text by spaces.
func clean(name string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) || r == unicode.ReplacementChar {
			return ' '
		}
		return r
	}, name)
}

// short is a clean name of at most that many characters.
func short(name string, most int) string {
	runes := []rune(clean(name))
	if len(runes) > most {
		return string(runes[:most-1]) + "…"
	}
	return string(runes)
}
