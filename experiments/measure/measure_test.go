package measure

import (
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"r2lmlbench/internal/fixture"
	"r2lmlbench/r2lml"
	"r2lmlbench/results"
	"r2lmlbench/results/store"
)

// smallFit is E-R2LML with two metrics on twelve samples of two classes; the third
// feature is constant.
func smallFit(t *testing.T) Fit {
	t.Helper()
	draw := rand.New(rand.NewPCG(3, 3))
	p := r2lml.Problem{X: mat.NewDense(12, 3, nil), Query: mat.NewDense(2, 3, nil), Seed: 1}
	for i := range 12 {
		p.Y = append(p.Y, 1+i%2)
		p.X.SetRow(i, []float64{draw.NormFloat64() + float64(i%2), draw.NormFloat64(), 4})
	}
	setting := fixture.Must(r2lml.Efficient{Metrics: 2, Lambda: 1, Step: 1e-3, Epochs: 2, Iterations: 30, C: 1}.Resolve())(t)
	fitted := fixture.Must(setting.Fit(t.Context(), p))(t)
	return Fit{Problem: p, Setting: setting, Fitted: fitted, Neighbors: 3}
}

// near fails unless a number was read as it was written, with six digits.
func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	fixture.Near(t, what, got, want, 1e-5*math.Abs(want))
}

// Runs of block 1 count if the line could miss them: those of three iterations or more.
func TestFittedRuns(t *testing.T) {
	trace := r2lml.Trace{}
	for _, n := range []int{1, 2, 3, 4} {
		for i := range n { // on the line but for the run of 4
			trace.Values = append(trace.Values, 5+1/math.Sqrt(float64(i+1))-float64(n/4*i*i))
		}
		trace.Blocks = append(trace.Blocks, r2lml.BlockStep{Block: 1, Iterations: n}, r2lml.BlockStep{Block: 2})
	}
	fitted, of, err := fittedRuns(trace)
	fixture.Check(t, err)
	fixture.Equal(t, "runs on the line", [2]int{fitted, of}, [2]int{1, 2})
}

// What a measure writes, its reader reads.
func TestMeasuresAreRead(t *testing.T) {
	fit := smallFit(t)
	local := fit.Fitted.Metric.(*r2lml.LocalMetric)
	m := fixture.Must(Take(t.Context(), Names(), fit))(t)
	zeros := ReadZeros(m.Facts, 3)
	for level, threshold := range ZeroThresholds {
		for metric, l := range local.L {
			z := zeros[level][metric]
			if z == nil || z.Constant.Of != 1 || z.Other.Of != 2 || z.Count() != len(r2lml.ZeroColumns(l, threshold)) {
				t.Errorf("metric %d at %g: %+v", metric+1, threshold, z)
			}
		}
		if zeros[level][2] != nil {
			t.Error("a third metric")
		}
	}
	if violations := factOf(m.Facts, TriangleFact); violations == nil || violations.Of != 12*11*10/6 {
		t.Errorf("triangle: %+v", violations)
	}
	for _, mode := range Modes {
		trace := fixture.Must(r2lml.TraceEfficient(t.Context(), fit.Problem, fit.Setting.(r2lml.Efficient), mode == WithMomentum))(t)
		d := fixture.Must(ReadDescent(mode, m.Series))(t)
		n := len(trace.Values)
		near(t, mode+": best", d.Best[len(d.Best)-1], slices.Min(trace.Values))
		for key, of := range map[string]int{iterationsFact: n, fmt.Sprintf(blockFact, 1): 4, fmt.Sprintf(blockFact, 2): 2, fittedFact: 4} {
			fixture.Equal(t, mode+key, factOf(m.Facts, mode+key).Of, of)
		}
		if d.Rate == nil || d.Iterations[len(d.Iterations)-1] != float64(n) || factOf(m.Facts, fmt.Sprintf(mode+blockFact, 3)) != nil {
			t.Errorf("%s: %+v", mode, d)
		}
	}
	checkPlaces(t, fit, local, m)
}

func checkPlaces(t *testing.T, fit Fit, local *r2lml.LocalMetric, m Measured) {
	t.Helper()
	p := fixture.Must(ReadPlaces(m.Series))(t)
	if len(p.Features) != 3 || len(p.Maps) != 2 || len(p.Embedding) != 2 {
		t.Fatalf("%+v", p)
	}
	if nearest := factOf(m.Facts, NearestFact); len(p.Labels) != 12 || nearest == nil || nearest.Of != 12 {
		t.Fatalf("%+v, nearest %+v", p, nearest)
	}
	coefficients := floatsOf(m.Series, "coefficients of metric 2")
	for i := range 12 {
		var z mat.VecDense
		z.MulVec(local.L[1], fit.Problem.X.RowView(i))
		fixture.Equal(t, "label", p.Labels[i], float64(fit.Problem.Y[i]))
		near(t, "coefficient", coefficients[i], local.V.At(i, 1))
		for axis := range p.Maps[1] {
			near(t, "place", p.Maps[1][axis][i], z.AtVec(axis))
		}
	}
	_, lost, err := r2lml.Embedding(local)
	fixture.Check(t, err)
	near(t, "the share that is not shown", p.Lost, lost)
	fixture.Equal(t, "there is such a share", lost > 0, true)
	fixture.Equal(t, "it is unknown without an embedding", math.IsNaN(fixture.Must(ReadPlaces(nil))(t).Lost), true)
}

