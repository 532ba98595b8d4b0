package audit

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"r2lmlbench/internal/fixture"
)

// oneOfEachKind has a claim of every kind on the table valid, each with the verdict that
// follows from 51.67, 78.33 and 80.00 of the columns a, b, c with the ranks 2, 1, 1. Trends and
// gains take more rows than it has, see the tests of their own.
var oneOfEachKind = map[string]string{
	kindHighest:  "{id: x, says: y, kind: highest, column: c}",
	kindAbove:    "{id: x, says: y, kind: above, column: b, above: [a]}",
	kindRank:     "{id: x, says: y, kind: rank, columns: [b, c], rank: [1], share: [0.9, 1]}",
	kindLast:     "{id: x, says: y, kind: last, column: a, only: [X]}",
	kindOrder:    "{id: x, says: y, kind: order, columns: ['*'], direction: rising}",
	kindRange:    "{id: x, says: y, kind: range, of: test, between: [60, 60]}",
	kindTrend:    "{id: x, says: y, kind: trend, column: a, of: test, direction: none}",
	kindGain:     "{id: x, says: y, kind: gain, columns: [b, c], above: [a], on: [X]}",
	kindAverage:  "{id: x, says: y, kind: average-rank, columns: [b, c]}",
	kindChance:   "{id: x, says: y, kind: chance, count: 13, trials: 60, probability: 0.25}",
	kindPossible: "{id: x, says: y, kind: ranks}",
	kindUntested: "{id: x, says: y, kind: untested, not-printed: a, not-run: b}",
}

// inPrint is the verdict on a claim by the table valid with a change.
func inPrint(t *testing.T, claim, old, new string) Verdict {
	t.Helper()
	table := mustParse(t, strings.Replace(valid, old, new, 1)+"claims: ["+claim+"]")
	return fixture.Must(table.Judge(nil))(t)[0].Print
}

// A claim of each kind holds, and fails or has too few rows after a change of one printed
// number.
func TestClaimsCanFail(t *testing.T) {
	for _, kind := range Kinds {
		want, changed := Holds, Fails
		old, new := "51.67, 78.33, 80.00], rank: [2, 1, 1]", "81.67, 78.33, 80.00], rank: [1, 2, 3]"
		switch kind {
		case kindTrend, kindGain, kindUntested: // one row is no trend, and has no other to gain more than
			want, changed = Untested, Untested
		case kindRange:
			old, new = "n: 60", "n: 60, printed-n: 70"
		case kindChance: // it has its own numbers
			fixture.Equal(t, "13 of 60, not of 600", inPrint(t, strings.Replace(oneOfEachKind[kind], "0.25", "0.5", 1), "", "").Word, Fails)
			changed = Holds
		}
		claim, ok := oneOfEachKind[kind]
		fixture.Equal(t, kind+" is tried", ok, true)
		fixture.Equal(t, kind, inPrint(t, claim, "", "").Word, want)
		fixture.Equal(t, kind+", changed", inPrint(t, claim, old, new).Word, changed)
	}
	// R: binom.test(13, 60, 0.5)
	v := inPrint(t, "{id: x, says: y, kind: chance, count: 13, trials: 60, probability: 0.5}", "", "")
	fixture.Equal(t, "13 of 60", v.Word, Fails)
	fixture.Near(t, "its probability", v.bound, 1.2146708022957261e-05, 1e-10)
	fixture.Equal(t, "47 of 60", inPrint(t, "{id: x, says: y, kind: chance, count: 47, trials: 60, probability: 0.5}", "", "").bound, v.bound)
}

