package chart

import (
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Labels write names beside points of a panel: each at the first of its places, to the
// right, to the left, above and below, where it covers no mark, line or label, stays
// inside and is clearly nearest to its own mark. One without such a place stands farther
// away, at the end of a thin line to its mark, and is left out where there is no room for
// that either. They implement plot.Plotter.
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

// nearest is the point of the box that is nearest to another.
func (r room) nearest(to vg.Point) vg.Point {
	return vg.Point{X: min(max(to.X, r.Min.X), r.Max.X), Y: min(max(to.Y, r.Min.Y), r.Max.Y)}
}

// crossed tells whether a straight line between two points goes through the box.
func (r room) crossed(a, b vg.Point) bool {
	const steps = 24
	for i := range steps + 1 {
		share := vg.Length(i) / steps
		at := vg.Point{X: a.X + share*(b.X-a.X), Y: a.Y + share*(b.Y-a.Y)}
		if r.nearest(at) == at {
			return true
		}
	}
	return false
}

// roomOf is the box between two corners and so much around it.
func roomOf(a, b vg.Point, around vg.Length) room {
	return room{vg.Rectangle{
		Min: vg.Point{X: min(a.X, b.X) - around, Y: min(a.Y, b.Y) - around}, Max: vg.Point{X: max(a.X, b.X) + around, Y: max(a.Y, b.Y) + around},
	}}
}

// A labelling has what is in a panel while names are written.
type labelling struct {
	inside       room
	marks        []vg.Point
	lines, words []room
	leaders      [][2]vg.Point
}

// Plot implements plot.Plotter.
func (l Labels) Plot(on draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&on)
	place := func(q Point) vg.Point { return vg.Point{X: x(q.X), Y: y(q.Y)} }
	state := labelling{inside: room{vg.Rectangle{Min: on.Min, Max: vg.Point{X: on.Max.X + 8, Y: on.Max.Y + 5}}}}
	for _, q := range l.Points {
		state.marks = append(state.marks, place(q))
	}
	for i := 1; i < len(l.Line); i++ {
		state.lines = append(state.lines, roomOf(place(l.Line[i-1]), place(l.Line[i]), 1))
	}
	style := Writing(TextSize, text.XLeft, text.YCenter)
	write := func(box room, name string) {
		on.FillText(style, vg.Point{X: box.Min.X, Y: (box.Min.Y + box.Max.Y) / 2}, name)
		state.words = append(state.words, box)
	}
	var left []int
	for i, q := range l.Points {
		if q.Say == "" {
			continue
		}
		places := placesOf(state.marks[i], style.Width(q.Say))
		at := slices.IndexFunc(places, func(box room) bool { return state.free(box) && state.owned(box, i) })
		if at < 0 {
			left = append(left, i)
			continue
		}
		write(places[at], q.Say)
	}
	for _, i := range left {
		name := l.Points[i].Say
		if box, from, to, ok := state.aside(i, style.Width(name)); ok {
			on.StrokeLine2(Thin(Ink), from.X, from.Y, to.X, to.Y)
			write(box, name)
			state.leaders = append(state.leaders, [2]vg.Point{from, to})
		}
	}
}

// along is the point at a share of the way between two.
func along(a, b vg.Point, share float64) vg.Point {
	return vg.Point{X: a.X + vg.Length(share)*(b.X-a.X), Y: a.Y + vg.Length(share)*(b.Y-a.Y)}
}

func apart(a, b vg.Point) vg.Length { return vg.Length(math.Hypot(float64(a.X-b.X), float64(a.Y-b.Y))) }

