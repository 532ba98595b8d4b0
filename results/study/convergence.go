package study

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"

	"r2lmlbench/internal/text"
	"r2lmlbench/r2lml"
	"r2lmlbench/results"
	"r2lmlbench/results/published"
	"r2lmlbench/results/table"
)

// The two runs of the plain solver on every cell, as keys begin.
const (
	WithMomentum    = "with momentum"
	WithoutMomentum = "without momentum"
)

// Modes are both, in the order of a cell.
var Modes = []string{WithMomentum, WithoutMomentum}

// Keys of one run, behind its mode.
const (
	blockFact      = ": block %d raised the objective"
	fittedFact     = ": runs of block 1 that follow a + b/sqrt(T) with R2 of 0.9 or more"
	iterationsFact = ": iterations of block 1 that raised the objective"

	startSeries      = ": objective at the start"
	iterationsSeries = ": iteration"
	bestSeries       = ": best objective so far"
	rateSeries       = ": fitted a + b/sqrt(T): a, b, R2"
)

// FitQuality is the R² from which a + b/√T counts as describing a run.
const FitQuality = 0.9

// blocks is the number of blocks of T-R2LML; E-R2LML has the first two.
const blocks = 3

// takeConvergence runs the plain solver again, from the start of the fit, with and
// without momentum in block 1. It records the best objective so far, the line
// in 1/√T fitted to it (Theorem 1), and how often a step raised the objective,
// which Theorem 2 rules out for whole blocks.
func takeConvergence(ctx context.Context, f Fit) (Measured, error) {
	var m Measured
	for _, mode := range Modes {
		t, err := traceOf(ctx, f, mode == WithMomentum)
		if err != nil {
			return m, err
		}
		if err := m.addTrace(mode, t); err != nil {
			return m, err
		}
	}
	return m, nil
}

func traceOf(ctx context.Context, f Fit, momentum bool) (r2lml.Trace, error) {
	switch s := f.Setting.(type) {
	case r2lml.Efficient:
		return r2lml.TraceEfficient(ctx, f.Problem, s, momentum)
	case r2lml.Transductive:
		return r2lml.TraceTransductive(ctx, f.Problem, s, momentum)
	}
	return r2lml.Trace{}, errors.New("only e-r2lml and t-r2lml have an objective to follow; leave the other methods out of this spec")
}

// addTrace adds one run of the algorithm.
func (m *Measured) addTrace(mode string, t r2lml.Trace) error {
	best := t.Best()
	rate, err := r2lml.FitRate(best)
	if err != nil {
		return err
	}
	for block := 1; block <= blocks; block++ {
		if raised, of := t.Raised(block); of > 0 {
			m.Facts = append(m.Facts, results.Fact{Name: fmt.Sprintf(mode+blockFact, block), Count: raised, Of: of})
		}
	}
	fitted, of, err := fittedRuns(t)
	if err != nil {
		return err
	}
	raised, iterations := t.RaisedIterations()
	m.Facts = append(m.Facts,
		results.Fact{Name: mode + fittedFact, Count: fitted, Of: of},
		results.Fact{Name: mode + iterationsFact, Count: raised, Of: iterations})
	var at, values []float64
	for i := range best {
		if kept(i+1) || i+1 == len(best) {
			at, values = append(at, float64(i+1)), append(values, best[i])
		}
	}
	m.Series = append(m.Series,
		results.NewSeries(mode+startSeries, []float64{t.Start}),
		results.NewSeries(mode+iterationsSeries, at),
		results.NewSeries(mode+bestSeries, values),
		results.NewSeries(mode+rateSeries, []float64{rate.A, rate.B, rate.R2}))
	return nil
}

// fittedRuns counts the runs of block 1, one per epoch and metric, whose best
// objective so far is described by the line: Theorem 1 speaks of such a run.
func fittedRuns(t r2lml.Trace) (fitted, of int, err error) {
	done := 0
	for _, b := range t.Blocks {
		run := r2lml.Trace{Values: t.Values[done : done+b.Iterations]}
		done += b.Iterations
		if b.Iterations < 3 {
			continue // two points lie on any line
		}
		rate, err := r2lml.FitRate(run.Best())
		if err != nil {
			return fitted, of, err
		}
		of++
		if rate.R2 >= FitQuality {
			fitted++
		}
	}
	return fitted, of, nil
}

// kept picks the iterations that a cell keeps: those of one significant digit
// or two, the second being 0 or 5, which a logarithmic axis shows evenly.
func kept(t int) bool {
	for t%10 == 0 {
		t /= 10
	}
	return t < 10 || t < 100 && t%10 == 5
}

// Convergence has the objective of the plain solver over its iterations.
type Convergence struct {
	Columns []DescentColumn
	Sets    []ConvergenceSet
}

// A DescentColumn is a method in one variant.
type DescentColumn struct {
	Method  string
	Variant string // empty if the spec sweeps none
}

// A ConvergenceSet is one data set.
type ConvergenceSet struct {
	Set
	Descents [][]Descent // by column, then by mode
}

// A Descent is one run of the plain solver. What a cell does not have is nil, or
// NaN for Start.
type Descent struct {
	Set        Set
	Mode       string
	Start      float64               // objective at the start
	Iterations []float64             // of block 1 that were kept, over all epochs and metrics
	Best       []float64             // lowest objective so far, by iteration kept
	Rate       *r2lml.Rate           // of the curve fitted to it
	Raised     *results.Fact         // iterations of block 1 that raised the objective
	Fitted     *results.Fact         // runs of block 1 that the curve describes
	Blocks     [blocks]*results.Fact // runs of each block that raised the objective
}

