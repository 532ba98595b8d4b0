package verdict

import (
	"cmp"
	_ "embed"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"text/template"

	"r2lmlbench/internal/text"
	"r2lmlbench/results/published"
	"r2lmlbench/results/table"
	"r2lmlbench/stats"
)

// Listing has a line for each verdict.
func (v Verdicts) Listing() table.Listing {
	l := table.Listing{Title: "Verdicts on the published numbers", Notes: v.Notes()}
	l.Head = []string{"row", "data set", "method", "printed", "mean", "sd", "difference", "runs", "test samples", "verdict", "reason"}
	for _, n := range v.Verdicts {
		sd := &n.SD
		if n.Runs < 2 {
			sd = nil
		}
		l.Rows = append(l.Rows, []string{
			n.Letter, n.Dataset, n.Method, n.Published, number(n.Mean, text.TwoDecimals), number(sd, text.TwoDecimals), number(n.Difference, text.Signed),
			fmt.Sprintf("%d of %d", n.Runs, n.Planned), strconv.Itoa(n.Samples), n.Verdict, n.Reason,
		})
	}
	return l
}

// number prints a number that may be absent.
func number(x *float64, write func(float64) string) string {
	if x == nil {
		return "-"
	}
	return write(*x)
}

// notesText has the lines under the verdicts, a template.
//
//go:embed notes.txt
var notesText string

var notesTemplate = template.Must(template.New("notes").Funcs(template.FuncMap{
	"counted": text.Counted, "join": strings.Join,
	"one": text.OneLine, "sentence": func(s string) string { return strings.TrimSuffix(text.OneLine(s), ".") + "." },
}).Parse(notesText))

// Notes are the lines under the verdicts: where the numbers come from, the rule, what it lets
// through by chance, and the columns that are left out, a line for each reason.
func (v Verdicts) Notes() []string {
	columns, reasons := map[string][]string{}, []string(nil)
	for _, l := range v.Excluded {
		reasons, columns[l.Reason] = text.AppendNew(reasons, l.Reason), text.AppendNew(columns[l.Reason], l.Method)
	}
	var b strings.Builder
	err := notesTemplate.Execute(&b, struct {
		Verdicts
		Reasons []string
		Columns map[string][]string // by reason
	}{v, reasons, columns})
	if err != nil {
		panic("verdict: notes: " + err.Error()) // the template and its data are ours
	}
	return strings.FieldsFunc(b.String(), func(r rune) bool { return r == '\n' })
}

// Tables stand below the verdicts.
func (v Verdicts) Tables() []table.Listing {
	if v.Summary.Numbers == 0 {
		return nil
	}
	all := []table.Listing{v.SummaryTable(), v.ReadingsTable()}
	if columns := v.Readings.Methods; len(columns) == 1 {
		all = append(all, v.ReadingsOf(columns[0]))
	}
	if v.Ranks != nil {
		all = append(all, v.RanksTable())
	}
	return all
}

// name is a column with verdicts as the publication calls it.
func (v Verdicts) name(column string) string {
	of := slices.IndexFunc(v.Verdicts, func(one Verdict) bool { return one.Method == column })
	return cmp.Or(v.Verdicts[of].Evidence.Published.Name, published.MethodName(column))
}

// SummaryTable counts the verdicts by method.
func (v Verdicts) SummaryTable() table.Listing {
	s := v.Summary
	l := table.Listing{Title: "Verdicts by method", Head: append([]string{"method"}, Words()...)}
	for _, points := range distances {
		l.Head = append(l.Head, fmt.Sprintf("within %g", points))
	}
	l.Head = append(l.Head, "below", "above", "mean difference", "rank correlation")
	line := func(name string, c Counts, rho *float64) {
		fields := []string{name}
		for _, w := range c.Words {
			fields = append(fields, strconv.Itoa(w.Count))
		}
		for _, w := range c.Close.Within {
			fields = append(fields, strconv.Itoa(w.Count))
		}
		l.Rows = append(l.Rows, append(fields, strconv.Itoa(c.Close.Below), strconv.Itoa(c.Close.Above),
			number(c.Close.Mean, text.TwoDecimals), number(rho, text.TwoDecimals)))
	}
	for _, m := range s.Methods {
		line(v.name(m.Method), m.Counts, m.Spearman)
	}
	line("all", s.Counts, nil)
	l.Notes = []string{"Within: numbers whose mean over the runs is at most so many points from the printed value. " +
		"Below, above: numbers whose mean is lower or higher than print. Mean difference: of the absolute values. " +
		"Rank correlation: Spearman's over the data sets, of our means with the printed values."}
	return l
}

