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
// follows from 51.67, 78.33 and 80.00 of the columns a, b, c with the ranks 2, 1, 1.
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
		case kindChance:
			changed = Holds // it has its own numbers
		}
		claim, ok := oneOfEachKind[kind]
		fixture.Equal(t, kind+" is tried", ok, true)
		fixture.Equal(t, kind, inPrint(t, claim, "", "").Word, want)
		fixture.Equal(t, kind+", changed", inPrint(t, claim, old, new).Word, changed)
	}
	// P(X <= 13), X ~ Bin(60, 1/2): Python: sum(comb(60, k) for k in range(14)) / 2**60
	v := inPrint(t, "{id: x, says: y, kind: chance, count: 13, trials: 60, probability: 0.5}", "", "")
	fixture.Equal(t, "13 of 60", v.Word, Fails)
	fixture.Near(t, "its probability", v.bound, 6.073354011478654e-06, 1e-11)
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
	for claim, want := range map[string]string{
		"kind: rank, column: a, rows: 1, rank: [2]":                      "",
		"kind: rank, column: a, rows: 0, rank: [2]":                      "x: y; by the tables so in 1 of 1 prose 0 1 ",
		"kind: highest, column: c, rows: 0, or-rank: [1]":                "x: y; by the tables so in 1 of 1; by rank so in 1 of 1 prose 0 1 ",
		"kind: highest, column: b, rows: 1, or-rank: [1]":                "x: y; by the tables so in 0 of 1; by rank so in 1 of 1 prose 1 0 reading",
		"kind: above, column: b, rows: 0, above: [a]":                    "x: y; by the tables so in 1 of 1 prose 0 1 ",
		"kind: above, measure: rank, column: c, above: [a, b], only: []": "",
	} {
		got := ""
		for _, f := range mustParse(t, valid+"claims: [{id: x, says: y, "+claim+"}]").Findings() {
			got += fmt.Sprintf("%s %s %s %s %s", f.Text, f.Kind, f.Printed, f.Nearest, f.Class)
		}
		fixture.Equal(t, claim, got, want)
	}
}

// random is a study with few different numbers, some not known and some not there, and
// with numbers by row and column: NaN where there is none, nil where it is not known.
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
			switch {
			case x == 8:
				x = math.NaN()
			case x == 9:
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
			// Too much is never said. What is known needs all numbers that the case names, so
			// that some cases are left unknown which every completion decides.
			if u.is != want && u.is != unknown {
				t.Fatalf("%+v on %v: %d, want %d", c, all[u.row], u.is, want)
			}
			if known := !slices.Contains(all[u.row], nil); known && u.is != want {
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

// plainly says whether a claim is so of a whole row, in which NaN is no number.
func plainly(c Claim, row []float64, a, b int) answer {
	there := slices.DeleteFunc(slices.Clone(row), math.IsNaN)
	if c.Kind == kindOrder {
		up, down := slices.Clone(there), slices.Clone(there)
		slices.Sort(up)
		slices.SortFunc(down, func(x, y float64) int { return int(math.Copysign(1, y-x)) })
		if len(there) < 2 {
			return nothing
		}
		rises, falls := slices.Equal(there, up), there[0] == up[len(up)-1] && slices.IsSortedFunc(there, func(x, y float64) int {
			switch {
			case x > y:
				return -1
			case x < y:
				return 1
			}
			return 0
		})
		return answerOf(map[string]bool{"rising": rises, "falling": falls, "constant": rises && falls}[c.Direction], true)
	}
	if math.IsNaN(row[a]) || c.Kind == kindAbove && math.IsNaN(row[b]) {
		return nothing
	}
	return answerOf(map[string]bool{
		kindHighest: row[a] == slices.Max(there),
		kindAbove:   row[a] > row[b],
		kindRank:    row[a] == 1 || row[a] == 2,
		kindLast:    row[a] == slices.Max(there),
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
			units = append(units, unit{row: i, is: rapid.SampledFrom([]answer{no, yes, unknown, nothing}).Draw(t, "is")})
		}
		named := []string{"A"}
		if n > 2 {
			named = append(named, "C")
		}
		count := rapid.IntRange(0, n).Draw(t, "count")
		c := rapid.SampledFrom([]Claim{{}, {Rows: &count}, {On: named}, {Only: named}, {Except: named}, {Share: []float64{0.3, 0.7}}}).Draw(t, "claim")
		seen, cases := map[bool]bool{}, 0
		var try func(at int, so []bool, rows []int)
		try = func(at int, so []bool, rows []int) {
			switch {
			case at == n:
				seen[counted(c, so, rows)], cases = true, len(rows)
			case units[at].is == nothing:
				try(at+1, so, rows)
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
		if len(seen) == 2 || cases == 0 {
			want = Untested
		}
		got := s.count(c, units).Word
		if got != want && !(c.On != nil && want == Holds && got == Untested || cases == 0) { // no case is on a named row
			t.Fatalf("%+v of %v: %s, want %s", c, units, got, want)
		}
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
				if x == nil || math.IsNaN(*x) {
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
		"falling": {Holds, Fails}, "rising": {Fails, Holds}, "none": {Fails, Holds}, "not-rising": {Holds, Fails},
	} {
		fixture.Equal(t, direction, s.judge(Claim{Kind: kindTrend, Column: "a", Of: "classes", Direction: direction}).Word, want[0])
		fixture.Equal(t, direction+" place", s.judge(Claim{Kind: kindTrend, Columns: []string{"*"}, Of: "classes", Direction: direction}).Word, want[1])
	}
	s.Rows = s.Rows[:4]
	fixture.Equal(t, "four rows", s.judge(Claim{Kind: kindTrend, Column: "a", Of: "classes", Direction: "falling"}).Word, Untested)
}