// Every fault of a claim is told at its place, with what there is.
func TestClaimsRefuse(t *testing.T) {
	for _, c := range []struct{ claim, want string }{
		{"{says: y, kind: ranks}", "t.yaml:5:10: want an id"},
		{"{id: x, kind: ranks}", "want the statement in a few words"},
		{"{id: x, says: y, kind: hihgest, column: a}", `t.yaml:5:33: unknown kind "hihgest"; did you mean "highest"?`},
		{"{id: x, says: y, kind: highest, column: d}", `t.yaml:5:50: unknown column "d"; known: a, b, c; a claim speaks of columns of its study, t`},
		{"{id: x, says: y, kind: above, column: a, above: [b, 'd*']}", `t.yaml:5:62: unknown column "d*"`},
		{"{id: x, says: y, kind: highest, column: a, on: [Y]}", `unknown row "Y"; known: X`},
		{"{id: x, says: y, kind: highest, column: '[a'}", `"[a": syntax error in pattern`},
		{"{id: x, says: y, kind: highest}", "t.yaml:5:10: kind highest wants column or columns"},
		{"{id: x, says: y, kind: above, column: a}", "kind above wants column or columns, and above"},
		{"{id: x, says: y, kind: order, columns: [a, b], direction: up}", `unknown direction "up"`},
		{"{id: x, says: y, kind: range, column: a}", "and between: [lowest, highest]"},
		{"{id: x, says: y, kind: range, of: rows, between: [1]}", `unknown quantity "rows"; known: classes, `},
		{"{id: x, says: y, kind: untested}", "not-printed and not-run, the reasons"},
		{"{id: x, says: y, kind: highest, column: a, rows: 1, on: [X]}", "want one of rows, on, only, except and share"},
		{"{id: x, says: y, kind: highest, column: a, rows: -1}", "rows wants a number from 0"},
		{"{id: x, says: y, kind: highest, column: a, share: [1]}", "want the lowest and the highest share"},
		{"{id: x, says: y, kind: highest, column: a, share: [0.9, 0.1]}", "want the lowest and the highest share"},
		{"{id: x, says: y, kind: trend, column: a, of: test, direction: rising, except: [X]}", `t.yaml:5:80: kind trend does not read the key "except"`},
		{"{id: x, says: y, kind: rank, column: a, rank: [1], measure: seconds}", `kind rank does not read the key "measure"; it reads id, place, `},
		{"{id: x, says: y, kind: chance, count: 1, trials: 2, probability: 0.5, above: [a]}", `kind chance does not read the key "above"`},
		{"{id: x, says: y, kind: rank, column: 'a{classes}', rank: [1]}", "{classes} is for kind highest"},
		{"{id: x, says: y, kind: ranks}, {id: x, says: y, kind: ranks}", `there are two claims "x"`},
		{"{id: x, says: y, kind: ranks, wher: z}", `unknown key "wher"`},
	} {
		table, err := Parse("t.yaml", []byte(valid+"claims: ["+c.claim+"]"))
		if table != nil || !errors.Is(err, ErrFile) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.claim, err, c.want)
		}
	}
	_, err := Parse("t.yaml", []byte(strings.Replace(valid, ", rank: [2, 1, 1]", "", 1)+"claims: [{id: x, says: y, kind: rank, column: a, rank: [1]}]"))
	fixture.Says(t, err, `the claim is about ranks, and row "X" has none`)
	table := mustParse(t, valid+"claims: [{id: x, says: y, kind: highest, study: other, column: a, on: [X]}]")
	_, err = table.Judge(map[string]*Study{"other": {Name: "other", Columns: []string{"b"}, Rows: []StudyRow{{ID: "Y"}}}})
	fixture.Says(t, err, `t.yaml:5:64: unknown column "a"`, `unknown row "X"`)
}

// The text of a finding about a claim has its words and what the table has.
func TestContradictedClaims(t *testing.T) {
	const no = "as claimed in 0 of 1, not on X"
	for claim, want := range map[string]string{
		"kind: rank, column: a, rows: 1, rank: [2]":                      "",
		"kind: rank, column: a, rows: 0, rank: [2]":                      "x: y; by the tables " + no + " prose 0 1 ",
		"kind: highest, column: c, rows: 0, or-rank: [1]":                "x: y; by the tables " + no + "; by rank " + no + " prose 0 1 ",
		"kind: highest, column: b, rows: 1, or-rank: [1]":                "x: y; by the tables so in 0 of 1; by rank so in 1 of 1 prose 1 0 reading",
		"kind: above, column: b, rows: 0, above: [a]":                    "x: y; by the tables " + no + " prose 0 1 ",
		"kind: above, measure: rank, column: c, above: [a, b], only: []": "",
	} {
		got := ""
		for _, f := range mustParse(t, valid+"claims: [{id: x, says: y, "+claim+"}]").Findings() {
			got += fmt.Sprintf("%s %s %s %s %s", f.Text, f.Kind, f.Printed, f.Nearest, f.Class)
		}
		fixture.Equal(t, claim, got, want)
	}
}

