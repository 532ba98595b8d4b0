package r2lml

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/mds"

	"r2lmlbench/internal/linalg"
)

// triangleTolerance is the relative excess of a side over the sum of the other
// two that counts as rounding.
const triangleTolerance = 1e-9

// signTolerance: entries of an axis whose sizes differ by less, relative to the
// largest, count as equally large when its sign is fixed.
const signTolerance = 1e-9

// axisTolerance: an axis whose eigenvalue is no larger, relative to the largest,
// is rounding.
const axisTolerance = 1e-12

// ZeroColumns returns the indices of the columns of a map l, P×D, whose
// Euclidean norm is below threshold times that of the largest column: the
// features that the map ignores. A zero map has all columns, a nil map (the
// identity) none.
func ZeroColumns(l *mat.Dense, threshold float64) []int {
	if l == nil {
		return nil
	}
	_, d := l.Dims()
	norms := make([]float64, d)
	for j := range norms {
		norms[j] = floats.Norm(mat.Col(nil, j, l), 2)
	}
	largest := floats.Max(norms)
	var zero []int
	for j, norm := range norms {
		if largest == 0 || norm < threshold*largest {
			zero = append(zero, j)
		}
	}
	return zero
}

// TrainingDistances returns the distances between the training samples under
// the learned local semi-metric,
//
//	d(m, n) = √( Σ_k V_mk V_nk ‖L_k (x_m − x_n)‖² )
//
// It fails if one is not a finite number.
func (lm *LocalMetric) TrainingDistances() (*mat.SymDense, error) {
	n, _ := lm.samples.Dims()
	d := mat.NewSymDense(n, nil)
	var e linalg.Distances
	for k, z := range linalg.MapByEach(lm.L, lm.samples) {
		e.Measure(context.Background(), z, z)
		for i := range n {
			vi, row := coefficient(lm.V, i, k), e.Row(i)
			for j := i + 1; j < n; j++ {
				d.SetSym(i, j, d.At(i, j)+vi*coefficient(lm.V, j, k)*row[j])
			}
		}
	}
	for i := range n {
		for j := i + 1; j < n; j++ {
			squared := d.At(i, j)
			if !(squared >= 0 && squared <= math.MaxFloat64) {
				return nil, fmt.Errorf("the squared distance of training samples %d and %d is %g, want a finite number of 0 or more", i, j, squared)
			}
			d.SetSym(i, j, math.Sqrt(squared))
		}
	}
	return d, nil
}

// TriangleViolations counts the triples of training samples that violate the
// triangle inequality under the local semi-metric
//
//	d(m, n) = √( Σ_k V_mk V_nk ‖L_k (x_m − x_n)‖² )
//
// and all unordered triples. A triple violates it if one side exceeds the sum
// of the other two by more than a relative 1e-9. V = nil means ones, and then
// no triple does. The time grows with N³, the memory with N². It fails if a
// distance is not a finite number, and with the context's error when ctx ends.
func TriangleViolations(ctx context.Context, lm *LocalMetric) (violations, triples int, err error) {
	d, err := lm.TrainingDistances()
	if err != nil {
		return 0, 0, fmt.Errorf("triangle inequality: %w", err)
	}
	n := d.SymmetricDim()
	raw := d.RawSymmetric()
	for i := range n {
		if err := ctx.Err(); err != nil {
			return 0, 0, err
		}
		from := raw.Data[i*raw.Stride:][:n] // d(i, j) for j > i
		for j := i + 1; j < n; j++ {
			to := raw.Data[j*raw.Stride:][:n]
			for k := j + 1; k < n; k++ {
				if violates(from[j], from[k], to[k]) {
					violations++
				}
			}
		}
	}
	return violations, n * (n - 1) * (n - 2) / 6, nil
}

// violates reports whether no triangle has the sides a, b and c.
func violates(a, b, c float64) bool {
	const limit = 1 + triangleTolerance
	return a > (b+c)*limit || b > (a+c)*limit || c > (a+b)*limit
}

