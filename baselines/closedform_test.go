package baselines

import (
	"context"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"r2lmlbench/datasets"
	"r2lmlbench/internal/fixture"
	"r2lmlbench/internal/linalg"
	"r2lmlbench/r2lml"
	"r2lmlbench/r2lml/methodtest"
)

// A closedCase is one fit of KISSME, LFDA, GMML, DMLMJ or RFM by a reference.
type closedCase struct {
	samplesFixture
	Name, Split string
	Features    datasets.Scaling
	Params      struct {
		Lambda, Shrinkage, T, Ridge, Bandwidth float64
		Rank, Neighbors, Iterations            int
		LocalNeighbor                          int     `json:"local_neighbor"`
		FixedBandwidth                         float64 `json:"fixed_bandwidth"`
	}
	M, S, D     [][]float64
	Within      [][]float64 `json:"S_within"`
	Between     [][]float64 `json:"S_between"`
	Eigenvalues []float64
	Unclipped   []float64 `json:"eigenvalues_before_clipping"` // of KISSME
	OfM         []float64 `json:"M_eigenvalues"`               // of GMML
	Rank        int       // of M, of KISSME
	Similar     int       `json:"pairs_similar"`
	Dissimilar  int       `json:"pairs_dissimilar"`
	Same        int       `json:"differences_same"`
	Other       int       `json:"differences_other"`
	Bandwidths  []float64
	ByIteration [][][]float64 `json:"M_by_iteration"`
	Predictions string
	Correct     int `json:"knn5_correct"`
}

// A closedFixture has cases by a reference and tolerances by name.
type closedFixture[C any] struct {
	Tolerance map[string]float64
	Cases     []C
}

// scaled returns the scaled problem and the labels of its queries.
func (c closedCase) scaled(t *testing.T) (r2lml.Problem, []int) {
	t.Helper()
	if c.Split == "" {
		return scaled(c.Features, c.problem()), c.YTest
	}
	p, y := readAuthorSplit(t, c.Split)
	return scaled(c.Features, p), y
}

// readAuthorSplit returns the training and test samples of a split that the paper's authors
// published, and the labels of these. It needs the reference collection.
func readAuthorSplit(t *testing.T, name string) (r2lml.Problem, []int) {
	t.Helper()
	b := fixture.Must(os.ReadFile(fixture.Collected(t, "datasets", "author-splits", name+".mat")))(t)
	s := fixture.Must(datasets.ReadAuthorSplit(b))(t)
	x, y := s.Test.X, s.Test.Y
	const winequality = 2898 // test samples of the paper's table; the file has more
	if m, d := x.Dims(); m > winequality && d == 12 {
		x, y = mat.DenseCopyOf(x.Slice(0, winequality, 0, d)), y[:winequality]
	}
	return r2lml.Problem{X: s.Train.X, Y: s.Train.Y, Query: x}, y
}

// eachClosed runs test on every case of a method's fixtures.
func eachClosed[C any](t *testing.T, method string, test func(t *testing.T, c C, tolerance map[string]float64)) {
	for _, file := range []string{"generated.json", "paper.json"} {
		fixture.Each(t, method, file, func(t *testing.T, f closedFixture[C]) {
			for i, c := range f.Cases {
				t.Run(strconv.Itoa(i), func(t *testing.T) { test(t, c, f.Tolerance) })
			}
		})
	}
}

// check compares the fit of m with M, the labels and their count.
func (c closedCase) check(t *testing.T, m r2lml.Method, p r2lml.Problem, tolerance float64) {
	t.Helper()
	fitted := fit(t, m, p)
	checkMatrix(t, "M", linalg.Gram(mapOf(fitted)), fixture.Dense(c.M), tolerance)
	_, y := c.scaled(t)
	c.checkLabels(t, p, fitted.Metric, y)
}

// checkLabels compares what 5-NN makes of the queries, whose labels are y.
func (c closedCase) checkLabels(t *testing.T, p r2lml.Problem, d r2lml.Metric, y []int) {
	t.Helper()
	labels := r2lml.Classify(p, d, 5)
	digits := make([]byte, len(labels))
	right := 0
	for i, label := range labels {
		digits[i] = byte('0' + label)
		if label == y[i] {
			right++
		}
	}
	fixture.Equal(t, "labels", string(digits), c.Predictions)
	fixture.Equal(t, "queries that are labeled right", right, c.Correct)
}