// random is a study with few different numbers, some of them missing, with the numbers by row
// and column, nil where it has none.
func random(t *rapid.T) (*Study, [][]*float64) {
	rows, columns := rapid.IntRange(1, 7).Draw(t, "rows"), rapid.IntRange(2, 5).Draw(t, "columns")
	s, all := &Study{Name: "s"}, make([][]*float64, rows)
	for j := range columns {
		s.Columns = append(s.Columns, fmt.Sprint("c", j))
	}
	for i := range all {
		s.Rows = append(s.Rows, StudyRow{ID: string(rune('A' + i)), Of: map[string]float64{"classes": float64(rapid.IntRange(1, 4).Draw(t, "classes"))}})
		for range columns {
			x := float64(rapid.IntRange(1, 9).Draw(t, "number"))
			number := &x
			if x >= 8 {
				number = nil
			}
			all[i] = append(all[i], number)
		}
	}
	s.Number = func(row, column int, _ string) (float64, bool) {
		if x := all[row][column]; x != nil {
			return *x, true
		}
		return 0, false
	}
	return s, all
}

// Every kind that speaks of cases says of each what a plain reading of the numbers does:
// whatever the unknown numbers are, a case that is so, or not so, stays so.
func TestCasesAgainstEveryCompletion(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, all := random(t)
		a, b := rapid.SampledFrom(s.Columns).Draw(t, "a"), rapid.SampledFrom(s.Columns).Draw(t, "b")
		claims := map[string]Claim{
			kindHighest: {Column: a},
			kindAbove:   {Column: a, Above: []string{b}},
			kindRank:    {Column: a, Rank: []int{1, 2}},
			kindLast:    {Column: a},
			kindRange:   {Column: a, Between: []float64{2, 4}},
			kindOrder:   {Columns: []string{"*"}, Direction: rapid.SampledFrom(Directions[:3]).Draw(t, "direction")},
		}
		kind := rapid.SampledFrom([]string{kindHighest, kindAbove, kindRank, kindLast, kindRange, kindOrder}).Draw(t, "kind")
		c := claims[kind]
		c.Kind = kind
		for _, u := range s.units(c) {
			seen := map[answer]bool{}
			complete(all[u.row], func(row []float64) {
				seen[plainly(c, row, slices.Index(s.Columns, a), slices.Index(s.Columns, b))] = true
			})
			want := unknown
			if len(seen) == 1 {
				for want = range seen {
				}
			}
			// Too much is never said. Some cases are left unknown which every completion decides.
			if known := !slices.Contains(all[u.row], nil); u.is != want && (known || u.is != unknown) {
				t.Fatalf("%+v on %v: %d, want %d", c, all[u.row], u.is, want)
			}
		}
	})
}

// complete calls f with a row in which unknown numbers are low, middle or high.
func complete(row []*float64, f func([]float64)) {
	at := slices.Index(row, nil)
	if at < 0 {
		values := make([]float64, len(row))
		for i, x := range row {
			values[i] = *x
		}
		f(values)
		return
	}
	for _, x := range []float64{0.5, 3, 20} {
		next := slices.Clone(row)
		next[at] = &x
		complete(next, f)
	}
}