// Embedding places the training samples in the plane by classical multidimensional
// scaling of the local semi-metric of [TriangleViolations]. The coordinates are
// N×2, centered, the axis of the larger eigenvalue first. On each axis the entry
// of the largest size is positive (the first of those that agree to 1e-9). An axis
// whose eigenvalue is not above 1e-12 of the largest is all 0.
//
// lost is the share, in [0, 1], of the other axes in the sum of all absolute
// eigenvalues. It is 0, to rounding, if the distances are those of points in a
// plane. Embedding fails if a distance is not a finite number.
//
// Reference: Borg and Groenen, Modern Multidimensional Scaling, chapter 12.
func Embedding(lm *LocalMetric) (coordinates *mat.Dense, lost float64, err error) {
	d, err := lm.TrainingDistances()
	if err != nil {
		return nil, 0, fmt.Errorf("embedding: %w", err)
	}
	n := d.SymmetricDim()
	coordinates = mat.NewDense(n, 2, nil)
	largest := mat.Max(d)
	if largest == 0 {
		return coordinates, 0, nil
	}
	d.ScaleSym(1/largest, d) // squares neither overflow nor vanish
	var axes mat.Dense
	positive, eigenvalues := mds.TorgersonScaling(&axes, make([]float64, n), d)
	if positive == 0 {
		return nil, 0, errors.New("embedding: the eigenvalues of the distances did not converge")
	}
	var shown, all float64
	for i, v := range eigenvalues {
		all += math.Abs(v)
		if i < 2 && v > axisTolerance*eigenvalues[0] {
			shown += v
			axis := mat.Col(nil, i, &axes)
			floats.Scale(largest*sign(axis), axis)
			coordinates.SetCol(i, axis)
		}
	}
	return coordinates, max(0, 1-shown/all), nil
}

// sign returns the sign of the entry of the largest size.
func sign(axis []float64) float64 {
	size := floats.Norm(axis, math.Inf(1))
	for _, v := range axis {
		if math.Abs(v) >= (1-signTolerance)*size {
			return math.Copysign(1, v)
		}
	}
	return 1
}

// A Fault is a degeneracy of a learned metric: it separates no samples, or the same
// ones as the Euclidean metric.
type Fault string

const (
	Flat      Fault = "flat"      // from a query sample, all training samples are equally far
	Line      Fault = "line"      // the training samples have several dimensions, but one under the metric
	Places    Fault = "places"    // they collapse to at most three points, one of them with samples of several classes
	Euclidean Fault = "euclidean" // all distances are a multiple of the Euclidean ones
)

const (
	// faultQueries and faultSamples are the numbers of samples that FaultOf checks, evenly spaced.
	faultQueries, faultSamples = 16, 512
	// flatShare: a metric is flat if this share of the checked queries is.
	flatShare = 0.9
	// faultTolerance: a smaller relative difference counts as rounding.
	faultTolerance = 1e-9
	mostPlaces     = 3
)

// FaultOf returns the fault of a metric d fitted to p, "" for none. For samples of one feature,
// or along one line, it returns "": they have Euclidean neighbors under every linear map.
func FaultOf(p Problem, d Metric) Fault {
	m, _ := p.Query.Dims()
	n := len(p.Y)
	distance, plain := make([]float64, n), make([]float64, n)
	looked, flat, euclidean := 0, 0, 0
	for i := range spaced(m, faultQueries) {
		for j := range plain {
			plain[j] = linalg.SquaredDistance(p.Query.RawRowView(i), p.X.RawRowView(j))
		}
		if alike(plain) {
			continue
		}
		looked++
		switch d.SquaredDistances(distance, i); {
		case alike(distance):
			flat++
		case proportional(distance, plain):
			euclidean++
		}
	}
	x := samplesOf([]*mat.Dense{p.X}, n)
	switch {
	case looked > 0 && float64(flat) >= flatShare*float64(looked):
		return Flat
	case looked > 0 && euclidean == looked && dimensions(x, 0x1p-40) > 1:
		return Euclidean
	}
	lm, linear := d.(*LocalMetric)
	if !linear {
		return ""
	}
	z := samplesOf(lm.used(), n)
	switch dimensions(z, faultTolerance) {
	case 0:
		if dimensions(x, 0) > 0 {
			return Flat
		}
	case 1:
		if dimensions(x, faultTolerance) > 1 {
			return Line
		}
		if before, _ := places(x, p.Y); before > 1 {
			if after, mixed := places(z, p.Y); mixed && after <= mostPlaces && after < before {
				return Places
			}
		}
	}
	return ""
}

