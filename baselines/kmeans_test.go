package baselines

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"r2lmlbench/internal/fixture"
)

func random(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0)) }

func TestKMeansByHand(t *testing.T) {
	x := fixture.Dense([][]float64{{0, 0}, {0, 2}, {10, 0}, {10, 2}, {-20, 1}})
	got := fixture.Must(kMeans(t.Context(), random(1), x, 3))(t)
	var rows [][]float64
	for c := range 3 {
		rows = append(rows, got.RawRowView(c))
	}
	slices.SortFunc(rows, slices.Compare[[]float64])
	for c, want := range [][]float64{{-20, 1}, {0, 1}, {10, 1}} {
		fixture.EqualSlice(t, "center", rows[c], want)
	}
}

// A center far from all rows loses them and starts anew at the farthest row.
func TestEmptyCluster(t *testing.T) {
	x := fixture.Dense([][]float64{{0}, {1}, {9}})
	centers := fixture.Dense([][]float64{{0}, {100}})
	fixture.Equal(t, "inertia", lloyd(context.Background(), x, centers), 0.5)
	fixture.EqualSlice(t, "centers", mat.Col(nil, 0, centers), []float64{0.5, 9})
}

// Where Lloyd's algorithm stops, every center is the mean of its rows and
// every row is with its nearest center.
func TestKMeansIsAFixedPoint(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 30).Draw(t, "n")
		k := rapid.IntRange(1, 8).Draw(t, "k")
		draw := random(rapid.Uint64().Draw(t, "seed"))
		x := mat.NewDense(n, 2, nil)
		for i := range n {
			x.SetRow(i, []float64{float64(draw.IntN(6)), float64(draw.IntN(6))})
		}
		centers := fixture.Must(kMeans(context.Background(), draw, x, k))(t)
		sums, counts := map[int][]float64{}, map[int]int{}
		for i := range n {
			c := floats.MinIdx(squaredDistances(centers, x.RawRowView(i)))
			if sums[c] == nil {
				sums[c] = make([]float64, 2)
			}
			floats.Add(sums[c], x.RawRowView(i))
			counts[c]++
		}
		for c, sum := range sums {
			floats.Scale(1/float64(counts[c]), sum)
			if !floats.EqualApprox(sum, centers.RawRowView(c), 1e-12) {
				t.Fatalf("center %v of rows with the mean %v", centers.RawRowView(c), sum)
			}
		}
	})
}
