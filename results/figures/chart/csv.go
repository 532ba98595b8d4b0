package chart

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
)

// EncodeCSV writes lines under a heading.
func EncodeCSV(heading []string, lines [][]string) ([]byte, error) {
	var b bytes.Buffer
	out := csv.NewWriter(&b)
	for _, line := range append([][]string{heading}, lines...) {
		fields := make([]string, len(line))
		for i, field := range line {
			fields[i] = harmless(field)
		}
		if err := out.Write(fields); err != nil {
			return nil, fmt.Errorf("chart: %w", err)
		}
	}
	out.Flush()
	return b.Bytes(), out.Error()
}

var PlainNumber = regexp.MustCompile(`^[+-]?[0-9]+(\.[0-9]+)?(e[+-][0-9]+)?$`)

// harmless puts an apostrophe before a text that a spreadsheet would take for a
// formula; numbers stay as they are.
func harmless(field string) string {
	if field != "" && strings.ContainsRune("=+-@\t\r", rune(field[0])) && !PlainNumber.MatchString(field) {
		return "'" + field
	}
	return field
}

// Number writes six significant digits, and nothing for what is no number.
func Number(x float64) string {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return ""
	}
	return strconv.FormatFloat(x, 'g', 6, 64)
}
