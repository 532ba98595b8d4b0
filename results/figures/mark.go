package figures

import (
	"math"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A polygon is a mark with corners on a circle; with none it is the circle.
type polygon struct {
	corners int
	turn    float64 // angle of the first corner
	open    bool    // an outline, not filled
}

// Spokes is a mark of two crossing lines.
type spokes struct {
	turn float64 // angle of the first one
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
	for _, turn := range []float64{m.turn, m.turn + math.Pi/2} {
		a, b := around(at, style.Radius, turn), around(at, style.Radius, turn+math.Pi)
		c.StrokeLine2(draw.LineStyle{Color: style.Color, Width: lineWidth}, a.X, a.Y, b.X, b.Y)
	}
}

// around is the point at a distance and angle from another.
func around(at vg.Point, r vg.Length, angle float64) vg.Point {
	sin, cos := math.Sincos(angle)
	return vg.Point{X: at.X + r*vg.Length(cos), Y: at.Y + r*vg.Length(sin)}
}
