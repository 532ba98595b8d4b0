package reproduction

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"r2lmlbench/internal/text"
	"r2lmlbench/results/document"
	"r2lmlbench/results/table"
	"r2lmlbench/results/verdict"
)

// page is the report up to its appendices: the answer first.
func page(in Input, sections []document.Section) document.Document {
	return document.Document{Title: "Does it reproduce?", Opening: opening(in), Sections: []document.Section{
		mainFindings(in.Verdicts, sections), paysOnPage(in), ladder(in.Verdicts), shortTable(in), allFindings(sections), shortNotRun(in, sections),
	}}
}

// opening says what came of the printed numbers, what was tested, and how close ours
// are.
func opening(in Input) []document.Block {
	var s document.Section
	for _, sentence := range verdict.Answer(in.Verdicts) {
		s.Say("%s", sentence)
	}
	if in.Strip != nil {
		s.Add(document.Figure{
			ID: "strip", Source: stripFile, Alt: "A square for each printed accuracy, by the verdict on it",
			Caption: document.Textf("A square for each printed accuracy: data sets A to R across, methods down, and the verdict as color and mark."),
		})
	}
	s.Say("The paper is “Reduced-Rank Local Distance Metric Learning for k-NN Classification” (arXiv 1902.08313). "+
		"Its main table has the accuracies and ranks of 8 methods on 18 data sets. This report says what %d accepted cells show about it. "+
		"A cell is the result of one method on one split of a data set with one seed.", in.Cells)
	s.Say("%s writes this page and its appendices. Every number is computed from %s or from the paper's printed tables. "+
		"%s shows all evidence for one printed accuracy; %s lists all of them with their reasons. "+
		"%s for the paper's readers and authors says the same on two pages.",
		document.Code("go run . reproduction -o ."), document.Code("results/accepted"), document.Code("r2lmlbench explain LETTER/METHOD"),
		document.Inline{document.Link{Text: "a table", Target: verdictsFile}}, document.Inline{document.Link{Text: "A note", Target: letterFile}})
	closeness(&s, in)
	return s.Blocks
}

// closeness is a table of how near ours are to the printed values, by method.
func closeness(s *document.Section, in Input) {
	summary := in.Verdicts.Summary
	head := []string{"method"}
	for _, w := range summary.Close.Within {
		head = append(head, fmt.Sprintf("within %g", w.Points))
	}
	head = append(head, "mean difference", "rank correlation")
	var rows [][]string
	line := func(name string, c verdict.Closeness, spearman *float64) {
		row := []string{name}
		for _, w := range c.Within {
			row = append(row, fmt.Sprintf("%d of %d", w.Count, c.Numbers))
		}
		rows = append(rows, append(row, optional(c.Mean), optional(spearman)))
	}
	for _, m := range summary.Methods {
		line(columnName(in.Accuracy.Columns, m.Method), m.Close, m.Spearman)
	}
	line("all", summary.Close, nil)
	s.Say("How close our accuracies are to the printed ones, with seed 1 under the stated protocol. The columns count those within so many points; " +
		"then come the mean absolute difference in points and Spearman's rank correlation over the data sets.")
	s.Table(1, head, rows)
}

// columnName is the printed name of a column.
func columnName(columns []table.Column, id string) string {
	for _, c := range columns {
		if c.ID == id {
			return c.Name
		}
	}
	return id
}

// optional is a number with two decimals, "-" without it.
func optional(x *float64) string {
	if x == nil {
		return "-"
	}
	return text.TwoDecimals(*x)
}

