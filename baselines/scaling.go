package baselines

import (
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"r2lmlbench/internal/linalg"
	"r2lmlbench/r2lml"
)

// standardized returns p with every feature centered and divided by its
// standard deviation (divisor N − 1), both of the training samples. A feature that does
// not vary, see [linalg.Varies], is only centered.
func standardized(p r2lml.Problem) r2lml.Problem {
	n, d := p.X.Dims()
	mean, deviation := make([]float64, d), make([]float64, d)
	column := make([]float64, n)
	for j := range mean {
		mean[j], deviation[j] = stat.MeanStdDev(mat.Col(column, j, p.X), nil)
		if !linalg.Varies(deviation[j], column) {
			deviation[j] = 1
		}
	}
	return eachRow(p, func(row []float64) {
		floats.Sub(row, mean)
		floats.Div(row, deviation)
	})
}

// unitLength returns p with every sample divided by its Euclidean length.
func unitLength(p r2lml.Problem) r2lml.Problem { return eachRow(p, linalg.ToUnitLength) }

// eachRow returns p with copies of its samples, changed row by row.
func eachRow(p r2lml.Problem, change func(row []float64)) r2lml.Problem {
	p.X, p.Query = mat.DenseCopyOf(p.X), mat.DenseCopyOf(p.Query)
	for _, x := range []*mat.Dense{p.X, p.Query} {
		n, _ := x.Dims()
		for i := range n {
			change(x.RawRowView(i))
		}
	}
	return p
}
