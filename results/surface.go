package results

import (
	"fmt"
	"slices"
)

// A GridScores has the test scores of a grid: the accuracy as a function of the parameters, without a
// choice among them. All counts are of test samples. Lists over points are in the order of
// Inputs.Settings, lists over classes in that of Labels.
type GridScores struct {
	Labels   []int          `json:"labels"`             // of the test samples, ascending
	Of       []int          `json:"of"`                 // test samples by class
	Correct  []int          `json:"correct"`            // right ones per point; -1: the point failed
	ByClass  [][]int        `json:"by_class"`           // right ones per point and class; empty where the point failed
	Largest  []int          `json:"largest"`            // samples per point that were given its most frequent label; -1: the point failed
	Failures map[int]string `json:"failures,omitempty"` // reasons, by index of the point
}

// NewGridScores gathers the outcomes of a grid on test samples with these labels.
// A point without an outcome has failed for an unknown reason.
func NewGridScores(truth []int, points int, outcomes map[int]Outcome) *GridScores {
	s := &GridScores{Failures: map[int]string{}}
	for _, class := range CountClasses(truth) {
		s.Labels, s.Of = append(s.Labels, class.Label), append(s.Of, class.Count)
	}
	for i := range points {
		o, ok := outcomes[i]
		if !ok {
			o.Failed = "it has no outcome"
		}
		if o.Failed != "" {
			s.Failures[i] = o.Failed
			s.Correct, s.ByClass, s.Largest = append(s.Correct, -1), append(s.ByClass, []int{}), append(s.Largest, -1)
			continue
		}
		s.Correct, s.ByClass, s.Largest = append(s.Correct, o.Test.Correct()), append(s.ByClass, o.Test.ByClass), append(s.Largest, o.Test.Largest)
	}
	return s
}

// Best returns the first point with the most right answers, -1 without any, and how many
// points are constant, which give all test samples one label. With moving these are left out.
func (s *GridScores) Best(moving bool) (best, constant int) {
	all := 0
	for _, n := range s.Of {
		all += n
	}
	best = -1
	for i, correct := range s.Correct {
		if s.Largest[i] == all {
			constant++
		}
		if correct >= 0 && !(moving && s.Largest[i] == all) && (best < 0 || correct > s.Correct[best]) {
			best = i
		}
	}
	return best, constant
}

// check reports the first thing that cannot be true of the surface of a cell.
func (s *GridScores) check(c Cell) error {
	if s == nil || c.Failure != "" {
		return nil
	}
	points := len(c.Settings)
	if len(s.Correct) != points || len(s.ByClass) != points || len(s.Largest) != points {
		return fmt.Errorf("a surface of %d points for %d", len(s.Correct), points)
	}
	want := NewGridScores(c.Truth, 0, nil)
	if !slices.Equal(s.Labels, want.Labels) || !slices.Equal(s.Of, want.Of) {
		return fmt.Errorf("a surface of other classes than the test samples have")
	}
	for i := range points {
		if err := s.checkPoint(i, len(c.Truth)); err != nil {
			return fmt.Errorf("surface, point %d: %w", i, err)
		}
	}
	for i := range s.Failures {
		if i < 0 || i >= points || s.Correct[i] != -1 {
			return fmt.Errorf("surface: a reason for a failure of point %d, which did not fail", i)
		}
	}
	if got := s.Correct[c.Chosen]; got != c.Correct() {
		return fmt.Errorf("surface: the chosen point has %d right, its predictions %d", got, c.Correct())
	}
	return nil
}

func (s *GridScores) checkPoint(i, n int) error {
	if s.Correct[i] == -1 {
		if len(s.ByClass[i]) > 0 || s.Largest[i] != -1 {
			return fmt.Errorf("counts of a point that failed")
		}
		return nil
	}
	if len(s.ByClass[i]) != len(s.Of) {
		return fmt.Errorf("%d classes, want %d", len(s.ByClass[i]), len(s.Of))
	}
	for class, right := range s.ByClass[i] {
		if right < 0 || right > s.Of[class] {
			return fmt.Errorf("%d of %d right in class %d", right, s.Of[class], s.Labels[class])
		}
	}
	if sum := (TestCount{ByClass: s.ByClass[i]}).Correct(); sum != s.Correct[i] {
		return fmt.Errorf("%d right, by class %d", s.Correct[i], sum)
	}
	if s.Largest[i] < 1 || s.Largest[i] > n {
		return fmt.Errorf("a label given to %d of %d samples", s.Largest[i], n)
	}
	return nil
}

// An Outcome is the result of one setting of a grid in a phase: on the validation samples, or, for
// GridScores, on the test samples.
type Outcome struct {
	Phase   string    // "", the selection, or PhaseTest
	Setting int       // index in Inputs.Settings
	Correct int       // validation samples it got right
	Score   string    // the metric of Inputs.Select on them as a fraction; empty for accuracy, and where it is not defined
	Test    TestCount // test samples it got right; of PhaseTest
	Failed  string    // why it has no score; empty when it has
	Log     string    // what the fit had to say
	Build   Build     // of the program that made the fit
}

// PhaseTest marks the outcome of a point on the test samples.
const PhaseTest = "test"

// A TestCount counts the right answers of one point of a grid on the test samples.
type TestCount struct {
	ByClass []int `json:"by_class"` // right ones by class, in ascending order of the labels
	Largest int   `json:"largest"`  // samples that were given the most frequent label
}

// CountTest compares predicted labels with the true ones.
func CountTest(truth, predicted []int) TestCount {
	var count TestCount
	for _, class := range CountResults(truth, predicted) {
		count.ByClass = append(count.ByClass, class.right)
	}
	given := map[int]int{}
	for _, label := range predicted {
		given[label]++
		count.Largest = max(count.Largest, given[label])
	}
	return count
}

// Correct is the number of right answers.
func (t TestCount) Correct() int {
	sum := 0
	for _, n := range t.ByClass {
		sum += n
	}
	return sum
}
