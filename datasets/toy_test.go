package datasets

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// toySplit returns the toy set, divided by rule authors.
func toySplit(t *testing.T) *Split {
	t.Helper()
	s, err := Open("", "toy", Rule{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestToyParts(t *testing.T) {
	s := toySplit(t)
	for name, part := range map[string]Samples{"validation": s.Validation, "test": s.Test} {
		if !mat.Equal(part.X, s.Train.X) {
			t.Errorf("the %s samples are not those for training", name)
		}
	}
	if rows, cols := s.Train.X.Dims(); rows != 4 || cols != 2 {
		t.Errorf("%d samples, %d features, want 4 and 2", rows, cols)
	}
}

// Opposite corners are of one class: every sample is nearer to both of the other
// class than to its like, and no two distances are equal.
func TestToyDistances(t *testing.T) {
	s := toySplit(t)
	seen := map[float64]bool{}
	similar, dissimilar := math.Inf(1), 0.0
	for m := range 4 {
		for n := range m {
			u, v := s.Train.X.RawRowView(m), s.Train.X.RawRowView(n)
			distance := math.Hypot(u[0]-v[0], u[1]-v[1])
			if seen[distance] {
				t.Errorf("two pairs lie %v apart", distance)
			}
			seen[distance] = true
			if s.Train.Y[m] == s.Train.Y[n] {
				similar = min(similar, distance)
			} else {
				dissimilar = max(dissimilar, distance)
			}
		}
	}
	if len(seen) != 6 || similar <= dissimilar {
		t.Errorf("similar samples are at least %v apart, dissimilar ones at most %v", similar, dissimilar)
	}
}

// The two diagonals span the plane, so that only L = 0 takes both to 0. The map
// that takes one of them to 0 keeps dissimilar samples apart.
func TestToyNeedsLocalMetrics(t *testing.T) {
	x := toySplit(t).Train.X
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
