package figures

import (
	"image/color"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Sizes, in units that are pixels where a figure has its full size.
const (
	width      vg.Length = 520 // of every figure
	textSize   vg.Length = 12
	lineWidth  vg.Length = 1.6
	thinWidth  vg.Length = 0.8
	markRadius vg.Length = 3.4
)

// Series colors, in order of luminance so that they differ in grey, each with a
// contrast of 3:1 or more to white and to near-black.
var (
	blue       = color.NRGBA{R: 0, G: 114, B: 178, A: 255}
	vermillion = color.NRGBA{R: 213, G: 94, B: 0, A: 255}
	purple     = color.NRGBA{R: 204, G: 121, B: 167, A: 255}
)

// What is not a series is black, of which the SVG makes currentColor.
var (
	ink   = color.NRGBA{A: 255}
	faint = color.NRGBA{A: 50}
)

var (
	dashed = []vg.Length{5, 3}
	dotted = []vg.Length{1.5, 2.5}
)

// A look is how a series is drawn: several ways to tell it from another.
type look struct {
	color  color.Color
	mark   draw.GlyphDrawer // nil: none
	dashes []vg.Length      // nil: a solid line
	bare   bool             // marks without a line
}

// line is the style of the look's line.
func (l look) line() draw.LineStyle {
	return draw.LineStyle{Color: l.color, Width: lineWidth, Dashes: l.dashes}
}

// put draws the look's mark at a point.
func (l look) put(c draw.Canvas, at vg.Point) {
	if l.mark != nil {
		c.DrawGlyphNoClip(draw.GlyphStyle{Color: l.color, Radius: markRadius, Shape: l.mark}, at)
	}
}

// thin is the style of axes and other lines that are no series.
func thin(c color.Color, dashes ...vg.Length) draw.LineStyle {
	return draw.LineStyle{Color: c, Width: thinWidth, Dashes: dashes}
}

// writing is the style of all text of a size.
func writing(size vg.Length, x text.XAlignment, y text.YAlignment) text.Style {
	return text.Style{
		Color: ink, Font: font.Font{Typeface: "Liberation", Variant: "Sans", Size: size},
		XAlign: x, YAlign: y, Handler: plot.DefaultTextHandler,
	}
}

// boldWeight is WeightBold of golang.org/x/image/font.
const boldWeight = 3

// fit is a clean name, cut where it would be wider than the room there is.
func fit(name string, style text.Style, room vg.Length) string {
	runes := []rune(clean(name))
	text := string(runes)
	for n := min(len(runes), 200); n > 0 && style.Width(text) > room; n-- {
		text = string(runes[:n-1]) + "…"
	}
	return text
}

// bold returns a style in bold.
func bold(s text.Style) text.Style {
	s.Font.Weight = boldWeight
	return s
}
