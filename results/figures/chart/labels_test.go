package chart

import (
	"fmt"
	"regexp"
	"strconv"
	"testing"

	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

var labelPlace = regexp.MustCompile(`<text x="([0-9.]+)" y="([0-9.]+)" textLength="([0-9.]+)">method`)

// Labels cover neither each other nor a mark nor a line, and points in a crowd have none.
func TestLabels(t *testing.T) {
	l := Labels{Line: []Point{{X: 0, Y: 0}, {X: 50, Y: 0}, {X: 50, Y: 9}, {X: 100, Y: 9}}}
	for i := range 24 {
		l.Points = append(l.Points, Point{X: float64(i * 37 % 101), Y: float64(i * i % 11), Say: fmt.Sprintf("method %d", i)})
	}
	p := NewPanel("")
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = 0, 100, 0, 10
	c := newCanvas(200)
	on := draw.New(c)
	l.Plot(on, p)
	c.close()
	x, y := p.Transforms(&on)
	var taken []room
	for _, q := range l.Points {
		at := vg.Point{X: x(q.X), Y: y(q.Y)}
		taken = append(taken, roomOf(at, at, markRadius))
	}
	for i := 1; i < len(l.Line); i++ {
		a, b := l.Line[i-1], l.Line[i]
		taken = append(taken, roomOf(vg.Point{X: x(a.X), Y: y(a.Y)}, vg.Point{X: x(b.X), Y: y(b.Y)}, 0))
	}
	found := labelPlace.FindAllStringSubmatch(c.b.String(), -1)
	if len(found) < 5 || len(found) >= len(l.Points) {
		t.Fatalf("%d labels of %d points", len(found), len(l.Points))
	}
	for _, one := range found {
		var at [3]vg.Length
		for i := range at {
			number, err := strconv.ParseFloat(one[i+1], 64)
			if err != nil {
				t.Fatal(err)
			}
			at[i] = vg.Length(number)
		}
		base := 200 - at[1]
		box := roomOf(vg.Point{X: at[0], Y: base}, vg.Point{X: at[0] + at[2], Y: base + 8}, -0.1)
		for _, other := range taken {
			if box.meets(other) {
				t.Errorf("%s covers %v", one[0], other)
			}
		}
		taken = append(taken, box)
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
