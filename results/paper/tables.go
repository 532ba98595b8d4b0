package paper

import (
	"cmp"
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"text/template"

	"r2lmlbench/experiments/published"
	"r2lmlbench/internal/document"
	"r2lmlbench/internal/text"
	"r2lmlbench/stats"
)

// Listing has a line for each verdict.
func (v Verdicts) Listing() document.Table {
	l := document.New("Verdicts on the published numbers",
		"row", "data set", "method", "printed", "mean", "sd", "difference", "runs", "test samples", "verdict", "reason")
	l.Notes = v.Notes()
	for _, n := range v.Verdicts {
		sd := &n.SD
		if n.Runs < 2 {
			sd = nil
		}
		l.Add(n.Letter, n.Dataset, n.Method, n.Published, document.Number(n.Mean, text.TwoDecimals), document.Number(sd, text.TwoDecimals),
			document.Number(n.Difference, text.Signed), fmt.Sprintf("%d of %d", n.Runs, n.Planned), n.Samples, n.Verdict, n.Reason)
	}
	return l
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

// Document has the verdicts, and what is counted of them below.
func (v Verdicts) Document() document.Document {
	all := []document.Table{v.Listing()}
	if v.Summary.Numbers > 0 {
		all = append(all, v.SummaryTable(), v.ReadingsTable())
		if columns := v.Readings.Methods; len(columns) == 1 {
			all = append(all, v.ReadingsOf(columns[0]))
		}
		if v.Ranks != nil {
			all = append(all, v.RanksTable())
		}
	}
	return document.Document{Tables: all, Value: v}
}

// name is a column with verdicts as the publication calls it.
func (v Verdicts) name(column string) string {
	of := slices.IndexFunc(v.Verdicts, func(one Verdict) bool { return one.Method == column })
	return cmp.Or(v.Verdicts[of].Evidence.Published.Name, published.MethodName(column))
}

// SummaryTable counts the verdicts by method.
func (v Verdicts) SummaryTable() document.Table {
	s := v.Summary
	head := append([]string{"method"}, Words()...)
	for _, points := range distances {
		head = append(head, fmt.Sprintf("within %g", points))
	}
	l := document.New("Verdicts by method", append(head, "below", "above", "mean difference", "rank correlation")...)
	line := func(name string, c Counts, rho *float64) {
		fields := []any{name}
		for _, w := range c.Words {
			fields = append(fields, w.Count)
		}
		for _, w := range c.Close.Within {
			fields = append(fields, w.Count)
		}
		l.Add(append(fields, c.Close.Below, c.Close.Above, document.Number(c.Close.Mean, text.TwoDecimals), document.Number(rho, text.TwoDecimals))...)
	}
	for _, m := range s.Methods {
		line(v.name(m.Method), m.Counts, m.Spearman)
	}
	line("all", s.Counts, nil)
	l.Notes = []string{"Within: numbers whose mean over the runs is at most so many points from the printed value. " +
		"Below, above: numbers whose mean is lower or higher than the published one. Mean difference: of the absolute values. " +
		"Rank correlation: Spearman's over the data sets, of our means with the printed values."}
	return l
}

// ReadingsTable has a reading in each row and a method in each column.
func (v Verdicts) ReadingsTable() document.Table {
	r := v.Readings
	head := []string{"reading", ""}
	for _, m := range r.Methods {
		head = append(head, v.name(m))
	}
	l := document.New("Readings of the protocol, by method", head...)
	for _, row := range r.Rows {
		agree, near := []any{row.Reading, "agree / difference"}, []any{"", "within 1, 2, 5"}
		for _, c := range row.Columns {
			if c.Numbers == 0 {
				agree, near = append(agree, "-"), append(near, "")
				continue
			}
			agree = append(agree, fmt.Sprintf("%d of %d / %s", c.Agree, c.Numbers, document.Number(c.Mean, text.TwoDecimals)))
			near = append(near, fmt.Sprintf("%d, %d, %d", c.At(1), c.At(2), c.At(5)))
		}
		l.Add(agree...)
		l.Add(near...)
	}
	l.Notes = []string{"Agree: numbers that agree. Difference: mean absolute difference from the published values in points. All by the mean over the seeds."}
	if others := r.Tried - 1; others > 0 {
		l.Notes = append(l.Notes, fmt.Sprintf("%s beside the main one: the nearest of several may be so by chance.", text.Counted(others, "reading")))
	}
	return l
}

// ReadingsOf has a data set in each row and in each column a reading of the numbers of a
// method, as a mean over the runs with its standard deviation.
func (v Verdicts) ReadingsOf(column string) document.Table {
	head := []string{"data", "printed"}
	for _, row := range v.Readings.Rows {
		at := slices.Index(v.Readings.Methods, column)
		if row.Columns[at].Numbers > 0 {
			head = append(head, row.Reading)
		}
	}
	l := document.New("Readings of "+v.name(column)+", by data set", head...)
	l.Notes = []string{"Means over the runs, with the standard deviation of several. Constant: settings of all runs that were left out of the choice, " +
		"since they answer with one class."}
	for _, one := range ofColumn(v.Verdicts, column) {
		line := append([]any{one.Letter + " " + one.Dataset, one.Published}, slices.Repeat([]any{"-"}, len(head)-2)...)
		for _, r := range v.Readings.Of(one.Dataset, column) {
			at := slices.Index(head, r.Reading)
			if at < 0 || r.Mean == nil {
				continue
			}
			mean := text.TwoDecimals(*r.Mean)
			if r.Runs > 1 {
				mean += " ± " + text.TwoDecimals(r.SD)
			}
			if r.LeftOut > 0 {
				mean += fmt.Sprintf(" (%d constant)", r.LeftOut)
			}
			line[at] = mean
		}
		l.Add(line...)
	}
	return l
}

// Agreements is ReadingsTable with what a page has room for: numbers that agree, and mean
// differences. Settings of single methods are left out.
func (v Verdicts) Agreements() document.Table {
	l := v.ReadingsTable()
	short := document.Table{Title: l.Title, Columns: slices.Delete(slices.Clone(l.Columns), 1, 2), Notes: l.Notes}
	for i := 0; i < len(l.Rows); i += 2 { // the rows between have the numbers within some points
		if !v.ofOneMethod(l.Rows[i][0].Text) {
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
func (v Verdicts) RanksTable() document.Table {
	r := v.Ranks
	l := document.New("Average ranks over the data sets, 1 the best", "method", "printed", "ours")
	for _, m := range r.Methods {
		l.Add(v.name(m.Method), text.TwoDecimals(m.Printed), text.TwoDecimals(m.Ours))
	}
	l.Notes = []string{
		fmt.Sprintf("Of %d of %s, those on which all methods have runs. Ours: ranks of means over the seeds.", r.Sets, text.Counted(r.Of, "data set")),
		fmt.Sprintf("Two methods less than %.2f apart do not differ (Nemenyi's critical difference, level %g).", r.CriticalDifference, level),
		fmt.Sprintf("Friedman's test that all methods rank alike (Iman and Davenport's F): p %s of the published numbers, p %s of ours.",
			stats.SayP(r.PrintedFriedmanP), stats.SayP(r.FriedmanP)),
	}
	return l
}
