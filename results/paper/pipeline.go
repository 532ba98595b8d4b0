package paper

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/stat/distuv"

	"r2lmlbench/experiments/measure"
	"r2lmlbench/experiments/plan"
	"r2lmlbench/experiments/published"
	"r2lmlbench/experiments/spec"
	"r2lmlbench/internal/document"
	"r2lmlbench/internal/text"
	"r2lmlbench/r2lml"
	"r2lmlbench/results"
	"r2lmlbench/results/store"
	"r2lmlbench/stats"
)

// PipelineSpec is the spec whose columns are readings of the paper's data pipeline, each
// under the Euclidean metric and with the measure of votes.
const PipelineSpec = "pipeline"

// A Pipeline compares readings of the paper's data pipeline by the Euclidean column of
// its table. That column has no parameter, no seed and no method in it, so that nothing
// else can explain a difference.
type Pipeline struct {
	Readings []PipelineReading // in the order of the spec
	Sets     int               // data sets of the spec with a printed number
	Chosen   int               // the most likely one of those with cells on all of them, -1 without any
}

// A PipelineReading is one reading with what it gives on every data set.
type PipelineReading struct {
	spec.Reading
	Rows []PipelineRow // of the data sets with all cells; empty: nothing was run

	// LogLikelihood is that of the printed numbers of right answers over the draws of
	// tied votes: the sum of PipelineRow.LogProb over the rows that say something, see
	// PipelineRow.Same.
	LogLikelihood float64
	Impossible    int // rows with a printed number that no draw gives
}

// A PipelineRow is the distribution of the number of right answers on a data set.
type PipelineRow struct {
	Letter, Name string
	N            int     // test samples
	Printed      int     // right answers by the paper's table
	Certain      int     // right answers that no draw changes
	Mean, SD     float64 // of the right answers over the draws
	OtherCopy    bool    // see datasets.DataSet

	// LogProb is the logarithm of the probability of Printed. Under draws it is exact. On
	// another copy of the data, two times the binomial variance is added, as of two
	// independent test sets, and the density of the normal distribution taken.
	LogProb float64
	// Same: nothing is drawn, and every reading gives the same, so that the row cannot
	// decide between them.
	Same bool
}

// ReadPipeline compares the readings by the cells of one of several stores, the first that
// holds any of the spec; false if none does. The data files are not needed.
func ReadPipeline(ctx context.Context, stores ...*store.Store) (Pipeline, bool, error) {
	p, err := plan.Named(ctx, PipelineSpec)
	if err != nil {
		return Pipeline{}, false, err
	}
	for _, st := range stores {
		st = st.Snapshot()
		if begun, err := p.Begun(st); err != nil {
			return Pipeline{}, false, err
		} else if begun {
			found, err := newPipeline(p, st)
			return found, true, err
		}
	}
	return Pipeline{}, false, nil
}

func newPipeline(p plan.Plan, st *store.Store) (Pipeline, error) {
	all := Pipeline{Chosen: -1}
	for _, row := range p.Splits {
		if _, ok := p.Spec.Published.Numbers.Lookup(row.Dataset.ID, published.Euclidean); ok {
			all.Sets++
		}
	}
	for i := range p.Spec.Columns {
		reading := PipelineReading{Reading: p.Spec.Methods[i].Reading}
		for _, row := range p.Splits {
			cell, ok, err := st.Find(row.Jobs[i][0].Inputs)
			if err != nil {
				return all, err
			}
			printed, known := p.Spec.Published.Numbers.Lookup(row.Dataset.ID, published.Euclidean)
			if !ok || !known {
				continue
			}
			r, err := newPipelineRow(row, cell, printed)
			if err != nil {
				return all, err
			}
			reading.Rows = append(reading.Rows, r)
		}
		all.Readings = append(all.Readings, reading)
	}
	all.compare()
	return all, nil
}

// newPipelineRow is the distribution behind a cell.
func newPipelineRow(row plan.Split, cell results.Cell, printed published.Number) (PipelineRow, error) {
	n := len(cell.Truth)
	r := PipelineRow{
		Letter: row.Dataset.Letter, Name: row.Dataset.Name, N: n, Printed: int(math.Round(printed.Percent * float64(n) / 100)),
		OtherCopy: row.Dataset.OtherCopy,
	}
	votes, err := measure.ReadVotes(cell.Counts, cell.Neighbors)
	if err != nil {
		return r, fmt.Errorf("%s: %w; run the spec %s again", row.Dataset.ID, err, PipelineSpec)
	}
	r.Certain = cell.Correct()
	var chances []float64
	if cell.Ties == r2lml.RandomTie {
		r.Certain = votes.Won
		for labels, count := range votes.Tied {
			chances = append(chances, slices.Repeat([]float64{1 / float64(labels)}, count)...)
		}
	}
	slices.Sort(chances)
	r.Mean = float64(r.Certain)
	variance := 0.0
	for _, p := range chances {
		r.Mean += p
		variance += p * (1 - p)
	}
	r.SD = math.Sqrt(variance)
	r.LogProb = r.logProb(chances, variance)
	return r, nil
}

