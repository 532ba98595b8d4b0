package results_test

import (
	"encoding/json"
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"

	"r2lmlbench/internal/fixture"
	. "r2lmlbench/results"
)

// A changed key means that every stored cell is lost: change the expectation
// only on purpose.
func TestKeyIsStable(t *testing.T) {
	const want = "376f4b103f3e04db2e7947ac83e7a4ddcd5a2b85882a0bd5d69943eb2d597483"
	if got := fixture.GridInputs().Key(); got != want {
		data, _ := CanonicalJSON(fixture.GridInputs())
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
		{"value", func(in *Inputs) { in.Settings[0].Params["lambda"] = 10 }, []string{"points: lambda 0.1, 1e-05 -> 10, 1e-05"}},
		{"number to text", func(in *Inputs) { in.Settings[0].Params["metrics"] = "1" }, []string{`points: metrics 1 -> "1", 1`}},
		{"new parameter", func(in *Inputs) { in.Settings[1].Params["c"] = 2 }, []string{"points: c (none) -> 2"}},
		{"restarts", func(in *Inputs) { in.Settings[1].Restart = 0 }, []string{"points: random start 0, 1 -> 0"}},
		{"fewer points", func(in *Inputs) { in.Settings = in.Settings[:1] },
			[]string{"points: lambda 0.1, 1e-05 -> 0.1", "points: random start 0, 1 -> 0"}},
		{"order", func(in *Inputs) {
			in.Settings = append(in.Settings, in.Settings[0])
		}, []string{"points: 2 -> 3, with the same values in another arrangement"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			changed := fixture.GridInputs()
			c.change(&changed)
			fixture.EqualSlice(t, "differences", fixture.GridInputs().Diff(changed), c.want)
		})
	}
}

func TestDiffAgreesWithKey(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := fixture.DrawInputs(t), fixture.DrawInputs(t)
		if rapid.Bool().Draw(t, "related") {
			b.Dataset, b.DatasetDigest, b.Split, b.SplitDigest = a.Dataset, a.DatasetDigest, a.Split, a.SplitDigest
			b.Method, b.Version, b.Seed, b.Neighbors = a.Method, a.Version, a.Seed, a.Neighbors
		}
		fixture.Equal(t, fmt.Sprintf("one key where the difference is %q", a.Diff(b)), a.Key() == b.Key(), len(a.Diff(b)) == 0)
		fixture.EqualSlice(t, "differences from itself", a.Diff(a), nil)
	})
}

func TestParamsCanonical(t *testing.T) {
	type name string
	for _, c := range []struct {
		value any
		want  string
	}{
		{5, `{"x":5}`},
		{5.0, `{"x":5}`}, // the same value as the line above, so the same key
		{int64(-3), `{"x":-3}`},
		{uint8(7), `{"x":7}`},
		{1e-5, `{"x":1e-05}`},
		{0.1, `{"x":0.1}`},
		{1e6, `{"x":1000000}`},
		{1000000, `{"x":1000000}`},
		{math.Copysign(0, -1), `{"x":0}`},
		{1e300, `{"x":1e+300}`},
		{uint64(math.MaxUint64), `{"x":18446744073709551615}`},
		{true, `{"x":true}`},
		{"a<b&c", `{"x":"a<b&c"}`},
		{name("text"), `{"x":"text"}`},
		{"\xff", "{\"x\":\"\uFFFD\"}"},
		{"\\\xff", "{\"x\":\"\\\\\uFFFD\"}"},
		{math.Inf(1), `{"x":"+Inf"}`},
		{math.NaN(), `{"x":"NaN"}`},
		{[]float64{1, 2}, `{"x":"[1 2]"}`},
		{nil, `{"x":"<nil>"}`},
	} {
		got := fixture.Must(CanonicalJSON(Params{"x": c.value}))(t)
		fixture.Equal(t, fmt.Sprintf("%#v", c.value), string(got), c.want)
		var back Params
		fixture.Check(t, json.Unmarshal(got, &back))
		fixture.Equal(t, "after reading", string(fixture.Must(CanonicalJSON(back))(t)), string(got))
	}
	fixture.Equal(t, "no parameters", string(fixture.Must(CanonicalJSON(Params(nil)))(t)), "{}")
}
