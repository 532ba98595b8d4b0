package r2lml

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"r2lmlbench/internal/linalg"
)

// A plain solver follows the formulas, pair by pair.
type plain struct{}

func (plain) setSimilarities(*blockDescent) {}

func (plain) release(*blockDescent) {}

func (plain) transforms(ctx context.Context, fits []*blockDescent) {
	for _, f := range fits {
		d := newDescent(f)
		for k := range f.l {
			if err := d.improve(ctx, f, k); err != nil {
				f.err = fmt.Errorf("metric %d: %w", k+1, err)
				break
			}
		}
	}
}

// products computes every entry of S̄^k anew.
func (plain) products(f *blockDescent) func(dst, v []float64, k int) {
	z := linalg.MapByEach(f.l, f.x)
	return func(dst, v []float64, k int) {
		clear(dst)
		for i := range dst {
			zi := z[k].RawRowView(i)
			for j := range i {
				if f.s.at(i, j) {
					e := linalg.SquaredDistance(zi, z[k].RawRowView(j))
					dst[i] += e * v[j]
					dst[j] += e * v[i]
				}
			}
		}
	}
}

func (plain) psi(f *blockDescent) func(m int) []float64 {
	z := linalg.MapByEach(f.l, f.x)
	row := make([]float64, f.s.n)
	return func(m int) []float64 {
		gm := f.g.RawRowView(m)
		for n := range row {
			gn := f.g.RawRowView(n)
			row[n] = 0
			for k, zk := range z {
				e := linalg.SquaredDistance(zk.RawRowView(m), zk.RawRowView(n))
				row[n] += gm[k]*gn[k]*e - f.setting.C*max(0, 1-e)
			}
		}
		return row
	}
}

func (plain) shares(f *blockDescent) []float64 {
	shares := make([]float64, len(f.l))
	for k, l := range f.l {
		g := f.g.Slice(0, f.s.n, k, k+1).(*mat.Dense)
		shares[k] = objective(f.x, f.s, []*mat.Dense{l}, g, f.setting.C, f.setting.Lambda)
	}
	return shares
}

func (plain) objective(f *blockDescent) float64 {
	return objective(f.x, f.s, f.l, f.g, f.setting.C, f.setting.Lambda)
}

// objective returns F of Eq. 4 over ordered pairs: every unordered pair counts
// twice. L holds K maps, g is N×K.
//
//	F = Σ_k Σ_mn [ s_mn g^k_m g^k_n E^k_mn + C (1 − s_mn) [1 − E^k_mn]₊ ] + λ Σ_k ‖L^k‖_*
func objective(x *mat.Dense, s similarity, l []*mat.Dense, g *mat.Dense, c, lambda float64) float64 {
	n, _ := x.Dims()
	var pairs, norms float64
	for k, lk := range l {
		z := linalg.MapRows(lk, x)
		norms += linalg.NuclearNorm(lk)
		for i := range n {
			for j := range i {
				e := linalg.SquaredDistance(z.RawRowView(i), z.RawRowView(j))
				if s.at(i, j) {
					pairs += g.At(i, k) * g.At(j, k) * e
				} else {
					pairs += c * max(0, 1-e)
				}
			}
		}
	}
	return 2*pairs + lambda*norms
}
