package results_test

import (
	"slices"
	"testing"

	. "r2lmlbench/results"
)

func TestRuns(t *testing.T) {
	for _, c := range []struct {
		labels []int
		want   string
	}{
		{nil, ""},
		{[]int{4}, "4"},
		{[]int{2, 2}, "2x2"},
		{append(append(slices.Repeat([]int{1}, 40), 2), 1, 1, 1), "1x40 2 1x3"},
		{[]int{0, -1, -1, 12}, "0 -1x2 12"},
	} {
		if got := FormatRuns(c.labels); got != c.want {
			t.Errorf("%v: %q, want %q", c.labels, got, c.want)
		}
		if got, err := ParseRuns(c.want, 0); err != nil || !slices.Equal(got, c.labels) {
			t.Errorf("%q: %v, error %v, want %v", c.want, got, err, c.labels)
		}
	}
}

func FuzzRuns(f *testing.F) {
	for _, text := range []string{"", "1", "1x40 2 1x3", "-1x2", "1x1", "1x4194304", "1 1", "x"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		labels, err := ParseRuns(text, 0)
		if err != nil {
			return
		}
		if len(labels) > MaxLabels {
			t.Errorf("%d labels", len(labels))
		}
		if again := FormatRuns(labels); again != text {
			t.Errorf("%q was accepted, but is written %q", text, again)
		}
	})
}
