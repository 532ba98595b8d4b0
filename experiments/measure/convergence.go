package measure

import (
	"context"
	"errors"

	"r2lmlbench/experiments/method"
	"r2lmlbench/r2lml"
	"r2lmlbench/results"
)

// convergence runs the plain solver again, from the start of the fit, with and
// without momentum in block 1. It records the best objective so far, the line
// in 1/√T fitted to it (Theorem 1), and how often a step raised the objective,
// which Theorem 2 rules out for whole blocks.
func convergence(ctx context.Context, p method.Problem, s method.Setting, _ r2lml.Fitted) (Measured, error) {
	var m Measured
	for _, momentum := range []bool{true, false} {
		t, err := traceOf(ctx, p, s, momentum)
		if err != nil {
			return m, err
		}
		mode := "without momentum"
		if momentum {
			mode = "with momentum"
		}
		if err := m.addTrace(mode, t); err != nil {
			return m, err
		}
	}
	return m, nil
}

// hasObjective tells whether traceOf can follow the objective of a method.
func hasObjective(m method.Method) bool { return m.Objective }

func traceOf(ctx context.Context, p method.Problem, s method.Setting, momentum bool) (r2lml.Trace, error) {
	switch s := s.(type) {
	case r2lml.Efficient:
		return r2lml.TraceEfficient(ctx, p.Problem, s, momentum)
	case r2lml.Transductive:
		return r2lml.TraceTransductive(ctx, p.Problem, s, momentum)
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
	for block := 1; block <= 3; block++ {
		if raised, of := t.Raised(block); of > 0 {
			m.Facts = append(m.Facts, results.Fact{Name: mode + ": block " + string(rune('0'+block)) + " raised the objective", Count: raised, Of: of})
		}
	}
	m.Facts = append(m.Facts, results.Fact{Name: mode + ": runs of block 1 that follow a + b/sqrt(T) with R2 of 0.9 or more"})
	if err := countFitted(&m.Facts[len(m.Facts)-1], t); err != nil {
		return err
	}
	raised, of := t.RaisedIterations()
	m.Facts = append(m.Facts, results.Fact{Name: mode + ": iterations of block 1 that raised the objective", Count: raised, Of: of})
	var iterations, values []float64
	for i := range best {
		if shown(i+1) || i+1 == len(best) {
			iterations, values = append(iterations, float64(i+1)), append(values, best[i])
		}
	}
	m.Series = append(m.Series,
		results.NewSeries(mode+": objective at the start", []float64{t.Start}),
		results.NewSeries(mode+": iteration", iterations),
		results.NewSeries(mode+": best objective so far", values),
		results.NewSeries(mode+": fitted a + b/sqrt(T): a, b, R2", []float64{rate.A, rate.B, rate.R2}))
	return nil
}

// countFitted counts the runs of block 1, one per epoch and metric, whose best
// objective so far is described by the line: Theorem 1 speaks of such a run.
func countFitted(fact *results.Fact, t r2lml.Trace) error {
	done := 0
	for _, b := range t.Blocks {
		if b.Iterations < 3 {
			done += b.Iterations
			continue // two points lie on any line
		}
		run := r2lml.Trace{Values: t.Values[done : done+b.Iterations]}
		done += b.Iterations
		rate, err := r2lml.FitRate(run.Best())
		if err != nil {
			return err
		}
		fact.Of++
		if rate.R2 >= 0.9 {
			fact.Count++
		}
	}
	return nil
}

// shown picks the iterations that a cell keeps: those of one significant digit
// or two, the second being 0 or 5, which a logarithmic axis shows evenly.
func shown(t int) bool {
	for t%10 == 0 {
		t /= 10
	}
	return t < 10 || t < 100 && t%10 == 5
}