// plainly says whether a claim is so of a whole row.
func plainly(c Claim, row []float64, a, b int) answer {
	if c.Kind == kindOrder {
		same, sorted := slices.Min(row) == slices.Max(row), slices.Clone(row)
		slices.Sort(sorted)
		strictly, back := slices.Equal(slices.Compact(slices.Clone(sorted)), row), slices.Clone(row)
		slices.Reverse(back)
		return answerOf(map[string]bool{"rising": strictly, "falling": slices.Equal(slices.Compact(sorted), back), "constant": same}[c.Direction], true)
	}
	return answerOf(map[string]bool{
		kindHighest: row[a] == slices.Max(row),
		kindAbove:   row[a] > row[b],
		kindRank:    row[a] == 1 || row[a] == 2,
		kindLast:    row[a] == slices.Max(row),
		kindRange:   row[a] >= 2 && row[a] <= 4,
	}[c.Kind], true)
}

// Whatever the unknown cases turn out to be, a verdict in words stays.
func TestQuantifiersAgainstEveryCompletion(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 6).Draw(t, "rows")
		s, units := &Study{}, []unit{}
		for i := range n {
			s.Rows = append(s.Rows, StudyRow{ID: string(rune('A' + i))})
			units = append(units, unit{row: i, is: rapid.SampledFrom([]answer{no, yes, unknown}).Draw(t, "is")})
		}
		named := []string{"A"}
		if n > 2 {
			named = append(named, "C")
		}
		count := rapid.IntRange(0, n).Draw(t, "count")
		c := rapid.SampledFrom([]Claim{{}, {Rows: &count}, {On: named}, {Only: named}, {Except: named}, {Share: []float64{0.3, 0.7}}}).Draw(t, "claim")
		seen := map[bool]bool{}
		var try func(at int, so []bool, rows []int)
		try = func(at int, so []bool, rows []int) {
			switch {
			case at == n:
				seen[counted(c, so, rows)] = true
			default:
				for _, is := range []bool{false, true} {
					if units[at].is == unknown || (units[at].is == yes) == is {
						try(at+1, append(slices.Clone(so), is), append(slices.Clone(rows), at))
					}
				}
			}
		}
		try(0, nil, nil)
		want := map[bool]string{true: Holds, false: Fails}[seen[true]]
		if none := c.Share != nil && (n == 1 || n == 0); len(seen) == 2 || none { // no share of one case is 0.3 to 0.7
			want = Untested
		}
		fixture.Equal(t, fmt.Sprintf("%+v of %v", c, units), s.count(c, units).Word, want)
	})
}

// counted restates the quantifiers for cases that are all known, on rows 0 (A), 1 and so on.
func counted(c Claim, so []bool, rows []int) bool {
	n, fits := 0, true
	for i, is := range so {
		if is {
			n++
		}
		named := rows[i] == 0 || rows[i] == 2
		switch {
		case c.On != nil:
			fits = fits && (is || !named)
		case c.Only != nil:
			fits = fits && is == named
		case c.Except != nil:
			fits = fits && is != named
		case c.Rows == nil && c.Share == nil:
			fits = fits && is
		}
	}
	switch {
	case c.Rows != nil:
		return n == *c.Rows
	case c.Share != nil:
		share := float64(n) / float64(len(so))
		return share >= 0.3 && share <= 0.7
	}
	return fits
}

// The gains claimed are the largest, restated by sorting; and the average ranks by counting
// pairs.
func TestGainsAndAverageRanks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, all := random(t)
		for _, row := range all { // all numbers are there
			for i, x := range row {
				if x == nil {
					y := 5.0
					row[i] = &y
				}
			}
		}
		if n := len(all); n > 1 {
			gains := make([]float64, n)
			for i, row := range all {
				gains[i] = max(*row[0], *row[1]) - *row[0]
			}
			sorted := slices.Clone(gains)
			slices.Sort(sorted)
			k := rapid.IntRange(1, n-1).Draw(t, "claimed")
			var on []string
			least := math.Inf(1)
			for i := range k {
				on, least = append(on, s.Rows[i].ID), min(least, gains[i])
			}
			want := map[bool]string{true: Holds, false: Fails}[least >= slices.Max(gains[k:])]
			got := s.judge(Claim{Kind: kindGain, Columns: []string{"c[01]"}, Above: []string{"c0"}, On: on}).Word
			fixture.Equal(t, fmt.Sprintf("gains %v of %v", sorted, on), got, want)
		}
		ranks := make([]float64, len(s.Columns)) // times rows, less a constant: losses less wins
		for _, row := range all {
			for i, x := range row {
				for _, y := range row {
					if *y > *x {
						ranks[i]++
					} else if *y < *x {
						ranks[i]--
					}
				}
			}
		}
		want := map[bool]string{true: Holds, false: Fails}[ranks[0] < slices.Min(ranks[1:])]
		fixture.Equal(t, fmt.Sprint("ranks ", ranks), s.judge(Claim{Kind: kindAverage, Columns: []string{"c0"}}).Word, want)
	})
}

