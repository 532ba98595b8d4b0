package paper_test

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"r2lmlbench/experiments/published"
	"r2lmlbench/internal/fixture"
	. "r2lmlbench/results/paper"
)

// evidence is on a printed number of so many test samples, with so many of them right in
// each run, of which as many are planned.
func evidence(letter, method, printed string, samples int, right ...int) Evidence {
	percent, _ := strconv.ParseFloat(printed, 64) // all are numbers
	e := Evidence{
		Published: published.Number{Letter: letter, Dataset: "set" + letter, Method: method, Accuracy: printed, Percent: percent}, Column: method,
		Samples: samples, Planned: max(1, len(right)),
	}
	for _, correct := range right {
		e.Runs = append(e.Runs, Run{Correct: correct, N: samples})
	}
	return e
}

func judge(all []Evidence, others ...Reading) Verdicts { return Judge("made-up", all, others...) }

func TestWords(t *testing.T) {
	short := evidence("A", "itml", "75.00", 100, 75)
	short.Planned = 2
	drawn := evidence("A", "itml", "75.00", 100, 75)
	drawn.Drawn = true
	for _, c := range []struct {
		name         string
		e            Evidence
		word, reason string
	}{
		{"the same", evidence("A", "itml", "75.00", 100, 75), Agrees, "within 1 point"},
		{"1 point", evidence("A", "itml", "75.00", 100, 76), Agrees, "within 1 point"},
		{"1 sample", evidence("A", "itml", "75.00", 20, 16), Agrees, "within 1 test sample"},
		{"2 samples", evidence("A", "itml", "75.00", 20, 17), Differs, "more than 1 point and 1 test sample away, in one run"},
		{"2 sd", evidence("A", "itml", "75.00", 1000, 760, 770, 780), Agrees, "within 2 sd"}, // mean 77, sd 1
		{"beyond 2 sd", evidence("A", "itml", "74.99", 1000, 760, 770, 780), Differs, "more than 1 point, 1 test sample and 2 sd away"},
		{"2 sd of 5 points", evidence("A", "itml", "72.00", 1000, 745, 770, 795), Agrees, "within 2 sd"}, // mean 77, sd 2.5
		{"2 sd of more", evidence("A", "itml", "77.00", 1000, 744, 770, 796), CannotTell, "2 sd is more than 5 points"},
		{"a run is missing", short, CannotTell, "fewer runs than planned"},
		{"one run of a random split", drawn, CannotTell, "one split drawn at random has no sd"},
		{"no run", evidence("A", "itml", "75.00", 100), CannotTell, "no runs"},
	} {
		got := New(c.e)
		fixture.Equal(t, c.name, [2]string{got.Verdict, got.Reason}, [2]string{c.word, c.reason})
	}
}

// drawn are numbers of two methods on some data sets.
func drawn(t *rapid.T) []Evidence {
	var all []Evidence
	for i := range rapid.IntRange(1, 5).Draw(t, "sets") {
		for _, method := range []string{"euclidean", "itml"} {
			samples := rapid.IntRange(10, 400).Draw(t, "samples")
			around := rapid.IntRange(0, samples).Draw(t, "around")
			var right []int
			for range rapid.IntRange(0, 6).Draw(t, "runs") {
				right = append(right, min(samples, around+rapid.IntRange(0, 1+samples/15).Draw(t, "more")))
			}
			printed := 100*float64(around)/float64(samples) + rapid.Float64Range(-6, 6).Draw(t, "off")
			e := evidence(string(rune('A'+i)), method, fmt.Sprintf("%.2f", math.Abs(printed)), samples, right...)
			e.Planned += rapid.IntRange(0, 1).Draw(t, "missing")
			all = append(all, e)
		}
	}
	return all
}

// follows is the rule, written from its table: the word by the fields of a verdict
// and a printed value, which replaces the verdict's own.
func follows(v Verdict, printed float64) string {
	if v.Runs == 0 || v.Runs < v.Planned || 2*v.SD > 5+1e-9 {
		return "cannot tell"
	}
	for _, allowed := range []float64{1, 100 / float64(v.Samples), 2 * v.SD} {
		if math.Abs(printed-*v.Mean) <= allowed+1e-9 {
			return "agrees"
		}
	}
	return "differs"
}

func number(t rapid.TB, text string) float64 {
	return fixture.Must(strconv.ParseFloat(text, 64))(t)
}

// Each verdict follows from the numbers beside it, and there is no fourth word. Counts and
// moved shares are those of a plain reference.
func TestVerdictsFollow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := Judge("made-up", drawn(t))
		count := map[string]int{}
		moved := map[float64][2]int{2: {}, 4: {}}
		for _, one := range v.Verdicts {
			printed := number(t, one.Published)
			if want := follows(one, printed); one.Verdict != want || !slices.Contains(Words(), want) {
				t.Fatalf("%+v, want %s", one, want)
			}
			if (one.Mean == nil) != (one.Runs == 0) || one.Mean != nil && math.Abs(*one.Difference-(*one.Mean-printed)) > 1e-5 {
				t.Fatalf("%+v", one)
			}
			count[one.Verdict]++
			for points, m := range moved {
				if one.Verdict == CannotTell {
					continue
				}
				for _, other := range []float64{printed + points, printed - points} {
					m[1]++
					if follows(one, other) == "agrees" {
						m[0]++
					}
				}
				moved[points] = m
			}
		}
		for _, word := range Words() {
			fixture.Equal(t, word, v.Summary.Count(word), count[word])
		}
		for _, m := range v.Moved {
			if want := moved[m.Points]; m.Agree != want[0] || m.Of != want[1] || len(v.Moved) != 2 {
				t.Fatalf("%+v, want %v", m, want)
			}
		}
		fixture.Equal(t, "clean", v.Clean(), count[Agrees] == len(v.Verdicts))
	})
}

