package study

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"r2lmlbench/internal/text"
	"r2lmlbench/r2lml"
	"r2lmlbench/results"
	"r2lmlbench/results/table"
	"r2lmlbench/stats"
)

// trainingFact counts the training samples that the k-NN rule labels rightly under
// the learned metric with all other training samples as neighbors.
const trainingFact = "training samples right by leave-one-out k-NN"

// takeTraining writes that fact. The sample is left out of the vote only: the
// metric was learned with it.
func takeTraining(_ context.Context, fit Fit, f *r2lml.LocalMetric) (Measured, error) {
	y := fit.Problem.Y
	if len(y) < 2 {
		return Measured{}, fmt.Errorf("%d training samples, leaving one out needs 2", len(y))
	}
	distance, err := f.TrainingDistances()
	if err != nil {
		return Measured{}, err
	}
	p := r2lml.Problem{X: fit.Problem.X, Y: y, Query: fit.Problem.X, Seed: fit.Problem.Seed}
	fact := results.Fact{Name: trainingFact, Of: len(y)}
	for i, label := range r2lml.ClassifyEach(p, others{distance}, []int{min(fit.Neighbors, len(y)-1)}, fit.Voting)[0] {
		if label == y[i] {
			fact.Count++
		}
	}
	return Measured{Facts: []results.Fact{fact}}, nil
}

// others is the metric between training samples that has none near itself.
type others struct{ distance *mat.SymDense }

// SquaredDistances implements [r2lml.Metric].
func (o others) SquaredDistances(dst []float64, m int) {
	for n := range dst {
		dst[n] = o.distance.At(m, n) * o.distance.At(m, n)
	}
	dst[m] = math.Inf(1)
}

// Gap has the accuracies of every fit on its training, validation and test samples.
type Gap struct {
	Coverage
	Columns []table.Column
	Sets    []GapSet
}

// A GapSet is one data set.
type GapSet struct {
	Set
	Fits []GapFit // by column
}

// A GapFit is one fit. What is not known is nil: Validation where there was one
// setting only.
type GapFit struct{ Training, Validation, Test *table.Tally }

// ReadGap reads a table whose spec measures the accuracy on training samples.
func ReadGap(t table.Table) (Gap, error) {
	g := Gap{Coverage: coverageOf(t), Columns: t.Columns}
	for _, r := range t.Rows {
		set := GapSet{Set: setOf(r)}
		for i := range t.Columns {
			var fit GapFit
			if score := cellAt(r, i).Score; score != nil {
				fit.Validation, fit.Test = score.Validation, &table.Tally{Correct: score.Correct, Of: r.N}
				if f := factOf(score, trainingFact); f != nil {
					fit.Training = &table.Tally{Correct: f.Count, Of: f.Of}
				}
			}
			set.Fits = append(set.Fits, fit)
		}
		g.Sets = append(g.Sets, set)
	}
	return g, nil
}

// Difference compares the accuracy on the training samples with that on the test
// samples: it is above 0 if the first is higher. It is told if both are known.
func (f GapFit) Difference() (sign int, ok bool) {
	if f.Training == nil || f.Test == nil || f.Training.Of <= 0 || f.Test.Of <= 0 {
		return 0, false
	}
	return f.Training.Correct*f.Test.Of - f.Test.Correct*f.Training.Of, true
}

// Above says for one column on how many data sets the accuracy on the training
// samples is above that on the test samples.
type Above struct {
	Claim
	Column               table.Column
	Higher, Lower, Equal int
}

// Above compares them for every column by an exact sign test over the data sets,
// with Holm's correction over the columns.
func (g Gap) Above() []Above {
	var all []Above
	var p []float64
	for i, c := range g.Columns {
		a := Above{Column: c}
		a.Claim = Claim{ID: "training-above-test-" + c.ID, Statement: c.Name + " is more accurate on its training samples than on the test samples", P: math.NaN()}
		for _, s := range g.Sets {
			sign, ok := s.Fits[i].Difference()
			switch {
			case !ok:
				a.Missing++
			case sign > 0:
				a.Higher++
			case sign < 0:
				a.Lower++
			default:
				a.Equal++
			}
		}
		a.Count, a.Of = a.Higher, a.Higher+a.Lower+a.Equal
		if a.Of > 0 {
			a.P = stats.McNemar(stats.Exact, a.Higher, a.Lower).P
		}
		all, p = append(all, a), append(p, a.P)
	}
	for i, holm := range stats.HolmKnown(p) {
		a := &all[i]
		a.P = holm
		significant := holm <= Level
		a.Verdict = verdict(significant && a.Lower > a.Higher, !significant)
	}
	return all
}

// Claims are those of Above.
func (g Gap) Claims() []Claim {
	var all []Claim
	for _, a := range g.Above() {
		all = append(all, a.Claim)
	}
	return all
}

// Listings have a line for every data set and column.
func (g Gap) Listings() []table.Listing {
	l := table.Listing{
		Title: "Accuracy on training, validation and test samples",
		Head:  []string{"data", "method", "training", "validation", "test", "training less test"},
	}
	for _, s := range g.Sets {
		for i, c := range g.Columns {
			f, difference := s.Fits[i], "-"
			if _, ok := f.Difference(); ok {
				difference = text.Signed(100 * (float64(f.Training.Correct)/float64(f.Training.Of) - float64(f.Test.Correct)/float64(f.Test.Of)))
			}
			l.Rows = append(l.Rows, []string{s.Name, c.Name, tally(f.Training), tally(f.Validation), tally(f.Test), difference})
		}
	}
	return []table.Listing{l}
}

// tally is a share in percent, "-" if it is not known.
func tally(t *table.Tally) string {
	if t == nil {
		return "-"
	}
	return stats.Percent(t.Correct, t.Of, 2)
}
