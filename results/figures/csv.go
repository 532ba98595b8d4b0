package figures

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"

	"r2lmlbench/results/study"
	"r2lmlbench/results/table"
)

// encodeCSV writes lines under a heading.
func encodeCSV(heading []string, lines [][]string) ([]byte, error) {
	var b bytes.Buffer
	out := csv.NewWriter(&b)
	for _, line := range append([][]string{heading}, lines...) {
		fields := make([]string, len(line))
		for i, field := range line {
			fields[i] = harmless(field)
		}
		if err := out.Write(fields); err != nil {
			return nil, fmt.Errorf("figures: %w", err)
		}
	}
	out.Flush()
	return b.Bytes(), out.Error()
}

var plainNumber = regexp.MustCompile(`^[+-]?[0-9]+(\.[0-9]+)?(e[+-][0-9]+)?$`)

// harmless puts an apostrophe before a text that a spreadsheet would take for a
// formula; numbers stay as they are.
func harmless(field string) string {
	if field != "" && strings.ContainsRune("=+-@\t\r", rune(field[0])) && !plainNumber.MatchString(field) {
		return "'" + field
	}
	return field
}

// number writes six significant digits, and nothing for what is no number.
func number(x float64) string {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return ""
	}
	return strconv.FormatFloat(x, 'g', 6, 64)
}

// accuracy is the share of right answers in percent, NaN without any.
func accuracy(set study.Set, s *table.Score) float64 {
	if s == nil || set.N <= 0 {
		return math.NaN()
	}
	return 100 * float64(s.Correct) / float64(set.N)
}

// outcome is the fields of a CSV line on a cell: correct, n, accuracy, status.
func outcome(set study.Set, c table.Cell) []string {
	if c.Score == nil {
		return []string{"", strconv.Itoa(set.N), "", c.Status}
	}
	return []string{strconv.Itoa(c.Correct), strconv.Itoa(set.N), c.Accuracy, c.Status}
}

// setName is a data set's printed name with its letter, "B Letter".
func setName(set study.Set) string {
	return strings.TrimSpace(set.Letter + " " + set.Name)
}
