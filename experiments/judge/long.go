package judge

import (
	"context"
	"slices"
	"strconv"

	"r2lmlbench/datasets"
	"r2lmlbench/experiments/plan"
	"r2lmlbench/experiments/spec"
	"r2lmlbench/internal/text"
	"r2lmlbench/results/store"
)

// LongHead names the fields of the lines that [Long] writes.
var LongHead = []string{
	"dataset", "split", "method", "seed", "row", "truth", "predicted", "data_row", "line", "truth_class", "predicted_class",
}

// LongGaps are what an export could not tell.
type LongGaps struct {
	Cells  int      // that are not stored, and have no lines
	Placed []string // data sets whose data are not at hand, so that their rows are not known
}

// Long writes a line for every test sample of every stored cell of a plan: data set,
// split, column, seed, number of the sample among the test samples from 1, the codes of
// its class and of the one that it was given, its row in the data from 1, the line of the
// file of own data, and the names of the classes. What is not known is empty. Cells come
// one at a time, and of the store and of the data what one data set needs stays in
// memory. It ends with the first error of write, or of ctx. The record is valid until
// write returns.
func Long(ctx context.Context, p plan.Plan, source *plan.Source, st *store.Store, write func(record []string) error) (gaps LongGaps, err error) {
	snapshot, of, data := st.Snapshot(), "", (*datasets.Data)(nil)
	for _, row := range p.Rows {
		if row.Entry.Identity() != of {
			snapshot, of, data = st.Snapshot(), row.Entry.Identity(), dataOf(source, row.Entry)
		}
		from := originOf(row, data)
		stored := 0
		for i, jobs := range row.Jobs {
			for _, j := range jobs {
				if ctx.Err() != nil {
					return gaps, ctx.Err()
				}
				there, err := longCell(snapshot, p.Spec.Columns[i].ID, j, from, write)
				if err != nil {
					return gaps, err
				}
				if there {
					stored++
				} else {
					gaps.Cells++
				}
			}
		}
		if stored > 0 && from.rows == nil && !slices.Contains(gaps.Placed, row.Entry.ID) {
			gaps.Placed = append(gaps.Placed, row.Entry.ID)
		}
	}
	return gaps, nil
}

// dataOf are the data of a set, nil where they cannot be had. Imported splits have none:
// their rows are not told. Own data are those of the plan; others are not kept.
func dataOf(source *plan.Source, e datasets.Entry) *datasets.Data {
	var d *datasets.Data
	var err error
	switch {
	case spec.Imported(e):
		return nil
	case e.Own():
		d, err = source.Data(e)
	default:
		d, err = source.Library.Load(e)
	}
	if err != nil {
		return nil // the cells are there without them
	}
	return d
}

// An origin is where the test samples of a split come from.
type origin struct {
	rows   []int    // of the data, from 0; nil: not known
	lines  []int    // of the file, by row of the data; nil: it has none
	labels []string // of the classes, in code order
}

// originOf divides the data of a row as its cells were divided.
func originOf(row plan.Row, d *datasets.Data) origin {
	if d == nil {
		return origin{labels: row.Entry.Labels}
	}
	made := origin{lines: d.Lines, labels: d.Labels}
	parts, digest, err := datasets.Divide(row.Entry, d, row.Rule)
	if err == nil && len(row.Jobs) > 0 && len(row.Jobs[0]) > 0 && row.Jobs[0][0].Inputs.SplitDigest == digest {
		made.rows = parts[2]
	}
	return made
}

// of are the fields that tell where a test sample comes from: row and line.
func (o origin) of(sample int) (row, line string) {
	if sample >= len(o.rows) {
		return "", ""
	}
	at := o.rows[sample]
	if at < len(o.lines) {
		line = strconv.Itoa(o.lines[at])
	}
	return strconv.Itoa(at + 1), line
}

// class is the name of a class.
func (o origin) class(code int) string {
	if code < 1 || code > len(o.labels) {
		return ""
	}
	return text.CSVText(o.labels[code-1])
}

// longCell writes the lines of a cell, if it is there.
func longCell(st *store.Store, column string, j plan.Job, from origin, write func([]string) error) (there bool, err error) {
	cell, there, err := st.Find(j.Inputs)
	if err != nil || !there {
		return false, err
	}
	record := make([]string, len(LongHead))
	record[0], record[1], record[2] = text.CSVText(j.Inputs.Dataset), text.CSVText(j.Inputs.Split), text.CSVText(column)
	record[3] = strconv.FormatUint(j.Inputs.Seed, 10)
	for i, truth := range cell.Truth {
		record[4], record[5], record[6] = strconv.Itoa(i+1), strconv.Itoa(truth), strconv.Itoa(cell.Predicted[i])
		record[7], record[8] = from.of(i)
		record[9], record[10] = from.class(truth), from.class(cell.Predicted[i])
		if err := write(record); err != nil {
			return true, err
		}
	}
	return true, nil
}
