package figures

import (
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A point of a curve, with a range if low < high. One that is not finite is
// missing: the line has a gap there. What it says is the title of its mark.
type point struct {
	x, y, low, high float64
	say             string
}

func (p point) missing() bool { return !finite(p.x) || !finite(p.y) }

func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }

// A curve draws points and the line through them. It implements plot.Plotter and
// plot.DataRanger.
type curve struct {
	look
	points []point
	say    string // title of the line
}

// Plot draws the curve: ranges first, then the line, then the marks.
func (c curve) Plot(on draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&on)
	var run []vg.Point
	var lines [][]vg.Point
	for _, q := range c.points {
		if q.missing() {
			lines, run = append(lines, run), nil
			continue
		}
		at := vg.Point{X: x(q.x), Y: y(q.y)}
		run = append(run, at)
		if q.low < q.high {
			low, high := y(q.low), y(q.high)
			style := thin(c.color)
			on.StrokeLine2(style, at.X, low, at.X, high)
			on.StrokeLine2(style, at.X-markRadius, low, at.X+markRadius, low)
			on.StrokeLine2(style, at.X-markRadius, high, at.X+markRadius, high)
		}
	}
	lines = append(lines, run)
	titled(on, c.say, func() {
		for _, line := range lines {
			if len(line) > 1 && !c.bare {
				on.StrokeLines(c.line(), line)
			}
		}
	})
	for _, q := range c.points {
		if !q.missing() && c.mark != nil {
			titled(on, q.say, func() { c.put(on, vg.Point{X: x(q.x), Y: y(q.y)}) })
		}
	}
}

// DataRange returns the range of what is not missing.
func (c curve) DataRange() (xmin, xmax, ymin, ymax float64) {
	xmin, ymin, xmax, ymax = math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)
	for _, q := range c.points {
		if q.missing() {
			continue
		}
		xmin, xmax = min(xmin, q.x), max(xmax, q.x)
		ymin, ymax = min(ymin, q.y), max(ymax, q.y)
		if q.low < q.high {
			ymin, ymax = min(ymin, q.low), max(ymax, q.high)
		}
	}
	return xmin, xmax, ymin, ymax
}

// An upright is a vertical line through a panel with a mark at its top.
type upright struct {
	look
	x float64
}

// Plot implements plot.Plotter.
func (u upright) Plot(on draw.Canvas, p *plot.Plot) {
	x, _ := p.Transforms(&on)
	on.StrokeLine2(u.line(), x(u.x), on.Min.Y, x(u.x), on.Max.Y)
	u.put(on, vg.Point{X: x(u.x), Y: on.Max.Y})
}

// A level is a horizontal line through a panel.
type level struct {
	look
	y float64
}

// Plot implements plot.Plotter.
func (l level) Plot(on draw.Canvas, p *plot.Plot) {
	_, y := p.Transforms(&on)
	on.StrokeLine2(l.line(), on.Min.X, y(l.y), on.Max.X, y(l.y))
}

// DataRange keeps the line inside the panel.
func (l level) DataRange() (xmin, xmax, ymin, ymax float64) {
	return math.Inf(1), math.Inf(-1), l.y, l.y
}

// A remark is text in the middle of a panel.
type remark string

// Plot implements plot.Plotter.
func (r remark) Plot(on draw.Canvas, _ *plot.Plot) {
	on.FillText(writing(textSize, text.XCenter, text.YCenter), on.Center(), string(r))
}

// Rules are faint lines at the labelled ticks.
type rules struct{ vertical, horizontal bool }

// Plot implements plot.Plotter.
func (r rules) Plot(on draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&on)
	style := thin(faint)
	if r.vertical {
		for _, tick := range within(p.X) {
			on.StrokeLine2(style, x(tick), on.Min.Y, x(tick), on.Max.Y)
		}
	}
	if r.horizontal {
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

// A guide is a line without marks that is cut where it leaves the panel, and does
// not widen it.
type guide struct{ curve }

// Plot implements plot.Plotter.
func (g guide) Plot(on draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&on)
	var line []vg.Point
	for _, q := range g.points {
		if !q.missing() {
			line = append(line, vg.Point{X: x(q.x), Y: y(q.y)})
		}
	}
	style := thin(g.color, g.dashes...)
	on.StrokeLines(style, on.ClipLinesXY(line)...)
}

// DataRange is empty.
func (g guide) DataRange() (xmin, xmax, ymin, ymax float64) {
	return math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(-1)
}

// A heading is the title of a panel, above its data area, so that the headings
// of a row stand at one height.
type heading string

func headingStyle() text.Style { return bold(writing(textSize, text.XCenter, text.YBottom)) }

// Plot implements plot.Plotter.
func (h heading) Plot(on draw.Canvas, _ *plot.Plot) {
	on.FillText(headingStyle(), vg.Point{X: on.Center().X, Y: on.Max.Y + 7}, string(h))
}
