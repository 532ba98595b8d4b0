package baselines

import (
	"os"
	"strings"
	"testing"

	"r2lmlbench/datasets"
	"r2lmlbench/internal/fixture"
	"r2lmlbench/r2lml"
)

// An authorSplit is a split that the paper's authors published, or one that
// follows their rule.
type authorSplit struct {
	validation, test   r2lml.Problem // with the same training samples
	validationY, testY []int
}

// readAuthorSplit reads a published split. It needs the reference collection.
func readAuthorSplit(t *testing.T, name string) authorSplit {
	t.Helper()
	b, err := os.ReadFile(fixture.Collected(t, "datasets", "author-splits", name+".mat"))
	if err != nil {
		t.Fatal(err)
	}
	s, err := datasets.ReadAuthorSplit(b)
	if err != nil {
		t.Fatal(err)
	}
	return splitOf(s)
}

// opened is a set of the library in dir, divided by the rule of the paper's table.
func opened(dir, name string) (*datasets.Split, error) {
	e, err := datasets.Find(name)
	if err != nil {
		return nil, err
	}
	d, err := datasets.Library{Dir: dir}.Load(e)
	if err != nil {
		return nil, err
	}
	return datasets.Cut(e, d, datasets.Rule{})
}

// generatedSplit draws a set and keeps every fourth of its test samples.
func generatedSplit(t *testing.T, name string) authorSplit {
	t.Helper()
	drawn, err := opened("", name)
	if err != nil {
		t.Fatal(err)
	}
	s := splitOf(drawn)
	var rows, y []int
	for i := 0; i < len(s.testY); i += 4 {
		rows, y = append(rows, i), append(y, s.testY[i])
	}
	s.test.Query, s.testY = pickRows(s.test.Query, rows), y
	return s
}

func splitOf(s *datasets.Split) authorSplit {
	return authorSplit{
		validation:  r2lml.Problem{X: s.Train.X, Y: s.Train.Y, Query: s.Validation.X},
		test:        r2lml.Problem{X: s.Train.X, Y: s.Train.Y, Query: s.Test.X},
		validationY: s.Validation.Y, testY: s.Test.Y,
	}
}

// correct counts the queries of p that 5-NN under d labels as in want.
func correct(p r2lml.Problem, d r2lml.Metric, want []int) int {
	count := 0
	for i, label := range r2lml.Classify(p, d, 5) {
		if label == want[i] {
			count++
		}
	}
	return count
}

// fitCorrect counts the queries labeled right by the metric that m learns.
func fitCorrect(t *testing.T, m r2lml.Method, p r2lml.Problem, want []int) int {
	t.Helper()
	f := fit(t, m, p)
	return correct(p, f.Metric, want)
}

// testAccuracy returns the percentage of test samples labeled right.
func testAccuracy(t *testing.T, m r2lml.Method, s authorSplit) float64 {
	t.Helper()
	return 100 * float64(fitCorrect(t, m, s.test, s.testY)) / float64(len(s.testY))
}

func checkBand(t *testing.T, name string, got, low, high float64) {
	t.Helper()
	t.Logf("%s: %.2f", name, got)
	if got < low || got > high {
		t.Errorf("%s: accuracy %.2f, want %g to %g", name, got, low, high)
	}
}

// An endToEndRun is a setting with the numbers of samples it labels right.
type endToEndRun struct {
	Split, Scaling string
	Rho            float64
	Gamma          float64 // of GLML
	Neighbors      int     `json:"KM"` // of DANN, like Epsilon
	Epsilon        float64
	Validation     int `json:"cross_correct"`
	Test           int `json:"test_correct"`
	ValidationN    int `json:"cross_n"`
	TestN          int `json:"test_n"`
}

// countTolerance is for neighbors at almost equal distances.
const countTolerance = 2

// check fits m, with the test samples as queries only when test is true.
func (run endToEndRun) check(t *testing.T, m r2lml.Method, s authorSplit, test bool) {
	t.Helper()
	if run.Scaling == "std" {
		s.validation, s.test = standardized(s.validation), standardized(s.test)
	}
	if len(s.validationY) != run.ValidationN || len(s.testY) != run.TestN {
		t.Errorf("%s has %d and %d queries, want %d and %d", run.Split, len(s.validationY), len(s.testY), run.ValidationN, run.TestN)
	}
	if got := fitCorrect(t, m, s.validation, s.validationY); abs(got-run.Validation) > countTolerance {
		t.Errorf("%s, %s, %+v: %d validation samples right, want %d", run.Split, run.Scaling, m, got, run.Validation)
	}
	if !test {
		return
	}
	if got := fitCorrect(t, m, s.test, s.testY); abs(got-run.Test) > countTolerance {
		t.Errorf("%s, %s, %+v: %d test samples right, want %d", run.Split, run.Scaling, m, got, run.Test)
	}
}

func abs(v int) int { return max(v, -v) }

// splitCache reads every split once.
type splitCache map[string]authorSplit

// split returns the split that a fixture names, perhaps with a remark.
func (c splitCache) split(t *testing.T, name string) authorSplit {
	name, _, _ = strings.Cut(name, " ")
	if _, ok := c[name]; !ok {
		c[name] = readAuthorSplit(t, name).paperSize()
	}
	return c[name]
}
