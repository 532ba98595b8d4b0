package r2lml

import "math/rand/v2"

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
