package results

import (
	"fmt"
	"testing"
)

// sizedCell is a cell of that many grid points and test samples, of which a
// fifth got a wrong label.
func sizedCell(points, samples int) Cell {
	c := cell("robot", "e-r2lml", samples-samples/5, samples, 1)
	c.Points = make([]Point, points)
	for i := range c.Points {
		c.Points[i].Params = Params{"c": 1, "epochs": 5, "iterations": 500, "lambda": float64(i) / 8, "metrics": 2, "step": 1e-5, "variant": "published"}
	}
	return c
}

func BenchmarkDecodeCell(b *testing.B) {
	for _, points := range []int{1, 35} {
		b.Run(fmt.Sprintf("points=%d", points), func(b *testing.B) {
			data := encode(b, sizedCell(points, 2000))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := DecodeCell(data); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkKey(b *testing.B) {
	for _, points := range []int{1, 35} {
		b.Run(fmt.Sprintf("points=%d", points), func(b *testing.B) {
			in := sizedCell(points, 10).Inputs
			b.ReportAllocs()
			for b.Loop() {
				in.Key()
			}
		})
	}
}