// The table of readings has the counts of a plain reference, and lists those of a number.
func TestReadings(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		main, other := drawn(t), drawn(t)
		v := Judge("made-up", main, Reading{Text: "another", Evidence: other}, Reading{Text: "not run", Evidence: []Evidence{
			evidence("A", "itml", "75.00", 100)}})
		of := map[string][]Evidence{MainReading: main, "another": other}
		runs := slices.ContainsFunc(other, func(e Evidence) bool { return len(e.Runs) > 0 })
		if want := map[bool]int{false: 1, true: 2}[runs]; v.Readings.Tried != want || len(v.Readings.Rows) != want {
			t.Fatalf("%d readings, want %d", v.Readings.Tried, want)
		}
		for _, l := range v.Document().Tables { // the numbers by reading are listed of one method, not of the first of several
			if n := len(v.Readings.Methods); n > 1 && l.Title == v.ReadingsOf(v.Readings.Methods[0]).Title {
				t.Errorf("%q beside %d methods", l.Title, n)
			}
		}
		for _, row := range v.Readings.Rows {
			for j, method := range v.Readings.Methods {
				agree, within, sum, numbers, below, above := 0, [3]int{}, 0.0, 0, 0, 0
				for _, e := range of[row.Reading] {
					one := New(e)
					if e.Column != method || one.Mean == nil {
						continue
					}
					away := math.Abs(*one.Mean - number(t, one.Published))
					numbers, sum = numbers+1, sum+away
					if signed := *one.Mean - number(t, one.Published); signed < -1e-6 {
						below++
					} else if signed > 1e-6 {
						above++
					}
					if one.Verdict == Agrees {
						agree++
					}
					for k, points := range []float64{1, 2, 5} {
						if away <= points+1e-6 {
							within[k]++
						}
					}
				}
				got := row.Columns[j]
				fixture.Equal(t, "below, above", [2]int{got.Below, got.Above}, [2]int{below, above})
				if got.Agree != agree || got.Numbers != numbers || [3]int{got.At(1), got.At(2), got.At(5)} != within ||
					(got.Mean == nil) != (numbers == 0) || numbers > 0 && math.Abs(*got.Mean-sum/float64(numbers)) > 1e-5 {
					t.Fatalf("%s, %s: %+v, want %d agree, within %v, mean %g of %d", row.Reading, method, got, agree, within, sum, numbers)
				}
			}
		}
	})
}

func TestReadingsOfANumber(t *testing.T) {
	step := evidence("A", "itml", "75.00", 100, 71, 73)
	step.Runs[0].LeftOut, step.Runs[1].LeftOut = 2, 1
	v := judge([]Evidence{evidence("A", "itml", "75.00", 100, 80), evidence("B", "itml", "60.00", 100)},
		Reading{"step", []Evidence{step}}, Reading{"anchors", []Evidence{evidence("B", "itml", "75.00", 100, 50)}})
	mean := func(x float64) *float64 { return &x }
	for set, want := range map[string][]NumberReading{
		"setA": {{MainReading, mean(80), 0, 1, 1, Differs, 0}, {"step", mean(72), 1.414214, 2, 2, Differs, 3}}, // 3 points away
		"setB": {{MainReading, nil, 0, 0, 1, CannotTell, 0}, {"anchors", mean(50), 0, 1, 1, Differs, 0}},
	} {
		fixture.Same(t, set, v.Readings.Of(set, "itml"), want)
	}
}

// Ranks are of the data sets on which every method has runs, from means over the seeds.
func TestRanks(t *testing.T) {
	all := []Evidence{
		evidence("A", "euclidean", "70.00", 100, 60), evidence("A", "itml", "60.00", 100, 60, 62),
		evidence("B", "euclidean", "70.00", 100, 80), evidence("B", "itml", "70.00", 100, 70, 89),
		evidence("C", "euclidean", "70.00", 100, 80), evidence("C", "itml", "60.00", 100),
	}
	r := judge(all).Ranks
	if r == nil || r.Sets != 2 || r.Of != 3 {
		t.Fatalf("%+v", r)
	}
	// ours: ITML first on A (61 > 60), second on B (79.5 < 80). Print: second on A, tied on B.
	want := []Rank{{"euclidean", 1.25, 1.5}, {"itml", 1.75, 1.5}}
	if !slices.Equal(r.Methods, want) || math.Abs(r.CriticalDifference-1.959964*math.Sqrt(0.5)) > 1e-4 {
		t.Errorf("%+v, want %+v", r, want)
	}
	fixture.Has(t, "notes", strings.Join(judge(all).RanksTable().Notes, "\n"), "Of 2 of 3 data sets")
	fixture.Same(t, "ranks of one data set", judge(all[:2]).Ranks, nil)
}

// The JSON has the keys that readers of it rely on, and the words; a number without runs has
// no mean and no difference.
func TestJSON(t *testing.T) {
	all := []Evidence{
		evidence("A", "euclidean", "70.00", 100, 60), evidence("A", "itml", "60.00", 100, 60, 62),
		evidence("B", "euclidean", "70.00", 100, 80), evidence("B", "itml", "70.00", 100),
		evidence("C", "euclidean", "70.00", 100, 80), evidence("C", "itml", "70.00", 100, 71),
	}
	data := fixture.Must(json.MarshalIndent(judge(all, Reading{Text: "another", Evidence: all[:1]}), "", " "))(t)
	fixture.Golden(t, "testdata/verdict.json", append(data, '\n'))
}
