package chart

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"testing"

	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

var (
	labelPlace  = regexp.MustCompile(`<text x="([0-9.]+)" y="([0-9.]+)"[^>]*>(name [0-9]+)<`)
	leaderPlace = regexp.MustCompile(`M([0-9.]+) ([0-9.]+)(?:l(-?[0-9.]+)[ ]?(-?[0-9.]+)|([hv])(-?[0-9.]+))`)
)

// Every named point of a crowd has a label, which covers neither another nor a mark nor a line.
// One without a line to its mark is nearer to it than to any other; a line starts at its own.
func TestLabels(t *testing.T) {
	const height = 200
	l := Labels{Line: []Point{{X: 0, Y: 0}, {X: 50, Y: 0}, {X: 50, Y: 9}, {X: 100, Y: 9}}}
	named := 0
	for i := range 16 {
		q := Point{X: float64(i * 37 % 101), Y: float64(i * i % 11)}
		if i%2 == 0 {
			q.Say = fmt.Sprintf("name %d", i)
			named++
		}
		l.Points = append(l.Points, q)
	}
	for i, q := range l.Points[:4] { // marks close by, two of which cover one another
		l.Points = append(l.Points, Point{X: q.X + float64(i), Y: q.Y + 0.2*float64(i)})
	}
	p := NewPanel("")
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = 0, 100, 0, 10
	c := newCanvas(height)
	on := draw.New(c)
	l.Plot(on, p)
	c.close()
	x, y := p.Transforms(&on)
	var taken []room
	var marks []vg.Point
	for _, q := range l.Points {
		at := vg.Point{X: x(q.X), Y: y(q.Y)}
		marks = append(marks, at)
		taken = append(taken, roomOf(at, at, markRadius))
	}
	for i := 1; i < len(l.Line); i++ {
		a, b := l.Line[i-1], l.Line[i]
		taken = append(taken, roomOf(vg.Point{X: x(a.X), Y: y(a.Y)}, vg.Point{X: x(b.X), Y: y(b.Y)}, 0))
	}
	number := func(s string) vg.Length {
		n, err := strconv.ParseFloat(cmp.Or(s, "0"), 64)
		if err != nil {
			t.Fatal(err)
		}
		return vg.Length(n)
	}
	leads := map[int]bool{} // by point
	for _, one := range leaderPlace.FindAllStringSubmatch(c.b.String(), -1) {
		at := vg.Point{X: number(one[1]), Y: height - number(one[2])}
		i := slices.IndexFunc(marks, func(m vg.Point) bool { return apart(m, at) < markRadius+1.2 })
		if i < 0 {
			t.Fatalf("the line %s starts at no mark", one[0])
		}
		leads[i] = true
	}
	found := labelPlace.FindAllStringSubmatch(c.b.String(), -1)
	if len(found) != named || len(leads) == 0 || len(leads) >= named {
		t.Fatalf("%d labels of %d points, %d with a line", len(found), named, len(leads))
	}
	style := Writing(TextSize, text.XLeft, text.YCenter)
	for _, one := range found {
		left, base := number(one[1]), height-number(one[2])
		box := roomOf(vg.Point{X: left, Y: base}, vg.Point{X: left + style.Width(one[3]), Y: base + 8}, -0.1)
		for _, other := range taken {
			if box.meets(other) {
				t.Errorf("%s covers %v", one[0], other)
			}
		}
		taken = append(taken, box)
		own := slices.IndexFunc(l.Points, func(q Point) bool { return q.Say == one[3] })
		nearest := slices.MinFunc(marks, func(a, b vg.Point) int { return cmp.Compare(apart(box.nearest(a), a), apart(box.nearest(b), b)) })
		if !leads[own] && apart(nearest, marks[own]) > 2 {
			t.Errorf("%s is nearer to another mark than to its own", one[3])
		}
	}
}

// The places of a word are beside its mark, none of them over it.
func TestPlacesOfLabels(t *testing.T) {
	at := vg.Point{X: 50, Y: 50}
	wide := Writing(TextSize, text.XLeft, text.YCenter).Width("method")
	for i, box := range placesOf(at, wide) {
		if box.meets(roomOf(at, at, markRadius+1)) {
			t.Errorf("place %d covers the mark: %v", i, box)
		}
	}
}
