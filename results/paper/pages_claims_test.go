package paper_test

import (
	"strconv"
	"strings"
	"testing"

	"r2lmlbench/experiments/plan"
	"r2lmlbench/internal/fixture"
	"r2lmlbench/r2lml"
	"r2lmlbench/results/store"
	"r2lmlbench/results/table"
)

// The variants of the paper's methods: the authors' programs, and the algorithms as printed.
var variants = []string{string(r2lml.Reference), string(r2lml.Published)}

// addCollapse adds in how many settings the published variant is less accurate.
func (f facts) addCollapse(t *testing.T, accepted *store.Store) {
	t.Helper()
	n, of := collapse(fixture.Must(table.Of(fixture.Must(plan.Named(t.Context(), "variants"))(t), accepted))(t))
	f["collapse.published-lower"], f["collapse.published-lower.of"] = strconv.Itoa(n), strconv.Itoa(of)
}

// collapse counts the cells of the reference with a K of 2 or more beside which the published
// variant has a result, and those that are more accurate than it. With one metric there is no
// block 2.
func collapse(t table.Table) (lower, of int) {
	for _, r := range t.Rows {
		for i, column := range t.Columns {
			if column.Swept["variant"] == variants[0] && column.Swept["metrics"] != "1" {
				printed := t.Find(r, column.Method, "metrics", column.Swept["metrics"], "variant", variants[1])
				if r.Cells[i].Score != nil && printed.Score != nil {
					if of++; printed.Correct < r.Cells[i].Correct {
						lower++
					}
				}
			}
		}
	}
	return lower, of
}

// With K = 1 the variants are one method; a pair of which one is missing does not count.
func TestCollapseByHand(t *testing.T) {
	two := table.Table{}
	for _, variant := range variants {
		for _, k := range []string{"1", "2", "3"} {
			two.Columns = append(two.Columns, table.Column{Method: "e-r2lml", Swept: map[string]string{"variant": variant, "metrics": k}})
		}
	}
	for _, right := range []string{"60 64 62 58 40 62", "60 66 65 58 67 -"} {
		r := table.Row{}
		for _, n := range strings.Fields(right) {
			c := table.Result{Status: table.StatusMissing}
			if correct, err := strconv.Atoi(n); err == nil {
				c = table.Result{Score: &table.Score{Correct: correct}}
			}
			r.Cells = append(r.Cells, c)
		}
		two.Rows = append(two.Rows, r)
	}
	lower, of := collapse(two)
	fixture.Equal(t, "less accurate", lower, 1)
	fixture.Equal(t, "pairs", of, 3)
}
