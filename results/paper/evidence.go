package paper

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"

	"r2lmlbench/experiments/plan"
	"r2lmlbench/experiments/published"
	"r2lmlbench/experiments/spec"
	"r2lmlbench/results/store"
)

// ErrNothingPrinted is returned by Of for a spec that names no printed numbers.
var ErrNothingPrinted = errors.New("the spec names no printed numbers; add `published: FILE` to it, a table such as `r2lmlbench audit --example` prints")

// Judges reports whether some column of a plan has the k of its printed numbers.
func Judges(p plan.Plan) bool {
	printed := p.Spec.Published
	return printed != nil && slices.ContainsFunc(p.Spec.Columns, func(c spec.Column) bool { return !printed.OtherK(&c) })
}

// Of judges the published numbers of a plan by the plan's own cells in a store, all seeds
// of them. Columns that are not comparable with a published number are excluded, and so is
// a second column of the same method: a number is judged once. A spec without the k of the
// numbers is refused. Other readings are the choice on the test samples, where cells
// have surfaces, and of the spec that the numbers come from those of columns that name a
// reading, in it and in the specs that their table names. The data files are not needed.
func Of(ctx context.Context, p plan.Plan, st *store.Store) (Verdicts, error) {
	printed := p.Spec.Published
	switch {
	case printed == nil:
		return Verdicts{}, fmt.Errorf("verdict: %w", ErrNothingPrinted)
	case !Judges(p):
		return Verdicts{}, fmt.Errorf("verdict: the published numbers are of %s neighbors, %s has %s", printed.Origin.Neighbors, p.Spec.Name, p.Spec.Neighbors)
	}
	st = st.Snapshot()
	numbers, left := numbersOf(p)
	main, onTest, err := gather(numbers, st, false)
	if err != nil {
		return Verdicts{}, err
	}
	more, err := readings(ctx, p, main, st)
	if err != nil {
		return Verdicts{}, err
	}
	v := Judge(p.Spec.Name, main, append([]Reading{{Text: ChoiceOnTest, Evidence: onTest}}, more...)...)
	v.Title, v.Source, v.Excluded = printed.Title, printed.Source, left
	return v, nil
}

// Original reports whether a plan is that of the spec that its printed numbers come from.
func Original(ctx context.Context, p plan.Plan) (bool, error) {
	printed := p.Spec.Published
	if printed == nil || printed.Origin == p.Spec || printed.Origin.Name != p.Spec.Name {
		return printed != nil && printed.Origin == p.Spec, nil
	}
	origin, err := plan.New(ctx, printed.Origin, plan.Catalogue()) // p may be narrowed, or of another spec that has its name
	return err == nil && p.Of(origin), err
}

// judge adds the jobs of a column on one split of a data set to the evidence on a number.
// All splits of it are judged together.
func judge(all []Evidence, number published.Number, column string, jobs []plan.Job) []Evidence {
	at := slices.IndexFunc(all, func(e Evidence) bool { return e.Published == number })
	if at < 0 {
		sizes, _ := jobs[0].Rule.PartSizes(*jobs[0].Dataset) // a rule that the classes have too few rows for has no cells
		at, all = len(all), append(all, Evidence{Published: number, Column: column, Samples: sizes[2], Drawn: jobs[0].Rule.Drawn()})
	}
	all[at].Planned += len(jobs)
	all[at].jobs = append(all[at].jobs, jobs...)
	return all
}

// numbersOf lists the published numbers that columns of the plan can be compared with, and the
// excluded columns. A column that names a reading is used for a number only if no main column is.
func numbersOf(p plan.Plan) ([]Evidence, []Excluded) {
	var all []Evidence
	var others []Excluded
	exclude := func(column, letter, reason string) {
		at := slices.IndexFunc(others, func(one Excluded) bool { return one.Method == column && one.Reason == reason })
		if at < 0 {
			at, others = len(others), append(others, Excluded{Method: column, Reason: reason})
		}
		others[at].Letters = append(others[at].Letters, letter)
	}
	printed := p.Spec.Published
	for _, row := range p.Splits {
		if !printed.Divided(row.Dataset, row.Rule) {
			continue
		}
		for i, c := range p.Spec.Columns {
			number, ok := printed.Number(row.Dataset, &c)
			isMain := func(c spec.Column) bool {
				return c.Reading == "" && (c.ID == number.Method || c.Method.ID == number.Method)
			}
			if !ok || c.Reading != "" && slices.ContainsFunc(p.Spec.Columns, isMain) {
				continue
			}
			letter := cmp.Or(row.Dataset.Letter, row.Dataset.ID)
			if why := unlike(&c, printed, row.Dataset.ID); why != "" {
				exclude(c.ID, letter, why)
				continue
			}
			at := slices.IndexFunc(all, func(e Evidence) bool { return e.Published == number })
			if at >= 0 && all[at].Column != c.ID {
				exclude(c.ID, letter, "judges it with the column "+all[at].Column)
				continue
			}
			all = judge(all, number, c.ID, row.Jobs[i])
		}
	}
	return all, others
}

