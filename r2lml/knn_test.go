package r2lml

import (
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

// A distanceTable is a metric given by its values, one row per query.
type distanceTable [][]float64

func (d distanceTable) SquaredDistances(dst []float64, m int) { copy(dst, d[m]) }

// nearest returns the neighbors of one query sample.
func nearest(distance []float64, k int) (found []int) {
	neighbors(distanceTable{distance}, 1, len(distance), k, func(_ int, near []int) { found = slices.Clone(near) })
	return found
}

func TestNearest(t *testing.T) {
	for _, test := range []struct {
		name     string
		distance []float64
		k        int
		want     []int
	}{
		{"ascending order", []float64{3, 1, 2}, 3, []int{1, 2, 0}},
		{"only the nearest", []float64{3, 1, 2}, 1, []int{1}},
		{"ties go to the lower index", []float64{1, 0, 1, 0, 1}, 3, []int{1, 3, 0}},
		{"all equal", []float64{4, 4, 4, 4}, 2, []int{0, 1}},
		{"a late tie stays out", []float64{1, 2, 2}, 2, []int{0, 1}},
		{"fewer than k", []float64{2, 1}, 5, []int{1, 0}},
	} {
		if got := nearest(test.distance, test.k); !slices.Equal(got, test.want) {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
	}
}

func TestNearestAgreesWithStableSort(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		// Few values, many ties.
		distance := rapid.SliceOfN(rapid.SampledFrom([]float64{0, 1, 2, 3}), 1, 20).Draw(t, "distances")
		k := rapid.IntRange(1, 25).Draw(t, "k")
		want := make([]int, len(distance))
		for i := range want {
			want[i] = i
		}
		slices.SortStableFunc(want, func(a, b int) int { return int(distance[a] - distance[b]) })
		want = want[:min(k, len(want))]
		if got := nearest(distance, k); !slices.Equal(got, want) {
			t.Fatalf("%v, want %v", got, want)
		}
	})
}

func TestVote(t *testing.T) {
	for _, test := range []struct {
		name   string
		labels []int
		want   int
	}{
		{"majority", []int{3, 1, 3}, 3},
		{"two equal counts go to the smallest label", []int{3, 2, 2, 3}, 2},
		{"all different", []int{4, 3, 2}, 2},
		{"one neighbor", []int{4}, 4},
	} {
		near := make([]int, len(test.labels))
		for i := range near {
			near[i] = i
		}
		if got := vote(make([]int, 5), near, test.labels); got != test.want {
			t.Errorf("%s: label %d, want %d", test.name, got, test.want)
		}
	}
}

func TestClassify(t *testing.T) {
	p := Problem{X: mat.NewDense(5, 1, nil), Y: []int{2, 1, 3, 1, 3}, Query: mat.NewDense(3, 1, nil)}
	table := distanceTable{
		{0, 1, 2, 3, 4}, // 2 1 3: all different
		{5, 5, 0, 5, 1}, // 3 3 and the first of the ties
		{9, 1, 9, 2, 9}, // 1 1 and the first of the ties
	}
	if got, want := Classify(p, table, 3), []int{1, 3, 1}; !slices.Equal(got, want) {
		t.Errorf("labels %v, want %v", got, want)
	}
	if got, want := Classify(p, table, 100), []int{1, 1, 1}; !slices.Equal(got, want) {
		t.Errorf("labels when all vote %v, want %v", got, want)
	}
}

func TestClassifyNeedsANeighbor(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("no panic for k = 0")
		}
	}()
	Classify(Problem{}, distanceTable{}, 0)
}
