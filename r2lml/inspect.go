package r2lml

import (
	"context"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
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
// features that the map ignores. They are all columns if the map is zero. A nil
// map, which is the identity, has none.
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

// violates tells whether no triangle has the sides a, b and c.
func violates(a, b, c float64) bool {
	const limit = 1 + triangleTolerance
	return a > (b+c)*limit || b > (a+c)*limit || c > (a+b)*limit
}

// Embedding draws the training samples in the plane, so that their distances
// are as near as two axes allow to those of the local semi-metric of
// [TriangleViolations]: classical multidimensional scaling. The coordinates are
// N×2, centered, the axis of the larger eigenvalue first. On each axis the entry
// of the largest size is positive (the first of those that agree to 1e-9). An axis
// whose eigenvalue is not above 1e-12 of the largest shows nothing and is 0.
//
// lost is the share, in [0, 1], of the sum of all absolute eigenvalues that the
// two axes do not show. It is 0, to rounding, if the distances are those of
// points in a plane. It fails if a distance is not a finite number.
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
