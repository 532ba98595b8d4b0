package chart

import (
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Labels write names beside points of a panel: each at the first of its places, to the
// right, to the left, above and below, where it covers no mark, line or label and stays
// inside. One without such a place is not written. They implement plot.Plotter.
type Labels struct {
	Points []Point // say is the name; empty: a mark that no label may cover
	Line   []Point // of upright and level parts, which no label may cross
}

// A room is the box that something takes.
type room struct{ vg.Rectangle }

// meets tells whether two boxes have a place in common.
func (r room) meets(other room) bool {
	return r.Min.X < other.Max.X && other.Min.X < r.Max.X && r.Min.Y < other.Max.Y && other.Min.Y < r.Max.Y
}

// roomOf is the box between two corners and so much around it.
func roomOf(a, b vg.Point, around vg.Length) room {
	return room{vg.Rectangle{
		Min: vg.Point{X: min(a.X, b.X) - around, Y: min(a.Y, b.Y) - around}, Max: vg.Point{X: max(a.X, b.X) + around, Y: max(a.Y, b.Y) + around},
	}}
}

// Plot implements plot.Plotter.
func (l Labels) Plot(on draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&on)
	place := func(q Point) vg.Point { return vg.Point{X: x(q.X), Y: y(q.Y)} }
	var taken []room
	for _, q := range l.Points {
		taken = append(taken, roomOf(place(q), place(q), markRadius+1))
	}
	for i := 1; i < len(l.Line); i++ {
		taken = append(taken, roomOf(place(l.Line[i-1]), place(l.Line[i]), 1))
	}
	style := Writing(TextSize, text.XLeft, text.YCenter)
	for _, q := range l.Points {
		if q.Say == "" {
			continue
		}
		for _, box := range placesOf(place(q), style.Width(q.Say)) {
			inside := box.Min.X >= on.Min.X && box.Max.X <= on.Max.X+8 && box.Min.Y >= on.Min.Y && box.Max.Y <= on.Max.Y+5
			if inside && !slices.ContainsFunc(taken, box.meets) {
				on.FillText(style, vg.Point{X: box.Min.X, Y: (box.Min.Y + box.Max.Y) / 2}, q.Say)
				taken = append(taken, box)
				break
			}
		}
	}
}

// placesOf are the boxes of a word of a width beside a mark, the best first.
func placesOf(at vg.Point, wide vg.Length) []room {
	const half, aside = TextSize/2 - 0.5, markRadius + 2
	box := func(left, middle vg.Length) room {
		return roomOf(vg.Point{X: left, Y: middle - half}, vg.Point{X: left + wide, Y: middle + half}, 0)
	}
	all := []room{box(at.X+aside, at.Y), box(at.X-aside-wide, at.Y)}
	for _, middle := range []vg.Length{at.Y + aside + half, at.Y - aside - half} {
		all = append(all, box(at.X-wide/2, middle), box(at.X+2, middle), box(at.X-wide-2, middle))
	}
	return all
}
