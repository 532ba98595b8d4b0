package registry_test

import (
	"context"
	"testing"

	"r2lmlbench/experiments/method"
	. "r2lmlbench/experiments/registry"
	"r2lmlbench/internal/fixture"
	"r2lmlbench/internal/spectest"
	"r2lmlbench/r2lml"
	"r2lmlbench/r2lml/methodtest"
)

// TestContract puts every method of the registry through the contract, with
// settings that the shipped specs search. Its fits have the kind of metric that
// the registry says.
func TestContract(t *testing.T) {
	settings := spectest.ShippedSettings(t)
	for _, m := range Methods {
		if m.Metric == method.NoMetric {
			continue // they give labels instead of a metric
		}
		t.Run(m.ID, func(t *testing.T) {
			t.Parallel()
			tried := settings[m.ID]
			if len(tried) == 0 {
				t.Fatal("no shipped spec has a stanza for it")
			}
			if len(tried) > 1 { // the first and the last of its grid
				tried = []method.Setting{tried[0], tried[len(tried)-1]}
			}
			if !fixture.LongRun() {
				tried = tried[:1]
			}
			report := methodtest.Test(t, methodtest.Subject{
				Name: m.ID, Settings: len(tried), Inductive: !m.Transductive,
				Tasks: func(p r2lml.Problem, numbers []int) []r2lml.Task {
					var chosen []method.Setting
					for _, i := range numbers {
						chosen = append(chosen, tried[i])
					}
					tasks := m.Family.Tasks(method.Problem{Problem: p}, chosen)
					for i, task := range tasks {
						tasks[i].Run = func(ctx context.Context, done func(int, r2lml.Fitted, error)) {
							task.Run(ctx, func(setting int, f r2lml.Fitted, err error) {
								if _, is := f.Metric.(*r2lml.LocalMetric); err == nil && is != (m.Metric == method.LocalMetric) {
									t.Errorf("its metric is a %T", f.Metric)
								}
								done(setting, f, err)
							})
						}
					}
					return tasks
				},
			})
			t.Log(report)
			least := map[string]int{ // the ordinary problems are five, all are ten
				methodtest.Distances: 5 * len(tried), methodtest.GridIsSingle: 5 * len(tried),
				methodtest.SameSeed: 10, methodtest.Untouched: 10, methodtest.NoLabels: 1, methodtest.Cancellation: 1,
			}
			if !m.Transductive {
				least[methodtest.QueryOrder], least[methodtest.QueriesApart] = 10*len(tried), 10*len(tried)
			}
			for check, n := range least {
				if report[check] < n {
					t.Errorf("%s: %d, want at least %d", check, report[check], n)
				}
			}
		})
	}
}