// mainFindings are those that decide how the printed table is to be read, each in
// two sentences with its command.
func mainFindings(v verdict.Verdicts, sections []document.Section) document.Section {
	s := document.Section{Title: "Five findings"}
	var items []document.Inline
	add := func(title, said, command, section string) {
		if said != "" {
			items = append(items, document.Textf("%s. %s %s; %s.", document.Inline{document.Strong(title)}, said, document.Code(command), linkTo(section, "more")))
		}
	}
	if fits := v.Fits.Sentences(); len(fits) > 0 {
		said := fits[:1]
		if v.Fits.Interaction != nil {
			said = append(slices.Clone(said), v.Fits.Interaction.Sentences()[1:]...)
		}
		add("Which choice of parameters gives the columns", strings.Join(said, " "), "r2lmlbench verdict accuracy", protocolsTitle)
	}
	if ranks := v.Counterfactuals.Sentences(); len(ranks) > 1 {
		said := slices.Compact([]string{ranks[0], ranks[1], ranks[len(ranks)-1]})
		add("Who is best when all choose alike", strings.Join(said, " "), "r2lmlbench verdict accuracy", protocolsTitle)
	}
	for _, f := range []struct{ title, section, command string }{
		{"Which splits give the printed Euclidean accuracies", splitRuleTitle, "r2lmlbench run accuracy --methods euclidean"},
		{"Which printed ranks are possible", ranksTitle, "r2lmlbench audit"},
		{"What the algorithm as printed does", collapseTitle, "r2lmlbench run variants"},
	} {
		add(f.title, gistOf(sections, f.section), f.command, f.section)
	}
	s.List(items...)
	return s
}

// linkTo leads to the appendix of a section.
func linkTo(title, label string) document.Inline {
	return document.Inline{document.Link{Text: label, Target: fileOf(document.Section{Title: title})}}
}

// gistOf is what came of a section, nothing when there is no such section.
func gistOf(sections []document.Section, title string) string {
	for _, s := range sections {
		if s.Title == title {
			return s.Gist.String()
		}
	}
	return ""
}

// ladder is the table of the verdicts by method, and what the rungs are.
func ladder(v verdict.Verdicts) document.Section {
	s := document.Section{Title: "The ladder: which protocol gives a printed number"}
	list(&s, 1, v.Summary.Counts())
	s.List(plains(v.Notes())...)
	s.Say("A protocol with more freedom reaches more numbers, wrong ones as well. So decoys are tried on each rung by itself: "+
		"printed values moved by some points (%s).", linkTo(protocolsTitle, "by method"))
	said := append(v.SmallSets(), v.Placebo.Sentences()...)
	if len(v.Placebo.Calibration) > 0 {
		said = append(said, v.Placebo.CalibrationSentence())
	}
	said = append(said, v.Fits.Alternatives()...)
	s.List(plains(said)...)
	return s
}

// addListing adds a listing without its title: the table, then the notes.
func addListing(s *document.Section, l table.Listing) {
	list(s, texts(l), l)
	s.List(plains(l.Notes)...)
}

// signOf is the verdict in a cell of the short table: the number of the rung, or a
// sign.
func signOf(v verdict.Verdict) string {
	sign := map[string]string{verdict.Above: "↑", verdict.Below: "↓", verdict.Between: "~", verdict.Untested: "?"}[v.Word()]
	if v.Rung != nil {
		sign = strconv.Itoa(*v.Rung)
	}
	if v.Wide {
		sign += "w"
	}
	if v.Constant {
		sign += "!"
	}
	return sign
}

// shortTable is the ranked table with a verdict in each cell and without the spread
// over seeds.
func shortTable(in Input) document.Section {
	s := document.Section{Title: "The ranked table"}
	signs := map[[2]string]string{}
	for _, v := range in.Verdicts.Verdicts {
		signs[[2]string{v.Letter, v.Method}] = signOf(v)
	}
	head := []string{"data", "n"}
	for _, c := range in.Accuracy.Columns {
		head = append(head, c.Name)
	}
	head = append(head, "Majority")
	var rows [][]string
	for _, r := range in.Accuracy.Rows {
		row := []string{text.Join(" ", r.Letter, r.Name), strconv.Itoa(r.N)}
		for i, c := range r.Cells {
			row = append(row, shortCell(c, signs[[2]string{r.Letter, in.Accuracy.Columns[i].ID}]))
		}
		rows = append(rows, append(row, majority(r)))
	}
	s.Say("Each cell has our accuracy and rank, the printed ones in parentheses, and the verdict. A number is the rung of the ladder; ↑ is printed above, " +
		"↓ printed below, ~ between and ? untested. w marks runs more than 10 points apart, ! predictions that name one class only.")
	s.Table(1, head, rows)
	s.Say("Majority is the accuracy of naming the most frequent class of the test samples every time. %s has the spread over seeds and all notes; "+
		"%s has the balanced accuracy and the macro-F1 of each cell, and the class that wins ties.",
		linkTo(rankedTitle, "The whole table"), linkTo(classesTitle, "another"))
	return s
}

