package study

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"r2lmlbench/results"
	"r2lmlbench/results/study/studytest"
	"r2lmlbench/results/table"
)

// paperLetters are data sets of the paper.
const paperLetters = "ABCDEFGH"

// surfaceInput has one method on eight data sets of the paper, with two settings:
// chosen is the number of right answers of 10000 of the one that validation prefers,
// by row, and best that of the other.
func surfaceInput(method string, chosen, best func(printed int) int) Input {
	spec := table.Spec{Name: "surfaces", Columns: []table.Column{studytest.Swept(method)}}
	points := []results.Params{{"lambda": 1}, {"lambda": 10}}
	var in Input
	for _, letter := range strings.Split(paperLetters, "") {
		hundredths, err := strconv.Atoi(strings.ReplaceAll(printedOf(letter, method), ".", ""))
		if err != nil {
			panic(err)
		}
		cell := studytest.Gridded(method, 1, 10000, points, []int{40, 30}, []int{chosen(hundredths), best(hundredths)})
		in.Rows = append(in.Rows, table.RowInput{Dataset: letter, Letter: letter, Name: letter, Cells: []table.CellInput{{Cells: []results.Cell{cell}}}})
	}
	in.Table = table.New(spec, in.Rows)
	return in
}

func readSurfaces(t *testing.T, in Input) Surfaces {
	t.Helper()
	s, err := ReadSurfaces(in)
	if err != nil {
		t.Fatal(err)
	}
	sound(t, "surfaces", s)
	return s
}

// The sentence turns round with the numbers, and judges nothing.
func TestSurfacesTurn(t *testing.T) {
	onTest := readSurfaces(t, surfaceInput(Efficient, func(p int) int { return p - 300 }, func(p int) int { return p + 50 }))
	expect(t, onTest.Claims(), "nearer-e-r2lml: counted, 8 of 8", "inside-e-r2lml: counted, 8 of 8")
	if n := onTest.Nearer()[0]; !strings.Contains(n.Statement, "best setting on the test samples is nearer") || n.MeanChosen != 3 || n.MeanBest != 0.5 ||
		n.WithinChosen != 0 || n.WithinBest != 8 {
		t.Errorf("%+v", n)
	}
	validation := readSurfaces(t, surfaceInput(Efficient, func(p int) int { return p + 1 }, func(p int) int { return p + 90 }))
	expect(t, validation.Claims(), "nearer-e-r2lml: counted, 8 of 8", "inside-e-r2lml: counted, 0 of 8")
	if n := validation.Nearer()[0]; !strings.Contains(n.Statement, "chosen on validation is nearer") || n.Validation != 8 || n.WithinChosen != 8 {
		t.Errorf("%+v", n)
	}
	same := readSurfaces(t, surfaceInput(Efficient, func(p int) int { return p + 1 }, func(p int) int { return p - 1 }))
	expect(t, same.Claims(), "nearer-e-r2lml: counted, 0 of 8")
}

// GLML's parameters are chosen with the shrinkage of the table of accuracies; the
// range is that of the whole grid. Without that table all points are to choose from.
func TestSurfacesShrinkage(t *testing.T) {
	in := inputOf("surfaces", first(studytest.Surfaces()))
	heart := readSurfaces(t, in).Sets[1].Grids[1]
	if chosen, best := heart.Chosen(); heart.Column.ID != glml || chosen != 62 || best != 70 {
		t.Errorf("%s: %g, %g", heart.Column.ID, chosen, best)
	}
	if low, high := heart.Range(); low != 60 || high != 70 {
		t.Errorf("%g to %g", low, high)
	}
	ionosphere := readSurfaces(t, in).Sets[0].Grids[1]
	if chosen, best := ionosphere.Chosen(); chosen != 75 || best != 75 {
		t.Errorf("%g, %g", chosen, best)
	}
	in.Accuracies = table.Table{}
	ionosphere = readSurfaces(t, in).Sets[0].Grids[1]
	if chosen, best := ionosphere.Chosen(); chosen != 90 || best != 90 {
		t.Errorf("without a table: %g, %g", chosen, best)
	}
	notes := readSurfaces(t, in).Shrinkage().Notes
	if len(notes) != 2 || notes[0] != "Ionosphere: 70.00 to 90.00 over shrinkage and gamma, printed 71.95." {
		t.Errorf("%q", notes)
	}
}

// A seed on which every point failed leaves the set without a distance, and its
// points are counted as failed.
func TestSurfacesFailed(t *testing.T) {
	g := Grid{Printed: "50.00", Seeds: []GridSeed{
		{Right: []int{3, -1}, Correct: []int{6, -1}, stated: []int{0, 1}, n: 10}, {Right: []int{-1, -1}, Correct: []int{-1, -1}, stated: []int{0, 1}, n: 10},
	}}
	if chosen, best := g.Chosen(); !math.IsNaN(chosen) || !math.IsNaN(best) {
		t.Errorf("%g, %g", chosen, best)
	}
	if _, _, ok := g.Gaps(); ok || g.Failed() != (Total{3, 4}) {
		t.Errorf("%v, %+v", ok, g.Failed())
	}
	if low, high := g.Range(); low != 60 || high != 60 {
		t.Errorf("%g to %g", low, high)
	}
	if low, high := (Grid{}).Range(); !math.IsNaN(low) || !math.IsNaN(high) {
		t.Errorf("%g to %g", low, high)
	}
}

