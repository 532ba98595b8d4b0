package study

import (
	"math"
	"testing"

	"r2lmlbench/results/resultstest"
	"r2lmlbench/results/study/studytest"
	"r2lmlbench/results/table"
)

// A method that is above the most frequent class on 20 of 20 permutations has
// learned something: p = 2/2^20, times two after Holm's correction.
func TestProbesClaims(t *testing.T) {
	made := studytest.Probes()
	made.Columns, made.Rows = made.Columns[:2], nil
	for range 20 {
		row := studytest.Probes().Rows[1]
		row.Cells = []table.Cell{got(50, 100), got(61, 100)}
		row.Cells[0].Rank, row.Cells[1].Rank = 1, 1
		made.Rows = append(made.Rows, row)
	}
	read := func() Probes {
		p, err := ReadProbes(made)
		if err != nil {
			t.Fatal(err)
		}
		sound(t, "probes", p)
		return p
	}
	expect(t, read().Claims(), "unlearned: does not hold, 1 of 2, p 3.81e-06", "unlearned-even: does not hold, 1 of 2, p 3.81e-06",
		"false-ranks: cannot be told, 0 of 20, p 1",
		"false-ranks-winequality: counted, 0 of 20")
	for i := range made.Rows {
		made.Rows[i].Cells[1] = got(40, 100)
		made.Rows[i].Cells[1].Rank = 2
	}
	p := read()
	expect(t, p.Claims(), "unlearned: holds, 2 of 2, p 1", "unlearned-even: holds, 2 of 2, p 1",
		"false-ranks: holds, 20 of 20, p 9.54e-27", "false-ranks-winequality: counted, 20 of 20")
	if s := p.Sets[0]; math.Abs(s.Squares-0.52) > 1e-15 || s.Majority != 0.6 || s.Mean(0) != 0.5 || s.Spread(0) != 0 || s.Binomial(0) != 0.05 {
		t.Errorf("%+v", s)
	}
	// Between labels drawn evenly and the most frequent class: 50 of 100 and 60 of 100.
	for i := range made.Rows {
		made.Rows[i].Cells[1].Correct = 55 + i%2
	}
	expect(t, read().Claims(), "unlearned: holds, 2 of 2, p 1", "unlearned-even: does not hold, 1 of 2, p 3.81e-06")
	if s := read().Sets[0]; math.Abs(s.Spread(1)-0.005*math.Sqrt(20.0/19)) > 1e-12 {
		t.Errorf("spread %g", s.Spread(1))
	}
	// One of 20 is what a level of 5 % allows.
	for i := range made.Rows[1:] {
		made.Rows[i].Cells[1].Rank = 1
	}
	expect(t, read().Claims(), "false-ranks: cannot be told, 1 of 20, p 0.642")
}

// The numbers of the paper, in test sets of three classes of equal size. The
// probabilities are those of exact rational arithmetic in another program.
func TestPrintedEqual(t *testing.T) {
	p, err := ReadPrinted(table.New(resultstest.AccuracySpec(resultstest.PaperColumns...), resultstest.PaperRows()))
	if err != nil {
		t.Fatal(err)
	}
	sound(t, "printed", p)
	expect(t, p.Claims(), "equal-pairs: counted, 11 of 504, p 0.821", "equal-lmnn-lmnn-mm: holds, 7 of 18, p 5.4e-07")
	for _, e := range p.EqualPairs() {
		switch {
		case e.First.ID == "lmnn" && e.Second.ID == "lmnn-mm":
			if len(e.Rows) != 7 || math.Abs(e.Expected()-0.49224814263326266) > 1e-12 || math.Abs(e.P/1.927162689764505e-08-1) > 1e-9 {
				t.Errorf("%+v", e)
			}
		case e.First.ID == "glml" && e.Second.ID == "t-r2lml":
			if len(e.Rows) != 1 || math.Abs(e.P-0.4020206715260991) > 1e-12 {
				t.Errorf("%+v", e)
			}
		}
	}
}

// Of 128 test samples 13 counts are within 5 % of 57: 51 to 63. One of them is the
// share of a class. Around 3 there are 0 to 9.
func TestPrintedChance(t *testing.T) {
	for _, c := range []struct {
		around int
		is     string
		want   float64
	}{{57, "44.53", 1.0 / 13}, {57, "55.47", 0}, {3, "0.00", 0.1}, {126, "100.00", 1.0 / 9}} {
		if got := chance(c.around, 128, func(accuracy string) bool { return accuracy == c.is }); got != c.want {
			t.Errorf("%s around %d: %g, want %g", c.is, c.around, got, c.want)
		}
	}
	p, err := ReadPrinted(studytest.Printed())
	if err != nil {
		t.Fatal(err)
	}
	// Of Sonar's classes one has 57 samples and one 71. 66 is nearest to 51.36, and 50
	// of 128 print as 39.06: 60 to 72 has the 71, 44 to 56 neither.
	if len(p.Rows) != 3 || len(p.Rows[0].Numbers) != 6 {
		t.Fatalf("%+v", p.Rows)
	}
	for i, want := range []float64{1.0 / 13, 1.0 / 13, 1.0 / 13, 1.0 / 13, 0, 1.0 / 13} {
		if n := p.Rows[0].Numbers[i]; n.Chance != want {
			t.Errorf("%s, %d of 128: %g, want %g", n.Column.ID, n.Nearest, n.Chance, want)
		}
	}
	if n := p.Rows[0].Numbers[5]; n.Class == nil || *n.Class != 2 || n.Nearest != 71 {
		t.Errorf("%+v", n)
	}
}
