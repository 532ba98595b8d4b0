package judge

import (
	"r2lmlbench/experiments/plan"
	"r2lmlbench/results"
	"r2lmlbench/results/reproduction"
	"r2lmlbench/results/store"
)

// What the tests of this package, which stand outside it, look into.
var (
	Requests    = requests
	Costs       = costsOf
	Drawings    = drawingsOf
	OwnStudies  = ownStudies
	Find        = find
	InputsOf    = inputsOf
	IsPaper     = isPaper
	MeantFor    = meantFor
	RerunAll    = rerunAll
	Taken       = taken
	CellsOfPlan = cellsOfPlan
)

// Without returns the cells that a column does not ask for.
func Without(a request, cells []results.Inputs) []results.Inputs { return a.without(cells) }

// Absent lists what a plan asks for and a store lacks, without an estimate.
func Absent(s *Session, p plan.Plan, accepted *store.Store) ([]reproduction.Group, error) {
	g := gatherer{session: s, accepted: accepted, files: map[string]bool{}}
	c, err := g.count(p)
	g.absent = c.absent
	return g.groups(), err
}
