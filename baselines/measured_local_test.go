package baselines

import (
	"context"
	"fmt"
	"testing"

	"r2lmlbench/internal/fixture"
)

var glmlGammas = []float64{0, 1e-3, 1e-2, 0.1, 1, 10, 100}

func glmlGrid(shrinkage float64) []GLML {
	var grid []GLML
	for _, gamma := range glmlGammas {
		grid = append(grid, GLML{Gamma: gamma, Shrinkage: shrinkage})
	}
	return grid
}

// All 210 cells on the validation samples, those of the paper's setting on the
// test samples.
func TestGLMLEndToEnd(t *testing.T) {
	var f struct{ Runs []endToEndRun }
	fixture.Read(t, fixture.Collected(t, "golden", "glml", "endtoend.json"), &f)
	splits := splitCache{}
	for _, run := range f.Runs {
		paper := run.Scaling == "raw" && run.Rho == 1e-3
		run.check(t, GLML{Gamma: run.Gamma, Shrinkage: run.Rho}, splits.split(t, run.Split), paper)
	}
}

// Gamma chosen on the validation samples, shrinkage 1e-3, 5-NN.
func TestGLMLMeasured(t *testing.T) {
	for name, want := range map[string]float64{"robot": 68.97, "winequality": 91.34, "ionosphere": 80.09} {
		s := readAuthorSplit(t, name).paperSize()
		checkBand(t, name, testAccuracy(t, bestOn(t, s.validation, s.validationY, FitGLML, glmlGrid(1e-3)), s), want-0.1, want+0.1)
	}
}

// The bands hold for any draw: 94.9 to 97.1 was measured on three of Two Norm,
// 95.0 to 95.4 of Ring Norm.
func TestGLMLOnGeneratedSets(t *testing.T) {
	two := generatedSplit(t, "twonorm-gen")
	checkBand(t, "two norm", testAccuracy(t, bestOn(t, two.validation, two.validationY, FitGLML, glmlGrid(1e-3)), two), 94.5, 97.5)
	ring := generatedSplit(t, "ringnorm-gen")
	checkBand(t, "ring norm", testAccuracy(t, bestOn(t, ring.validation, ring.validationY, FitGLML, glmlGrid(0.5)), ring), 94, 96.5)
}

type plmlEndToEnd struct {
	Splits []struct {
		Split       string
		Triplets    int `json:"n_triplets"`
		ValidationN int `json:"cross_n"`
		TestN       int `json:"test_n"`
		Anchors     [][]float64
		Objective   float64 `json:"step1_objective"`
		Runs        []struct {
			Alpha1, Alpha2 float64
			Primal, Dual   float64
			Iterations     int
			Validation     int `json:"cross_correct"`
			Test           int `json:"test_correct"`
		}
	}
}

// With the anchors given, both problems have one optimal value, which lies
// between the dual and the primal value wherever the descent stops. Accuracies
// agree to a percentage point.
func TestPLMLEndToEnd(t *testing.T) {
	var f plmlEndToEnd
	fixture.Read(t, fixture.Collected(t, "golden", "plml", "endtoend.json"), &f)
	splits := splitCache{}
	for _, want := range f.Splits {
		s := splits.split(t, want.Split)
		p := unitLength(standardized(s.test))
		weighting, err := newWeighting(p.X, fixture.Dense(want.Anchors), selfTuningGraph(context.Background(), p.X, graphNeighbors, graphTuner), 1, 100)
		if err != nil {
			t.Fatal(err)
		}
		w, _, err := weighting.minimize(t.Context(), 1e-9)
		if err != nil {
			t.Fatal(err)
		}
		at := weighting.start()
		at.w.Copy(w)
		weighting.differentiate(at)
		checkValue(t, want.Split+": weights", weighting.value(at), want.Objective, 1e-9)
		ground := &weightedAnchors{p: p, w: w, nearest: nearestTo(context.Background(), p),
			around: surroundings(context.Background(), p.X, p.Y, sameNeighbors, otherNeighbors)}
		for _, run := range want.Runs {
			if run.Iterations > 200 {
				continue // takes seconds
			}
			name := fmt.Sprintf("%s, alpha1 %g", want.Split, run.Alpha1)
			problem := ground.problem(context.Background(), run.Alpha1, run.Alpha2)
			if problem.triplets() != want.Triplets {
				t.Fatalf("%s: %d triplets, want %d", name, problem.triplets(), want.Triplets)
			}
			b, gap, err := problem.minimize(t.Context(), gapTolerance, basisIterations)
			if err != nil {
				t.Fatal(err)
			}
			_, primal := problem.slopes(b)
			if gap > gapTolerance || primal < run.Dual*(1-1e-5) || -b.h > run.Primal*(1+1e-5) {
				t.Errorf("%s: gap %g, values %g to %g, want them around %g", name, gap, -b.h, primal, run.Primal)
			}
			got := correct(s.test, ground.localMetric(b).Metric, s.testY)
			if abs(got-run.Test) > len(s.testY)/100 || want.TestN != len(s.testY) {
				t.Errorf("%s: %d of %d test samples right, want %d of %d", name, got, len(s.testY), run.Test, want.TestN)
			}
			onValidation := *ground
			onValidation.p = unitLength(standardized(s.validation))
			onValidation.nearest = nearestTo(context.Background(), onValidation.p)
			got = correct(s.validation, onValidation.localMetric(b).Metric, s.validationY)
			if abs(got-run.Validation) > max(1, len(s.validationY)/100) || want.ValidationN != len(s.validationY) {
				t.Errorf("%s: %d of %d validation samples right, want %d of %d", name, got, len(s.validationY), run.Validation, want.ValidationN)
			}
		}
	}
}