func (r PipelineRow) logProb(chances []float64, variance float64) float64 {
	if r.OtherCopy {
		p := r.Mean / float64(r.N)
		sd := math.Sqrt(variance + 2*float64(r.N)*p*(1-p))
		return distuv.Normal{Mu: r.Mean, Sigma: sd}.LogProb(float64(r.Printed))
	}
	pmf := stats.PoissonBinomial(chances)
	if k := r.Printed - r.Certain; k >= 0 && k < len(pmf) {
		return math.Log(pmf[k])
	}
	return math.Inf(-1)
}

// compare adds up the likelihoods and chooses a reading.
func (p *Pipeline) compare() {
	same := map[string]bool{}
	for _, r := range p.Readings[0].Rows {
		same[r.Letter] = true
	}
	for _, reading := range p.Readings {
		for i, r := range reading.Rows {
			first := p.Readings[0].Rows
			same[r.Letter] = same[r.Letter] && r.SD == 0 && i < len(first) && first[i].Letter == r.Letter && first[i].Certain == r.Certain
		}
	}
	for k := range p.Readings {
		reading := &p.Readings[k]
		for i := range reading.Rows {
			r := &reading.Rows[i]
			if r.Same = same[r.Letter]; r.Same {
				continue
			}
			reading.LogLikelihood += r.LogProb
			if math.IsInf(r.LogProb, -1) {
				reading.Impossible++
			}
		}
		complete := len(reading.Rows) == p.Sets && p.Sets > 0
		if complete && (p.Chosen < 0 || reading.LogLikelihood > p.Readings[p.Chosen].LogLikelihood) {
			p.Chosen = k
		}
	}
}

// The ways in which a row stands to the printed number.
const (
	RowEqual  = "equal"
	RowWithin = "within 2 sd"
	RowOff    = "off"
)

// Stands tells whether the reading gives the printed number: always, within two standard
// deviations of the draws, or not; and why it may not.
func (r PipelineRow) Stands() (word, why string) {
	off := math.Abs(float64(r.Printed) - r.Mean)
	switch {
	case off == 0 && r.SD == 0:
		return RowEqual, "nothing is drawn"
	case off <= 2*r.SD:
		return RowWithin, "ties are drawn"
	case r.OtherCopy:
		return RowOff, "another copy of the data"
	case r.SD == 0:
		return RowOff, "nothing is drawn; not explained"
	}
	return RowOff, "more than the draws explain"
}

// Counts says of how many rows each word is.
func (r PipelineReading) Counts() map[string]int {
	counts := map[string]int{}
	for _, row := range r.Rows {
		word, _ := row.Stands()
		counts[word]++
	}
	return counts
}

// Listings are the readings with their likelihoods, and the rows under the chosen one.
func (p Pipeline) Listings() []document.Table {
	if p.Chosen < 0 {
		return nil
	}
	readings := document.New("Readings of the data pipeline, by the printed Euclidean accuracies",
		"ties", "distances", "PCA", "equal", "within 2 sd", "off", "impossible", "log-likelihood", "")
	readings.Ruled, readings.Notes = true, []string{
		"Log-likelihood: of the printed numbers of right answers, over the draws of tied votes. Impossible: sets whose printed number no draw gives, " +
			"of those that count.",
		"Left out of the likelihood are sets on which all readings give the same without a draw. On another copy of a set, the variance of two " +
			"independent test sets is added.",
	}
	for k, r := range p.Readings {
		counts := r.Counts()
		likelihood, mark := "-", ""
		if r.Impossible == 0 {
			likelihood = strconv.FormatFloat(r.LogLikelihood, 'f', 1, 64)
		}
		if k == p.Chosen {
			mark = "chosen"
		}
		readings.Add(r.Ties, r.Distances, r.PCA, counts[RowEqual], counts[RowWithin], counts[RowOff], r.Impossible, likelihood, mark)
	}
	chosen := p.Readings[p.Chosen]
	rows := document.New(fmt.Sprintf("Euclidean accuracies under ties %s, distances %s, PCA %s", chosen.Ties, chosen.Distances, chosen.PCA),
		"data", "n", "printed", "mean", "sd", "samples off", "", "why")
	rows.Ruled, rows.Notes = true, []string{"Mean and standard deviation over the draws of tied votes, exact."}
	percent := func(x, n float64) string { return text.TwoDecimals(100 * x / n) }
	for _, r := range chosen.Rows {
		word, why := r.Stands()
		n := float64(r.N)
		rows.Add(r.Letter+" "+r.Name, r.N, percent(float64(r.Printed), n), percent(r.Mean, n), percent(r.SD, n),
			strconv.FormatFloat(math.Abs(float64(r.Printed)-r.Mean), 'f', 1, 64), word, why)
	}
	return []document.Table{readings, rows}
}
