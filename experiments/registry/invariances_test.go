package registry_test

import (
	"cmp"
	"fmt"
	"testing"

	"r2lmlbench/datasets"
	"r2lmlbench/experiments/method"
	. "r2lmlbench/experiments/registry"
	"r2lmlbench/internal/fixture"
	"r2lmlbench/internal/testkit"
	"r2lmlbench/r2lml"
	"r2lmlbench/r2lml/methodtest"
)

// TestInvariances tries on every method what it declares, and on standardized features of
// every method that units do not matter.
func TestInvariances(t *testing.T) {
	params := map[string]string{ // the defaults of the others
		"t-r2lml": "{metrics: 2, step: auto, epochs: 2, iterations: 30}", "e-r2lml": "{metrics: 3, step: auto, epochs: 2, iterations: 30}",
		"scml-local": "{bases: 60, step: 0.05, beta: 1e-5}", "scml-global": "{beta: 1e-4}", "glml": "{shrinkage: 1e-3}",
	}
	for _, m := range Methods {
		if m.Metric == method.NoMetric {
			continue
		}
		t.Run(m.ID, func(t *testing.T) {
			t.Parallel()
			problems := 1
			if fixture.LongRun() {
				problems = 10
			}
			if m.ID == "plml" || m.ID == "scml-local" || m.ID == "scml-global" { // most of the time of all of them
				fixture.Long(t)
				problems = 3
			}
			stanza := fmt.Sprintf("{method: %s, params: %s}", m.ID, cmp.Or(params[m.ID], "{}"))
			setting := testkit.Parse(t, "name: x\ndatasets: [overlap30]\nmethods: ["+stanza+"]").Columns[0].Settings["overlap30"][0]
			t.Log("labels that move:", methodtest.TestInvariances(t, subject(m, setting), m.Invariances, problems))
			setting.Features.Scaling = datasets.ZScore
			methodtest.TestInvariances(t, subject(m, setting), r2lml.Invariances{Units: 1}, problems)
		})
	}
}

// subject is a method with one setting.
func subject(m method.Method, s method.Setting) methodtest.Subject {
	return methodtest.Subject{Name: m.ID, Settings: 1, Voting: r2lml.Voting{Weights: m.Weights}, Tasks: func(p r2lml.Problem, numbers []int) []r2lml.Task {
		return m.Tasks(method.Problem{Problem: p}, []method.Setting{s})
	}}
}
