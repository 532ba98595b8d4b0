package table

import (
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"r2lmlbench/internal/text"
	"r2lmlbench/results"
)

var csvHeader = []string{
	"spec", "dataset", "letter", "name", "split", "repeat", "n", "method", "status", "reason",
	"correct", "accuracy", "rank", "best", "letters", "published", "published_rank", "difference",
	"params", "restart", "seed", "facts", "runs", "mean", "sd", "min", "max", "notes",
	"balanced_accuracy", "macro_f1", "constant", "majority", "majority_accuracy", "tie_winner", "tie_winner_accuracy",
}

// csvPoolHeader follows in a table with pooled rows, whose test samples and right answers
// are those of all splits.
var csvPoolHeader = []string{"splits", "train", "test"}

// csvPool returns the fields of csvPoolHeader.
func csvPool(r Row) []string {
	if r.Pool == nil {
		return []string{"1", "", ""}
	}
	return []string{strconv.Itoa(r.Pool.Splits), text.NonZero(r.Pool.Train), r.Pool.Test}
}

// renderCSV writes one line per cell of the table.
func (t Table) renderCSV(w io.Writer) error {
	out := csv.NewWriter(w)
	head := slices.Concat(csvHeader, t.csvMetricHeader())
	lines := [][]string{head}
	pooled := len(t.pooled()) > 0
	if pooled {
		lines[0] = slices.Concat(head, csvPoolHeader)
	}
	for _, r := range t.Rows {
		for _, c := range r.Cells {
			line, err := t.csvLine(r, c)
			if err != nil {
				return err
			}
			if pooled {
				line = append(line, csvPool(r)...)
			}
			lines = append(lines, line)
		}
	}
	return out.WriteAll(lines)
}

func (t Table) csvLine(r Row, c Cell) ([]string, error) {
	line := []string{t.Spec, r.Dataset, r.Letter, r.Name, r.Split, text.NonZero(r.Repeat), strconv.Itoa(r.N), c.Method, c.Status, c.Reason}
	score, err := csvScore(c)
	if err != nil {
		return nil, err
	}
	line = append(line, score...)
	line = append(line, csvSpread(c.Spread)...)
	line = append(line, strings.Join(c.Notes, "; "))
	line = append(line, csvClasses(r, c)...)
	line = append(line, t.csvMetrics(r, c)...)
	for i, field := range line {
		line[i] = text.CSVText(field)
	}
	return line, nil
}

// csvScore returns the fields from "correct" to "facts".
func csvScore(c Cell) ([]string, error) {
	if c.Score == nil {
		return []string{"", "", "", "", "", c.Published, text.NonZero(c.PublishedRank), "", "", "", "", ""}, nil
	}
	params, err := results.CanonicalJSON(c.Params)
	if err != nil {
		return nil, err
	}
	var facts []string
	for _, f := range c.Facts {
		facts = append(facts, fmt.Sprintf("%s %d/%d", f.Name, f.Count, f.Of))
	}
	return []string{
		strconv.Itoa(c.Correct), c.Accuracy, text.NonZero(c.Rank), strconv.FormatBool(c.Best), c.Letters,
		c.Published, text.NonZero(c.PublishedRank), difference(c.Mark),
		string(params), text.NonZero(c.Restart), strconv.FormatUint(c.Seed, 10), strings.Join(facts, "; "),
	}, nil
}

func csvSpread(s *Spread) []string {
	if s == nil {
		return make([]string, 5)
	}
	return []string{strconv.Itoa(s.Runs), s.Mean, s.SD, s.Min, s.Max}
}

// csvClasses returns the fields from "balanced_accuracy" on.
func csvClasses(r Row, c Cell) []string {
	fields := make([]string, 7)
	if c.Score != nil {
		fields[0], fields[1], fields[2] = c.Balanced, c.MacroF1, strconv.FormatBool(c.Constant)
	}
	if k := r.Classes; k != nil {
		fields[3], fields[4] = strconv.Itoa(k.Majority.Label), k.Majority.Accuracy
		fields[5], fields[6] = strconv.Itoa(k.TieWinner.Label), k.TieWinner.Accuracy
	}
	return fields
}

// csvMetricHeader has the fields that the table's metrics add: kappa, and what each
// gives the most frequent class.
func (t Table) csvMetricHeader() []string {
	var head []string
	for _, id := range t.Metrics {
		name := strings.ReplaceAll(id, "-", "_")
		if id == results.Kappa {
			head = append(head, name)
		}
		head = append(head, "majority_"+name)
	}
	return head
}

func (t Table) csvMetrics(r Row, c Cell) []string {
	var fields []string
	for _, id := range t.Metrics {
		kappa, majority := "", ""
		if c.Score != nil {
			kappa = c.Kappa
		}
		if r.Classes != nil {
			majority = r.Classes.MajorityMetrics[id]
		}
		if id == results.Kappa {
			fields = append(fields, kappa)
		}
		fields = append(fields, majority)
	}
	return fields
}

// difference is the mark as a number.
func difference(mark string) string {
	if mark == "=" {
		return "0.00"
	}
	return strings.TrimPrefix(mark, "+")
}
