package baselines

import (
	"context"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"r2lmlbench/r2lml"
)

// On a line with the query at 0: the classes 2, 1, 3, 3, 1 lie at -1, 2, 1, 2
// and 9. The two nearest are rows 0 and 2, in this order or the other; the two
// behind them are rows 1 and 3.
func TestEuclideanTies(t *testing.T) {
	p := r2lml.Problem{
		X: mat.NewDense(5, 1, []float64{-1, 2, 1, 2, 9}), Y: []int{2, 1, 3, 3, 1},
		Query: mat.NewDense(1, 1, []float64{0}),
	}
	for _, c := range []struct {
		m    EuclideanTies
		k    int
		want int
	}{
		{EuclideanTies{}, 1, 2},
		{EuclideanTies{Distance: HigherRow}, 1, 3},
		{EuclideanTies{}, 3, 1},                                       // 2, 3, 1
		{EuclideanTies{Vote: LargestCode}, 3, 3},                      // 2, 3, 1
		{EuclideanTies{Vote: NearestClass}, 3, 2},                     // 2, 3, 1
		{EuclideanTies{Distance: HigherRow}, 3, 3},                    // 3, 2, 3
		{EuclideanTies{}, 5, 1},                                       // two of 1, two of 3
		{EuclideanTies{Vote: NearestClass}, 5, 3},                     // of these, 3 is at 1
		{EuclideanTies{Distance: HigherRow, Vote: LargestCode}, 9, 3}, // all of them
	} {
		if got := c.m.Label(p, c.k); !slices.Equal(got, []int{c.want}) {
			t.Errorf("%+v with k = %d gives %v, want %d", c.m, c.k, got, c.want)
		}
	}
}

// drawTies draws samples on a small grid, which has many equal distances.
func drawTies(t *rapid.T) (p r2lml.Problem, k int) {
	n, m, d := rapid.IntRange(1, 15).Draw(t, "n"), rapid.IntRange(1, 6).Draw(t, "m"), rapid.IntRange(1, 2).Draw(t, "d")
	grid := func(rows int, name string) *mat.Dense {
		x := mat.NewDense(rows, d, nil)
		x.Apply(func(_, _ int, _ float64) float64 { return float64(rapid.IntRange(0, 2).Draw(t, name)) }, x)
		return x
	}
	p = r2lml.Problem{X: grid(n, "x"), Query: grid(m, "query"), Y: rapid.SliceOfN(rapid.IntRange(1, 4), n, n).Draw(t, "y")}
	return p, rapid.IntRange(1, 7).Draw(t, "k")
}

func TestEuclideanTiesDefaults(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, k := drawTies(t)
		f, err := Euclidean{}.Fit(context.Background(), p)
		if err != nil {
			t.Fatal(err)
		}
		m, err := EuclideanTies{}.Resolve()
		if err != nil {
			t.Fatal(err)
		}
		if got, want := m.Label(p, k), r2lml.Classify(p, f.Metric, k); !slices.Equal(got, want) {
			t.Errorf("labels %v, want Euclidean's %v", got, want)
		}
	})
}

// Higher rows first is lower rows first with the rows reversed; ties to the
// largest code are ties to the smallest with the codes reversed; ties to the
// nearest do not depend on the codes.
func TestEuclideanTiesAgainstEachOther(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, k := drawTies(t)
		mirror := func(codes []int) []int {
			c := slices.Clone(codes)
			for i := range c {
				c[i] = 5 - c[i]
			}
			return c
		}
		rows, recoded := p, p
		rows.X, rows.Y = mat.DenseCopyOf(p.X), slices.Clone(p.Y)
		slices.Reverse(rows.Y)
		for i := range p.Y {
			rows.X.SetRow(i, p.X.RawRowView(len(p.Y)-1-i))
		}
		recoded.Y = mirror(p.Y)
		for _, vote := range []VoteTies{SmallestCode, LargestCode, NearestClass} {
			if got, want := (EuclideanTies{HigherRow, vote}).Label(p, k), (EuclideanTies{LowerRow, vote}).Label(rows, k); !slices.Equal(got, want) {
				t.Errorf("vote %s: higher row %v, reversed rows %v", vote, got, want)
			}
		}
		for _, c := range []struct{ vote, mirrored VoteTies }{{LargestCode, SmallestCode}, {NearestClass, NearestClass}} {
			if got, want := (EuclideanTies{LowerRow, c.vote}).Label(p, k), mirror((EuclideanTies{LowerRow, c.mirrored}).Label(recoded, k)); !slices.Equal(got, want) {
				t.Errorf("vote %s %v, with the codes reversed %v", c.vote, got, want)
			}
		}
	})
}

func TestEuclideanTiesResolve(t *testing.T) {
	if m, err := (EuclideanTies{}).Resolve(); err != nil || m != (EuclideanTies{LowerRow, SmallestCode}) {
		t.Errorf("defaults %+v, %v", m, err)
	}
	for _, c := range []struct {
		m    EuclideanTies
		want string
	}{
		{EuclideanTies{Distance: "first"}, `distance is "first", want lower or higher`},
		{EuclideanTies{Vote: "first"}, `vote is "first", want smallest, largest or nearest`},
	} {
		if _, err := c.m.Resolve(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: error %v does not say %q", c.m, err, c.want)
		}
	}
}