// Take takes the wanted measures in the order of the registry, without those that need fits
// of their own.
func TestTake(t *testing.T) {
	fit := smallFit(t)
	m := fixture.Must(Take(t.Context(), []string{Surface, "coordinates", "triangle"}, fit))(t)
	if len(m.Facts) != 2 || m.Facts[0].Name != TriangleFact || m.Facts[1].Name != NearestFact {
		t.Errorf("%+v", m.Facts)
	}
	fixture.Same(t, "a surface", fixture.Must(Take(t.Context(), []string{Surface}, fit))(t), Measured{})
	fit.Fitted.Metric, fit.Setting = nil, nil
	for _, m := range Measures {
		if m.Take != nil { // without a metric: what is wrong and what to do
			fixture.Says(t, fixture.Error(Take(t.Context(), []string{m.Name}, fit)), "measure "+m.Name+": ", "leave")
		}
	}
}

// TestNearestIsNoTie: a sample as near to another class as to its own is not counted.
func TestNearestIsNoTie(t *testing.T) {
	p := r2lml.Problem{X: mat.NewDense(4, 1, []float64{0, 1, 2, 9}), Y: []int{1, 1, 2, 2}, Query: mat.NewDense(1, 1, nil)}
	fact := fixture.Must(nearestAgree(r2lml.NewGlobal(p, nil), p.Y))(t)
	fixture.Same(t, "of 0, 1 | 2, 9 those nearest to their class", fact, results.Count{Name: NearestFact, Count: 2, Of: 4})
}

// TestVotes: four training samples on a line at 0, 1, 2 and 3 with the labels 1, 2, 1, 3
// and k = 3. The query at 0 sees 1, 2, 1 and is won by 1; that at 3 sees 3, 1, 2, a tie of
// three. The first query is of the validation samples and is not counted.
func TestVotes(t *testing.T) {
	p := r2lml.Problem{X: mat.NewDense(4, 1, []float64{0, 1, 2, 3}), Y: []int{1, 2, 1, 3}, Query: mat.NewDense(4, 1, []float64{0, 0, 3, 0})}
	fit := Fit{Problem: p, Fitted: r2lml.Fitted{Metric: r2lml.NewGlobal(p, nil)}, Neighbors: 3, Truth: []int{1, 2, 3}}
	found := fixture.Must(takeVotes(t.Context(), fit))(t)
	votes := fixture.Must(ReadVotes(found.Facts, fit.Neighbors))(t)
	fixture.Equal(t, "votes won", votes.Won, 1)
	fixture.Same(t, "votes tied, by labels", votes.Tied, map[int]int{3: 1})
	for _, f := range found.Facts {
		fixture.Equal(t, f.Name+": of", f.Of, 3)
	}
	fixture.Says(t, fixture.Error(ReadVotes(nil, 3)))
}

// keys are the facts and series that are read, and those of methods that nobody reads. %d
// stands for a number. A new measure adds its own.
func keys() []string {
	all := []string{
		votesFact, "votes tied between %d labels, the true one among them", r2lml.VerticesFact, r2lml.SimilarFact, TriangleFact,
		NearestFact, labelSeries, featureSeries, mapSeries, coefficientsSeries, embeddingSeries, lostSeries,
		r2lml.MovedFact, r2lml.HalvingsFact, r2lml.StepSeries, r2lml.UndoneFact, "rank of the metric", "directions used",
	}
	for _, threshold := range ZeroThresholds {
		for metric := range 3 {
			constant, other := zeroColumnsKeys(metric+1, threshold)
			all = append(all, constant, other)
		}
	}
	for _, mode := range Modes {
		for _, key := range []string{blockFact, fittedFact, iterationsFact, startSeries, iterationsSeries, bestSeries, rateSeries} {
			all = append(all, mode+key)
		}
	}
	return all
}

// Every fact and series of an accepted cell has the key of a measure, letter by
// letter.
func TestAcceptedKeys(t *testing.T) {
	fixture.Long(t)
	var patterns []string
	for _, key := range keys() {
		patterns = append(patterns, strings.ReplaceAll(regexp.QuoteMeta(key), "%d", `[1-9][0-9]*`))
	}
	known := regexp.MustCompile("^(" + strings.Join(patterns, "|") + ")$")
	seen := map[string]bool{}
	for _, c := range acceptedCells(t) {
		for _, f := range c.Counts {
			seen[f.Name] = true
		}
		for _, s := range c.Series {
			seen[s.Name] = true
		}
	}
	if len(seen) < 40 {
		t.Fatalf("%d facts and series", len(seen))
	}
	for key := range seen {
		if !known.MatchString(key) {
			t.Errorf("no measure knows %q", key)
		}
	}
}

// acceptedCells are all cells that the lists of accepted cells name, by their files.
func acceptedCells(t *testing.T) map[string]results.Cell {
	t.Helper()
	s := store.Store{Dir: "../../results/accepted"}.Snapshot()
	all := map[string]results.Cell{}
	for _, file := range fixture.Must(filepath.Glob(s.Dir + "/gates/*.json"))(t) {
		list, _, err := s.Accepted(strings.TrimSuffix(filepath.Base(file), ".json"))
		fixture.Check(t, err)
		for _, one := range list.Cells {
			if _, seen := all[one.File]; seen {
				continue
			}
			c, ok, err := s.AcceptedCell(one)
			if err != nil || !ok {
				t.Fatalf("%+v: %v, %v", one, ok, err)
			}
			all[one.File] = c
		}
	}
	return all
}
