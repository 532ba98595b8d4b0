package external

import (
	"bufio"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// LabelBytes is how large a file with the labels of so many samples may be.
func LabelBytes(samples int) int64 { return 4096 + 64*int64(samples) }

// ReadLabels reads predictions: a CSV file with a line per sample. Its columns
// are
//
//	label  code of the class, 1 to classes
//	row    number of the sample, counted from 1
//
// and the header names them. Without a row column the lines stand in the order
// of the samples, and a file with labels alone needs no header. Every sample
// must have one label. The errors begin with file and, where there is one, the
// number of the line.
func ReadLabels(file string, r io.Reader, samples, classes int) ([]int, error) {
	limited := &io.LimitedReader{R: r, N: LabelBytes(samples) + 1}
	lines := csv.NewReader(unmarked(limited))
	lines.ReuseRecord = true
	l := labelList{of: make([]int, samples), classes: classes, row: -1}
	for first := true; ; first = false {
		record, err := lines.Read()
		switch {
		case limited.N == 0:
			return nil, fmt.Errorf("%s: more than %d bytes for %d labels", file, LabelBytes(samples), samples)
		case err == io.EOF:
			return l.complete(file)
		case err != nil:
			return nil, csvError(file, err)
		}
		if first && isHeader(record) {
			err = l.header(record)
		} else {
			err = l.add(record)
		}
		if err != nil {
			line, _ := lines.FieldPos(0)
			return nil, fmt.Errorf("%s:%d: %w", file, line, err)
		}
	}
}

// csvError says in our words where a file is no CSV.
func csvError(file string, err error) error {
	var fault *csv.ParseError
	switch {
	case !errors.As(err, &fault):
		return fmt.Errorf("%s: %w", file, err)
	case errors.Is(err, csv.ErrFieldCount):
		return fmt.Errorf("%s:%d: not as many columns as in the lines before", file, fault.Line)
	default:
		return fmt.Errorf("%s:%d: %w", file, fault.Line, fault.Err)
	}
}

// A labelList holds the labels read so far; 0 stands for none.
type labelList struct {
	of      []int
	classes int
	count   int
	label   int // column of the label
	row     int // column of the number of the sample, -1: lines are in order
}

// isHeader tells whether the first line of a file names its columns.
func isHeader(record []string) bool { return len(record) > 1 || cell(record, 0) == "label" }

// cell is a field without the spaces around it.
func cell(record []string, i int) string { return strings.TrimSpace(record[i]) }

// unmarked reads r without the mark that some programs put at the beginning of
// a UTF-8 file.
func unmarked(r io.Reader) io.Reader {
	b := bufio.NewReader(r)
	if start, _ := b.Peek(3); string(start) == "\ufeff" {
		b.Discard(3)
	}
	return b
}

func (l *labelList) header(record []string) error {
	l.label = -1
	for i := range record {
		switch name := cell(record, i); {
		case name == "label" && l.label < 0:
			l.label = i
		case name == "row" && l.row < 0:
			l.row = i
		default:
			return fmt.Errorf("column %.40q; want the columns label and, when the lines are not in order, row", name)
		}
	}
	if l.label < 0 {
		return errors.New("no column is called label")
	}
	return nil
}

// add takes a line.
func (l *labelList) add(record []string) error {
	at := l.count
	if l.row >= 0 {
		n, err := strconv.Atoi(cell(record, l.row))
		if err != nil || n < 1 || n > len(l.of) {
			return fmt.Errorf("row %.40q, want a whole number from 1 to %d", record[l.row], len(l.of))
		}
		at = n - 1
	}
	if at >= len(l.of) {
		return fmt.Errorf("a label too many, there are %d samples", len(l.of))
	}
	code, err := strconv.Atoi(cell(record, l.label))
	switch {
	case err != nil:
		return fmt.Errorf("label %.40q is no whole number; want a class from 1 to %d", record[l.label], l.classes)
	case code < 1 || code > l.classes:
		return fmt.Errorf("label %d is unknown; want a class from 1 to %d", code, l.classes)
	case l.of[at] != 0:
		return fmt.Errorf("row %d has a label already", at+1)
	}
	l.of[at] = code
	l.count++
	return nil
}

// complete returns the labels when none is missing.
func (l *labelList) complete(file string) ([]int, error) {
	if l.count == len(l.of) {
		return l.of, nil
	}
	return nil, fmt.Errorf("%s: %d labels for %d samples; the first without one is row %d",
		file, l.count, len(l.of), slices.Index(l.of, 0)+1)
}
