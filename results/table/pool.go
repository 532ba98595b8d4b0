package table

import (
	"fmt"
	"maps"
	"math"
	"math/big"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"r2lmlbench/internal/text"
	"r2lmlbench/results"
	"r2lmlbench/stats"
)

// A Pool describes the splits behind a pooled row. N of the row and the right answers of its cells
// are sums over the splits; percentages are means, in which every split counts alike.
type Pool struct {
	Splits int     `json:"splits"`
	Sizes  *[2]int `json:"test_sizes,omitempty"` // fewest and most test samples of a split; nil where all have the same number
	// Train counts the training samples of all splits together, also those that max-train
	// leaves out, see [stats.ResampledT]; 0: not known.
	Train int `json:"train"`
	// Test names the test behind the ranks, the corrected resampled t-test of Nadeau and Bengio (2003); empty without ranks, for which
	// Reason says why.
	Test   string `json:"test,omitempty"`
	Reason string `json:"reason,omitempty"`

	test stats.Resampled
}

// Pooled is the table with one row for each data set: rows of several splits by one rule,
// which differ in the repeat or the fold, become one. A row of a single split stays as
// it is, with McNemar's test.
func (t Table) Pooled() Table {
	groups := t.groups()
	t.Rows = make([]Row, len(groups))
	for i, group := range groups {
		if t.Rows[i] = group[0]; len(group) > 1 {
			t.Rows[i] = t.pool(group)
		}
	}
	if len(t.pooled()) > 0 {
		t.Across = NewAcross(t)
	}
	return t
}

// pooled returns the rows of several splits.
func (t Table) pooled() []Row {
	return slices.DeleteFunc(slices.Clone(t.Rows), func(r Row) bool { return r.Pool == nil })
}

// rule is the rule of the row's split, without the number of a repeat and of a fold.
func (r Row) rule() string {
	return strings.Join(slices.DeleteFunc(strings.Fields(r.Split), numbersSplit), " ")
}

// OneOfSeveral reports whether the name of a split has the number of a repeat or a fold.
func OneOfSeveral(split string) bool { return slices.ContainsFunc(strings.Fields(split), numbersSplit) }

func numbersSplit(word string) bool {
	return strings.HasPrefix(word, "repeat=") || strings.HasPrefix(word, "fold=")
}

// pool makes one row of several splits.
func (t Table) pool(splits []Row) Row {
	first := splits[0]
	row := Row{
		Dataset: first.Dataset, Letter: first.Letter, Name: first.Name, Split: first.rule(), Note: first.Note,
		Cells: make([]Result, len(t.Columns)), Inversions: [][2]string{}, SameRankButSignificant: [][2]string{},
		Pool: &Pool{Splits: len(splits)},
	}
	var sizes []int
	var counts [][]results.ClassCount
	for _, r := range splits {
		row.N, row.Overlap = row.N+r.N, row.Overlap+r.Overlap
		row.Pool.test.Sizes = append(row.Pool.test.Sizes, [2]int{r.Train, r.N})
		if r.N > 0 {
			sizes = append(sizes, r.N)
		}
		if r.Classes != nil {
			counts = append(counts, r.Classes.Counts)
		}
	}
	if !slices.ContainsFunc(splits, func(r Row) bool { return r.Train == 0 }) {
		row.Pool.Train, _ = row.Pool.test.Totals()
	}
	if len(sizes) > 0 && slices.Min(sizes) < slices.Max(sizes) {
		row.Pool.Sizes = &[2]int{slices.Min(sizes), slices.Max(sizes)}
	}
	if len(counts) > 0 {
		row.Classes = newClasses(shown(t.Measure, t.Metrics), t.By(), counts...)
	}
	if row.Pool.Reason = row.Pool.test.Invalid(); row.Pool.Reason == "" {
		row.Pool.Test = row.Pool.test.String()
	}
	for j := range row.Cells {
		row.Cells[j] = t.poolCell(splits, j)
		if c := row.Cells[j]; c.Score == nil || c.Partial > 0 {
			row.MissingMethods = append(row.MissingMethods, t.Columns[j].ID)
		}
	}
	classes := map[string]int{}
	for _, r := range splits {
		classes[r.Largest.Class]++
		row.Largest.Scores = append(row.Largest.Scores, r.Largest.Scores...)
	}
	if len(row.Largest.Scores) < len(splits) {
		row.Largest = Largest{}
	} else if row.Largest.Class = first.Largest.Class; len(classes) > 1 {
		row.Largest.Class, row.Largest.Varies = onSplits(classes), true
	}
	row.contrast(splits, t.Test.Alpha)
	return row
}

// onSplits lists classes with the numbers of their splits: "a on 12 splits, b on 8 splits".
func onSplits(classes map[string]int) string {
	var all []string
	for _, class := range slices.Sorted(maps.Keys(classes)) {
		all = append(all, class+" on "+text.Counted(classes[class], "split"))
	}
	return strings.Join(all, ", ")
}

