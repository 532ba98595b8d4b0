package r2lml

import (
	"context"
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"r2lmlbench/internal/fixture"
	"r2lmlbench/r2lml/internal/batch"
)

// A runFixture is a run of the authors' program, recorded block by block. Matrices are
// lists of rows; in X the samples are columns, g is K×N. Of T-R2LML the first N columns
// of X are labeled and the M others are the test samples.
type runFixture struct {
	K          int
	Lambda     float64
	Step       float64
	Iterations int
	C          float64
	Neighbors  int
	N, M       int // of T-R2LML
	X          [][]float64
	Y          []int
	XTest      [][]float64 `json:"X_test"` // of E-R2LML
	YTest      []int       `json:"y_test"`
	L0         [][][]float64
	G0         [][]float64 `json:"g0"`
	S0         [][]int     // of T-R2LML
	Objective0 float64     // this and the others: of E-R2LML
	Epoch      []struct {
		L                    [][][]float64
		G                    [][]float64 `json:"g"`
		S                    [][]int
		ObjectiveAfterBlock1 float64 `json:"objective_after_block1"`
		ObjectiveAfterBlock2 float64 `json:"objective_after_block2"`
	}
	Predicted []int
	Accuracy  float64
}

func transposed(rows [][]float64) *mat.Dense { return mat.DenseCopyOf(fixture.Dense(rows).T()) }

func densesOf(matrices [][][]float64) []*mat.Dense {
	var all []*mat.Dense
	for _, rows := range matrices {
		all = append(all, fixture.Dense(rows))
	}
	return all
}

// relative returns max|a − b| / max|b|.
func relative(a, b *mat.Dense) float64 {
	var diff mat.Dense
	diff.Sub(a, b)
	return largest(&diff) / largest(b)
}

// Tolerances of the fixtures: L to 1e-9; g to the bisection of the authors'
// program, whose coefficients sum to 1 only within 1e-3.
const (
	mapTolerance         = 1e-9
	coefficientTolerance = 5e-3
)

func (f runFixture) start(t *testing.T) *blockDescent {
	t.Helper()
	m := fixture.Must(Efficient{Metrics: f.K, Lambda: f.Lambda, Step: StepLength(f.Step), Iterations: f.Iterations, C: f.C}.Resolve())(t)
	d := &blockDescent{
		setting: m, momentum: m.Variant == Reference,
		x: transposed(f.X), y: f.Y, l: densesOf(f.L0), g: transposed(f.G0), s: labelSimilarity(f.Y, 0),
	}
	if f.S0 != nil {
		d.s = similarityOf(f.S0)
	}
	return d
}

// similarityOf reads a matrix of 0 and 1.
func similarityOf(rows [][]int) similarity {
	s := labelSimilarity(nil, len(rows))
	for m, row := range rows {
		for n, v := range row {
			if v == 1 {
				s.set(m, n)
			}
		}
	}
	return s
}

// eachRun holds the blocks of either solver against the runs of some fixtures.
func eachRun(t *testing.T, pattern string, check func(t *testing.T, want runFixture, f *blockDescent, s solver)) {
	fixture.Each(t, "r2lml", pattern, func(t *testing.T, want runFixture) {
		t.Run("plain", func(t *testing.T) { check(t, want, want.start(t), plain{}) })
		t.Run("batched", func(t *testing.T) {
			f := want.start(t)
			check(t, want, f, batchedFor(f))
		})
	})
}

// batchedFor returns a batched solver of the samples of a fit.
func batchedFor(f *blockDescent) batched {
	var byLabels *batch.Pairs
	if f.s.n == len(f.y) {
		byLabels = batch.PairsByClass(context.Background(), f.x, f.y, f.s.rows)
	}
	return newBatched(batch.Pack(f.x), byLabels)
}

