package reproduction

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"r2lmlbench/results"
	"r2lmlbench/results/table"
	"r2lmlbench/stats"
)

// zeroLevels are the shares of the largest column's norm below which a column
// counts as zero, as the names of the facts have them.
var zeroLevels = []string{"1e-06", "0.001"}

// sparsityLambdas are those of which the paper says that the zero columns
// followed the sparsity of the features.
var sparsityLambdas = []float64{1e3, 1e4}

// zeroFacts returns the facts of a score on the zero columns of a metric, from 1.
func zeroFacts(score *table.Score, metric int, level string) (constant, other results.Fact, ok bool) {
	name := fmt.Sprintf("zero columns of metric %d at %s", metric, level)
	constant, ok1 := score.FactOf(name + ", constant features")
	other, ok2 := score.FactOf(name + ", other features")
	return constant, other, ok1 && ok2
}

// zeroColumns has the mean numbers of zero columns.
func (s *section) zeroColumns(all []draws) {
	head := []string{"λ"}
	for _, level := range zeroLevels {
		for metric := range lambdaMetrics {
			head = append(head, fmt.Sprintf("metric %d at %s", metric+1, level))
		}
	}
	var rows [][]string
	for _, d := range all {
		row := []string{d.lambda}
		for _, level := range zeroLevels {
			for metric := range lambdaMetrics {
				row = append(row, d.meanZeros(metric+1, level))
			}
		}
		printed := make([]string, len(d.printed.Zeros))
		for i, n := range d.printed.Zeros {
			printed[i] = strconv.Itoa(n)
		}
		rows = append(rows, append(row, orDash(strings.Join(printed, ", "))))
	}
	s.table(0, append(head, "printed"), rows)
	s.say("The table has the mean number of zero columns of each metric, those whose norm is below %s or %s of the largest.", zeroLevels[0], zeroLevels[1])
}

// meanZeros is the mean number of zero columns of a metric over the draws.
func (d draws) meanZeros(metric int, level string) string {
	zeros, found := 0, 0
	for _, score := range d.scores {
		if constant, other, ok := zeroFacts(score, metric, level); ok {
			zeros += constant.Count + other.Count
			found++
		}
	}
	return stats.Proportion(zeros, found, 1)
}

// sparsity compares the zero columns with the features that are constant.
func (s *section) sparsity(all []draws) {
	var head []string
	for _, level := range zeroLevels {
		head = append(head, "constant at "+level, "others at "+level)
	}
	var rows [][]string
	anyConstant := false
	for _, d := range all {
		row := []string{d.lambda}
		for _, level := range zeroLevels {
			constant, other := d.zeroTotals(level)
			anyConstant = anyConstant || constant.of > 0
			row = append(row, constant.text(), other.text())
		}
		rows = append(rows, row)
	}
	if !anyConstant {
		return
	}
	s.table(0, append([]string{"λ"}, head...), rows)
	s.say("The table counts the zero columns of all metrics and draws among the features that are constant in the training samples, which are the zeroed ones, and among the others. " +
		"The paper says that at λ = 1000 and 10000 the zero columns followed the sparsity of the features exactly.")
	for _, d := range all {
		if slices.Contains(sparsityLambdas, d.value) && len(d.runs) > 0 {
			s.say("%s", d.followed())
		}
	}
}

func (t total) text() string {
	if t.of == 0 {
		return "-"
	}
	return fmt.Sprintf("%d of %d (%s %%)", t.count, t.of, stats.Percent(t.count, t.of, 2))
}

// zeroTotals adds up the zero columns of all metrics and draws.
func (d draws) zeroTotals(level string) (constant, other total) {
	for _, score := range d.scores {
		for metric := range lambdaMetrics {
			if c, o, ok := zeroFacts(score, metric+1, level); ok {
				constant.add(c)
				other.add(o)
			}
		}
	}
	return constant, other
}

// followed says, for each level, in how many draws the zero columns of every
// metric are just the constant features. The statement holds if they are in all.
func (d draws) followed() string {
	var here []string
	for _, level := range zeroLevels {
		same, known := 0, 0
		for _, score := range d.scores {
			exact, ok := exactly(score, level)
			if ok {
				known++
			}
			if exact {
				same++
			}
		}
		verdict := "holds"
		switch {
		case same < known:
			verdict = "does not hold"
		case known < len(d.scores)+d.missing:
			verdict = "cannot be told"
		}
		here = append(here, fmt.Sprintf("in %d of %s at %s (**%s**)", same, counted(known, "draw"), level, verdict))
	}
	return fmt.Sprintf("Here, at λ = %s, the zero columns of every metric are just the zeroed features %s.", d.lambda, series(here))
}

// exactly reports whether the zero columns of every metric are the constant
// features and no others, and whether all facts for it are there.
func exactly(score *table.Score, level string) (exact, ok bool) {
	exact = true
	for metric := range lambdaMetrics {
		constant, other, ok := zeroFacts(score, metric+1, level)
		if !ok {
			return false, false
		}
		exact = exact && constant.Count == constant.Of && other.Count == 0
	}
	return exact, true
}
