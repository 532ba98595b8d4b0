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

// A Notation is the notation of classes in a file: codes from 1 to Classes or, if Texts is not
// nil, the label texts of the data, in code order.
type Notation struct {
	Classes int
	Texts   []string
}

// Bytes returns the largest size of a file with the labels of this number of samples.
func (n Notation) Bytes(samples int) int64 {
	longest := 0
	for _, text := range n.Texts {
		longest = max(longest, len(text))
	}
	return 4096 + int64(64+2*longest)*int64(samples) // quotes within a field are doubled
}

// code returns the code of a class in a file. A number in another form, such as 1.0 for 1,
// names the class of its value, unless two classes have that value.
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

// ReadLabels reads predictions: a CSV file with a line per sample. Its columns
// are
//
//	label  the class, in the notation
//	row    number of the sample, counted from 1
//
// and the header names them. Without a row column the lines are in the order of the
// samples, and a file with labels only needs no header. Every sample must have one
// label. The errors begin with file and, if known, the line.
func ReadLabels(file string, r io.Reader, samples int, n Notation) ([]int, error) {
	limited := &io.LimitedReader{R: r, N: n.Bytes(samples) + 1}
	content := bufio.NewReader(limited)
	if mark, _ := content.Peek(3); string(mark) == "\ufeff" { // byte order mark
		content.Discard(3)
	}
	lines := csv.NewReader(content)
	labels, count := make([]int, samples), 0 // 0: no label yet
	labelColumn, rowColumn := 0, -1
	for first := true; ; first = false {
		record, err := lines.Read()
		var broken *csv.ParseError
		switch {
		case limited.N == 0:
			return nil, fmt.Errorf("%s: more than %d bytes for %d labels", file, n.Bytes(samples), samples)
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
			return nil, fmt.Errorf("%s:%d: %w", file, line, fmt.Errorf(format, args...))
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
			number, err := strconv.Atoi(record[rowColumn])
			if err != nil || number < 1 || number > samples {
				return fault("row %.40q, want a whole number from 1 to %d", record[rowColumn], samples)
			}
			at = number - 1
		}
		if at >= samples {
			return fault("a label too many, there are %d samples", samples)
		}
		code, err := n.code(record[labelColumn])
		if err != nil {
			return fault("%w", err)
		}
		if labels[at] != 0 {
			return fault("row %d has a label already", at+1)
		}
		labels[at] = code
		count++
	}
}
