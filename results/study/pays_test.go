package study

import (
	"math"
	"slices"
	"strings"
	"testing"

	"r2lmlbench/results/study/studytest"
	"r2lmlbench/results/table"
)

// paysCells are the cells of a table as of studytest.Pays; column j takes 2^j seconds.
func paysCells(t table.Table) SpecCells {
	c := SpecCells{Table: t, Families: studytest.PaysFamilies}
	for range t.Rows {
		c.Training = append(c.Training, 40)
		var plans []PlanCell
		for j := range t.Columns {
			plans = append(plans, PlanCell{Points: studytest.PaysGrid(j), Seconds: math.Ldexp(1, j)})
		}
		c.Plans = append(c.Plans, plans)
	}
	return c
}

func readPays(t *testing.T, tbl table.Table, others ...func(map[string]SpecCells)) Pays {
	t.Helper()
	specs := map[string]SpecCells{paysSpec: paysCells(tbl)}
	for _, add := range others {
		add(specs)
	}
	p, err := ReadPays(Input{Table: tbl, Specs: specs})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func namesOf(methods []PaysMethod) string {
	var all []string
	for _, m := range methods {
		all = append(all, m.ID)
	}
	return strings.Join(all, " ")
}

// Local methods are ahead by 10 samples of 200, 5 points, everywhere.
func TestPays(t *testing.T) {
	p := readPays(t, studytest.Pays(map[string]int{"local": 20, "global": 10, "class-wise": 4}))
	m := p.Main.Methods
	if got := namesOf(m.Block.Methods); got != "euclidean gmml kissme lmnn-mm glml plml" || len(m.Block.Sets) != 8 || m.Splits() != (Span{3, 3}) {
		t.Errorf("block of %s on %d sets, %v splits", got, len(m.Block.Sets), m.Splits())
	}
	// On every set: glml +20, plml +14, gmml +10, kissme and lmnn-mm +4, Euclidean 0.
	for id, want := range map[string]float64{"glml": 1, "plml": 2, "gmml": 3, "kissme": 4.5, "lmnn-mm": 4.5, "euclidean": 6} {
		if got := m.RankOf(id); got != want {
			t.Errorf("%s has rank %v, want %v", id, got, want)
		}
	}
	if got := m.MeanRank(LocalFamily); got != 1.5 {
		t.Errorf("mean rank of local methods %v, want 1.5", got)
	}
	// Eight sets of 4 s for gmml, the third column; 100+3.5+1+10 of 200 samples right.
	if m.Seconds[1] != 32 || math.Abs(m.Accuracy[1]-57.25) > 1e-9 {
		t.Errorf("gmml: %v s and %v %%", m.Seconds[1], m.Accuracy[1])
	}
	pair, ok := p.Main.FamilyPair(LocalFamily, GlobalFamily)
	if !ok || pair.Wins != 8 || pair.Losses != 0 || pair.Mean != 5 || pair.Outcome() != PaysBetter || pair.P != 2.0/256 {
		t.Errorf("%+v", pair)
	}
	for _, c := range p.Main.FamilyContrasts(LocalFamily, NoFamily) {
		if _, ok := c.Next(); ok || c.Mean() != 10 || len(c.Differences) != 3 {
			t.Errorf("%s: %v, interval %v; three splits give none", c.Set.Name, c.Differences, ok)
		}
		c.Differences = append(c.Differences, 10, 10)
		if next, ok := c.Next(); !ok || next.Low != 10 {
			t.Errorf("%s: %v", c.Set.Name, next)
		}
		if corrected, ok := c.Corrected(); !ok || corrected.High != 10 {
			t.Errorf("%s: %v", c.Set.Name, corrected)
		}
	}
	if f := p.Random; f.Scaled(1) != (Total{8, 24}) || f.Settings(1) != (Span{2, 2}) || f.ValidationSamples(1) != (Span{20, 20}) || f.Settings(0) != (Span{1, 1}) {
		t.Errorf("scaled %v, settings %v, validation %v", f.Scaled(1), f.Settings(1), f.ValidationSamples(1))
	}
}

// What comes out turns round with the numbers.
func TestPaysOutcomes(t *testing.T) {
	for _, c := range []struct {
		name          string
		local, global int
		want          PaysOutcome
		verdict       string
	}{
		{"better", 20, 0, PaysBetter, Holds},
		{"worse", 0, 20, PaysWorse, Fails},
		{"equal", 1, 0, PaysEqual, Fails},
	} {
		p := readPays(t, studytest.Pays(map[string]int{"local": c.local, "global": c.global}))
		pair, _ := p.Main.FamilyPair(LocalFamily, GlobalFamily)
		if got := pair.Outcome(); got != c.want {
			t.Errorf("%s: outcome %v, want %v: %+v", c.name, got, c.want, pair.Posterior)
		}
		if got := p.Claims()[0]; got.Verdict != c.verdict || got.Of != 8 {
			t.Errorf("%s: %+v", c.name, got)
		}
	}
	// Half of the sets each way, by more than a point.
	mixed := studytest.Pays(nil)
	for _, r := range mixed.Rows[:12] {
		r.Cells[5].Correct += 30
	}
	for _, r := range mixed.Rows[12:] {
		r.Cells[5].Correct -= 30
	}
	pair, _ := readPays(t, mixed).Main.FamilyPair(LocalFamily, GlobalFamily)
	if pair.Outcome() != PaysOpen || pair.Wins != 4 || pair.Losses != 4 {
		t.Errorf("mixed: %+v", pair)
	}
}

// The validation samples decide which method stands for its family, several with as
// many in equal parts; the test samples do not.
func TestPaysPick(t *testing.T) {
	tbl := studytest.Pays(nil)
	for i, r := range tbl.Rows {
		r.Cells[6].Validation = &table.Tally{Correct: 15 + i%2, Of: 20} // plml: ahead of glml on every second split
	}
	p := readPays(t, tbl)
	if glml, plml := part(p.Main.Picked[4]), part(p.Main.Picked[5]); glml != 0.25 || plml != 0.75 {
		t.Errorf("glml stands for %v of the splits, plml for %v; want a half of half of them, and the rest", glml, plml)
	}
	// plml has 6 samples of 200 less: 3 points on half of the splits, half of that on the others.
	pair, _ := p.Main.FamilyPair(LocalFamily, GlobalFamily)
	if math.Abs(pair.Mean+2.25) > 1e-4 || pair.Losses != 8 {
		t.Errorf("%+v, want all sets lost by 2.25 points on average", pair)
	}
	local := p.Main.Families.Block
	if run := local.Sets[0].Splits[0].Run(0); run.Seconds != 32+64 || run.Settings != 4 {
		t.Errorf("%+v, want time and settings of both methods", run)
	}
}

// A method on few sets is not ranked, a set without all ranked methods is left out,
// and the others are compared on the splits that all of them have.
func TestPaysGaps(t *testing.T) {
	tbl := studytest.Without(studytest.Pays(map[string]int{"local": 8}), func(row, column int) bool {
		return column == 6 && row >= 6 || // plml: sets 0 and 1 only
			column == 2 && row/3 == 7 || // gmml: not set 7
			column == 3 && row == 0 // kissme: not the first split of set 0
	})
	p := readPays(t, tbl)
	m := p.Main.Methods
	if got := namesOf(m.Block.Methods); got != "euclidean gmml kissme lmnn-mm glml" || len(m.Block.Sets) != 7 || m.Splits() != (Span{2, 3}) {
		t.Errorf("block of %s on %d sets, %v splits", got, len(m.Block.Sets), m.Splits())
	}
	want := []string{"euclidean-raw: it chooses nothing and is a reference", "plml: results on 2 of 8 data sets, fewer than two thirds"}
	if !slices.Equal(p.Main.Left, want) {
		t.Errorf("%q", p.Main.Left)
	}
	if want := []string{"Set 7: no result of gmml"}; !slices.Equal(p.Main.Omitted, want) {
		t.Errorf("%q", p.Main.Omitted)
	}
	for _, pair := range p.Main.Pairs {
		want := map[[2]string]int{{"plml", "gmml"}: 2, {"glml", "gmml"}: 7, {"glml", "kissme"}: 8}[[2]string{pair.First, pair.Second}]
		if want > 0 && pair.Rows() != want {
			t.Errorf("%s and %s on %d sets, want %d", pair.First, pair.Second, pair.Rows(), want)
		}
	}
}

func TestPaysOfNothing(t *testing.T) {
	for _, tbl := range []table.Table{{}, studytest.Without(studytest.Pays(nil), func(_, column int) bool { return column > 0 })} {
		p := readPays(t, tbl)
		if !p.Empty() || p.Main.Methods.Ranked || len(p.Main.Pairs) != 0 {
			t.Errorf("%+v with ranks %v and %d pairs", p.Coverage, p.Main.Methods.Ranked, len(p.Main.Pairs))
		}
		for _, c := range p.Claims() {
			if c.Of != 0 || c.Verdict != Undecided && c.Verdict != Counted {
				t.Errorf("%+v", c)
			}
		}
		for _, l := range p.Listings() {
			for _, row := range l.Rows {
				if len(row) != len(l.Head) {
					t.Errorf("%s: %q under %q", l.Title, row, l.Head)
				}
			}
		}
	}
}

func TestFront(t *testing.T) {
	none := math.NaN()
	for _, c := range []struct {
		name              string
		accuracy, seconds []float64
		want              []bool
	}{
		{"one dominates", []float64{90, 80}, []float64{1, 2}, []bool{true, false}},
		{"each better in one", []float64{90, 80}, []float64{2, 1}, []bool{true, true}},
		{"equals", []float64{90, 90}, []float64{1, 1}, []bool{true, true}},
		{"as fast, less accurate", []float64{90, 80, 95}, []float64{1, 1, 9}, []bool{true, false, true}},
		{"unknown time", []float64{99, 80}, []float64{none, 5}, []bool{false, true}},
		{"none", nil, nil, []bool{}},
	} {
		if got := front(c.accuracy, c.seconds); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// Methods on features as they are have the same grid but for the scaling, or not; only
// splits that both specs have are compared.
func TestRawPairs(t *testing.T) {
	raw := paysCells(studytest.Without(studytest.Pays(map[string]int{"global": -10}), func(row, _ int) bool { return row >= 12 }))
	for i, plans := range raw.Plans {
		for j := range plans {
			raw.Plans[i][j].Points = studytest.PaysGrid(0)
		}
		raw.Plans[i][4].Points = studytest.PaysGrid(1) // lmnn-mm has another grid
	}
	p := readPays(t, studytest.Pays(nil), func(specs map[string]SpecCells) { specs["splits"] = raw })
	found := 0
	for _, r := range p.Raw {
		want := 0.0
		if r.Method.ID == "gmml" || r.Method.ID == "kissme" {
			want = 5
		}
		if r.Splits != 12 || len(r.Differences) != 4 || r.Differences[0] != want || r.Alike != (r.Method.ID != "lmnn-mm") {
			t.Errorf("%s: %+v", r.Method.ID, r)
		}
		found++
	}
	if found != 7 {
		t.Errorf("%d pairs, want one of every method", found)
	}
}
