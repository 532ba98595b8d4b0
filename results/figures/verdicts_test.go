package figures

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"

	"r2lmlbench/results/figures/chart"
	"r2lmlbench/results/verdict"
)

// lines reads a figure's numbers by the names of their columns.
func lines(t *testing.T, f chart.Figure) []map[string]string {
	t.Helper()
	all, err := csv.NewReader(bytes.NewReader(f.CSV)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var named []map[string]string
	for _, line := range all[1:] {
		one := map[string]string{}
		for i, name := range all[0] {
			one[name] = line[i]
		}
		named = append(named, one)
	}
	return named
}

// drawnOf is a figure of the three on verdicts.
func drawnOf(t *testing.T, v verdict.Verdicts, name string) chart.Figure {
	t.Helper()
	all, err := drawVerdicts(v)
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(all, func(f chart.Figure) bool { return f.Name == name })
	if i < 0 {
		t.Fatalf("there is no figure %s", name)
	}
	return all[i]
}

// Every word has a mark, in the color of its family.
func TestVerdictFamilies(t *testing.T) {
	var known []string
	for _, l := range verdictLooks {
		known = append(known, l.verdict)
	}
	if !slices.Equal(known, verdict.Words()) {
		t.Errorf("marks of %q, words %q", known, verdict.Words())
	}
	for _, r := range verdict.Rungs() {
		want := chart.Blue
		if r >= verdict.OnTest {
			want = chart.Purple
		}
		if got := lookOf(r.Word()).Color; got != want {
			t.Errorf("%s is %v, want %v", r.Word(), got, want)
		}
	}
	for _, word := range []string{verdict.Above, verdict.Between, verdict.Below} {
		if got := lookOf(word).Color; got != chart.Vermillion {
			t.Errorf("%s is %v", word, got)
		}
	}
}

// The numbers beside the strips are those of the verdicts.
func TestVerdictLines(t *testing.T) {
	v := everyVerdict()
	f := drawnOf(t, v, "verdicts")
	for i, line := range lines(t, f) {
		one := v.Verdicts[i]
		if line["verdict"] != one.Verdict || line["margin"] != one.Limit || line["gap"] != one.Gap || line["runs"] != strconv.Itoa(one.Runs) ||
			line["difference"] != one.Difference || line["setting"] != one.Setting || (line["rung"] == "") != (one.Rung == nil) ||
			(line["low"] == "") != (one.Range == nil) || (line["samples"] == "") != (one.Samples == nil) {
			t.Errorf("%v, want %+v", line, one)
		}
	}
}

// The parts of the bars add up to the printed numbers.
func TestLadderAddsUp(t *testing.T) {
	v := everyVerdict()
	f, sum, of := drawnOf(t, v, "ladder"), 0, map[string]string{}
	for _, line := range lines(t, f) {
		n, err := strconv.Atoi(line["count"])
		if err != nil {
			t.Fatal(err)
		}
		sum, of[line["method"]] = sum+n, line["of"]
	}
	if sum != v.Summary.Numbers || of["glml"] != "2" || of["euclidean"] != "2" {
		t.Errorf("%d of %d, %v", sum, v.Summary.Numbers, of)
	}
}

// Captions have the numbers that are drawn: those of the families add up to all, and
// the marks inside the band are those whose difference is at most the margin.
func TestCaptionsCount(t *testing.T) {
	v := everyVerdict()
	sum := 0
	ladder := regexp.MustCompile(`(\d+) \((?:discs|diamonds|triangles)[^)]*\)|with slanted crosses, (\d+)`)
	for _, found := range ladder.FindAllStringSubmatch(drawnOf(t, v, "ladder").See, -1) {
		n, err := strconv.Atoi(found[1] + found[2])
		if err != nil {
			t.Fatal(err)
		}
		sum += n
	}
	if sum != v.Summary.Numbers {
		t.Errorf("the caption of the ladder has %d numbers of %d", sum, v.Summary.Numbers)
	}
	f, inside, total := drawnOf(t, v, "verdicts"), 0, 0
	for _, line := range lines(t, f) {
		difference, err := strconv.ParseFloat(line["difference"], 64)
		margin, _ := strconv.ParseFloat(line["margin"], 64)
		total++
		inside += one(err == nil && math.Abs(difference) <= margin+1e-9)
	}
	if want := fmt.Sprintf("%d of %d are inside", inside, total); !strings.Contains(f.See, want) {
		t.Errorf("caption %q, want %q", f.See, want)
	}
}

// A bar ends in a cap where its range does, and in an arrow where that goes on beyond the
// strip; the caption counts the bars with an arrow.
func TestRangesThatGoOn(t *testing.T) {
	for _, c := range []struct {
		runs         []int // in percent; 50 is printed
		caps, arrows int
		say          string
	}{
		{[]int{50, 45, 55}, 2, 0, ""},
		{[]int{50, 39, 61}, 2, 0, ""},
		{[]int{50, 8, 52}, 1, 1, " The 1 bar that ends in an arrow goes on beyond it."},
		{[]int{50, 20, 90}, 0, 2, " The 1 bar that ends in an arrow goes on beyond it."},
		{[]int{50}, 0, 0, ""},
	} {
		v, err := verdict.Judge("accuracy", []verdict.Evidence{judged("A", "robot", "itml", "50.00", 2, map[verdict.Rung][]int{verdict.Stated: c.runs})})
		if err != nil {
			t.Fatal(err)
		}
		f := drawnOf(t, v, "verdicts")
		arrows := regexp.MustCompile(`<path class="s b" d="M[0-9. ]+l-?2 3`).FindAllString(string(f.SVG), -1)
		if len(arrows) != c.arrows || !strings.HasSuffix(f.See, c.say) || c.say == "" && strings.Contains(f.See, "arrow goes on") {
			t.Errorf("%d: %d arrows, want %d, caption %q", c.runs, len(arrows), c.arrows, f.See)
		}
		if n := len(regexp.MustCompile(`<path class="s b" d="M[0-9. ]+v-?6"`).FindAllString(string(f.SVG), -1)); n != c.caps {
			t.Errorf("%d: %d caps, want %d", c.runs, n, c.caps)
		}
	}
}

// The shares are those of the placebo, at 0 that of the printed numbers.
func TestPlaceboLines(t *testing.T) {
	v := everyVerdict()
	all := lines(t, drawnOf(t, v, "placebo"))
	for _, r := range v.Placebo.Rungs {
		found := func(distance string, share verdict.Share) bool {
			return slices.ContainsFunc(all, func(line map[string]string) bool {
				return line["method"] == r.Method && line["size"] == r.Size && line["rung"] == strconv.Itoa(r.Rung) && line["distance"] == distance &&
					line["reached"] == strconv.Itoa(share.Reached) && line["of"] == strconv.Itoa(share.Of)
			})
		}
		for _, m := range r.Moved {
			if !found(chart.Number(m.Points), m.Share) {
				t.Errorf("%+v has no line at %g", r, m.Points)
			}
		}
		if !found("0", r.Printed) || !found("another row", r.Rows) {
			t.Errorf("%+v is not among %v", r, all)
		}
	}
}

// The marks are at the settings that they speak of: the chosen one framed on both
// sides, the best and those within the margin on the side of the test samples.
func TestSurfaceMarks(t *testing.T) {
	figures, err := Surfaces(madeUpSurfaces(), everyVerdict().Evidence, nil)
	if err != nil || len(figures) != 2 {
		t.Fatalf("%d figures, %v", len(figures), err)
	}
	chosen, best, reached := 0, 0, 0
	for _, line := range lines(t, figures[0]) {
		chosen += one(line["chosen"] == "true")
		best += one(line["best"] == "true")
		reached += one(line["within_margin"] == "true")
		if at := line["metrics"] + " " + line["lambda"]; line["chosen"] == "true" && at != "1 1" || line["best"] == "true" && at != "2 0.1" {
			t.Errorf("%v", line)
		}
	}
	if chosen != 2 || best != 2 || reached != 2 { // the other method has no printed number on this set
		t.Errorf("%d chosen, %d best, %d within the margin", chosen, best, reached)
	}
	if n := filled(figures[0], chart.Purple); n != best+1 { // and one in the legend
		t.Errorf("%d marks of the best settings, want %d", n, best+1)
	}
	if n := filled(figures[0], chart.Vermillion); n != reached+1 {
		t.Errorf("%d marks of settings within the margin, want %d", n, reached+1)
	}
	for _, want := range []string{
		"E-R2LML, validation samples, K 1, λ 1: 60.00 %; chosen on validation<", "E-R2LML, test samples, K 1, λ 1: 60.00 %; chosen on validation<",
		"E-R2LML, test samples, K 2, λ 0.1: 72.00 %; best on test; within the margin of the printed accuracy<",
		"T-R2LML, test samples, K 2, λ 1e4: failed<",
	} {
		if !strings.Contains(string(figures[0].SVG), "<title>"+want) {
			t.Errorf("no field says %q", want)
		}
	}
	if texts := readSVG(t, figures[0]).texts; !slices.Contains(texts, "72.0") || !slices.Contains(texts, "–") || !slices.Contains(texts, "1e4") {
		t.Errorf("a failed setting and the largest λ are not among %q", texts)
	}
}

// A field has a decimal where there is room for it.
func TestFieldLabels(t *testing.T) {
	for _, c := range []struct {
		wide    float64
		percent float64
		want    string
	}{{26, 96.43, "96.4"}, {28, 100, "100"}, {36, 100, "100.0"}, {20, 96.43, "96"}, {1, 5, "5"}} {
		if got := (field{wide: vg.Length(c.wide)}).label(c.percent); got != c.want {
			t.Errorf("%g of %g: %q, want %q", c.percent, c.wide, got, c.want)
		}
	}
}
