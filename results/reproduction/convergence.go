package reproduction

import (
	"fmt"
	"strings"

	"r2lmlbench/internal/text"
	"r2lmlbench/results/document"
	"r2lmlbench/results/published"
	"r2lmlbench/results/study"
)

// convergence is the section on the objective over the iterations.
func convergence(c study.Convergence) document.Section {
	s := document.Section{Title: "Convergence"}
	s.Say("Theorem 1 of the paper bounds the best objective after T iterations of block 1 by a + b/√T. "+
		"Theorem 2 says that the algorithm gives a non-increasing sequence of objectives. "+
		"%s follows the objective of the plain solver, with and without momentum in block 1. It begins at the authors' start, "+
		"as the start 0 of Theorem 1 is a stationary point.", run(c.Coverage))
	if absent(&s, c.Coverage) {
		return s
	}
	list(&s, 4, c.Listings()[0])
	s.Say("The first two numbers are the objective at the start and its lowest value over all iterations. a, " +
		"b and R² are of the curve a + b/√T fitted to the lowest value so far. " +
		"The last four count the iterations of block 1, and whole runs of each block, that raised the objective by more than a relative 1e-12. " +
		"Every iteration of all epochs counts.")
	theorems(&s, c)
	return s
}

// theorems says where the two theorems hold. Theorem 2 speaks of the algorithm
// as published, which has no momentum.
func theorems(s *document.Section, c study.Convergence) {
	rates := c.Rates()
	if rates.Runs.Of == 0 {
		s.Conclude("No run of the solver is known.")
		return
	}
	published := c.Falling(study.Published)
	s.Gist = document.Textf("By Theorem 2, no block ever raises the objective. %s", rises(published))
	s.Say("By Theorem 2, no block ever raises the objective.")
	var items []document.Inline
	for _, f := range []study.Falling{published, c.Falling(study.Reference)} {
		item := rises(f)
		if f.Runs.Of > 0 {
			b := f.Blocks
			item = document.Textf("%s Block 1 raised it in %d of %d, block 2 in %d of %d and block 3 in %d of "+
				"%d.", item, b[0].Count, b[0].Of, b[1].Count, b[1].Of, b[2].Count, b[2].Of)
		}
		items = append(items, item)
	}
	s.List(items...)
	s.Say("Where the objective rises, by method, variant and momentum:")
	s.List(eachGroup(c, fallingOn)...)
	s.Say("The curve a + b/√T describes the lowest objective so far with R² of %g or more in %d of %s. It does so in %s of the single runs of block 1, "+
		"of which Theorem 1 speaks. "+
		"This does not contradict the theorem: below its bound the curve may have another "+
		"form.", study.FitQuality, rates.Runs.Count, text.Counted(rates.Runs.Of, "run"), total(rates.Single))
	s.Say("Where the curve describes whole runs:")
	s.List(eachGroup(c, describedOn)...)
}

// rises counts the runs of one variant without a rise.
func rises(f study.Falling) document.Inline {
	if f.Runs.Of == 0 {
		return document.Textf("No run of the %s variant is known.", f.Variant)
	}
	return document.Textf("In the %s variant no block raised it in %d of %s, and in %d of %d of those without "+
		"momentum.", f.Variant, f.Runs.Count, text.Counted(f.Runs.Of, "run"), f.Plain.Count, f.Plain.Of)
}

// eachGroup has an item for every column and mode.
func eachGroup(c study.Convergence, of func(study.DescentGroup) string) []document.Inline {
	var all []document.Inline
	for _, g := range c.Groups() {
		all = append(all, document.Textf("%s, %s, %s: %s.", published.MethodName(g.Method), text.OrDash(g.Variant), g.Mode, of(g)))
	}
	return all
}

// fallingOn says on which data sets no block raised the objective.
func fallingOn(g study.DescentGroup) string {
	var yes, no, unknown []string
	for _, d := range g.Descents {
		var raised []string
		for _, block := range d.Rising() {
			raised = append(raised, fmt.Sprintf("block %d in %s runs", block, ratio(d.Blocks[block-1])))
		}
		switch {
		case !d.Known():
			unknown = append(unknown, d.Set.Name)
		case len(raised) == 0:
			yes = append(yes, d.Set.Name)
		default:
			no = append(no, d.Set.Name+" ("+text.Series(raised)+")")
		}
	}
	return clauses("never rises on", yes, "rises on", no, unknown)
}

// describedOn says on which data sets the fitted curve describes the run.
func describedOn(g study.DescentGroup) string {
	var yes, no, unknown []string
	for _, d := range g.Descents {
		switch {
		case !d.Known():
			unknown = append(unknown, d.Set.Name)
		case d.Described():
			yes = append(yes, d.Set.Name)
		default:
			no = append(no, d.Set.Name+" (R² = "+number(d.Rate.R2, 'g', 4)+")")
		}
	}
	return clauses("described on", yes, "not described on", no, unknown)
}

// clauses says what is so on some data sets and not on others.
func clauses(isSo string, yes []string, isNot string, no, unknown []string) string {
	var parts []string
	for _, c := range []struct {
		so    string
		names []string
	}{{isSo, yes}, {isNot, no}, {"not known on", unknown}} {
		if len(c.names) > 0 {
			parts = append(parts, c.so+" "+text.Series(c.names))
		}
	}
	return strings.Join(parts, "; ")
}