// checkPairs compares scatters with S and D.
func (c closedCase) checkPairs(t *testing.T, s pairScatters, similar, dissimilar int, tolerance map[string]float64) {
	t.Helper()
	checkPresent(t, "S", s.similar, c.S, tolerance["S"])
	checkPresent(t, "D", s.dissimilar, c.D, tolerance["D"])
	fixture.Equal(t, "similar and dissimilar pairs", [2]int{s.similarPairs, s.dissimilarPairs}, [2]int{similar, dissimilar})
}

// checkPresent compares a matrix that large cases leave out.
func checkPresent(t *testing.T, name string, got mat.Matrix, want [][]float64, tolerance float64) {
	t.Helper()
	if want != nil {
		checkMatrix(t, name, got, fixture.Dense(want), tolerance)
	}
}

// zeroEigenvalue is the share of the largest eigenvalue below which one is 0 but for
// rounding: the recorded digits of such a one are noise, ours need only be as small.
const zeroEigenvalue = 1e-12

// checkEigenvalues compares values in the order of the fixture.
func (c closedCase) checkEigenvalues(t *testing.T, values []float64, order []int, tolerance float64) {
	t.Helper()
	zero := zeroEigenvalue * floats.Norm(c.Eigenvalues, math.Inf(1))
	for i, at := range order {
		if math.Abs(c.Eigenvalues[i]) > zero {
			checkValue(t, fmt.Sprint("eigenvalue ", i), values[at], c.Eigenvalues[i], tolerance)
		} else if !(math.Abs(values[at]) <= zero) {
			t.Errorf("eigenvalue %d is %g, want 0 to %g", i, values[at], zero)
		}
	}
}

// scaled returns a problem with scaled features.
func scaled(s datasets.Scaling, p r2lml.Problem) r2lml.Problem {
	scaler := s.Learn(p.X)
	p.X, p.Query = scaler.Apply(p.X), scaler.Apply(p.Query)
	return p
}

// checkScattered holds a method of pair scatters to its fixtures.
func checkScattered(t *testing.T, method string, of func(t *testing.T, c closedCase, s pairScatters) r2lml.Method) {
	eachClosed(t, method, func(t *testing.T, c closedCase, tolerance map[string]float64) {
		p, _ := c.scaled(t)
		s := fixture.Must(newPairScatters(p))(t)
		c.checkPairs(t, s, c.Similar, c.Dissimilar, tolerance)
		c.check(t, of(t, c, s), p, tolerance["M"])
	})
}

func isPositive(v float64) bool { return v > 0 }

// descending are the eigenvalues of a matrix, the largest first.
func descending(t *testing.T, m *mat.SymDense) []float64 {
	t.Helper()
	values, _, err := linalg.Eigen(m)
	fixture.Check(t, err)
	slices.Reverse(values)
	return values
}

func TestKISSMEFixtures(t *testing.T) {
	checkScattered(t, "kissme", func(t *testing.T, c closedCase, s pairScatters) r2lml.Method {
		m := KISSME{Lambda: c.Params.Lambda, Shrinkage: c.Params.Shrinkage}
		difference := fixture.Must(m.difference(s))(t)
		values := descending(t, difference)
		if !floats.EqualApprox(values, c.Unclipped, 1e-7*largestAbs(c.Unclipped)) {
			t.Errorf("eigenvalues %v, want %v", values, c.Unclipped)
		}
		fixture.Equal(t, "eigenvalues that are positive", floats.Count(isPositive, values), c.Rank)
		return m
	})
}

func TestGMMLFixtures(t *testing.T) {
	checkScattered(t, "gmml", func(t *testing.T, c closedCase, _ pairScatters) r2lml.Method {
		if values := descending(t, linalg.Symmetrize(fixture.Dense(c.M))); !floats.EqualApprox(values, c.OfM, 1e-9*largestAbs(c.OfM)) {
			t.Errorf("M has the eigenvalues %v, want %v", values, c.OfM)
		}
		return GMML{T: c.Params.T, Shrinkage: c.Params.Shrinkage}
	})
}

