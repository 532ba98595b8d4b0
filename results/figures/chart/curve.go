package chart

import (
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A Point of a curve, with a range if Low < High. One that is not finite is
// missing: the line has a gap there. What it says is the title of its mark.
type Point struct {
	X, Y, Low, High float64
	Say             string
}

// Missing reports whether the point has no place.
func (p Point) Missing() bool { return !Finite(p.X) || !Finite(p.Y) }

// Finite reports whether x is a number that is not infinite.
func Finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }

// A Curve draws points and the line through them. It implements plot.Plotter and
// plot.DataRanger.
type Curve struct {
	Look
	Points []Point
	Say    string // title of the line
}

// Plot draws the curve: ranges first, then the line, then the marks.
func (c Curve) Plot(on draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&on)
	var run []vg.Point
	var lines [][]vg.Point
	for _, q := range c.Points {
		if q.Missing() {
			lines, run = append(lines, run), nil
			continue
		}
		at := vg.Point{X: x(q.X), Y: y(q.Y)}
		run = append(run, at)
		if q.Low < q.High {
			low, high := y(q.Low), y(q.High)
			style := Thin(c.Color)
			on.StrokeLine2(style, at.X, low, at.X, high)
			on.StrokeLine2(style, at.X-markRadius, low, at.X+markRadius, low)
			on.StrokeLine2(style, at.X-markRadius, high, at.X+markRadius, high)
		}
	}
	lines = append(lines, run)
	Titled(on, c.Say, func() {
		for _, line := range lines {
			if len(line) > 1 && !c.Bare {
				on.StrokeLines(c.line(), line)
			}
		}
	})
	for _, q := range c.Points {
		if !q.Missing() && c.Mark != nil {
			Titled(on, q.Say, func() { c.Put(on, vg.Point{X: x(q.X), Y: y(q.Y)}) })
		}
	}
}

// DataRange returns the range of what is not missing.
func (c Curve) DataRange() (xmin, xmax, ymin, ymax float64) {
	xmin, ymin, xmax, ymax = math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)
	for _, q := range c.Points {
		if q.Missing() {
			continue
		}
		xmin, xmax = min(xmin, q.X), max(xmax, q.X)
		ymin, ymax = min(ymin, q.Y), max(ymax, q.Y)
		if q.Low < q.High {
			ymin, ymax = min(ymin, q.Low), max(ymax, q.High)
		}
	}
	return xmin, xmax, ymin, ymax
}

// An Upright is a vertical line through a panel with a mark at its top.
type Upright struct {
	Look
	X float64
}

// Plot implements plot.Plotter.
func (u Upright) Plot(on draw.Canvas, p *plot.Plot) {
	x, _ := p.Transforms(&on)
	on.StrokeLine2(u.line(), x(u.X), on.Min.Y, x(u.X), on.Max.Y)
	u.Put(on, vg.Point{X: x(u.X), Y: on.Max.Y})
}

// A Level is a horizontal line through a panel.
type Level struct {
	Look
	Y float64
}

// Plot implements plot.Plotter.
func (l Level) Plot(on draw.Canvas, p *plot.Plot) {
	_, y := p.Transforms(&on)
	on.StrokeLine2(l.line(), on.Min.X, y(l.Y), on.Max.X, y(l.Y))
}

// DataRange keeps the line inside the panel.
func (l Level) DataRange() (xmin, xmax, ymin, ymax float64) {
	return math.Inf(1), math.Inf(-1), l.Y, l.Y
}

// A remark is text in the middle of a panel.
type remark string

// Plot implements plot.Plotter.
func (r remark) Plot(on draw.Canvas, _ *plot.Plot) {
	on.FillText(Writing(TextSize, text.XCenter, text.YCenter), on.Center(), string(r))
}

// Rules are faint lines at the labelled ticks.
type Rules struct{ Vertical, Horizontal bool }

// Plot implements plot.Plotter.
func (r Rules) Plot(on draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&on)
	style := Thin(Faint)
	if r.Vertical {
		for _, tick := range within(p.X) {
			on.StrokeLine2(style, x(tick), on.Min.Y, x(tick), on.Max.Y)
		}
	}
	if r.Horizontal {
		for _, tick := range within(p.Y) {
			on.StrokeLine2(style, on.Min.X, y(tick), on.Max.X, y(tick))
		}
	}
}

// within lists the labelled ticks of an axis that are in its range.
func within(a plot.Axis) []float64 {
	var all []float64
	for _, tick := range a.Tick.Marker.Ticks(a.Min, a.Max) {
		if !tick.IsMinor() && tick.Value >= a.Min && tick.Value <= a.Max {
			all = append(all, tick.Value)
		}
	}
	return all
}

// A Guide is a line without marks that is cut where it leaves the panel, and does
// not widen it.
type Guide struct{ Curve }

// Plot implements plot.Plotter.
func (g Guide) Plot(on draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&on)
	var line []vg.Point
	for _, q := range g.Points {
		if !q.Missing() {
			line = append(line, vg.Point{X: x(q.X), Y: y(q.Y)})
		}
	}
	style := Thin(g.Color, g.Dashes...)
	on.StrokeLines(style, on.ClipLinesXY(line)...)
}

// DataRange is empty.
func (g Guide) DataRange() (xmin, xmax, ymin, ymax float64) {
	return math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(-1)
}

// A heading is the title of a panel, above its data area, so that the headings
// of a row stand at one height.
type heading string

// HeadingStyle is that of the titles of panels, in bold.
func HeadingStyle() text.Style { return Bold(Writing(TextSize, text.XCenter, text.YBottom)) }

// Plot implements plot.Plotter.
func (h heading) Plot(on draw.Canvas, _ *plot.Plot) {
	on.FillText(HeadingStyle(), vg.Point{X: on.Center().X, Y: on.Max.Y + 7}, string(h))
}
