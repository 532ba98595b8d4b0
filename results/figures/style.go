package figures

import (
	"cmp"
	"image/color"
	"math"

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
	s := string(runes)
	for n := min(len(runes), 200); n > 0 && style.Width(s) > room; n-- {
		s = string(runes[:n-1]) + "…"
	}
	return s
}

// bold returns a style in bold.
func bold(s text.Style) text.Style {
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

// A swatch is a filled rectangle, which shows the color of an area.
type swatch struct{}

// DrawGlyph implements draw.GlyphDrawer.
func (swatch) DrawGlyph(c *draw.Canvas, style draw.GlyphStyle, at vg.Point) {
	c.FillPolygon(style.Color, fieldAround(at, style.Radius))
}

// A frame is the outline of a field.
type frame struct{}

// DrawGlyph implements draw.GlyphDrawer.
func (frame) DrawGlyph(c *draw.Canvas, style draw.GlyphStyle, at vg.Point) {
	box := fieldAround(at, style.Radius)
	c.StrokeLines(draw.LineStyle{Color: style.Color, Width: lineWidth}, append(box, box[0], box[1]))
}

// A corner is a field with its upper right corner filled, or its lower left one.
type corner struct{ up bool }

// DrawGlyph implements draw.GlyphDrawer.
func (m corner) DrawGlyph(c *draw.Canvas, style draw.GlyphStyle, at vg.Point) {
	box := fieldAround(at, style.Radius)
	c.StrokeLines(thin(ink), append(box, box[0]))
	if m.up {
		drawCorner(*c, style.Color, box[2], -1)
	} else {
		drawCorner(*c, style.Color, box[0], 1)
	}
}

// drawCorner fills the corner of a field at a point, from which the field goes up
// and to the right, or down and to the left where way is -1.
func drawCorner(c draw.Canvas, fill color.Color, at vg.Point, way vg.Length) {
	const side = 6
	c.FillPolygon(fill, []vg.Point{at, {X: at.X + way*side, Y: at.Y}, {X: at.X, Y: at.Y + way*side}})
}

func fieldAround(at vg.Point, radius vg.Length) []vg.Point {
	return rectangle(at.X-2.4*radius, at.Y-1.6*radius, at.X+2.4*radius, at.Y+1.6*radius)
}

// rectangle has the corners of one with upright sides.
func rectangle(left, bottom, right, top vg.Length) []vg.Point {
	return []vg.Point{{X: left, Y: bottom}, {X: right, Y: bottom}, {X: right, Y: top}, {X: left, Y: top}}
}

// The marks of the figures.
var (
	disc         = polygon{}
	ring         = polygon{open: true}
	square       = polygon{corners: 4, turn: math.Pi / 4}
	openSquare   = polygon{corners: 4, turn: math.Pi / 4, open: true}
	diamond      = polygon{corners: 4}
	openDiamond  = polygon{corners: 4, open: true}
	triangle     = polygon{corners: 3, turn: math.Pi / 2}
	openTriangle = polygon{corners: 3, turn: math.Pi / 2, open: true}
	pointDown    = polygon{corners: 3, turn: -math.Pi / 2}
	plus         = spokes{}
	cross        = spokes{turn: math.Pi / 4}
	openDown     = polygon{corners: 3, turn: -math.Pi / 2, open: true}
	pentagon     = polygon{corners: 5, turn: math.Pi / 2, open: true}
	star         = spokes{lines: 3, turn: math.Pi / 2}
	hourglass    = wedges{turn: math.Pi / 4}
	bowTie       = wedges{turn: -math.Pi / 4}
	halfDisc     = half{ring}
	halfDiamond  = half{openDiamond}
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
		c.SetLineStyle(draw.LineStyle{Color: style.Color, Width: lineWidth})
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
		c.StrokeLine2(draw.LineStyle{Color: style.Color, Width: lineWidth}, a.X, a.Y, b.X, b.Y)
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
