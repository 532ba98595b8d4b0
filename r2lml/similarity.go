package r2lml

// A similarity holds s_mn ∈ {0, 1} for all pairs of samples; s is symmetric
// and s_mm = 1.
type similarity struct {
	n       int
	similar []bool // n×n, row-major
}

// labelSimilarity has s_mn = 1 for samples of one class (E-R2LML, Eq. 4).
func labelSimilarity(y []int) similarity {
	s := similarity{n: len(y), similar: make([]bool, len(y)*len(y))}
	for m, ym := range y {
		for n, yn := range y {
			s.similar[m*s.n+n] = ym == yn
		}
	}
	return s
}

func (s similarity) at(m, n int) bool { return s.similar[m*s.n+n] }
