package datasets

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// A shape is the layout of a delimited text file with one sample per line. Fields
// are counted from 1. Lines may end in CR LF; empty lines are skipped.
type shape struct {
	Separator string // "," or ";"; "": blanks and commas
	Fields    int    // per line
	Label     int    // field that holds the label; 0: all samples are of class
	Class     string // label of all samples, if no field holds it
	Number    bool   // labels are whole numbers: "6.0000" is read as "6"
	Drop      int    // field to skip: an id, a constant; 0: none
	Header    int    // lines before the first sample
	Keel      bool   // header of KEEL: lines that start with @, or one line "20 2"
	Missing   string // text of a missing value, which is counted and read as 0
}

// read appends the samples in b to raw. Errors name the file and the line.
func (s shape) read(raw *Raw, name string, b []byte) error {
	text := string(b)
	var fields []string
	for line := 1; text != ""; line++ {
		var row string
		row, text, _ = strings.Cut(text, "\n")
		row = strings.TrimSpace(row)
		heads := line <= s.Header
		if s.Keel {
			heads = row != "" && (row[0] == '@' || line == 1 && row == "20 2")
		}
		if row == "" || heads {
			continue
		}
		fields = s.split(fields[:0], row)
		if err := s.sample(raw, fields); err != nil {
			return fmt.Errorf("%s:%d: %w", name, line, err)
		}
	}
	return nil
}

func (s shape) split(fields []string, row string) []string {
	if s.Separator == "" {
		return append(fields, strings.FieldsFunc(row, func(r rune) bool { return r == ' ' || r == '\t' || r == ',' })...)
	}
	for more := true; more; {
		var field string
		field, row, more = strings.Cut(row, s.Separator)
		fields = append(fields, strings.TrimSpace(field))
	}
	return fields
}

// sample appends the sample of one line.
func (s shape) sample(raw *Raw, fields []string) error {
	if len(fields) != s.Fields {
		return fmt.Errorf("%d fields, want %d", len(fields), s.Fields)
	}
	label, x := s.Class, make([]float64, 0, s.Fields)
	for i, field := range fields {
		var err error
		switch {
		case i+1 == s.Label:
			label, err = s.text(field)
		case i+1 == s.Drop:
		case s.Missing != "" && field == s.Missing:
			x = append(x, 0)
			raw.Missing++
		default:
			var v float64
			v, err = finite(field)
			x = append(x, v)
		}
		if err != nil {
			return fmt.Errorf("field %d: %w", i+1, err)
		}
	}
	raw.X, raw.Labels = append(raw.X, x), append(raw.Labels, label)
	return nil
}

// text returns the label of a field, in its shortest form if it is a number.
func (s shape) text(field string) (string, error) {
	if !s.Number {
		return field, nil
	}
	v, err := finite(field)
	if err == nil && v != math.Trunc(v) {
		err = fmt.Errorf("label %q is no whole number", field)
	}
	return strconv.FormatFloat(v, 'f', -1, 64), err
}

// finite reads a decimal number.
func finite(field string) (float64, error) {
	v, err := strconv.ParseFloat(field, 64)
	if err == nil && (math.IsNaN(v) || math.IsInf(v, 0)) {
		err = errors.New("not finite")
	}
	if err != nil {
		return 0, fmt.Errorf("%.40q is not a finite number", field)
	}
	return v, nil
}

// A table is a delimited file and its shape.
type table struct {
	name  string
	shape shape
}

// tables returns a loader that stacks files in the order given, and divides their features
// by a constant, 0 for none.
func tables(by float64, parts ...table) func(map[string][]byte) (*Raw, error) {
	return func(files map[string][]byte) (*Raw, error) {
		raw := &Raw{}
		for _, t := range parts {
			if err := t.shape.read(raw, t.name, files[t.name]); err != nil {
				return nil, err
			}
		}
		if by == 0 {
			return raw, nil
		}
		for _, row := range raw.X {
			for j := range row {
				row[j] /= by
			}
		}
		return raw, nil
	}
}
