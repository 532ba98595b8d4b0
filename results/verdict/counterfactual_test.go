package verdict_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"r2lmlbench/results"
	. "r2lmlbench/results/verdict"
)

// searched is evidence of a method with a grid of two.
func searched(letter, column, printed string, stated, test []int) Evidence {
	e := number(letter, column, printed, of(Stated, "", stated...), of(OnTest, "", test...))
	e.Protocols[0].Runs[0].Inputs.Points = make([]results.Point, 2)
	return e
}

// table has rows A and B of a method without a grid and two with one. By validation
// a has 60 and 60, b 70 and 50, c the means 65 and 40; on test a the same, b 72 and 62, c
// 80 and 45.
func table() []Evidence {
	return []Evidence{
		number("A", "a", "61.00", of(Stated, "", 60)), searched("A", "b", "70.00", []int{70}, []int{72}), searched("A", "c", "79.00", []int{60, 70}, []int{79, 81}),
		number("B", "a", "61.00", of(Stated, "", 60)), searched("B", "b", "50.00", []int{50}, []int{62}), searched("B", "c", "61.00", []int{40}, []int{45}),
		number("C", "a", "61.00", of(Stated, "", 60)), searched("C", "b", "50.00", []int{50}, []int{62}), number("C", "c", "61.00", of(Stated, "", 1)),
		number("D", "a", "61.00", of(Stated, "", 60)), searched("D", "b", "50.00", []int{50}, []int{62}),
	}
}

// TestCounterfactuals: c has no choice on test on C and nothing on D. Friedman by R:
// friedman.test(rbind(c(60,70,65), c(60,50,40)))$p.value is 0.6065.
func TestCounterfactuals(t *testing.T) {
	c := NewCounterfactuals(table())
	if !slices.Equal(c.Letters, []string{"A", "B"}) || !slices.Equal(c.Methods, []string{"a", "b", "c"}) {
		t.Fatalf("%+v", c)
	}
	for _, x := range []struct {
		name string
		got  Counterfactual
		want string
	}{
		{"validation", c.Validation, "{[[60 70 65] [60 50 40]] [2 1.5 2.5] 0.606531 [1 1 0] [1 1 0] [0 0 0]}"},
		{"test", c.OnTest, "{[[60 72 80] [60 62 45]] [2.5 1.5 2] 0.606531 [0 1 1] [0 0 0] [0 7 10]}"},
		{"printed", c.Printed, "{[[61 70 79] [61 50 61]] [2.25 2.5 1.25] 0.367879 [1 0 2] [1 0 0] [1 0 17.5]}"},
	} {
		if got := fmt.Sprint(x.got); got != x.want {
			t.Errorf("%s: %s, want %s", x.name, got, x.want)
		}
	}
	if !reflect.DeepEqual(c, NewCounterfactuals(table())) {
		t.Error("another result for the same evidence")
	}
}

// Means are over the seeds that ran under both choices.
func TestCounterfactualsOverTheSameSeeds(t *testing.T) {
	e := searched("A", "b", "70.00", []int{60, 70, 95}, []int{72, 74})
	if c := NewCounterfactuals([]Evidence{e}); c.Validation.Accuracies[0][0] != 65 || c.OnTest.Accuracies[0][0] != 73 || c.OnTest.Gain[0] != 8 {
		t.Errorf("%+v", c)
	}
	e.Protocols[1].Runs = e.Protocols[1].Runs[1:]
	if c := NewCounterfactuals([]Evidence{e}); c.Validation.Accuracies[0][0] != 70 || c.OnTest.Accuracies[0][0] != 74 {
		t.Errorf("seed 2 alone: %+v", c)
	}
	e.Protocols[1].Runs[0].Inputs.Seed = 9
	if c := NewCounterfactuals([]Evidence{e}); len(c.Letters) != 0 {
		t.Errorf("no seed in both: %+v", c)
	}
}

func TestCounterfactualsOfLittle(t *testing.T) {
	if c := NewCounterfactuals(nil); len(c.Letters) != 0 || c.Sentences() != nil || c.Validation.FriedmanP != 1 {
		t.Errorf("of nothing: %+v", c)
	}
	c := NewCounterfactuals(table()[1:2])
	if len(c.Letters) != 1 || c.OnTest.FriedmanP != 1 || c.OnTest.First[0] != 1 || c.OnTest.Gain[0] != 2 {
		t.Errorf("of one method: %+v", c)
	}
}

