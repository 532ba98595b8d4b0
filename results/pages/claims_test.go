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
			right, most, missing := map[int]int{}, 0, false // right answers by K, and the most of them
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
			if missing || len(right) == 0 {
				continue
			}
			if r.Classes != nil {
				n, tried := right[len(r.Classes.Counts)]
				c.count("metrics.class-count", tried && n == most)
			}
			for k, n := range right {
				if single, ok := right[1]; ok && k > 1 {
					c.count("metrics.many-metrics", n > single)
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
				if !slices.Contains(zeros, nil) && zeros[0].Constant.Of > 0 {
					c.count(fmt.Sprintf("lambda.%s-sparsity-%g-%g", family, value, measure.ZeroThresholds[level]),
						!slices.ContainsFunc(zeros, func(z *measure.ZeroColumns) bool { return z.Constant.Count != z.Constant.Of || z.Other.Count != 0 }))
				}
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

// madeUp is a table of columns that are written as their ids, such as "e-r2lml:metrics=2".
func madeUp(columns string, rows ...table.Row) table.Table {
	t := table.Table{Rows: rows}
	for _, id := range strings.Fields(columns) {
		parts := strings.FieldsFunc(id, func(r rune) bool { return r == ':' || r == '=' })
		c := table.Column{Method: parts[0], Swept: map[string]string{}}
		for i := 1; i < len(parts); i += 2 {
			c.Swept[parts[i]] = parts[i+1]
		}
		t.Columns = append(t.Columns, c)
	}
	return t
}

// row has test samples right in each column, -1 for a missing cell, and classes, 0 for not known.
func row(dataset string, classes int, right ...int) table.Row {
	r := table.Row{Dataset: dataset}
	if classes > 0 {
		r.Classes = &table.Classes{Counts: make([]results.ClassCount, classes)}
	}
	for _, n := range right {
		c := table.Cell{Score: &table.Score{Correct: n}}
		if n < 0 {
			c = table.Cell{Status: table.StatusMissing}
		}
		r.Cells = append(r.Cells, c)
	}
	return r
}

// measuredRow has cells with these facts.
func measuredRow(dataset string, cells ...[]results.Fact) table.Row {
	r := row(dataset, 0, make([]int, len(cells))...)
	for i, facts := range cells {
		r.Cells[i].Facts = facts
	}
	return r
}

// zeros are zero columns of three metrics at both thresholds: so many of the constant
// features, and so many of the others, which are counted at the larger threshold only.
func zeros(constant, of, others int) (facts []results.Fact) {
	for metric := range 3 {
		for i, threshold := range measure.ZeroThresholds {
			key := fmt.Sprintf("zero columns of metric %d at %g, ", metric+1, threshold)
			facts = append(facts, results.Fact{Name: key + "constant features", Count: constant, Of: of},
				results.Fact{Name: key + "other features", Count: i * others, Of: 60 - of})
		}
	}
	return facts
}

// nearest is that so many samples have one of their class nearest.
func nearest(n int) []results.Fact {
	return []results.Fact{{Name: measure.NearestFact, Count: n, Of: 4}}
}

// raised is that one run of a block raised the objective in a mode, and no other is known to.
func raised(in string, by int) []results.Fact {
	return []results.Fact{{Name: fmt.Sprintf("%s: block %d raised the objective", in, by), Count: 1, Of: 5},
		{Name: measure.WithoutMomentum + ": block 1 raised the objective", Of: 5}}
}

// TestClaimsByHand: what the claims count, each number counted by hand.
func TestClaimsByHand(t *testing.T) {
	two := "e-r2lml:variant=reference:metrics=1 e-r2lml:variant=reference:metrics=2 e-r2lml:variant=reference:metrics=3 " +
		"e-r2lml:variant=published:metrics=1 e-r2lml:variant=published:metrics=2 e-r2lml:variant=published:metrics=3"
	without, got := measure.WithoutMomentum, claims{}
	// A tie, more classes than metrics, classes that are not known, and one K missing.
	got.metrics(madeUp("t-r2lml:metrics=1 t-r2lml:metrics=2 t-r2lml:metrics=3 e-r2lml:metrics=1 e-r2lml:metrics=2 e-r2lml:metrics=3",
		row("heart", 2, 50, 70, 69, 50, 70, 70), row("glass", 6, 60, 61, 59, 70, 70, 73), row("mine", 0, 60, 61, 62, 70, -1, 72)))
	// Without K = 1 there is nothing to be better than, and no T-R2LML.
	got.metrics(madeUp("e-r2lml:metrics=2 e-r2lml:metrics=3", row("sonar", 2, 50, 40), row("wpbc", 4, 0, 0)))
	// With K = 1 the variants are one method; a pair of which one is missing does not count.
	got.collapse(madeUp(two, row("heart", 0, 60, 64, 62, 58, 40, 62), row("sonar", 0, 60, 66, 65, 58, 67, -1)))
	// The first family has no constant features. A draw without facts does not count.
	got.lambda(madeUp("e-r2lml:lambda=1e4 e-r2lml:lambda=0 e-r2lml:lambda=1e3", measuredRow("overlap30", zeros(0, 0, 0), zeros(0, 0, 0), zeros(0, 0, 0)),
		measuredRow("overlap60", zeros(31, 31, 1), zeros(0, 31, 0), zeros(31, 31, 0)), measuredRow("overlap60:2", zeros(0, 29, 0), zeros(0, 29, 0), nil)))
	// Local metrics must be better than the global one, and than none.
	got.toy(madeUp("euclidean "+two, measuredRow("toy", nearest(1), nearest(0), nearest(1), nil, nearest(2), nearest(4), nearest(2))))
	// Momentum may raise the objective; without it no block may.
	got.convergence(madeUp("t-r2lml:variant=reference e-r2lml:variant=published", measuredRow("glass", raised(measure.WithMomentum, 2), nil),
		measuredRow("heart", raised(without, 1), nil), measuredRow("sonar", raised(without, 2), nil), measuredRow("wpbc", raised(without, 3), nil)))
	fixture.Same(t, "claims", got, claims{
		"metrics.class-count": {3, 6}, "metrics.many-metrics": {8, 10}, "collapse.published-lower": {1, 3},
		"lambda.overlap60-sparsity-1000-1e-06": {1, 1}, "lambda.overlap60-sparsity-1000-0.001": {1, 1},
		"lambda.overlap60-sparsity-10000-1e-06": {1, 2}, "lambda.overlap60-sparsity-10000-0.001": {0, 2},
		"toy.toy-nearest-published": {1, 2}, "toy.toy-nearest-reference": {0, 1}, "convergence.theorem-2-reference": {1, 4},
	})
}
