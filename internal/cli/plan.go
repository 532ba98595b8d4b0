package cli

import (
	"context"
	"maps"
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"r2lmlbench/experiments/plan"
	"r2lmlbench/internal/memlimit"
	"r2lmlbench/internal/text"
	"r2lmlbench/results/store"
)

// plannedCell is a line of `plan --format json`.
type plannedCell struct {
	Dataset string `json:"dataset"`
	Split   string `json:"split"`
	Method  string `json:"method"`
	Seed    uint64 `json:"seed"`
	Status  string `json:"status"`
	Why     string `json:"why,omitempty"`
	Fits    int    `json:"fits"` // still to be made: the grid and the final one
}

func (a *app) planCommand() *cobra.Command {
	var cost bool
	cmd := a.specCommand("plan", "List the cells of a spec: stored or missing, and why",
		func(ctx context.Context, p plan.Plan) error {
			if cost {
				return a.cost(ctx, p)
			}
			return a.p(p)
		})
	cmd.Long = cmd.Short + ".\n\n" + costHelp
	cmd.Example = `  r2lmlbench plan quick
  r2lmlbench plan accuracy --methods itml,e-r2lml
  r2lmlbench plan quick --cost`
	a.withFormat(cmd, listedFormats...)
	cmd.Flags().BoolVar(&cost, "cost", false, "estimate what the missing cells cost, after a calibration of some seconds")
	return cmd
}

func (a *app) p(p plan.Plan) error {
	cells := []plannedCell{}
	var rows [][]string
	s, known := a.store().Snapshot(), known{}
	for _, row := range p.Rows {
		for _, jobs := range row.Jobs {
			for _, j := range jobs {
				c, err := lookUp(s, j, true, &known)
				if err != nil {
					return err
				}
				cells = append(cells, c)
				rows = append(rows, []string{c.Dataset, c.Split, c.Method, strconv.FormatUint(c.Seed, 10), c.Status, strconv.Itoa(c.Fits), c.Why})
			}
		}
	}
	a.tellOthers(p, known)
	a.tellShortages(p)
	return a.listing([]string{"data set", "split", "method", "seed", "status", "fits", "why"}, rows, struct {
		Schema int           `json:"schema"`
		Spec   string        `json:"spec"`
		Cells  []plannedCell `json:"cells"`
	}{1, p.Spec.Name, cells})
}

// tellShortages remarks on methods and data sets that the machine's memory is too little for.
func (a *app) tellShortages(p plan.Plan) {
	short := p.Shortages(a.source(), memlimit.Machine())
	for _, name := range slices.Sorted(maps.Keys(short)) {
		a.remark("warning: %s: %v", name, short[name])
	}
}

// known counts the stored cells of a plan.
type known struct {
	cells  int
	others int // that another or an unknown build computed, or a part of them
	// Bundles are those of missing cells so far: the next cell of one shares its fits.
	bundles map[string]int // the k of the first one
}

// tellOthers remarks on stored cells that a gate refuses.
func (a *app) tellOthers(p plan.Plan, k known) {
	if k.others > 0 && a.store().FS == nil {
		a.remark("%s: gate refuses %d of %s: another or an unknown build of the program computed them; run --fresh recomputes them",
			p.Spec.Name, k.others, text.Counted(k.cells, "stored cell"))
	}
}

// lookUp looks a job up in the store, with the reason of a miss if that is wanted, and
// counts it if it is stored.
func lookUp(s *store.Store, j plan.Job, why bool, k *known) (plannedCell, error) {
	state, c, err := plan.Look(s, j)
	switch {
	case err != nil:
	case state.Status == plan.Hit:
		k.cells++
		if len(s.OtherBuilds(c)) > 0 {
			k.others++
		}
	case state.Status == plan.Miss && why:
		state.Why, err = plan.WhyMissing(s, j)
	}
	return plannedCell{j.Entry.ID, j.Inputs.Split, j.Column.ID, j.Inputs.Seed, string(state.Status), state.Why, k.fits(j, state)}, err
}

// fits counts the fits that a cell still asks for, besides those that it shares with
// one before it. It may choose another point than that one.
func (k *known) fits(j plan.Job, s plan.State) int {
	shared := s.Status == plan.Miss && k.shares(j)
	distinct := len(j.Distinct()) * j.Column.Restarts
	switch {
	case s.Status != plan.Miss:
		return 0
	case len(j.Inputs.Points) == 1:
		if shared {
			return 0
		}
		return 1
	case shared:
		return 1 // the chosen point, for the test samples
	case j.Joint():
		return distinct // each serves validation and test
	case j.Inputs.Folds > 0:
		distinct *= j.Inputs.Folds
	}
	if j.Surface() {
		return distinct + len(j.Distinct())*j.Column.Restarts
	}
	return distinct + 1
}

// shares tells whether a missing cell has the fits of one before it, which differs in k
// alone.
func (k *known) shares(j plan.Job) bool {
	if !j.Column.Method.Ruled() {
		return false
	}
	if k.bundles == nil {
		k.bundles = map[string]int{}
	}
	bundle := j.Bundle()
	first, ok := k.bundles[bundle]
	if !ok {
		k.bundles[bundle] = j.Inputs.Neighbors
	}
	return ok && first != j.Inputs.Neighbors
}
