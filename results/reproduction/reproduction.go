// Package reproduction makes the reproduction report: what the stored cells say
// about the paper. It has the ranked table beside the published one, a verdict on
// every published number, what the studies found, and what has not been run.
//
// Sections turn results into blocks of package document; the studies of package
// study have read the cells. A study that has no section of its own here is shown
// by its claims and tables.
package reproduction

import (
	"r2lmlbench/results/document"
	"r2lmlbench/results/published"
	"r2lmlbench/results/study"
	"r2lmlbench/results/table"
	"r2lmlbench/results/verdict"
)

// An Input is all that the report rests on.
type Input struct {
	Accuracy table.Table // of spec accuracy
	Verdicts verdict.Verdicts
	Audit    []published.Finding
	Across   study.Across
	Studies  []Study // in the order of the report

	Cells  int     // stored cells that the report was made from
	Absent []Group // what has not been run
}

// A Study is a study with what its cells say.
type Study struct {
	ID, Title string
	Result    study.Result
}

// Study is the result of the study with this id, nil without it.
func (in Input) Study(id string) study.Result {
	for _, s := range in.Studies {
		if s.ID == id {
			return s.Result
		}
	}
	return nil
}

// New makes the report. Equal input gives an equal report.
func New(in Input) (document.Document, error) {
	ranked, err := ranking(in.Accuracy)
	if err != nil {
		return document.Document{}, err
	}
	sections := append([]document.Section{ranked, verdicts(in.Verdicts), byMethod(in.Verdicts, in.Accuracy.Columns)}, Findings(in)...)
	return document.Document{Title: "Reproduction", Opening: append(opening(in), contents(sections)...), Sections: sections}, nil
}

// Findings are the sections behind the table and its verdicts.
func Findings(in Input) []document.Section {
	all := []document.Section{across(in.Across), splitRule(in.Verdicts), unreachable(in.Audit), impossibleRanks(in.Audit), statements(in.Audit)}
	for _, s := range in.Studies {
		all = append(all, Section(s))
	}
	return append(all, notRun(in.Absent))
}

// Section is what the report says about a study.
func Section(s Study) document.Section {
	switch r := s.Result.(type) {
	case study.Collapse:
		return collapse(r)
	case study.Steps:
		return steps(r)
	case study.Metrics:
		return metrics(r)
	case study.Lambda:
		return lambda(r)
	case study.Triangle:
		return triangle(r)
	case study.Toy:
		return toy(r)
	case study.Convergence:
		return convergence(r)
	case study.Alternatives:
		return alternatives(r)
	}
	return anyStudy(s)
}

func opening(in Input) []document.Block {
	var s document.Section
	s.Say("This report says what %d accepted cells show about “Reduced-Rank Local Distance Metric Learning for k-NN Classification” (arXiv 1902.08313). "+
		"A cell is the result of one method on one split of a data set with one seed. The report is written by", in.Cells)
	s.Add(document.Listing{Text: "go run . reproduction > REPRODUCTION.md"})
	s.Say("Every number in it is computed from %s or from the paper's printed tables.", document.Code("results/accepted"))
	s.List(
		document.Textf("The paper prints %d accuracies.", in.Verdicts.Summary.Numbers),
		document.Textf("%s shows all evidence for one printed accuracy.", document.Code("r2lmlbench explain LETTER/METHOD")),
	)
	return s.Blocks
}

// contents links to the sections.
func contents(sections []document.Section) []document.Block {
	var links document.List
	for _, s := range sections {
		links = append(links, document.Inline{document.Link{Text: s.Title, Target: "#" + document.Anchor(s.Title)}})
	}
	return []document.Block{document.Paragraph{Text: document.Plain("Sections:")}, links}
}

// ranking is the ranked table beside the published one.
func ranking(t table.Table) (document.Section, error) {
	s := document.Section{Title: "The ranked table beside the published one"}
	s.Say("%s computes this table. %s prints it from the accepted cells.",
		document.Code("r2lmlbench run accuracy"), document.Code("r2lmlbench table accuracy --results results/accepted"))
	blocks, err := t.Blocks()
	s.Add(blocks...)
	return s, err
}
