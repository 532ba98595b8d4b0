package results

import (
	"fmt"
	"strconv"
	"strings"
)

// maxLabels bounds how many labels a run-length text may stand for, so that a
// few bytes cannot ask for all memory.
const maxLabels = 1 << 22

// formatRuns writes labels as runs: "1x40 2 1x3" is forty times 1, one 2,
// three times 1. Neighbouring runs differ and a single label carries no count,
// so that a sequence has exactly one text.
func formatRuns(labels []int) string {
	var b strings.Builder
	for start := 0; start < len(labels); {
		end := start + 1
		for end < len(labels) && labels[end] == labels[start] {
			end++
		}
		if start > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(strconv.Itoa(labels[start]))
		if end-start > 1 {
			b.WriteByte('x')
			b.WriteString(strconv.Itoa(end - start))
		}
		start = end
	}
	return b.String()
}

// parseRuns reads what formatRuns writes and nothing else. expected is the number of
// labels that there should be, for which room is made at once.
func parseRuns(text string, expected int) ([]int, error) {
	if text == "" {
		return nil, nil
	}
	labels := make([]int, 0, min(expected, maxLabels))
	for number, rest := 1, text; ; number++ {
		label, behind, ok := cutInt(rest)
		count := 1
		if ok && strings.HasPrefix(behind, "x") {
			count, behind, ok = cutInt(behind[1:])
			ok = ok && count >= 2
		}
		switch n := len(labels); {
		case !ok || behind != "" && behind[0] != ' ':
			return nil, fmt.Errorf("run %d is neither a label nor one with a count of 2 or more, as this file writes them", number)
		case n > 0 && labels[n-1] == label:
			return nil, fmt.Errorf("run %d repeats the label of the run before it", number)
		case count > maxLabels-n:
			return nil, fmt.Errorf("run %d: more than %d labels", number, maxLabels)
		}
		for range count {
			labels = append(labels, label)
		}
		if behind == "" {
			return labels, nil
		}
		rest = behind[1:]
	}
}

// cutInt reads the integer that a text begins with, without "+", "05" and "-0".
func cutInt(text string) (n int, rest string, ok bool) {
	digits := strings.TrimPrefix(text, "-")
	negative, end := len(digits) < len(text), 0
	for end < min(len(digits), 19) && '0' <= digits[end] && digits[end] <= '9' {
		n = 10*n + int(digits[end]-'0') // of 19 digits it may become negative
		end++
	}
	if end == 0 || n < 0 || digits[0] == '0' && (end > 1 || negative) {
		return 0, "", false
	}
	if negative {
		n = -n
	}
	return n, digits[end:], true
}
