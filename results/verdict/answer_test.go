package verdict

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"r2lmlbench/results"
	"r2lmlbench/results/published"
)

// answered is evidence on one number of 1000 test samples: what was printed, and
// our accuracies in percent under the stated protocol and with the best setting on
// the test samples, NaN without such a run.
func answered(letter, method string, printed, stated, onTest float64) Evidence {
	e := Evidence{
		Published: published.Number{Letter: letter, Dataset: "set" + letter, Method: method, Accuracy: strconv.FormatFloat(printed, 'f', 2, 64)},
		Column:    method, Size: 1000, Stochastic: true, Absent: "not run",
	}
	for rung, percent := range map[Rung]float64{Stated: stated, OnTest: onTest} {
		if !math.IsNaN(percent) {
			e.Protocols = append(e.Protocols, Protocol{Rung: rung, Runs: []Run{{Inputs: results.Inputs{Seed: 1}, Correct: int(math.Round(10 * percent)), N: 1000}}})
		}
	}
	slices.SortFunc(e.Protocols, func(a, b Protocol) int { return int(a.Rung) - int(b.Rung) })
	return e
}

// withGrid is evidence on a method that has something to choose.
func withGrid(e Evidence) Evidence {
	for _, p := range e.Protocols {
		p.Runs[0].Inputs.Points = make([]results.Point, 2)
	}
	return e
}

// answeredColumn has eight numbers that choice on the validation samples and choice on the
// test samples miss by so many points, or about as many: the numbers differ a little.
func answeredColumn(method string, stated, onTest float64) []Evidence {
	var all []Evidence
	for i, letter := range strings.Split("ABCDEFGH", "") {
		little := 0.1 * float64(i%3)
		all = append(all, answered(letter, method, 70, 70-stated-little, 70-onTest-little))
	}
	return all
}

// tied is evidence on a number that settings which tie on the validation samples reach,
// and reach as well when it is moved by 4 points.
func tied(letter string) Evidence {
	e := answered(letter, "itml", 70, 60, math.NaN())
	e.Protocols = append(e.Protocols, Protocol{Rung: Tied, Runs: []Run{{Correct: 650, N: 1000}, {Correct: 750, N: 1000}}})
	return e
}

func answer(t *testing.T, evidence ...Evidence) []string {
	t.Helper()
	v, err := Judge("accuracy", evidence)
	if err != nil {
		t.Fatal(err)
	}
	return Answer(v)
}

