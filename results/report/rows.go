package report

import (
	"fmt"
	"slices"
)

// drawRows draws a panel of named rows, and sets the size.
func (p Panel) drawRows(d *drawing) {
	const step, barStep = 20.0, 6.0
	d.width = wide
	left, top := 0.0, d.heading(p.Title)
	for _, name := range p.Names {
		left = max(left, min(width(name), 140)+10)
	}
	const high = 90.0
	if len(p.Above) > 0 {
		top += high + 36
	}
	const lineStep = 20.0
	names := top // of lines, each above the rows
	top += lineStep * float64(len(p.Lines))
	middle := top - 12 // between the curve and the rows
	right := d.width - 12 - barStep*float64(len(p.Bars))
	bottom := top + step*float64(len(p.Names)) + 4
	d.height = bottom + 38
	x := newScale(p.X, p.reach(numbersOf(slices.Concat(p.Above, p.Series), xOf, true)), left, right)
	if len(p.Above) > 0 {
		d.text(0, middle-high-9, "", "l", fit(p.Y.Label, d.width))
		y := newScale(p.Y, numbersOf(p.Above, yOf, true), middle, middle-high)
		y.drawUp(d, left, right, middle-high, middle)
		p.plot(d, p.Above, x, y)
	}
	x.draw(d, p.X.Label, top, bottom, true)
	if zero := x.at(0); !x.log && zero > left && zero < right {
		d.line("t", zero, top, zero, bottom)
	}
	p.references(d, x, names, bottom, lineStep)
	at := func(row float64) float64 { return top + step*(row+0.5) }
	for i, name := range p.Names {
		d.text(left-6, at(float64(i))+4, "e", "", fit(name, left-10))
		d.line("t q", left, at(float64(i)), right, at(float64(i)))
	}
	for i, b := range p.Bars {
		bar := right + 8 + barStep*float64(i)
		d.line("w v", bar, at(float64(b[0]))-6, bar, at(float64(b[1]))+6)
	}
	// Dots of one series at one place stand above and below the line in turn.
	taken := map[string]int{}
	for s, q := range present(p.Series) {
		place := fmt.Sprintf("%s %.0f %g", s.Name, x.at(q.X), q.Y)
		n := taken[place]
		taken[place]++
		y := at(q.Y) + 2.2*float64((n+1)/2%4)*float64(1-2*(n%2))
		d.point(q, looks[s.Look], x.at(q.X), y, [4]float64{x.at(q.Low), y, x.at(q.High), y}, []string{p.row(q), q.Name, s.Name}, p.X.Label+" "+short(q.X))
	}
}

// reach adds to numbers of the rows those of the lines, but for a line that is so far away that
// the rows would be hard to tell apart.
func (p Panel) reach(numbers []float64) []float64 {
	if len(numbers) == 0 {
		return nil
	}
	low, high := slices.Min(numbers), slices.Max(numbers)
	for _, r := range p.Lines {
		if room := high - low; r.X >= low-room/2 && r.X <= high+room/2 {
			numbers = append(numbers, r.X, max(r.X, r.To))
		}
	}
	return numbers
}

// references draws the lines down to the bottom, each below its name, which a line of another does
// not cross, and of a length a bar. A line beyond the axis is a name with an arrow.
func (p Panel) references(d *drawing, x scale, top, bottom, step float64) {
	for i, r := range p.Lines {
		switch at, base := x.at(r.X), top+step*float64(i)+10; {
		case r.To > r.X:
			d.line("w", at, base+5, x.at(r.To), base+5)
		case at >= x.from && at <= x.to:
			d.line("t d", at, base+3, at, bottom)
		}
	}
	for i, r := range p.Lines {
		name, left := fit(r.Name, d.width-x.from), x.at(r.X)
		switch {
		case left < x.from:
			name, left = "← "+name, x.from
		case left > x.to:
			name += " →"
		case r.To <= r.X:
			left -= width(name) / 2
		}
		left = max(0, min(left, d.width-width(name)))
		base := top + step*float64(i) + 10
		fmt.Fprintf(&d.b, `<rect class="paper" x="%s" y="%s" width="%s" height="13"/>`, tenths(left), tenths(base-10), tenths(width(name)))
		d.text(left+width(name)/2, base, "m", "", name)
	}
}