// majority is the share of the most frequent class in percent, "-" where it is not
// known.
func majority(r table.Row) string {
	if r.Classes == nil {
		return "-"
	}
	return r.Classes.Majority.Accuracy
}

// shortCell is "65.29³ (65.31²) 1".
func shortCell(c table.Cell, sign string) string {
	ours := "-"
	if c.Score != nil {
		ours = c.Score.Accuracy + table.Superscript(c.Score.Rank)
	}
	printed := ""
	if c.Published != "" {
		printed = "(" + c.Published + table.Superscript(c.PublishedRank) + ")"
	}
	return text.Join(" ", ours, printed, sign)
}

// allFindings leads to the appendices, each with what came of it.
func allFindings(sections []document.Section) document.Section {
	s := document.Section{Title: "All findings"}
	var items []document.Inline
	for _, one := range sections {
		if one.Title != notRunTitle {
			items = append(items, document.Textf("%s. %s", linkTo(one.Title, one.Title), one.Gist))
		}
	}
	s.List(items...)
	return s
}

// shortNotRun says by spec what has not been run.
func shortNotRun(in Input, sections []document.Section) document.Section {
	s := document.Section{Title: notRunTitle}
	var specs []string
	lower := map[string]bool{} // specs with cells that have no time to go by
	cells, seconds := map[string]int{}, map[string]float64{}
	methods := map[string][]string{}
	for _, g := range in.Absent {
		specs = text.AppendNew(specs, g.Spec)
		methods[g.Spec] = text.AppendNew(methods[g.Spec], g.Method)
		for _, a := range g.Sets {
			cells[g.Spec] += a.Cells
			seconds[g.Spec] += a.Seconds
			lower[g.Spec] = lower[g.Spec] || a.Seconds == 0
		}
	}
	s.Say("%s %s has the data sets.", gistOf(sections, notRunTitle), linkTo(notRunTitle, "The list"))
	var rows [][]string
	for _, name := range specs {
		took := hours(seconds[name])
		if lower[name] && seconds[name] > 0 {
			took = "at least " + took
		}
		rows = append(rows, []string{name, strings.Join(methods[name], ", "), consequence(in.Studies, name), strconv.Itoa(cells[name]), took})
	}
	if len(rows) > 0 {
		s.Table(3, []string{"spec", "methods", "consequence", "cells", "hours"}, rows)
	}
	return s
}

// consequences say what is not known for want of the cells of a spec.
var consequences = map[string]string{
	"accuracy":     "numbers without a cell are untested",
	"surfaces":     "on these data sets choice on test and ties are not tried, and the comparisons of protocols leave them out",
	"scales":       "the scale of the features is not tried there as an open setting",
	"joint":        "which samples to leave unlabelled while validating is compared on fewer data sets",
	"auto":         "the step from the samples is not compared with the printed one there",
	"regularized":  "what the regularized variant costs or gains is not known there",
	"probes":       "how often tests find differences where there is nothing to learn rests on fewer data sets",
	"seeds":        "ranges rest on fewer seeds and are too narrow",
	"open":         "other open settings are not tried there",
	"splits":       "contrasts on random splits rest on fewer splits or leave these methods out",
	"pays":         "whether local metrics pay rests on fewer methods, data sets or splits",
	"pays-r2lml":   "E-R2LML is not compared there",
	"pays-joint":   "T-R2LML is not compared there",
	"pays-equal":   "what equal numbers of settings change is not known there",
	"pays-rule":    "McNemar's test does not compare these methods there",
	"alternatives": "other readings of the data are not tried there",
}