// The sentences turn round with the numbers.
func TestAnswerTurns(t *testing.T) {
	for _, c := range []struct {
		name string
		all  []Evidence
		want []string
	}{
		{"choice on test", slices.Concat(answeredColumn("e-r2lml", 4, 0.1), answeredColumn("itml", 0.1, 4)), []string{
			"Partly in its numbers, but not in its best method: " +
				"the stated protocol, choice on validation samples, gives 8 of the 16 printed ones (50 %) within a margin. " +
				"Of values moved by 2 points it would give 0 %. Ours are within 1 point of 8 and within 5 points of 16. " +
				"Best by average rank are E-R2LML and ITML in print (1.50) and ITML in our runs (1.00).",
			"Ties or settings that the paper leaves open give 0 more. Choice on test samples gives 8. " +
				"It fits E-R2LML better than choice on validation.",
			"Each of the 16 that were tried is given by one of these protocols.",
		}},
		{"choice on validation", slices.Concat(answeredColumn("e-r2lml", 0.1, 4), answeredColumn("itml", 0.1, 6)), []string{
			"Fully in its numbers and in its best method: " +
				"the stated protocol, choice on validation samples, gives 16 of the 16 printed ones (100 %) within a margin. " +
				"Of values moved by 2 points it would give 0 %. Ours are within 1 point of 16 and within 5 points of 16. " +
				"Best by average rank are E-R2LML and ITML in print and in our runs.",
			"Ties or settings that the paper leaves open give 0 more. Choice on test samples gives 0. " +
				"It fits no column better than choice on validation.",
			"Each of the 16 that were tried is given by one of these protocols.",
		}},
		{"both columns", slices.Concat(answeredColumn("e-r2lml", 9, 0.1), answeredColumn("t-r2lml", 9, 0.1)), []string{
			"Not in its numbers but in its best method: the stated protocol, choice on validation samples, gives 0 of the 16 printed ones (0 %) within a margin. " +
				"Of values moved by 2 points it would give 0 %. Ours are within 1 point of 0 and within 5 points of 0. " +
				"Best by average rank are E-R2LML and T-R2LML in print and in our runs.",
			"Ties or settings that the paper leaves open give 0 more. Choice on test samples gives 16. " +
				"It fits E-R2LML and T-R2LML better than choice on validation.",
			"Each of the 16 that were tried is given by one of these protocols.",
		}},
		{"three columns", slices.Concat(answeredColumn("e-r2lml", 9, 0.1), answeredColumn("t-r2lml", 9, 0.1), answeredColumn("itml", 9, 0.1)), []string{
			"Not in its numbers but in its best method: the stated protocol, choice on validation samples, gives 0 of the 24 printed ones (0 %) within a margin. " +
				"Of values moved by 2 points it would give 0 %. Ours are within 1 point of 0 and within 5 points of 0. " +
				"Best by average rank are E-R2LML, T-R2LML and ITML in print and in our runs.",
			"Ties or settings that the paper leaves open give 0 more. Choice on test samples gives 24. " +
				"It fits 3 columns better than choice on validation.",
			"Each of the 24 that were tried is given by one of these protocols.",
		}},
		{"no better than decoys", []Evidence{tied("A"), tied("B")}, []string{
			"Not in its numbers: the stated protocol, choice on validation samples, gives 0 of the 2 printed ones (0 %) within a margin. " +
				"Of values moved by 2 points it would give 0 %. Ours are within 1 point of 0 and within 5 points of 0.",
			"Ties or settings that the paper leaves open give 2 more (for 2 of them, moved values at least three quarters as often). " +
				"Choice on test samples gives 0.",
			"Each of the 2 that were tried is given by one of these protocols.",
		}},
		{"no protocol", []Evidence{
			answered("A", "euclidean", 70, 60, math.NaN()), answered("B", "euclidean", 70, 80, math.NaN()), answered("A", "lmnn", 70, 65, 80),
			answered("B", "lmnn", 70, 70, 80), answered("A", "itml", 70, math.NaN(), math.NaN()),
		}, []string{
			"Partly in the numbers that were tried: the stated protocol, choice on validation samples, gives 1 of the 5 printed ones (20 %) within a margin. " +
				"Of values moved by 2 points it would give 0 %. " +
				"Ours are within 1 point of 1 and within 5 points of 2; for 1 there is none of ours.",
			"Ties or settings that the paper leaves open give 0 more. Choice on test samples gives 0. " +
				"It fits no column better than choice on validation.",
			"No protocol that was run gives 3: 1 printed above all runs, 1 printed below the stated protocol, 1 between. " +
				"Of these, Euclidean has 2 and LMNN 1.",
		}},
		{"not tried", []Evidence{withGrid(answered("A", "itml", 70, 60, math.NaN())), withGrid(answered("B", "itml", 70, 60, 65))}, []string{
			"Not in its numbers: the stated protocol, choice on validation samples, gives 0 of the 2 printed ones (0 %) within a margin. " +
				"Of values moved by 2 points it would give 0 %. Ours are within 1 point of 0 and within 5 points of 0.",
			"Ties or settings that the paper leaves open give 0 more. Choice on test samples gives 0.",
			"No protocol that was run gives 2 (choice on test was not run for 1 of them): 2 printed above all runs. Of these, ITML has 2.",
		}},
		{"none above", []Evidence{answered("A", "euclidean", 70, 80, math.NaN())}, []string{
			"Not in its numbers: the stated protocol, choice on validation samples, gives 0 of the 1 printed one (0 %) within a margin. " +
				"Of values moved by 2 points it would give 0 %. Ours are within 1 point of 0 and within 5 points of 0.",
			"Ties or settings that the paper leaves open give 0 more. Choice on test samples gives 0.",
			"No protocol that was run gives 1: 1 printed below the stated protocol. Of these, Euclidean has 1.",
		}},
		{"nothing run", []Evidence{answered("A", "itml", 70, math.NaN(), math.NaN())}, []string{
			"Not tried yet: the stated protocol, choice on validation samples, gives 0 of the 1 printed one (0 %) within a margin. " +
				"Ours are within 1 point of 0 and within 5 points of 0; for 1 there is none of ours.",
			"Ties or settings that the paper leaves open give 0 more. Choice on test samples gives 0.",
			"No protocol has been tried on any of them.",
		}},
		{"moved values", []Evidence{answered("A", "itml", 70, 71, math.NaN())}, []string{
			"Fully in its numbers: the stated protocol, choice on validation samples, gives 1 of the 1 printed one (100 %) within a margin. " +
				"Of values moved by 2 points it would give 50 %. Ours are within 1 point of 1 and within 5 points of 1.",
			"Ties or settings that the paper leaves open give 0 more. Choice on test samples gives 0.",
			"Each of the 1 that were tried is given by one of these protocols.",
		}},
		{"nothing printed", nil, nil},
	} {
		got := answer(t, c.all...)
		if !slices.Equal(got, c.want) {
			t.Errorf("%s:\n%s\nwant\n%s", c.name, strings.Join(got, "\n"), strings.Join(c.want, "\n"))
		}
		for _, sentence := range strings.Split(strings.Join(got, " "), ". ") {
			if n := len(strings.Fields(sentence)); n > 30 {
				t.Errorf("%s: %d words: %s", c.name, n, sentence)
			}
		}
	}
}

