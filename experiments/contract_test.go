package experiments

import (
	"testing"

	"r2lmlbench/r2lml"
	"r2lmlbench/r2lml/methodtest"
)

// settingsTried is the number of settings of every method that go through the
// contract: the first of its grid in the specs.
const settingsTried = 2

// TestContract puts every method of the registry through the contract, with
// settings that the shipped specs search.
func TestContract(t *testing.T) {
	settings := shippedSettings(t)
	for _, m := range Methods {
		if m.ID == "external" || m.Imported {
			continue // they give labels instead of a metric
		}
		t.Run(m.ID, func(t *testing.T) {
			t.Parallel()
			tried := settings[m.ID]
			if len(tried) == 0 {
				t.Fatal("no shipped spec has a stanza for it")
			}
			tried = tried[:min(len(tried), settingsTried)]
			if testing.Short() {
				tried = tried[:1]
			}
			report := methodtest.Test(t, methodtest.Subject{
				Name: m.ID, Settings: len(tried), Inductive: !m.Transductive,
				Tasks: func(p r2lml.Problem, numbers []int) []r2lml.Task {
					var chosen []setting
					for _, i := range numbers {
						chosen = append(chosen, tried[i])
					}
					return m.family.tasks(problem{Problem: p}, chosen)
				},
			})
			t.Log(report)
			if report[methodtest.Distances] < 5*len(tried) || report[methodtest.GridIsSingle] < 5*len(tried) {
				t.Errorf("too few checks were reached: %v", report)
			}
		})
	}
}

// shippedSettings returns the settings that the spec of all methods searches on
// Two Norm, whose features are of unit scale, by method.
func shippedSettings(t *testing.T) map[string][]setting {
	t.Helper()
	spec, err := Load("beyond")
	if err != nil {
		t.Fatal(err)
	}
	settings := map[string][]setting{}
	for _, c := range spec.Columns {
		settings[c.Method.ID] = c.settings["twonorm"]
	}
	return settings
}
