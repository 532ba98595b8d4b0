// Package methodtest tests implementations of r2lml.Method against the contract of
// package r2lml: every distance is written, finite and non-negative, the same seed
// gives the same answer, inputs are not changed, queries of an inductive method do
// not influence one another, and a grid equals single fits.
package methodtest

import (
	"context"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"r2lmlbench/r2lml"
)

// A Subject is a method under test.
type Subject struct {
	Name     string // errors of the method start with it
	Settings int    // number of settings to try, at least 1
	// Tasks divides the fits of these settings to p into tasks, as an r2lml.GridFit does;
	// task.Settings index the list.
	Tasks func(p r2lml.Problem, settings []int) []r2lml.Task
	// Inductive: the metric does not depend on the queries.
	Inductive bool
	// Voting is the way of voting under the metric.
	Voting r2lml.Voting
}

// A Report counts the checks by name, so that callers notice a check that never ran.
type Report map[string]int

// The names of the checks.
const (
	Distances    = "all distances finite and non-negative"
	SameSeed     = "same seed, same answer"
	Untouched    = "inputs untouched"
	NoLabels     = "labels of queries have no way in"
	QueryOrder   = "order of queries immaterial"
	QueriesApart = "queries do not influence one another"
	GridIsSingle = "grid equals single fits"
	Refusals     = "refusals with a reason"
	Cancellation = "a context that ended"
)

// Test runs every check of the contract and reports what it ran.
func Test(t *testing.T, s Subject) Report {
	report := Report{}
	s.checkProblemType(t, report)
	for _, c := range Cases() {
		t.Run(c.Name, func(t *testing.T) { s.check(t, report, c) })
	}
	s.checkCancellation(t, report)
	return report
}

// A Case is a test problem. A method must fit an ordinary one; it may refuse a hard
// one with an error.
type Case struct {
	Name string
	P    r2lml.Problem
	Hard bool
}

// Cases are the problems that every method is fitted to.
func Cases() []Case {
	constant := Blobs([]int{9, 8}, 4, 11)
	for _, x := range []*mat.Dense{constant.X, constant.Query} {
		for i := range x.RawMatrix().Rows {
			x.Set(i, 2, 0.1) // its mean is rounded
		}
	}
	duplicates := Blobs([]int{10, 10}, 3, 11)
	for i := range 9 {
		duplicates.X.SetRow(i, duplicates.X.RawRowView(9)) // class 1: one point
		duplicates.X.SetRow(10+i, duplicates.X.RawRowView(10+i%2))
	}
	twice := Blobs([]int{7, 6, 5}, 3, 11)
	var both mat.Dense
	both.Stack(twice.X, twice.X)
	twice.X = &both
	twice.Y = append(twice.Y, twice.Y...)
	again := Blobs([]int{9, 8}, 4, 11)
	for _, x := range []*mat.Dense{again.X, again.Query} {
		for i := range x.RawMatrix().Rows {
			x.Set(i, 3, x.At(i, 0))
		}
	}
	equal := Blobs([]int{4, 4}, 3, 11)
	for i := range 8 {
		equal.X.SetRow(i, []float64{0.1, 0.2, 0.3})
	}
	return []Case{
		{"two classes", Blobs([]int{14, 11}, 5, 11), false},
		{"four classes", Blobs([]int{9, 7, 8, 6}, 3, 11), false},
		{"one feature", Blobs([]int{10, 10}, 1, 11), false},
		{"three samples a class", Blobs([]int{3, 3, 3, 3, 3, 3}, 9, 11), false},
		{"more features than samples", Blobs([]int{6, 6}, 20, 11), false},
		{"constant feature", constant, true},
		{"duplicated samples", duplicates, true},
		{"every sample twice", twice, true},
		{"a feature twice", again, true},
		{"class of one sample", Blobs([]int{8, 1, 8}, 3, 11), true},
		{"one class", Blobs([]int{9}, 3, 11), true},
		{"all samples equal", equal, true},
	}
}

// Blobs draws one class after the other, of normal samples around a random mean, and
// six queries.
func Blobs(sizes []int, d int, seed uint64) r2lml.Problem {
	draw := rand.New(rand.NewPCG(seed, uint64(d)))
	p := r2lml.Problem{Seed: seed}
	var x, query []float64
	for c, size := range sizes {
		mean := make([]float64, d)
		for j := range mean {
			mean[j] = 2 * draw.NormFloat64()
		}
		for range size {
			x = append(x, sample(draw, mean)...)
			p.Y = append(p.Y, c+1)
		}
		for range (6 + len(sizes) - 1 - c) / len(sizes) {
			query = append(query, sample(draw, mean)...)
		}
	}
	p.X, p.Query = mat.NewDense(len(p.Y), d, x), mat.NewDense(len(query)/d, d, query)
	return p
}

func sample(draw *rand.Rand, mean []float64) []float64 {
	row := make([]float64, len(mean))
	for j, m := range mean {
		row[j] = m + draw.NormFloat64()
	}
	return row
}

// An outcome is the result of a fit: the distances of all queries, or an error.
type outcome struct {
	distances [][]float64
	err       error
}

