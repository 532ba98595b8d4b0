package results

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func gridInputs() Inputs {
	return Inputs{
		Dataset: "robot", DatasetDigest: "3e2f8ec98af5cc66", Split: "authors", SplitDigest: "0123456789abcdef",
		Method: "e-r2lml", Version: 1, Seed: 1, Neighbors: 5,
		Points: []Point{
			{Params: Params{"metrics": 1, "lambda": 0.1, "variant": "reference"}},
			{Params: Params{"metrics": 1, "lambda": 1e-5, "variant": "reference"}, Restart: 1},
		},
	}
}

// A changed key means that every stored cell is lost: change the expectation
// only on purpose.
func TestKeyIsStable(t *testing.T) {
	const want = "376f4b103f3e04db2e7947ac83e7a4ddcd5a2b85882a0bd5d69943eb2d597483"
	if got := gridInputs().Key(); got != want {
		data, _ := encodeJSON(gridInputs())
		t.Errorf("key %s, want %s, of\n%s", got, want, data)
	}
}

// The JSON that keys are made of is that of cell files.
func TestInputsJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := drawInputs(t)
		in.Split = rapid.String().Draw(t, "any split")
		in.Measure = rapid.SliceOf(rapid.String()).Draw(t, "measures")
		want, err := encodeJSON(in)
		if got := in.appendJSON(nil); err != nil || string(got) != string(want) {
			t.Fatalf("%s, want %s (%v)", got, want, err)
		}
	})
	empty, err := encodeJSON(Inputs{Points: []Point{{}}})
	if got := (Inputs{Points: []Point{{}}}).appendJSON(nil); err != nil || string(got) != string(empty) {
		t.Errorf("%s, want %s (%v)", got, empty, err)
	}
}

func TestKeyIgnoresGoTypes(t *testing.T) {
	a, b := gridInputs(), gridInputs()
	b.Points[0].Params["metrics"] = 1.0
	b.Points[1].Params["metrics"] = int64(1)
	if a.Key() != b.Key() || len(a.Diff(b)) != 0 {
		t.Errorf("1 and 1.0 have different keys: %v", a.Diff(b))
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
			changed := gridInputs()
			c.change(&changed)
			if got := gridInputs().Diff(changed); !slices.Equal(got, c.want) {
				t.Errorf("%q, want %q", got, c.want)
			}
			unknown := changed.DatasetDigest == ""
			if !unknown && (gridInputs().Key() == changed.Key()) != (c.want == nil) {
				t.Errorf("key and difference disagree")
			}
		})
	}
}

func drawInputs(t *rapid.T) Inputs {
	text := rapid.StringMatching(`[a-z:/.-]{1,8}`)
	return Inputs{
		Dataset: text.Draw(t, "dataset"), DatasetDigest: text.Draw(t, "digest"),
		Split: text.Draw(t, "split"), SplitDigest: text.Draw(t, "split digest"),
		Method: text.Draw(t, "method"), Version: rapid.IntRange(0, 3).Draw(t, "version"),
		Seed: rapid.Uint64().Draw(t, "seed"), Neighbors: rapid.IntRange(1, 9).Draw(t, "neighbors"),
		Points: rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Point {
			return Point{Params: drawParams(t), Restart: rapid.IntRange(0, 2).Draw(t, "restart")}
		}), 1, 4).Draw(t, "points"),
	}
}

func TestDiffAgreesWithKey(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := drawInputs(t), drawInputs(t)
		if rapid.Bool().Draw(t, "related") {
			b.Dataset, b.DatasetDigest, b.Split, b.SplitDigest = a.Dataset, a.DatasetDigest, a.Split, a.SplitDigest
			b.Method, b.Version, b.Seed, b.Neighbors = a.Method, a.Version, a.Seed, a.Neighbors
		}
		if (a.Key() == b.Key()) != (len(a.Diff(b)) == 0) {
			t.Errorf("keys %s and %s, difference %q", a.Key(), b.Key(), a.Diff(b))
		}
		if len(a.Diff(a)) != 0 {
			t.Errorf("differs from itself: %q", a.Diff(a))
		}
	})
}
