package verdict_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"r2lmlbench/results/published"
	. "r2lmlbench/results/verdict"
)

// number is evidence on a printed value of 100 test samples, with margin 1.
func number(letter, column, printed string, protocols ...Protocol) Evidence {
	return Evidence{
		Published: published.Number{Letter: letter, Method: column, Accuracy: printed}, Column: column, Size: 100, Stochastic: true, Protocols: protocols,
	}
}

func rungOf(p Placebo, method, size string, rung Rung) *RungPlacebo {
	i := slices.IndexFunc(p.Rungs, func(r RungPlacebo) bool { return r.Method == method && r.Size == size && r.Rung == int(rung) })
	if i < 0 {
		return nil
	}
	return &p.Rungs[i]
}

// TestPlacebo: two numbers by hand. The stated runs reach 49 to 53 on A and 79 to 81
// on B, so that 50 and 80 are reached. Decoys: 48 and 52, 78 and 82, of which 52; 46
// and 54, 76 and 84, none; 42 and 58, 72 and 88, none; 80 on A and 50 on B, neither.
// The best on test reaches 40 to 60 and 70 to 90: all but the other row's value.
func TestPlacebo(t *testing.T) {
	large := number("B", "m", "80.00", of(Stated, "", 80), of(OnTest, "", 71, 89))
	large.Size, large.Protocols[0].Runs, large.Protocols[1].Runs = 1000, runs(1000, 800), runs(1000, 710, 890)
	p := NewPlacebo([]Evidence{number("A", "m", "50.00", of(Stated, "", 50, 52), of(OnTest, "", 41, 59)), large, number("A", "n", "10.00")})
	for _, c := range []struct {
		size     string
		rung     Rung
		want     string
		explains bool
	}{
		{"all", Stated, "{2 2} [{2 {1 4}} {4 {0 4}} {8 {0 4}}] {0 2}", true},
		{"under 500", Stated, "{1 1} [{2 {1 2}} {4 {0 2}} {8 {0 2}}] {0 1}", true},
		{"500 and more", Stated, "{1 1} [{2 {0 2}} {4 {0 2}} {8 {0 2}}] {0 1}", true},
		{"all", OnTest, "{2 2} [{2 {4 4}} {4 {4 4}} {8 {4 4}}] {0 2}", false},
	} {
		r := rungOf(p, "m", c.size, c.rung)
		if got := fmt.Sprint(r.Printed, r.Moved, r.Rows); got != c.want || r.Explains != c.explains {
			t.Errorf("%s, rung %d: %s, explains %v; want %s", c.size, c.rung, got, r.Explains, c.want)
		}
	}
	if rows := p.SizeTable().Rows; len(rows) != 4 || strings.Join(rows[0][:5], "|") != "m|1|under 500|1 of 1|50 %" || rows[3][2] != "500 and more" ||
		rows[3][len(rows[3])-1] != "explains nothing" {
		t.Errorf("%q", rows)
	}
	if rungOf(p, "m", "all", Tied) != nil || rungOf(p, "n", "all", Stated) != nil {
		t.Error("a rung that was not run")
	}
}

// A decoy is cut to 0 to 100: of 99.00 one of 100.00, which the runs reach.
func TestDecoysStayPercentages(t *testing.T) {
	p := NewPlacebo([]Evidence{number("A", "m", "99.00", of(Stated, "", 99))})
	if r := rungOf(p, "m", "all", Stated); fmt.Sprint(r.Moved) != "[{2 {1 2}} {4 {1 2}} {8 {1 2}}]" {
		t.Errorf("%+v", r)
	}
}

// A rung that reaches three decoys of four as often as printed values explains
// nothing.
func TestExplains(t *testing.T) {
	var all []Evidence
	for i, runs := range [][]int{{46, 54}, {46, 54}, {50, 54}, {46, 49}, {50}} { // 2, 2, 1, 1 and 0 decoys of 2
		all = append(all, number(fmt.Sprint(i), "m", "50.00", of(Stated, "", runs...)))
	}
	for n, want := range map[int]bool{4: false, 5: true} { // 6 of 8 and 6 of 10 decoys
		r := rungOf(NewPlacebo(all[:n]), "m", "all", Stated)
		if r.Explains != want {
			t.Errorf("%+v", r)
		}
	}
}

