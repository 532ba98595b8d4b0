package results_test

import (
	"fmt"
	"math"
	"math/big"
	"testing"
	"time"

	"r2lmlbench/internal/fixture"
	. "r2lmlbench/results"
)

// Values of scikit-learn 1.2.1 (Debian's python3-sklearn 1.2.1+dfsg-1): accuracy_score, balanced_accuracy_score,
// f1_score(average="macro", labels=numpy.unique(truth), zero_division=0) and cohen_kappa_score. Without labels
// its F1 of "a label that no sample has" is 0.488888888888889, for it takes 3 as a class.
func TestMetricsAsScikitLearn(t *testing.T) {
	for _, c := range []struct {
		name                          string
		truth, given                  []int
		accuracy, balanced, f1, kappa float64
	}{
		{"all right", []int{1, 2, 2, 3}, []int{1, 2, 2, 3}, 1, 1, 1, 1},
		{"one of two missed", []int{1, 1, 1, 1, 2, 2}, []int{1, 1, 1, 1, 2, 1}, 0.833333333333333, 0.75, 0.777777777777778, 0.571428571428571},
		{"constant", []int{1, 1, 1, 2}, []int{1, 1, 1, 1}, 0.75, 0.5, 0.428571428571429, 0},
		{"three classes", []int{1, 1, 2, 2, 3, 3, 3}, []int{1, 2, 2, 2, 3, 1, 3}, 0.714285714285714, 0.722222222222222, 0.7, 0.575757575757576},
		{"a class that no sample was given", []int{1, 1, 2, 2, 3}, []int{1, 1, 2, 1, 2}, 0.6, 0.5, 0.433333333333333, 0.333333333333333},
		{"a label that no sample has", []int{1, 1, 1, 2, 2}, []int{1, 3, 1, 2, 3}, 0.6, 0.583333333333333, 0.733333333333333, 0.411764705882353},
		{"worse than chance", []int{1, 1, 2, 2}, []int{2, 2, 1, 2}, 0.25, 0.25, 0.2, -0.5},
		{"imbalanced", []int{1, 1, 1, 1, 1, 1, 1, 1, 2, 2}, []int{1, 1, 1, 1, 1, 1, 1, 2, 1, 2}, 0.8, 0.6875, 0.6875, 0.375},
		{"one class, one label", []int{1, 1, 1}, []int{1, 1, 1}, 1, 1, 1, math.NaN()},
		{"nothing right", []int{1, 2}, []int{2, 1}, 0, 0, 0, -1}, // by hand: (0 - 1/2)/(1 - 1/2)
		{"four labels, two of them no classes", []int{4, 4, 7, 7, 7, 4}, []int{7, 4, 7, 9, 4, 2}, 0.333333333333333, 0.333333333333333, 0.4, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			classes := CountResults(c.truth, c.given)
			for i, want := range []float64{c.accuracy, c.balanced, c.f1, c.kappa} {
				exact := Metrics[i].Exact(classes)
				if exact == nil || math.IsNaN(want) {
					if exact != nil || !math.IsNaN(want) {
						t.Errorf("%s is %v, want %g", Metrics[i].ID, exact, want)
					}
					continue
				}
				got, _ := exact.Float64()
				fixture.Near(t, Metrics[i].ID, got, want, 1e-14)
			}
		})
	}
}

func TestMetricTexts(t *testing.T) {
	truth := []int{1, 1, 1, 2}
	for id, want := range map[string][2]string{ // of one label, and of nothing
		Accuracy: {"75.00", "-"}, BalancedAccuracy: {"50.00", "-"}, MacroF1: {"42.86", "-"}, Kappa: {"0.0000", "-"},
	} {
		m, ok := FindMetric(id)
		if !ok {
			t.Fatalf("there is no %s", id)
		}
		fixture.Equal(t, id+" of one label", m.Print(m.Exact(ConstantResults(CountClasses(truth), 1))), want[0])
		fixture.Equal(t, id+" of nothing", m.Print(m.Exact(nil)), want[1])
	}
	fixture.EqualSlice(t, "the metrics", MetricIDs(), []string{Accuracy, BalancedAccuracy, MacroF1, Kappa})
	if _, ok := FindMetric("auc"); ok {
		t.Error("there is a metric auc")
	}
	kappa, _ := FindMetric(Kappa)
	for value, want := range map[*big.Rat]string{
		big.NewRat(4, 7): "0.5714", big.NewRat(-1, 2): "-0.5000", big.NewRat(-1, 1e6): "0.0000", big.NewRat(1, 1): "1.0000",
	} {
		fixture.Equal(t, fmt.Sprint(value), kappa.Print(value), want)
	}
	if MeanValue([]*big.Rat{big.NewRat(1, 2), nil}) != nil || MeanValue(nil) != nil ||
		MeanValue([]*big.Rat{big.NewRat(1, 2), big.NewRat(1, 4)}).String() != "3/8" {
		t.Error("the mean of values is wrong")
	}
	fixture.Equal(t, "kappa of a failed cell", kappa.Print(kappa.Exact(CountResults([]int{1, 2}, nil))), "-")
}

// TestBest: the first of the best, by accuracy or by the values of another metric,
// which are compared as fractions: 1/3 + 1/6 and 1/2 are equal.
func TestBest(t *testing.T) {
	for _, c := range []struct {
		correct []int
		scores  []string
		want    int
	}{
		{[]int{3, 5, 5, 4}, nil, 1},
		{[]int{-1, 0}, nil, 1},
		{[]int{-1, -1}, nil, -1},
		{[]int{7}, nil, 0},
		{[]int{9, 5, 5}, []string{"1/3", "1/2", "1/2"}, 1},
		{[]int{9, -1, 5}, []string{"", "", "-1/2"}, 2}, // not defined, failed, worse than chance
		{[]int{-1, 3, 4}, []string{"", "", ""}, 1},
		{[]int{3, 4}, []string{"333333333333333333/1000000000000000000", "1/3"}, 1},
	} {
		fixture.Equal(t, fmt.Sprintf("the best of %v and %v", c.correct, c.scores), (&Profile{Correct: c.correct, Scores: c.scores}).Best(), c.want)
	}
}

func TestConstant(t *testing.T) {
	for _, c := range []struct {
		name             string
		truth, predicted []int
		want             bool
	}{
		{"one label for two classes", []int{1, 2, 1}, []int{2, 2, 2}, true},
		{"a label that no sample has", []int{1, 2, 1}, []int{3, 3, 3}, true},
		{"two labels", []int{1, 2, 1}, []int{2, 2, 1}, false},
		{"one class", []int{2, 2}, []int{2, 2}, false},
		{"one class, all wrong", []int{2, 2}, []int{1, 1}, false},
		{"a failed cell", []int{1, 2}, nil, false},
	} {
		fixture.Equal(t, c.name+": constant", (Cell{Truth: c.truth, Predicted: c.predicted}).Constant(), c.want)
	}
}

// As many classes as samples take no more than moments: files of answers may have millions.
func TestManyClasses(t *testing.T) {
	fixture.Long(t)
	const n = 500_000
	truth := make([]int, n)
	for i := range truth {
		truth[i] = n - i
	}
	begun := time.Now()
	counts, right := CountClasses(truth), CountResults(truth, truth)
	fixture.Equal(t, "first and last", [3]ClassCount{counts[0], counts[n-1], {len(counts), len(right)}}, [3]ClassCount{{1, 1}, {n, 1}, {n, n}})
	if took := time.Since(begun); took > 10*time.Second {
		t.Errorf("it took %v", took)
	}
}
