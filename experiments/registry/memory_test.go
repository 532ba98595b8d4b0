package registry_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"runtime/metrics"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"
	"gopkg.in/yaml.v3"

	"r2lmlbench/experiments/method"
	. "r2lmlbench/experiments/registry"
	"r2lmlbench/internal/fixture"
	"r2lmlbench/internal/strictyaml"
	"r2lmlbench/r2lml"
	"r2lmlbench/results"
)

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
		var stanza yaml.Node
		fixture.Check(t, yaml.Unmarshal([]byte(small[m.ID]), &stanza))
		var layers []*yaml.Node
		if stanza.Content != nil {
			layers = stanza.Content[:1]
		}
		setting := fixture.Must(m.Family.Resolve(m.Family.Decode(&strictyaml.Decoder{}, layers)))(t)
		for _, size := range memorySizes[memoryClass[m.ID]] {
			t.Run(fmt.Sprintf("%s/N=%d", m.ID, size.N), func(t *testing.T) {
				p := drawn(size)
				promise := m.Promise(size, []results.Params{method.ParamsOf(setting)})
				fit := func() {
					m.Family.Tasks(p, []method.Setting{setting})[0].Run(t.Context(), func(_ int, f r2lml.Fitted, err error) {
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

// memoryClass is by what the memory of a method grows: samples, pairs of samples in bits or
// in numbers, or queries. The others grow by samples.
var memoryClass = map[string]string{
	"lmnn": "triplets", "lmnn-mm": "triplets", "rfm": "numbers", "scml-local": "kernel",
	"t-r2lml": "bits", "e-r2lml": "bits", "glml": "queries", "dann": "queries", "plml": "triplets", "scml-global": "triplets",
	"dmlmj": "triplets", "nca": "triplets", "lfda": "triplets",
}

var memorySizes = map[string][]method.Size{
	"":         {{N: 10000, M: 5, D: 50, C: 3}, {N: 30000, M: 5, D: 20, C: 2}},
	"numbers":  {{N: 900, M: 200, D: 8, C: 3}, {N: 1800, M: 100, D: 20, C: 2}},
	"kernel":   {{N: 500, M: 100, D: 8, C: 3}, {N: 900, M: 50, D: 20, C: 2}},
	"bits":     {{N: 5000, M: 1500, D: 8, C: 3}, {N: 9000, M: 3000, D: 6, C: 2}},
	"queries":  {{N: 500, M: 1000, D: 30, C: 3}, {N: 500, M: 3000, D: 25, C: 2}},
	"triplets": {{N: 1500, M: 700, D: 8, C: 3}, {N: 4000, M: 400, D: 12, C: 2}},
}

// drawn is a problem of overlapping classes of the same size.
func drawn(size method.Size) method.Problem {
	r := rand.New(rand.NewPCG(1, 2))
	p := method.Problem{Problem: r2lml.Problem{X: mat.NewDense(size.N, size.D, nil), Query: mat.NewDense(size.M, size.D, nil), Seed: 1}}
	for i := range size.N {
		p.Y = append(p.Y, i%size.C+1)
		for j := range size.D {
			p.X.Set(i, j, r.NormFloat64()+float64(i%size.C))
		}
	}
	for i := range size.M {
		for j := range size.D {
			p.Query.Set(i, j, r.NormFloat64()+float64(i%size.C))
		}
	}
	return p
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

// justDistances hides what kind of metric it is, as the runner does.
type justDistances struct{ r2lml.Metric }
