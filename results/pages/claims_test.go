package pages

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"r2lmlbench/experiments/measure"
	"r2lmlbench/experiments/plan"
	"r2lmlbench/internal/fixture"
	"r2lmlbench/r2lml"
	"r2lmlbench/results"
	"r2lmlbench/results/published"
	"r2lmlbench/results/store"
	"r2lmlbench/results/table"
)

// claims count in how many cases a statement is so, and all cases, by its name. A cell that
// is missing, or that lacks a fact, is no case.
type claims map[string][2]int

func (c claims) count(name string, is bool) {
	n := c[name]
	if n[1]++; is {
		n[0]++
	}
	c[name] = n
}

// The variants of the paper's methods: the authors' programs, and the algorithms as printed.
var variants = []string{string(r2lml.Reference), string(r2lml.Published)}

// addClaims adds what the cells of the paper's studies say: NAME of NAME.of cases.
func (f facts) addClaims(t *testing.T, accepted *store.Store) {
	t.Helper()
	all := claims{}
	for spec, add := range map[string]func(claims, table.Table){
		"metrics": claims.metrics, "variants": claims.collapse, "lambda": claims.lambda, "toy": claims.toy, "convergence": claims.convergence,
	} {
		add(all, fixture.Must(table.Of(fixture.Must(plan.Named(t.Context(), spec))(t), accepted))(t))
	}
	for name, n := range all {
		f[name], f[name+".of"] = strconv.Itoa(n[0]), strconv.Itoa(n[1])
	}
}

// factNamed is a fact of a cell, and whether it has a result and the fact.
func factNamed(c table.Cell, name string) (results.Fact, bool) {
	if c.Score == nil {
		return results.Fact{}, false
	}
	return results.FactOf(c.Facts, name)
}

// metrics: the number of classes is among the best numbers K of metrics, over the data sets
// and methods with a result for every K; and a K above 1 is more accurate than K = 1, where
// each counts by itself, since the best of six has an advantage over a single one.
func (c claims) metrics(t table.Table) {
	for _, r := range t.Rows {
		for _, method := range []string{published.Efficient, published.Transductive} {
			right, most, missing := map[int]int{}, 0, false
			for i, column := range t.Columns {
				if k, err := strconv.Atoi(column.Swept["metrics"]); err == nil && column.Method == method {
					if r.Cells[i].Score == nil {
						missing = true
						continue
					}
					right[k] = r.Cells[i].Correct
					most = max(most, right[k])
				}
			}
			if missing {
				continue
			}
			c.count("metrics.class-count", right[len(r.Classes.Counts)] == most)
			for k, n := range right {
				if k > 1 {
					c.count("metrics.many-metrics", n > right[1])
				}
			}
		}
	}
}

// collapse: the published variant is less accurate than the reference, for every K of 2 or
// more. With one metric there is no block 2.
func (c claims) collapse(t table.Table) {
	for _, r := range t.Rows {
		for i, column := range t.Columns {
			if column.Swept["variant"] == variants[0] && column.Swept["metrics"] != "1" {
				printed := t.Find(r, column.Method, "metrics", column.Swept["metrics"], "variant", variants[1])
				if r.Cells[i].Score != nil && printed.Score != nil {
					c.count("collapse.published-lower", printed.Correct < r.Cells[i].Correct)
				}
			}
		}
	}
}

// lambda: the zero columns of every metric are just the features that are constant in the
// training data, by draw, for both λ of which the paper says so and each threshold.
func (c claims) lambda(t table.Table) {
	for _, r := range t.Rows {
		family, _, _ := strings.Cut(r.Dataset, ":")
		for i, column := range t.Columns {
			value, err := strconv.ParseFloat(column.Swept["lambda"], 64)
			if err != nil || value != 1e3 && value != 1e4 || r.Cells[i].Score == nil {
				continue
			}
			for level, zeros := range measure.ReadZeros(r.Cells[i].Facts, 3) {
				if slices.Contains(zeros, nil) || zeros[0].Constant.Of == 0 {
					continue
				}
				c.count(fmt.Sprintf("lambda.%s-sparsity-%g-%g", family, value, measure.ZeroThresholds[level]),
					!slices.ContainsFunc(zeros, func(z *measure.ZeroColumns) bool { return z.Constant.Count != z.Constant.Of || z.Other.Count != 0 }))
			}
		}
	}
}

// toy: a number K of 2 or more brings the nearest other sample of the same class more often
// than one global metric and than none, as Figure 1 says that local metrics may.
func (c claims) toy(t table.Table) {
	for _, r := range t.Rows {
		for i, column := range t.Columns {
			nearest, ok := factNamed(r.Cells[i], measure.NearestFact)
			if variant := column.Swept["variant"]; ok && variant != "" && column.Swept["metrics"] != "1" {
				none, isNone := factNamed(t.Find(r, published.Euclidean), measure.NearestFact)
				global, isGlobal := factNamed(t.Find(r, column.Method, "metrics", "1", "variant", variant), measure.NearestFact)
				c.count("toy."+r.Dataset+"-nearest-"+variant, isNone && isGlobal && nearest.Count > global.Count && nearest.Count > none.Count)
			}
		}
	}
}

// convergence: no block raises the objective in a run without momentum, which Theorem 2 says
// of the printed algorithm.
func (c claims) convergence(t table.Table) {
	for _, r := range t.Rows {
		for i, column := range t.Columns {
			raised := false
			for block := 1; block <= 3; block++ { // E-R2LML has two
				f, _ := factNamed(r.Cells[i], fmt.Sprintf("%s: block %d raised the objective", measure.WithoutMomentum, block))
				raised = raised || f.Count > 0
			}
			if _, known := factNamed(r.Cells[i], measure.WithoutMomentum+": block 1 raised the objective"); known {
				c.count("convergence.theorem-2-"+column.Swept["variant"], !raised)
			}
		}
	}
}
