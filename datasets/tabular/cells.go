package tabular

import (
	"context"
	"slices"
)

// A Cell is a value of a file: a text, a number with the text that it is written as, or nothing.
type Cell struct {
	Text     string
	Number   float64
	IsNumber bool
	Missing  bool // Text is then "" or the text that means it
}

// Rows are the cells of a file, whatever its columns are for.
type Rows struct {
	Names []string // of the columns; nil: they have none
	Cells [][]Cell
	Lines []int // on which each row begins
}

// ReadRows reads all columns of a file the way that Read does: packings, formats, headers, and by the options
// decimal commas and texts that stand for missing values. Labels that stand beside the columns, as in LIBSVM, are
// left out. The error is that of Read.
func ReadRows(ctx context.Context, name string, b []byte, o Options) (Rows, error) {
	if o.Label.IsZero() {
		o.Label = Column{Name: First} // no column is used otherwise than others
	}
	t := newBuilder(ctx, name, b, o)
	t.survey = true
	var rows Rows
	if t.openSheet() {
		rows.Names = slices.Clone(t.sheet.names)
		t.sheet.each(&t.reporter, func(r row) bool {
			if !t.room(r.line) {
				return false
			}
			cells := make([]Cell, len(r.cells))
			for i, c := range r.cells {
				cells[i] = Cell{Text: c.label(), Number: c.number, IsNumber: c.is == number, Missing: t.missing(c, categories)}
				if v, err := t.options.number(c.text); c.is == written && err == nil {
					cells[i].Number, cells[i].IsNumber = v, true
				}
			}
			rows.Cells, rows.Lines = append(rows.Cells, cells), append(rows.Lines, r.line)
			t.dropped++ // which room counts
			return true
		})
	}
	if err := t.err(); err != nil {
		return Rows{}, err
	}
	return rows, nil
}
