package tabular

import (
	"cmp"
	"context"
	"math"
	"slices"
)

// A Value is a field of a file as it is written, and the number that this spells.
type Value struct {
	Text    string
	Number  float64 // NaN: it spells none
	Missing bool    // it is empty, or means a missing number
	Absent  bool    // nothing is written: a key that a record lacks, or a null
}

// Cells are all rows of a file, whatever its columns are for.
type Cells struct {
	Names []string // of the columns; nil: they have none
	Why   []string // a sentence for each guess about comments and decimal commas
	of    *builder
}

// OpenCells opens a file of at most so many bytes the way that Read does: packings, formats, headers, delimiters.
// Lines of comment, one that names the delimiter to spreadsheets, and decimal commas are guessed, unless the options give a delimiter. Labels that stand beside
// the columns, as in LIBSVM, are left out. The error is that of Read.
func OpenCells(ctx context.Context, name string, b []byte, most int, o Layout) (*Cells, error) {
	if o.Label.IsZero() {
		o.Label = ColumnRef{Name: First} // of attributes, of which none needs to be the label
	}
	g := guesser{Proposal: Proposal{Options: o}, given: o}
	open := func() *builder {
		t := newBuilder(ctx, name, b, g.Options)
		t.limit, t.cells = most, true
		return t
	}
	proposals := []func(*guesser){(*guesser).comments, (*guesser).separator, (*guesser).decimals}
	if o.Delimiter != "" {
		proposals = nil
	}
	g.propose(open, 1_000, proposals)
	if err := g.err(); err != nil {
		return nil, err
	}
	s := &Cells{Names: slices.Clone(g.sheet.names), of: g.builder}
	if mark := g.Options.Comment; mark != o.Comment {
		s.Why = append(s.Why, "lines that begin with "+mark+" are taken for comments")
	}
	if g.Options.Decimal != o.Decimal {
		s.Why = append(s.Why, "commas are taken for decimal, for no number has a point")
	}
	if g.rowNames {
		s.Names[0] = "" // as the file has it
	}
	return s, nil
}

// Each gives the rows in order, with the lines on which they begin, until use returns an error. The cells are those of
// another row after the next call. Faults of the file come before that error.
func (s *Cells) Each(use func(line int, cells []Value) error) (err error) {
	t := s.of
	cells := make([]Value, t.sheet.width)
	t.sheet.each(&t.reporter, func(r row) bool {
		for i, c := range r.cells {
			cells[i] = Value{Text: c.label(), Number: math.NaN(), Missing: t.missing(c, numbers), Absent: c.is == absent || t.declared(i) == aside}
			if c.is == number {
				cells[i].Number = c.number
			} else if c.is == written && numberLike(c.text) {
				if v, err := t.options.number(c.text); err == nil {
					cells[i].Number = v
				}
			}
		}
		err = use(r.line, cells)
		return err == nil && len(t.faults) == 0
	})
	return cmp.Or(t.err(), err)
}
