package run_test

import (
	"bytes"
	"context"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"testing"

	"r2lmlbench/baselines"
	"r2lmlbench/experiments/external"
	"r2lmlbench/experiments/method"
	. "r2lmlbench/experiments/run"
	"r2lmlbench/experiments/spec"
	"r2lmlbench/internal/fixture"
	"r2lmlbench/internal/spectest"
	"r2lmlbench/r2lml"
)

// program fits command on p and returns its labels.
func program(t *testing.T, p method.Problem, command ...string) []int {
	t.Helper()
	s, err := external.Programs{}.Resolve(external.External{Command: command, Folder: "../external"})
	if err != nil {
		t.Fatal(err)
	}
	f, err := s.(external.External).Fit(context.Background(), p)
	if err != nil {
		t.Fatal(err)
	}
	return f.Labels
}

// TestNeighborsInOtherLanguages: the worked examples give the labels of the
// Euclidean column, ties included where their rule is ours.
func TestNeighborsInOtherLanguages(t *testing.T) {
	for _, c := range []struct {
		name    string
		ties    bool
		command []string
		ready   []string // a command that tells whether it can be tried
	}{
		{"python", true, []string{"python3", "./knn.py"}, []string{"python3", "--version"}},
		{"awk", true, []string{"awk", "-f", "./knn.awk"}, []string{"awk", "BEGIN { exit 0 }"}},
		{"scikit-learn", false, []string{"/usr/bin/python3", "./knn_sklearn.py"}, []string{"/usr/bin/python3", "-c", "import sklearn, numpy"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if c.name == "scikit-learn" {
				fixture.Long(t)
			}
			if out, err := exec.Command(c.ready[0], c.ready[1:]...).CombinedOutput(); err != nil {
				t.Skipf("%s is not installed: %v\n%s", c.name, err, out)
			}
			for _, integer := range []bool{false, true} {
				if integer && !c.ties {
					continue
				}
				p := neighborProblem(integer)
				metric, err := baselines.Euclidean{}.Fit(context.Background(), p.Problem)
				if err != nil {
					t.Fatal(err)
				}
				want := r2lml.Classify(p.Problem, metric.Metric, p.Neighbors)
				if got := program(t, p, c.command...); !slices.Equal(got, want) {
					t.Errorf("integer %v: labels\n%v\nwant\n%v", integer, got, want)
				}
			}
		})
	}
}

func neighborProblem(integer bool) method.Problem {
	draw := rand.New(rand.NewPCG(3, 4))
	train, query := samples(draw, 90, integer), samples(draw, 60, integer)
	return method.Problem{Problem: r2lml.Problem{X: train.X, Y: train.Y, Query: query.X, Seed: 1}, Phase: method.TestPhase, Neighbors: 4}
}

// shipped is a spec beside the examples, and its text. It tells where the spec or the
// schema has a fault.
func shipped(t *testing.T, file string) (*spec.Spec, []byte) {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := spectest.CompiledSchema(t).Validate(spectest.JSONValue(t, b)); err != nil {
		t.Errorf("%s: %v", file, err)
	}
	s, err := spec.Load(file)
	if err != nil {
		t.Fatal(err)
	}
	return s, b
}

// TestShippedStanza: the spec beside the examples is valid and gives the
// Euclidean counts.
func TestShippedStanza(t *testing.T) {
	t.Parallel()
	needs(t, "python3")
	needs(t, "awk")
	_, b := shipped(t, "../external/knn.yaml")
	s, err := spec.Parse("../external/knn.yaml", bytes.Replace(b, []byte("twonorm-gen"), []byte("mat:tiny"), 1))
	if err != nil {
		t.Fatal(err)
	}
	source, _ := tinySource(t)
	jobs, cells, err := compute(t, s, &Runner{Source: source})
	if err != nil {
		t.Fatal(err)
	}
	for _, i := range []int{1, 3} {
		if got := cells[i].Correct(); got != cells[0].Correct() || got < 10 {
			t.Errorf("%s has %d right, Euclidean %d", jobs[i].Column.ID, got, cells[0].Correct())
		}
	}
	if p := cells[2].Point().Params; p["k"] == nil {
		t.Errorf("parameters of %s: %v, want the chosen k", jobs[2].Column.ID, p)
	}
}
