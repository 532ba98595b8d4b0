package linalg

import (
	"context"
	"gonum.org/v1/gonum/mat"

	"r2lmlbench/internal/kernel"
)

// SquaredDistance returns ‖a − b‖², summed in the order of the coordinates.
func SquaredDistance(a, b []float64) float64 {
	var sum float64
	for i, v := range a {
		diff := v - b[i]
		sum += diff * diff
	}
	return sum
}

// Distances are the squared distances between two sets of samples. The zero
// value is ready to Measure.
type Distances struct {
	values []float64 // rows of stride places, the first n of them in use
	stride int
	n      int
	panels []float64 // samples as the kernel wants them
}

// Measure takes the distances from the rows of q, M×D, to those of x, N×D, in
// place of those before, whose memory it uses again. They have the same bits on
// every machine, but not those of [SquaredDistance]. Some are missing when ctx ends.
func (s *Distances) Measure(ctx context.Context, q, x *mat.Dense) {
	m, _ := q.Dims()
	n, d := x.Dims()
	s.n, s.stride = n, kernel.PanelLen(n, 1)
	s.values = resized(s.values, m*s.stride)
	s.panels = resized(s.panels, kernel.PanelLen(n, d))
	from, to := q.RawMatrix(), x.RawMatrix()
	kernel.Pack(s.panels, to.Data, to.Stride, n, d)
	for i := 0; i < m && ctx.Err() == nil; i += distancesAtOnce {
		kernel.SquaredDistances(s.values[i*s.stride:], s.stride, from.Data[i*from.Stride:], from.Stride, min(distancesAtOnce, m-i), s.panels, n, d)
	}
}

// distancesAtOnce are the rows between two looks at a context: few enough for 100,000
// samples of 50 features in a tenth of a second, and a multiple of those that a kernel
// takes together.
const distancesAtOnce = 64

// Row returns the distances from row i of q to the rows of x, for reading until
// the next Measure.
func (s *Distances) Row(i int) []float64 {
	return s.values[i*s.stride:][:s.n:s.n]
}

func resized(s []float64, n int) []float64 {
	if cap(s) < n {
		return make([]float64, n)
	}
	return s[:n]
}