// ReadConvergence reads the table of spec convergence. A series that holds no
// numbers, or too many or too few, is an error.
func ReadConvergence(t table.Table) (Convergence, error) {
	var c Convergence
	for _, column := range t.Columns {
		c.Columns = append(c.Columns, DescentColumn{column.Method, column.Swept["variant"]})
	}
	for _, r := range t.Rows {
		set := ConvergenceSet{Set: setOf(r)}
		for i, column := range t.Columns {
			var runs []Descent
			for _, mode := range Modes {
				d, err := newDescent(set.Set, mode, cellAt(r, i).Score)
				if err != nil {
					return c, fmt.Errorf("study: convergence of %s on %s, %s: %w", column.Method, r.Dataset, mode, err)
				}
				runs = append(runs, d)
			}
			set.Descents = append(set.Descents, runs)
		}
		c.Sets = append(c.Sets, set)
	}
	return c, nil
}

func newDescent(set Set, mode string, score *table.Score) (Descent, error) {
	d := Descent{Set: set, Mode: mode, Start: math.NaN(), Raised: factOf(score, mode+iterationsFact), Fitted: factOf(score, mode+fittedFact)}
	for i := range d.Blocks {
		d.Blocks[i] = factOf(score, fmt.Sprintf(mode+blockFact, i+1))
	}
	var start, rate []float64
	for _, s := range []struct {
		key  string
		list *[]float64
	}{{startSeries, &start}, {iterationsSeries, &d.Iterations}, {bestSeries, &d.Best}, {rateSeries, &rate}} {
		var err error
		if *s.list, err = score.SeriesOf(mode + s.key).Floats(); err != nil {
			return d, err
		}
	}
	if len(start) > 1 || len(rate) != 0 && len(rate) != 3 || len(d.Iterations) != len(d.Best) {
		return d, fmt.Errorf("%d starts, %d numbers of the fitted curve and %d iterations for %d objectives", len(start), len(rate), len(d.Iterations), len(d.Best))
	}
	if len(start) == 1 {
		d.Start = start[0]
	}
	if len(rate) == 3 {
		d.Rate = &r2lml.Rate{A: rate[0], B: rate[1], R2: rate[2]}
	}
	return d, nil
}

// known tells whether all that the theorems speak of was measured.
func (d Descent) known() bool { return d.Raised != nil && d.Rate != nil && d.Blocks[0] != nil }

// falls tells whether no block raised the objective in any run.
func (d Descent) falls() bool {
	return !slices.ContainsFunc(d.Blocks[:], func(f *results.Fact) bool { return f != nil && f.Count > 0 })
}

// Claims are, over the runs of which all is known: theorem-2, those of each variant
// without momentum in which no block raises the objective; theorem-1-runs, those that the
// curve a + b/√T describes, and theorem-1-single, the single runs of block 1, of which
// the theorem speaks. It is a bound from above, which a curve of another form below it
// does not contradict.
func (c Convergence) Claims() []Claim {
	whole, single := Claim{ID: "theorem-1-runs"}, Claim{ID: "theorem-1-single"}
	falling := map[string]*Claim{Published: {ID: "theorem-2-published"}, Reference: {ID: "theorem-2-reference"}}
	for _, s := range c.Sets {
		for i, column := range c.Columns {
			for _, d := range s.Descents[i] {
				if !d.known() {
					continue
				}
				if f := falling[column.Variant]; f != nil && d.Mode == WithoutMomentum {
					f.count(d.falls())
				}
				whole.count(d.Rate.R2 >= FitQuality)
				if d.Fitted != nil {
					single.add(*d.Fitted)
				}
			}
		}
	}
	return []Claim{*falling[Published], *falling[Reference], whole, single}
}

// Listings have a line for every data set, column and mode.
func (c Convergence) Listings() []table.Listing {
	l := table.Listing{
		Title: "The objective over the iterations",
		Head:  []string{"data", "method", "variant", "momentum", "start", "lowest", "a", "b", "R²", "iterations", "block 1", "block 2", "block 3"},
	}
	for _, s := range c.Sets {
		for i, column := range c.Columns {
			for _, d := range s.Descents[i] {
				momentum := "no"
				if d.Mode == WithMomentum {
					momentum = "yes"
				}
				l.Rows = append(l.Rows, append([]string{s.Name, published.MethodName(column.Method), text.OrDash(column.Variant), momentum}, d.fields()...))
			}
		}
	}
	return []table.Listing{l}
}

// fields are the numbers of a run as texts.
func (d Descent) fields() []string {
	lowest, rate := math.NaN(), r2lml.Rate{A: math.NaN(), B: math.NaN(), R2: math.NaN()}
	if n := len(d.Best); n > 0 {
		lowest = d.Best[n-1]
	}
	if d.Rate != nil {
		rate = *d.Rate
	}
	var all []string
	for _, x := range []float64{d.Start, lowest, rate.A, rate.B, rate.R2} {
		all = append(all, sixDigits(x))
	}
	raised := d.Raised
	if !d.known() {
		raised = nil
	}
	for _, f := range slices.Concat([]*results.Fact{raised}, d.Blocks[:]) {
		all = append(all, ratio(f))
	}
	return all
}

// sixDigits writes a number with six significant digits, "-" if it is none.
func sixDigits(x float64) string {
	switch {
	case math.IsNaN(x):
		return "-"
	case math.IsInf(x, 1):
		return "∞"
	}
	return strconv.FormatFloat(x, 'g', 6, 64)
}
