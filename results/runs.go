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

// parseRuns reads what formatRuns writes and nothing else.
func parseRuns(text string) ([]int, error) {
	if text == "" {
		return nil, nil
	}
	var labels []int
	for i, run := range strings.Split(text, " ") {
		label, count, err := parseRun(run)
		if err != nil {
			return nil, fmt.Errorf("run %d: %w", i+1, err)
		}
		if len(labels) > 0 && labels[len(labels)-1] == label {
			return nil, fmt.Errorf("run %d repeats the label of the run before it", i+1)
		}
		if count > maxLabels-len(labels) {
			return nil, fmt.Errorf("run %d: more than %d labels", i+1, maxLabels)
		}
		for range count {
			labels = append(labels, label)
		}
	}
	return labels, nil
}

// parseRun reads "label" or "labelxcount" with count at least 2.
func parseRun(run string) (label, count int, err error) {
	text, times, counted := strings.Cut(run, "x")
	if label, err = canonicalInt(text); err != nil {
		return 0, 0, err
	}
	if !counted {
		return label, 1, nil
	}
	if count, err = canonicalInt(times); err != nil {
		return 0, 0, err
	}
	if count < 2 {
		return 0, 0, fmt.Errorf("count %d, want 2 or more", count)
	}
	return label, count, nil
}

// canonicalInt is strconv.Atoi without "+5", "05" and "-0".
func canonicalInt(text string) (int, error) {
	n, err := strconv.Atoi(text)
	if err == nil && strconv.Itoa(n) != text {
		err = errors.New("not the plain decimal form")
	}
	if err != nil {
		return 0, fmt.Errorf("%q is not an integer as this file writes them", text)
	}
	return n, nil
}