// Sentences turn round with the numbers.
func TestCounterfactualSentences(t *testing.T) {
	same := NewCounterfactuals(table()).Sentences()
	want := []string{
		"On 2 rows every method has runs under both choices: A and B.", "Best by average rank is b under both choices; in print c is best.",
		"Friedman's test, that all methods rank alike: p = 0.37 in print, p = 0.61 with choice on validation and p = 0.61 with choice on test.",
		"Nemenyi's test at level 0.05 finds no difference of methods whose average ranks are less than 2.34 apart. " +
			"No method is that far behind the best under either choice.",
	}
	if !slices.Equal(same, want) {
		t.Errorf("%q", same)
	}
	complete := slices.DeleteFunc(table(), func(e Evidence) bool {
		return !slices.Contains(NewCounterfactuals(table()).Letters, e.Published.Letter)
	})
	if got := NewCounterfactuals(complete).Sentences()[0]; got != "On each of the 2 rows every method has runs under both choices." {
		t.Errorf("%q", got)
	}
	if got := NewCounterfactuals(table()[:2]).Sentences()[1]; got != "Best by average rank is b under both choices; in print b is best." {
		t.Errorf("%q", got)
	}
	even := []Evidence{searched("A", "b", "70.00", []int{70}, []int{72}), searched("A", "c", "70.00", []int{70}, []int{71})}
	leaders := "Best by average rank are b and c with choice on validation and b with choice on test; in print b and c are best."
	if got := NewCounterfactuals(even).Sentences()[1]; got != leaders {
		t.Errorf("%q", got)
	}
	turned := table()
	turned[4] = searched("B", "b", "50.00", []int{70}, []int{59})
	turned[5] = searched("B", "c", "61.00", []int{40}, []int{90})
	got := NewCounterfactuals(turned).Sentences()[1]
	if !strings.HasPrefix(got, "Best by average rank is b with choice on validation and c with choice on test;") {
		t.Errorf("%q", got)
	}
}

// A proposed method is told from the best if their ranks differ by the critical
// difference, which for two methods is 1.96 / sqrt(rows).
func TestProposedBehindTheBest(t *testing.T) {
	for rows, want := range map[int]string{
		3: " No method is that far behind the best under either choice.",
		4: " Of the proposed methods, b is that far behind the best under both choices. None of the other methods is.",
	} {
		var all []Evidence
		for i := range rows {
			letter := string(rune('A' + i))
			proposed := number(letter, "b", "50.00", of(Stated, "", 50))
			proposed.Proposed = true
			all = append(all, number(letter, "a", "60.00", of(Stated, "", 60)), proposed)
		}
		said := NewCounterfactuals(all).Sentences()
		if got := said[len(said)-1]; !strings.HasSuffix(got, " apart."+want) {
			t.Errorf("%d rows: %q", rows, got)
		}
	}
}

// All methods that are far behind are named, with the choices under which they are.
func TestFarBehind(t *testing.T) {
	ranks := func(all ...float64) Counterfactual { return Counterfactual{AverageRanks: all} }
	for _, c := range []struct {
		proposed           []string
		validation, onTest Counterfactual
		want               string
	}{
		{[]string{"t", "e"}, ranks(4, 1, 4, 4, 1), ranks(1, 1, 4, 4, 1),
			" Of the proposed methods, only t is that far behind the best with choice on validation. Of the other methods, a and b are so under both choices."},
		{[]string{"t", "e"}, ranks(4, 4, 1, 4, 1), ranks(4, 4, 1, 1, 4), " Of the proposed methods, t and e are that far behind the best under both choices. " +
			"Of the other methods, b is so with choice on validation and c with choice on test."},
		{[]string{"t"}, ranks(1, 1, 1, 4, 1), ranks(1, 1, 1, 4, 1),
			" No proposed method is that far behind the best under either choice. Of the other methods, b is so under both choices."},
		{nil, ranks(1, 1, 1, 4, 1), ranks(1, 1, 4, 4, 1), " That far behind the best are b under both choices and a with choice on test."},
		{[]string{"t", "e", "a", "b", "c"}, ranks(4, 1, 1, 1, 1), ranks(1, 1, 1, 1, 1),
			" Of the proposed methods, only t is that far behind the best with choice on validation."},
	} {
		of := Counterfactuals{Methods: []string{"t", "e", "a", "b", "c"}, Proposed: c.proposed, Validation: c.validation, OnTest: c.onTest}
		if got := of.FarBehind(2); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}
