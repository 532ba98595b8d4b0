package registry_test

import (
	"cmp"
	"context"
	"fmt"
	"runtime"
	"runtime/metrics"
	"slices"
	"testing"
	"time"

	"r2lmlbench/experiments/method"
	. "r2lmlbench/experiments/registry"
	"r2lmlbench/internal/fixture"
	"r2lmlbench/internal/testkit"
	"r2lmlbench/r2lml"
	"r2lmlbench/r2lml/methodtest"
	"r2lmlbench/results"
)

// TestContract puts every method of the registry through the contract, with
// settings that the shipped specs search. Its fits have the kind of metric that
// the registry says.
func TestContract(t *testing.T) {
	settings := testkit.ShippedSettings(t)
	for _, m := range Methods {
		if m.Metric == method.NoMetric {
			continue // they give labels instead of a metric
		}
		t.Run(m.ID, func(t *testing.T) {
			t.Parallel()
			if m.ID == "scml-local" || m.ID == "plml" { // most of the time of all of them
				fixture.Long(t)
			}
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
					tasks := m.Tasks(method.Problem{Problem: p}, chosen)
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
			least := map[string]int{ // the ordinary problems are five, all are twelve
				methodtest.Distances: 5 * len(tried), methodtest.GridIsSingle: 5 * len(tried),
				methodtest.SameSeed: 12, methodtest.Untouched: 12, methodtest.NoLabels: 1, methodtest.Cancellation: 1,
			}
			if !m.Transductive {
				least[methodtest.QueryOrder], least[methodtest.QueriesApart] = 12*len(tried), 12*len(tried)
			}
			for check, n := range least {
				if report[check] < n {
					t.Errorf("%s: %d, want at least %d", check, report[check], n)
				}
			}
		})
	}
}

// TestMemory fits every method at two sizes: the heap grows to at most 1.25 times what is
// promised, and to a fifth of it at least.
func TestMemory(t *testing.T) {
	fixture.Long(t)
	small := map[string]string{ // what keeps fits short and says nothing of memory
		"lmnn": "{iterations: 30}", "lmnn-mm": "{iterations: 5}", "nca": "{iterations: 3}", "rfm": "{iterations: 2}",
		"t-r2lml": "{metrics: 2, step: auto, epochs: 1, iterations: 3}", "e-r2lml": "{metrics: 3, step: auto, epochs: 1, iterations: 3}",
		"plml": "{alpha1: 100, anchors: 5}", "scml-local": "{bases: 50}", "scml-global": "{bases: 50}", "dann": "{neighbors: 60}",
	}
	for _, m := range Methods {
		if m.Family == nil || m.OutOfProcess || m.Imported {
			continue
		}
		if m.Memory == nil {
			t.Errorf("%s: no promise", m.ID)
			continue
		}
		stanza := fmt.Sprintf("{method: %s, params: %s}", m.ID, cmp.Or(small[m.ID], "{}"))
		setting := testkit.Parse(t, "name: x\ndatasets: [overlap30]\nmethods: ["+stanza+"]").Columns[0].Settings["overlap30"][0]
		for _, size := range memorySizes[memoryClass[m.ID]] {
			t.Run(fmt.Sprintf("%s/N=%d", m.ID, size.N), func(t *testing.T) {
				p := testkit.Clusters(size)
				promise := m.Promise(size, []results.Params{method.ParamsOf(setting)})
				fit := func() {
					m.Tasks(p, []method.Setting{setting})[0].Run(t.Context(), func(_ int, f r2lml.Fitted, err error) {
						if err != nil {
							t.Error(err)
							return
						}
						r2lml.ClassifyContext(context.Background(), p.Problem, justDistances{f.Metric}, []int{5}, r2lml.Voting{})
					})
				}
				// The collector may come late, and a short fit may end between two looks.
				first, second := peakOf(fit), peakOf(fit)
				least, most := min(first, second), max(first, second)
				t.Logf("promised %.1f MB, measured %.1f and %.1f MB", promise/1e6, first/1e6, second/1e6)
				if least > 1.25*promise || most < promise/5 {
					t.Errorf("measured %.1f and %.1f MB of %.1f MB promised, want a fifth to 1.25 times", first/1e6, second/1e6, promise/1e6)
				}
			})
		}
	}
}

// TestMemoryOfQueries: T-R2LML learns from queries as from training samples, so that its memory grows alike with both.
func TestMemoryOfQueries(t *testing.T) {
	m, _ := Find("t-r2lml")
	queries := m.Promise(method.Size{N: 1000, M: 9000, D: 5, C: 2}, []results.Params{{"metrics": 2}})
	fixture.Near(t, "queries over training samples", queries/m.Promise(method.Size{N: 9000, M: 1000, D: 5, C: 2}, []results.Params{{"metrics": 2}}), 1, 0.02)
}

