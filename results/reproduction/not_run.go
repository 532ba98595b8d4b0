package reproduction

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"r2lmlbench/internal/text"
	"r2lmlbench/results/document"
	"r2lmlbench/results/published"
)

// A Group are the cells of one spec and method that have not been run.
type Group struct {
	Spec   string
	Method string // id of the method
	Of     int    // all cells of both, on every data set
	Sets   []Absence
}

// An Absence are those of one data set.
type Absence struct {
	Dataset string // id
	Cells   int    // absent
	Of      int    // cells of the spec, method and data set

	// Seconds is what the absent cells would take one after the other, from the
	// measured times of accepted cells; 0: nothing to go by.
	Seconds float64
}

// An OpenParameter is one on which the paper's text is silent.
type OpenParameter struct {
	Method, Name string
	Specs        []string // that have other values of it
	Planned      int      // data sets on which these specs have them
	Run          []string // ids of the data sets with runs of other values
	Of           int      // data sets on which it is open
}

// notRun lists what has not been run, with what it would cost.
func notRun(groups []Group, open []OpenParameter, studies []Study) document.Section {
	s := document.Section{Title: notRunTitle}
	absentCells(&s, groups, studies)
	openParameters(&s, open)
	return s
}

// openParameters says which specs have other values of the open parameters, and on which
// data sets these were run.
func openParameters(s *document.Section, open []OpenParameter) {
	if len(open) == 0 {
		return
	}
	var rows [][]string
	for _, o := range open {
		specs, run := strings.Join(o.Specs, ", "), strings.Join(o.Run, ", ")
		if specs == "" {
			specs = "none"
		}
		if len(o.Run) == o.Of {
			run = "all"
		}
		rows = append(rows, []string{published.MethodName(o.Method), o.Name, specs, fmt.Sprintf("%d of %d", o.Planned, o.Of),
			fmt.Sprintf("%d of %d", len(o.Run), o.Of), text.OrDash(run)})
	}
	s.Heading("Parameters on which the text is silent")
	s.Say("The parameters on which the paper's text is silent, the specs that have other values of them, and the data sets on which such values have been run:")
	s.Table(3, []string{"method", "parameter", "spec", "data sets of the spec", "run", "which"}, rows)
}

// absentCells lists the cells that are not there.
func absentCells(s *document.Section, groups []Group, studies []Study) {
	if len(groups) == 0 {
		s.Conclude("Every cell of the specs behind this report has been run.")
		return
	}
	var rows [][]string
	var all Absence
	for _, g := range groups {
		var sum Absence
		var sets []string
		for _, a := range g.Sets {
			sum.Cells += a.Cells
			sum.Seconds += a.Seconds
			sets = append(sets, fmt.Sprintf("%s %d/%d", a.Dataset, a.Cells, a.Of))
		}
		all.Cells += sum.Cells
		all.Seconds += sum.Seconds
		rows = append(rows, []string{g.Spec, g.Method, strings.Join(sets, ", "), fmt.Sprintf("%d of %d", sum.Cells, g.Of), hours(sum.Seconds)})
	}
	s.Gist = document.Textf("Of the cells of these specs, %s absent. Run one after the other, "+
		"they would take %s hours.", text.IsAre(all.Cells), about(groups, all.Seconds))
	s.Say("%s %s computes them.", s.Gist, document.Code("r2lmlbench run SPEC --datasets SET --methods METHOD"))
	s.Say("The estimate is for the machine that ran the others: two virtual cores, busy with other work as well. "+
		"It scales the measured times of accepted cells of the same method by the work that %s counts.", document.Code("r2lmlbench plan --cost"))
	if unmeasured(groups) {
		s.Say("Cells without a measured time are not counted in the hours; methods marked “-” have none at all.")
	}
	s.Table(3, []string{"spec", "method", "absent of each data set", "absent", "hours"}, rows)
	s.Say("What is not known for want of these cells:")
	s.List(plains(consequencesOf(groups, studies))...)
}

// about says how long absent cells would take, a lower bound where some of them have no
// time to go by.
func about(groups []Group, seconds float64) string {
	switch {
	case seconds == 0:
		return "an unknown number of"
	case unmeasured(groups):
		return "at least " + hours(seconds)
	}
	return "about " + hours(seconds)
}

// unmeasured tells whether some of the absent cells have no time to go by.
func unmeasured(groups []Group) bool {
	return slices.ContainsFunc(groups, func(g Group) bool {
		return slices.ContainsFunc(g.Sets, func(a Absence) bool { return a.Cells > 0 && a.Seconds == 0 })
	})
}

// consequence says what is not known for want of the absent cells of a spec. A study of
// them of which no claim rests on anything tells nothing yet.
func consequence(studies []Study, spec string) string {
	i := slices.IndexFunc(studies, func(one Study) bool { return one.Result.Covered().Spec == spec })
	if said, ok := unknowns[spec]; ok && i >= 0 && len(known(studies[i].Result)) == 0 {
		return said + " is not known yet"
	}
	return consequences[spec]
}

// unknowns are what studies would tell.
var unknowns = map[string]string{
	"joint":       "which samples to leave unlabelled while validating",
	"auto":        "how the step from the samples compares with the printed steps",
	"regularized": "what the regularized variant costs or gains",
	"probes":      "how often tests find differences where there is nothing to learn",
}

// consequencesOf says what is not known for want of groups, by spec.
func consequencesOf(groups []Group, studies []Study) []string {
	var all []string
	for _, g := range groups {
		if c := consequence(studies, g.Spec); c != "" {
			all = text.AppendNew(all, g.Spec+": "+c+".")
		}
	}
	return all
}

const notRunTitle = "What has not been run"

// hours writes a time to the hundredth of an hour, from ten hours on to the hour.
func hours(seconds float64) string {
	switch h := seconds / 3600; {
	case h == 0:
		return "-"
	case h < 0.01:
		return "<0.01"
	case h < 10:
		return strconv.FormatFloat(h, 'f', 2, 64)
	default:
		return strconv.FormatFloat(h, 'f', 0, 64)
	}
}
