package experiments

import (
	"cmp"
	"fmt"
	"slices"

	"r2lmlbench/datasets"
	"r2lmlbench/results"
	"r2lmlbench/stats"
)

// recordedSplits are the data sets whose split the authors published themselves;
// the rule gives it back value for value.
var recordedSplits = []string{"robot", "winequality", "ionosphere"}

// Verdicts judges the published numbers of a plan's data sets and methods by the
// cells in store, whatever the plan's own split: those on the split of the rule,
// with as many seeds as there are, and those on random splits. Columns that are no
// counterparts of a published number are left out. A spec with another k than the
// paper's is refused.
func (p Plan) Verdicts(store *results.Store) (results.Verdicts, error) {
	evidence, left, err := p.evidence(store.Snapshot())
	if err != nil {
		return results.Verdicts{}, err
	}
	v, err := results.NewVerdicts(p.Spec.Name, evidence)
	v.LeftOut = left
	return v, err
}

// evidence gathers what the cells in store say about the published numbers that
// columns of the plan are counterparts of, and lists the columns that are none.
func (p Plan) evidence(store *results.Store) ([]results.Evidence, []results.LeftOut, error) {
	if p.Spec.Neighbors != paperNeighbors {
		return nil, nil, fmt.Errorf("verdict: the published numbers are of %d neighbors, %s has %d", paperNeighbors, p.Spec.Name, p.Spec.Neighbors)
	}
	paper, err := newCounterparts()
	if err != nil {
		return nil, nil, err
	}
	var all []results.Evidence
	var left leftOut
	for _, row := range p.Rows {
		if row.Repeat > 1 || row.Entry.Generated() || Imported(row.Entry) {
			continue
		}
		euclidean, err := euclideanExact(store, row)
		if err != nil {
			return nil, nil, err
		}
		for i, c := range p.Spec.Columns {
			published, ok := results.LookupPublished(row.Entry.Letter, c.Method.ID)
			if !ok {
				continue
			}
			if why := paper.unlike(&c, row.Entry.ID); why != "" {
				left.add(c.ID, row.Entry.Letter, why)
				continue
			}
			e := results.Evidence{
				Published: published, Column: c.ID, Size: row.Entry.TestSize(), Stochastic: c.Method.Stochastic,
				Recorded: slices.Contains(recordedSplits, row.Entry.ID), Euclidean: euclidean,
			}
			if err := gather(&e, store, onRule(row.Jobs[i][0])); err != nil {
				return nil, nil, err
			}
			all = append(all, e)
		}
	}
	return all, left, nil
}

// paperNeighbors is the k of the paper's table.
const paperNeighbors = 5

// onRule is a job's cell of seed 1 on the split of the paper's table.
func onRule(j Job) Job {
	j.Rule = paperRule
	j.Inputs.Split, j.Inputs.SplitDigest = splitName(j.Entry, paperRule), j.Entry.SplitDigest
	return j
}

// euclideanExact tells whether our Euclidean cell of a row's data set prints the
// published value.
func euclideanExact(store *results.Store, row Row) (bool, error) {
	m, ok := FindMethod("euclidean")
	if !ok {
		return false, nil
	}
	s, err := m.family.resolve(m.family.decode(nil))
	if err != nil {
		return false, err
	}
	in := onRule(row.Jobs[0][0]).Inputs
	in.Method, in.Version, in.Points = m.ID, m.Version, []results.Point{{Params: paramsOf(s)}}
	c, ok, err := store.Find(in)
	published, known := results.LookupPublished(row.Entry.Letter, m.ID)
	return ok && known && stats.Percent(c.Correct(), len(c.Truth), 2) == published.Accuracy, err
}

// gather adds the stored cells of a job, on its own split and on random ones.
func gather(e *results.Evidence, store *results.Store, j Job) error {
	alike, err := store.Alike(j.Inputs)
	if err != nil {
		return err
	}
	var random []results.Cell
	for _, c := range alike {
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
func absent(store *results.Store, j Job) (string, error) {
	s, err := StateOf(store, j)
	if s.Status == Failed {
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