func TestLFDAFixtures(t *testing.T) {
	eachClosed(t, "lfda", func(t *testing.T, c closedCase, tolerance map[string]float64) {
		p, _ := c.scaled(t)
		m := LFDA{Rank: c.Params.Rank, Neighbor: c.Params.LocalNeighbor, Shrinkage: c.Params.Shrinkage}
		found := fixture.Must(m.first(t.Context(), p))(t)
		checkPresent(t, "S_w", found.similar, c.Within, tolerance["S_within"])
		checkPresent(t, "S_b", found.dissimilar, c.Between, tolerance["S_between"])
		spectrum := fixture.Must(found.discriminants(m.Shrinkage))(t)
		order := upTo(len(spectrum.values))
		slices.Reverse(order)
		c.checkEigenvalues(t, spectrum.values, order, tolerance["eigenvalues"])
		c.check(t, m, p, tolerance["M"])
	})
}

func TestDMLMJFixtures(t *testing.T) {
	eachClosed(t, "dmlmj", func(t *testing.T, c closedCase, tolerance map[string]float64) {
		p, _ := c.scaled(t)
		m := DMLMJ{Rank: c.Params.Rank, Neighbors: c.Params.Neighbors, Shrinkage: c.Params.Shrinkage}
		s := fixture.Must(nearScatters(t.Context(), p, m.Neighbors))(t)
		c.checkPairs(t, s, c.Same, c.Other, tolerance)
		spectrum := fixture.Must(newGeneralized(towardsIdentity(s.dissimilar, m.Shrinkage), towardsIdentity(s.similar, m.Shrinkage)))(t)
		c.checkEigenvalues(t, spectrum.values, spectrum.byDivergence(), tolerance["eigenvalues"])
		c.check(t, m, p, tolerance["M"])
	})
}

func TestRFMFixtures(t *testing.T) {
	eachClosed(t, "rfm", func(t *testing.T, c closedCase, tolerance map[string]float64) {
		p, _ := c.scaled(t)
		m := fixture.Must(RFM{
			Bandwidth: c.Params.Bandwidth, FixedBandwidth: c.Params.FixedBandwidth,
			Ridge: c.Params.Ridge, Iterations: c.Params.Iterations,
		}.Resolve())(t)
		machine := newFeatureMachine(p, m)
		for i, want := range c.Bandwidths {
			metric, _, err := machine.after(t.Context(), i+1)
			fixture.Check(t, err)
			if c.ByIteration != nil { // large cases leave them out
				checkMatrix(t, fmt.Sprint("M of iteration ", i+1), metric, fixture.Dense(c.ByIteration[i]), tolerance["M"])
			}
			checkValue(t, fmt.Sprint("bandwidth of iteration ", i+1), machine.widths[i], want, tolerance["bandwidths"])
		}
		c.check(t, m, p, tolerance["M"])
	})
}

// A directionsCase is one run of SCML-global.
type directionsCase struct {
	closedCase
	Params struct {
		Beta       float64
		Iterations int
		Every      int `json:"check_every"`
	}
	Bases [][]float64
	Count int   `json:"triplet_count"`
	Sums  []int `json:"triplet_sums"`
	Draws struct{ Seed uint64 }

	W       []float64
	NonZero int       `json:"nonzero"`
	History []float64 `json:"objective_history"`
	Optimum float64
}

// congruential draws the triplets of the fixtures of SCML-global.
func congruential(seed uint64, count int) func() int {
	return func() int {
		seed = seed*6364136223846793005 + 1442695040888963407
		return int((seed >> 33) % uint64(count))
	}
}

func TestSCMLGlobalFixtures(t *testing.T) {
	eachClosed(t, "scml_global", func(t *testing.T, c directionsCase, tolerance map[string]float64) {
		c.Features = datasets.Unscaled
		p, y := c.scaled(t)
		p = unitLength(standardized(p))
		triplets := comparisonsOf(surroundings(context.Background(), p.X, p.Y, sameNeighbors, otherNeighbors))
		fixture.Equal(t, "triplets", len(triplets), c.Count)
		var sum comparison
		for _, t := range triplets {
			sum = comparison{sum.i + t.i, sum.j + t.j, sum.k + t.k}
		}
		fixture.EqualSlice(t, "sums of triplets", []int{sum.i, sum.j, sum.k}, c.Sums)
		bases := fixture.Dense(c.Bases)
		loss := newTripletLoss(p.X, bases, triplets)
		draw := congruential(c.Draws.Seed, c.Count)
		w, objectives, err := newAveraging(loss, c.Params.Beta).run(t.Context(), schedule{c.Params.Iterations, c.Params.Every, draw})
		fixture.Check(t, err)
		checkVector(t, "w", w, c.W, scmlTolerance)
		fixture.Equal(t, "weights that are positive", floats.Count(isPositive, w), c.NonZero)
		checkVector(t, "objectives", objectives, c.History, scmlTolerance)
		if least := floats.Min(objectives); least < c.Optimum-tolerance["optimum"] {
			t.Errorf("an objective is %g, below the least possible %g", least, c.Optimum)
		}
		l := weightedDirections(bases, w)
		checkMatrix(t, "M", linalg.Gram(l), fixture.Dense(c.M), tolerance["M"])
		c.checkLabels(t, p, r2lml.NewGlobal(p, l), y)
	})
}