// TestCalibration: 50, 51 and 60 against the others. 50 is 1 from 51 to 60: outside,
// within the margin; 51 is inside; 60 is 9 from 50 to 51. Moved by 2: 48 and 52
// against 51 to 60, 49 and 53 against 50 to 60, 58 and 62 against 50 to 51, of which 52,
// 49 and 53 are within the margin.
func TestCalibration(t *testing.T) {
	short, fixed := number("B", "m", "50.00", of(Stated, "", 50, 60)), number("C", "n", "50.00", of(Stated, "", 50, 51, 60))
	fixed.Stochastic = false
	p := NewPlacebo([]Evidence{number("A", "m", "50.00", of(Stated, "", 50, 51, 60)), short, fixed})
	if len(p.Calibration) != 1 {
		t.Fatalf("%+v", p.Calibration)
	}
	c := p.Calibration[0]
	if c.Method != "m" || c.Within != (Share{2, 3}) || c.Inside != (Share{1, 3}) || c.Chance != 0.666667 || c.Moved[0] != (Moved{2, Share{3, 6}}) {
		t.Errorf("%+v", c)
	}
	if got := fmt.Sprintf("%.4f", c.Missed()); got != "0.3333" {
		t.Errorf("missed %s", got)
	}
}

// Sentences turn round with the numbers.
func TestPlaceboSentences(t *testing.T) {
	rung := func(method string, moved int, explains bool) RungPlacebo {
		return RungPlacebo{Method: method, Size: "all", Rung: 4, Printed: Share{8, 10}, Moved: []Moved{{4, Share{moved, 20}}}, Explains: explains}
	}
	for _, c := range []struct {
		p    Placebo
		want string
	}{
		{Placebo{}, ""},
		{Placebo{Rungs: []RungPlacebo{rung("a", 2, true), rung("b", 4, true)}},
			"Rung 4 reaches 16 of 20 printed values (80 %) and 15 % of decoys moved by 4 points."},
		{Placebo{Rungs: []RungPlacebo{rung("a", 2, true), rung("b", 16, false)}},
			"Rung 4 reaches 16 of 20 printed values (80 %) and 45 % of decoys moved by 4 points. " +
				"For b decoys are reached at least three quarters as often, so that it explains nothing there."},
	} {
		if got := strings.Join(c.p.Sentences(), "\n"); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
	for within, want := range map[int]string{
		9: "Rung 1 misses at most 10 % of our own seeds of any method.",
		8: "Rung 1 misses more than 10 % of our own seeds of a: their ranges are too narrow to judge by.",
	} {
		p := Placebo{Calibration: []Calibration{{Method: "a", Within: Share{within, 10}}, {Method: "b", Within: Share{10, 10}}}}
		if got := p.CalibrationSentence(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	moved := func(method string, reached int) Calibration {
		return Calibration{Method: method, Within: Share{10, 10}, Moved: []Moved{{2, Share{20, 20}}, {4, Share{reached, 20}}}}
	}
	const all = "Rung 1 misses at most 10 % of our own seeds of any method."
	for reached, want := range map[int]string{15: all, 16: all + " For a it also reaches 80 % of them when they are moved by 4 points."} {
		p := Placebo{Calibration: []Calibration{moved("a", reached), moved("b", 3)}}
		if got := p.CalibrationSentence(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestSmallSets: on the small set the runs are 44 to 56 and reach all decoys moved by
// 4, on the large one they are near and reach none.
func TestSmallSets(t *testing.T) {
	small, large := number("A", "m", "50.00", of(Stated, "", 44, 56)), number("B", "m", "50.00", of(Stated, "", 49, 51))
	small.Size, large.Size = 100, 1000
	v, err := Judge("accuracy", []Evidence{small, large})
	if err != nil {
		t.Fatal(err)
	}
	got := v.SmallSets()
	if len(got) != 2 || !strings.HasPrefix(got[0], "Of the 2 numbers that the stated protocol gives, 1 is on sets with under 500 test samples, for m.") ||
		got[1] != "In all, 1 number rests on runs more than 10 points apart." {
		t.Errorf("%q", got)
	}
	if v, err = Judge("accuracy", []Evidence{large}); err != nil || len(v.SmallSets()) > 0 {
		t.Errorf("%v, %q", err, v.SmallSets())
	}
}
