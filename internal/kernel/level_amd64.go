package kernel

import "golang.org/x/sys/cpu"

var avx2Level = level{
	name: "avx2", near: nearAVX2, prefilter: prefilterAVX2, prefilterEarly: prefilterEarlyAVX2, least: leastAVX2,
	narrow: narrowAVX2, sides: sidesAVX2, halfSquares: halfSquaresAVX2, narrowMargins: narrowMarginsAVX2,
	mapPanel: mapPanelAVX2, distances: distancesAVX2, distance: distanceAVX2,
	addOuter: addOuterAVX2, exchange: exchangeAVX2, product: flat(productAVX2), sweep: sweepAVX2, shrink: shrinkAVX2,
	step: stepAVX2, momentum: momentumAVX2,
	addMarked: addMarkedAVX2, subsetSums: subsetSumsAVX2, addSums: addSumsAVX2,
	dots: dotsAVX2, addRows: addRowsAVX2, rotateDown: rotateDownAVX2, rotateUp: rotateUpAVX2, exp: expAVX2, pulls: pullsAVX2, average: averageAVX2,
}

var avx512Level = level{
	name: "avx512", near: nearAVX512, prefilter: prefilterAVX512, prefilterEarly: prefilterEarlyAVX512, least: leastAVX512,
	narrow: narrowAVX512, sides: sidesAVX512, halfSquares: halfSquaresAVX512, narrowMargins: narrowMarginsAVX512,
	mapPanel: mapPanelAVX512, distances: distancesAVX512, distance: distanceAVX512,
	addOuter: addOuterAVX512, exchange: exchangeAVX512, product: flat(productAVX512), sweep: sweepAVX512, shrink: shrinkAVX512,
	step: stepAVX512, momentum: momentumAVX512,
	addMarked: addMarkedAVX512, subsetSums: subsetSumsAVX512, addSums: addSumsAVX512,
	dots: dotsAVX2, addRows: addRowsAVX2, rotateDown: rotateDownAVX2, rotateUp: rotateUpAVX2, exp: expAVX2, pulls: pullsAVX512, average: averageAVX512,
}

// available returns the levels this machine can run, the fastest last.
func available() []*level {
	levels := []*level{&goLevel}
	x := &cpu.X86
	if !(x.HasAVX2 && x.HasFMA && x.HasBMI1) {
		return levels
	}
	levels = append(levels, &avx2Level)
	if x.HasAVX512F && x.HasAVX512BW && x.HasAVX512DQ && x.HasAVX512VL {
		levels = append(levels, &avx512Level)
	}
	return levels
}

// flat hands the strides of a product over one by one, as assembly takes them.
func flat(f func(c, base, a, b []float64, n, k, crow, ccol, arow, acol, brow, bcol int)) func(c, base, a, b []float64, n, k int, s strides) {
	return func(c, base, a, b []float64, n, k int, s strides) {
		f(c, base, a, b, n, k, s.c.row, s.c.col, s.a.row, s.a.col, s.b.row, s.b.col)
	}
}
