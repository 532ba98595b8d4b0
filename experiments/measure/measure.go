package measure

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"r2lmlbench/experiments/method"
	"r2lmlbench/r2lml"
	"r2lmlbench/results"
)

// A measure looks at the fit that labels the test samples of a cell and adds
// counts and series to the cell. Specs and stanzas name measures under `measure`.
type Measure struct {
	Name   string
	Serves func(method.Method) bool // whether it can be taken of the method's fits
	// take measures the fit; nil for a measure that needs fits of its own, which
	// the runner makes.
	take func(ctx context.Context, p method.Problem, s method.Setting, f r2lml.Fitted) (Measured, error)
}

// measured is what a measure found.
type Measured struct {
	Facts  []results.Fact
	Series []results.Series
}

// measures are all there are, in the order in which a cell holds them.
var Measures = []Measure{
	{"zero-columns", HasField, onField(zeroColumns)},
	{"triangle", HasField, onField(triangle)},
	{"coordinates", HasField, onField(coordinates)},
	{"convergence", hasObjective, convergence},
	{SurfaceMeasure, computed, nil},
}

// surfaceMeasure fits every point of a grid to the test problem, see
// results.Surface.
const SurfaceMeasure = "surface"

// computed tells whether the program fits a method, or has it fitted.
func computed(m method.Method) bool { return !m.Imported }

func MeasureNames() []string {
	names := make([]string, len(Measures))
	for i, m := range Measures {
		names[i] = m.Name
	}
	return names
}

// measureAll takes the wanted measures of a fit.
func MeasureAll(ctx context.Context, wanted []string, p method.Problem, s method.Setting, f r2lml.Fitted) (all Measured, err error) {
	for _, m := range Measures {
		if m.take == nil || !slices.Contains(wanted, m.Name) {
			continue
		}
		one, err := m.take(ctx, p, s, f)
		if err != nil {
			return all, fmt.Errorf("measure %s: %w", m.Name, err)
		}
		all.Facts = append(all.Facts, one.Facts...)
		all.Series = append(all.Series, one.Series...)
	}
	return all, nil
}

// hasField tells whether the metric of a method is an r2lml.Field: those of GLML
// and DANN are made for every query, and the others give labels only.
func HasField(m method.Method) bool { return m.Metric == method.LocalMetric }

// onField makes a measure of one that needs the maps and coefficients of a
// local metric.
func onField(take func(context.Context, method.Problem, *r2lml.Field) (Measured, error)) func(context.Context, method.Problem, method.Setting, r2lml.Fitted) (Measured, error) {
	return func(ctx context.Context, p method.Problem, _ method.Setting, f r2lml.Fitted) (Measured, error) {
		field, ok := f.Metric.(*r2lml.Field)
		if !ok {
			return Measured{}, fmt.Errorf("the method's metric is not a combination of linear maps; leave the method out of this spec")
		}
		return take(ctx, p, field)
	}
}

// zeroThresholds are the shares of the largest column's norm below which a
// column of a map counts as zero.
var zeroThresholds = []float64{1e-6, 1e-3}

// zeroColumns counts, for every map and threshold, the zero columns among the
// features that are constant in the training data, which nothing can be learned
// from, and among the others.
func zeroColumns(_ context.Context, p method.Problem, f *r2lml.Field) (Measured, error) {
	idle := constantFeatures(p.X)
	_, d := p.X.Dims()
	var m Measured
	for k, l := range f.L {
		if l == nil {
			continue // the identity has none
		}
		for _, threshold := range zeroThresholds {
			zero := r2lml.ZeroColumns(l, threshold)
			constant := 0
			for _, j := range zero {
				if slices.Contains(idle, j) {
					constant++
				}
			}
			name := fmt.Sprintf("zero columns of metric %d at %g", k+1, threshold)
			m.Facts = append(m.Facts,
				results.Fact{Name: name + ", constant features", Count: constant, Of: len(idle)},
				results.Fact{Name: name + ", other features", Count: len(zero) - constant, Of: d - len(idle)})
		}
	}
	return m, nil
}

// constantFeatures lists the columns of x that hold one value only.
func constantFeatures(x *mat.Dense) []int {
	n, d := x.Dims()
	var list []int
	for j := range d {
		constant := true
		for i := range n {
			constant = constant && x.At(i, j) == x.At(0, j)
		}
		if constant {
			list = append(list, j)
		}
	}
	return list
}

// triangle counts the triples of training samples whose distances violate the
// triangle inequality.
func triangle(ctx context.Context, _ method.Problem, f *r2lml.Field) (Measured, error) {
	violations, triples, err := r2lml.TriangleViolations(ctx, f)
	return Measured{Facts: []results.Fact{{Name: "triangle inequality violated", Count: violations, Of: triples}}}, err
}

// coordinates records what a plot of a small planar set needs: the training
// samples, their places under every map, their coefficients, and an embedding
// of their distances in the plane. It also counts the samples whose nearest
// other one has their label.
func coordinates(_ context.Context, p method.Problem, f *r2lml.Field) (Measured, error) {
	var m Measured
	m.Series = append(m.Series, columnsOf("feature", p.X)...)
	labels := make([]float64, len(p.Y))
	for i, y := range p.Y {
		labels[i] = float64(y)
	}
	m.Series = append(m.Series, results.NewSeries("label", labels))
	for k, l := range f.L {
		if l != nil {
			var z mat.Dense
			z.Mul(p.X, l.T())
			m.Series = append(m.Series, columnsOf(fmt.Sprintf("map %d coordinate", k+1), &z)...)
		}
	}
	if f.V != nil {
		m.Series = append(m.Series, columnsOf("coefficients of metric", f.V)...)
	}
	plane, lost, err := r2lml.Embedding(f)
	if err != nil {
		return m, err
	}
	m.Series = append(m.Series, columnsOf("embedding", plane)...)
	m.Series = append(m.Series, results.NewSeries("share of the distances not shown", []float64{lost}))
	nearest, err := nearestAgree(f, p.Y)
	m.Facts = []results.Fact{nearest}
	return m, err
}

// columnsOf writes every column of x as a series.
func columnsOf(name string, x *mat.Dense) []results.Series {
	_, d := x.Dims()
	series := make([]results.Series, d)
	for j := range d {
		series[j] = results.NewSeries(fmt.Sprintf("%s %d", name, j+1), mat.Col(nil, j, x))
	}
	return series
}

// nearestAgree counts the training samples that have one of their own label
// nearer than all of other labels: a tie does not count.
func nearestAgree(f *r2lml.Field, y []int) (results.Fact, error) {
	fact := results.Fact{Name: "nearest other sample of the same class", Of: len(y)}
	distance, err := f.TrainingDistances()
	if err != nil {
		return fact, err
	}
	for i := range y {
		same, other := math.Inf(1), math.Inf(1)
		for j := range y {
			switch {
			case j == i:
			case y[j] == y[i]:
				same = min(same, distance.At(i, j))
			default:
				other = min(other, distance.At(i, j))
			}
		}
		if same < other {
			fact.Count++
		}
	}
	return fact, nil
}
