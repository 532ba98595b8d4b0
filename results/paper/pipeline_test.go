package paper

import (
	"fmt"
	"math"
	"testing"

	"r2lmlbench/internal/fixture"
	"r2lmlbench/results/store"
)

// TestPipeline: the accepted cells give the reading that accuracy has, and how each row
// of the Euclidean column stands to it. A second computation of the counts, in numpy, is
// .ci/opinion.py.
func TestPipeline(t *testing.T) {
	accepted := &store.Store{Dir: "../accepted"}
	p, ok, err := ReadPipeline(t.Context(), &store.Store{Dir: t.TempDir()}, accepted)
	if err != nil || !ok || p.Chosen < 0 {
		t.Fatalf("no readings: %v, %v, %d", err, ok, p.Chosen)
	}
	chosen := p.Readings[p.Chosen]
	if len(p.Readings) != 8 || chosen.Ties != "random" || chosen.Distances != "repeat-first" || chosen.PCA != "standardized" {
		t.Errorf("%d readings, of which %+v is the most likely", len(p.Readings), chosen.Reading)
	}
	// A reading with ties to the smallest label cannot give the rows whose votes tie.
	for _, r := range p.Readings {
		if r.Ties == "smallest" && r.Impossible == 0 || r.Impossible > 0 != math.IsInf(r.LogLikelihood, -1) {
			t.Errorf("%+v: %d impossible rows, log-likelihood %g", r.Reading, r.Impossible, r.LogLikelihood)
		}
	}
	words := map[string]string{}
	for _, row := range chosen.Rows {
		word, _ := row.Stands()
		words[word] += row.Letter
	}
	for word, want := range map[string]string{RowEqual: "DIMPR", RowWithin: "ABCFJKLNO", RowOff: "EGHQ"} {
		fixture.Equal(t, word, words[word], want)
	}
	for _, l := range p.Listings() {
		for _, row := range l.Rows {
			fixture.Equal(t, l.Title+": a row", len(row), len(l.Columns))
		}
	}
}

// TestLogProb: two fair ties give none, one or two right answers with probabilities of a
// quarter, a half and a quarter; anything else is impossible, but on another copy of the
// data nothing is.
func TestLogProb(t *testing.T) {
	half := []float64{0.5, 0.5}
	for printed, want := range map[int]float64{9: 0, 10: 0.25, 11: 0.5, 12: 0.25, 13: 0} {
		r := PipelineRow{N: 100, Printed: printed, Certain: 10, Mean: 11}
		fixture.Near(t, fmt.Sprintf("probability of %d right", printed), math.Exp(r.logProb(half, 0.5)), want, 1e-15)
		r.OtherCopy = true
		// Normal density with variance 0.5 + 2*100*0.11*0.89.
		v := 0.5 + 200*0.11*0.89
		density := math.Exp(-float64((printed-11)*(printed-11))/(2*v)) / math.Sqrt(2*math.Pi*v)
		fixture.Near(t, fmt.Sprintf("density of %d right on another copy", printed), math.Exp(r.logProb(half, 0.5)), density, 1e-12)
	}
}

// TestCompare: rows that are the same without a draw under all readings do not decide,
// however far they are from print; of the others the most likely complete reading wins.
func TestCompare(t *testing.T) {
	row := func(letter string, sd, logProb float64) PipelineRow {
		return PipelineRow{Letter: letter, SD: sd, LogProb: logProb, Certain: 1}
	}
	p := Pipeline{Chosen: -1, Sets: 2, Readings: []PipelineReading{
		{Rows: []PipelineRow{row("A", 0, math.Inf(-1)), row("B", 1, -3)}},
		{Rows: []PipelineRow{row("A", 0, math.Inf(-1)), row("B", 1, -2)}},
		{Rows: []PipelineRow{row("A", 0, math.Inf(-1))}}, // a cell is missing
		{Rows: []PipelineRow{row("A", 0, math.Inf(-1)), row("B", 0, math.Inf(-1))}},
	}}
	p.compare()
	if p.Chosen != 1 || p.Readings[0].LogLikelihood != -3 || p.Readings[1].LogLikelihood != -2 || p.Readings[3].Impossible != 1 {
		t.Errorf("reading %d is chosen of %+v", p.Chosen, p.Readings)
	}
	if !p.Readings[1].Rows[0].Same || p.Readings[1].Rows[1].Same {
		t.Errorf("rows that do not decide: %+v", p.Readings[1].Rows)
	}
}
