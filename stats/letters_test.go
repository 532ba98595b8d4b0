package stats

import (
	"regexp"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

var oneLetter = regexp.MustCompile(`[a-z][0-9]*`)

func split(display string) []string { return oneLetter.FindAllString(display, -1) }

func shareLetter(a, b string) bool {
	return slices.ContainsFunc(split(a), func(l string) bool { return slices.Contains(split(b), l) })
}

// Two methods share a letter unless they differ, and every letter stands for a largest
// set: whoever lacks it differs from a holder.
func TestLetters(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		correct, significant := drawRow(t)
		g := Group(correct, significant)
		holders := map[string][]int{}
		for i, display := range g.Letters {
			for _, l := range split(display) {
				holders[l] = append(holders[l], i)
			}
			for j, other := range g.Letters[:i] {
				if shareLetter(display, other) == significant(j, i) {
					t.Errorf("%d has %s, %d has %s, significant: %v", i, display, j, other, significant(j, i))
				}
			}
		}
		for l, held := range holders {
			for i := range g.Letters {
				if !slices.Contains(held, i) && !slices.ContainsFunc(held, func(j int) bool {
					return significant(min(i, j), max(i, j))
				}) {
					t.Errorf("letter %s of %v could go to %d too", l, held, i)
				}
			}
		}
		if best := g.Letters[g.Order[0]]; best[0] != 'a' {
			t.Errorf("the best method has the letters %s", best)
		}
	})
}
