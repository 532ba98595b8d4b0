package kernel

import (
	"fmt"
	"os"
	"strings"
)

// levelVariable names the environment variable that forces a level.
const levelVariable = "R2LMLBENCH_SIMD"

// A level is one implementation of all kernels. Every level gives the same bits,
// except for margins. Callers check the lengths of slices.
type level struct {
	name string

	near      func(masks []uint64, zi, hi, z, h []float64, d int)
	prefilter func(masks []uint64, zi, hi, bi, z, h, b []float32, d, stride int) (doubt uint64) // nil: none
	// prefilterEarly, least, and the functions that fill a prefilter are nil if prefilter is.
	prefilterEarly func(masks []uint64, zi, sidei, z, side []float32, d, first int) (doubt uint64, late int64)
	least          func(least, zi, hi, z, h []float32, d, stride int)
	narrow         func(dst []float32, src []float64)
	sides          func(h, b []float32, half []float64, unit float64)
	halfSquares    func(sum, z []float64)

	values  func(e, zi, hi, z, h []float64, d int)
	margins func(margins []float64, masks []uint64, e, ex []float64, rounding, base float64)
	// A level has either narrowMargins, or values and margins; the others are nil.
	narrowMargins func(margins []float64, masks []uint64, zi, xi, sidei, z, x, side []float32, d int, scale float32)

	mapPanel  func(z, h, x, l []float64, d int)
	distances func(dst []float64, ldd int, q []float64, ldq int, x []float64, d, panels int)
	distance  func(dst []float64, q []float64, x []float64, d, panels int)
	addOuter  func(b, u, v []float64, d, ld int, sign float64)
	exchange  func(ci, cj, xi, xj []float64, changed, now uint64, width, columns int)
	product   func(c, base, a, b []float64, n, k int, s strides)
	sweep     func(columns []float64, pairs, quads []int32, d int, active, floor *vector)
	shrink    func(psi, g, root []float64, d int, tau, floor, bound *vector, r *residual)
	step      func(dst, y, g []float64, factor, largest *vector)
	momentum  func(y, next, prev []float64, factor *vector)

	addMarked  func(total, rows []float64, marks []uint64, width, columns int)
	subsetSums func(sums, rows []float64, width, columns int)
	addSums    func(total, sums []float64, marks []uint64, width, columns int)

	dots                 func(dst, rows []float64, ld int, v []float64)
	addRows              func(dst, c, rows []float64, ld int)
	rotateDown, rotateUp func(z []float64, ld, columns int, c, s []float64)
	exp                  func(dst, x []float64) (done int)
	pulls                func(dst, i, j, k []float64)
	average              func(mean, w, delta []float64, f *[4]float64)
}

// goLevel is the portable implementation, which defines all others.
var goLevel = level{
	name: "go", near: nearGo, values: valuesGo, margins: marginsGo, mapPanel: mapPanelGo, distances: distancesGo, distance: distanceGo,
	addOuter: addOuterGo, exchange: exchangeGo, product: productGo, sweep: sweepGo, shrink: shrinkGo,
	step: stepGo, momentum: momentumGo,
	addMarked: addMarkedGo, subsetSums: subsetSumsGo, addSums: addSumsGo,
	dots: dotsGo, addRows: addRowsGo, rotateDown: rotateDownGo, rotateUp: rotateUpGo, exp: expGo, pulls: pullsGo, average: averageGo,
	narrow: narrowGo, sides: sidesGo, halfSquares: halfSquaresGo,
}

// active is the level in use; levelError is not nil if R2LMLBENCH_SIMD names another one.
var active, levelError = choose(os.Getenv(levelVariable), available())

// Level returns the name of the implementation in use: "go", "avx2",
// "avx512" or "neon". It is the fastest one of this machine, unless the environment
// variable R2LMLBENCH_SIMD names another. If that variable names a level that
// is unknown or that this machine lacks, the error says so and the portable
// level is in use. Commands should call Level once at their start.
func Level() (string, error) { return active.name, levelError }

// choose picks the level named want from levels, which are sorted by speed;
// the empty name picks the last.
func choose(want string, levels []*level) (*level, error) {
	if want == "" {
		return levels[len(levels)-1], nil
	}
	var names []string
	for _, l := range levels {
		if l.name == want {
			return l, nil
		}
		names = append(names, l.name)
	}
	return &goLevel, fmt.Errorf("kernel: %s=%q is not available here; use one of: %s, or unset it",
		levelVariable, want, strings.Join(names, ", "))
}
