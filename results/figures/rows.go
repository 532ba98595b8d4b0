package figures

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
	middle := top - 12 // between the curve and the rows
	right := d.width - 12 - barStep*float64(len(p.Bars))
	bottom := top + step*float64(len(p.Names)) + 4
	d.height = bottom + 38
	x := newScale(p.X, numbersOf(slices.Concat(p.Above, p.Series), xOf, true), left, right)
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