// free tells whether a box is inside and covers nothing.
func (s labelling) free(box room) bool {
	if box.Min.X < s.inside.Min.X || box.Max.X > s.inside.Max.X || box.Min.Y < s.inside.Min.Y || box.Max.Y > s.inside.Max.Y {
		return false
	}
	return !slices.ContainsFunc(s.marks, func(m vg.Point) bool { return box.meets(roomOf(m, m, markRadius+1)) }) &&
		!slices.ContainsFunc(slices.Concat(s.lines, s.words), box.meets) &&
		!slices.ContainsFunc(s.leaders, func(l [2]vg.Point) bool { return box.crossed(l[0], l[1]) })
}

// covers tells whether the mark with the number is where another one is.
func (s labelling) covers(number int, m vg.Point) bool { return apart(m, s.marks[number]) < 2 }

// owned tells whether a box is clearly nearer to the mark with the number than to any other.
func (s labelling) owned(box room, number int) bool {
	const clearly = 4
	own := apart(box.nearest(s.marks[number]), s.marks[number])
	for _, m := range s.marks {
		if !s.covers(number, m) && apart(box.nearest(m), m) < own+clearly {
			return false
		}
	}
	return true
}

// What a line from a mark to its label may cross: nothing, lines of the panel, or also marks.
const (
	crossNothing = iota
	crossLines
	crossMarks
)

// aside is a free box around a mark whose line to it crosses no word, and that line. The nearest
// one is best; one whose line crosses a line of the panel, or even a mark, counts as farther away
// than it is.
func (s labelling) aside(number int, wide vg.Length) (box room, from, to vg.Point, ok bool) {
	const first, last, step, turns, penalty = 12, 150, 3, 48, 24
	mark := s.marks[number]
	for cost := vg.Length(first); cost <= last+4*penalty; cost += step {
		for cross, more := range []vg.Length{crossNothing: 0, crossLines: penalty, crossMarks: 4 * penalty} {
			far := cost - more
			for turn := 0; turn < turns && far >= first && far <= last; turn++ {
				if cross == crossLines && turn%(turns/4) == 0 { // it would lie on the line
					continue
				}
				to := around(mark, far, 2*math.Pi*float64(turn)/turns)
				box, from := boxAt(to, wide, 8*turn/turns), along(mark, to, float64((markRadius+1)/far))
				if s.free(box) && s.open(number, from, along(from, to, 0.97), cross) {
					return box, from, to, true
				}
			}
		}
	}
	return room{}, from, to, false
}

// boxAt is the box of a word at the end of a line that comes from an eighth of the directions:
// beside, above or below it.
func boxAt(to vg.Point, wide vg.Length, eighth int) room {
	const half = TextSize/2 - 0.5
	left, middle := to.X, to.Y // the line ends at the middle of the nearer side
	switch eighth {
	case 1, 2:
		left, middle = to.X-wide/2, to.Y+half
	case 3, 4:
		left = to.X - wide
	case 5, 6:
		left, middle = to.X-wide/2, to.Y-half
	}
	return roomOf(vg.Point{X: left, Y: middle - half}, vg.Point{X: left + wide, Y: middle + half}, 0)
}

// open tells whether a straight line from a mark meets nothing on its way but what it may cross.
func (s labelling) open(number int, from, to vg.Point, cross int) bool {
	hit := func(r room) bool { return r.crossed(from, to) }
	for _, m := range s.marks {
		if cross < crossMarks && !s.covers(number, m) && hit(roomOf(m, m, markRadius)) {
			return false
		}
	}
	return !slices.ContainsFunc(s.words, hit) && (cross >= crossLines || !slices.ContainsFunc(s.lines, hit)) &&
		!slices.ContainsFunc(s.leaders, func(l [2]vg.Point) bool { return meet(from, to, l[0], l[1]) })
}

// meet tells whether two straight lines have a point in common.
func meet(a, b, c, d vg.Point) bool {
	side := func(p, q, r vg.Point) vg.Length { return (q.X-p.X)*(r.Y-p.Y) - (q.Y-p.Y)*(r.X-p.X) }
	return side(a, b, c)*side(a, b, d) <= 0 && side(c, d, a)*side(c, d, b) <= 0
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