// A number that no rung reaches is not said to be beyond choice on the test samples
// unless that was run.
func TestUntried(t *testing.T) {
	missed := answered("A", "itml", 70, 60, math.NaN())
	for _, c := range []struct {
		name string
		e    Evidence
		want bool
	}{
		{"something to choose", withGrid(missed), true},
		{"nothing to choose", answered("A", "lmnn", 70, 60, math.NaN()), false},
		{"chosen on test", withGrid(answered("A", "itml", 70, 60, 65)), false},
		{"reached", withGrid(answered("A", "itml", 70, 70, math.NaN())), false},
		{"not run at all", answered("A", "itml", 70, math.NaN(), math.NaN()), false},
	} {
		v, err := Judge("accuracy", []Evidence{c.e})
		if err != nil {
			t.Fatal(err)
		}
		one := v.Verdicts[0]
		noted := slices.ContainsFunc(v.Notes(), func(note string) bool { return strings.HasSuffix(note, "was not run for them: A ITML.") })
		if one.Untried != c.want || strings.HasSuffix(one.Reason, "was not run") != c.want || noted != c.want || (v.Summary.Untried == 1) != c.want {
			t.Errorf("%s: %+v, noted %t", c.name, one, noted)
		}
	}
}

// The counts in the sentences add up to the numbers.
func TestAnswerAddsUp(t *testing.T) {
	v, err := Judge("accuracy", slices.Concat(answeredColumn("e-r2lml", 4, 0.1), answeredColumn("itml", 0.1, 4), answeredColumn("lmnn", 5, 5)))
	if err != nil {
		t.Fatal(err)
	}
	s := v.Summary
	sum := s.Count(Rungs()...) + unexplained(s.Words) + countOf(s.Words, Untested)
	if sum != s.Numbers || unexplained(s.Words) != 8 {
		t.Errorf("%d of %d numbers, %d unexplained", sum, s.Numbers, unexplained(s.Words))
	}
}

// A run is within the margin of a printed value if the ladder would say so.
func TestWithin(t *testing.T) {
	for _, c := range []struct {
		correct int
		want    bool
	}{{700, true}, {710, true}, {690, true}, {711, false}, {689, false}} { // the margin of 1000 samples is a point
		e := answered("A", "itml", 70, float64(c.correct)/10, math.NaN())
		v, err := New(e)
		if err != nil {
			t.Fatal(err)
		}
		if got := e.Within(Run{Correct: c.correct, N: 1000}); got != c.want || got != (v.Rung != nil) {
			t.Errorf("%d: %t, the verdict is %q", c.correct, got, v.Verdict)
		}
	}
}

// TestMostUnexplained: as many columns are named as there are with a count of the three
// largest, and none without a number.
func TestMostUnexplained(t *testing.T) {
	for _, c := range []struct {
		counts []int
		want   string
	}{
		{[]int{6, 5, 3, 3, 1}, "a has 6, b 5, c 3 and d 3"},
		{[]int{4, 2, 1, 0, 0}, "a has 4, b 2 and c 1"},
		{[]int{1, 1, 1, 1, 1}, "a has 1, b 1, c 1, d 1 and e 1"},
		{[]int{2, 0, 0, 0, 0}, "a has 2"},
	} {
		s := Summary{}
		total := 0
		for i, n := range c.counts {
			s.Methods = append(s.Methods, MethodCount{Method: string(rune('a' + i)), Words: []WordCount{{Above, n}}})
			total += n
		}
		s.Numbers, s.Words = total, []WordCount{{Above, total}}
		if said := beyondAll(s); !strings.HasSuffix(said, "Of these, "+c.want+".") {
			t.Errorf("%v: %q, want %q", c.counts, said, c.want)
		}
	}
}
