package judge

import (
	"context"
	"strconv"

	"r2lmlbench/experiments/plan"
	"r2lmlbench/internal/text"
	"r2lmlbench/results/store"
)

// LongHead names the fields of the lines that [Long] writes.
var LongHead = []string{"dataset", "split", "method", "seed", "row", "truth", "predicted"}

// Long writes a line for every test sample of every stored cell of a plan: data set,
// split, column, seed, number of the sample among the test samples from 1, and the codes
// of its class and of the one that it was given. Cells come one at a time, and of the
// store what one data set needs stays in memory. It returns how many cells are not there
// and ends with the first error of write, or of ctx. The record is valid until write
// returns.
func Long(ctx context.Context, p plan.Plan, st *store.Store, write func(record []string) error) (missing int, err error) {
	snapshot, of := st.Snapshot(), ""
	for _, row := range p.Rows {
		if row.Entry.ID != of {
			snapshot, of = st.Snapshot(), row.Entry.ID
		}
		for i, jobs := range row.Jobs {
			for _, j := range jobs {
				if ctx.Err() != nil {
					return missing, ctx.Err()
				}
				there, err := longCell(snapshot, p.Spec.Columns[i].ID, j, write)
				if err != nil {
					return missing, err
				}
				if !there {
					missing++
				}
			}
		}
	}
	return missing, nil
}

// longCell writes the lines of a cell, if it is there.
func longCell(st *store.Store, column string, j plan.Job, write func([]string) error) (there bool, err error) {
	cell, there, err := st.Find(j.Inputs)
	if err != nil || !there {
		return false, err
	}
	record := []string{
		text.CSVText(j.Inputs.Dataset), text.CSVText(j.Inputs.Split), text.CSVText(column), strconv.FormatUint(j.Inputs.Seed, 10), "", "", "",
	}
	for i, truth := range cell.Truth {
		record[4], record[5], record[6] = strconv.Itoa(i+1), strconv.Itoa(truth), strconv.Itoa(cell.Predicted[i])
		if err := write(record); err != nil {
			return true, err
		}
	}
	return true, nil
}
