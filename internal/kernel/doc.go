// Package kernel holds the float64 inner loops of the solvers: which pairs of
// samples are near each other under a linear map, squared distances, scatter
// matrices of pairs, and small dense algebra on eight problems at a time.
//
// Most kernels exist three times: in Go, in assembly for AVX2 with FMA and
// BMI1, and for AVX-512 (F, BW, DQ, VL). On arm64 the hot ones are in assembly
// for NEON, too. The package chooses the fastest one of the machine at start; the
// environment variable R2LMLBENCH_SIMD=go, avx2, avx512 or neon forces one, see
// Level. All give the same bits (except margins, which are bounds): vectors run
// across pairs or problems, never along a sum, and each sum is a chain of fused
// multiply-additions in a documented order. So results do not depend on the
// machine, the level, or the division of rows among goroutines.
//
// # Pairs
//
//	x (N samples)  Pack            panels: 16 samples, feature-major
//	z = L x, |z|²/2  Map           panels
//	|z_i − z_j|² < 1  Near         bits, one uint64 per 4×16 tile of pairs
//	Σ (x_i − x_j)(x_i − x_j)ᵀ  UpdateScatter   upper triangle, padded rows
//	how far pairs are from crossing 1  Margins, ActiveTiles, NearTiles, UpdateScatterTiles
//	|q_i − x_j|²  SquaredDistances
//	Σ_i b_mi r_i  RowSums           bits b, a row of numbers r_i per sample
//
// Use Near once per iteration of a descent on L: compute the bits of some tile
// rows; AND them with the constant bits of the dissimilar pairs; UpdateScatter
// compares them with the bits of the iteration before and adds the few changed pairs
// to the scatter matrix. A Prefilter of the mapped samples decides most pairs of Near
// in float32. It changes no bit, so it exists in assembly only. So do the margins in
// float32, which are bounds of those in float64.
//
// # Lanes
//
//	C = A B  Mul
//	y − η g  Step
//	p⁺ + β (p⁺ − p)  Momentum
//	prox_τ‖·‖_*  Prox              A − W Ψ Vᵀ, W = A V, see there
//
// Entry (i, j) of eight matrices is one vector; a lane's bits do not depend on
// its neighbors. With fewer problems, leave lanes 0.
//
// # Plain sums
//
//	A v  Dots
//	Σ_i c_i r_i  AddRows
//	rotations of neighboring rows  RotateDown, RotateUp
//	e^x  Exp
//	differences of squares, dual averaging  Pulls, Average
//
// The baselines use these. Except for Exp they have no fused multiply-add: their bits are
// those of the loops that they replace. AVX-512 uses the assembly for AVX2 where arithmetic
// is not the limit. Exp has the bits of math.Exp on the machine.
//
// # Sizes
//
// All functions require d ≥ 1, do not allocate (except NewProx, NewMarks, NewRowSums, the first
// Fill of a Prefilter, and Margins), and panic if a slice is too short.
//
// # Assembly
//
// kernels_arm64.s is written by hand. asm, a module of its own, generates kernels_amd64.s and
// its Go declarations with github.com/mmcloughlin/avo; both are checked in. After a change:
//
//	go generate ./internal/kernel
//	go test ./internal/kernel
//
// The Go versions, in the files *_go.go, are the definition: a change starts
// there, and the tests compare every level of the machine with them.
package kernel

//go:generate go -C asm run . -out ../kernels_amd64.s -stubs ../kernels_amd64.go -pkg kernel
