package store

import (
	"slices"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"r2lmlbench/results"
	"r2lmlbench/results/resultstest"
)

// jointCells are a cell, the same with other samples unlabelled, one that was
// measured and one that was both.
func jointCells() (plain, joint, measured, both results.Cell) {
	plain = resultstest.NewCell("robot", "t-r2lml", 8, 10, 1)
	joint, measured, both = plain, plain, plain
	joint.Unlabeled, both.Unlabeled = results.UnlabeledJoint, results.UnlabeledJoint
	measured.Measure, both.Measure = []string{"triangle"}, []string{"triangle"}
	return plain, joint, measured, both
}

// Cells with other samples unlabelled are other cells, in files as in packs.
func TestJointCellsAreOthers(t *testing.T) {
	plain, joint, measured, both := jointCells()
	all := []results.Cell{plain, joint, measured, both}
	for name, keep := range map[string]func(s Store){
		"files": func(s Store) { put(t, s, all...) },
		"packs": func(s Store) {
			for i, c := range all {
				accept(t, s, "spec"+strconv.Itoa(i), c)
			}
		},
	} {
		s := Store{Dir: t.TempDir(), Log: t.Logf}
		keep(s)
		for i, c := range all {
			if got := expect(t, s, c.Inputs, true); got.Key() != c.Key() {
				t.Errorf("%s: cell %d is %+v", name, i, got.Inputs)
			}
			found, ok, err := s.Find(results.Inputs{
				Dataset: c.Dataset, Split: c.Split, Method: c.Method, Version: c.Version, Points: c.Points, Seed: c.Seed,
				Neighbors: c.Neighbors, Measure: c.Measure, Unlabeled: c.Unlabeled,
			})
			if err != nil || !ok || found.Key() != c.Key() {
				t.Errorf("%s: without digests cell %d is %+v, %v, %v", name, i, found.Inputs, ok, err)
			}
			matching, err := s.Select(c.Dataset, c.Method, settingsOf(c))
			if err != nil || len(matching) != 1 || matching[0].Key() != c.Key() {
				t.Errorf("%s: %d cells match cell %d, %v; want itself", name, len(matching), i, err)
			}
		}
		other := plain.Inputs
		other.Unlabeled = "another"
		if near, ok, err := s.Nearest(other); err != nil || !ok || len(near.Diff(other)) != 1 {
			t.Errorf("%s: nearest %+v, %v, %v; want one that differs in nothing else", name, near, ok, err)
		}
	}
}

func TestSelect(t *testing.T) {
	plain, joint, measured, both := jointCells()
	seed, failed, otherSet, otherMethod := plain, plain, plain, plain
	seed.Seed, failed.Seed, otherSet.Dataset, otherMethod.Method = 2, 3, "letter", "e-r2lml"
	failed.Predicted, failed.Failure = nil, "crashed"
	s := Store{Dir: t.TempDir(), Log: t.Logf}
	put(t, s, plain, joint, seed, otherSet, otherMethod)
	accept(t, s, "queries", measured)
	accept(t, s, "joint", both)
	if err := s.PutFailed(failed, results.Run{}); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name   string
		wanted func(results.Inputs) bool
		want   []results.Cell
	}{
		{"all", func(results.Inputs) bool { return true }, []results.Cell{plain, joint, measured, both, seed}},
		{"joint", func(in results.Inputs) bool { return in.Unlabeled == results.UnlabeledJoint }, []results.Cell{joint, both}},
		{"a seed", func(in results.Inputs) bool { return in.Seed == 2 }, []results.Cell{seed}},
		{"the failed seed", func(in results.Inputs) bool { return in.Seed == 3 }, nil},
	} {
		got, err := s.Select("robot", "t-r2lml", c.wanted)
		if err != nil {
			t.Fatal(err)
		}
		keys, want := keysOf(got), keysOf(c.want)
		if !slices.IsSorted(keys) {
			t.Errorf("%s: not in the order of file names", c.name)
		}
		if slices.Sort(want); !slices.Equal(keys, want) {
			t.Errorf("%s: %d cells, want %d", c.name, len(keys), len(want))
		}
		for _, cell := range got {
			if len(cell.Predicted) != 10 {
				t.Errorf("%s: a cell with %d predictions", c.name, len(cell.Predicted))
			}
		}
	}
	if got, err := s.Select("sonar", "t-r2lml", func(results.Inputs) bool { return true }); len(got) > 0 || err != nil {
		t.Errorf("%d cells of a set without any, %v", len(got), err)
	}
}

// settingsOf wants the inputs that have the points, the k, the measures and the
// unlabelled samples of a cell.
func settingsOf(c results.Cell) func(results.Inputs) bool {
	return func(in results.Inputs) bool {
		return cmp.Equal(in.Points, c.Points) && in.Neighbors == c.Neighbors && slices.Equal(in.Measure, c.Measure) && in.Unlabeled == c.Unlabeled
	}
}

func TestSelectSettings(t *testing.T) {
	s := Store{Dir: t.TempDir(), Log: t.Logf}
	base := resultstest.NewCell("robot", "itml", 8, 10, 1)
	seed, split, version, grid, k := base, base, base, base, base
	seed.Seed, split.Split, version.Version, k.Neighbors = 2, "random seed=1 repeat=1", 2, 3
	grid.Points = []results.Point{{Params: results.Params{"gamma": 2}}}
	put(t, s, base, seed, split)
	for i, c := range []results.Cell{version, grid, k} {
		accept(t, s, "spec"+strconv.Itoa(i), c)
	}
	matching, err := s.Select("robot", "itml", settingsOf(base))
	if err != nil || len(matching) != 4 {
		t.Fatalf("%d cells, %v; want those of another seed, split and version, and itself", len(matching), err)
	}
	for _, c := range matching {
		if c.Neighbors != 5 || len(c.Points[0].Params) > 0 {
			t.Errorf("%+v", c.Inputs)
		}
	}
}

func keysOf(cells []results.Cell) []string {
	var keys []string
	for _, c := range cells {
		keys = append(keys, c.Key())
	}
	return keys
}
