package baselines

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"gonum.org/v1/gonum/mat"

	"r2lmlbench/r2lml"
)

// blobs draws classes of normal samples around different means, one after the
// other; the queries are half as many, drawn alike.
func blobs(sizes []int, d int, seed uint64) r2lml.Problem {
	draw := rand.New(rand.NewPCG(seed, 1))
	p := r2lml.Problem{Seed: seed}
	var x, query []float64
	for c, size := range sizes {
		mean := make([]float64, d)
		for j := range mean {
			mean[j] = 2 * draw.NormFloat64()
		}
		for i := range size + (size+1)/2 {
			row := slices.Clone(mean)
			for j := range row {
				row[j] += (1 + float64(j%3)) * draw.NormFloat64()
			}
			if i < size {
				x, p.Y = append(x, row...), append(p.Y, c+1)
			} else {
				query = append(query, row...)
			}
		}
	}
	p.X = mat.NewDense(len(p.Y), d, x)
	p.Query = mat.NewDense(len(query)/d, d, query)
	return p
}

// twoBlobs draws two classes of n samples each.
func twoBlobs(n, d int) r2lml.Problem { return blobs([]int{n, n}, d, 7) }

// A hardProblem is a shape that occurs in the data of the paper, or worse.
type hardProblem struct {
	name        string
	p           r2lml.Problem
	flatClasses int // classes without a variance of their own
}

func hardProblems() []hardProblem {
	constant := blobs([]int{12, 9}, 4, 3)
	setColumn(constant.X, 1, 0.1)
	setColumn(constant.Query, 1, 0.1)
	duplicates := blobs([]int{10, 10}, 2, 4)
	for i := range 9 {
		duplicates.X.SetRow(i, duplicates.X.RawRowView(9)) // class 1: one point
		duplicates.X.SetRow(10+i, duplicates.X.RawRowView(10+i%2))
	}
	equal := blobs([]int{4, 4}, 3, 5)
	for i := range 8 {
		equal.X.SetRow(i, []float64{0.1, 0.2, 0.3})
	}
	gap := blobs([]int{6, 6}, 2, 6)
	for i, y := range gap.Y {
		gap.Y[i] = 3*y - 1 // codes 2 and 5
	}
	return []hardProblem{
		{"three rows per class", blobs([]int{3, 3, 3, 3, 3, 3}, 9, 1), 0},
		{"a class of one row", blobs([]int{8, 1, 8}, 3, 2), 1},
		{"constant feature", constant, 0},
		{"duplicates", duplicates, 1},
		{"all rows equal", equal, 2},
		{"one row per class", blobs([]int{1, 1, 1}, 2, 8), 3},
		{"one class", blobs([]int{9}, 2, 9), 0},
		{"sixty features", blobs([]int{4, 3, 3}, 60, 10), 0},
		{"one feature", blobs([]int{20, 20}, 1, 11), 0},
		{"class codes with gaps", gap, 0},
		{"one sample", blobs([]int{1}, 3, 12), 1},
	}
}

func setColumn(x *mat.Dense, j int, v float64) {
	n, _ := x.Dims()
	for i := range n {
		x.Set(i, j, v)
	}
}

// checkDistances requires finite, non-negative distances from every query,
// the same when two goroutines measure them at once.
func checkDistances(t *testing.T, p r2lml.Problem, d r2lml.Metric) {
	t.Helper()
	f := r2lml.Fitted{Metric: d}
	var first, again []float64
	var both sync.WaitGroup
	both.Go(func() { first = distances(p, f) })
	both.Go(func() { again = distances(p, f) })
	both.Wait()
	if !slices.Equal(first, again) {
		t.Fatal("two goroutines measured different distances")
	}
	for i, v := range first {
		if !(v >= 0) || math.IsInf(v, 1) {
			t.Fatalf("the squared distance from query %d to sample %d is %g", i/len(p.Y), i%len(p.Y), v)
		}
	}
}

// checkTasks requires that fit divides settings into the tasks want, and that
// every result has the bits of the setting's own Fit.
func checkTasks[M r2lml.Method](t *testing.T, p r2lml.Problem, settings []M, fit r2lml.GridFit[M], want [][]int) {
	t.Helper()
	var got [][]int
	for _, task := range fit(p, settings) {
		got = append(got, task.Settings)
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("tasks of the settings %v, want %v", got, want)
	}
	checkGrid(t, p, settings, fit)
}

// checkSameFit requires that two fits agree to the last bit.
func checkSameFit(t *testing.T, p r2lml.Problem, a, b r2lml.Fitted) {
	t.Helper()
	if fmt.Sprint(a.Facts, a.Warnings) != fmt.Sprint(b.Facts, b.Warnings) {
		t.Errorf("facts and warnings %v %v, want %v %v", a.Facts, a.Warnings, b.Facts, b.Warnings)
	}
	if !slices.Equal(distances(p, a), distances(p, b)) {
		t.Error("the distances of two fits of one setting differ")
	}
}

// checkFit wants a fit of p without an error, whose distances are those of a
// metric, and the same bits of a second fit.
func checkFit(t *testing.T, m r2lml.Method, p r2lml.Problem, f r2lml.Fitted, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	checkDistances(t, p, f.Metric)
	again, err := m.Fit(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	checkSameFit(t, p, f, again)
}

// checkContract fits m on every hard problem: the distances are those of a
// metric, a second fit has the same bits, p stays as it was, and a context
// that ended stops the fit.
func checkContract[M r2lml.Method](t *testing.T, m M) {
	t.Helper()
	checkContractBut(t, m, nil)
}

// checkContractBut is checkContract, but for the hard problems that m refuses: by
// name, with the start of the error.
func checkContractBut[M r2lml.Method](t *testing.T, m M, refused map[string]string) {
	t.Helper()
	for _, hard := range hardProblems() {
		t.Run(hard.name, func(t *testing.T) {
			x, query := mat.DenseCopyOf(hard.p.X), mat.DenseCopyOf(hard.p.Query)
			f, err := m.Fit(t.Context(), hard.p)
			if want, ok := refused[hard.name]; ok {
				checkOutcome(t, f, err, want, "")
			} else {
				checkFit(t, m, hard.p, f, err)
			}
			if !mat.Equal(x, hard.p.X) || !mat.Equal(query, hard.p.Query) {
				t.Error("the fit changed its problem")
			}
			if err != nil {
				return
			}
			ended, cancel := context.WithCancel(t.Context())
			cancel()
			if _, err := m.Fit(ended, hard.p); !errors.Is(err, context.Canceled) {
				t.Errorf("error is %v, want %v", err, context.Canceled)
			}
		})
	}
}
