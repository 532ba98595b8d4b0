package measure

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"r2lmlbench/r2lml"
	"r2lmlbench/results"
)

// NearestFact names the count of samples whose nearest other sample has their class.
const NearestFact = "nearest other sample of the same class"

// Keys of the coordinates. Axes and metrics count from 1.
const (
	labelSeries        = "label"
	featureSeries      = "feature %d"
	mapSeries          = "map %d coordinate %d"
	coefficientsSeries = "coefficients of metric %d"
	embeddingSeries    = "embedding %d"
	lostSeries         = "share of the distances not shown"
)

// takeCoordinates records the data of a plot of a small planar set: the training
// samples, their coordinates under every map, their coefficients, and an embedding
// of their distances in the plane. It also writes NearestFact.
func takeCoordinates(_ context.Context, fit Fit, f *r2lml.LocalMetric) (Measured, error) {
	x, y := fit.Problem.X, fit.Problem.Y
	var m Measured
	m.addColumns(x, featureSeries)
	labels := make([]float64, len(y))
	for i, label := range y {
		labels[i] = float64(label)
	}
	m.Series = append(m.Series, results.NewSeries(labelSeries, labels))
	for k, l := range f.L {
		if l != nil {
			var z mat.Dense
			z.Mul(x, l.T())
			m.addColumns(&z, mapSeries, k+1)
		}
	}
	if f.V != nil {
		m.addColumns(f.V, coefficientsSeries)
	}
	plane, lost, err := r2lml.Embedding(f)
	if err != nil {
		return m, err
	}
	m.addColumns(plane, embeddingSeries)
	m.Series = append(m.Series, results.NewSeries(lostSeries, []float64{lost}))
	nearest, err := nearestAgree(f, y)
	m.Facts = []results.Count{nearest}
	return m, err
}

// addColumns adds every column of x as a series. Its key is formatted with numbers and the
// number of the column, from 1.
func (m *Measured) addColumns(x *mat.Dense, key string, numbers ...any) {
	_, d := x.Dims()
	for j := range d {
		m.Series = append(m.Series, results.NewSeries(fmt.Sprintf(key, append(numbers, j+1)...), mat.Col(nil, j, x)))
	}
}

// nearestAgree counts the training samples that have a sample of their label nearer
// than all samples of other labels; a tie does not count.
func nearestAgree(f *r2lml.LocalMetric, y []int) (results.Count, error) {
	fact := results.Count{Name: NearestFact, Of: len(y)}
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

// Places are the training samples of a fit and their coordinates under its metric.
// Without the measure all fields are empty; Lost is NaN without an embedding.
type Places struct {
	Labels    []float64   // class of every sample
	Features  [][]float64 // by axis
	Maps      []Map       // by metric; none if the only metric is the identity
	Embedding [][]float64 // of the distances in the plane, by axis
	Lost      float64     // share that the embedding loses, see r2lml.Embedding
}

// A Map has the samples under one linear map, by axis.
type Map [][]float64

// ReadPlaces reads Places from the series of a cell. It fails if a series has not one
// number for every sample.
func ReadPlaces(series []results.Series) (Places, error) {
	p := Places{Labels: floatsOf(series, labelSeries), Lost: math.NaN()}
	if lost := floatsOf(series, lostSeries); len(lost) == 1 {
		p.Lost = lost[0]
	}
	var err error
	// The series with the numbers 1, 2, ... of addColumns, until one is missing.
	columns := func(key string, numbers ...any) (all [][]float64) {
		for column := 1; ; column++ {
			name := fmt.Sprintf(key, append(numbers, column)...)
			values := floatsOf(series, name)
			if values == nil {
				return all
			}
			if len(values) != len(p.Labels) {
				err = fmt.Errorf("series %q has %d values for %d samples", name, len(values), len(p.Labels))
			}
			all = append(all, values)
		}
	}
	p.Features = columns(featureSeries)
	for k := 1; ; k++ {
		places := columns(mapSeries, k)
		if places == nil {
			break
		}
		p.Maps = append(p.Maps, places)
	}
	p.Embedding = columns(embeddingSeries)
	return p, err
}
