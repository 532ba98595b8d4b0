package figures

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
	l := labels{line: []point{{x: 0, y: 0}, {x: 50, y: 0}, {x: 50, y: 9}, {x: 100, y: 9}}}
	for i := range 24 {
		l.points = append(l.points, point{x: float64(i * 37 % 101), y: float64(i * i % 11), say: fmt.Sprintf("method %d", i)})
	}
	p := newPanel("")
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = 0, 100, 0, 10
	c := newCanvas(200)
	on := draw.New(c)
	l.Plot(on, p)
	c.close()
	x, y := p.Transforms(&on)
	var taken []room
	for _, q := range l.points {
		at := vg.Point{X: x(q.x), Y: y(q.y)}
		taken = append(taken, roomOf(at, at, markRadius))
	}
	for i := 1; i < len(l.line); i++ {
		a, b := l.line[i-1], l.line[i]
		taken = append(taken, roomOf(vg.Point{X: x(a.x), Y: y(a.y)}, vg.Point{X: x(b.x), Y: y(b.y)}, 0))
	}
	found := labelPlace.FindAllStringSubmatch(c.b.String(), -1)
	if len(found) < 5 || len(found) >= len(l.points) {
		t.Fatalf("%d labels of %d points", len(found), len(l.points))
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
	wide := writing(textSize, text.XLeft, text.YCenter).Width("method")
	for i, box := range placesOf(at, wide) {
		if box.meets(roomOf(at, at, markRadius+1)) {
			t.Errorf("place %d covers the mark: %v", i, box)
		}
	}
}
