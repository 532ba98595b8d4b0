package baselines

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"r2lmlbench/internal/fixture"
	"r2lmlbench/r2lml"
	"r2lmlbench/r2lml/methodtest"
)

// twoBlobs draws two classes of n samples each.
func twoBlobs(n, d int) r2lml.Problem { return methodtest.Blobs([]int{n, n}, d, 7) }

// shape is a synthetic set with the size of a real one's training part.
type shape struct {
	name                 string
	rows, features, sets int
	spread               float64 // of the class means; the samples spread by 1
}

var shapes = []shape{
	{"ionosphere", 80, 34, 2, 0.3},
	{"robot", 240, 4, 4, 0.7},
	{"wine", 150, 12, 3, 0.5},
	{"letter", 520, 16, 26, 0.7},
}

// problem draws Gaussian classes of equal size.
func (s shape) problem() r2lml.Problem {
	x, y := fixture.Clusters(rand.New(rand.NewPCG(1, 2)), s.rows, s.features, s.sets, s.spread)
	return r2lml.Problem{X: x, Y: y, Query: x, Seed: 1}
}

// hardProblems are those of every method, and worse ones.
func hardProblems() []methodtest.Case {
	gap := methodtest.Blobs([]int{6, 6}, 2, 6)
	for i, y := range gap.Y {
		gap.Y[i] = 3*y - 1 // codes 2 and 5
	}
	return append(methodtest.Cases(),
		methodtest.Case{Name: "class codes with gaps", P: gap},
		methodtest.Case{Name: "one sample a class", P: methodtest.Blobs([]int{1, 1, 1}, 2, 8)},
		methodtest.Case{Name: "one sample", P: methodtest.Blobs([]int{1}, 3, 12)},
	)
}