// Cells without what is behind the table say nothing.
func TestSurfacesWithoutCells(t *testing.T) {
	s := readSurfaces(t, Input{Table: first(studytest.Surfaces())})
	if len(s.Columns) != 0 || len(s.Claims()) != 0 || s.Empty() {
		t.Errorf("%+v", s)
	}
}

func TestScales(t *testing.T) {
	s, err := ReadScales(inputOf("scales", first(studytest.Scales())))
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Curves) != 4 {
		t.Fatalf("%d curves", len(s.Curves))
	}
	coil := s.Curves[0]
	if by := coil.ByValidation(); by == nil || by.Scale != 16 {
		t.Errorf("%+v", by)
	}
	// 45 of 50 at both scales: the one nearer to 1.
	if by := s.Curves[1].ByValidation(); by == nil || by.Scale != 1 {
		t.Errorf("%+v", by)
	}
	if s.Curves[3].ByValidation() != nil || s.Curves[3].At(1) != nil {
		t.Error("a scale of a method without a result")
	}
	listed(t, s.Listings()[0], "COIL20|T-R2LML|0.25|-|-|-|88.91|all")
}

// Scale 1 comes from the surfaces, where the spec of scales does not have it.
func TestScalesBesideSurfaces(t *testing.T) {
	in := inputOf("scales", first(studytest.Scales()))
	for j, c := range in.Table.Columns {
		if c.Swept[featureScale] == "1" {
			in.Table.Columns[j].Swept = nil
		}
	}
	seed := GridSeed{Seed: 1, Right: []int{40, 41}, Correct: []int{84, 85}, stated: []int{0, 1}, n: 100, of: 50}
	grid := Grid{Column: table.Column{Method: "e-r2lml"}, Printed: "91.56", Seeds: []GridSeed{seed, {}}}
	for _, c := range []struct {
		set   string
		count int
	}{{"coil20", 1}, {"elsewhere", 0}} {
		in.Surfaces = Surfaces{Sets: []SurfaceSet{{Set: Set{Dataset: c.set}, Grids: []Grid{grid}}}}
		s, err := ReadScales(in)
		if err != nil {
			t.Fatal(err)
		}
		if chosen, best := s.Reached(); chosen.Of != c.count || chosen.Count != c.count || best.Of != c.count {
			t.Errorf("%s: %+v, %+v", c.set, chosen, best)
		}
		if scaled := s.Scaled(); scaled.Of != c.count || scaled.Count != c.count {
			t.Errorf("%s: %+v", c.set, scaled)
		}
	}
}

// joined is a study in which both are as accurate, but for by on every set.
func joined(by ...float64) Joint {
	var j Joint
	for range 8 {
		j.Sets = append(j.Sets, JointSet{Set: Set{Name: "Set"}, Apart: []float64{50, 60}, Pairs: by, None: math.NaN()})
	}
	return j
}

func TestJointTurns(t *testing.T) {
	for _, c := range []struct {
		j         Joint
		statement string
		line      string
	}{
		{joined(2, 4), "T-R2LML is more accurate with validation and test samples unlabelled together, by 3.00 points on average",
			"joint-better: holds, 8 of 8, p 0.00781"},
		{joined(-2, -4), "T-R2LML is more accurate with the samples of one part at a time, by 3.00 points on average", "joint-better: holds, 8 of 8, p 0.00781"},
		{joined(2, -2), "T-R2LML is more accurate with validation and test samples unlabelled together", "joint-better: cannot be told, 0 of 8, p 1"},
	} {
		sound(t, "joint", c.j)
		expect(t, c.j.Claims(), c.line)
		if got := c.j.Better().Statement; got != c.statement {
			t.Errorf("%q, want %q", got, c.statement)
		}
	}
	// One set decides on the mean, seven on the test: nothing is told. The seven have
	// rank 4 and the one rank 8: 30 of 256 subsets have a sum of at most 8.
	if found := joined(2, 4).Better().Found; found != "" {
		t.Errorf("of eight sets: %q", found)
	}
	few := joined(2, 4)
	few.Sets = few.Sets[:4]
	want := "On 4 of 4 data sets T-R2LML is more accurate with validation and test samples unlabelled together, by 3.00 points on average. " +
		"With 4 data sets that differ no p below 0.125 is possible"
	if c := few.Better(); c.Found != want || c.P != 0.125 || c.Verdict != Undecided {
		t.Errorf("%+v", c)
	}
	mixed := joined(-1, -1)
	mixed.Sets[0].Pairs = []float64{20, 20}
	expect(t, mixed.Claims(), "joint-better: cannot be told, 1 of 8, p 0.234", "joint-runs: counted, 2 of 16")
}
