package store

import (
	"cmp"
	"os"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"r2lmlbench/internal/fixture"
	"r2lmlbench/results"
	"r2lmlbench/results/resultstest"
)

// TestNearestIsTheFewestDifferences: the cell that Nearest finds by maps is the one that
// a look at every cell finds.
func TestNearestIsTheFewestDifferences(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		draw := func(label string, unknown ...string) results.Inputs {
			in := resultstest.GridInputs()
			in.DatasetDigest = rapid.SampledFrom(append([]string{"d1", "d2"}, unknown...)).Draw(t, label+" data")
			in.Split = rapid.SampledFrom([]string{"authors", "random seed=1 repeat=1"}).Draw(t, label+" split")
			in.SplitDigest = rapid.SampledFrom(append([]string{"s1", "s2"}, unknown...)).Draw(t, label+" rows")
			in.Seed = rapid.Uint64Range(1, 3).Draw(t, label+" seed")
			in.Version = rapid.IntRange(1, 2).Draw(t, label+" version")
			in.Neighbors = rapid.IntRange(1, 2).Draw(t, label+" neighbors")
			gamma, slack := rapid.IntRange(1, 2).Draw(t, label+" gamma"), rapid.IntRange(1, 2).Draw(t, label+" slack")
			in.Points = []results.Point{{Params: results.Params{"gamma": gamma, "slack": slack}}}
			return in
		}
		s := Store{Dir: mkdirTemp(t)}
		defer os.RemoveAll(s.Dir)
		var stored []results.Inputs
		for range rapid.IntRange(0, 8).Draw(t, "cells") {
			in := draw("stored", "")
			if slices.ContainsFunc(stored, func(other results.Inputs) bool { return other.Key() == in.Key() }) {
				continue
			}
			stored = append(stored, in)
			fixture.Check(t, s.Put(results.Cell{Inputs: in, Truth: []int{1, 2}, Predicted: []int{1, 1}}, results.Run{}))
		}
		snapshot := s.Snapshot()
		for range 4 {
			asked := draw("asked", "")
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
			if got.Key() != want.Key() {
				t.Errorf("of %v the nearest is %v with %d differences, want %v with %d", asked, got, len(got.Diff(asked)), want, len(want.Diff(asked)))
			}
		}
	})
}