// spaced yields at most most indices from 0 to n-1, in even steps.
func spaced(n, most int) iter.Seq[int] {
	return func(yield func(int) bool) {
		count := min(n, most)
		for k := range count {
			if !yield(k * n / count) {
				return
			}
		}
	}
}

// used returns the training samples under each map that has a nonzero coefficient at some pair.
func (lm *LocalMetric) used() []*mat.Dense {
	var z []*mat.Dense
	for k, mapped := range lm.x {
		if (lm.U == nil || mat.Max(lm.U.ColView(k)) > 0) && (lm.V == nil || mat.Max(lm.V.ColView(k)) > 0) {
			z = append(z, mapped)
		}
	}
	return z
}

// samplesOf returns the checked ones of n samples: one row each, with the coordinates under all
// maps.
func samplesOf(z []*mat.Dense, n int) [][]float64 {
	var rows [][]float64
	for i := range spaced(n, faultSamples) {
		var row []float64
		for _, one := range z {
			row = append(row, one.RawRowView(i)...)
		}
		rows = append(rows, row)
	}
	return rows
}

// alike reports whether all squared distances are equal.
func alike(distance []float64) bool {
	most := floats.Max(distance)
	return most-floats.Min(distance) <= faultTolerance*most
}

// proportional reports whether a is a multiple of b.
func proportional(a, b []float64) bool {
	most := floats.MaxIdx(b)
	factor := a[most] / b[most]
	for i := range a {
		if !(math.Abs(a[i]-factor*b[i]) <= faultTolerance*a[most]) {
			return false
		}
	}
	return true
}

// farthest returns the row farthest from the first, and its distance.
func farthest(rows [][]float64) (index int, distance float64) {
	for i, row := range rows {
		if d := floats.Distance(row, rows[0], 2); d > distance {
			index, distance = i, d
		}
	}
	return index, distance
}

// dimensions returns 0 if the rows are equal, 1 if their distances from a line are at most share
// times its length, and 2 otherwise.
func dimensions(rows [][]float64, share float64) int {
	far, length := farthest(rows)
	if length == 0 {
		return 0
	}
	along, rest := slices.Clone(rows[far]), make([]float64, len(rows[far]))
	floats.Sub(along, rows[0])
	floats.Scale(1/length, along)
	for _, row := range rows {
		floats.SubTo(rest, row, rows[0])
		floats.AddScaled(rest, -floats.Dot(rest, along), along)
		if floats.Norm(rest, 2) > share*length {
			return 2
		}
	}
	return 1
}

// places counts the distinct rows, up to one more than mostPlaces, and reports whether one of
// them has samples of several classes. Row i is the i-th checked sample.
func places(rows [][]float64, y []int) (count int, mixed bool) {
	_, length := farthest(rows)
	var first [][]float64
	var class []int
	i := 0
	for sample := range spaced(len(y), faultSamples) {
		at := slices.IndexFunc(first, func(p []float64) bool { return floats.Distance(p, rows[i], 2) <= faultTolerance*length })
		switch {
		case at >= 0:
			mixed = mixed || class[at] != y[sample]
		case len(first) > mostPlaces:
		default:
			first, class = append(first, rows[i]), append(class, y[sample])
		}
		i++
	}
	return len(first), mixed
}

// HiddenSpread: a feature whose standard deviation is smaller by this factor than the largest
// adds at most about 1e-8 of that one's share to squared Euclidean distances.
const HiddenSpread = 1e4

// HiddenFeatures counts the features of x whose standard deviation is that small and not 0.
func HiddenFeatures(x *mat.Dense) int {
	_, d := x.Dims()
	spreads := make([]float64, d)
	for j := range spreads {
		column := mat.Col(nil, j, x)
		if s := stat.StdDev(column, nil); linalg.Varies(s, column) {
			spreads[j] = s
		}
	}
	n := 0
	for _, s := range spreads {
		if s > 0 && HiddenSpread*s < floats.Max(spreads) {
			n++
		}
	}
	return n
}
