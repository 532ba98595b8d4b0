package external

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"r2lmlbench/datasets/tabular"
)

// A Notation says how a file names classes: by codes from 1 to Classes or, if Texts is not nil, by
// the label texts of the data, in code order.
type Notation struct {
	Classes int
	Texts   []string
}

// Bytes returns the maximum size of a file with the labels of this number of samples.
func (n Notation) Bytes(samples int) int64 {
	longest := 0
	for _, text := range n.Texts {
		longest = max(longest, len(text))
	}
	return 4096 + int64(64+2*longest)*int64(samples) // quotes within a field are doubled
}

// code returns the class code of a label. A number in another form, such as 1.0 for 1, names the
// class with its value, unless two classes have it.
func (n Notation) code(label string) (int, error) {
	if n.Texts == nil {
		code, err := strconv.Atoi(label)
		switch {
		case err != nil:
			return 0, fmt.Errorf("label %.40q is no whole number; want a class from 1 to %d", label, n.Classes)
		case code < 1 || code > n.Classes:
			return 0, fmt.Errorf("label %d is unknown; want a class from 1 to %d", code, n.Classes)
		}
		return code, nil
	}
	if at := slices.Index(n.Texts, label); at >= 0 {
		return at + 1, nil
	}
	code, equal := 0, 0
	if v, err := strconv.ParseFloat(label, 64); err == nil {
		for i, text := range n.Texts {
			if of, err := strconv.ParseFloat(text, 64); err == nil && of == v {
				code, equal = i+1, equal+1
			}
		}
	}
	if equal != 1 {
		const most = 12
		return 0, fmt.Errorf("label %.40q is no class of the data, which has %d, such as %.40q; class codes are read with --codes",
			label, len(n.Texts), n.Texts[:min(most, len(n.Texts))])
	}
	return code, nil
}

// ReadLabels reads predictions: a table of any format that package tabular reads, with a
// row per sample. Its columns are
//
//	label  the class, in the notation
//	row    number of the sample, counted from 1
//
// and the header names them. Without a row column the rows are in the order of the
// samples, and delimited text with labels only needs no header. Every sample must have one
// label. The errors begin with file and, if known, the line.
func ReadLabels(ctx context.Context, file string, b []byte, samples int, n Notation) ([]int, error) {
	if int64(len(b)) > n.Bytes(samples) {
		return nil, fmt.Errorf("%s: more than %d bytes for %d labels", file, n.Bytes(samples), samples)
	}
	cells, err := openLabels(ctx, file, b)
	if err != nil {
		return nil, err
	}
	label, row := max(0, slices.Index(cells.Names, "label")), slices.Index(cells.Names, "row")
	var others []string
	for i, name := range cells.Names {
		if i != label && i != row {
			others = append(others, name)
		}
	}
	labels, count := make([]int, samples), 0 // label 0: not read yet
	err = cells.Each(func(line int, r []tabular.Value) error {
		at, err := count, error(nil)
		if row >= 0 {
			at, err = strconv.Atoi(r[row].Text)
			at--
		}
		code, unknown := n.code(r[label].Text)
		switch {
		case row >= 0 && (err != nil || at < 0 || at >= samples):
			err = fmt.Errorf("row %.40q, want a whole number from 1 to %d", r[row].Text, samples)
		case len(others) > 0:
			err = otherColumn(others[0])
		case cells.Names == nil && len(r) > 1:
			err = otherColumn(r[0].Text)
		case at >= samples:
			err = fmt.Errorf("a label too many, there are %d samples", samples)
		case unknown != nil:
			err = unknown
		case labels[at] != 0:
			err = fmt.Errorf("row %d has a label already", at+1)
		}
		if err != nil {
			return fmt.Errorf("%s:%d: %w", file, line, err)
		}
		labels[at] = code
		count++
		return nil
	})
	switch {
	case err != nil:
		return nil, err
	case count < samples:
		return nil, fmt.Errorf("%s: %d labels for %d samples; the first without one is row %d", file, count, samples, slices.Index(labels, 0)+1)
	}
	return labels, nil
}

// otherColumn refuses a column that is neither label nor row.
func otherColumn(name string) error {
	return fmt.Errorf("column %.40q; want the columns label and, when the rows are not in order, row", name)
}

// openLabels opens a file of labels, by the layouts that it may have.
func openLabels(ctx context.Context, file string, b []byte) (cells *tabular.Cells, err error) {
	named := tabular.ColumnRef{Name: "label"}
	for _, o := range []tabular.Layout{
		{Label: named}, {Label: named, Delimiter: "comma"}, {Delimiter: "comma", Header: new(false)}, // labels in a single column may contain spaces
	} {
		cells, err = tabular.OpenCells(ctx, file, b, tabular.MaxBytes, o)
		if err == nil && slices.Contains(cells.Names, "label") && (len(cells.Names) > 1 || o.Delimiter != "") {
			break
		}
	}
	return cells, err
}