// ReadingsTable has a reading in each row and a method in each column.
func (v Verdicts) ReadingsTable() table.Listing {
	r := v.Readings
	l := table.Listing{Title: "Readings of the protocol, by method", Head: []string{"reading", ""}}
	for _, m := range r.Methods {
		l.Head = append(l.Head, v.name(m))
	}
	for _, row := range r.Rows {
		agree, near := []string{row.Reading, "agree / difference"}, []string{"", "within 1, 2, 5"}
		for _, c := range row.Columns {
			if c.Numbers == 0 {
				agree, near = append(agree, "-"), append(near, "")
				continue
			}
			agree = append(agree, fmt.Sprintf("%d of %d / %s", c.Agree, c.Numbers, number(c.Mean, text.TwoDecimals)))
			near = append(near, fmt.Sprintf("%d, %d, %d", c.At(1), c.At(2), c.At(5)))
		}
		l.Rows = append(l.Rows, agree, near)
	}
	l.Notes = []string{"Agree: numbers that agree. Difference: mean absolute difference to print in points. All by the mean over the seeds."}
	if others := r.Tried - 1; others > 0 {
		l.Notes = append(l.Notes, fmt.Sprintf("%s beside the main one: the nearest of several may be so by chance.", text.Counted(others, "reading")))
	}
	return l
}

// ReadingsOf has a data set in each row and in each column a reading of the numbers of a
// method, as a mean over the runs with its standard deviation.
func (v Verdicts) ReadingsOf(column string) table.Listing {
	l := table.Listing{Title: "Readings of " + v.name(column) + ", by data set", Head: []string{"data", "printed"},
		Notes: []string{"Means over the runs, with the standard deviation of several. Constant: settings of all runs that were left out of the choice, since they " +
			"answer with one class."}}
	for _, row := range v.Readings.Rows {
		at := slices.Index(v.Readings.Methods, column)
		if row.Columns[at].Numbers > 0 {
			l.Head = append(l.Head, row.Reading)
		}
	}
	for _, one := range ofColumn(v.Verdicts, column) {
		line := append([]string{one.Letter + " " + one.Dataset, one.Published}, slices.Repeat([]string{"-"}, len(l.Head)-2)...)
		for _, r := range v.Readings.Of(one.Dataset, column) {
			at := slices.Index(l.Head, r.Reading)
			if at < 0 || r.Mean == nil {
				continue
			}
			line[at] = text.TwoDecimals(*r.Mean)
			if r.Runs > 1 {
				line[at] += " ± " + text.TwoDecimals(r.SD)
			}
			if r.LeftOut > 0 {
				line[at] += fmt.Sprintf(" (%d constant)", r.LeftOut)
			}
		}
		l.Rows = append(l.Rows, line)
	}
	return l
}

// Agreements is ReadingsTable with what a page has room for: numbers that agree, and mean
// differences. Settings of single methods are left out.
func (v Verdicts) Agreements() table.Listing {
	l := v.ReadingsTable()
	short := table.Listing{Title: l.Title, Head: slices.Delete(slices.Clone(l.Head), 1, 2), Notes: l.Notes}
	for i := 0; i < len(l.Rows); i += 2 { // the rows between have the numbers within some points
		if !v.ofOneMethod(l.Rows[i][0]) {
			short.Rows = append(short.Rows, slices.Delete(slices.Clone(l.Rows[i]), 1, 2))
		}
	}
	return short
}

// ofOneMethod tells whether a reading is a setting of one method, whose name it begins with.
func (v Verdicts) ofOneMethod(reading string) bool {
	return slices.ContainsFunc(v.Readings.Methods, func(m string) bool { return strings.HasPrefix(reading, v.name(m)+", ") })
}

// RanksTable has the average ranks.
func (v Verdicts) RanksTable() table.Listing {
	r := v.Ranks
	l := table.Listing{Title: "Average ranks over the data sets, 1 the best", Head: []string{"method", "printed", "ours"}}
	for _, m := range r.Methods {
		l.Rows = append(l.Rows, []string{v.name(m.Method), text.TwoDecimals(m.Printed), text.TwoDecimals(m.Ours)})
	}
	l.Notes = []string{
		fmt.Sprintf("Of %d of %s, those on which all methods have runs. Ours: ranks of means over the seeds.", r.Sets, text.Counted(r.Of, "data set")),
		fmt.Sprintf("Two methods less than %.2f apart do not differ (Nemenyi's critical difference, level %g).", r.CriticalDifference, level),
		fmt.Sprintf("Friedman's test that all methods rank alike (Iman and Davenport's F): p %s in print, p %s for ours.",
			stats.SayP(r.PrintedFriedmanP), stats.SayP(r.FriedmanP)),
	}
	return l
}
