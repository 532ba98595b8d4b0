package judge

import (
	"cmp"
	"fmt"
	"slices"

	"r2lmlbench/datasets"
	"r2lmlbench/experiments/method"
	"r2lmlbench/experiments/plan"
	"r2lmlbench/experiments/registry"
	"r2lmlbench/experiments/spec"
	"r2lmlbench/results"
	"r2lmlbench/results/published"
	"r2lmlbench/results/store"
	"r2lmlbench/results/verdict"
	"r2lmlbench/stats"
)

// Verdicts judges the published numbers of a plan's data sets and methods by the
// cells in store, whatever the plan's own split: those on the split of the rule,
// with as many seeds as there are, and those on random splits. Columns that are not
// comparable with a published number are excluded. A spec with another k than the
// paper's is refused.
func Verdicts(p plan.Plan, store *store.Store, paper PaperColumns) (verdict.Verdicts, error) {
	evidence, left, err := evidence(p, store.Snapshot(), paper)
	if err != nil {
		return verdict.Verdicts{}, err
	}
	v, err := verdict.Judge(p.Spec.Name, evidence)
	v.Excluded = left
	return v, err
}

// evidence gathers what the cells in store say about the published numbers that
// columns of the plan are comparable with, and lists the other columns.
func evidence(p plan.Plan, store *store.Store, paper PaperColumns) ([]verdict.Evidence, []verdict.Excluded, error) {
	if p.Spec.Neighbors != plan.PaperNeighbors {
		return nil, nil, fmt.Errorf("verdict: the published numbers are of %d neighbors, %s has %d", plan.PaperNeighbors, p.Spec.Name, p.Spec.Neighbors)
	}
	var all []verdict.Evidence
	var left excluded
	for _, row := range p.Rows {
		if row.Repeat > 1 || row.Entry.Generated() || spec.Imported(row.Entry) {
			continue
		}
		euclidean, err := euclideanExact(store, row)
		if err != nil {
			return nil, nil, err
		}
		for i, c := range p.Spec.Columns {
			published, ok := published.Lookup(row.Entry.Letter, c.Method.ID)
			if !ok {
				continue
			}
			if why := paper.unlike(&c, row.Entry.ID); why != "" {
				left.add(c.ID, row.Entry.Letter, why)
				continue
			}
			e := verdict.Evidence{
				Published: published, Column: c.ID, Size: row.Entry.TestSize(), Stochastic: c.Method.Stochastic,
				Recorded: row.Entry.Recorded, Euclidean: euclidean,
			}
			if err := gather(&e, store, onRule(row.Jobs[i][0])); err != nil {
				return nil, nil, err
			}
			all = append(all, e)
		}
	}
	return all, left, nil
}

// onRule is a job's cell of seed 1 on the split of the paper's table.
func onRule(j plan.Job) plan.Job {
	j.Rule = plan.PaperRule
	j.Inputs.Split, j.Inputs.SplitDigest = spec.SplitName(j.Entry, plan.PaperRule), j.Entry.SplitDigest
	return j
}

// euclideanExact tells whether our Euclidean cell of a row's data set prints the
// published value.
func euclideanExact(store *store.Store, row plan.Row) (bool, error) {
	m, ok := registry.Find(published.Euclidean)
	if !ok {
		return false, nil
	}
	s, err := m.Family.Resolve(m.Family.Decode(nil))
	if err != nil {
		return false, err
	}
	in := onRule(row.Jobs[0][0]).Inputs
	in.Method, in.Version, in.Points = m.ID, m.Version, []results.Point{{Params: method.ParamsOf(s)}}
	c, ok, err := store.Find(in)
	published, known := published.Lookup(row.Entry.Letter, m.ID)
	return ok && known && stats.Percent(c.Correct(), len(c.Truth), 2) == published.Accuracy, err
}

// gather adds the stored cells of a job, on its own split and on random ones.
func gather(e *verdict.Evidence, store *store.Store, j plan.Job) error {
	matching, err := store.Matching(j.Inputs)
	if err != nil {
		return err
	}
	var random []results.Cell
	for _, c := range matching {
		switch _, isRandom := randomRule(c.Split); {
		case c.Version != j.Inputs.Version || c.DatasetDigest != j.Inputs.DatasetDigest:
		case c.Split == j.Inputs.Split && c.SplitDigest == j.Inputs.SplitDigest:
			e.Own = append(e.Own, c)
		case isRandom:
			random = append(random, c)
		}
	}
	slices.SortFunc(e.Own, func(a, b results.Cell) int { return cmp.Compare(a.Seed, b.Seed) })
	if e.Random, err = onePerSplit(random); err != nil {
		return err
	}
	if len(e.Own) == 0 || e.Own[0].Seed != 1 {
		e.Absent, err = absent(store, j)
	}
	return err
}

// absent says why there is no cell of ours.
func absent(store *store.Store, j plan.Job) (string, error) {
	s, err := plan.StateOf(store, j)
	if s.Status == plan.Failed {
		return "our cell failed: " + s.Why, err
	}
	return "no cell of ours on the split of the rule: " + s.Why, err
}

// randomRule reads the name of a random split of the paper's sizes and
// preprocessing.
func randomRule(split string) (datasets.Rule, bool) {
	r := datasets.Rule{Kind: "random"}
	_, err := fmt.Sscanf(split, "random seed=%d repeat=%d", &r.Seed, &r.Repeat)
	return r, err == nil && r.String() == split
}

// onePerSplit keeps the first seed of every random split, ordered by split: runs
// on the same split would not be independent.
func onePerSplit(cells []results.Cell) ([]results.Cell, error) {
	slices.SortFunc(cells, func(a, b results.Cell) int {
		ra, _ := randomRule(a.Split)
		rb, _ := randomRule(b.Split)
		return cmp.Or(cmp.Compare(ra.Seed, rb.Seed), cmp.Compare(ra.Repeat, rb.Repeat), cmp.Compare(a.Seed, b.Seed))
	})
	var kept []results.Cell
	for _, c := range cells {
		if len(kept) == 0 || kept[len(kept)-1].Split != c.Split {
			kept = append(kept, c)
		} else if last := kept[len(kept)-1]; last.SplitDigest != c.SplitDigest {
			return nil, fmt.Errorf("verdict: %s %s: two stored cells name the split %q and hold different rows; move one away", c.Dataset, c.Method, c.Split)
		}
	}
	return kept, nil
}
