package linalg

import (
	"math"

	"gonum.org/v1/gonum/floats"
)

// roundedSpread: a deviation up to this share of the largest absolute value counts as
// rounding. It is some hundred times the rounding of float64.
const roundedSpread = 1e-13

// Varies reports whether values with this standard deviation, or range, differ by more than
// rounding. The test does not depend on the unit of the values. A deviation of NaN, as of
// one value, is no variation.
func Varies(deviation float64, values []float64) bool {
	return deviation > roundedSpread*floats.Norm(values, math.Inf(1))
}

// ToUnitLength divides v by its Euclidean length, unless that is 0.
func ToUnitLength(v []float64) {
	square := floats.Dot(v, v)
	if largest := floats.Norm(v, math.Inf(1)); largest > 0 && !(square > 0x1p-960 && square <= math.MaxFloat64) { // the squares leave the numbers
		for i := range v {
			v[i] /= largest
		}
		square = floats.Dot(v, v)
	}
	if square > 0 {
		floats.Scale(1/math.Sqrt(square), v)
	}
}
