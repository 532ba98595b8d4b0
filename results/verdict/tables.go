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
	l := table.Listing{
		Title: "Verdicts on the published numbers", Notes: v.Notes(),
		Head: []string{"row", "data set", "method", "printed", "mean", "sd", "difference", "runs", "test samples", "verdict", "reason"},
	}
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
	if v.Ranks != nil {
		all = append(all, v.RanksTable())
	}
	return all
}

// name is a column as the publication calls it.
func (v Verdicts) name(column string) string {
	return cmp.Or(v.names[column], published.MethodName(column))
}

// SummaryTable counts the verdicts by method.
func (v Verdicts) SummaryTable() table.Listing {
	s := v.Summary
	l := table.Listing{Title: "Verdicts by method", Head: append([]string{"method"}, Words()...)}
	for _, points := range distances {
		l.Head = append(l.Head, fmt.Sprintf("within %g", points))
	}
	l.Head = append(l.Head, "difference", "rho")
	line := func(name string, c Counts, rho *float64) {
		fields := []string{name}
		for _, w := range c.Words {
			fields = append(fields, strconv.Itoa(w.Count))
		}
		for _, w := range c.Close.Within {
			fields = append(fields, strconv.Itoa(w.Count))
		}
		l.Rows = append(l.Rows, append(fields, number(c.Close.Mean, text.TwoDecimals), number(rho, text.TwoDecimals)))
	}
	for _, m := range s.Methods {
		line(v.name(m.Method), m.Counts, m.Spearman)
	}
	line("all", s.Counts, nil)
	l.Notes = []string{"Within: numbers whose mean over the runs is at most so many points from the printed value. Difference: mean of the absolute values. " +
		"rho: Spearman's rank correlation over the data sets, of our means with the printed values."}
	return l
}

// ReadingsTable has a line for each method of each reading.
func (v Verdicts) ReadingsTable() table.Listing {
	l := table.Listing{
		Title: "Readings of the protocol, by method", Head: []string{"method", "agree", "difference", "within 1", "within 2", "within 5", "reading"},
		Notes: v.readingsNotes(),
	}
	for _, row := range v.Readings.Rows {
		for i, c := range row.Columns {
			if c.Numbers > 0 {
				l.Rows = append(l.Rows, []string{
					v.name(v.Readings.Methods[i]), c.agree(), number(c.Mean, text.TwoDecimals),
					strconv.Itoa(c.At(1)), strconv.Itoa(c.At(2)), strconv.Itoa(c.At(5)), row.Reading,
				})
			}
		}
	}
	return l
}

// Agreements has a reading in each row and a method in each column, for a page: numbers that
// agree, and mean differences. Settings of single methods are left out.
func (v Verdicts) Agreements() table.Listing {
	l := table.Listing{Title: "Readings of the protocol, by method", Head: []string{"reading"}, Notes: v.readingsNotes()}
	for _, m := range v.Readings.Methods {
		l.Head = append(l.Head, v.name(m))
	}
	for _, row := range v.Readings.Rows {
		if v.ofOneMethod(row.Reading) {
			continue
		}
		line := []string{row.Reading}
		for _, c := range row.Columns {
			if c.Numbers == 0 {
				line = append(line, "-")
			} else {
				line = append(line, c.agree()+" / "+number(c.Mean, text.TwoDecimals))
			}
		}
		l.Rows = append(l.Rows, line)
	}
	return l
}

// agree says how many of the numbers agree.
func (c Count) agree() string { return fmt.Sprintf("%d of %d", c.Agree, c.Numbers) }

func (v Verdicts) readingsNotes() []string {
	notes := []string{"Agree: numbers that agree. Difference: mean absolute difference to print in points. All by the mean over the seeds."}
	if others := v.Readings.Tried - 1; others > 0 {
		notes = append(notes, fmt.Sprintf("%s beside the main one: the nearest of several may be so by chance.", text.Counted(others, "reading")))
	}
	return notes
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
