package datasets

import (
	"math"
	"testing"

	"r2lmlbench/internal/fixture"
)

// The two diagonals span the plane, so that only L = 0 takes both to 0. The map
// that takes one of them to 0 keeps dissimilar samples apart.
func TestToyNeedsLocalMetrics(t *testing.T) {
	x := fixture.Must(Open("", "toy", Rule{}))(t).Train.X
	var diagonals [2][2]float64
	for class := range diagonals {
		for j := range 2 {
			diagonals[class][j] = x.At(2*class+1, j) - x.At(2*class, j)
		}
	}
	if det := diagonals[0][0]*diagonals[1][1] - diagonals[0][1]*diagonals[1][0]; math.Abs(det) < 1 {
		t.Errorf("the diagonals are nearly parallel, determinant %v", det)
	}
	for class, d := range diagonals {
		length := math.Hypot(d[0], d[1])
		for m := range 2 {
			for n := 2; n < 4; n++ {
				// The distance along the normal of the diagonal.
				along := ((x.At(m, 0)-x.At(n, 0))*d[1] - (x.At(m, 1)-x.At(n, 1))*d[0]) / length
				if math.Abs(along) < 1 {
					t.Errorf("class %d: its map brings samples %d and %d within %v", class, m, n, along)
				}
			}
		}
	}
}
