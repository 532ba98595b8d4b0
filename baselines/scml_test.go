package baselines

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"r2lmlbench/internal/fixture"
	"r2lmlbench/internal/kernel"
	"r2lmlbench/r2lml"
	"r2lmlbench/r2lml/methodtest"
)

type scmlFixture struct {
	X, Bases [][]float64
	Y        []int
	Triplets [][3]int
	First    [][]float64 `json:"dist_diff_first_rows"`
	Sum      float64     `json:"dist_diff_sum"`
	Global   struct {
		Beta      float64
		Every     int `json:"check_every"`
		Indices   []int
		History   []float64 `json:"objective_history"`
		Best      []float64 `json:"best_w"`
		Least     float64   `json:"best_objective"`
		Final     []float64 `json:"final_w"`
		FinalMean []float64 `json:"final_avg_grad"`
	} `json:"global_rda"`
	KPCA struct {
		Dim         int
		Sigma       float64
		Gram, Query [][]float64
		QueryGram   [][]float64 `json:"query_times_train"`
	}
	Local struct {
		Z          [][]float64
		C0         []float64 `json:"b0"`
		Beta, Step float64
		Every      int `json:"check_every"`
		Indices    []int
		Runs       []struct {
			Proximal string
			History  []float64   `json:"objective_history"`
			Least    float64     `json:"best_objective"`
			FinalA   [][]float64 `json:"final_A"`
			FinalC   []float64   `json:"final_b"`
			BestA    [][]float64 `json:"best_A"`
			BestC    []float64   `json:"best_b"`
		}
	}
}

const scmlTolerance = 1e-9

func (f scmlFixture) tripletLoss() *tripletLoss {
	var triplets []comparison
	for _, t := range f.Triplets {
		triplets = append(triplets, comparison{t[0], t[1], t[2]})
	}
	return newTripletLoss(fixture.Dense(f.X), fixture.Dense(f.Bases), triplets)
}

// following replays the triplets that a fixture drew.
func following(indices []int, every int) schedule {
	next := 0
	return schedule{len(indices), every, func() int { next++; return indices[next-1] }}
}

func TestSCMLTripletsAndDifferences(t *testing.T) {
	fixture.Each(t, "scml", "*.json", func(t *testing.T, f scmlFixture) {
		c := f.tripletLoss()
		first := surroundingsOf(len(f.X), f.Triplets)[0]
		got := comparisonsOf(surroundings(context.Background(), fixture.Dense(f.X), f.Y, len(first.same), len(first.other)))
		order := func(a, b comparison) int { return cmp.Or(a.i-b.i, a.j-b.j, a.k-b.k) }
		slices.SortFunc(got, order)
		fixture.EqualSlice(t, "triplets", got, slices.SortedFunc(slices.Values(c.triplets), order))
		padded := make([]float64, kernel.Padded(len(f.Bases)))
		drawn := padded[:len(f.Bases)]
		var sum float64
		for i, triplet := range c.triplets {
			c.deltas(padded, triplet)
			sum += floats.Sum(drawn)
			if i < len(f.First) {
				checkVector(t, "δ", drawn, f.First[i], scmlTolerance)
			}
		}
		checkValue(t, "sum of δ", sum, f.Sum, scmlTolerance)
	})
}

func TestSCMLGlobalWeights(t *testing.T) {
	fixture.Each(t, "scml", "*.json", func(t *testing.T, f scmlFixture) {
		a := newAveraging(f.tripletLoss(), f.Global.Beta)
		best, objectives, err := a.run(t.Context(), following(f.Global.Indices, f.Global.Every))
		fixture.Check(t, err)
		checkVector(t, "objectives", objectives, f.Global.History, scmlTolerance)
		checkValue(t, "least objective", floats.Min(objectives), f.Global.Least, scmlTolerance)
		checkVector(t, "best weights", best, f.Global.Best, scmlTolerance)
		checkVector(t, "last weights", a.w, f.Global.Final, scmlTolerance)
		checkVector(t, "mean gradient", a.mean, f.Global.FinalMean, scmlTolerance)
	})
}

func TestSCMLLocalWeights(t *testing.T) {
	fixture.Each(t, "scml", "*.json", func(t *testing.T, f scmlFixture) {
		for _, run := range f.Local.Runs {
			proximal := Norm
			if strings.HasPrefix(run.Proximal, "squared") {
				proximal = SquaredNorm
			}
			start := newLocalModel(make([]float64, len(f.Local.C0)), len(f.Local.Z[0]), 0)
			copy(start.c, f.Local.C0)
			d := &localDescent{
				tripletLoss: f.tripletLoss(), z: f.Local.Z, beta: f.Local.Beta,
				length: f.Local.Step, proximal: proximal, model: start,
			}
			best, objectives, err := d.run(t.Context(), following(f.Local.Indices, f.Local.Every))
			fixture.Check(t, err)
			checkVector(t, "objectives", objectives, run.History, scmlTolerance)
			checkValue(t, "least objective", floats.Min(objectives), run.Least, scmlTolerance)
			checkVector(t, "best c", best.c, run.BestC, scmlTolerance)
			checkVector(t, "last c", d.model.c, run.FinalC, scmlTolerance)
			checkMatrix(t, "best a", fixture.Dense(best.a).T(), fixture.Dense(run.BestA), scmlTolerance)
			checkMatrix(t, "last a", fixture.Dense(d.model.a).T(), fixture.Dense(run.FinalA), scmlTolerance)
		}
	})
}

