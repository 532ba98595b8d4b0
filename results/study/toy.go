package study

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/mat"

	"r2lmlbench/r2lml"
	"r2lmlbench/results"
	"r2lmlbench/results/published"
	"r2lmlbench/results/table"
)

// nearestFact counts the samples whose nearest other one is of their class.
const nearestFact = "nearest other sample of the same class"

// Keys of the coordinates. Axes and metrics count from 1.
const (
	labelSeries        = "label"
	featureSeries      = "feature %d"
	mapSeries          = "map %d coordinate %d"
	coefficientsSeries = "coefficients of metric %d"
	embeddingSeries    = "embedding %d"
	lostSeries         = "share of the distances not shown"
)

// takeCoordinates records what a plot of a small planar set needs: the training
// samples, their places under every map, their coefficients, and an embedding
// of their distances in the plane. It also counts the samples whose nearest
// other one has their label.
func takeCoordinates(_ context.Context, fit Fit, f *r2lml.LocalMetric) (Measured, error) {
	x, y := fit.Problem.X, fit.Problem.Y
	var m Measured
	m.addColumns(func(axis int) string { return fmt.Sprintf(featureSeries, axis) }, x)
	labels := make([]float64, len(y))
	for i, label := range y {
		labels[i] = float64(label)
	}
	m.Series = append(m.Series, results.NewSeries(labelSeries, labels))
	for k, l := range f.L {
		if l != nil {
			var z mat.Dense
			z.Mul(x, l.T())
			m.addColumns(func(axis int) string { return fmt.Sprintf(mapSeries, k+1, axis) }, &z)
		}
	}
	if f.V != nil {
		m.addColumns(func(metric int) string { return fmt.Sprintf(coefficientsSeries, metric) }, f.V)
	}
	plane, lost, err := r2lml.Embedding(f)
	if err != nil {
		return m, err
	}
	m.addColumns(func(axis int) string { return fmt.Sprintf(embeddingSeries, axis) }, plane)
	m.Series = append(m.Series, results.NewSeries(lostSeries, []float64{lost}))
	nearest, err := nearestAgree(f, y)
	m.Facts = []results.Fact{nearest}
	return m, err
}

// addColumns adds every column of x as a series, named by its number from 1.
func (m *Measured) addColumns(key func(column int) string, x *mat.Dense) {
	_, d := x.Dims()
	for j := range d {
		m.Series = append(m.Series, results.NewSeries(key(j+1), mat.Col(nil, j, x)))
	}
}

