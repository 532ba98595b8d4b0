package results

import (
	"errors"
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
	for run := range strings.SplitSeq(text, " ") {
		spelled, times, repeated := strings.Cut(run, "x")
		label, err := strconv.Atoi(spelled)
		count := 1
		if err == nil && repeated {
			count, err = strconv.Atoi(times)
		}
		if err != nil || count > maxLabels-len(labels) {
			return nil, fmt.Errorf("no runs of at most %d labels", maxLabels)
		}
		for range count {
			labels = append(labels, label)
		}
	}
	if formatRuns(labels) != text {
		return nil, errors.New("labels in other runs than this file has")
	}
	return labels, nil
}
