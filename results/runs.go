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

// ParseRuns reads what formatRuns writes and nothing else. expected is the number of
// labels that there should be, for which room is made at once.
func ParseRuns(text string, expected int) ([]int, error) {
	if text == "" {
		return nil, nil
	}
	labels := make([]int, 0, min(expected, maxLabels))
	err := eachRun(text, func(r labelRun) {
		for range r.count {
			labels = append(labels, r.label)
		}
	})
	if err != nil {
		return nil, err
	}
	return labels, nil
}

// checkRuns counts the labels of a text.
func checkRuns(text string) (labels int, err error) {
	err = eachRun(text, func(r labelRun) { labels += r.count })
	return labels, err
}

// eachRun calls do for every run of a text, up to the first that formatRuns would not
// have written.
func eachRun(text string, do func(labelRun)) error {
	var before labelRun
	number, labels := 1, 0
	for rest, more := text, true; more; number++ {
		var r labelRun
		var err error
		r, rest, more, err = cutRun(rest)
		switch {
		case err != nil:
			return fmt.Errorf("run %d: %w", number, err)
		case number > 1 && before.label == r.label:
			return fmt.Errorf("run %d repeats the label of the run before it", number)
		case r.count > maxLabels-labels:
			return fmt.Errorf("run %d: more than %d labels", number, maxLabels)
		}
		labels += r.count
		before = r
		do(r)
	}
	return nil
}

// A labelRun is a label with how often it stands in a row.
type labelRun struct{ label, count int }

// cutRun reads the first run of a text, and tells whether there are more.
func cutRun(text string) (r labelRun, rest string, more bool, err error) {
	if r, end, ok := plainRun(text); ok {
		if end == len(text) {
			return r, "", false, nil
		}
		return r, text[end+1:], true, nil
	}
	run, rest, more := strings.Cut(text, " ")
	r.label, r.count, err = parseRun(run)
	return r, rest, more, err
}

// plainRun is parseRun for the first run of a text, which ends before end, if its
// numbers are small and not negative. It is not ok for all others, wrong ones
// included.
func plainRun(text string) (r labelRun, end int, ok bool) {
	r.label, end = plainInt(text)
	if end == 0 {
		return r, 0, false
	}
	r.count = 1
	if end < len(text) && text[end] == 'x' {
		var digits int
		if r.count, digits = plainInt(text[end+1:]); digits == 0 || r.count < 2 {
			return r, 0, false
		}
		end += 1 + digits
	}
	return r, end, end == len(text) || text[end] == ' '
}

// plainInt reads the decimal digits that a text begins with, at most nine and
// without a zero in front. It has read none if that is not what stands there.
func plainInt(text string) (n, digits int) {
	for digits < len(text) && '0' <= text[digits] && text[digits] <= '9' {
		n = 10*n + int(text[digits]-'0')
		digits++
		if digits > 9 {
			return 0, 0
		}
	}
	if digits > 1 && text[0] == '0' {
		return 0, 0
	}
	return n, digits
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
