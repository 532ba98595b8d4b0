package linalg

import (
	"math"

	"gonum.org/v1/gonum/floats"
)

// roundedSpread is the share of the largest absolute value up to which a deviation of
// values is taken for rounding, some hundred times that of float64.
const roundedSpread = 1e-13

// Varies reports whether values with some standard deviation, or range, differ by more than
// rounding. Both are compared in the unit of the values, so that no unit makes a feature
// constant. A deviation that is NaN, as that of one value, is none.
func Varies(deviation float64, values []float64) bool {
	return deviation > roundedSpread*floats.Norm(values, math.Inf(1))
}

// ToUnitLength divides v by its Euclidean length, unless that is 0.
func ToUnitLength(v []float64) {
	if square := floats.Dot(v, v); square > 0 {
		floats.Scale(1/math.Sqrt(square), v)
	}
}
