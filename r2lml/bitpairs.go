package r2lml

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"r2lmlbench/internal/kernel"
	"r2lmlbench/internal/linalg"
)

// bitPairs are the similar pairs of any similarity. Sums over the similar
// samples of a row add up the rows of a table that its bits mark.
type bitPairs struct {
	x     *mat.Dense // N×D samples, centered
	marks *kernel.Marks
}

// scatter writes A to dst. With T_m = Σ_n s_mn g_n (1, x_n),
//
//	Σ_{m<n} s_mn g_m g_n (x_m − x_n)(x_m − x_n)ᵀ = Σ_m g_m x_m (T_m0 x_m − T_m1..)ᵀ
//
// which is symmetric up to rounding; its symmetric part is taken.
func (b bitPairs) scatter(dst, g []float64) {
	_, d := b.x.Dims()
	table := kernel.NewRowSums(b.marks, 1+d)
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

// multiply returns the products S̄^k v. With the mapped samples z, r = |z|² and
// T_m = Σ_n s_mn v_n (1, r_n, z_n),
//
//	(S̄ v)_m = Σ_n s_mn (r_m + r_n − 2 z_mᵀ z_n) v_n = r_m T_m0 + T_m1 − 2 z_mᵀ T_m2..
func (b bitPairs) multiply(l []*mat.Dense) func(dst, v []float64, k int) {
	z := linalg.MapByEach(l, b.x)
	n, d := b.x.Dims()
	table := kernel.NewRowSums(b.marks, 2+d)
	r := make([]float64, n)
	return func(dst, v []float64, k int) {
		for n, vn := range v {
			zn, row := z[k].RawRowView(n), table.Row(n)
			r[n] = dotRow(zn, zn)
			row[0], row[1] = vn, vn*r[n]
			for j, u := range zn {
				row[2+j] = vn * u
			}
		}
		table.Sum()
		for m := range dst {
			sum := table.Total(m)
			dst[m] = r[m]*sum[0] + sum[1] - 2*dotRow(z[k].RawRowView(m), sum[2:2+d])
		}
	}
}

// usePairs derives what depends on the similarities of a member.
func (m *member) usePairs(x *mat.Dense) {
	m.pairs = bitPairs{x: x, marks: kernel.NewMarks(m.s.rows)}
	m.dissimilar = dissimilarPairs(m.s)
}

// similarities is block 3: [selection], a row of Ψ at a time from squared
// distances in panels.
func (m *member) similarities(ctx context.Context) error {
	b := newTileSelection(m)
	s := labelSimilarity(m.y, m.s.n-len(m.y))
	for row := range s.n {
		if err := ctx.Err(); err != nil {
			return err
		}
		b.selection.choose(s, row, b.psi(row))
	}
	m.s = s
	m.usePairs(m.descent.x)
	return nil
}

// A tileSelection computes rows of Ψ.
type tileSelection struct {
	selection
	panels [][]float64 // K times: the mapped samples in panels
	g      [][]float64 // K times: the coefficients of all samples
	e, row []float64   // scratch: squared distances, Ψ
}

func newTileSelection(m *member) *tileSelection {
	n, _ := m.x.Dims()
	b := &tileSelection{
		selection: selection{z: linalg.MapByEach(m.l, m.descent.x), g: m.alternation.g, c: m.m.C, labeled: len(m.y), variant: m.m.Variant},
		e:         make([]float64, kernel.PanelLen(n, 1)), row: make([]float64, n),
	}
	for k, z := range b.z {
		b.panels = append(b.panels, linalg.Panels(z))
		b.g = append(b.g, mat.Col(nil, k, m.alternation.g))
	}
	return b
}

// psi returns ψ_mn for all n, good until the next call.
func (b *tileSelection) psi(m int) []float64 {
	clear(b.row)
	for k, z := range b.z {
		_, d := z.Dims()
		kernel.SquaredDistances(b.e, len(b.e), z.RawRowView(m), d, 1, b.panels[k], len(b.row), d)
		gm := b.g[k][m]
		for n, gn := range b.g[k] {
			b.row[n] += gm*gn*b.e[n] - b.c*max(0, 1-b.e[n])
		}
	}
	return b.row
}
