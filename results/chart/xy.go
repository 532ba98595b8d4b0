package chart

import (
	"math"
	"slices"
)

// An XY has points and lines over two axes.
type XY struct {
	Title  string
	X, Y   Axis
	Series []Series
	Wide   bool // for points with names
	Equal  bool // both axes have one scale, as places in a plane have
}

func xOf(q Point) float64 { return q.X }
func yOf(q Point) float64 { return q.Y }

func (p XY) content() content {
	group := func(s Series, q Point) string {
		if q.Label {
			return q.Name + " at " + short(q.X)
		}
		return s.Name
	}
	return content{
		title: p.Title, empty: len(numbersOf(p.Series, xOf, false)) == 0, legend: p.Series,
		words: p.Y.Label + " against " + p.X.Label + ": " + wordsOf(p.Series, group, yOf), head: pointColumns,
		records: recordsOf(p.Series, p.X.Label, p.Y.Label, func(q Point) string { return number(q.Y) }),
	}
}

func (p XY) draw(d *drawing) {
	d.width = narrow
	high := 124.0
	if p.Wide {
		d.width, high = wide, 230
	}
	top := d.heading(p.Title) + 24
	d.text(0, top-13, "", "l", fit(p.Y.Label, d.width))
	bottom := top + high
	left, right := 8.0, d.width-12
	y := newScale(p.Y, numbersOf(p.Series, yOf, true), bottom, top)
	for _, tick := range y.ticks {
		left = max(left, width(short(tick))+9)
	}
	x := newScale(p.X, numbersOf(p.Series, xOf, false), left, right)
	if p.Equal {
		bottom = top + right - left
		y.from = bottom
		half := 1.15 * max(x.high-x.low, y.high-y.low) / 2
		for _, s := range []*scale{&x, &y} {
			middle := (s.low + s.high) / 2
			s.low, s.high = middle-half, middle+half
			s.ticks = plainTicks(s.low, s.high)
		}
	}
	d.height = bottom + 38
	for _, tick := range y.ticks {
		d.line("t q", left, y.at(tick), right, y.at(tick))
		d.text(left-6, y.at(tick)+4, "e", "", short(tick))
	}
	d.line("t", left, top, left, bottom)
	x.draw(d, p.X.Label, top, bottom, p.Equal)
	if len(numbersOf(p.Series, xOf, false)) == 0 {
		d.text((left+right)/2, (top+bottom)/2, "m", "l", "no result")
	}
	var taken []box
	for _, s := range p.Series {
		if s.Line {
			d.curve(s, x, y)
		}
		for i, q := range s.Points {
			if s.Line && i > 0 {
				a, b := s.Points[i-1], q
				taken = append(taken, box{min(x.at(a.X), x.at(b.X)), min(y.at(a.Y), y.at(b.Y)), max(x.at(a.X), x.at(b.X)) + 1, max(y.at(a.Y), y.at(b.Y)) + 1})
			}
			if q.missing() || s.NoMarks {
				continue
			}
			at := [2]float64{x.at(q.X), y.at(q.Y)}
			d.titled(sayOf(q, []string{q.Name, s.Name}, p.X.Label+" "+short(q.X), p.Y.Label+" "+short(q.Y)), func() {
				if q.Low < q.High {
					d.line(looks[s.Look].classes("t"), at[0], y.at(q.Low), at[0], y.at(q.High))
				}
				d.mark(looks[s.Look], at[0], at[1])
			})
			taken = append(taken, box{at[0] - 4, at[1] - 4, at[0] + 4, at[1] + 4})
		}
	}
	p.label(d, taken, x, y, box{left, top - 8, d.width, bottom + 2})
}

// curve draws the line of a series, with a gap where a point is missing.
func (d *drawing) curve(s Series, x, y scale) {
	var at []float64
	for i, q := range s.Points {
		if !q.missing() {
			at = append(at, x.at(q.X), y.at(q.Y))
		}
		if q.missing() || i == len(s.Points)-1 {
			if len(at) > 2 {
				d.line(looks[s.Look].classes("s")+" "+looks[s.Look].dashes, at...)
			}
			at = nil
		}
	}
}

// A box is an area that is taken.
type box struct{ left, top, right, bottom float64 }

func (b box) meets(o box) bool {
	return b.left < o.right && o.left < b.right && b.top < o.bottom && o.top < b.bottom
}

// label writes the names of points beside them where nothing else is: as near as there is
// room, with a thin line from further away. Points at one place share a text.
func (p XY) label(d *drawing, taken []box, x, y scale, room box) {
	type spot struct {
		x, y float64
		name string
	}
	var spots []spot
	for _, s := range p.Series {
		for _, q := range s.Points {
			if q.missing() || !q.Label {
				continue
			}
			one := spot{x.at(q.X), y.at(q.Y), fit(q.Name, 110)}
			at := slices.IndexFunc(spots, func(o spot) bool { return math.Hypot(o.x-one.x, o.y-one.y) < 3 })
			if at < 0 {
				spots = append(spots, one)
			} else {
				spots[at].name += ", " + one.name
			}
		}
	}
	ways := [][2]float64{{1, 0}, {-1, 0}, {0, -1}, {0, 1}, {1, -1}, {1, 1}, {-1, -1}, {-1, 1}}
next:
	for _, s := range spots {
		half := width(s.name) / 2
		for try := range 5 * len(ways) {
			far, way := 13*float64(try/len(ways)), ways[try%len(ways)]
			cx, cy := s.x+way[0]*(7+far+half), s.y+way[1]*(9+far)
			b := box{cx - half, cy - 6, cx + half, cy + 6}
			inside := b.left >= room.left && b.right <= room.right && b.top >= room.top && b.bottom <= room.bottom
			if !inside || slices.ContainsFunc(taken, b.meets) {
				continue
			}
			if far > 0 {
				d.line("t q", s.x+5*way[0], s.y+5*way[1], cx-way[0]*(half+1), cy-way[1]*6)
			}
			d.text(cx, cy+4, "m", "", s.name)
			taken = append(taken, b)
			continue next
		}
	}
}