// nearestAgree counts the training samples that have one of their own label
// nearer than all of other labels: a tie does not count.
func nearestAgree(f *r2lml.LocalMetric, y []int) (results.Fact, error) {
	fact := results.Fact{Name: nearestFact, Of: len(y)}
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

// Toy has four samples under no metric, one global metric and several local ones,
// the paper's Figure 1.
type Toy struct {
	Sets []ToySet
}

// A ToySet is one data set.
type ToySet struct {
	Set
	Counts  []int // K, ascending
	Columns []ToyColumn
}

// A ToyColumn is one fit.
type ToyColumn struct {
	Name    string // of the column, as printed
	Method  string
	Metrics int    // K; 0 if the spec sweeps none
	Variant string // of the algorithm; empty if it has none, or is not known
	Nearest *results.Fact
	Places
}

// Places are the training samples of a fit as they are and under its metric.
// Without coordinates all are empty; Lost is NaN without an embedding.
type Places struct {
	Labels       []float64   // class of every sample
	Features     [][]float64 // by axis
	Maps         []Map       // by metric; none if the only metric is the identity
	Coefficients [][]float64 // by metric; none if all are 1
	Embedding    [][]float64 // of the distances in the plane, by axis
	Lost         float64     // share of the distances that the embedding leaves out
}

// A Map has the samples under one linear map, by axis.
type Map [][]float64

// ReadToy reads the table of spec toy. A series that holds no numbers, or not one
// for every sample, is an error.
func ReadToy(t table.Table) (Toy, error) {
	var all Toy
	for _, r := range t.Rows {
		set := ToySet{Set: setOf(r), Counts: metricCounts(t)}
		for i, c := range t.Columns {
			score := cellAt(r, i).Score
			one := ToyColumn{Name: c.Name, Method: c.Method, Variant: c.Swept["variant"], Nearest: factOf(score, nearestFact)}
			one.Metrics, _ = strconv.Atoi(c.Swept["metrics"]) // 0 without one
			if one.Variant == "" && score != nil {
				one.Variant, _ = score.Params["variant"].(string)
			}
			var err error
			if one.Places, err = placesOf(score); err != nil {
				return all, fmt.Errorf("study: toy, %s on %s: %w", c.ID, r.Dataset, err)
			}
			set.Columns = append(set.Columns, one)
		}
		all.Sets = append(all.Sets, set)
	}
	return all, nil
}

func placesOf(score *table.Score) (Places, error) {
	p := Places{Lost: math.NaN()}
	var err error
	if p.Labels, err = score.SeriesOf(labelSeries).Floats(); err != nil {
		return p, err
	}
	lost, err := score.SeriesOf(lostSeries).Floats()
	if err != nil {
		return p, err
	}
	if len(lost) == 1 {
		p.Lost = lost[0]
	}
	read := columnReader{score: score, samples: len(p.Labels)}
	p.Features = read.columns(func(axis int) string { return fmt.Sprintf(featureSeries, axis) })
	for k := 1; ; k++ {
		places := read.columns(func(axis int) string { return fmt.Sprintf(mapSeries, k, axis) })
		if places == nil {
			break
		}
		p.Maps = append(p.Maps, places)
	}
	p.Coefficients = read.columns(func(metric int) string { return fmt.Sprintf(coefficientsSeries, metric) })
	p.Embedding = read.columns(func(axis int) string { return fmt.Sprintf(embeddingSeries, axis) })
	return p, read.err
}

// A columnReader reads series that have a number for every sample. Its err is the
// first error.
type columnReader struct {
	score   *table.Score
	samples int
	err     error
}

// columns reads the series with the keys of 1, 2, ... as long as there are some.
func (r *columnReader) columns(key func(column int) string) [][]float64 {
	var all [][]float64
	for column := 1; r.err == nil; column++ {
		s := r.score.SeriesOf(key(column))
		if s.Values == nil {
			break
		}
		var values []float64
		if values, r.err = s.Floats(); r.err == nil && len(values) != r.samples {
			r.err = fmt.Errorf("series %q has %d values for %d samples", s.Name, len(values), r.samples)
		}
		all = append(all, values)
	}
	return all
}

// Find returns the first column of a method with K metrics, one without a result
// if there is none. K of 0 and an empty variant mean any.
func (s ToySet) Find(method string, metrics int, variant string) ToyColumn {
	i := slices.IndexFunc(s.Columns, func(c ToyColumn) bool {
		return c.Method == method && (metrics == 0 || c.Metrics == metrics) && (variant == "" || c.Variant == variant)
	})
	if i < 0 {
		return ToyColumn{Method: method, Metrics: metrics, Variant: variant, Places: Places{Lost: math.NaN()}}
	}
	return s.Columns[i]
}

// Figure returns the three columns of the paper's figure: no metric, the first
// global one and the first two local ones.
func (s ToySet) Figure() (none, global, local ToyColumn) {
	return s.Find(published.Euclidean, 0, ""), s.Find(Efficient, 1, ""), s.Find(Efficient, 2, "")
}

// Original returns the samples as they are, from the first column of the figure
// that has them.
func (s ToySet) Original() Places {
	none, global, local := s.Figure()
	for _, c := range []ToyColumn{none, global, local} {
		if c.Features != nil {
			return c.Places
		}
	}
	return Places{Lost: math.NaN()}
}

// Claims are, for each data set and variant, the numbers K of 2 or more that bring the
// nearest other sample of the same class more often than one global metric and than none,
// as the figure says that local metrics may.
func (t Toy) Claims() []Claim {
	var all []Claim
	for _, s := range t.Sets {
		for _, variant := range []string{Published, Reference} {
			c := Claim{ID: s.Dataset + "-nearest-" + variant}
			none, global := s.Find(published.Euclidean, 0, "").Nearest, s.Find(Efficient, 1, variant).Nearest
			for _, k := range s.Counts {
				if f := s.Find(Efficient, k, variant).Nearest; k > 1 && f != nil {
					c.count(none != nil && global != nil && f.Count > global.Count && f.Count > none.Count)
				}
			}
			all = append(all, c)
		}
	}
	return all
}

// Listings have the count of every column.
func (t Toy) Listings() []table.Listing {
	var all []table.Listing
	for _, s := range t.Sets {
		l := table.Listing{Title: "The nearest other sample on " + s.Name, Head: []string{"column", nearestFact}}
		for _, c := range s.Columns {
			l.Rows = append(l.Rows, []string{c.Name, ratio(c.Nearest)})
		}
		all = append(all, l)
	}
	return all
}
