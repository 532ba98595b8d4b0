package batch

import (
	"math/bits"

	"gonum.org/v1/gonum/mat"

	"r2lmlbench/internal/kernel"
	"r2lmlbench/internal/linalg"
)

// A Setting holds the parameters of the objective and of block 1.
type Setting struct {
	Step, Lambda, C float64
	Iterations      int     // most iterations of a descent
	Momentum        bool    // Nesterov's
	Tolerance       float64 // a descent ends when no entry of the gradient is larger
	Bound           float64 // a descent fails when an entry of its next point is larger
}

// A Fit is a batched fit: one setting of a Batch. The caller owns the variables and changes them
// between calls.
type Fit struct {
	Setting
	Pairs *Pairs
	L     []*mat.Dense // K maps; Descend replaces them
	G     *mat.Dense   // coefficients, one row per sample

	batch *Batch
	lanes []*lane // one per metric
}

// NewFit adds a fit. Set its Pairs, L and G before use.
func (b *Batch) NewFit(s Setting) *Fit { return &Fit{Setting: s, batch: b} }

// prepare makes the lanes of a fit for a descent.
func (f *Fit) prepare() {
	if f.lanes == nil {
		for k := range f.L {
			f.lanes = append(f.lanes, &lane{fit: f, k: k})
		}
	}
	for k, l := range f.lanes {
		l.similar = resized(l.similar, f.batch.d*f.batch.d)
		f.Pairs.similar.scatter(l.similar, mat.Col(nil, k, f.G))
	}
}

// Err returns the error of the last descent: nil or a *DivergenceError.
func (f *Fit) Err() error {
	for _, l := range f.lanes {
		if l.err != nil {
			return l.err
		}
	}
	return nil
}

// Products returns the function that computes dst = S̄^k v at the current maps, where s̄^k_mn =
// s_mn E^k_mn (Eq. 5).
func (f *Fit) Products() func(dst, v []float64, k int) { return f.Pairs.similar.products(f.L) }

// Psi returns the function that computes row m of Ψ at the current maps and coefficients. A row is
// valid until the next call.
//
//	ψ_mn = Σ_k ( g^k_m g^k_n E^k_mn − C [1 − E^k_mn]₊ )
func (f *Fit) Psi() func(m int) []float64 {
	z := linalg.MapByEach(f.L, f.batch.x)
	panels, g := make([][]float64, len(z)), make([][]float64, len(z))
	for k := range z {
		panels[k], g[k] = linalg.Panels(z[k]), mat.Col(nil, k, f.G)
	}
	n, d := f.batch.n, f.batch.d
	e, row := make([]float64, kernel.PanelLen(n, 1)), make([]float64, n)
	return func(m int) []float64 {
		clear(row)
		for k := range z {
			kernel.SquaredDistances(e, len(e), z[k].RawRowView(m), d, 1, panels[k], n, d)
			gm := g[k][m]
			for i, gi := range g[k] {
				row[i] += gm*gi*e[i] - f.C*max(0, 1-e[i])
			}
		}
		return row
	}
}

// Objective returns F over ordered pairs at the current variables, after a descent:
//
//	Σ_k ( gᵀ S̄^k g + 2 C Σ_{m<n} (1 − s_mn) [1 − E_mn]₊ + λ ‖L^k‖_* )
func (f *Fit) Objective() float64 {
	var sum float64
	for _, share := range f.Shares() {
		sum += share
	}
	return sum
}

// Shares returns the term of every metric in F.
func (f *Fit) Shares() []float64 {
	if f.lanes == nil {
		f.prepare()
	}
	shares := make([]float64, len(f.lanes))
	product := make([]float64, f.batch.n)
	multiply := f.Products()
	for k, l := range f.lanes {
		g := mat.Col(nil, k, f.G)
		multiply(product, g, k)
		shares[k] = dot(g, product) + 2*f.C*f.batch.hinge(l) + f.Lambda*linalg.NuclearNorm(f.L[k])
	}
	return shares
}

// hinge returns Σ_{m<n} (1 − s_mn) [1 − E_mn]₊ at the map of a lane. With B over the dissimilar
// pairs at distance below 1, it is their number minus tr(L B Lᵀ).
func (b *Batch) hinge(l *lane) float64 {
	m := l.fit.L[l.k]
	copy(b.l, m.RawMatrix().Data)
	if l.near == nil {
		b.clearNear(l)
	}
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

// dot returns aᵀ b, summed in the order of the entries.
func dot(a, b []float64) float64 {
	var sum float64
	for i, v := range a {
		sum += v * b[i]
	}
	return sum
}
