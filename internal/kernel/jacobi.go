package kernel

// A basis holds, for Lanes matrices A, columns that stack W = A V over an
// orthogonal V. One-sided Jacobi rotations of two columns preserve W = A V and
// make the columns of W orthogonal. At the end their norms are the singular values
// of A, and V has the right singular vectors.
type basis struct {
	d       int
	ld      int       // vectors from one column to the next; odd, to spread over cache sets
	columns []float64 // D columns and two of zeros, which pad the order
	pairs   []int32   // see rotationOrder
	quads   []int32
}

func newBasis(d int) basis {
	b := basis{d: d, ld: columnStride(d)}
	b.columns = make([]float64, (d+2)*b.ld*Lanes)
	b.pairs, b.quads = rotationOrder(d)
	for p := range Lanes {
		b.reset(p)
	}
	return b
}

// columnStride is the number of vectors from one column to the next.
func columnStride(d int) int { return 2*d + 1 }

// reset sets V of lane p to the identity.
func (b *basis) reset(p int) {
	v := b.v()
	for j := range b.d {
		for i := range b.d {
			v[(j*b.ld+i)*Lanes+p] = 0
		}
		v[(j*b.ld+j)*Lanes+p] = 1
	}
}

func (b *basis) w() []float64 { return b.columns }
func (b *basis) v() []float64 { return b.columns[b.d*Lanes:] }

// The strides of W (or V) and of its transpose.
func (b *basis) plain() stride      { return stride{1, b.ld} }
func (b *basis) transposed() stride { return stride{b.ld, 1} }

// cachedColumns is the number of vectors that a sweep keeps in the cache.
const cachedColumns = 448

// rotationOrder lists the rotations of a sweep. Every four columns p1, q1, p2, q2 of
// pairs are two disjoint pairs, rotated side by side. Then come quads: their four columns
// are rotated in the same way and then crossed, p1 with q2 and p2 with q1. Each pair of the
// d columns occurs once; the zero columns d and d+1 fill up incomplete groups. Two or four
// columns stay in the cache while the others pass.
func rotationOrder(d int) (pairs, quads []int32) {
	n := int32(d)
	for p := int32(0); p+1 < n; p += 2 {
		pairs = append(pairs, p, p+1)
	}
	for len(pairs) == 0 || len(pairs)%4 != 0 {
		pairs = append(pairs, n, n+1)
	}
	stay := int32(2)
	if 6*columnStride(d) <= cachedColumns {
		stay = 4
	}
	for first := int32(0); first < n; first += stay {
		for q := first + 2; q < n; q += 2 {
			for p := first; p < min(q, first+stay); p += 2 {
				quads = append(quads, p, q, p+1, q+1)
			}
		}
	}
	return pairs, quads
}
