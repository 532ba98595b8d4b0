package report

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"r2lmlbench/internal/fixture"
	"r2lmlbench/stats"
)

// The bars join the largest sets of methods of which no two differ by the critical difference,
// found among all subsets.
func TestBarsAgainstAllSubsets(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k, n := rapid.IntRange(2, 7).Draw(t, "methods"), rapid.IntRange(2, 12).Draw(t, "sets")
		scores := make([][]float64, n)
		for i := range scores {
			for j := range k {
				scores[i] = append(scores[i], float64(j+rapid.IntRange(0, 4).Draw(t, "score")))
			}
		}
		st, ok := stats.NewStanding(scores, 0.05)
		if !ok {
			t.Fatal(scores)
		}
		var alike []int // subsets as bits
		for set := 1; set < 1<<k; set++ {
			low, high, size := float64(k), 1.0, 0
			for j, rank := range st.Friedman.AverageRanks {
				if set>>j&1 == 1 {
					low, high, size = min(low, rank), max(high, rank), size+1
				}
			}
			if size > 1 && high-low < st.CD {
				alike = append(alike, set)
			}
		}
		var largest, got []int
		for _, set := range alike {
			if !slices.ContainsFunc(alike, func(other int) bool { return other != set && other&set == set }) {
				largest = append(largest, set)
			}
		}
		for _, group := range st.Groups {
			set := 0
			for _, j := range group {
				set |= 1 << j
			}
			got = append(got, set)
		}
		slices.Sort(got)
		fixture.EqualSlice(t, fmt.Sprint(st.Friedman.AverageRanks), got, largest)
	})
}

// The TikZ picture has a bar for each group and a line for each method, and LaTeX compiles it.
func TestTikZ(t *testing.T) {
	st, _ := stats.NewStanding([][]float64{{1, 2, 9}, {2, 1, 8}, {1, 2, 7}, {1, 2, 9}, {2, 1, 8}, {1, 2, 7}}, 0.05)
	picture := TikZ([]string{"a_b", "50 %", "c"}, st, 0.05)
	fixture.Equal(t, "bars", strings.Count(picture, "line width=1.6pt"), len(st.Groups))
	fixture.Equal(t, "methods", strings.Count(picture, "|-"), 3)
	fixture.Has(t, "names", picture, `{a\_b `)
	if _, err := exec.LookPath("pdflatex"); err != nil {
		t.Skip("there is no pdflatex")
	}
	fixture.Long(t)
	dir := t.TempDir()
	fixture.Write(t, filepath.Join(dir, "p.tex"), "\\documentclass{article}\\usepackage{tikz}\\begin{document}\n"+picture+"\\end{document}\n")
	run := exec.Command("pdflatex", "-interaction=nonstopmode", "-halt-on-error", "p.tex")
	run.Dir = dir
	out, err := run.CombinedOutput()
	if strings.Contains(string(out), "tikz.sty' not found") {
		t.Skip("there is no TikZ")
	}
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