// gather reads the cells of numbers, on all processors: the runs of each, and, for numbers
// whose columns have a grid, those with the best setting on the test samples, which only
// cells with surfaces know. With moving, settings that answer with one class are left out.
func gather(numbers []Evidence, st *store.Store, moving bool) (main, onTest []Evidence, err error) {
	main, best := slices.Clone(numbers), slices.Clone(numbers)
	var group errgroup.Group
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i := range numbers {
		group.Go(func() error {
			for _, j := range numbers[i].jobs {
				c, ok, err := st.Find(j.Inputs)
				if err != nil {
					return err
				}
				if !ok || c.Failure != "" {
					continue
				}
				main[i].Runs = append(main[i].Runs, Run{Inputs: c.Inputs, Setting: c.Chosen, Correct: c.Correct(), N: len(c.Truth)})
				if c.GridScores == nil {
					continue
				}
				if point, constant := c.GridScores.Best(moving); point >= 0 {
					run := Run{Inputs: c.Inputs, Setting: point, Correct: c.GridScores.Correct[point], N: len(c.Truth)}
					if moving {
						run.LeftOut = constant
					}
					best[i].Runs = append(best[i].Runs, run)
				}
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return nil, nil, err
	}
	chosen := "test"
	if moving {
		chosen = "test, moving"
	}
	for _, e := range best {
		if len(e.jobs[0].Inputs.Settings) > 1 {
			e.chosen = chosen
			onTest = append(onTest, e)
		}
	}
	return main, onTest, nil
}

// readings are those that columns of the paper's own plan and of others name, for the
// numbers of the main reading. A column with surfaces reads the best moving setting on the
// test samples. A number that a reading has several columns for gets the first that has runs.
func readings(ctx context.Context, p plan.Plan, main []Evidence, st *store.Store) ([]Reading, error) {
	if original, err := Original(ctx, p); !original || err != nil {
		return nil, err
	}
	plans := []plan.Plan{p}
	for _, name := range p.Spec.Published.Readings {
		more, err := plan.Named(ctx, name)
		if err != nil {
			return nil, err
		}
		plans = append(plans, more)
	}
	columns := map[published.Number]string{}
	for _, e := range main {
		columns[e.Published] = e.Column
	}
	var all []Reading
	for _, p := range plans {
		for i, c := range p.Spec.Columns {
			if c.Reading == "" {
				continue
			}
			var numbers []Evidence
			for _, row := range p.Splits {
				number, ok := p.Spec.Published.Number(row.Dataset, &c)
				if column := columns[number]; ok && column != "" && column != c.ID && p.Spec.Published.Divided(row.Dataset, row.Rule) {
					numbers = judge(numbers, number, column, row.Jobs[i])
				}
			}
			found, onTest, err := gather(numbers, st, true)
			if err != nil {
				return nil, err
			}
			if len(numbers) > 0 && numbers[0].jobs[0].Surface() {
				found = onTest
			}
			at := slices.IndexFunc(all, func(r Reading) bool { return r.Text == c.Reading })
			if at < 0 {
				at, all = len(all), append(all, Reading{Text: c.Reading})
			}
			of := &all[at]
			for _, e := range found {
				switch known := slices.IndexFunc(of.Evidence, func(o Evidence) bool { return o.Published == e.Published }); {
				case known < 0:
					of.Evidence = append(of.Evidence, e)
				case len(of.Evidence[known].Runs) == 0:
					of.Evidence[known] = e
				}
			}
		}
	}
	return all, nil
}
