package baselines

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"r2lmlbench/internal/linalg"
	"r2lmlbench/r2lml"
)

// RCA is relevant component analysis with the classes as chunklets (Bar-Hillel,
// Hertz, Shental and Weinshall, ICML 2003): A inverts the pooled within-class
// covariance,
//
//	A = C⁻¹,  C = (1/N) Σ_c Σ_{n: y_n = c} (x_n − mean_c)(x_n − mean_c)ᵀ
//
// With S the diagonal of C and the correlations R = S^(−½) C S^(−½), this computes
//
//	A = S^(−½) R⁺ S^(−½)
//
// R, its rank and the labels do not depend on the units of the features. The
// eigenvalues of C do: a feature in tonnes would count as constant beside one in grams.
// If C is singular, A is a generalized inverse (C A C = C); for features without
// variance it is C⁺. RCA has no hyper-parameters. A class of one sample contributes
// nothing.
type RCA struct{}

var _ r2lml.Method = RCA{}

// Resolve returns m: there is nothing to fill in.
func (m RCA) Resolve() (RCA, error) { return m, nil }

// Fit implements r2lml.Method. It fails when no two samples of a class differ.
func (RCA) Fit(_ context.Context, p r2lml.Problem) (r2lml.Fitted, error) {
	c := withinClassCovariance(p)
	scale := unitDiagonal(c, p.X)
	values, v, err := linalg.Eigen(c)
	if err != nil {
		return r2lml.Fitted{}, fmt.Errorf("rca: within-class covariance: %w", err)
	}
	rank := invert(values)
	if rank == 0 {
		return r2lml.Fitted{}, errors.New("rca: the samples of every class are equal; give classes that vary")
	}
	l := linalg.Root(values, v)
	l.Apply(func(_, j int, v float64) float64 { return v * scale[j] }, l)
	return r2lml.Fitted{
		Metric: r2lml.NewGlobal(p, l),
		Facts:  []r2lml.Count{{Name: "rank of the metric", Count: rank, Of: len(values)}},
	}, nil
}

// withinClassCovariance returns the D×D matrix C.
func withinClassCovariance(p r2lml.Problem) *mat.SymDense {
	n, d := p.X.Dims()
	centered, _ := classCentered(p)
	c := mat.NewSymDense(d, nil)
	c.SymOuterK(1/float64(n), centered.T())
	return c
}

// unitDiagonal turns the covariances C of the samples x into the correlations
// S^(−½) C S^(−½), and returns the diagonal of S^(−½). The entry of a feature that varies
// within the classes by rounding only is 0, see [linalg.Varies].
func unitDiagonal(c *mat.SymDense, x *mat.Dense) []float64 {
	scale := make([]float64, c.SymmetricDim())
	for j := range scale {
		if deviation := math.Sqrt(c.At(j, j)); linalg.Varies(deviation, mat.Col(nil, j, x)) {
			scale[j] = 1 / deviation
		}
	}
	for i := range scale {
		for j := range i + 1 {
			c.SetSym(i, j, scale[i]*c.At(i, j)*scale[j])
		}
	}
	return scale
}

// rowsOf returns the indices of the samples with this label, ascending.
func rowsOf(y []int, label int) []int {
	var rows []int
	for n, yn := range y {
		if yn == label {
			rows = append(rows, n)
		}
	}
	return rows
}

// center moves the mean of some rows of x to 0. It subtracts one of the rows
// first, so that equal values become exact zeros.
func center(x *mat.Dense, rows []int) {
	if len(rows) == 0 {
		return
	}
	subtract(x, rows, slices.Clone(x.RawRowView(rows[0])))
	_, d := x.Dims()
	mean := make([]float64, d)
	for _, n := range rows {
		floats.AddScaled(mean, 1/float64(len(rows)), x.RawRowView(n))
	}
	subtract(x, rows, mean)
}

func subtract(x *mat.Dense, rows []int, v []float64) {
	for _, n := range rows {
		floats.Sub(x.RawRowView(n), v)
	}
}

// eigenvalueCut is the share of the largest eigenvalue up to which another one
// counts as zero.
const eigenvalueCut = 1e-10

// invert replaces ascending eigenvalues by their inverses, those that count as
// zero by 0, and returns the number of the others.
func invert(values []float64) (rank int) {
	cut := eigenvalueCut * values[len(values)-1]
	for i, v := range values {
		if v > cut {
			values[i] = 1 / v
			rank++
		} else {
			values[i] = 0
		}
	}
	return rank
}
