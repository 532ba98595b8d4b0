package measure

import (
	"context"
	"errors"
	"fmt"

	"r2lmlbench/r2lml"
	"r2lmlbench/results"
)

// The two runs of the plain solver on every cell; keys begin with them.
const (
	WithMomentum    = "with momentum"
	WithoutMomentum = "without momentum"
)

// Modes are both, in the order of a cell.
var Modes = []string{WithMomentum, WithoutMomentum}

// Keys of one run, after its mode.
const (
	blockFact      = ": block %d raised the objective"
	fittedFact     = ": runs of block 1 that follow a + b/sqrt(T) with R2 of 0.9 or more"
	iterationsFact = ": iterations of block 1 that raised the objective"

	startSeries      = ": objective at the start"
	iterationsSeries = ": iteration"
	bestSeries       = ": best objective so far"
	rateSeries       = ": fitted a + b/sqrt(T): a, b, R2"
)

// FitQuality is the least R² for which a + b/√T describes a run.
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

// addTrace adds the facts and series of one run.
func (m *Measured) addTrace(mode string, t r2lml.Trace) error {
	best := t.Best()
	rate, err := r2lml.FitRate(best)
	if err != nil {
		return err
	}
	for block := 1; block <= blocks; block++ {
		if raised, of := t.Raised(block); of > 0 {
			m.Facts = append(m.Facts, results.Count{Name: fmt.Sprintf(mode+blockFact, block), Count: raised, Of: of})
		}
	}
	fitted, of, err := fittedRuns(t)
	if err != nil {
		return err
	}
	raised, iterations := t.RaisedIterations()
	m.Facts = append(m.Facts,
		results.Count{Name: mode + fittedFact, Count: fitted, Of: of},
		results.Count{Name: mode + iterationsFact, Count: raised, Of: iterations})
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
// objective so far follows the line: Theorem 1 is about such a run.
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

// kept reports whether a cell keeps iteration t: it has one significant digit, or two
// with a second digit of 5. A logarithmic axis shows them evenly.
func kept(t int) bool {
	for t%10 == 0 {
		t /= 10
	}
	return t < 10 || t < 100 && t%10 == 5
}

// A Descent is one run of the plain solver. Fields that a cell lacks are nil.
type Descent struct {
	Iterations []float64   // kept iterations of block 1, over all epochs and metrics
	Best       []float64   // lowest objective so far, by iteration kept
	Rate       *r2lml.Rate // of the curve fitted to it
}

// ReadDescent reads a run of a cell. It fails if a series has a wrong number of numbers.
func ReadDescent(mode string, series []results.Series) (Descent, error) {
	d := Descent{Iterations: floatsOf(series, mode+iterationsSeries), Best: floatsOf(series, mode+bestSeries)}
	rate := floatsOf(series, mode+rateSeries)
	if len(rate) != 0 && len(rate) != 3 || len(d.Iterations) != len(d.Best) {
		return d, fmt.Errorf("%d numbers of the fitted curve and %d iterations for %d objectives", len(rate), len(d.Iterations), len(d.Best))
	}
	if len(rate) == 3 {
		d.Rate = &r2lml.Rate{A: rate[0], B: rate[1], R2: rate[2]}
	}
	return d, nil
}
