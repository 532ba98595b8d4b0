package published

import (
	"encoding/csv"
	"fmt"
	"strings"
)

// mustRead reads an embedded table. A test reads each of them, so an error is a
// programming error.
func mustRead[T any](name, text string, fields int, parse func([]string) (T, error)) []T {
	all, err := read(text, fields, parse)
	if err != nil {
		panic(fmt.Sprintf("results: published/%s: %v", name, err))
	}
	return all
}

// read parses every line of a table of comma-separated values but its heading.
func read[T any](text string, fields int, parse func([]string) (T, error)) ([]T, error) {
	r := csv.NewReader(strings.NewReader(text))
	r.FieldsPerRecord = fields
	if _, err := r.Read(); err != nil { // the heading
		return nil, err
	}
	lines, err := r.ReadAll()
	if err != nil {
		return nil, err
	}
	all := make([]T, len(lines))
	for i, line := range lines {
		if all[i], err = parse(line); err != nil {
			return nil, fmt.Errorf("line %d: %w", i+2, err)
		}
	}
	return all, nil
}
