package judge

import (
	"context"
	"fmt"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"

	"r2lmlbench/experiments"
	"r2lmlbench/experiments/plan"
	"r2lmlbench/experiments/spec"
	"r2lmlbench/results/published"
	"r2lmlbench/results/store"
	"r2lmlbench/results/verdict"
)

// openSpec is the spec whose columns read the paper's protocol otherwise.
const openSpec = "open"

// verdicts judges the published numbers of a plan by the plan's own cells in store, all
// seeds of them. Columns that are not comparable with a published number are excluded,
// and so is a second column of the same method: a number is judged once. A spec with
// another k than the paper's is refused. Other readings are those of open, and the choice
// on the test samples where cells have surfaces.
func verdicts(p plan.Plan, open *plan.Plan, store *store.Store, paper PaperColumns) (verdict.Verdicts, error) {
	if !p.Spec.AnyNeighbors(plan.PaperNeighbors) {
		return verdict.Verdicts{}, fmt.Errorf("verdict: the published numbers are of %d neighbors, %s has %s", plan.PaperNeighbors, p.Spec.Name, p.Spec.Neighbors)
	}
	numbers, left := numbersOf(p, paper)
	main, onTest, err := gather(numbers, store)
	if err != nil {
		return verdict.Verdicts{}, err
	}
	others := []verdict.Reading{{Text: verdict.ChoiceOnTest, Evidence: onTest}}
	if open != nil {
		more, err := readings(*open, main, store)
		if err != nil {
			return verdict.Verdicts{}, err
		}
		others = append(others, more...)
	}
	v, err := verdict.Judge(p.Spec.Name, main, others...)
	v.Excluded = left
	return v, err
}

// A judged is a published number with the jobs of the column that is judged, seed by seed.
type judged struct {
	evidence verdict.Evidence // without runs
	jobs     []plan.Job
}

func newJudged(number published.Number, column string, jobs []plan.Job) judged {
	return judged{verdict.Evidence{Published: number, Column: column, Samples: jobs[0].Entry.TestSize(), Planned: len(jobs)}, jobs}
}

// paperRow tells whether a row is a data set of the paper on its split.
func paperRow(row plan.Row) bool {
	return row.Repeat <= 1 && plan.OfPaper(row.Rule) && !row.Entry.Generated() && !row.Entry.Own() && !spec.Imported(row.Entry)
}

// numbersOf lists the published numbers that columns of the plan are comparable with, and
// the other columns.
func numbersOf(p plan.Plan, paper PaperColumns) ([]judged, []verdict.Excluded) {
	var all []judged
	var others excluded
	for _, row := range p.Rows {
		if !paperRow(row) {
			continue
		}
		first := map[string]string{} // column by method
		for i, c := range p.Spec.Columns {
			number, ok := published.Lookup(row.Entry.Letter, c.Method.ID)
			if !ok {
				continue
			}
			if why := paper.unlike(&c, row.Entry.ID); why != "" {
				others.add(c.ID, row.Entry.Letter, why)
				continue
			}
			if known, ok := first[c.Method.ID]; ok {
				others.add(c.ID, row.Entry.Letter, "judges it with the column "+known)
				continue
			}
			first[c.Method.ID] = c.ID
			all = append(all, newJudged(number, c.ID, row.Jobs[i]))
		}
	}
	return all, others
}

// gather reads the cells of numbers, on all processors: the runs of each, and those with
// the best setting on the test samples of the numbers whose columns have a grid.
func gather(numbers []judged, store *store.Store) (main, onTest []verdict.Evidence, err error) {
	main, best := make([]verdict.Evidence, len(numbers)), make([]verdict.Evidence, len(numbers))
	var group errgroup.Group
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i, n := range numbers {
		group.Go(func() (err error) {
			main[i], best[i], err = n.runs(store)
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return nil, nil, err
	}
	for i, n := range numbers {
		if len(n.jobs[0].Inputs.Points) > 1 {
			onTest = append(onTest, best[i])
		}
	}
	return main, onTest, nil
}

// runs are those of the cells that are stored. Only cells with surfaces know the best
// setting on the test samples.
func (n judged) runs(store *store.Store) (main, onTest verdict.Evidence, err error) {
	main, onTest = n.evidence, n.evidence
	for _, j := range n.jobs {
		c, ok, err := store.Find(j.Inputs)
		if err != nil {
			return main, onTest, err
		}
		if !ok || c.Failure != "" {
			continue
		}
		main.Runs = append(main.Runs, verdict.Run{Inputs: c.Inputs, Point: c.Chosen, Correct: c.Correct(), N: len(c.Truth)})
		if c.Surface != nil {
			most := slices.Max(c.Surface.Correct)
			onTest.Runs = append(onTest.Runs, verdict.Run{Inputs: c.Inputs, Point: slices.Index(c.Surface.Correct, most), Correct: most, N: len(c.Truth)})
		}
	}
	return main, onTest, nil
}

// readings are those that columns of a plan name, for the numbers of the main reading.
func readings(open plan.Plan, main []verdict.Evidence, store *store.Store) ([]verdict.Reading, error) {
	columns := map[published.Number]string{}
	for _, e := range main {
		columns[e.Published] = e.Column
	}
	var numbers []judged
	var texts []string
	for i, c := range open.Spec.Columns {
		if c.Reading == "" {
			continue
		}
		for _, row := range open.Rows {
			number, ok := published.Lookup(row.Entry.Letter, c.Method.ID)
			if column := columns[number]; ok && column != "" && paperRow(row) {
				numbers, texts = append(numbers, newJudged(number, column, row.Jobs[i])), append(texts, c.Reading)
			}
		}
	}
	found, _, err := gather(numbers, store)
	return verdict.Join(texts, found), err
}

// Verdicts judges the published numbers of a plan, see package verdict. Those of the
// paper's table are read otherwise, too.
func (s *Session) Verdicts(ctx context.Context, p plan.Plan, cells *store.Store) (verdict.Verdicts, error) {
	at := s.view(p, cells)
	if known, ok := s.verdicts[at]; ok {
		return known, nil
	}
	columns, err := s.Spec(experiments.Paper)
	if err != nil {
		return verdict.Verdicts{}, err
	}
	var open *plan.Plan
	switch paper, err := isPaper(ctx, s, p); {
	case err != nil:
		return verdict.Verdicts{}, err
	case paper:
		of, err := s.planByCatalogue(ctx, openSpec)
		if err != nil {
			return verdict.Verdicts{}, err
		}
		open = &of
	}
	v, err := verdicts(p, open, at.store, newPaperColumns(columns))
	if err == nil {
		s.verdicts[at] = v
	}
	return v, err
}
