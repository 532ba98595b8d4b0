package r2lml

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"r2lmlbench/internal/linalg"
)

// A selection is block 3 of T-R2LML: minimize Σ_mn s_mn ψ_mn over the
// similarities of the pairs with at least one unlabeled sample, where
//
//	ψ_mn = Σ_k ( g^k_m g^k_n E^k_mn − C [1 − E^k_mn]₊ )
//
// Such a pair is similar where ψ_mn < 0. What becomes of a row without a
// negative entry depends on the variant. The paper's constraint Σ_n s_mn ≥ 2 on
// unlabeled samples gives their row its smallest entry off the diagonal. In
// the authors' program Ψ has a diagonal of 0, which such a row picks, so that
// the sample stays alone; but the row of a labeled sample, whose labeled part
// is masked, is given its smallest entry. S stays symmetric in both. The
// program masks by a large number, which fails when no entry is positive; here
// the labeled block is left out by index. Of equal entries the first is taken.
type selection struct {
	z       []*mat.Dense // K times: all samples mapped, labeled ones first
	g       *mat.Dense   // their coefficients, one row per sample
	c       float64
	labeled int // N
	variant Variant
}

// run returns the similarities chosen for samples whose first labels are y.
func (b *selection) run(ctx context.Context, y []int) (similarity, error) {
	total, _ := b.g.Dims()
	s := labelSimilarity(y, total-len(y))
	for m := range total {
		if err := ctx.Err(); err != nil {
			return similarity{}, err
		}
		b.row(s, m)
	}
	return s, nil
}

// row makes sample m similar to those that its row of Ψ chooses.
func (b *selection) row(s similarity, m int) {
	psi := make([]float64, s.n)
	for n := range psi {
		psi[n] = b.psi(m, n)
	}
	b.choose(s, m, psi)
}

// choose makes sample m similar to those that psi, its row of Ψ, chooses.
func (b *selection) choose(s similarity, m int, psi []float64) {
	first := 0
	if m < b.labeled {
		first = b.labeled
	}
	smallest, partner := math.Inf(1), -1
	for n := first; n < s.n; n++ {
		if n == m {
			continue
		}
		if psi[n] < 0 {
			s.set(m, n)
		}
		if psi[n] < smallest {
			smallest, partner = psi[n], n
		}
	}
	if partner >= 0 && smallest >= 0 && b.needsPartner(m) {
		s.set(m, partner)
	}
}

// needsPartner tells whether a row without a negative entry takes its smallest.
func (b *selection) needsPartner(m int) bool {
	if b.variant == Published {
		return m >= b.labeled
	}
	return m < b.labeled
}

// psi returns ψ_mn.
func (b *selection) psi(m, n int) float64 {
	var sum float64
	gm, gn := b.g.RawRowView(m), b.g.RawRowView(n)
	for k, z := range b.z {
		e := linalg.SquaredDistance(z.RawRowView(m), z.RawRowView(n))
		sum += gm[k]*gn[k]*e - b.c*max(0, 1-e)
	}
	return sum
}