// Components have no sign, so that products of scores are compared.
func TestKernelPCAFixtures(t *testing.T) {
	fixture.Each(t, "scml", "*.json", func(t *testing.T, f scmlFixture) {
		x := fixture.Dense(f.X)
		width := medianDistance(context.Background(), x)
		checkValue(t, "median distance", width, f.KPCA.Sigma, 1e-12)
		p := fixture.Must(newKernelPCA(context.Background(), x, f.KPCA.Dim, width))(t)
		z := fixture.Dense(scoresOf(context.Background(), p, x))
		zq := fixture.Dense(scoresOf(context.Background(), p, fixture.Dense(f.KPCA.Query)))
		var gram, queryGram mat.Dense
		gram.Mul(z, z.T())
		queryGram.Mul(zq, z.T())
		checkMatrix(t, "products of training scores", &gram, fixture.Dense(f.KPCA.Gram), scmlTolerance)
		checkMatrix(t, "products with query scores", &queryGram, fixture.Dense(f.KPCA.QueryGram), scmlTolerance)
	})
}

// For two classes the discriminant is S_W⁻¹ (m₁ − m₂). Here S_W is a multiple of
// diag(1, 4) and the means differ by (2, 2): the direction is (4, 1)/√17.
func TestDiscriminantByHand(t *testing.T) {
	p := r2lml.Problem{
		X: fixture.Dense([][]float64{{1, 0}, {-1, 0}, {0, 2}, {0, -2}, {3, 2}, {1, 2}, {2, 4}, {2, 0}}),
		Y: []int{1, 1, 1, 1, 2, 2, 2, 2},
	}
	got := fixture.Must(discriminants(p, upTo(8)))(t)
	if len(got) != 2 {
		t.Fatalf("%d entries, want one direction of 2", len(got))
	}
	if got[0] < 0 {
		floats.Scale(-1, got)
	}
	checkVector(t, "direction", got, []float64{4 / math.Sqrt(17), 1 / math.Sqrt(17)}, 1e-9)
}

// A constant and a repeated feature make the scatter singular; equal samples
// and equal class means separate nothing.
func TestDiscriminantsOfFlatSamples(t *testing.T) {
	for _, tt := range []struct {
		name string
		x    [][]float64
		want int
	}{
		{"singular scatter", [][]float64{{0, 7, 0}, {1, 7, 1}, {5, 7, 5}, {7, 7, 7}}, 1},
		{"equal samples", [][]float64{{0.1, 0.2, 0.3}, {0.1, 0.2, 0.3}, {0.1, 0.2, 0.3}, {0.1, 0.2, 0.3}}, 0},
		{"equal means", [][]float64{{-1, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, -1, 0}}, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := fixture.Must(discriminants(r2lml.Problem{X: fixture.Dense(tt.x), Y: []int{1, 1, 2, 2}}, upTo(4)))(t)
			if len(got) != 3*tt.want {
				t.Fatalf("directions %v, want %d", got, tt.want)
			}
			if tt.want == 1 && got[1] != 0 {
				t.Errorf("a constant feature has the weight %g, want 0", got[1])
			}
		})
	}
}

func TestLocalBases(t *testing.T) {
	for _, tt := range []struct {
		name       string
		p          r2lml.Problem
		k, atLeast int
		atMost     int
	}{
		{"as many as asked for", methodtest.Blobs([]int{30, 30, 30}, 4, 1), 10, 10, 10},
		{"no more than the samples have room for", methodtest.Blobs([]int{3, 3}, 4, 1), 400, 2, 12},
		{"fewer features than classes", methodtest.Blobs([]int{5, 5, 5, 5}, 1, 1), 6, 6, 6},
		{"sixty features", methodtest.Blobs([]int{9, 9}, 60, 1), 8, 8, 8},
		{"one class", methodtest.Blobs([]int{9}, 2, 1), 8, 0, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := fixture.Must(localBases(t.Context(), tt.p.Rand(), tt.p, tt.k))(t)
			if b == nil {
				b = &mat.Dense{}
			}
			k, _ := b.Dims()
			if k < tt.atLeast || k > tt.atMost {
				t.Fatalf("%d bases, want %d to %d", k, tt.atLeast, tt.atMost)
			}
			for i := range k {
				fixture.Near(t, "length of a basis", floats.Norm(b.RawRowView(i), 2), 1, 1e-12)
			}
		})
	}
}
