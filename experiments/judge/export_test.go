package judge

import (
	"r2lmlbench/experiments/plan"
	"r2lmlbench/results/pages"
	"r2lmlbench/results/store"
)

// What the tests of this package, which stand outside it, look into.
var (
	Costs      = costsOf
	Drawings   = drawingsOf
	OwnStudies = ownStudies
	Find       = find
	IsPaper    = isPaper
	MeantFor   = meantFor
	Readings   = readings
	Taken      = taken
)

// AddContrasts is addContrasts.
func (s *Session) AddContrasts(p plan.Plan, cells *store.Store, facts pages.Facts) error {
	return s.addContrasts(p, cells, facts)
}
