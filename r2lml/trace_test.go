package r2lml

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp/cmpopts"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"r2lmlbench/internal/fixture"
)

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-12*(1+math.Abs(b)) }

// With the variant's own momentum a traced run is that of the plain solver, bit
// by bit; TestBatchedAgreesWithPlain ties that to the batched solver.
func TestTraceIsThePlainRun(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, m := drawShape(t), drawEfficient(t)
		m.Epochs, m.Iterations = 2, rapid.IntRange(1, 30).Draw(t, "iterations")
		transductive := rapid.Bool().Draw(t, "transductive")
		want, err := plainFrom(p, m, transductive, 0)
		got, traceErr := traced(t.Context(), p, m, transductive, m.Variant == Reference)
		if err != nil || traceErr != nil {
			if err == nil || traceErr == nil || !strings.HasSuffix(err.Error(), traceErr.Error()) {
				t.Fatalf("traced run: %v; plain run: %v", traceErr, err)
			}
			return
		}
		fixture.SameBits(t, "what the traced run learned", learned(resultOf(p, got.fit, transductive)), learned(want))
	})
}

// The recorded values hang together, and at the start and the end they are
// those of objective.
func TestTraceHangsTogether(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, m := drawProblem(t), drawSettings(t)
		transductive, momentum := rapid.Bool().Draw(t, "transductive"), rapid.Bool().Draw(t, "momentum")
		end, err := traced(t.Context(), p, m, transductive, momentum)
		if err != nil {
			t.Skip(err)
		}
		trace := end.trace
		if want := (plain{}).objective(startEither(p, m, transductive)); !near(trace.Start, want) {
			t.Fatalf("the start has F = %v, want %v", trace.Start, want)
		}
		values, value := trace.Values, trace.Start
		for i, step := range trace.Blocks {
			if !near(step.Before, value) {
				t.Fatalf("step %d starts at %v, want the last value %v", i, step.Before, value)
			}
			value = step.After
			if n := step.Iterations; n > 0 {
				if values[n-1] != value {
					t.Fatalf("step %d ends at %v, want the last value %v", i, value, values[n-1])
				}
				values = values[n:]
			}
		}
		fixture.Equal(t, "values that belong to no step", len(values), 0)
		if want := (plain{}).objective(end.fit); !near(value, want) {
			t.Fatalf("the run ends at %v, want F = %v", value, want)
		}
		best := trace.Best()
		if !slices.IsSortedFunc(best, func(a, b float64) int { return cmp.Compare(b, a) }) {
			t.Fatalf("the best values rise: %v", best)
		}
	})
}

// The steps of a traced run: per epoch block 1 of every metric, then the others.
func TestTraceListsTheBlocks(t *testing.T) {
	first, second := BlockStep{Block: 1, Metric: 1, Iterations: 4}, BlockStep{Block: 1, Metric: 2, Iterations: 4}
	for _, test := range []struct {
		metrics      int
		transductive bool
		epoch        []BlockStep
	}{
		{1, false, []BlockStep{first}},
		{1, true, []BlockStep{first, {Block: 3}}},
		{2, false, []BlockStep{first, second, {Block: 2}}},
		{2, true, []BlockStep{first, second, {Block: 2}, {Block: 3}}},
	} {
		m := Efficient{Metrics: test.metrics, Lambda: 1, Step: 1e-3, Epochs: 2, Iterations: 4}
		got := fixture.Must(traced(t.Context(), twoClouds(12, 4, 3), m, test.transductive, true))(t).trace.Blocks
		want := slices.Repeat(test.epoch, 2)
		for i := range want {
			want[i].Epoch = 1 + i/len(test.epoch)
		}
		fixture.Same(t, "steps", got, want, cmpopts.IgnoreFields(BlockStep{}, "Before", "After"))
	}
}

// Two similar samples at distance 1 on a line and one metric: F = 2L². The maps
// are those of TestDescentByHand.
func TestTraceByHand(t *testing.T) {
	p := Problem{X: mat.NewDense(2, 1, []float64{0, 1}), Y: []int{1, 1}, Query: mat.NewDense(1, 1, nil), Seed: 5}
	l := newBlockDescent(Efficient{Metrics: 1}, p.Rand(), p.X, p.Y, nil).l
	for _, test := range []struct {
		momentum bool
		maps     []float64 // multiples of the first
	}{{false, []float64{0.5, 0.25, 0.125}}, {true, []float64{0.5, 0.1875, 0.03125}}} {
		for _, variant := range []Variant{Reference, Published} {
			m := Efficient{Variant: variant, Step: 0.125, Epochs: 1, Iterations: 3}
			trace := fixture.Must(TraceEfficient(t.Context(), p, m, test.momentum))(t)
			f := 2 * l[0].At(0, 0) * l[0].At(0, 0)
			if !near(trace.Start, f) || len(trace.Values) != 3 {
				t.Fatalf("start %v and %d values, want %v and 3", trace.Start, len(trace.Values), f)
			}
			for i, multiple := range test.maps {
				if want := f * multiple * multiple; !near(trace.Values[i], want) {
					t.Errorf("%s, momentum %v: value %d is %v, want %v", variant, test.momentum, i+1, trace.Values[i], want)
				}
			}
		}
	}
}

func TestRaised(t *testing.T) {
	trace := Trace{
		Start:  10,
		Values: []float64{11, 9, 9 + 1e-13, 8, 8.5},
		Blocks: []BlockStep{
			{Epoch: 1, Block: 1, Metric: 1, Iterations: 3, Before: 10, After: 9 + 1e-13},
			{Epoch: 1, Block: 1, Metric: 2, Before: 9, After: 9},
			{Epoch: 1, Block: 2, Before: 9, After: 7},
			{Epoch: 2, Block: 1, Metric: 1, Iterations: 2, Before: 7, After: 8.5},
			{Epoch: 2, Block: 2, Before: 8.5, After: 8.5 + 1e-12},
		},
	}
	for _, test := range []struct{ block, raised, of int }{{1, 1, 3}, {2, 0, 2}, {3, 0, 0}} {
		if raised, of := trace.Raised(test.block); raised != test.raised || of != test.of {
			t.Errorf("block %d: %d of %d, want %d of %d", test.block, raised, of, test.raised, test.of)
		}
	}
	// 10 to 11, 7 to 8 and 8 to 8.5.
	if raised, of := trace.RaisedIterations(); raised != 3 || of != 5 {
		t.Errorf("iterations: %d of %d, want 3 of 5", raised, of)
	}
	fixture.EqualSlice(t, "best values", trace.Best(), []float64{11, 9, 9, 8, 8})
}

// By the textbook: with u = 1/√T, B = cov(u, v)/var(u) and R² is the squared
// correlation.
func TestFitRate(t *testing.T) {
	u := []float64{1, 1 / math.Sqrt2, 1 / math.Sqrt(3), 0.5}
	v := []float64{4, 2, 2, 1}
	meanU, meanV := floats.Sum(u)/4, 2.25
	var uu, uv, vv float64
	for i := range u {
		uu += (u[i] - meanU) * (u[i] - meanU)
		uv += (u[i] - meanU) * (v[i] - meanV)
		vv += (v[i] - meanV) * (v[i] - meanV)
	}
	want := Rate{A: meanV - uv/uu*meanU, B: uv / uu, R2: uv * uv / (uu * vv)}
	if got := fixture.Must(FitRate(v))(t); !near(got.A, want.A) || !near(got.B, want.B) || !near(got.R2, want.R2) {
		t.Errorf("%+v, want %+v", got, want)
	}
}
