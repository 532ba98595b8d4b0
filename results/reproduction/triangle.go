package reproduction

import (
	"fmt"

	"r2lmlbench/results"
	"r2lmlbench/results/table"
	"r2lmlbench/stats"
)

// triangleFact counts the triples that violate the triangle inequality.
const triangleFact = "triangle inequality violated"

// triangle is the section on the triangle inequality, from the table of spec
// triangle.
func triangle(t table.Table) section {
	s := section{title: "The triangle inequality"}
	s.say("A combination of local metrics need not keep the triangle inequality. The paper reports that it held in all of over a million triples tried on Pendigits. "+
		"`r2lmlbench run %s` tries all triples of the training samples, with the distance √(Σ g_m g_n ‖L(x_m − x_n)‖²).", command(t))
	if s.absent(t) {
		return s
	}
	var rows [][]string
	for _, r := range t.Rows {
		for i, c := range t.Columns {
			if i >= len(r.Cells) {
				continue
			}
			f, ok := r.Cells[i].Score.FactOf(triangleFact)
			violations, triples, percent := "-", "-", "-"
			if ok {
				violations, triples = fmt.Sprint(f.Count), fmt.Sprint(f.Of)
				percent = stats.Percent(f.Count, f.Of, 4)
			}
			rows = append(rows, []string{r.Name, methodName(c.Method), orDash(c.Swept["variant"]), orDash(c.Swept["metrics"]), violations, triples, percent})
		}
	}
	s.table(3, []string{"data", "method", "variant", "K", "violations", "triples", "percent"}, rows)
	for _, variant := range []string{"reference", "published"} {
		s.conclude("%s", triangleClaim(t, variant))
	}
	return s
}

// triangleClaim says whether a variant keeps the triangle inequality.
func triangleClaim(t table.Table, variant string) string {
	fits, violated, missing := 0, 0, 0
	var sum total
	var worst results.Fact
	for _, r := range t.Rows {
		for i, c := range t.Columns {
			if c.Swept["variant"] != variant || i >= len(r.Cells) {
				continue
			}
			f, ok := r.Cells[i].Score.FactOf(triangleFact)
			if !ok {
				missing++
				continue
			}
			fits++
			sum.add(f)
			if f.Count > 0 {
				violated++
			}
			if f.Count*worst.Of >= worst.Count*f.Of {
				worst = f
			}
		}
	}
	switch {
	case fits == 0:
		return fmt.Sprintf("Nothing is known of the %s variant, of which %s missing.", variant, isAre(missing))
	case violated > 0:
		return fmt.Sprintf("With the %s variant the inequality is violated by %d of %d triples in all, in %d of %s; the most are %s in one fit. The paper's statement **does not hold**.",
			variant, sum.count, sum.of, violated, counted(fits, "fit"), ratio(worst, true))
	case missing > 0:
		return fmt.Sprintf("With the %s variant none of %d triples violates the inequality in %s, but of its fits %s missing. The paper's statement **cannot be told**.",
			variant, sum.of, counted(fits, "fit"), isAre(missing))
	}
	return fmt.Sprintf("With the %s variant none of %d triples violates the inequality in %s. The paper's statement **holds**.", variant, sum.of, counted(fits, "fit"))
}
