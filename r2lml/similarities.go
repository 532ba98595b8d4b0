package r2lml

import (
	"context"
	"math"
	"math/bits"
	"math/rand/v2"

	"r2lmlbench/internal/linalg"
)

// A similarity holds s_mn ∈ {0, 1} for all pairs of samples; s is symmetric
// and s_mm = 1. It takes one bit per entry.
type similarity struct {
	n    int
	rows [][]uint64 // bit n%64 of rows[m][n/64] is s_mn
}

// labelSimilarity has s_mn = 1 for labeled samples of one class. The unlabeled
// samples that follow the labeled ones are similar only to themselves.
func labelSimilarity(y []int, unlabeled int) similarity {
	total := len(y) + unlabeled
	s := similarity{n: total, rows: make([][]uint64, total)}
	members := map[int][]uint64{} // by class
	for n, label := range y {
		if members[label] == nil {
			members[label] = make([]uint64, (total+63)/64)
		}
		members[label][n/64] |= 1 << (n % 64)
	}
	for m := range total {
		s.rows[m] = make([]uint64, (total+63)/64)
		if m < len(y) {
			copy(s.rows[m], members[y[m]])
		}
		s.set(m, m)
	}
	return s
}

// coinSimilarity is the start of T-R2LML: labelSimilarity, and a fair coin for
// every other pair, flipped row by row of the lower triangle. It is incomplete when
// ctx ends.
func coinSimilarity(ctx context.Context, r *rand.Rand, y []int, unlabeled int) similarity {
	s := labelSimilarity(y, unlabeled)
	for i := range linalg.Rows(ctx, unlabeled) {
		m := len(y) + i
		for n := range m {
			s.rows[m][n/64] |= r.Uint64() & 1 << (n % 64)
		}
	}
	s.mirror(ctx)
	return s
}

func (s similarity) at(m, n int) bool { return s.rows[m][n/64]>>(n%64)&1 == 1 }

// set makes m and n similar.
func (s similarity) set(m, n int) {
	s.rows[m][n/64] |= 1 << (n % 64)
	s.rows[n][m/64] |= 1 << (m % 64)
}

// mirror makes s symmetric: s_mn becomes 1 if s_mn or s_nm is. It transposes blocks of
// 64 × 64 pairs, which is much faster than setting both bits of a pair. It returns early
// when ctx ends.
func (s similarity) mirror(ctx context.Context) {
	var upper, lower [64]uint64
	for i := range linalg.Rows(ctx, (s.n+63)/64) {
		for j := range i + 1 {
			s.readBlock(&lower, i, j)
			s.readBlock(&upper, j, i)
			transpose(&upper)
			for k := range lower {
				lower[k] |= upper[k]
			}
			upper = lower
			transpose(&upper)
			s.writeBlock(&lower, i, j)
			s.writeBlock(&upper, j, i)
		}
	}
}

// readBlock reads word j of rows 64i to 64i+63; rows after the last are 0.
func (s similarity) readBlock(block *[64]uint64, i, j int) {
	clear(block[:])
	for k, row := range s.rows[64*i : min(64*i+64, s.n)] {
		block[k] = row[j]
	}
}

// writeBlock writes a block of readBlock back.
func (s similarity) writeBlock(block *[64]uint64, i, j int) {
	for k, row := range s.rows[64*i : min(64*i+64, s.n)] {
		row[j] = block[k]
	}
}

// transpose exchanges bit n of word m with bit m of word n: squares of 32 bits first, then
// those of 16 within them, down to single bits.
func transpose(block *[64]uint64) {
	mask := uint64(1<<32 - 1)
	for side := 32; side > 0; side /= 2 {
		for m := range block {
			if m&side == 0 {
				other := &block[m+side]
				exchanged := (block[m]>>side ^ *other) & mask
				block[m] ^= exchanged << side
				*other ^= exchanged
			}
		}
		mask ^= mask << (side / 2)
	}
}

// similarities is block 3 of T-R2LML: minimize Σ_mn s_mn ψ_mn over the
// similarities of the pairs with at least one unlabeled sample, where
//
//	ψ_mn = Σ_k ( g^k_m g^k_n E^k_mn − C [1 − E^k_mn]₊ )
//
// Such a pair is similar if ψ_mn < 0. A row without a negative entry depends on the
// variant. In the paper, the constraint Σ_n s_mn ≥ 2 makes an unlabeled sample similar
// to its smallest entry off the diagonal. In the authors' program the diagonal of Ψ is
// 0 and is the smallest entry of such a row, so that the sample has no partner; a
// labeled sample, whose labeled part is masked, gets its smallest entry. S stays
// symmetric in both. The program masks with a large number, which fails when no entry
// is positive; we skip the labeled block by index. Ties go to the first entry.
func (f *blockDescent) similarities(ctx context.Context, s solver) {
	if f.err != nil {
		return
	}
	psi, next := s.psi(f), labelSimilarity(f.y, f.s.n-len(f.y))
	for m := range linalg.Rows(ctx, next.n) {
		f.choose(next, m, psi(m))
	}
	next.mirror(ctx)
	if f.err = ctx.Err(); f.err != nil {
		return
	}
	f.s = next
	s.setSimilarities(f)
	f.err = f.tracer.blockEnded(3, 0)
}

// choose sets row m of s from psi, row m of Ψ.
func (f *blockDescent) choose(s similarity, m int, psi []float64) {
	first := 0
	if m < len(f.y) {
		first = len(f.y)
	}
	row, smallest, partner := s.rows[m], math.Inf(1), -1
	for n := first; n < s.n; n++ {
		row[n/64] |= negative(psi[n]) << (n % 64) // s_mm is 1 anyway
		if psi[n] < smallest && n != m {
			smallest, partner = psi[n], n
		}
	}
	if partner >= 0 && smallest >= 0 && f.needsPartner(m) {
		row[partner/64] |= 1 << (partner % 64)
	}
}

// negative returns 1 if v < 0, and 0 otherwise, without a branch, which would be mispredicted.
func negative(v float64) uint64 {
	const minusZero, minusInfinity = 1 << 63, 0xfff << 52
	// The negative numbers have the bits from minusZero+1 to minusInfinity.
	_, is := bits.Sub64(math.Float64bits(v)-(minusZero+1), minusInfinity-minusZero, 0)
	return is
}

// needsPartner reports whether a row without a negative entry takes its smallest entry.
func (f *blockDescent) needsPartner(m int) bool {
	switch f.setting.Variant {
	case Published:
		return m >= len(f.y)
	case Regularized:
		return false
	}
	return m < len(f.y)
}