// memoryClass is by what the memory of a method grows: samples, pairs of samples in bits or
// in numbers, or queries. The others grow by samples.
var memoryClass = map[string]string{
	"lmnn": "triplets", "lmnn-mm": "triplets", "rfm": "numbers", "scml-local": "kernel",
	"t-r2lml": "bits", "e-r2lml": "bits", "glml": "queries", "dann": "queries", "plml": "triplets", "scml-global": "triplets",
	"manhattan": "many", "dmlmj": "triplets", "nca": "triplets", "lfda": "triplets",
}

var memorySizes = map[string][]method.Size{
	"":         {{N: 10000, M: 5, D: 50, C: 3}, {N: 30000, M: 5, D: 20, C: 2}},
	"many":     {{N: 1_000_000, M: 3, D: 2, C: 2}},
	"numbers":  {{N: 900, M: 200, D: 8, C: 3}, {N: 1400, M: 100, D: 20, C: 2}},
	"kernel":   {{N: 400, M: 100, D: 8, C: 3}, {N: 700, M: 50, D: 20, C: 2}},
	"bits":     {{N: 3500, M: 1000, D: 8, C: 3}, {N: 6000, M: 2000, D: 6, C: 2}},
	"queries":  {{N: 500, M: 1000, D: 30, C: 3}, {N: 500, M: 3000, D: 25, C: 2}},
	"triplets": {{N: 1500, M: 700, D: 8, C: 3}, {N: 3000, M: 400, D: 12, C: 2}},
}

// peakOf returns the bytes by which the heap grows at most while do runs.
func peakOf(do func()) float64 {
	heap := func() float64 {
		sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
		metrics.Read(sample)
		return float64(sample[0].Value.Uint64())
	}
	runtime.GC()
	runtime.GC()
	base, most := heap(), 0.0
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		for {
			most = max(most, heap()-base)
			select {
			case <-done:
				return
			case <-time.After(200 * time.Microsecond):
			}
		}
	}()
	do()
	close(done)
	<-ended
	return most
}

// justDistances hides what kind of metric it is, so that all distances are computed. That
// takes more memory than a search, and is what a search does on a processor without kernels.
type justDistances struct{ r2lml.Metric }

// A plainMethod is a metric learner for tests, of which P are the parameters.
type plainMethod[P any] struct {
	Own P `yaml:"own"`
}

func (m plainMethod[P]) Resolve() (plainMethod[P], error) { return m, nil }

func (plainMethod[P]) Fit(context.Context, r2lml.Problem) (r2lml.Fitted, error) {
	return r2lml.Fitted{}, nil
}

type untagged struct{ Power float64 }

func (m untagged) Resolve() (untagged, error) { return m, nil }

func (untagged) Fit(context.Context, r2lml.Problem) (r2lml.Fitted, error) { return r2lml.Fitted{}, nil }

func TestRegister(t *testing.T) {
	before := slices.Clone(Methods)
	t.Cleanup(func() { Methods = before })
	one := method.About{Version: 1}
	good := method.New("good", "Good", r2lml.Singly[plainMethod[float64]], one)
	for _, c := range []struct {
		name    string
		methods []method.Method
		want    string
	}{
		{"an id of ours", []method.Method{method.New("rca", "RCA", r2lml.Singly[plainMethod[int]], one)}, `method "rca": there is a method of this id already`},
		{"an id twice", []method.Method{good, good}, `method "good": there is a method of this id already`},
		{"no id", []method.Method{method.New("", "X", r2lml.Singly[plainMethod[int]], one)}, "an id is up to 64 small letters"},
		{"an id with a colon", []method.Method{method.New("a:b", "X", r2lml.Singly[plainMethod[int]], one)}, "an id is up to 64 small letters"},
		{"no name", []method.Method{method.New("x", "", r2lml.Singly[plainMethod[int]], one)}, "it has no name"},
		{"no family", []method.Method{{ID: "x", Name: "X", About: one}}, "it has no family; make it with method.New"},
		{"no version", []method.Method{method.New("x", "X", r2lml.Singly[plainMethod[int]], method.About{})}, "About.Version is not set"},
		{"no tag", []method.Method{method.New("x", "X", r2lml.Singly[untagged], one)}, "field Power of registry_test.untagged needs a capital letter and a yaml tag"},
		{"a list", []method.Method{method.New("x", "X", r2lml.Singly[plainMethod[[]int]], one)},
			"field Own of registry_test.plainMethod[[]int] is a []int; a parameter is"},
		{"a good one and a bad one", []method.Method{good, {ID: "x", Name: "X"}}, `method "x": it has no family`},
	} {
		t.Run(c.name, func(t *testing.T) { fixture.Says(t, Register(c.methods...), c.want) })
		fixture.Equal(t, c.name+": methods beside an error", len(Methods), len(before))
	}
	fixture.Check(t, Register())
	fixture.Check(t, Register(good))
	fixture.EqualSlice(t, "ids", IDs()[len(before):], []string{"good"})
	for _, m := range before { // ours pass what is asked of others
		if m.ID != "external" { // families of their own, which decode their parameters themselves
			m.ID += "-again"
			fixture.Check(t, Register(m))
		}
	}
}
