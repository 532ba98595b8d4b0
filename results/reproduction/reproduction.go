// Package reproduction makes the reproduction report: what the stored cells say
// about the paper. Its page has the answer, the ladder of protocols, the ranked table
// beside the published one, and what the studies found in a sentence or two each;
// the long tables are appendices, files of their own to which the page links.
//
// Sections turn results into blocks of package document; the studies of package
// study have read the cells. A study that has no section of its own here is shown
// by its claims and tables.
package reproduction

import (
	"strings"

	"r2lmlbench/results/audit"
	"r2lmlbench/results/document"
	"r2lmlbench/results/study"
	"r2lmlbench/results/table"
	"r2lmlbench/results/verdict"
)

// An Input is all that the report rests on.
type Input struct {
	Accuracy table.Table // of the spec of the paper's table
	Verdicts verdict.Verdicts
	Audit    []audit.Finding
	Across   study.Across
	Studies  []Study   // in the order of the report
	Drawings []Drawing // of the page
	Strip    []byte    // SVG with a square for each printed number; nil without one

	Cells  int     // stored cells that the report was made from
	Absent []Group // what has not been run
	Open   []OpenParameter
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

// A Report is the page and the files to which it links.
type Report struct {
	Page  document.Document
	Files []File
}

// A File is an appendix.
type File struct {
	Name string // path from the page, with slashes
	Data []byte
}

// Names of the page and of the folder of its appendices, beside it.
const (
	PageName = "REPRODUCTION.md"
	Folder   = "reproduction"
)

// New makes the report. Equal input gives an equal report.
func New(in Input) (Report, error) {
	ranked, err := ranking(in.Accuracy)
	if err != nil {
		return Report{}, err
	}
	csv, err := verdictsCSV(in.Verdicts)
	if err != nil {
		return Report{}, err
	}
	sections := append([]document.Section{ranked, classes(in.Accuracy), protocols(in.Verdicts)}, Findings(in)...)
	r := Report{Files: []File{{verdictsFile, csv}}}
	for _, s := range sections {
		d := document.Document{Title: s.Title, Opening: append(backlink(), s.Blocks...)}
		r.Files = append(r.Files, File{fileOf(s), []byte(d.Markdown())})
	}
	pays, err := paysFiles(in)
	if err != nil {
		return Report{}, err
	}
	r.Files = append(r.Files, pays...)
	note := letter(in, sections)
	r.Files = append(r.Files, File{letterFile, []byte(note.Markdown())})
	if in.Strip != nil {
		r.Files = append(r.Files, File{stripFile, in.Strip})
	}
	r.Page = page(in, sections)
	return r, nil
}

// stripFile shows the verdicts on all printed numbers at a glance.
const stripFile = "docs/strip.svg"

// fileOf is the appendix of a section.
func fileOf(s document.Section) string {
	return Folder + "/" + strings.ReplaceAll(document.Anchor(s.Title), "λ", "lambda") + ".md"
}

// backlink leads from an appendix to the page.
func backlink() []document.Block {
	return []document.Block{document.Paragraph{Text: document.Inline{
		document.Text("Part of the "), document.Link{Text: "reproduction report", Target: "../" + PageName}, document.Text("."),
	}}}
}

// Findings are the sections behind the table and its verdicts.
func Findings(in Input) []document.Section {
	all := []document.Section{across(in.Across), splitRule(in.Verdicts), unreachable(in.Audit), impossibleRanks(in.Audit), statements(in.Audit)}
	for _, s := range in.Studies {
		section := Section(s)
		if s.ID == paysID && in.Study(study.ContextName) != nil {
			section.Say("%s reach on these splits is a table of its own.", document.Inline{document.Text("What "), document.Link{
				Text: "other classifiers", Target: strings.TrimPrefix(fileOf(document.Section{Title: study.ContextTitle}), Folder+"/")}})
		}
		all = append(all, section)
	}
	return append(all, notRun(in.Absent, in.Open, in.Studies))
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
	case study.Pays:
		return pays(r)
	}
	return anyStudy(s)
}

// ranking is the ranked table beside the published one.
func ranking(t table.Table) (document.Section, error) {
	s := document.Section{Title: rankedTitle}
	s.Say("%s computes this table. %s prints it from the accepted cells.",
		document.Code("r2lmlbench run accuracy"), document.Code("r2lmlbench table accuracy --results results/accepted"))
	blocks, err := t.Blocks()
	s.Add(blocks...)
	return s, err
}

const rankedTitle = "The ranked table beside the published one"
