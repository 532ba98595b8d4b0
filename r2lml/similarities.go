package r2lml

import (
	"context"
	"math"
	"math/rand/v2"
)

// A similarity holds s_mn ∈ {0, 1} for all pairs of samples; s is symmetric
// and s_mm = 1. It takes one bit per entry.
type similarity struct {
	n    int
	rows [][]uint64 // bit n%64 of rows[m][n/64] is s_mn
}

// labelSimilarity has s_mn = 1 for labeled samples of one class. The unlabeled
// samples that follow the labeled ones are similar to none but themselves.
func labelSimilarity(y []int, unlabeled int) similarity {
	total := len(y) + unlabeled
	s := similarity{n: total, rows: make([][]uint64, total)}
	for m := range total {
		s.rows[m] = make([]uint64, (total+63)/64)
		s.set(m, m)
		for n := range min(m, len(y)) {
			if m < len(y) && y[m] == y[n] {
				s.set(m, n)
			}
		}
	}
	return s
}

// coinSimilarity is the start of T-R2LML: labelSimilarity, and a fair coin for
// every other pair, flipped row by row of the lower triangle.
func coinSimilarity(r *rand.Rand, y []int, unlabeled int) similarity {
	s := labelSimilarity(y, unlabeled)
	for m := len(y); m < s.n; m++ {
		for n := range m {
			if r.Uint64()&1 == 1 {
				s.set(m, n)
			}
		}
	}
	return s
}

func (s similarity) at(m, n int) bool { return s.rows[m][n/64]>>(n%64)&1 == 1 }

// set makes m and n similar.
func (s similarity) set(m, n int) {
	s.rows[m][n/64] |= 1 << (n % 64)
	s.rows[n][m/64] |= 1 << (m % 64)
}

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
