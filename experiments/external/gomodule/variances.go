package main

import (
	"context"
	"errors"
	"math"

	"gonum.org/v1/gonum/mat"

	"r2lmlbench/r2lml"
)

// Variances divides every feature by a power of its standard deviation within the
// classes:
//
//	d(q, x)² = Σ_j (q_j − x_j)² / v_j^p,  v_j = (1/N) Σ_n (x_nj − mean of the class of n in j)²
//
// A feature that does not vary within the classes stays as it is.
type Variances struct {
	Power float64 `yaml:"power" jsonschema:"minimum=0,maximum=4" jsonschema_description:"of the variances; 0 means 1"`
}

// Resolve fills in the default.
func (m Variances) Resolve() (Variances, error) {
	if m.Power == 0 {
		m.Power = 1
	}
	if m.Power < 0 {
		return m, errors.New("power is negative")
	}
	return m, nil
}

// Fit implements r2lml.Method.
func (m Variances) Fit(_ context.Context, p r2lml.Problem) (r2lml.Fitted, error) {
	_, d := p.X.Dims()
	l := mat.NewDense(d, d, nil)
	for j := range d {
		l.Set(j, j, 1)
		if v := within(mat.Col(nil, j, p.X), p.Y, p.Classes()); v > 0 {
			l.Set(j, j, math.Pow(v, -m.Power/2))
		}
	}
	return r2lml.Fitted{Metric: r2lml.NewGlobal(p, l)}, nil
}

// within is the variance of a feature within the classes 1 to classes.
func within(x []float64, y []int, classes int) float64 {
	sum, count := make([]float64, classes+1), make([]float64, classes+1)
	for n, v := range x {
		sum[y[n]] += v
		count[y[n]]++
	}
	total := 0.0
	for n, v := range x {
		d := v - sum[y[n]]/count[y[n]]
		total += d * d
	}
	return total / float64(len(x))
}
