package chart

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"math"
	"strconv"

	"r2lmlbench/internal/text"
)

// EncodeCSV writes lines under a heading.
func EncodeCSV(heading []string, lines [][]string) ([]byte, error) {
	var b bytes.Buffer
	out := csv.NewWriter(&b)
	for _, line := range append([][]string{heading}, lines...) {
		fields := make([]string, len(line))
		for i, field := range line {
			fields[i] = text.CSVText(field)
		}
		if err := out.Write(fields); err != nil {
			return nil, fmt.Errorf("chart: %w", err)
		}
	}
	out.Flush()
	return b.Bytes(), out.Error()
}

// Number writes six significant digits, and nothing for what is no number.
func Number(x float64) string {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return ""
	}
	return strconv.FormatFloat(x, 'g', 6, 64)
}
