package study

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"r2lmlbench/experiments/measure"
	"r2lmlbench/results/published"
	"r2lmlbench/results/table"
)

// LambdaMetrics is the number of metrics of the study, as in the paper.
const LambdaMetrics = 3

// Lambda has accuracy and zero columns against λ on generated classes that
// overlap, the paper's two tables.
type Lambda struct {
	Families []LambdaFamily
}

// A LambdaFamily is the draws of one generated data set.
type LambdaFamily struct {
	published.LambdaFamily
	Settings []LambdaSetting // by λ
	Found    int             // draws with a result, of all settings
}

// A LambdaSetting is what the draws gave with one λ.
type LambdaSetting struct {
	Lambda  float64
	Draws   []Draw
	Printed published.Lambda // with an empty Accuracy if there is none
}

// A Draw is the fit on one draw of a family.
type Draw struct {
	Correct, N int
	Zeros      [][]*measure.ZeroColumns // by threshold and metric; nil where they were not measured
}

// ReadLambda reads the table of spec lambda. A draw without test samples counts
// as missing.
func ReadLambda(t table.Table) (Lambda, error) {
	var l Lambda
	for _, family := range published.LambdaFamilies() {
		l.Families = append(l.Families, lambdaFamily(t, family))
	}
	return l, nil
}

func lambdaFamily(t table.Table, family published.LambdaFamily) LambdaFamily {
	f := LambdaFamily{LambdaFamily: family}
	for i, c := range t.Columns {
		value, err := strconv.ParseFloat(c.Swept["lambda"], 64)
		if c.Method != published.Efficient || err != nil || !(value >= 0 && value <= math.MaxFloat64) {
			continue
		}
		s := LambdaSetting{Lambda: value, Printed: published.LambdaAt(family.Study, value)}
		for _, r := range t.Rows {
			if id, _, _ := strings.Cut(r.Dataset, ":"); id != family.ID {
				continue
			}
			score := r.Cells[i].Score
			if score != nil && r.N > 0 {
				s.Draws = append(s.Draws, Draw{score.Correct, r.N, measure.ReadZeros(score.Facts, LambdaMetrics)})
			}
		}
		f.Found += len(s.Draws)
		f.Settings = append(f.Settings, s)
	}
	slices.SortStableFunc(f.Settings, func(a, b LambdaSetting) int { return cmp.Compare(a.Lambda, b.Lambda) })
	return f
}

// Zeros lists, for the draws that have them, the numbers of zero columns of a
// metric, from 0, at a level of measure.ZeroThresholds.
func (s LambdaSetting) Zeros(level, metric int) []measure.ZeroColumns {
	var all []measure.ZeroColumns
	for _, d := range s.Draws {
		if z := d.Zeros[level][metric]; z != nil {
			all = append(all, *z)
		}
	}
	return all
}

// SparsityLambdas are those of which the paper says that the zero columns
// followed the sparsity of the features.
var SparsityLambdas = []float64{1e3, 1e4}

// Claims are, for every family of which some feature is constant, and for each of
// SparsityLambdas and measure.ZeroThresholds, the draws in which the zero columns of every
// metric are just these features.
func (l Lambda) Claims() []Claim {
	var all []Claim
	for _, f := range l.Families {
		for _, s := range f.Settings {
			if !slices.Contains(SparsityLambdas, s.Lambda) || len(s.Draws) == 0 || !f.constant() {
				continue
			}
			for level, threshold := range measure.ZeroThresholds {
				followed := Claim{ID: fmt.Sprintf("%s-sparsity-%g-%g", f.ID, s.Lambda, threshold)}
				for _, d := range s.Draws {
					if zeros := d.Zeros[level]; !slices.Contains(zeros, nil) {
						followed.count(!slices.ContainsFunc(zeros, func(z *measure.ZeroColumns) bool { return z.Constant.Count != z.Constant.Of || z.Other.Count != 0 }))
					}
				}
				all = append(all, followed)
			}
		}
	}
	return all
}

// constant tells whether some draw has features that are constant in its training data.
func (f LambdaFamily) constant() bool {
	for _, s := range f.Settings {
		for _, d := range s.Draws {
			for _, z := range slices.Concat(d.Zeros...) {
				if z != nil && z.Constant.Of > 0 {
					return true
				}
			}
		}
	}
	return false
}
