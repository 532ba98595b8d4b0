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
	own := make([]float64, count) // scratch
	var block linalg.Distances
	block.To(z)
	for from := 0; from < count && n.ctx.Err() == nil; from += ncaRows {
		to := min(from+ncaRows, count)
		block.From(n.ctx, z.Slice(from, to, 0, l.RawMatrix().Rows).(*mat.Dense))
		for i := from; i < to; i++ {
			row, same := block.Row(i-from), indicators[n.y[i]]
			row[i] = math.Inf(1)
			if n.loss == LogLoss {
				p[i] = logRow(row, own, same, one)
			} else {
				p[i] = accuracyRow(row, same, one)
			}
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

// accuracyRow turns the squared distances of a sample into its row of W, and returns p_i.
func accuracyRow(row, same, one []float64) float64 {
	exponentials(row, row, minimum(row))
	scale := 1 / dot(row, one)
	p := scale * dot(row, same)
	for j, s := range same[:len(row)] {
		row[j] *= scale * (p - s)
	}
	return p
}

// logRow is accuracyRow for LogLoss, with log p_i. own is scratch.
func logRow(row, own, same, one []float64) float64 {
	for j, d := range row {
		if own[j] = math.Inf(1); same[j] != 0 {
			own[j] = d
		}
	}
	least, leastOwn := minimum(row), minimum(own)
	if math.IsInf(leastOwn, 1) { // alone in its class
		clear(row)
		return 0
	}
	exponentials(own, own, leastOwn)
	exponentials(row, row, least)
	all, sum := dot(row, one), dot(own, same)
	for j, s := range same[:len(row)] {
		row[j] = row[j]/all - s*own[j]/sum
	}
	return math.Log(sum) - leastOwn - (math.Log(all) - least)
}

// dot is a product in the order of [kernel.Dots], which is the same everywhere.
func dot(a, b []float64) float64 {
	var product [1]float64
	kernel.Dots(product[:], a, len(a), b)
	return product[0]
}

// exponentials writes exp(least − d) of the squared distances d to dst, which may be d; 0 for
// those beyond leastExponent, which take long.
func exponentials(dst, d []float64, least float64) {
	dst = dst[:len(d)]
	zero := math.Inf(-1)
	for j, v := range d {
		e := least - v
		if e < leastExponent {
			e = zero
		}
		dst[j] = e
	}
	kernel.Exp(dst, dst)
}
