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
	content := bufio.NewReader(limited)
	if mark, _ := content.Peek(3); string(mark) == "\ufeff" { // which some programs put at the beginning
		content.Discard(3)
	}
	lines := csv.NewReader(content)
	labels, count := make([]int, samples), 0 // 0 stands for none
	labelColumn, rowColumn := 0, -1
	for first := true; ; first = false {
		record, err := lines.Read()
		var broken *csv.ParseError
		switch {
		case limited.N == 0:
			return nil, fmt.Errorf("%s: more than %d bytes for %d labels", file, LabelBytes(samples), samples)
		case err == io.EOF && count < samples:
			return nil, fmt.Errorf("%s: %d labels for %d samples; the first without one is row %d", file, count, samples, slices.Index(labels, 0)+1)
		case err == io.EOF:
			return labels, nil
		case errors.As(err, &broken) && errors.Is(err, csv.ErrFieldCount):
			return nil, fmt.Errorf("%s:%d: not as many columns as in the lines before", file, broken.Line)
		case errors.As(err, &broken):
			return nil, fmt.Errorf("%s:%d: %w", file, broken.Line, broken.Err)
		case err != nil:
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		line, _ := lines.FieldPos(0)
		fault := func(format string, args ...any) ([]int, error) {
			return nil, fmt.Errorf("%s:%d: %s", file, line, fmt.Sprintf(format, args...))
		}
		for i, field := range record {
			record[i] = strings.TrimSpace(field)
		}

		// The names of the columns.
		if first && (len(record) > 1 || record[0] == "label") {
			labelColumn = -1
			for i, name := range record {
				switch {
				case name == "label" && labelColumn < 0:
					labelColumn = i
				case name == "row" && rowColumn < 0:
					rowColumn = i
				default:
					return fault("column %.40q; want the columns label and, when the lines are not in order, row", name)
				}
			}
			if labelColumn < 0 {
				return fault("no column is called label")
			}
			continue
		}

		// A label, and the sample that it is for.
		at := count
		if rowColumn >= 0 {
			n, err := strconv.Atoi(record[rowColumn])
			if err != nil || n < 1 || n > samples {
				return fault("row %.40q, want a whole number from 1 to %d", record[rowColumn], samples)
			}
			at = n - 1
		}
		if at >= samples {
			return fault("a label too many, there are %d samples", samples)
		}
		code, err := strconv.Atoi(record[labelColumn])
		switch {
		case err != nil:
			return fault("label %.40q is no whole number; want a class from 1 to %d", record[labelColumn], classes)
		case code < 1 || code > classes:
			return fault("label %d is unknown; want a class from 1 to %d", code, classes)
		case labels[at] != 0:
			return fault("row %d has a label already", at+1)
		}
		labels[at] = code
		count++
	}
}
