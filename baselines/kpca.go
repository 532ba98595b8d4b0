package baselines

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"r2lmlbench/internal/linalg"
)

// A kernelPCA holds the leading principal components of samples under the
// kernel
//
//	k(x, z) = exp(−‖x − z‖²/width)
//
// of which the scores of a sample are its coordinates.
//
// B. Schölkopf, A. Smola, K.-R. Müller, Nonlinear Component Analysis as a Kernel
// Eigenvalue Problem, Neural Computation 10 (1998).
type kernelPCA struct {
	x          *mat.Dense
	width      float64
	mean       []float64  // of the kernel with each sample
	components *mat.Dense // one per row: eigenvectors of the centered kernel matrix, divided by √λ
}

// componentCut is the share of the largest eigenvalue up to which another one
// counts as zero.
const componentCut = 1e-10

// newKernelPCA finds at most k components. There are none when all samples are
// equal.
func newKernelPCA(ctx context.Context, x *mat.Dense, k int, width float64) (*kernelPCA, error) {
	n, _ := x.Dims()
	p := &kernelPCA{x: x, width: width, mean: make([]float64, n), components: &mat.Dense{}}
	kernel := mat.NewSymDense(n, nil)
	for i := range linalg.Rows(ctx, n) {
		row := p.kernel(x.RawRowView(i))
		p.mean[i] = stat.Mean(row, nil)
		for j := i; j < n; j++ {
			kernel.SetSym(i, j, row[j])
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	all := stat.Mean(p.mean, nil)
	for i := range n {
		for j := i; j < n; j++ {
			kernel.SetSym(i, j, kernel.At(i, j)-p.mean[i]-p.mean[j]+all)
		}
	}
	var values []float64
	var v *mat.Dense
	var fault error
	if err := linalg.Until(ctx, func() { values, v, fault = linalg.Eigen(kernel) }); err != nil {
		return nil, err
	}
	if fault != nil {
		return nil, fault
	}
	cut := componentCut * values[n-1]
	var rows []float64 // the components, largest eigenvalue first
	for i := n - 1; i >= 0 && len(rows) < k*n && values[i] > cut && values[i] > componentCut; i-- {
		column := mat.Col(nil, i, v)
		floats.Scale(1/math.Sqrt(values[i]), column)
		rows = append(rows, column...)
	}
	if len(rows) > 0 {
		p.components = mat.NewDense(len(rows)/n, n, rows)
	}
	return p, nil
}

// kernel returns k(v, x_n) for every sample.
func (p *kernelPCA) kernel(v []float64) []float64 {
	k := squaredDistances(p.x, v)
	for i, d := range k {
		k[i] = math.Exp(-d / p.width)
	}
	return k
}

// scores returns the coordinates of v on the components.
func (p *kernelPCA) scores(v []float64) []float64 {
	count, _ := p.components.Dims()
	z := make([]float64, count)
	if count == 0 {
		return z
	}
	k := p.kernel(v)
	floats.Sub(k, p.mean)
	floats.AddConst(-stat.Mean(k, nil), k)
	for c := range z {
		z[c] = floats.Dot(p.components.RawRowView(c), k)
	}
	return z
}

// medianDistance returns the median Euclidean distance over all ordered pairs
// of rows, including each row with itself; the mean if the median is 0, and 1
// if all rows are equal. The result is undefined when ctx ends.
func medianDistance(ctx context.Context, x *mat.Dense) float64 {
	n, _ := x.Dims()
	all := make([]float64, 0, n*n)
	for i := range linalg.Rows(ctx, n) {
		all = append(all, squaredDistances(x, x.RawRowView(i))...)
	}
	for i, d := range all {
		all[i] = math.Sqrt(d)
	}
	if linalg.Until(ctx, func() { slices.Sort(all) }) != nil {
		return 1
	}
	h := len(all) / 2
	median := all[h]
	if len(all)%2 == 0 {
		median = (all[h-1] + all[h]) / 2
	}
	switch {
	case median > 0:
		return median
	case all[len(all)-1] > 0:
		return stat.Mean(all, nil)
	default:
		return 1
	}
}
