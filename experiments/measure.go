package experiments

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"r2lmlbench/r2lml"
	"r2lmlbench/results"
)

// A measure looks at the fit that labels the test samples of a cell and adds
// counts and series to the cell. Specs name measures under `measure`.
type measure struct {
	name   string
	serves func(Method) bool // whether it can be taken of the method's fits
	take   func(ctx context.Context, p problem, s setting, f r2lml.Fitted) (measured, error)
}

// measured is what a measure found.
type measured struct {
	facts  []results.Fact
	series []results.Series
}

// measures are all there are, in the order in which a cell holds them.
var measures = []measure{
	{"zero-columns", hasField, onField(zeroColumns)},
	{"triangle", hasField, onField(triangle)},
	{"coordinates", hasField, onField(coordinates)},
	{"convergence", hasObjective, convergence},
}

func measureNames() []string {
	names := make([]string, len(measures))
	for i, m := range measures {
		names[i] = m.name
	}
	return names
}

// measureAll takes the wanted measures of a fit.
func measureAll(ctx context.Context, wanted []string, p problem, s setting, f r2lml.Fitted) (all measured, err error) {
	for _, m := range measures {
		if !slices.Contains(wanted, m.name) {
			continue
		}
		one, err := m.take(ctx, p, s, f)
		if err != nil {
			return all, fmt.Errorf("measure %s: %w", m.name, err)
		}
		all.facts = append(all.facts, one.facts...)
		all.series = append(all.series, one.series...)
	}
	return all, nil
}

// hasField tells whether the metric of a method is an r2lml.LocalMetric: those of GLML
// and DANN are made for every query, and the others give labels only.
func hasField(m Method) bool {
	return !slices.Contains([]string{"glml", "dann", "euclidean-ties", "external", importedID}, m.ID)
}

// onField makes a measure of one that needs the maps and coefficients of a
// local metric.
func onField(take func(context.Context, problem, *r2lml.LocalMetric) (measured, error)) func(context.Context, problem, setting, r2lml.Fitted) (measured, error) {
	return func(ctx context.Context, p problem, _ setting, f r2lml.Fitted) (measured, error) {
		field, ok := f.Metric.(*r2lml.LocalMetric)
		if !ok {
			return measured{}, fmt.Errorf("the method's metric is not a combination of linear maps; leave the method out of this spec")
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
func zeroColumns(_ context.Context, p problem, f *r2lml.LocalMetric) (measured, error) {
	idle := constantFeatures(p.X)
	_, d := p.X.Dims()
	var m measured
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
			m.facts = append(m.facts,
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
func triangle(ctx context.Context, _ problem, f *r2lml.LocalMetric) (measured, error) {
	violations, triples, err := r2lml.TriangleViolations(ctx, f)
	return measured{facts: []results.Fact{{Name: "triangle inequality violated", Count: violations, Of: triples}}}, err
}

// coordinates records what a plot of a small planar set needs: the training
// samples, their places under every map, their coefficients, and an embedding
// of their distances in the plane. It also counts the samples whose nearest
// other one has their label.
func coordinates(_ context.Context, p problem, f *r2lml.LocalMetric) (measured, error) {
	var m measured
	m.series = append(m.series, columnsOf("feature", p.X)...)
	labels := make([]float64, len(p.Y))
	for i, y := range p.Y {
		labels[i] = float64(y)
	}
	m.series = append(m.series, results.NewSeries("label", labels))
	for k, l := range f.L {
		if l != nil {
			var z mat.Dense
			z.Mul(p.X, l.T())
			m.series = append(m.series, columnsOf(fmt.Sprintf("map %d coordinate", k+1), &z)...)
		}
	}
	if f.V != nil {
		m.series = append(m.series, columnsOf("coefficients of metric", f.V)...)
	}
	plane, lost, err := r2lml.Embedding(f)
	if err != nil {
		return m, err
	}
	m.series = append(m.series, columnsOf("embedding", plane)...)
	m.series = append(m.series, results.NewSeries("share of the distances not shown", []float64{lost}))
	nearest, err := nearestAgree(f, p.Y)
	m.facts = []results.Fact{nearest}
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
func nearestAgree(f *r2lml.LocalMetric, y []int) (results.Fact, error) {
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
