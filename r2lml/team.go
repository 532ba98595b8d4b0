package r2lml

import (
	"context"
	"fmt"
	"math"
	"math/bits"

	"gonum.org/v1/gonum/mat"

	"r2lmlbench/internal/kernel"
	"r2lmlbench/internal/linalg"
)

// A team fits several settings to one problem side by side: block 1 runs the
// maps of all of them in the lanes of a laneDescent. Its epochs are those of
// alternation.minimize, with the same iterates to rounding.
type team struct {
	descent *laneDescent
	members []*member
}

// A member is one setting of a team. Its methods are the fast forms of those of
// its alternation.
type member struct {
	*alternation
	descent    *laneDescent                  // the team's
	pairs      pairs                         // those with s_mn = 1
	dissimilar []uint64                      // those with s_mn = 0, in the layout of kernel.Near
	lanes      []*lane                       // one per metric
	later      []func(context.Context) error // the blocks behind block 1
	value      float64                       // F after the last epoch
	done       func(error)
}

// pairs are the similar pairs of a member in a form made for speed.
type pairs interface {
	// scatter writes A = Σ_{m<n} s_mn g_m g_n D_mn D_mnᵀ, D×D, to dst.
	scatter(dst, g []float64)
	// multiply returns the products S̄^k v at the maps l.
	multiply(l []*mat.Dense) func(dst, v []float64, k int)
}

// run fits every member and tells its done function.
func (t *team) run(ctx context.Context) {
	open := t.members
	for _, m := range open {
		m.value = math.Inf(1)
	}
	for epoch := 1; len(open) > 0; epoch++ {
		err := t.transforms(ctx, open)
		var left []*member
		for _, m := range open {
			ended, err := m.epoch(ctx, err)
			if err != nil {
				m.done(fmt.Errorf("epoch %d: %w", epoch, err))
			} else if ended || epoch == m.m.Epochs {
				m.done(nil)
			} else {
				left = append(left, m)
			}
		}
		open = left
	}
}

// transforms is block 1 for all members.
func (t *team) transforms(ctx context.Context, members []*member) error {
	var lanes []*lane
	for _, m := range members {
		m.prepare()
		lanes = append(lanes, m.lanes...)
	}
	for len(lanes) > 0 {
		n := min(kernel.Lanes, len(lanes))
		if err := t.descent.run(ctx, lanes[:n]); err != nil {
			return err
		}
		lanes = lanes[n:]
	}
	return nil
}

// epoch finishes the epoch of a member behind block 1, which may have ended with
// an error, and tells whether it was the last.
func (m *member) epoch(ctx context.Context, err error) (ended bool, _ error) {
	if err != nil {
		return false, err
	}
	for _, l := range m.lanes {
		if l.err != nil {
			return false, l.err
		}
	}
	for _, block := range m.later {
		if err := block(ctx); err != nil {
			return false, err
		}
	}
	before := m.value
	m.value = m.objective()
	return math.Abs(before-m.value) < objectiveTolerance, nil
}

// prepare readies the lanes of a member for block 1.
func (m *member) prepare() {
	if m.lanes == nil {
		for k := range m.l {
			m.lanes = append(m.lanes, &lane{m: m, k: k})
		}
	}
	_, d := m.x.Dims()
	for k, l := range m.lanes {
		l.similar = resized(l.similar, d*d)
		m.pairs.scatter(l.similar, mat.Col(nil, k, m.g))
	}
}

// coefficients is block 2.
func (m *member) coefficients(ctx context.Context) error {
	n, metrics := m.g.Dims()
	if metrics == 1 {
		return nil
	}
	b, err := newMajorization(n, metrics, m.m.Variant, m.pairs.multiply(m.l))
	if err != nil {
		return err
	}
	next, err := b.run(ctx, m.g)
	if err != nil {
		return err
	}
	m.g = next
	return nil
}

// objective returns F over ordered pairs, as the plain objective does:
// Σ_k gᵀ S̄^k g + 2 C Σ_{m<n} (1 − s_mn) [1 − E_mn]₊ + λ ‖L^k‖_*.
func (m *member) objective() float64 {
	n, _ := m.g.Dims()
	var sum float64
	sg := make([]float64, n)
	multiply := m.pairs.multiply(m.l)
	for k, l := range m.lanes {
		g := mat.Col(nil, k, m.g)
		multiply(sg, g, k)
		sum += dotRow(g, sg) + 2*m.m.C*m.descent.hinge(l) + m.m.Lambda*linalg.NuclearNorm(m.l[k])
	}
	return sum
}

// hinge returns Σ_{m<n} (1 − s_mn) [1 − E_mn]₊ at the map of a lane: with B over
// the pairs at distance below 1, that is their number less tr(L B Lᵀ).
func (b *laneDescent) hinge(l *lane) float64 {
	m := l.m.l[l.k]
	copy(b.l, m.RawMatrix().Data)
	l.screen.reset() // similarities may have changed
	b.update(l)
	count := 0
	for _, tile := range l.near {
		count += bits.OnesCount64(tile)
	}
	ld := kernel.ScatterStride(b.d)
	var gram mat.SymDense
	gram.SymOuterK(1, m.T())
	var trace float64
	for i := range b.d {
		trace += gram.At(i, i) * l.scatter[i*ld+i]
		for j := i + 1; j < b.d; j++ {
			trace += 2 * gram.At(i, j) * l.scatter[i*ld+j]
		}
	}
	return float64(count) - trace
}
