package spec

import (
	"fmt"
	"testing"

	"r2lmlbench/internal/fixture"
	"r2lmlbench/r2lml"
)

// TestReading: a stanza has the reading of its spec, and a spec that of its base, unless
// they have their own; defaults are empty in a column, and a program counts no votes.
func TestReading(t *testing.T) {
	const text = "name: x\ndatasets: [glass, isolet]\n%s\nmethods: [{method: euclidean}, " +
		"{method: euclidean, name: own, ties: smallest, distances: each, pca: centered}, " +
		"{method: external, params: {command: [sh]}}]\n"
	for _, c := range []struct {
		keys          string
		first, own    r2lml.Voting
		pca, ownPCA   bool
		seeds, single int
	}{
		{"", r2lml.Voting{}, r2lml.Voting{}, false, false, 1, 1},
		{"seeds: 7\nties: random\ndistances: repeat-first\npca: standardized",
			r2lml.Voting{Ties: "random", Distances: "repeat-first"}, r2lml.Voting{}, true, false, 7, 1},
	} {
		s := fixture.Must(Parse("x.yaml", []byte(fmt.Sprintf(text, c.keys))))(t)
		for i, want := range []struct {
			voting r2lml.Voting
			pca    bool
			seeds  int
		}{{c.first, c.pca, c.seeds}, {c.own, c.ownPCA, c.single}, {r2lml.Voting{}, c.pca, max(c.seeds, 1)}} {
			col := s.Columns[i]
			e := s.Entries[1] // which is reduced
			rule := col.RuleOf(e, s.Split.RuleOf(e, 1))
			if col.Voting != want.voting || rule.Standardized != want.pca || col.SeedsOf("glass") != want.seeds {
				t.Errorf("%q, column %s: %+v, standardized %v, %d seeds; want %+v", c.keys, col.ID, col.Voting, rule.Standardized, col.SeedsOf("glass"), want)
			}
			if col.RuleOf(s.Entries[0], s.Split.RuleOf(s.Entries[0], 1)).Standardized {
				t.Errorf("glass, which keeps its features, has standardized components")
			}
		}
	}
}
