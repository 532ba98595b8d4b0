package baselines

import (
	"path"
	"slices"
	"strings"
	"testing"

	"r2lmlbench/internal/fixture"
)

// unreadFields are the keys of the fixtures that no test reads, and why.
var unreadFields = func() map[string]string {
	const (
		settings = "a setting of the reference that is a constant here"
		itself   = "how far references agree among themselves, or how they ran"
		draws    = "of a minimizer with a start or stop of its own"
	)
	return map[string]string{
		"conventions": "text", "bounds.rule": "text",
		"cases[].agreement": itself, "cases[].fragile": itself, "cases[].neighbor_gap": itself,
		"cases[].converged.relative_frobenius_difference_of_two_solvers": itself,
		"dann: endtoend_tolerance":                                       settings, "itml: params": settings, "nca: params": settings,
		"compare_relative": itself, "descent.compare_relative": itself, "descent.growth": settings, "descent.shrink": settings,
		"optimum.objective_by_lbfgs_on_smoothed_hinge": draws, "optimum.relative_difference_of_minimisers": itself,
		"optimum.triplets_in_sdp": itself,
		"params.averaging":        settings, "params.margin": settings, "params.pull_weight": settings, "params.push_weight": settings,
		"lmnn_mm: evaluation.M": settings,
		"nca: lbfgs.iterations": draws, "nca: lbfgs.knn5_accuracy_percent": draws, "nca: lbfgs.knn5_correct": draws,
		"plml: splits[].runs[].test_correct_loose_tolerances": draws, "plml: splits[].step1_iterations": draws,
		"plml: splits[].step1_seconds_numpy": itself, "plml: runs[].kkt_residual": itself,
		"scml: global_rda.gamma": settings, "scml: local.A0": settings,
		"scml_global: cases[].optimum_w_sum": draws, "scml_global: cases[].params.step_constant": settings,
	}
}()

// TestFieldsOfFixtures: every key of every fixture is one that a test reads, or has a
// reason.
func TestFieldsOfFixtures(t *testing.T) {
	type closedRuns struct{ Cells, Chosen []closedRun }
	type glmlRuns struct{ Runs []endToEndRun }
	for _, c := range []struct {
		folder, pattern string
		into            []any
	}{
		{"dann", "*.json", []any{dannFixture{}, struct{ EndToEnd []endToEndRun }{}}},
		{"dmlmj", "[gp]*.json", []any{closedFixture{}}},
		{"glml", "fit*.json", []any{glmlFitFixture{}}},
		{"glml", "metric*.json", []any{glmlMetricFixture{}}},
		{"glml", "predict*.json", []any{glmlPredictFixture{}}},
		{"gmml", "[gp]*.json", []any{closedFixture{}}},
		{"itml", "*.json", []any{itmlFixture{}}},
		{"kissme", "[gp]*.json", []any{closedFixture{}}},
		{"lfda", "[gp]*.json", []any{closedFixture{}}},
		{"lmnn", "*.json", []any{lmnnFixture{}}},
		{"lmnn_mm", "*.json", []any{lmnnMMFixture{}}},
		{"nca", "*.json", []any{ncaFixture{}}},
		{"plml", "graph*.json", []any{graphFixture{}}},
		{"plml", "metric*.json", []any{basisFixture{}}},
		{"plml", "triplets*.json", []any{tripletsFixture{}}},
		{"plml", "weights*.json", []any{weightsFixture{}}},
		{"rca", "*.json", []any{rcaFixture{}}},
		{"rfm", "[gp]*.json", []any{closedFixture{}}},
		{"scml", "*.json", []any{scmlFixture{}}},
		{"scml_global", "*.json", []any{directionsFixture{}}},
	} {
		for _, file := range fixture.Files(t, c.folder, c.pattern) {
			checkFields(t, c.folder, file, c.into...)
		}
	}
	if fixture.Shared() == "" {
		return // these are not in testdata
	}
	for _, folder := range []string{"dmlmj", "gmml", "kissme", "lfda", "rfm"} {
		checkFields(t, folder, fixture.Collected(t, "golden", folder, "endtoend.json"), closedRuns{})
	}
	checkFields(t, "glml", fixture.Collected(t, "golden", "glml", "endtoend.json"), glmlRuns{})
	checkFields(t, "plml", fixture.Collected(t, "golden", "plml", "endtoend.json"), plmlEndToEnd{})
}

func checkFields(t *testing.T, folder, file string, into ...any) {
	t.Helper()
	for _, key := range fixture.Unread(t, file, into...) {
		if unreadFields[key] == "" && unreadFields[folder+": "+key] == "" && !slices.Contains(fixture.Remarks, key[strings.LastIndex(key, ".")+1:]) {
			t.Errorf("%s/%s: no test reads %s", folder, path.Base(file), key)
		}
	}
}
