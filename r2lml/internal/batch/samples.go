package batch

import (
	"gonum.org/v1/gonum/mat"

	"r2lmlbench/internal/kernel"
	"r2lmlbench/internal/linalg"
)

// Samples are the packed samples of a problem, in the layouts of package kernel that every fit to
// it shares. They are centered, so that squared norms lose few digits in differences. They are
// read-only.
type Samples struct {
	n, d    int
	x       *mat.Dense    // N×D
	panels  []float64     // x in panels
	rows    []float64     // x by rows of kernel.ScatterStride entries
	moments *mat.SymDense // D×D second moments XᵀX/N
	radius  float64       // upper bound of the norms of the samples
}

// Pack centers and packs the rows of x, N×D.
func Pack(x *mat.Dense) *Samples {
	n, d := x.Dims()
	s := &Samples{n: n, d: d, x: centered(x)}
	s.panels = linalg.Panels(s.x)
	ld := kernel.ScatterStride(d)
	s.rows = make([]float64, n*ld)
	for i := range n {
		row := s.x.RawRowView(i)
		copy(s.rows[i*ld:], row)
		s.radius = max(s.radius, normBound(row))
	}
	s.moments = mat.NewSymDense(d, nil)
	s.moments.SymOuterK(1/float64(n), s.x.T())
	return s
}

// centered returns x minus the mean of its rows.
func centered(x *mat.Dense) *mat.Dense {
	n, d := x.Dims()
	c := mat.DenseCopyOf(x)
	for j := range d {
		mean := mat.Sum(x.ColView(j)) / float64(n)
		for i := range n {
			c.Set(i, j, c.At(i, j)-mean)
		}
	}
	return c
}
