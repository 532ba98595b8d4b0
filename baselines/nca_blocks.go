package baselines

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"r2lmlbench/internal/kernel"
	"r2lmlbench/internal/linalg"
)

const (
	// NCAWhole are the samples up to which NCA holds its N×N weights, 32 MiB. Above, it has a
	// block of rows at a time, which sums up in another order.
	NCAWhole = 2048
	// ncaRows and ncaColumns are the parts of W that are worked on at once: rows that fit
	// into a cache, and so many samples that they stay in the nearest one.
	ncaRows, ncaColumns = 16, 256
	// leastExponent is that of the least exponential that counts beside the largest of a row, 1.
	leastExponent = -690
)

// byBlocks is at without W, in memory for N D numbers. Rows of W are made by themselves,
// so that its transpose is not to be had; but with V = W X and u = W1 + Wᵀ1
//
//	Xᵀ (diag(S1) − S) X = XᵀU + UᵀX,   U = diag(u) X/2 − V
func (n neighborhoods) byBlocks(l, z *mat.Dense) ascent {
	count, d := n.x.Dims()
	x, columns := n.x.RawMatrix(), mat.DenseCopyOf(n.x.T())
	v := mat.NewDense(count, d, nil)
	p, u := make([]float64, count), make([]float64, count)
	one, indicators := make([]float64, count), n.indicators()
	floats.AddConst(1, one)
	var block linalg.Distances
	block.To(z)
	for from := 0; from < count && n.ctx.Err() == nil; from += ncaRows {
		to := min(from+ncaRows, count)
		block.From(n.ctx, z.Slice(from, to, 0, l.RawMatrix().Rows).(*mat.Dense))
		for i := from; i < to; i++ {
			row, same := block.Row(i-from), indicators[n.y[i]]
			row[i] = math.Inf(1)
			p[i] = weightRow(row, same, one)
			row[i] = 0
			u[i] += dot(row, one)
			kernel.AddRows(u, one[:1], row, count)
		}
		for j := 0; j < count; j += ncaColumns {
			next := min(j+ncaColumns, count)
			for i := from; i < to; i++ {
				kernel.AddRows(v.RawRowView(i), block.Row(i - from)[j:next], x.Data[j*x.Stride:], x.Stride)
			}
		}
	}
	for i, sum := range u {
		row := v.RawRowView(i)
		floats.Scale(-1, row)
		floats.AddScaled(row, sum/2, n.x.RawRowView(i))
	}
	half := mat.NewDense(d, d, nil)
	for i := range d {
		kernel.AddRows(half.RawRowView(i), columns.RawRowView(i), v.RawMatrix().Data, d)
	}
	var form, gradient mat.Dense
	form.Add(half, half.T())
	gradient.Mul(l, &form)
	gradient.Scale(2, &gradient)
	return ascent{value: floats.Sum(p), p: p, gradient: &gradient}
}

// weightRow turns the squared distances of a sample into its row of W, and returns p_i.
// Exponentials beyond leastExponent, which take long, are 0.
func weightRow(row, same, one []float64) float64 {
	least, zero := minimum(row), math.Inf(-1)
	for j, v := range row {
		e := least - v
		if e < leastExponent {
			e = zero
		}
		row[j] = e
	}
	kernel.Exp(row, row)
	scale := 1 / dot(row, one)
	p := scale * dot(row, same)
	for j, s := range same[:len(row)] {
		row[j] *= scale * (p - s)
	}
	return p
}

// dot is a product in the order of [kernel.Dots], which is the same everywhere.
func dot(a, b []float64) float64 {
	var product [1]float64
	kernel.Dots(product[:], a, len(a), b)
	return product[0]
}
