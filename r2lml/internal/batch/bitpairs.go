package batch

import (
	"gonum.org/v1/gonum/mat"

	"r2lmlbench/internal/kernel"
	"r2lmlbench/internal/linalg"
)

// bitPairs are the similar pairs of any similarity. A sum over the similar
// samples of a row adds the rows of a table whose bits are set.
type bitPairs struct {
	x     *mat.Dense // N×D samples, centered
	marks *kernel.Marks
	stop  func() bool
}

// scatter implements [similarPairs]. With T_m = Σ_n s_mn g_n (1, x_n),
//
//	Σ_{m<n} s_mn g_m g_n (x_m − x_n)(x_m − x_n)ᵀ = Σ_m g_m x_m (T_m0 x_m − T_m1..)ᵀ
//
// which is symmetric up to rounding; its symmetric part is taken.
func (b bitPairs) scatter(dst, g []float64) {
	_, d := b.x.Dims()
	table := kernel.NewRowSums(b.marks, 1+d)
	table.Stop = b.stop
	for n, gn := range g {
		row := table.Row(n)
		row[0] = gn
		for j, v := range b.x.RawRowView(n) {
			row[1+j] = gn * v
		}
	}
	table.Sum()
	a := make([]float64, d*d)
	for m, gm := range g {
		sum, x := table.Total(m), b.x.RawRowView(m)
		for i, xi := range x {
			for j, xj := range x {
				a[i*d+j] += gm * xi * (sum[0]*xj - sum[1+j])
			}
		}
	}
	for i := range d {
		for j := range d {
			dst[i*d+j] = (a[i*d+j] + a[j*d+i]) / 2
		}
	}
}

// products implements [similarPairs]. With the mapped samples z, r = |z|² and
// T_m = Σ_n s_mn v_n (1, r_n, z_n),
//
//	(S̄ v)_m = Σ_n s_mn (r_m + r_n − 2 z_mᵀ z_n) v_n = r_m T_m0 + T_m1 − 2 z_mᵀ T_m2..
func (b bitPairs) products(l []*mat.Dense) func(dst, v []float64, k int) {
	z := linalg.MapByEach(l, b.x)
	n, d := b.x.Dims()
	table := kernel.NewRowSums(b.marks, 2+d)
	table.Stop = b.stop
	r := make([]float64, n)
	return func(dst, v []float64, k int) {
		for n, vn := range v {
			zn, row := z[k].RawRowView(n), table.Row(n)
			r[n] = dot(zn, zn)
			row[0], row[1] = vn, vn*r[n]
			for j, u := range zn {
				row[2+j] = vn * u
			}
		}
		table.Sum()
		for m := range dst {
			sum := table.Total(m)
			dst[m] = r[m]*sum[0] + sum[1] - 2*dot(z[k].RawRowView(m), sum[2:2+d])
		}
	}
}
