package results

import (
	"fmt"
	"slices"
	"testing"

	"r2lmlbench/internal/fixture"
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
		fixture.Equal(t, fmt.Sprint(c.labels), formatRuns(c.labels), c.want)
		if got, err := parseRuns(c.want, 0); err != nil || !slices.Equal(got, c.labels) {
			t.Errorf("%q: %v, error %v, want %v", c.want, got, err, c.labels)
		}
	}
}

// FuzzRuns: what is accepted is what would be written, and no more labels than there may be.
func FuzzRuns(f *testing.F) {
	for _, text := range []string{
		"", "1", "1x40 2 1x3", "-1x2", "1x4194304",
		" ", "1 ", " 1", "1  2", "1\n", "01", "+1", "-0", "1.5", "x", "1x", "x3", "1x1", "1x0", "1x-2", "1x02",
		"1 1", "1x2 1", "1x2x3", "a", "1,2", "1x4194305", "1x4194304 2", "9999999999999999999", "1x9999999999999999999",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		labels, err := parseRuns(text, 0)
		if err != nil {
			return
		}
		if len(labels) > maxLabels {
			t.Errorf("%d labels", len(labels))
		}
		if again := formatRuns(labels); again != text {
			t.Errorf("%q was accepted, but is written %q", text, again)
		}
	})
}
