package datasets

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"r2lmlbench/internal/linalg"
)

// A Scaling is a rule for scaling the features of a problem before a fit. It takes
// its statistics from the training samples only and applies them to all samples.
type Scaling string

// The rules of scaling.
const (
	Unscaled   Scaling = "raw"    // no scaling
	ZScore     Scaling = "zscore" // (x − mean)/s, s with divisor N − 1
	MinMax     Scaling = "minmax" // (x − min)/(max − min); other samples may leave [0, 1]
	UnitLength Scaling = "unit"   // every sample divided by ‖x‖, unless that is 0
)

// A Scaler is a Scaling with the statistics of training samples.
type Scaler struct {
	scaling         Scaling
	offset, divisor []float64 // one per feature; none for Unscaled and UnitLength
}

// Learn computes the statistics of the training samples x, N×D with N ≥ 1. A feature that does
// not vary, see [linalg.Varies], is only shifted.
func (s Scaling) Learn(x *mat.Dense) Scaler {
	scaler := Scaler{scaling: s}
	if s != ZScore && s != MinMax {
		return scaler
	}
	n, d := x.Dims()
	column := make([]float64, n)
	for j := range d {
		mat.Col(column, j, x)
		offset, spread := meanAndDeviation(column)
		if s == MinMax {
			offset = floats.Min(column)
			spread = floats.Max(column) - offset
		}
		if !linalg.Varies(spread, column) {
			spread = 1
		}
		scaler.offset, scaler.divisor = append(scaler.offset, offset), append(scaler.divisor, spread)
	}
	return scaler
}

// meanAndDeviation returns the mean and the standard deviation of some values,
// with divisor n − 1; 0 for one value. Differences to the first value are averaged,
// so that equal values have exactly their mean and no deviation.
func meanAndDeviation(values []float64) (mean, deviation float64) {
	var sum float64
	for _, v := range values {
		sum += v - values[0]
	}
	mean = values[0] + sum/float64(len(values))
	var squares float64
	for _, v := range values {
		squares += (v - mean) * (v - mean)
	}
	return mean, math.Sqrt(squares / float64(max(len(values)-1, 1)))
}

// Apply returns scaled samples; x itself under Unscaled or without rows.
func (s Scaler) Apply(x *mat.Dense) *mat.Dense {
	if s.scaling == Unscaled || x == nil || x.IsEmpty() {
		return x
	}
	x = mat.DenseCopyOf(x)
	n, _ := x.Dims()
	for i := range n {
		row := x.RawRowView(i)
		if s.scaling == UnitLength {
			linalg.ToUnitLength(row)
			continue
		}
		floats.Sub(row, s.offset)
		floats.Div(row, s.divisor)
	}
	return x
}

// Affine returns the offset and the divisor of every feature; nil for Unscaled. ok is false
// for UnitLength, where every sample has its own divisor.
func (s Scaler) Affine() (offset, divisor []float64, ok bool) {
	return slices.Clone(s.offset), slices.Clone(s.divisor), s.scaling != UnitLength
}
