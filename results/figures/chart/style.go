// Package chart has what all figures are made of: panels in rows under a legend,
// axes, curves, marks, labels, and the SVG and CSV that they become.
//
// All have one style. Series differ by color, by mark and by dashes at once,
// and the colors of a figure (of Okabe and Ito) differ in grey too and stand
// out from a white and from a dark page. Whatever is not a series is drawn in
// currentColor on no background, so that an SVG placed inside a page takes the
// color of its text; on its own it is black. Names are made harmless on their
// way: SVG has them as escaped text, and CSV has no field that a spreadsheet
// takes for a formula.
//
// Reference:
//
//	M. Okabe, K. Ito, Color universal design, 2008.
package chart

import (
	"cmp"
	"image/color"
	"math"
	"strings"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Sizes, in units that are pixels where a figure has its full size.
const (
	Width      vg.Length = 520 // of every figure
	TextSize   vg.Length = 12
	LineWidth  vg.Length = 1.6
	ThinWidth  vg.Length = 0.8
	markRadius vg.Length = 3.4
)

// Series colors, in order of luminance so that they differ in grey, each with a
// contrast of 3:1 or more to white and to near-black.
var (
	Blue       = color.NRGBA{R: 0, G: 114, B: 178, A: 255}
	Vermillion = color.NRGBA{R: 213, G: 94, B: 0, A: 255}
	Purple     = color.NRGBA{R: 204, G: 121, B: 167, A: 255}
)

// What is not a series is black, of which the SVG makes currentColor.
var (
	Ink   = color.NRGBA{A: 255}
	Faint = color.NRGBA{A: 50}
)

var (
	Dashed = []vg.Length{5, 3}
	Dotted = []vg.Length{1.5, 2.5}
)

// A Look is how a series is drawn: several ways to tell it from another.
type Look struct {
	Color  color.Color
	Mark   draw.GlyphDrawer // nil: none
	Dashes []vg.Length      // nil: a solid line
	Bare   bool             // marks without a line
}

// line is the style of the look's line.
func (l Look) line() draw.LineStyle {
	return draw.LineStyle{Color: l.Color, Width: LineWidth, Dashes: l.Dashes}
}

// Put draws the look's mark at a point.
func (l Look) Put(c draw.Canvas, at vg.Point) {
	if l.Mark != nil {
		c.DrawGlyphNoClip(draw.GlyphStyle{Color: l.Color, Radius: markRadius, Shape: l.Mark}, at)
	}
}

// Thin is the style of axes and other lines that are no series.
func Thin(c color.Color, dashes ...vg.Length) draw.LineStyle {
	return draw.LineStyle{Color: c, Width: ThinWidth, Dashes: dashes}
}

// Writing is the style of all text of a size.
func Writing(size vg.Length, x text.XAlignment, y text.YAlignment) text.Style {
	return text.Style{
		Color: Ink, Font: font.Font{Typeface: "Liberation", Variant: "Sans", Size: size},
		XAlign: x, YAlign: y, Handler: handler,
	}
}

// boldWeight is WeightBold of golang.org/x/image/font.
const boldWeight = 3

// Fit is a clean name, cut where it would be wider than the room there is. What follows a
// colon stays: columns of several k differ there only.
func Fit(name string, style text.Style, room vg.Length) string {
	head, tail := Clean(name), ""
	if at := strings.LastIndexByte(head, ':'); at > 0 && len(head)-at <= keptTail {
		head, tail = head[:at], head[at:]
	}
	runes, s := []rune(head), head+tail
	for n := min(len(runes), 200); n > 0 && style.Width(s) > room; n-- {
		s = string(runes[:n-1]) + "…" + tail
	}
	return s
}

// keptTail is how long what follows a colon may be to stay.
const keptTail = 6

// Bold returns a style in bold.
func Bold(s text.Style) text.Style {
	s.Font.Weight = boldWeight
	return s
}

// A polygon is a mark with corners on a circle; with none it is the circle.
type polygon struct {
	corners int
	turn    float64 // angle of the first corner
	open    bool    // an outline, not filled
}

// Spokes is a mark of crossing lines.
type spokes struct {
	turn  float64 // angle of the first one
	lines int     // 0 for 2
}

// Wedges is a mark of two triangles that meet in the middle.
type wedges struct{ turn float64 } // angle of the first corner

// Half is an outline with its upper half filled: of a ring, or with a corner at each side.
type half struct{ polygon }

// Rectangle has the corners of one with upright sides.
func Rectangle(left, bottom, right, top vg.Length) []vg.Point {
	return []vg.Point{{X: left, Y: bottom}, {X: right, Y: bottom}, {X: right, Y: top}, {X: left, Y: top}}
}

// The marks of the figures.
var (
	Disc         = polygon{}
	Ring         = polygon{open: true}
	Square       = polygon{corners: 4, turn: math.Pi / 4}
	OpenSquare   = polygon{corners: 4, turn: math.Pi / 4, open: true}
	Diamond      = polygon{corners: 4}
	OpenDiamond  = polygon{corners: 4, open: true}
	Triangle     = polygon{corners: 3, turn: math.Pi / 2}
	OpenTriangle = polygon{corners: 3, turn: math.Pi / 2, open: true}
	PointDown    = polygon{corners: 3, turn: -math.Pi / 2}
	Plus         = spokes{}
	Cross        = spokes{turn: math.Pi / 4}
	OpenDown     = polygon{corners: 3, turn: -math.Pi / 2, open: true}
	Pentagon     = polygon{corners: 5, turn: math.Pi / 2, open: true}
	Star         = spokes{lines: 3, turn: math.Pi / 2}
	Hourglass    = wedges{turn: math.Pi / 4}
	BowTie       = wedges{turn: -math.Pi / 4}
	HalfDisc     = half{Ring}
	HalfDiamond  = half{OpenDiamond}
)

// DrawGlyph implements draw.GlyphDrawer.
func (m polygon) DrawGlyph(c *draw.Canvas, style draw.GlyphStyle, at vg.Point) {
	var path vg.Path
	switch m.corners {
	case 0:
		path.Move(vg.Point{X: at.X + style.Radius, Y: at.Y})
		path.Arc(at, style.Radius, 0, 2*math.Pi)
	default:
		// Radius times √2 gives a square the sides of the circle's diameter; 1.25
		// lies between that and the circle, so that marks look equally large.
		r := 1.25 * style.Radius
		for i := range m.corners {
			corner := around(at, r, m.turn+2*math.Pi*float64(i)/float64(m.corners))
			if i == 0 {
				path.Move(corner)
			} else {
				path.Line(corner)
			}
		}
	}
	path.Close()
	if m.open {
		c.SetLineStyle(draw.LineStyle{Color: style.Color, Width: LineWidth})
		c.Stroke(path)
		return
	}
	c.Fill(path)
}

// DrawGlyph implements draw.GlyphDrawer.
func (m spokes) DrawGlyph(c *draw.Canvas, style draw.GlyphStyle, at vg.Point) {
	n := cmp.Or(m.lines, 2)
	for i := range n {
		turn := m.turn + math.Pi*float64(i)/float64(n)
		a, b := around(at, style.Radius, turn), around(at, style.Radius, turn+math.Pi)
		c.StrokeLine2(draw.LineStyle{Color: style.Color, Width: LineWidth}, a.X, a.Y, b.X, b.Y)
	}
}

// DrawGlyph implements draw.GlyphDrawer.
func (m wedges) DrawGlyph(c *draw.Canvas, style draw.GlyphStyle, at vg.Point) {
	var all []vg.Point
	for _, quarter := range []float64{0, 1, 3, 2} {
		all = append(all, around(at, 1.25*style.Radius, m.turn+quarter*math.Pi/2))
	}
	c.FillPolygon(style.Color, all)
}

// DrawGlyph implements draw.GlyphDrawer.
func (m half) DrawGlyph(c *draw.Canvas, style draw.GlyphStyle, at vg.Point) {
	m.polygon.DrawGlyph(c, style, at)
	corners := m.corners
	if corners == 0 {
		corners = 24
	}
	r := style.Radius
	if m.corners > 0 {
		r *= 1.25
	}
	var upper []vg.Point
	for i := range corners/2 + 1 {
		upper = append(upper, around(at, r, 2*math.Pi*float64(i)/float64(corners)))
	}
	c.FillPolygon(style.Color, upper)
}

// around is the point at a distance and angle from another.
func around(at vg.Point, r vg.Length, angle float64) vg.Point {
	sin, cos := math.Sincos(angle)
	return vg.Point{X: at.X + r*vg.Length(cos), Y: at.Y + r*vg.Length(sin)}
}
