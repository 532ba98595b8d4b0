package reproduction

import (
	"strings"
	"testing"
)

func TestHours(t *testing.T) {
	for seconds, want := range map[float64]string{0: "-", 35: "<0.01", 36: "0.01", 5400: "1.50", 35999: "10.00", 36000: "10", 360_000: "100"} {
		if got := hours(seconds); got != want {
			t.Errorf("%g s are %q, want %q", seconds, got, want)
		}
	}
}

func TestListOfWhatIsAbsent(t *testing.T) {
	if text := notRun(nil).markdown(); !strings.Contains(text, "every cell of the specs above is there") {
		t.Errorf("nothing absent is told as %q", text)
	}
	text := notRun([]Group{
		{"splits", "t-r2lml", 60, []Absence{{"usps", 20, 20, 72_000}, {"a|b", 1, 20, 0}}},
		{"toy", "euclidean", 1, []Absence{{"toy", 1, 1, 0}}},
	}).markdown()
	for _, want := range []string{"22 are absent", "about 20 hours", `| usps 20/20, a\|b 1/20 | 21 of 60 | 20 |`, "| toy 1/1 | 1 of 1 | - |"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing of\n%s", want, text)
		}
	}
}