// A trend over more rows than it takes, by hand: accuracy falls with the classes, but for one
// row, and so does the place of the best of two columns.
func TestTrend(t *testing.T) {
	values := [][]float64{{90, 80}, {85, 70}, {70, 75}, {60, 65}, {50, 55}, {40, 45}, {45, 50}}
	s := &Study{Name: "s", Columns: []string{"a", "b"}, Number: func(row, column int, _ string) (float64, bool) { return values[row][column], true }}
	for i := range values {
		s.Rows = append(s.Rows, StudyRow{ID: fmt.Sprint(i), Of: map[string]float64{"classes": float64(2 + i)}})
	}
	for direction, want := range map[string][2]string{
		"falling": {Holds, Fails}, "rising": {Fails, Holds}, "none": {Fails, Fails}, "not-rising": {Holds, Fails},
	} {
		fixture.Equal(t, direction, s.judge(Claim{Kind: kindTrend, Column: "a", Of: "classes", Direction: direction}).Word, want[0])
		fixture.Equal(t, direction+" place", s.judge(Claim{Kind: kindTrend, Columns: []string{"*"}, Of: "classes", Direction: direction}).Word, want[1])
	}
	s.Rows = s.Rows[:4]
	fixture.Equal(t, "four rows", s.judge(Claim{Kind: kindTrend, Column: "a", Of: "classes", Direction: "falling"}).Word, Untested)
}

// A number that is missing can leave a claim untested. It never gives it another verdict, and
// never one to a claim that was untested with it.
func TestMissingNumbersNeverDecide(t *testing.T) {
	turned := map[string]int{}
	rapid.Check(t, func(t *rapid.T) {
		s, all := random(t)
		one := Claim{Column: "c0", Above: []string{"c1"}, Rank: []int{1, 2}, Between: []float64{2, 6}, Of: "classes"}
		one.Kind = rapid.SampledFrom(Kinds[:9]).Draw(t, "kind")
		switch one.Kind {
		case kindRange:
			one.Of = ""
		case kindOrder, kindAverage:
			one.Column, one.Columns, one.Direction = "", []string{"c0", "c1"}, rapid.SampledFrom(Directions[:3]).Draw(t, "direction")
		case kindTrend:
			one.Direction = rapid.SampledFrom(slices.Concat(Directions[:2], Directions[3:])).Draw(t, "direction")
			if rapid.Bool().Draw(t, "place") {
				one.Column, one.Columns = "", []string{"*"}
			}
		case kindGain:
			one.On = []string{"A"}
		}
		if rows := rapid.IntRange(-1, len(s.Rows)).Draw(t, "rows"); rows >= 0 && one.Kind != kindGain {
			one.Rows = &rows
		}
		before := s.judge(one)
		row, column := rapid.IntRange(0, len(all)-1).Draw(t, "row"), rapid.IntRange(0, len(s.Columns)-1).Draw(t, "column")
		all[row][column] = nil
		after := s.judge(one)
		if after.Word != before.Word && after.Word != Untested {
			t.Fatalf("%+v: %+v, without a number %+v", one, before, after)
		}
		if after.Word != before.Word {
			turned[one.Kind]++
			if !strings.Contains(after.Why, s.Rows[row].ID) && !strings.Contains(after.Why, "no row") {
				t.Fatalf("%+v: %q does not name %s", one, after.Why, s.Rows[row].ID)
			}
		}
	})
	if !testing.Short() && turned[kindHighest] == 0 {
		t.Errorf("no number decided: %v", turned)
	}
}

