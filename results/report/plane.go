package report

import "slices"

// drawPlane draws a panel over two axes, and sets the size.
func (p Panel) drawPlane(d *drawing) {
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
	y.drawUp(d, left, right, top, bottom)
	x.draw(d, p.X.Label, top, bottom, p.Equal)
	if x.empty {
		d.text((left+right)/2, (top+bottom)/2, "m", "l", "no result")
	}
	taken := p.plot(d, p.Series, x, y)
	p.label(d, taken, x, y, box{left, top - 8, d.width, bottom + 2})
}

// plot draws series over two axes, and returns where they are.
func (p Panel) plot(d *drawing, all []Series, x, y scale) (taken []box) {
	for _, s := range all {
		if s.Line {
			taken = append(taken, d.curve(s, x, y)...)
		}
		for _, q := range present([]Series{s}) {
			if s.NoMarks {
				break
			}
			cx, cy := x.at(q.X), y.at(q.Y)
			d.point(q, looks[s.Look], cx, cy, [4]float64{cx, y.at(q.Low), cx, y.at(q.High)}, []string{q.Name, s.Name},
				p.X.Label+" "+short(q.X), p.Y.Label+" "+short(q.Y))
			taken = append(taken, box{cx - 4, cy - 4, cx + 4, cy + 4})
		}
	}
	return taken
}

// curve draws the line of a series, with a gap where a point is missing, and returns where
// it runs.
func (d *drawing) curve(s Series, x, y scale) (taken []box) {
	var at []float64
	for i, q := range s.Points {
		if !q.missing() {
			at = append(at, x.at(q.X), y.at(q.Y))
		}
		if n := len(at); n > 2 && !q.missing() {
			taken = append(taken, box{min(at[n-4], at[n-2]), min(at[n-3], at[n-1]), max(at[n-4], at[n-2]) + 1, max(at[n-3], at[n-1]) + 1})
		}
		if q.missing() || i == len(s.Points)-1 {
			if len(at) > 2 {
				d.line(looks[s.Look].classes("s")+" "+looks[s.Look].dashes, at...)
			}
			at = nil
		}
	}
	return taken
}

// A box is an area that is taken.
type box struct{ left, top, right, bottom float64 }

func (b box) meets(o box) bool {
	return b.left < o.right && o.left < b.right && b.top < o.bottom && o.top < b.bottom
}

// label writes the names of points beside them where nothing else is: as near as there is
// room, with a thin line from further away.
func (p Panel) label(d *drawing, taken []box, x, y scale, room box) {
	ways := [][2]float64{{1, 0}, {-1, 0}, {0, -1}, {0, 1}, {1, -1}, {1, 1}, {-1, -1}, {-1, 1}}
	for _, q := range present(p.Series) {
		name := fit(q.Name, 110)
		half := width(name) / 2
		for try := 0; q.Label && try < 12*len(ways); try++ {
			far, way := 13*float64(try/len(ways)), ways[try%len(ways)]
			cx, cy := x.at(q.X)+way[0]*(7+far+half), y.at(q.Y)+way[1]*(9+far)
			b := box{cx - half, cy - 6, cx + half, cy + 6}
			inside := b.left >= room.left && b.right <= room.right && b.top >= room.top && b.bottom <= room.bottom
			if !inside || slices.ContainsFunc(taken, b.meets) {
				continue
			}
			if far > 0 {
				d.line("t q", x.at(q.X)+5*way[0], y.at(q.Y)+5*way[1], cx-way[0]*(half+1), cy-way[1]*6)
			}
			d.text(cx, cy+4, "m", "", name)
			taken = append(taken, b)
			break
		}
	}
}