// The accuracies depend on the k-means centers; with those of another program
// they were 61.41, 97.14 and 79.19.
func TestPLMLMeasured(t *testing.T) {
	for name, band := range map[string][2]float64{"robot": {60, 65}, "winequality": {96, 98}, "ionosphere": {78, 86}} {
		checkBand(t, name, testAccuracy(t, PLML{}, readAuthorSplit(t, name).paperSize()), band[0], band[1])
	}
}

func TestPLMLOnGeneratedSets(t *testing.T) {
	checkBand(t, "two norm", testAccuracy(t, PLML{}, generatedSplit(t, "twonorm-gen")), 96, 98.5)
	checkBand(t, "ring norm", testAccuracy(t, PLML{}, generatedSplit(t, "ringnorm-gen")), 66, 77)
}

// Validation samples of all settings, test samples of the smallest set.
func TestDANNEndToEnd(t *testing.T) {
	var f struct{ EndToEnd []endToEndRun }
	fixture.Read(t, fixture.Collected(t, "golden", "dann", "case.json"), &f)
	splits := splitCache{}
	for _, run := range f.EndToEnd {
		m := DANN{Neighbors: run.Neighbors, Epsilon: run.Epsilon, Shrinkage: run.Rho}
		run.check(t, m, splits.split(t, run.Split), run.Split == "ionosphere")
	}
}

// The settings that the validation samples choose among neighbors {0, 100},
// shrinkage {.01, .1, .5, .9} and epsilon {.1, 1, 10}.
func TestDANNMeasured(t *testing.T) {
	tests := []struct {
		split string
		m     DANN
		want  float64
	}{
		{"robot", DANN{Scaling: Standard, Neighbors: 100, Shrinkage: 0.5, Epsilon: 0.1}, 77.01},
		{"winequality", DANN{Shrinkage: 0.01}, 91.61},
		{"ionosphere", DANN{Shrinkage: 0.9}, 87.33},
		{"ionosphere", DANN{Scaling: Standard, Neighbors: 100, Shrinkage: 0.9}, 84.16},
	}
	for _, tt := range tests {
		checkBand(t, fmt.Sprintf("%s %+v", tt.split, tt.m), testAccuracy(t, tt.m, readAuthorSplit(t, tt.split).paperSize()), tt.want-0.1, tt.want+0.1)
	}
}

// The authors' program gave 82.4 to 89.6, 96.3 to 97.6 and 43.3 to 46.3 over
// two numbers of bases and beta 1e-7 to 1e-3.
func TestSCMLMeasured(t *testing.T) {
	m := SCML{Beta: 1e-5}
	for name, band := range map[string][2]float64{"ionosphere": {82.4, 89.6}, "winequality": {96.3, 97.6}, "robot": {43.3, 46.3}} {
		checkBand(t, name, testAccuracy(t, m, readAuthorSplit(t, name).paperSize()), band[0], band[1])
	}
}

// Beta chosen on the validation samples. A reference gave 87.8 to 89.1, 97.2 to 98.4
// and 59.8 to 60.1 over three seeds; the bands leave room for other k-means centers.
func TestSCMLGlobalMeasured(t *testing.T) {
	grid := []SCMLGlobal{{Beta: 1e-5}, {Beta: 1e-4}, {Beta: 1e-3}, {Beta: 1e-2}}
	for name, band := range map[string][2]float64{"ionosphere": {86, 91}, "winequality": {96.5, 99}, "robot": {58, 64}} {
		s := readAuthorSplit(t, name).paperSize()
		checkBand(t, name, testAccuracy(t, bestOn(t, s.validation, s.validationY, FitSCMLGlobal, grid), s), band[0], band[1])
	}
}
