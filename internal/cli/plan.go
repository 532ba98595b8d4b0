package cli

import (
	"strconv"

	"github.com/spf13/cobra"

	"r2lmlbench/experiments"
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
	cmd := &cobra.Command{
		Use:   "plan SPEC",
		Short: "List the cells of a spec: stored or missing, and why",
		Args:  one("SPEC"),
	}
	load := a.narrowed(cmd)
	cmd.RunE = func(_ *cobra.Command, args []string) error {
		spec, err := load(args[0])
		if err != nil {
			return err
		}
		return a.plan(spec)
	}
	return cmd
}

func (a *app) plan(spec *experiments.Spec) error {
	var cells []plannedCell
	var rows [][]string
	store := a.store()
	for _, row := range experiments.NewPlan(spec, experiments.NewSource(a.data)).Rows {
		for _, jobs := range row.Jobs {
			for _, j := range jobs {
				state, err := experiments.StateOf(store, j)
				if err != nil {
					return err
				}
				c := plannedCell{j.Entry.ID, j.Inputs.Split, j.Column.ID, j.Inputs.Seed, string(state.Status), state.Why, fits(j, state)}
				cells = append(cells, c)
				rows = append(rows, []string{c.Dataset, c.Split, c.Method, strconv.FormatUint(c.Seed, 10), c.Status, strconv.Itoa(c.Fits), c.Why})
			}
		}
	}
	return a.listing([]string{"data set", "split", "method", "seed", "status", "fits", "why"}, rows, struct {
		Schema int           `json:"schema"`
		Spec   string        `json:"spec"`
		Cells  []plannedCell `json:"cells"`
	}{1, spec.Name, cells})
}

// fits counts the fits that a cell still asks for.
func fits(j experiments.Job, s experiments.State) int {
	switch points := len(j.Inputs.Points); {
	case s.Status != experiments.Miss:
		return 0
	case points == 1:
		return 1
	default:
		return points + 1
	}
}