// metricOf returns LᵀL of a fit.
func metricOf(t *testing.T, m r2lml.Method, p r2lml.Problem) *mat.SymDense {
	t.Helper()
	return linalg.Gram(mapOf(fit(t, m, p)))
}

// KISSME without dissimilar pairs ranks like RCA when classes have equal size: S is
// a multiple of the within-class covariance.
func TestKISSMEIsRCA(t *testing.T) {
	p := methodtest.Blobs([]int{12, 12, 12}, 4, 23)
	ours, rca := metricOf(t, KISSME{}, p), metricOf(t, RCA{}, p)
	ours.ScaleSym(mat.Trace(rca)/mat.Trace(ours), ours)
	checkMatrix(t, "M", ours, rca, 1e-10)
}

// With all directions the metric of DMLMJ is S⁻¹, whatever D is.
func TestDMLMJAllDirections(t *testing.T) {
	p := methodtest.Blobs([]int{14, 9, 11}, 4, 26)
	s := fixture.Must(nearScatters(t.Context(), p, 5))(t)
	inverse := fixture.Must(power(towardsIdentity(s.similar, 0.01), -1))(t)
	checkMatrix(t, "M", metricOf(t, DMLMJ{0, 5, 0.01}, p), inverse, 1e-9)
	checkMatrix(t, "M of more than all directions", metricOf(t, DMLMJ{Rank: 99, Neighbors: 5, Shrinkage: 0.01}, p), inverse, 1e-9)
}

// The rank is that of the features that vary within the classes, in any unit: one that does
// so by rounding does not count, nor one that is there twice.
func TestRCARank(t *testing.T) {
	for _, unit := range []float64{0x1p-40, 1, 0x1p40} {
		p := methodtest.Blobs([]int{14, 9, 11}, 5, 28)
		for i := range p.X.RawMatrix().Rows {
			p.X.Set(i, 0, unit*p.X.At(i, 0))
			p.X.Set(i, 3, 0.3+float64(i%2)*0x1p-54)
			p.X.Set(i, 4, p.X.At(i, 1))
		}
		fixture.Equal(t, fmt.Sprint("rank with a unit of ", unit), fit(t, RCA{}, p).Facts[0].Count, 3)
	}
}

type rcaFixture struct {
	samplesFixture
	knn5
	C    [][]float64 `json:"within_class_covariance"`
	Rank int
	A    [][]float64
}

func TestRCAFixtures(t *testing.T) {
	fixture.Each(t, "rca", "*.json", func(t *testing.T, f rcaFixture) {
		p := f.problem()
		if f.C != nil {
			checkMatrix(t, "C", withinClassCovariance(p), fixture.Dense(f.C), 1e-8)
		}
		fitted := fit(t, RCA{}, p)
		checkMatrix(t, "A", linalg.Gram(mapOf(fitted)), fixture.Dense(f.A), 1e-8)
		fixture.Equal(t, "rank", fitted.Facts[0].Count, f.Rank)
		f.checkKNN(t, fitted.Metric, f.knn5)
	})
}

// Class 1 varies by ±1 along the first feature, class 2 by ±2 along the
// second, class 3 has one sample; the third feature is constant. By hand:
// C = diag(2, 8, 0)/5.
func TestRCAByHand(t *testing.T) {
	x := fixture.Dense([][]float64{{0.1, 5, 7}, {2.1, 5, 7}, {9, 1, 7}, {9, 5, 7}, {-4, -4, 7}})
	p := r2lml.Problem{X: x, Y: []int{1, 1, 2, 2, 3}, Query: fixture.Dense([][]float64{{0.1, 5, 100}})}
	a := metricOf(t, RCA{}, p)
	checkMatrix(t, "A", a, mat.NewDiagDense(3, []float64{2.5, 0.625, 0}), 1e-14)
	fixture.Equal(t, "weight of a constant feature", a.At(2, 2), 0)
}
