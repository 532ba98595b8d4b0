package datasets

import (
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"r2lmlbench/internal/fixture"
)

// withRows gives data one feature that is the number of the row.
func withRows(d *Data) *Data {
	d.X = mat.NewDense(len(d.Y), 1, nil)
	for i := range d.Y {
		d.X.Set(i, 0, float64(i))
	}
	return d
}

// A change of these labels changes every cell with permuted labels.
func TestShuffledLabelsStayTheSame(t *testing.T) {
	e := Entry{ID: "toy", Features: 1, Sizes: Sizes{Train: 4, Validation: 3}}
	d := withRows(mixed(9, 9))
	for _, c := range []struct {
		rule   Rule
		parts  [3][]int
		digest string // of the text of Cut's comment, by another program
	}{
		{Rule{Kind: "shuffled", Seed: 1, Repeat: 1},
			[3][]int{{1, 2, 1, 1, 2, 2, 2, 1}, {2, 2, 1, 2, 1, 1}, {1, 1, 2, 2}},
			"aac7efd5554f90d56f5d038ca31d65e1b64e97837b3652398e51979961c623e1"},
		{Rule{Kind: "shuffled", Seed: 1, Repeat: 2},
			[3][]int{{1, 1, 2, 2, 1, 2, 2, 1}, {2, 2, 1, 2, 1, 1}, {1, 1, 2, 2}},
			"10a9d0e5aefddd32a9f60b48b7cac824985897f3d9b4e66a7eb8610e384baca8"},
	} {
		s := fixture.Must(Cut(e, d, c.rule))(t)
		if diff := cmp.Diff(c.parts, [3][]int{s.Train.Y, s.Validation.Y, s.Test.Y}); diff != "" || s.Digest != c.digest {
			t.Errorf("%v: digest %s, want %s; labels (-want +got):\n%s", c.rule, s.Digest, c.digest, diff)
		}
	}
}

// The rows of rule shuffled are those of rule authors. Each part keeps its numbers of
// samples per class, and the test part its labels.
func TestShuffled(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := withRows(mixed(rapid.SliceOfN(rapid.IntRange(12, 30), 2, 4).Draw(t, "rows per class")...))
		e := Entry{ID: "toy", Features: 1, Sizes: Sizes{
			Train: rapid.IntRange(1, 8).Draw(t, "train"), Validation: rapid.IntRange(0, 3).Draw(t, "validation"),
		}}
		rule := Rule{Kind: "shuffled", Seed: rapid.Uint64().Draw(t, "seed"), Repeat: rapid.IntRange(0, 9).Draw(t, "repeat")}
		before := slices.Clone(d.Y)
		authors := fixture.Must(Cut(e, d, Rule{}))(t)
		got := fixture.Must(Cut(e, d, rule))(t)
		again, _ := Cut(e, d, rule)
		if diff := cmp.Diff(got.Rows, authors.Rows); diff != "" || !mat.Equal(got.Train.X, authors.Train.X) || !mat.Equal(got.Test.X, authors.Test.X) {
			t.Errorf("other rows than those of rule authors:\n%s", diff)
		}
		fixture.Same(t, "test labels", got.Test.Y, authors.Test.Y)
		for p, parts := range map[string][2][]int{
			"training": {authors.Train.Y, got.Train.Y}, "validation": {authors.Validation.Y, got.Validation.Y},
		} {
			if !maps.Equal(tally(parts[0]), tally(parts[1])) {
				t.Errorf("%s labels %v, want an arrangement of %v", p, parts[1], parts[0])
			}
		}
		if again.Digest != got.Digest || !slices.Equal(again.Train.Y, got.Train.Y) || !slices.Equal(again.Validation.Y, got.Validation.Y) {
			t.Error("the labels differ from one draw to the next")
		}
		fixture.EqualSlice(t, "labels of the data", d.Y, before)
		if _, digest, err := Divide(e, d, rule); err != nil || digest != got.Digest {
			t.Errorf("Divide gives digest %s, want %s (%v)", digest, got.Digest, err)
		}
	})
}

func tally(labels []int) map[int]int {
	counts := map[int]int{}
	for _, l := range labels {
		counts[l]++
	}
	return counts
}
