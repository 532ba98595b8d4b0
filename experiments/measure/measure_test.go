package measure

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"r2lmlbench/internal/fixture"
	"r2lmlbench/r2lml"
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