func TestEfficientFixtures(t *testing.T) {
	eachRun(t, "e_*.json", func(t *testing.T, want runFixture, f *blockDescent, s solver) {
		if s == (plain{}) { // the batched objective starts from what a descent left
			checkObjective(t, "start", s.objective(f), want.Objective0)
		}
		for i, epoch := range want.Epoch {
			checkTransforms(t, f, s, i+1, epoch.L)
			checkObjective(t, "block 1", s.objective(f), epoch.ObjectiveAfterBlock1)
			checkCoefficientsBlock(t, f, s, i+1, epoch.G)
			// The next epoch starts from the program's own g.
			f.g = transposed(epoch.G)
			checkObjective(t, "block 2", s.objective(f), epoch.ObjectiveAfterBlock2)
		}
		p := Problem{X: f.x, Y: f.y, Query: transposed(want.XTest)}
		want.checkPredictions(t, p, NewLocalMetric(p, f.l, ofNearest(context.Background(), f.g, p), f.g))
	})
}

func TestTransductiveFixtures(t *testing.T) {
	eachRun(t, "t_*.json", func(t *testing.T, want runFixture, f *blockDescent, s solver) {
		for i, epoch := range want.Epoch {
			checkTransforms(t, f, s, i+1, epoch.L)
			checkCoefficientsBlock(t, f, s, i+1, epoch.G)
			// The rest starts from the program's own g and S.
			f.g = transposed(epoch.G)
			checkSimilarities(t, f, s, i+1, similarityOf(epoch.S))
			checkObjective(t, "block 3", s.objective(f), plain{}.objective(f))
		}
		n, total := want.N, want.N+want.M
		rows := func(m *mat.Dense, from, to int) *mat.Dense {
			_, d := m.Dims()
			return mat.DenseCopyOf(m.Slice(from, to, 0, d))
		}
		p := Problem{X: rows(f.x, 0, n), Y: f.y, Query: rows(f.x, n, total)}
		want.checkPredictions(t, p, NewLocalMetric(p, f.l, rows(f.g, n, total), rows(f.g, 0, n)))
	})
}

// checkPredictions compares the labels, and the share of them that is right.
func (want runFixture) checkPredictions(t *testing.T, p Problem, d Metric) {
	t.Helper()
	got, right := Classify(p, d, want.Neighbors), 0
	fixture.EqualSlice(t, "predictions", got, want.Predicted)
	for i, label := range got {
		if label == want.YTest[i] {
			right++
		}
	}
	fixture.Near(t, "accuracy", float64(right)/float64(len(got)), want.Accuracy, 1e-12)
}

// checkTransforms runs block 1.
func checkTransforms(t *testing.T, f *blockDescent, s solver, epoch int, want [][][]float64) {
	t.Helper()
	s.transforms(t.Context(), []*blockDescent{f})
	fixture.Check(t, f.err)
	for k, w := range want {
		fixture.Near(t, fmt.Sprintf("epoch %d: what L of metric %d differs by", epoch, k+1), relative(f.l[k], fixture.Dense(w)), 0, mapTolerance)
	}
}

// checkCoefficientsBlock runs block 2; want is K×N.
func checkCoefficientsBlock(t *testing.T, f *blockDescent, s solver, epoch int, want [][]float64) {
	t.Helper()
	f.coefficients(t.Context(), s)
	fixture.Check(t, f.err)
	var diff mat.Dense
	diff.Sub(f.g, transposed(want))
	fixture.Near(t, fmt.Sprintf("epoch %d: what g differs by", epoch), largest(&diff), 0, coefficientTolerance)
}

// checkSimilarities runs block 3.
func checkSimilarities(t *testing.T, f *blockDescent, s solver, epoch int, want similarity) {
	t.Helper()
	f.similarities(t.Context(), s)
	fixture.Check(t, f.err)
	fixture.EqualSlice(t, fmt.Sprintf("epoch %d: similar pairs", epoch), pairsOf(f.s), pairsOf(want))
}

func checkObjective(t *testing.T, where string, got, want float64) {
	t.Helper()
	fixture.Near(t, "objective after "+where, got, want, mapTolerance*math.Abs(want))
}