func fit(t rapid.TB, m r2lml.Method, p r2lml.Problem) r2lml.Fitted {
	t.Helper()
	return fixture.Must(m.Fit(context.Background(), p))(t)
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

// A named is a method with the hard problems that it refuses, by name; it fits the others.
type named struct {
	name    string
	m       r2lml.Method
	refused string
}

// TestHardProblems: a fit is refused in the name of the method or gives the distances of a
// metric, the same bits a second time. What holds for every method is asked of the
// registered ones by methodtest, too, of their shipped settings.
func TestHardProblems(t *testing.T) {
	const pairs = "one class, one sample, one sample a class, all samples equal"
	for _, m := range []named{
		{"dann", DANN{}, ""},
		{"dann", DANN{Shrinkage: 0.1, Iterations: 2, Scaling: Standard}, ""},
		{"dann", DANN{Neighbors: 2, Weights: Uniform}, ""},
		{"dmlmj", DMLMJ{}.Defaults(), pairs},
		{"glml", GLML{}, ""},
		{"glml", GLML{Gamma: 0.01, Shrinkage: 0.5}, ""},
		{"glml", GLML{Shrinkage: 1e-3, Metric: MeanGLML}, ""},
		{"gmml", GMML{}.Defaults(), pairs},
		{"itml", ITML{}, "all samples equal, one sample"},
		{"kissme", KISSME{}.Defaults(), pairs},
		{"lfda", LFDA{}.Defaults(), pairs},
		{"lmnn", LMNN{Iterations: 60, Step: 1e-3}, ""},
		{"lmnn-mm", LMNNMM{Iterations: 25, Step: 1e-3}, ""},
		{"nca", NCA{Iterations: 10}, ""},
		{"plml", PLML{Anchors: 3}, ""},
		{"plml", PLML{Alpha1: 0.1, Anchors: 2}, ""},
		{"rca", RCA{}, "all samples equal, one sample a class, one sample"},
		{"rfm", RFM{}, "one class, one sample, all samples equal"},
		{"scml-global", SCMLGlobal{Beta: 1e-4, Bases: 40}, "one class, one sample, one sample a class"},
		{"scml-local", SCML{Bases: 6}, ""},
		{"scml-local", SCML{Bases: 6, Beta: 1e-4, Step: 0.05, Proximal: SquaredNorm}, ""},
	} {
		for _, hard := range hardProblems() {
			t.Run(fmt.Sprintf("%T%+v/%s", m.m, m.m, hard.Name), func(t *testing.T) {
				f, err := m.m.Fit(t.Context(), hard.P)
				if slices.Contains(strings.Split(m.refused, ", "), hard.Name) {
					if err == nil || !strings.HasPrefix(err.Error(), m.name+": ") {
						t.Errorf("error %v, want one of %s", err, m.name)
					}
					return
				}
				fixture.Check(t, err)
				checkDistances(t, hard.P, f.Metric)
				again, err := m.m.Fit(t.Context(), hard.P)
				if err != nil || fmt.Sprint(f.Facts, f.Warnings) != fmt.Sprint(again.Facts, again.Warnings) ||
					!slices.Equal(distances(hard.P, f), distances(hard.P, again)) {
					t.Errorf("a second fit differs (%v)", err)
				}
				ended, cancel := context.WithCancel(t.Context())
				cancel()
				if _, err := m.m.Fit(ended, hard.P); !errors.Is(err, context.Canceled) && m.name != "rca" { // which takes no time
					t.Errorf("under a context that ended: %v", err)
				}
			})
		}
	}
}

// TestHugeFeatures: squared differences of 1e400 are beyond the numbers; every method says so.
func TestHugeFeatures(t *testing.T) {
	p := methodtest.Blobs([]int{14, 9, 11}, 2, 29)
	p.X.Scale(1e200, p.X)
	p.Query.Scale(1e200, p.Query)
	for name, m := range map[string]r2lml.Method{
		"dann": DANN{}, "dmlmj": DMLMJ{}.Defaults(), "glml": GLML{}, "gmml": GMML{}.Defaults(), "itml": ITML{}, "kissme": KISSME{}.Defaults(),
		"lfda": LFDA{}.Defaults(), "lmnn": LMNN{}, "nca": NCA{}, "rfm": RFM{},
	} {
		fixture.Says(t, fixture.Error(m.Fit(t.Context(), p)), name+": ", "finite")
	}
}

// TestDefaults: the values of fields that a setting leaves out.
func TestDefaults(t *testing.T) {
	checkResolved(t, DANN{}, DANN{Scaling: Raw, Epsilon: 1, Iterations: 1, Weights: TriCube})
	checkResolved(t, GLML{Gamma: 100, Shrinkage: 1}, GLML{Gamma: 100, Shrinkage: 1})
	checkResolved(t, LMNN{}, LMNN{Neighbors: 1, Iterations: 500, Step: 1e-7, Validation: 0.3})
	checkResolved(t, LMNNMM{}, LMNNMM{Neighbors: 1, Iterations: 50, Step: 1e-7})
	checkResolved(t, PLML{}, PLML{Alpha1: 1, Alpha2: 1, Anchors: 20, Lambda1: 1, Lambda2: 100})
	checkResolved(t, SCML{}, SCML{Step: 0.7, Bases: 400, Proximal: Norm})
}

type resolver[M any] interface {
	r2lml.Method
	comparable
	Resolve() (M, error)
}

func checkResolved[M resolver[M]](t *testing.T, m, want M) {
	t.Helper()
	if got, err := m.Resolve(); err != nil || got != want {
		t.Errorf("%+v is resolved to %+v (%v), want %+v", m, got, err, want)
	}
}

// TestRefusedSettings: what no parameter can be is refused by Resolve and by Fit.
func TestRefusedSettings(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	checkRefused(t, DANN{Scaling: "z"}, DANN{Neighbors: -1}, DANN{Shrinkage: nan}, DANN{Epsilon: -1}, DANN{Iterations: -1}, DANN{Weights: "cubic"})
	checkRefused(t, DMLMJ{Rank: -1}, DMLMJ{Neighbors: -1}, DMLMJ{Shrinkage: -0.1})
	checkRefused(t, GLML{Gamma: -1}, GLML{Gamma: nan}, GLML{Gamma: inf}, GLML{Shrinkage: -0.1}, GLML{Shrinkage: 1.1}, GLML{Shrinkage: nan},
		GLML{Metric: "median"})
	checkRefused(t, GMML{T: 1.5})
	checkRefused(t, ITML{Gamma: -1}, ITML{Gamma: nan})
	checkRefused(t, KISSME{Lambda: -1}, KISSME{Lambda: 2}, KISSME{Shrinkage: 1}, KISSME{Shrinkage: nan})
	checkRefused(t, LFDA{Neighbor: -1})
	checkRefused(t, LMNN{Neighbors: -1}, LMNN{Iterations: -5}, LMNN{Step: -1}, LMNN{Step: nan}, LMNN{Step: inf},
		LMNN{Validation: 1}, LMNN{Validation: -0.1}, LMNN{Validation: nan})
	checkRefused(t, LMNNMM{Neighbors: -1}, LMNNMM{Iterations: -5}, LMNNMM{Step: -1})
	checkRefused(t, NCA{Iterations: -1}, NCA{Iterations: 100_001})
	checkRefused(t, PLML{Alpha1: -1}, PLML{Alpha1: nan}, PLML{Alpha2: inf}, PLML{Anchors: -1}, PLML{Lambda1: -1}, PLML{Lambda2: -1})
	checkRefused(t, RFM{Bandwidth: 1, FixedBandwidth: 1}, RFM{Ridge: -1}, RFM{Iterations: -1}, RFM{Bandwidth: inf})
	checkRefused(t, SCML{Beta: -1}, SCML{Beta: nan}, SCML{Step: -1}, SCML{Step: inf}, SCML{Bases: -1}, SCML{Proximal: "cube"})
}

func checkRefused[M resolver[M]](t *testing.T, settings ...M) {
	t.Helper()
	for _, m := range settings {
		_, resolved := m.Resolve()
		if _, err := m.Fit(t.Context(), twoBlobs(3, 2)); err == nil || resolved == nil {
			t.Errorf("%+v is accepted (Resolve: %v, Fit: %v)", m, resolved, err)
		}
	}
}

// TestGrids: settings of a grid that can share work are one task, and each has the bits of
// its own fit.
func TestGrids(t *testing.T) {
	p := methodtest.Blobs([]int{14, 9, 11}, 5, 21)
	small := methodtest.Blobs([]int{6, 6, 6}, 3, 1)
	checkGrid(t, p, "[2] [0 1 3]", FitGrid[KISSME], KISSME{1, 0.1}, KISSME{0.5, 0.1}, KISSME{1, 1}, KISSME{1, 0})
	checkGrid(t, p, "[0 1 2 3]", FitGrid[GMML], GMML{0, 0.1}, GMML{0.5, 0.1}, GMML{0.5, 0.01}, GMML{1, 0.1})
	checkGrid(t, p, "[0 1 3] [2]", FitGrid[LFDA], LFDA{0, 7, 0.1}, LFDA{2, 7, 0.1}, LFDA{2, 3, 0.1}, LFDA{1, 7, 0.5})
	checkGrid(t, p, "[0 1 3] [2]", FitGrid[DMLMJ], DMLMJ{0, 5, 0.1}, DMLMJ{2, 5, 0.1}, DMLMJ{2, 3, 0.1}, DMLMJ{1, 5, 0.5})
	checkGrid(t, p, "[0 1] [2]", FitGrid[RFM], RFM{Iterations: 3}, RFM{Iterations: 1}, RFM{Ridge: 0.1, Iterations: 2})
	checkGrid(t, p, "[0 1] [2]", FitGrid[SCMLGlobal], SCMLGlobal{1e-3, 20}, SCMLGlobal{1e-4, 20}, SCMLGlobal{1e-3, 30})
	checkGrid(t, small, "[3] [0 2] [1] [4]", FitGrid[GLML], GLML{Shrinkage: 0.1}, GLML{Gamma: 1, Shrinkage: 0.5}, GLML{Gamma: 1, Shrinkage: 0.1},
		GLML{Gamma: -1}, GLML{Shrinkage: 0.1, Metric: MeanGLML})
	checkGrid(t, iris(t), "[1] [0 2 3]", FitGrid[ITML], ITML{1e-4}, ITML{-1}, ITML{}, ITML{100})
	checkGrid(t, small, "[2] [0 3] [1]", FitGrid[LMNNMM], LMNNMM{}, LMNNMM{Neighbors: 2}, LMNNMM{Step: -1}, LMNNMM{Iterations: 3, Step: 1e-3})
	checkGrid(t, small, "[1] [0 2 4] [3]", FitGrid[PLML], PLML{Alpha1: 0.1}, PLML{Alpha1: -1}, PLML{}, PLML{Anchors: 3}, PLML{Alpha1: 1, Alpha2: 2})
	checkGrid(t, small, "[4] [0 1 3] [2]", FitGrid[SCML],
		SCML{Bases: 4}, SCML{Bases: 4, Beta: 1e-4}, SCML{Bases: 2}, SCML{Bases: 4, Step: 0.05, Proximal: SquaredNorm}, SCML{Bases: -1})
}

func checkGrid[M r2lml.Method](t *testing.T, p r2lml.Problem, want string, fit r2lml.GridFit[M], settings ...M) {
	t.Helper()
	var tasks []string
	fitted := 0
	for _, task := range fit(p, settings) {
		tasks = append(tasks, fmt.Sprint(task.Settings))
		task.Run(t.Context(), func(i int, f r2lml.Fitted, err error) {
			fitted++
			alone, aloneErr := settings[i].Fit(t.Context(), p)
			if (err == nil) != (aloneErr == nil) || err == nil && !slices.Equal(distances(p, f), distances(p, alone)) {
				t.Errorf("%T%+v differs from its own fit (%v, %v)", settings[i], settings[i], err, aloneErr)
			}
		})
	}
	if got := strings.Join(tasks, " "); got != want || fitted != len(settings) {
		t.Errorf("%T: tasks of the settings %s, want %s; %d of %d are fitted", settings[0], got, want, fitted, len(settings))
	}
}
