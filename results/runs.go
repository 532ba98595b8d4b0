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

// ParseRuns reads what formatRuns writes and nothing else.
func ParseRuns(text string) ([]int, error) {
	if text == "" {
		return nil, nil
	}
	type labelRun struct{ label, count int }
	runs := make([]labelRun, 0, strings.Count(text, " ")+1)
	total := 0
	for part := range strings.SplitSeq(text, " ") {
		label, count, err := parseRun(part)
		switch before := len(runs); {
		case err != nil:
			return nil, fmt.Errorf("run %d: %w", before+1, err)
		case before > 0 && runs[before-1].label == label:
			return nil, fmt.Errorf("run %d repeats the label of the run before it", before+1)
		case count > maxLabels-total:
			return nil, fmt.Errorf("run %d: more than %d labels", before+1, maxLabels)
		}
		runs = append(runs, labelRun{label, count})
		total += count
	}
	labels := make([]int, 0, total)
	for _, run := range runs {
		for range run.count {
			labels = append(labels, run.label)
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
	if digits := strings.TrimPrefix(text, "-"); err == nil && text != "0" && (digits[0] < '1' || digits[0] > '9') {
		err = errors.New("not the plain decimal form")
	}
	if err != nil {
		return 0, fmt.Errorf("%q is not an integer as this file writes them", text)
	}
	return n, nil
}
