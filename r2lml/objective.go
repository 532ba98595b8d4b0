package r2lml

import (
	"gonum.org/v1/gonum/mat"

	"r2lmlbench/internal/linalg"
)

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
