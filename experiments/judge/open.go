package judge

import (
	"maps"
	"slices"

	"r2lmlbench/datasets"
	"r2lmlbench/experiments/spec"
	"r2lmlbench/internal/text"
	"r2lmlbench/results"
	"r2lmlbench/results/reproduction"
	"r2lmlbench/results/verdict"
)

// openParameters lists the parameters on which the paper's text is silent, with the
// specs and the runs that have other values of them.
func (g *gatherer) openParameters(paper *spec.Spec, evidence []verdict.Evidence) []reproduction.OpenParameter {
	var all []reproduction.OpenParameter
	for _, c := range paper.Columns {
		for _, o := range c.Method.Open {
			for _, name := range o.Parameters {
				all = append(all, g.openParameter(c, name, paper.Entries, evidence))
			}
		}
	}
	return all
}

func (g *gatherer) openParameter(c spec.Column, name string, entries []datasets.Entry, evidence []verdict.Evidence) reproduction.OpenParameter {
	one := reproduction.OpenParameter{Method: c.Method.ID, Name: name}
	for _, e := range entries {
		if !slices.Contains(c.Method.OpenParameters(e), name) {
			continue
		}
		one.Of++
		specs := g.specsThatVary(c, name, e.ID)
		if len(specs) > 0 {
			one.Planned++
		}
		for _, known := range specs {
			one.Specs = text.AppendNew(one.Specs, known)
		}
	}
	for _, e := range evidence {
		if e.Column == c.ID && slices.ContainsFunc(e.Protocols, func(p verdict.Protocol) bool { return slices.Contains(p.OpenParameters(), name) }) {
			one.Run = append(one.Run, e.Published.Dataset)
		}
	}
	return one
}

// specsThatVary are the specs that have, on a data set, another value of a parameter
// than a column of the paper's table.
func (g *gatherer) specsThatVary(c spec.Column, name, dataset string) []string {
	points := c.Points(dataset)
	varies := func(other spec.Column) bool {
		return other.Method.ID == c.Method.ID && (name == verdict.UnlabeledParameter && other.Unlabeled != "" ||
			slices.ContainsFunc(other.Points(dataset), func(p results.Point) bool { return p.Params[name] != points[0].Params[name] }))
	}
	var all []string
	for _, known := range slices.Sorted(maps.Keys(g.specs)) {
		s := g.specs[known]
		if slices.ContainsFunc(s.Entries, func(e datasets.Entry) bool { return e.ID == dataset }) && slices.ContainsFunc(s.Columns, varies) {
			all = append(all, known)
		}
	}
	return all
}
