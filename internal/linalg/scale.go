package linalg

import (
	"math"

	"gonum.org/v1/gonum/floats"
)

// roundedSpread is the largest deviation that counts as rounding, relative to the largest absolute
// value: some hundred roundings of float64.
const roundedSpread = 1e-13

// Varies reports whether values with this standard deviation, or range, differ by more than
// rounding. The result does not depend on the unit of the values. For a deviation of NaN, as of one
// value, it is false.
func Varies(deviation float64, values []float64) bool {
	return deviation > roundedSpread*floats.Norm(values, math.Inf(1))
}

// ToUnitLength divides v by its Euclidean length, unless that is 0.
func ToUnitLength(v []float64) {
	square := floats.Dot(v, v)
	if largest := floats.Norm(v, math.Inf(1)); largest > 0 && !(square > 0x1p-960 && square <= math.MaxFloat64) { // the squares overflow or underflow
		for i := range v {
			v[i] /= largest
		}
		square = floats.Dot(v, v)
	}
	if square > 0 {
		floats.Scale(1/math.Sqrt(square), v)
	}
}