// contrast compares the columns of a pooled row by their accuracies on the splits, and ranks
// them where the test is valid. Of own data the family has always answering the largest class, too.
func (r *Row) contrast(splits []Row, alpha float64) {
	r.samples = make([]stats.Sample, len(r.Cells))
	var columns []int
	var samples []stats.Sample // of the columns
	for j, c := range r.Cells {
		for _, one := range splits {
			score := math.NaN()
			if one.Cells[j].Score != nil {
				score = one.Cells[j].Mean
			}
			r.samples[j].Scores = append(r.samples[j].Scores, score)
		}
		if c.Score != nil {
			columns, samples = append(columns, j), append(samples, r.samples[j])
		}
	}
	r.Pool.test.Step = 100 / float64(r.sizes()[0]) // one test sample of the smallest split
	if r.Largest.Class != "" {
		columns, samples = append(columns, constant), append(samples, stats.Sample{Scores: r.Largest.Scores})
	}
	r.Contrasts = r.compare(r.Pool.test, alpha, columns, samples, r.Pool.Test != "")
}

// poolCell pools the cells of column j.
func (t Table) poolCell(splits []Row, j int) Result {
	first := splits[0].Cells[j]
	c := Result{Method: first.Method, Published: first.Published, PublishedRank: first.PublishedRank, Notes: poolNotes(splits, j)}
	var with []Row // that have a result
	absent := Result{}
	for _, r := range splits {
		if r.Cells[j].Score != nil {
			with, c.Lacking = append(with, r), c.Lacking+r.Cells[j].Lacking
			c.Seeds += len(r.Cells[j].Trials) + r.Cells[j].Lacking
		} else if absent.Status == "" {
			absent = r.Cells[j]
		}
	}
	if len(with) == 0 {
		c.Status, c.Reason = first.Status, first.Reason
		return c
	}
	if c.Lacking == 0 {
		c.Seeds = 0
	}
	chosen := with[0].Cells[j].Score
	s := &Score{Seed: chosen.Seed, Constant: true, Params: results.Params{}, Validation: &Tally{}}
	c.Doubts = poolDoubts(with, j)
	same := true // every split chose one setting
	var values []results.Values
	var shares, scores []*big.Rat
	for _, r := range with {
		one := r.Cells[j].Score
		s.Correct, s.Constant = s.Correct+one.Correct, s.Constant && one.Constant
		if shares = append(shares, share(one.Correct, r.N)); one.classes != nil {
			values, scores = append(values, results.Measured(one.classes, measured(t.Measure, t.Metrics))), append(scores, t.By().Exact(one.classes))
		}
		same = same && reflect.DeepEqual(one.Params, chosen.Params) && one.Restart == chosen.Restart
		s.addFacts(one.Facts)
		if one.Validation == nil || s.Validation == nil {
			s.Validation = nil
		} else {
			s.Validation.Correct, s.Validation.Of = s.Validation.Correct+one.Validation.Correct, s.Validation.Of+one.Validation.Of
		}
	}
	mean := results.MeanValue(shares)
	s.Accuracy = accuracy.Print(mean)
	if t.Measure != "" {
		mean = results.MeanValue(scores)
	}
	c.Mean = percent(mean)
	if len(values) > 0 {
		s.Metrics = results.MeanValues(values)
	}
	if same {
		s.Params, s.Restart = chosen.Params, chosen.Restart
	}
	c.Score, c.Spread = s, first.Spread // which is over all of them
	if len(with) < len(splits) {
		c.Partial = len(with)
		c.Notes = append(c.Notes, fmt.Sprintf("%d of %d splits have a result, so that it has no rank; the first without is %s: %s",
			len(with), len(splits), absent.Status, absent.Reason))
	}
	return c
}

// addFacts adds the counts of a split up, by name.
func (s *Score) addFacts(facts []results.Count) {
	for _, f := range facts {
		i := slices.IndexFunc(s.Facts, func(known results.Count) bool { return known.Name == f.Name })
		if i < 0 {
			s.Facts = append(s.Facts, f)
			continue
		}
		s.Facts[i].Count += f.Count
		s.Facts[i].Of += f.Of
	}
}

// poolDoubts counts the splits of column j that have each doubt.
func poolDoubts(splits []Row, j int) (all []Doubt) {
	for _, r := range splits {
		for _, d := range r.Cells[j].Doubts {
			if i := slices.IndexFunc(all, func(known Doubt) bool { return known.Text == d.Text }); i >= 0 {
				all[i].Splits++
			} else {
				all = append(all, d)
			}
		}
	}
	return all
}

// poolNotes joins the notes of column j on the splits. It keeps one of the notes that differ in
// their numbers only, and adds the number of its splits unless all have the same note.
func poolNotes(splits []Row, j int) []string {
	notes, kinds := []string{}, []string{}
	on, varies := map[string]int{}, map[string]bool{}
	for _, r := range splits {
		seen := map[string]bool{}
		for _, note := range r.Cells[j].Notes {
			kind := numbers.ReplaceAllString(note, "#")
			if i := slices.Index(kinds, kind); i < 0 {
				kinds, notes = append(kinds, kind), append(notes, note)
			} else {
				varies[kind] = varies[kind] || notes[i] != note
			}
			if !seen[kind] {
				on[kind]++
			}
			seen[kind] = true
		}
	}
	for i, kind := range kinds {
		switch n := on[kind]; {
		case varies[kind]:
			notes[i] += fmt.Sprintf(" [alike on %d of %d splits]", n, len(splits))
		case n < len(splits):
			notes[i] += fmt.Sprintf(" [%d of %d splits]", n, len(splits))
		}
	}
	return notes
}

// numbers are those in notes.
var numbers = regexp.MustCompile(`[0-9]+`)