// A trend that the rows are too few to exclude is no evidence of none, and equal steps are
// neither rising nor falling. Numbers of the intervals: R: tanh(atanh(r) + c(-1, 1) *
// qnorm(0.95) * sqrt(1.06/(n-3))).
func TestDirections(t *testing.T) {
	low, high := between(0.3, 18)
	fixture.Near(t, "low", low, -0.127044953532240, 1e-9)
	fixture.Near(t, "high", high, 0.633220648299816, 1e-9)
	for _, c := range []struct {
		direction string
		rho       float64
		n         int
		want      string
	}{
		{"none", 0, 5, Untested}, {"none", 0, 18, Holds}, {"none", 0.3, 18, Untested}, {"none", -0.5, 18, Fails}, {"none", 0.1, 500, Fails},
		{"not-rising", 0, 5, Untested}, {"not-rising", -0.9, 5, Holds}, {"not-rising", 0.9, 5, Fails}, {"not-rising", 0.3, 18, Untested},
		{"rising", 0.3, 18, Untested}, {"rising", 0.9, 5, Holds}, {"rising", 0.2, 500, Holds}, {"rising", -0.1, 18, Fails},
		{"falling", -0.3, 18, Untested}, {"falling", -1, 5, Holds}, {"falling", 0.3, 18, Fails},
	} {
		fixture.Equal(t, fmt.Sprint(c.direction, c.rho, c.n), direction(c.direction, c.rho, c.n), c.want)
	}
	s := &Study{Columns: []string{"a", "b"}, Rows: []StudyRow{{ID: "A"}}, Number: func(int, int, string) (float64, bool) { return 1, true }}
	for direction, want := range map[string]string{"rising": Fails, "falling": Fails, "constant": Holds} {
		fixture.Equal(t, direction, s.judge(Claim{Kind: kindOrder, Columns: []string{"*"}, Direction: direction}).Word, want)
	}
	// The mean of ranks that differ is no rank, and no share of one case is between 0.3 and 0.7.
	s.Number = func(int, int, string) (float64, bool) { return 1.5, true }
	fixture.Equal(t, "mean rank 1.5", s.judge(Claim{Kind: kindRank, Column: "a", Rank: []int{1}}).Word, Untested)
	fixture.Equal(t, "a share of one", s.judge(Claim{Kind: kindAbove, Column: "a", Above: []string{"b"}, Share: []float64{0.3, 0.7}}).Word, Untested)
	// 7 of 100 cases are a share of 0.07, though 0.07 × 100 is more than 7 in floating point.
	hundred := []unit{}
	for i := range 100 {
		hundred = append(hundred, unit{is: answerOf(i < 7, true)})
	}
	fixture.Equal(t, "7 of 100", s.count(Claim{Share: []float64{0.07, 0.07}}, hundred).Word, Holds)
}

// A summary counts the verdicts by print and by runs.
func TestSummary(t *testing.T) {
	table, all := PrintedTable{Name: "t"}, []Judged{}
	for i := range 21 { // 1, 2 and 18 by print; 6, 5 and 10 by runs
		word := func(holds, fails int) Verdict {
			return Verdict{Word: []string{Holds, Fails, Untested}[min(i/holds, 1)+min(i/fails, 1)]}
		}
		all = append(all, Judged{Print: word(1, 3), Runs: word(6, 11)})
	}
	fixture.Has(t, "summary", table.Summary(nil, all)[1], "21 claims", "1 hold by its printed tables, 2 fail, 18 are not tested;", " methods 6, 5, 10.")
}

// A quantity that is not known of a row is in no range and outside none.
func TestUnknownQuantity(t *testing.T) {
	s := &Study{Rows: []StudyRow{{ID: "X", Of: map[string]float64{"train": 5}}, {ID: "Y"}}}
	for low, want := range map[float64]string{5: Untested, 6: Fails} {
		fixture.Equal(t, fmt.Sprint("at least ", low), s.judge(Claim{Kind: kindRange, Of: "train", Between: []float64{low}}).Word, want)
	}
}