// fit fits the given settings together and returns their outcomes in order.
func (s Subject) fit(t *testing.T, p r2lml.Problem, settings []int) []outcome {
	t.Helper()
	outcomes := make([]outcome, len(settings))
	seen := make([]int, len(settings))
	for _, task := range s.Tasks(p, settings) {
		task.Run(context.Background(), func(i int, f r2lml.Fitted, err error) {
			seen[i]++
			outcomes[i] = outcome{err: err}
			if err == nil {
				outcomes[i].distances = distances(p, f.Metric)
			}
		})
	}
	for i, n := range seen {
		if n != 1 {
			t.Fatalf("setting %d has %d results, want 1", settings[i], n)
		}
	}
	return outcomes
}

func distances(p r2lml.Problem, d r2lml.Metric) [][]float64 {
	m, _ := p.Query.Dims()
	all := make([][]float64, m)
	for i := range all {
		all[i] = make([]float64, len(p.Y))
		for n := range all[i] {
			all[i][n] = math.NaN() // every entry must be written
		}
		d.SquaredDistances(all[i], i)
	}
	return all
}

func (s Subject) check(t *testing.T, report Report, c Case) {
	before := copied(c.P)
	all := make([]int, s.Settings)
	for i := range all {
		all[i] = i
	}
	grid := s.fit(t, c.P, all)
	if !same(before, c.P) {
		t.Error("a fit changed its problem")
	}
	report[Untouched]++
	for i, o := range grid {
		if o.err != nil {
			s.checkRefusal(t, report, c, o.err)
			continue
		}
		checkDistances(t, o.distances)
		report[Distances]++
		alone := s.fit(t, c.P, []int{i})[0]
		if !equal(alone, o) {
			t.Errorf("setting %d: alone and in the grid it gives different distances", i)
		}
		report[GridIsSingle]++
	}
	if again := s.fit(t, c.P, all); !slices.EqualFunc(again, grid, equal) {
		t.Error("the same seed gives different distances")
	}
	report[SameSeed]++
	if s.Inductive {
		s.checkQueries(t, report, c, all, grid)
	}
}

func equal(a, b outcome) bool {
	return (a.err == nil) == (b.err == nil) && slices.EqualFunc(a.distances, b.distances, slices.Equal)
}

func (s Subject) checkRefusal(t *testing.T, report Report, c Case, err error) {
	if !c.Hard {
		t.Errorf("refused: %v", err)
	}
	if !strings.HasPrefix(err.Error(), s.Name+": ") {
		t.Errorf("error %q does not start with %q", err, s.Name+": ")
	}
	report[Refusals]++
}

func checkDistances(t *testing.T, all [][]float64) {
	for m, row := range all {
		for n, d := range row {
			if !(d >= 0) || math.IsInf(d, 1) {
				t.Fatalf("squared distance of query %d to sample %d is %v", m, n, d)
			}
		}
	}
}

// checkQueries fits with the queries in reverse order, and with the first of
// them only: each must keep its distances.
func (s Subject) checkQueries(t *testing.T, report Report, c Case, all []int, grid []outcome) {
	p := copied(c.P)
	m, d := p.Query.Dims()
	for i := range m {
		p.Query.SetRow(i, c.P.Query.RawRowView(m-1-i))
	}
	for i, o := range s.fit(t, p, all) {
		slices.Reverse(o.distances)
		if !equal(o, grid[i]) {
			t.Errorf("setting %d: reversing the queries changes their distances", i)
		}
		report[QueryOrder]++
	}
	p.Query = mat.DenseCopyOf(c.P.Query.Slice(0, 1, 0, d))
	for i, o := range s.fit(t, p, all) {
		if o.err == nil && grid[i].err == nil && !slices.Equal(o.distances[0], grid[i].distances[0]) {
			t.Errorf("setting %d: without the other queries the first has different distances", i)
		}
		report[QueriesApart]++
	}
}

// checkProblemType: a Problem has no field for labels of queries.
func (s Subject) checkProblemType(t *testing.T, report Report) {
	p := reflect.TypeFor[r2lml.Problem]()
	var fields []string
	for i := range p.NumField() {
		fields = append(fields, p.Field(i).Name)
	}
	if want := []string{"X", "Y", "Query", "Seed"}; !slices.Equal(fields, want) {
		t.Errorf("a Problem has the fields %v, want %v: labels of queries must have no way in", fields, want)
	}
	report[NoLabels]++
}

// checkCancellation: a fit under a context that ended returns, with an error
// or with a result it had anyway.
func (s Subject) checkCancellation(t *testing.T, report Report) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, task := range s.Tasks(Blobs([]int{14, 11}, 5, 11), []int{0}) {
		task.Run(ctx, func(_ int, f r2lml.Fitted, err error) {
			if err == nil && f.Metric == nil {
				t.Error("neither a metric nor an error under a context that ended")
			}
			report[Cancellation]++
		})
	}
}

func copied(p r2lml.Problem) r2lml.Problem {
	return r2lml.Problem{X: mat.DenseCopyOf(p.X), Y: slices.Clone(p.Y), Query: mat.DenseCopyOf(p.Query), Seed: p.Seed}
}

func same(a, b r2lml.Problem) bool {
	return mat.Equal(a.X, b.X) && slices.Equal(a.Y, b.Y) && mat.Equal(a.Query, b.Query) && a.Seed == b.Seed
}
