package chart

import (
	"fmt"
	"math"
	"strings"
)

// A Matrix has a field for every pair of names, tinted blue above 0 and red below.
type Matrix struct {
	Title    string
	Names    []string  // of rows and columns
	Diagonal []float64 // by name: shown where a name meets itself
	Unit     string    // of the values: "points"
	Fields   [][]Field // by row and column; those of the diagonal are not read
	Data     []string  // headings of what the fields have for the CSV
}

// A Field compares the name of its row with that of its column.
type Field struct {
	Value  float64
	Strong bool     // it is significant: drawn bold, and by its sign where there is no room for the value
	Say    string   // what a reader is told who points at it
	Data   []string // for the CSV
}

// content has the fields above 0 that are strong in words.
func (p Matrix) content() content {
	c := content{title: p.Title, empty: len(p.Names) < 2, head: append([]string{"row", "column", p.Unit}, p.Data...)}
	var names, strong []string
	for i, row := range p.Fields {
		names = append(names, Short(p.Names[i], 40)+" "+short(p.Diagonal[i]))
		for j, f := range row {
			if i != j {
				c.records = append(c.records, append([]string{p.Names[i], p.Names[j], number(f.Value)}, f.Data...))
			}
			if i != j && f.Strong && f.Value > 0 {
				strong = append(strong, fmt.Sprintf("%s less %s %s", Short(p.Names[i], 40), Short(p.Names[j], 40), short(f.Value)))
			}
		}
	}
	if len(strong) == 0 {
		strong = []string{"none"}
	}
	c.words = strings.Join(names, "; ") + "; significant differences in " + p.Unit + ": " + strings.Join(strong, "; ")
	return c
}

func (p Matrix) draw(d *drawing) {
	d.width = wide
	left, top, largest := 0.0, d.heading(p.Title)+16, 1e-9
	label := func(i int) string { return fmt.Sprintf("%d %s", i+1, p.Names[i]) }
	for i, row := range p.Fields {
		left = max(left, min(width(label(i)), 132)+8)
		for j, f := range row {
			if i != j && finite(f.Value) {
				largest = max(largest, math.Abs(f.Value))
			}
		}
	}
	side := min((d.width-left)/float64(max(len(p.Names), 1)), 46)
	d.height = top + side*float64(len(p.Names)) + 2
	for i, row := range p.Fields {
		middle := side * (float64(i) + 0.5)
		d.text(left-6, top+middle+4, "e", "", fit(label(i), left-8))
		d.text(left+middle, top-6, "m", "", fmt.Sprint(i+1))
		for j, f := range row {
			x, y := left+side*(float64(j)+0.5), top+middle
			if i != j && finite(f.Value) {
				d.titled(f.Say, func() { f.draw(d, x, y, side, largest) })
			} else if i == j && side >= numberSide {
				d.text(x, y+4, "m", "l", Signed(p.Diagonal[i], 1))
			}
		}
	}
}

// numberSide is the side of a field from which on there is room for its value.
const numberSide = 26.0

// draw draws a field around its middle.
func (f Field) draw(d *drawing, x, y, side, largest float64) {
	color, value, bold := "b", "+", ""
	if f.Value < 0 {
		color, value = "v", "−"
	}
	fmt.Fprintf(&d.b, `<rect class="%s" x="%s" y="%s" width="%s" height="%[4]s" opacity="%.2f"/>`,
		color, tenths(x-side/2+0.5), tenths(y-side/2+0.5), tenths(side-1), 0.06+0.4*math.Abs(f.Value)/largest)
	if f.Strong {
		bold = "h"
	}
	if side >= numberSide {
		if value = Signed(f.Value, 1); width(value) > side {
			value = Signed(f.Value, 0)
		}
	}
	if side >= numberSide || f.Strong {
		d.text(x, y+4, "m", bold, value)
	}
}
