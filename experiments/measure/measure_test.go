package measure

import (
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

// near tells whether a number was read as it was written, with six digits.
func near(a, b float64) bool { return math.Abs(a-b) <= 1e-5*math.Abs(b) }

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
		d := fixture.Must(ReadDescent(mode, m.Facts, m.Series))(t)
		n := len(trace.Values)
		if !d.Known() || !near(d.Start, trace.Start) || d.Iterations[len(d.Iterations)-1] != float64(n) || !near(d.Best[len(d.Best)-1], slices.Min(trace.Values)) {
			t.Errorf("%s: %+v", mode, d)
		}
		if d.Raised.Of != n || d.Blocks[0].Of != 4 || d.Blocks[1].Of != 2 || d.Blocks[2] != nil || d.Fitted.Of != 4 {
			t.Errorf("%s: %+v", mode, d)
		}
	}
	checkPlaces(t, fit, local, m)
}

func checkPlaces(t *testing.T, fit Fit, local *r2lml.LocalMetric, m Measured) {
	t.Helper()
	p := fixture.Must(ReadPlaces(m.Series))(t)
	if len(p.Features) != 3 || len(p.Maps) != 2 || len(p.Coefficients) != 2 || len(p.Embedding) != 2 {
		t.Fatalf("%+v", p)
	}
	if nearest := factOf(m.Facts, NearestFact); len(p.Labels) != 12 || nearest == nil || nearest.Of != 12 {
		t.Fatalf("%+v, nearest %+v", p, nearest)
	}
	for i := range 12 {
		if p.Labels[i] != float64(fit.Problem.Y[i]) || !near(p.Coefficients[1][i], local.V.At(i, 1)) {
			t.Errorf("sample %d: label %g, coefficient %g", i+1, p.Labels[i], p.Coefficients[1][i])
		}
		var z mat.VecDense
		z.MulVec(local.L[1], fit.Problem.X.RowView(i))
		for axis := range p.Maps[1] {
			if !near(p.Maps[1][axis][i], z.AtVec(axis)) {
				t.Errorf("sample %d, axis %d: %g, want %g", i+1, axis+1, p.Maps[1][axis][i], z.AtVec(axis))
			}
		}
	}
}

// Measures are taken in the order of the registry, only those that are wanted, and
// those that need fits of their own by somebody else.
func TestTake(t *testing.T) {
	fit := smallFit(t)
	m, err := Take(t.Context(), []string{Surface, "coordinates", "triangle"}, fit)
	if err != nil || len(m.Facts) != 2 || m.Facts[0].Name != TriangleFact || m.Facts[1].Name != NearestFact {
		t.Errorf("%+v, %v", m.Facts, err)
	}
	if m, err := Take(t.Context(), []string{Surface}, fit); err != nil || len(m.Facts)+len(m.Series) > 0 {
		t.Errorf("%+v, %v", m, err)
	}
	if _, ok := Find("none"); ok {
		t.Error("a measure without a line")
	}
	fit.Fitted.Metric, fit.Setting = nil, nil
	for _, m := range Measures {
		if found, ok := Find(m.Name); !ok || found.About != m.About {
			t.Errorf("%s: %+v is found by its name", m.Name, found)
		}
		if m.Take == nil {
			continue
		}
		_, err := Take(t.Context(), []string{m.Name}, fit)
		if err == nil || !strings.HasPrefix(err.Error(), "measure "+m.Name+": ") || !strings.Contains(err.Error(), "leave") {
			t.Errorf("%s: %v, want what is wrong and what to do", m.Name, err)
		}
	}
}

// TestVotes: four training samples on a line at 0, 1, 2 and 3 with the labels 1, 2, 1, 3
// and k = 3. The query at 0 sees 1, 2, 1 and is won by 1; that at 3 sees 3, 1, 2, a tie of
// three. The first query is of the validation samples and is not counted.
func TestVotes(t *testing.T) {
	p := r2lml.Problem{X: mat.NewDense(4, 1, []float64{0, 1, 2, 3}), Y: []int{1, 2, 1, 3}, Query: mat.NewDense(4, 1, []float64{0, 0, 3, 0})}
	fit := Fit{Problem: p, Fitted: r2lml.Fitted{Metric: r2lml.NewGlobal(p, nil)}, Neighbors: 3, Truth: []int{1, 2, 3}}
	found := fixture.Must(takeVotes(t.Context(), fit))(t)
	votes, err := ReadVotes(found.Facts)
	if err != nil || votes.Won != 1 || len(votes.Tied) != 1 || votes.Tied[3] != 1 {
		t.Errorf("%+v, %v; want one vote won, and one tied between 3 labels", votes, err)
	}
	for _, f := range found.Facts {
		if f.Of != 3 {
			t.Errorf("%s: of %d, want 3", f.Name, f.Of)
		}
	}
	if _, err := ReadVotes(nil); err == nil {
		t.Error("a cell without the measure is read")
	}
	fit.Fitted.Metric = nil
	if _, err := takeVotes(t.Context(), fit); err == nil {
		t.Error("a method without a metric has votes")
	}
}

// keys are the facts and series by whom they are read, or by whom they are
// written if nobody reads them. %d stands for a number. A new measure adds its own.
var keys = map[string][]string{
	"votes":       {votesFact, "votes tied between %d labels, the true one among them"},
	"collapse":    {r2lml.VerticesFact},
	"t-r2lml":     {r2lml.SimilarFact},
	"lambda":      zeroKeys(),
	"triangle":    {TriangleFact},
	"toy":         {NearestFact, labelSeries, featureSeries, mapSeries, coefficientsSeries, embeddingSeries, lostSeries},
	"convergence": descentKeys(),
	"step: auto":  {r2lml.MovedFact, r2lml.HalvingsFact, r2lml.StepSeries},
	"regularized": {r2lml.UndoneFact},
	"rca":         {"rank of the metric"},
	"scml-local":  {"directions used"},
}

func zeroKeys() []string {
	var all []string
	for _, threshold := range ZeroThresholds {
		for metric := range 3 {
			constant, other := zeroColumnsKeys(metric+1, threshold)
			all = append(all, constant, other)
		}
	}
	return all
}

func descentKeys() []string {
	var all []string
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
	for _, list := range keys {
		for _, key := range list {
			patterns = append(patterns, strings.ReplaceAll(regexp.QuoteMeta(key), "%d", `[1-9][0-9]*`))
		}
	}
	known := regexp.MustCompile("^(" + strings.Join(patterns, "|") + ")$")
	seen := map[string]bool{}
	for _, c := range acceptedCells(t) {
		for _, f := range c.Facts {
			seen[f.Name] = true
		}
		for _, s := range c.Series {
			seen[s.Name] = true
			if _, err := s.Floats(); err != nil {
				t.Errorf("%s on %s: %v", c.Method, c.Dataset, err)
			}
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
	s := store.Store{Dir: "../../results/accepted"}
	all := map[string]results.Cell{}
	for _, file := range fixture.Must(filepath.Glob(s.Dir + "/gates/*.json"))(t) {
		list, ok, err := s.Accepted(strings.TrimSuffix(filepath.Base(file), ".json"))
		if err != nil || !ok {
			t.Fatalf("%s: %v, %v", file, ok, err)
		}
		for _, one := range list.Cells {
			if _, seen := all[one.File]; seen {
				continue
			}
			if all[one.File], ok, err = s.AcceptedCell(one); err != nil || !ok {
				t.Fatalf("%+v: %v, %v", one, ok, err)
			}
		}
	}
	return all
}
