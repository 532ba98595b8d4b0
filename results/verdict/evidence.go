package verdict

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
)

// A Paper is how printed numbers came about, as far as specs say it.
type Paper struct {
	Table plan.Plan // of the spec accuracy: what the paper chose among
	Open  plan.Plan // of the spec open, whose columns read the paper's protocol otherwise
}

// ReadPaper plans both specs. The data files are not needed.
func ReadPaper(ctx context.Context) (p Paper, err error) {
	if p.Table, err = plan.Named(ctx, experiments.Paper); err == nil {
		p.Open, err = plan.Named(ctx, "open")
	}
	return p, err
}

// Of judges the published numbers of a plan by the plan's own cells in a store, all seeds
// of them. Columns that are not comparable with a published number are excluded, and so is
// a second column of the same method: a number is judged once. A spec with another k than
// the paper's is refused. Other readings are the choice on the test samples, where cells
// have surfaces, and of the paper's own table those of the spec open.
func Of(p plan.Plan, paper Paper, st *store.Store) (Verdicts, error) {
	if !p.Spec.AnyNeighbors(plan.PaperNeighbors) {
		return Verdicts{}, fmt.Errorf("verdict: the published numbers are of %d neighbors, %s has %s", plan.PaperNeighbors, p.Spec.Name, p.Spec.Neighbors)
	}
	st = st.Snapshot()
	numbers, left := numbersOf(p, paper.Table.Spec)
	main, onTest, err := gather(numbers, st)
	if err != nil {
		return Verdicts{}, err
	}
	others := []Reading{{Text: ChoiceOnTest, Evidence: onTest}}
	if p.Of(paper.Table) {
		more, err := readings(paper.Open, main, st)
		if err != nil {
			return Verdicts{}, err
		}
		others = append(others, more...)
	}
	v := Judge(p.Spec.Name, main, others...)
	v.Excluded = left
	return v, nil
}

// A judged is a published number with the jobs of the column that is judged, seed by seed.
type judged struct {
	evidence Evidence // without runs
	jobs     []plan.Job
}

func newJudged(number published.Number, column string, jobs []plan.Job) judged {
	return judged{Evidence{Published: number, Column: column, Samples: jobs[0].Entry.TestSize(), Planned: len(jobs)}, jobs}
}

// paperRow tells whether a row is a data set of the paper on its split.
func paperRow(row plan.Row) bool {
	return row.Repeat <= 1 && plan.OfPaper(row.Rule) && !row.Entry.Generated() && !row.Entry.Own() && !spec.Imported(row.Entry)
}

// numbersOf lists the published numbers that columns of the plan are comparable with, and
// the other columns.
func numbersOf(p plan.Plan, paper *spec.Spec) ([]judged, []Excluded) {
	var all []judged
	var others excluded
	for _, row := range p.Rows {
		if !paperRow(row) {
			continue
		}
		first := map[string]string{} // column by method
		for i, c := range p.Spec.Columns {
			number, ok := p.Spec.Published.Lookup(row.Entry.Letter, c.Method.ID)
			if !ok {
				continue
			}
			if why := unlike(&c, paperColumn(paper, c.Method.ID), row.Entry.ID); why != "" {
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
func gather(numbers []judged, st *store.Store) (main, onTest []Evidence, err error) {
	main, best := make([]Evidence, len(numbers)), make([]Evidence, len(numbers))
	var group errgroup.Group
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i, n := range numbers {
		group.Go(func() (err error) {
			main[i], best[i], err = n.runs(st)
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
func (n judged) runs(st *store.Store) (main, onTest Evidence, err error) {
	main, onTest = n.evidence, n.evidence
	for _, j := range n.jobs {
		c, ok, err := st.Find(j.Inputs)
		if err != nil {
			return main, onTest, err
		}
		if !ok || c.Failure != "" {
			continue
		}
		main.Runs = append(main.Runs, Run{Inputs: c.Inputs, Point: c.Chosen, Correct: c.Correct(), N: len(c.Truth)})
		if c.Surface != nil {
			most := slices.Max(c.Surface.Correct)
			onTest.Runs = append(onTest.Runs, Run{Inputs: c.Inputs, Point: slices.Index(c.Surface.Correct, most), Correct: most, N: len(c.Truth)})
		}
	}
	return main, onTest, nil
}

// readings are those that columns of a plan name, for the numbers of the main reading.
func readings(open plan.Plan, main []Evidence, st *store.Store) ([]Reading, error) {
	columns := map[published.Number]string{}
	for _, e := range main {
		columns[e.Published] = e.Column
	}
	var all []Reading
	for i, c := range open.Spec.Columns {
		if c.Reading == "" {
			continue
		}
		var numbers []judged
		for _, row := range open.Rows {
			number, ok := open.Spec.Published.Lookup(row.Entry.Letter, c.Method.ID)
			if column := columns[number]; ok && column != "" && paperRow(row) {
				numbers = append(numbers, newJudged(number, column, row.Jobs[i]))
			}
		}
		found, _, err := gather(numbers, st)
		if err != nil {
			return nil, err
		}
		all = append(all, Reading{c.Reading, found})
	}
	return joined(all), nil
}
