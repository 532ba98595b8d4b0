package linalg

import (
	"context"
	"slices"

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

// Distances holds the squared distances between two sets of samples. The zero value is ready for
// Measure.
type Distances struct {
	values []float64 // rows of stride entries, the first n of them in use
	stride int
	n, d   int       // of the samples
	panels []float64 // samples in panels of package kernel
}

// Measure computes the distances from the rows of q, M×D, to those of x, N×D. It replaces earlier
// distances and reuses their memory. The bits are the same on every machine, but differ from those
// of [SquaredDistance]. They are incomplete when ctx ends.
func (s *Distances) Measure(ctx context.Context, q, x *mat.Dense) {
	s.To(x)
	s.From(ctx, q)
}

// To sets the samples x, N×D, for the following calls of From.
func (s *Distances) To(x *mat.Dense) {
	s.n, s.d = x.Dims()
	s.stride = kernel.PanelLen(s.n, 1)
	places := kernel.PanelLen(s.n, s.d)
	s.panels = slices.Grow(s.panels[:0], places)[:places]
	to := x.RawMatrix()
	kernel.Pack(s.panels, to.Data, to.Stride, s.n, s.d)
}

// From is Measure with the samples of the last To. Pass a few rows at a time to save memory.
func (s *Distances) From(ctx context.Context, q *mat.Dense) {
	m, _ := q.Dims()
	s.values = slices.Grow(s.values[:0], m*s.stride)[:m*s.stride]
	from := q.RawMatrix()
	for i := 0; i < m && ctx.Err() == nil; i += distancesAtOnce {
		kernel.SquaredDistances(s.values[i*s.stride:], s.stride, from.Data[i*from.Stride:], from.Stride, min(distancesAtOnce, m-i), s.panels, s.n, s.d)
	}
}

// distancesAtOnce is the number of rows between two checks of a context, a multiple of the rows
// that a kernel computes together. They take a tenth of a second for 100,000 samples of 50
// features.
const distancesAtOnce = 64

// Row returns the distances from row i of q to the rows of x. They are valid until the next
// Measure or From.
func (s *Distances) Row(i int) []float64 {
	return s.values[i*s.stride:][:s.n:s.n]
}
