// Command asm writes the assembly of package kernel: every kernel once for
// AVX2 (four float64 a vector) and once for AVX-512 (eight). Run it by
//
//	go generate ./internal/kernel
//
// from the root of the main module. It is a module of its own, so that users
// of the main module need not fetch its dependencies.
package main

import . "github.com/mmcloughlin/avo/build"

func main() {
	ConstraintExpr("amd64")
	constants()
	dots()
	addRows()
	rotateRows("rotateDown", true)
	rotateRows("rotateUp", false)
	exp()
	for _, m := range []machine{{"AVX2", 32}, {"AVX512", 64}} {
		m.near()
		m.prefilter()
		m.prefilterEarly()
		m.mapPanel()
		m.distances("distances", tileRow)
		m.distances("distance", 1)
		m.addOuter()
		m.exchange()
		m.product()
		m.sweep()
		m.shrink()
		m.step()
		m.momentum()
		m.narrowMargins()
		m.addMarked()
		m.subsetSums()
		m.addSums()
		m.pulls()
		m.average()
		m.least()
		m.narrow()
		m.sides()
		m.halfSquares()
	}
	Generate()
}
