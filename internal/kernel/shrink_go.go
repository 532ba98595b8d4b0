package kernel

import "math"

// A residual holds five measures, one vector each, of how far the columns of a basis are from
// orthogonal; see shrinkGo.
type residual = [5]vector

const (
	off     = iota // Σ η_ij² over pairs above τ
	lever          // the largest (η_ij b/a²)² of pairs that τ divides
	spill          // Σ g_ij² over pairs below τ
	clash          // 1 if some pair is too far from orthogonal by itself, else 0
	nuclear        // Σ_i max(0, σ_i − τ)
)

// shrinkGo writes Ψ = ψ(G), ψ(x) = min(1, τ/√x), for G = WᵀW, to first order
// in the cosines of the columns of W, η_ij = g_ij/(σ_i σ_j), σ_i = √g_ii. Only
// the upper triangle of g is read. With a ≥ b the larger and the smaller of
// σ_i and σ_j, divided differences of ψ give
//
//	Ψ_ii = τ/σ_i if σ_i > τ, else 1
//	Ψ_ij = −τ η_ij / (σ_i + σ_j)                if b > τ
//	     = −η_ij b (a − τ) / ((a − b)(a + b))   if a > τ ≥ b
//	     = 0                                    if τ ≥ a
//
// The error of the proximal map, by entry, is about
//
//	τ Σ η_ij² over the pairs of the first kind,
//	e = η_ij a² b / ((a − b)(a + b)) times the sine of the angle by which a turns,
//	  or η_ij (b/a²) times |g_ij| over the pairs below τ, for the second,
//	0 for the third,
//
// as long as τ separates the singular values as it separates the columns. By Gershgorin's theorem D
// |η_ij| b² ≤ b² − τ² for each pair of the first kind, and D |g_ij| ≤ τ² − a² for each of the
// third, ensure that.
//
// The error should stay below bound: r[off] must be at most bound/τ, and r[lever] times r[spill] at
// most bound². r[clash] reports that e² > bound·τ for a pair of the second kind, or that a pair
// exceeds Gershgorin's bounds by more than τ·bound, unless η_ij a ≤ 4 bound, where more rotations
// do not help. Columns with g_ii ≤ floor count as 0. root is scratch.
func shrinkGo(psi, g, root []float64, d int, tau, floor, bound *vector, r *residual) {
	*r = residual{}
	for i := range d {
		shrinkDiagonal(psi, g, root, d, i, tau, floor, r)
	}
	for i := range d {
		for j := i + 1; j < d; j++ {
			shrinkPair(psi, g, root, d, i, j, tau, bound, r)
		}
	}
}

// shrinkDiagonal also sets vector 2i of root to σ_i and 2i+1 to 1/σ_i or 0.
func shrinkDiagonal(psi, g, root []float64, d, i int, tau, floor *vector, r *residual) {
	x, to := at(g, i*d+i), at(psi, i*d+i)
	sigma, inverse := at(root, 2*i), at(root, 2*i+1)
	for l := range Lanes {
		sigma[l], inverse[l], to[l] = 0, 0, 1
		if x[l] > floor[l] {
			sigma[l] = math.Sqrt(x[l])
			inverse[l] = 1 / sigma[l]
		}
		if sigma[l] > tau[l] {
			to[l] = tau[l] * inverse[l]
			r[nuclear][l] += sigma[l] - tau[l]
		}
	}
}

func shrinkPair(psi, g, root []float64, d, i, j int, tau, bound *vector, r *residual) {
	x, up, low := at(g, i*d+j), at(psi, i*d+j), at(psi, j*d+i)
	si, ri, sj, rj := at(root, 2*i), at(root, 2*i+1), at(root, 2*j), at(root, 2*j+1)
	for l := range Lanes {
		eta := float64(x[l]*ri[l]) * rj[l]
		a, b, ra := si[l], sj[l], ri[l]
		if b > a {
			a, b, ra = b, a, rj[l]
		}
		sum, gap := a+b, a-b
		arm := eta * a
		wide := float64(arm*arm) > float64(bound[l]*bound[l])*16
		var v float64
		switch small := eta * b; {
		case b > tau[l]:
			v = -(float64(tau[l]*eta) / sum)
			r[off][l] = math.FMA(eta, eta, r[off][l])
			radius := math.Abs(float64(small*b)) * float64(d)
			if wide && radius > float64((b-tau[l])*(b+tau[l]))+float64(bound[l]*tau[l]) {
				r[clash][l] = 1
			}
		case a > tau[l]:
			v = -(float64(small*(a-tau[l])) / float64(gap*sum))
			turn, space := float64(small*a)*a, gap*sum
			if wide && float64(turn*turn) > float64(float64(bound[l]*tau[l])*float64(space*space)) {
				r[clash][l] = 1
			}
			if q := float64(small*ra) * ra; q*q > r[lever][l] {
				r[lever][l] = q * q
			}
		default:
			gamma := float64(small * a)
			r[spill][l] = math.FMA(gamma, gamma, r[spill][l])
			radius := math.Abs(gamma) * float64(d)
			if wide && radius > float64(bound[l]*tau[l])-float64((a-tau[l])*(a+tau[l])) {
				r[clash][l] = 1
			}
		}
		up[l], low[l] = v, v
	}
}
