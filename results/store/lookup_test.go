package store

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"r2lmlbench/internal/fixture"
	"r2lmlbench/results"
	"r2lmlbench/results/resultstest"
)

// TestLookups: what a store and its snapshot find by maps, the cell of some inputs and the
// nearest one, is what a look at every cell finds.
func TestLookups(t *testing.T) {
	digest := func(t *rapid.T, label string, known ...string) string {
		return rapid.SampledFrom(append(known, "")).Draw(t, label)
	}
	draw := func(t *rapid.T) results.Inputs {
		in := resultstest.GridInputs()
		in.DatasetDigest, in.SplitDigest = digest(t, "data", "d1", "d2"), digest(t, "rows", "s1", "s2")
		in.Split = rapid.SampledFrom([]string{"authors", "random seed=1 repeat=1"}).Draw(t, "split")
		in.Seed = rapid.Uint64Range(1, 3).Draw(t, "seed")
		in.Version, in.Neighbors = rapid.IntRange(1, 2).Draw(t, "version"), rapid.IntRange(1, 2).Draw(t, "neighbors")
		gamma, slack := rapid.IntRange(1, 2).Draw(t, "gamma"), rapid.IntRange(1, 2).Draw(t, "slack")
		in.Points = []results.Point{{Params: results.Params{"gamma": gamma, "slack": slack}}}
		return in
	}
	rapid.Check(t, func(t *rapid.T) {
		s := Store{Log: t.Errorf, Dir: fixture.Must(os.MkdirTemp("", "lookups"))(t)}
		defer os.RemoveAll(s.Dir)
		stored := rapid.SliceOfNDistinct(rapid.Custom(draw), 0, 8, results.Inputs.Key).Draw(t, "stored")
		for i, in := range stored {
			fixture.Check(t, s.Put(results.Cell{Inputs: in, Truth: []int{1, 2}, Predicted: []int{1, i}}, results.Run{}))
		}
		other := resultstest.NewCell("robot", "e-r2lml-mm", 5, 6, 1) // the names of whose files begin as those of e-r2lml do
		fixture.Check(t, s.Put(other, results.Run{}))
		fixture.Check(t, os.WriteFile(filepath.Join(filepath.Dir(s.Path(other.Inputs)), "e-r2lml-notes.json"), []byte("notes"), 0o666))
		snapshot := s.Snapshot()
		for range 6 {
			asked := draw(t)
			if len(stored) > 0 && rapid.Bool().Draw(t, "one of them") {
				asked = rapid.SampledFrom(stored).Draw(t, "asked")
				asked.DatasetDigest, asked.SplitDigest = digest(t, "data", asked.DatasetDigest), digest(t, "rows", asked.SplitDigest)
			}
			var matches []results.Inputs // a digest that is not known agrees with any, where the reader lacks one
			for _, in := range stored {
				if len(in.Diff(asked)) == 0 && (asked.DatasetDigest == "" || asked.SplitDigest == "" || in.Key() == asked.Key()) {
					matches = append(matches, in)
				}
			}
			for name, from := range map[string]Store{"store": s, "snapshot": *snapshot} {
				c, ok, err := from.Find(asked)
				if ok != (len(matches) == 1) || (err != nil) != (len(matches) > 1) || ok && c.Key() != matches[0].Key() {
					t.Fatalf("%+v: %v %v %v from the %s, want one of %v", asked, c.Inputs, ok, err, name, matches)
				}
				for _, in := range matches {
					if err != nil && !strings.Contains(err.Error(), in.Key()[:keyDigits]) {
						t.Fatalf("%v does not name %s", err, in.Key())
					}
				}
			}
			got, ok, err := snapshot.Nearest(asked)
			if err != nil || ok != (len(stored) > 0) {
				t.Fatal(ok, err)
			}
			if !ok {
				continue
			}
			want := slices.MinFunc(stored, func(a, b results.Inputs) int {
				return cmp.Or(cmp.Compare(len(a.Diff(asked)), len(b.Diff(asked))), cmp.Compare(a.Key(), b.Key()))
			})
			fixture.Same(t, fmt.Sprintf("the nearest of %v", asked), got, want)
		}
	})
}
