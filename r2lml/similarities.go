package r2lml

import (
	"context"
	"math"
)

// similarities is block 3 of T-R2LML: minimize Σ_mn s_mn ψ_mn over the
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
func (f *blockDescent) similarities(ctx context.Context, s solver) {
	if f.err != nil {
		return
	}
	psi, next := s.psi(f), labelSimilarity(f.y, f.s.n-len(f.y))
	for m := range next.n {
		if f.err = ctx.Err(); f.err != nil {
			return
		}
		f.choose(next, m, psi(m))
	}
	f.s = next
	s.setSimilarities(f)
	f.err = f.tracer.blockEnded(3, 0)
}

// choose makes sample m similar to those that psi, its row of Ψ, chooses.
func (f *blockDescent) choose(s similarity, m int, psi []float64) {
	first := 0
	if m < len(f.y) {
		first = len(f.y)
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
	if partner >= 0 && smallest >= 0 && f.needsPartner(m) {
		s.set(m, partner)
	}
}

// needsPartner tells whether a row without a negative entry takes its smallest.
func (f *blockDescent) needsPartner(m int) bool {
	switch f.setting.Variant {
	case Published:
		return m >= len(f.y)
	case Regularized:
		return false
	}
	return m < len(f.y)
}
