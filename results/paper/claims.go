package paper

import (
	"cmp"
	"context"
	"path"
	"slices"
	"strings"

	"gonum.org/v1/gonum/stat"

	"r2lmlbench/experiments"
	"r2lmlbench/experiments/plan"
	"r2lmlbench/results"
	"r2lmlbench/results/store"
	"r2lmlbench/results/table"
	"r2lmlbench/stats/audit"
)

// Claims judges the claims of a printed table by the table and by the cells of specs in
// stores: those of the table's own spec, and of each study that claims are about, where these
// are specs of the program. The data files are not needed.
func Claims(ctx context.Context, t *audit.PrintedTable, storeOf func(spec string) *store.Store) ([]audit.Judged, error) {
	runs := map[string]*audit.Study{}
	read := map[string]*store.Store{} // by folder: studies share files of cells
	for _, c := range t.Claims {
		name := cmp.Or(c.Study, t.Spec)
		if _, known := runs[c.Study]; known || c.NotRun != "" || !slices.Contains(experiments.Names(), name) {
			continue
		}
		p, err := plan.Named(ctx, name)
		if err != nil {
			return nil, err
		}
		cells := storeOf(name)
		if read[cells.Dir] == nil {
			read[cells.Dir] = cells.Snapshot()
		}
		if runs[c.Study], err = runsOf(p, read[cells.Dir], c.Study == ""); err != nil {
			return nil, err
		}
		t.Quantities(runs[c.Study])
	}
	return t.Judge(runs)
}

// runsOf are the numbers of the cells of a plan, with a row for each data set of the
// printed table, or each family of generated ones, over whose draws numbers are means.
// Accuracies of a judged plan are means over all seeds, as verdicts have them; other
// numbers are of the first seed, as tables have them.
func runsOf(p plan.Plan, cells *store.Store, judged bool) (*audit.Study, error) {
	ranked, err := table.Of(p, cells)
	if err != nil {
		return nil, err
	}
	var means map[[2]string]float64
	if judged {
		if means, err = meansOf(p, cells); err != nil {
			return nil, err
		}
	}
	seconds, err := secondsOf(p, cells)
	if err != nil {
		return nil, err
	}
	s := &audit.Study{Name: p.Spec.Name}
	for _, c := range ranked.Columns {
		s.Columns = append(s.Columns, c.ID)
	}
	var draws [][]table.Row // by row of the study
	for _, r := range ranked.Rows {
		family, _, _ := strings.Cut(r.Dataset, ":")
		at := slices.IndexFunc(s.Rows, func(of audit.StudyRow) bool { return of.Name == family })
		if at < 0 {
			at, s.Rows, draws = len(s.Rows), append(s.Rows, audit.StudyRow{ID: cmp.Or(r.Letter, family), Name: family}), append(draws, nil)
		}
		draws[at] = append(draws[at], r)
	}
	s.Number = func(row, column int, measure string) (float64, bool) {
		var all []float64
		for _, r := range draws[row] {
			c, key := r.Cells[column], [2]string{r.Dataset, s.Columns[column]}
			x, known := 0.0, c.Score != nil
			switch mean, has := means[key]; {
			case !known:
			case measure == "rank":
				x, known = float64(c.Rank), c.Rank > 0
			case measure == "seconds":
				x, known = seconds[key], seconds[key] > 0
			case measure != "accuracy":
				x, known = share(c.Facts, measure)
			case judged:
				x, known = mean, has
			default:
				x = c.Mean
			}
			if !known {
				return 0, false
			}
			all = append(all, x)
		}
		return stat.Mean(all, nil), true
	}
	return s, nil
}

// meansOf are the accuracies that verdicts compare with print, by data set and column.
func meansOf(p plan.Plan, cells *store.Store) (map[[2]string]float64, error) {
	numbers, _ := numbersOf(p)
	main, _, err := gather(numbers, cells, false)
	means := map[[2]string]float64{}
	for _, v := range newVerdicts(main) {
		if v.Mean != nil {
			means[[2]string{v.Dataset, v.Method}] = *v.Mean
		}
	}
	return means, err
}

// secondsOf returns the known times of cells, by data set and column.
func secondsOf(p plan.Plan, cells *store.Store) (map[[2]string]float64, error) {
	list, _, err := cells.Accepted(p.Spec.Name)
	if err != nil {
		return nil, err
	}
	costs, err := CostsOf(p, cells, list.ByKey())
	seconds := map[[2]string]float64{}
	for _, c := range costs {
		if c.Seconds > 0 {
			seconds[[2]string{c.Dataset, c.Method}] = c.Seconds
		}
	}
	return seconds, err
}

// share returns the count of the facts whose names match a pattern, as a share of the most that
// they could count.
func share(facts []results.Count, pattern string) (float64, bool) {
	count, of := 0, 0
	for _, f := range facts {
		if ok, err := path.Match(pattern, f.Name); ok && err == nil {
			count, of = count+f.Count, of+f.Of
		}
	}
	return float64(count) / float64(max(of, 1)), of > 0
}
