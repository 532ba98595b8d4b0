package study

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/stat"

	"r2lmlbench/experiments/measure"
	"r2lmlbench/results/published"
	"r2lmlbench/results/table"
	"r2lmlbench/stats"
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
	Missing  int             // draws without a result, of all settings
	Found    int             // those with one
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
		if c.Method != Efficient || err != nil || !(value >= 0 && value <= math.MaxFloat64) {
			continue
		}
		s := LambdaSetting{Lambda: value, Printed: published.LambdaAt(family.Study, value)}
		for _, r := range t.Rows {
			if id, _, _ := strings.Cut(r.Dataset, ":"); id != family.ID {
				continue
			}
			score := cellAt(r, i).Score
			if score == nil || r.N <= 0 {
				f.Missing++
				continue
			}
			s.Draws = append(s.Draws, Draw{score.Correct, r.N, measure.ReadZeros(score.Facts, LambdaMetrics)})
		}
		f.Found += len(s.Draws)
		f.Settings = append(f.Settings, s)
	}
	slices.SortStableFunc(f.Settings, func(a, b LambdaSetting) int { return cmp.Compare(a.Lambda, b.Lambda) })
	return f
}

// Shares are the accuracies of the draws.
func (s LambdaSetting) Shares() []float64 {
	shares := make([]float64, len(s.Draws))
	for i, d := range s.Draws {
		shares[i] = float64(d.Correct) / float64(d.N)
	}
	return shares
}

// SD is the standard deviation of the draws, divisor their number less one; NaN
// of fewer than two.
func (s LambdaSetting) SD() float64 {
	if len(s.Draws) < 2 {
		return math.NaN()
	}
	return stat.StdDev(s.Shares(), nil)
}

// Outside tells whether the printed accuracy lies outside the 95 % interval for
// one more draw, and whether that can be asked: not at λ = 0, for whose printed
// value the data were made.
func (s LambdaSetting) Outside() (far, ok bool) {
	if s.Lambda == 0 || len(s.Draws) < 2 || s.Printed.Accuracy == "" {
		return false, false
	}
	p, err := stats.Predict(s.Printed.Accuracy, s.Shares(), 0.95)
	return err == nil && !p.Inside, err == nil
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

// Claims are, for every family: printed, the settings whose printed accuracy lies inside
// the 95 % interval for one more draw; and for each of SparsityLambdas and measure.ZeroThresholds,
// where some feature is constant, the draws in which the zero columns of every metric are
// just these features.
func (l Lambda) Claims() []Claim {
	var all []Claim
	for _, f := range l.Families {
		inside := Claim{ID: f.ID + "-printed"}
		for _, s := range f.Settings {
			if far, ok := s.Outside(); ok {
				inside.count(!far)
			}
		}
		if inside.Of > 0 {
			all = append(all, inside)
		}
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
