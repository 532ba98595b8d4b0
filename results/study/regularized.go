package study

import (
	"strconv"

	"r2lmlbench/r2lml"
	"r2lmlbench/results"
	"r2lmlbench/results/diagnosis"
	"r2lmlbench/results/published"
	"r2lmlbench/results/table"
)

// The ids of the columns of spec regularized: those of the variant have the weight
// behind them.
const (
	referenceSuffix   = "-reference"
	regularizedPrefix = "-regularized:regularization="
)

// RegularizedWeights are those of spec regularized.
var RegularizedWeights = []string{"0.01", "0.1", "1"}

// RegularizedRuns compares the variant regularized with the reference.
type RegularizedRuns struct {
	Coverage
	Rows []RegularizedRow // by method, then by data set
}

// A RegularizedRow is a method on one data set.
type RegularizedRow struct {
	Set       Set
	Method    string // id
	Reference RegularizedHealth
	Weights   []RegularizedColumn // as RegularizedWeights
}

// A RegularizedColumn is the variant with one weight.
type RegularizedColumn struct {
	Against // the reference
	Health  RegularizedHealth
}

// RegularizedHealth counts what could be wrong with fits.
type RegularizedHealth struct {
	Fits, Constant   int         // of chosen settings; those that give one label to all samples
	Vertices         VertexRange // of those with several metrics
	Undone           Total       // runs of block 1 that were put back
	Points, Diverged int         // of the grids
}

// ReadRegularized reads the cells of spec regularized.
func ReadRegularized(in Input) (RegularizedRuns, error) {
	s := RegularizedRuns{Coverage: coverageOf(in.Table)}
	for _, method := range []string{Efficient, Transductive} {
		for i, r := range in.Table.Rows {
			reference := in.column(i, method+referenceSuffix)
			row := RegularizedRow{Set: setOf(r), Method: method, Reference: healthOf(reference)}
			for _, weight := range RegularizedWeights {
				cells := in.column(i, method+regularizedPrefix+weight)
				row.Weights = append(row.Weights, RegularizedColumn{against(reference, cells), healthOf(cells)})
			}
			s.Rows = append(s.Rows, row)
		}
	}
	return s, nil
}

func healthOf(cells []results.Cell) RegularizedHealth {
	var h RegularizedHealth
	for _, c := range cells {
		diverged, points := diagnosis.Diverged(c)
		h.Fits, h.Constant = h.Fits+1, h.Constant+one(c.Constant())
		h.Points, h.Diverged = h.Points+points, h.Diverged+diverged
		h.Undone.add(factIn(c, r2lml.UndoneFact))
		if f := factIn(c, r2lml.VerticesFact); f.Of > 0 {
			h.Vertices.add(&f)
		}
	}
	return h
}

// Claims count by method and weight the data sets on which the variant is no worse,
// and say of all its fits what could be wrong.
func (s RegularizedRuns) Claims() []Claim {
	var claims []Claim
	var all RegularizedHealth
	for _, method := range []string{Efficient, Transductive} {
		for i, weight := range RegularizedWeights {
			var against []Against
			for _, r := range s.Rows {
				if r.Method == method {
					against = append(against, r.Weights[i].Against)
					all = all.and(r.Weights[i].Health)
				}
			}
			claims = append(claims, atLeast("regularized-"+method+"-"+weight,
				published.MethodName(method)+" regularized with weight "+weight+" is at least as accurate as the reference", against))
		}
	}
	return append(claims,
		counted("regularized-vertices", "largest share of coefficients at vertices in fits of the regularized variant",
			all.Vertices.High.Count, all.Vertices.High.Of),
		counted("regularized-constant", "fits of the regularized variant that give one label to all test samples", all.Constant, all.Fits),
		counted("regularized-undone", "runs of block 1 that raised the objective, or diverged, and were put back", all.Undone.Count, all.Undone.Of),
		counted("regularized-diverged", "points of the grids at which the regularized variant diverged beyond what putting back mends", all.Diverged, all.Points))
}

// and adds the counts of other fits.
func (h RegularizedHealth) and(other RegularizedHealth) RegularizedHealth {
	h.Fits, h.Constant = h.Fits+other.Fits, h.Constant+other.Constant
	h.Points, h.Diverged = h.Points+other.Points, h.Diverged+other.Diverged
	h.Undone.Count, h.Undone.Of = h.Undone.Count+other.Undone.Count, h.Undone.Of+other.Undone.Of
	if other.Vertices.Fits > 0 {
		h.Vertices.add(&other.Vertices.Low)
		h.Vertices.add(&other.Vertices.High)
	}
	return h
}

// Listings are the data sets of each method, and the differences over them.
func (s RegularizedRuns) Listings() []table.Listing {
	var listings []table.Listing
	over := overSets("weight")
	for _, method := range []string{Efficient, Transductive} {
		l := table.Listing{
			Title: published.MethodName(method) + ", reference and regularized",
			Head: []string{
				"data", "weight", "seeds", "reference", "regularized", "difference", "at vertices, reference", "at vertices", "one label, reference", "one label",
				"put back",
			},
			Notes: []string{"Accuracies are means over the seeds that both have, in percent. Coefficients at vertices are the largest share of a fit, in percent. " +
				"One label counts fits that give it to all test samples, put back the runs of block 1 that were undone."},
		}
		for i, weight := range RegularizedWeights {
			var differences []float64
			for _, r := range s.Rows {
				if r.Method == method {
					differences = append(differences, r.Weights[i].Difference())
				}
			}
			over.addDifferences(method, weight, differences)
		}
		var absent []Set
		for _, r := range s.Rows {
			if r.Method != method {
				continue
			}
			seeds := 0
			for i, weight := range RegularizedWeights {
				w := r.Weights[i]
				if seeds += w.Seeds; w.Seeds == 0 {
					continue
				}
				l.Rows = append(l.Rows, []string{
					r.Set.Name, weight, strconv.Itoa(w.Seeds), decimals(w.Base, 2), decimals(w.Other, 2), signed(w.Difference()),
					share(r.Reference.Vertices.highest()), share(w.Health.Vertices.highest()),
					ratio(known(r.Reference.Constant, r.Reference.Fits)), ratio(known(w.Health.Constant, w.Health.Fits)),
					ratio(known(w.Health.Undone.Count, w.Health.Undone.Of)),
				})
			}
			if seeds == 0 {
				absent = append(absent, r.Set)
			}
		}
		l.Notes = append(l.Notes, notRun(absent)...)
		listings = append(listings, l)
	}
	return append(listings, over.corrected())
}

// highest is the largest share, nil without a fit.
func (v VertexRange) highest() *results.Fact {
	if v.Fits == 0 {
		return nil
	}
	return &v.High
}
