package table

import (
	"encoding/csv"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"r2lmlbench/internal/text"
	"r2lmlbench/results"
)

// A csvField is a field of a line of CSV, with the name that its column has.
type csvField struct{ name, value string }

// csv has one line per cell of the table.
func (t Table) csv() (string, error) {
	pooled := len(t.pooled()) > 0
	head, err := t.csvRecord(Row{}, Cell{}, pooled)
	if err != nil {
		return "", err
	}
	lines := [][]string{nil}
	for _, f := range head {
		lines[0] = append(lines[0], f.name)
	}
	for _, r := range t.Rows {
		for _, c := range r.Cells {
			record, err := t.csvRecord(r, c, pooled)
			if err != nil {
				return "", err
			}
			line := make([]string, len(record))
			for i, f := range record {
				line[i] = text.CSVText(f.value)
			}
			lines = append(lines, line)
		}
	}
	var b strings.Builder
	err = csv.NewWriter(&b).WriteAll(lines)
	return b.String(), err
}

// csvRecord is the line of a cell: the fields of every table, those that the table's
// metrics add, and in a table with pooled rows, whose test samples and right answers are
// those of all splits, what these are of.
func (t Table) csvRecord(r Row, c Cell, pooled bool) ([]csvField, error) {
	var s Score
	var correct, best, constant, seed, params string
	var facts []string
	if c.Score != nil {
		s = *c.Score
		correct, best, constant, seed = strconv.Itoa(s.Correct), strconv.FormatBool(s.Best), strconv.FormatBool(s.Constant), strconv.FormatUint(s.Seed, 10)
		written, err := results.CanonicalJSON(s.Params)
		if err != nil {
			return nil, err
		}
		params = string(written)
		for _, f := range s.Facts {
			facts = append(facts, fmt.Sprintf("%s %d/%d", f.Name, f.Count, f.Of))
		}
	}
	var spread Spread
	if c.Spread != nil {
		spread = *c.Spread
	}
	var k Classes
	var majority, tieWinner string
	if r.Classes != nil {
		k = *r.Classes
		majority, tieWinner = strconv.Itoa(k.Majority.Label), strconv.Itoa(k.TieWinner.Label)
	}
	all := []csvField{
		{"spec", t.Spec}, {"dataset", r.Dataset}, {"letter", r.Letter}, {"name", r.Name}, {"split", r.Split}, {"repeat", text.NonZero(r.Repeat)},
		{"n", strconv.Itoa(r.N)}, {"method", c.Method}, {"status", c.Status}, {"reason", c.Reason},
		{"correct", correct}, {"accuracy", s.Accuracy}, {"rank", text.NonZero(s.Rank)}, {"best", best}, {"letters", s.Letters},
		{"published", c.Published}, {"published_rank", text.NonZero(c.PublishedRank)}, {"difference", difference(s.Mark)},
		{"params", params}, {"restart", text.NonZero(s.Restart)}, {"seed", seed}, {"facts", strings.Join(facts, "; ")},
		{"runs", text.NonZero(spread.Runs)}, {"mean", spread.Mean}, {"sd", spread.SD}, {"min", spread.Min}, {"max", spread.Max},
		{"notes", strings.Join(slices.Concat(doubtTexts(c.Doubts), c.Notes), "; ")},
	}
	for _, m := range results.Metrics {
		if m.Always {
			all = append(all, csvField{m.Field(), s.Metrics.Text(m.ID)})
		}
	}
	all = append(all, []csvField{
		{"constant", constant},
		{"majority", majority}, {"majority_accuracy", k.Majority.Accuracy}, {"tie_winner", tieWinner}, {"tie_winner_accuracy", k.TieWinner.Accuracy},
	}...)
	for _, id := range t.Metrics {
		m, _ := results.FindMetric(id) // specs are checked
		if !m.Always {
			all = append(all, csvField{m.Field(), s.Metrics.Text(id)})
		}
		all = append(all, csvField{"majority_" + m.Field(), k.MajorityMetrics.Text(id)})
	}
	if pooled {
		pool := Pool{Splits: 1}
		if r.Pool != nil {
			pool = *r.Pool
		}
		all = append(all, csvField{"splits", strconv.Itoa(pool.Splits)}, csvField{"train", text.NonZero(pool.Train)}, csvField{"test", pool.Test})
	}
	return all, nil
}

// doubtTexts are doubts with the number of splits, where there are several.
func doubtTexts(doubts []Doubt) (all []string) {
	for _, d := range doubts {
		if d.Splits > 1 {
			d.Text += fmt.Sprintf(" (%d splits)", d.Splits)
		}
		all = append(all, d.Text)
	}
	return all
}

// difference is the mark as a number.
func difference(mark string) string {
	if mark == "=" {
		return "0.00"
	}
	return strings.TrimPrefix(mark, "+")
}
