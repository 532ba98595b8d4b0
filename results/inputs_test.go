package results_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"r2lmlbench/internal/fixture"
	. "r2lmlbench/results"
	"r2lmlbench/results/resultstest"
)

// A changed key means that every stored cell is lost: change the expectation
// only on purpose.
func TestKeyIsStable(t *testing.T) {
	const want = "376f4b103f3e04db2e7947ac83e7a4ddcd5a2b85882a0bd5d69943eb2d597483"
	if got := resultstest.GridInputs().Key(); got != want {
		data, _ := CanonicalJSON(resultstest.GridInputs())
		t.Errorf("key %s, want %s, of\n%s", got, want, data)
	}
}

func TestDiff(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(in *Inputs)
		want   []string
	}{
		{"nothing", func(in *Inputs) {}, nil},
		{"dataset", func(in *Inputs) { in.Dataset = "letter" }, []string{"dataset: robot -> letter"}},
		{"dataset digest", func(in *Inputs) { in.DatasetDigest = "ff" }, []string{"dataset digest: 3e2f8ec98af5cc66 -> ff"}},
		{"unknown digests", func(in *Inputs) { in.DatasetDigest, in.SplitDigest = "", "" }, nil},
		{"split", func(in *Inputs) { in.Split = "random seed=1 repeat=2" }, []string{"split: authors -> random seed=1 repeat=2"}},
		{"split digest", func(in *Inputs) { in.SplitDigest = "ee" }, []string{"split digest: 0123456789abcdef -> ee"}},
		{"method", func(in *Inputs) { in.Method = "itml" }, []string{"method: e-r2lml -> itml"}},
		{"version", func(in *Inputs) { in.Version = 2 }, []string{"version: 1 -> 2"}},
		{"seed", func(in *Inputs) { in.Seed = 1<<63 + 1 }, []string{"seed: 1 -> 9223372036854775809"}},
		{"neighbors", func(in *Inputs) { in.Neighbors = 3 }, []string{"neighbors: 5 -> 3"}},
		{"measures", func(in *Inputs) { in.Measure = []string{"surface"} }, []string{"measure:  -> surface"}},
		{"select", func(in *Inputs) { in.Select = Kappa }, []string{"select:  -> kappa"}},
		{"unlabeled", func(in *Inputs) { in.Unlabeled = UnlabeledJoint }, []string{"unlabeled:  -> joint"}},
		{"value", func(in *Inputs) { in.Points[0].Params["lambda"] = 10 }, []string{"points: lambda 0.1, 1e-05 -> 10, 1e-05"}},
		{"number to text", func(in *Inputs) { in.Points[0].Params["metrics"] = "1" }, []string{`points: metrics 1 -> "1", 1`}},
		{"new parameter", func(in *Inputs) { in.Points[1].Params["c"] = 2 }, []string{"points: c (none) -> 2"}},
		{"restarts", func(in *Inputs) { in.Points[1].Restart = 0 }, []string{"points: random start 0, 1 -> 0"}},
		{"fewer points", func(in *Inputs) { in.Points = in.Points[:1] },
			[]string{"points: lambda 0.1, 1e-05 -> 0.1", "points: random start 0, 1 -> 0"}},
		{"order", func(in *Inputs) {
			in.Points = append(in.Points, in.Points[0])
		}, []string{"points: 2 -> 3, with the same values in another arrangement"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			changed := resultstest.GridInputs()
			c.change(&changed)
			if got := resultstest.GridInputs().Diff(changed); !slices.Equal(got, c.want) {
				t.Errorf("%q, want %q", got, c.want)
			}
			unknown := changed.DatasetDigest == ""
			if !unknown && (resultstest.GridInputs().Key() == changed.Key()) != (c.want == nil) {
				t.Errorf("key and difference disagree")
			}
		})
	}
}

func TestDiffAgreesWithKey(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := resultstest.DrawInputs(t), resultstest.DrawInputs(t)
		if rapid.Bool().Draw(t, "related") {
			b.Dataset, b.DatasetDigest, b.Split, b.SplitDigest = a.Dataset, a.DatasetDigest, a.Split, a.SplitDigest
			b.Method, b.Version, b.Seed, b.Neighbors = a.Method, a.Version, a.Seed, a.Neighbors
		}
		if (a.Key() == b.Key()) != (len(a.Diff(b)) == 0) {
			t.Errorf("keys %s and %s, difference %q", a.Key(), b.Key(), a.Diff(b))
		}
		fixture.EqualSlice(t, "differences from itself", a.Diff(a), nil)
	})
}
