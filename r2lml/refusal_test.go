package r2lml

import (
	"math"
	"regexp"
	"strings"
	"testing"

	"r2lmlbench/internal/fixture"

	"pgregory.net/rapid"
)

func TestTooLargeAStepIsAnError(t *testing.T) {
	message := regexp.MustCompile(`^[et]-r2lml: epoch \d+: metric \d+: iteration \d+: .*smaller step`)
	for _, step := range []StepLength{1, 1e10, 1e300, math.MaxFloat64} {
		for name, method := range bothMethods(Efficient{Metrics: 2, Step: step}) {
			_, err := method.Fit(t.Context(), twoClouds(12, 5, 2))
			if err == nil || !message.MatchString(err.Error()) || !strings.HasPrefix(err.Error(), name) {
				t.Errorf("%s with step %g: error %v, want one like %v", name, step, err, message)
			}
		}
	}
}

// Whatever the step, and wherever the iterations end, distances are numbers or
// there is an error.
func TestDistancesAreNumbers(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		p, m := drawProblem(rt), drawSettings(rt)
		m.Step = rapid.SampledFrom([]StepLength{1e-300, 1, 1e20, 1e90, 1e99, 1e300}).Draw(rt, "step")
		for name, method := range bothMethods(m) {
			f, err := method.Fit(t.Context(), p)
			if err != nil {
				continue
			}
			for _, d := range allDistances(p, f.Metric) {
				if !(d >= 0 && d <= math.MaxFloat64) {
					rt.Fatalf("%s: a squared distance is %v", name, d)
				}
			}
		}
	})
}

func TestResolveFillsInDefaults(t *testing.T) {
	want := Efficient{Variant: Reference, Metrics: 1, Step: 0.5, C: 1, Epochs: 5, Iterations: 500}
	if got, err := (Efficient{Step: 0.5}).Resolve(); err != nil || got != want {
		t.Errorf("%+v (%v), want %+v", got, err, want)
	}
	if got, err := (Transductive{Step: 0.5}).Resolve(); err != nil || got != Transductive(want) {
		t.Errorf("%+v (%v), want %+v", got, err, want)
	}
}

func TestResolveRefuses(t *testing.T) {
	for _, test := range []struct {
		change func(m *Efficient)
		want   string // part of the message
	}{
		{func(m *Efficient) { m.Variant = "paper" }, `variant is "paper"`},
		{func(m *Efficient) { m.Metrics = -1 }, "metrics"},
		{func(m *Efficient) { m.Epochs = -1 }, "epochs"},
		{func(m *Efficient) { m.Iterations = -1 }, "iterations"},
		{func(m *Efficient) { m.Lambda = -1 }, "lambda"},
		{func(m *Efficient) { m.Lambda = math.NaN() }, "lambda"},
		{func(m *Efficient) { m.Lambda = math.Inf(1) }, "lambda"},
		{func(m *Efficient) { m.C = -1 }, "c is"},
		{func(m *Efficient) { m.C = math.NaN() }, "c is"},
		{func(m *Efficient) { m.C = math.Inf(1) }, "c is"},
		{func(m *Efficient) { m.Step = 0 }, "step is not set"},
		{func(m *Efficient) { m.Step = -1 }, "step is -1"},
		{func(m *Efficient) { m.Step = StepLength(math.NaN()) }, "step"},
		{func(m *Efficient) { m.Step = StepLength(math.Inf(1)) }, "step"},
	} {
		m := Efficient{Step: 1}
		test.change(&m)
		for name, method := range bothMethods(m) {
			_, err := method.Fit(t.Context(), twoClouds(12, 5, 2))
			fixture.Says(t, err, name+": ", test.want)
		}
	}
}
