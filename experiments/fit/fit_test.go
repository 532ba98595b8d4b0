package fit

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"r2lmlbench/datasets"
	"r2lmlbench/experiments/method"
	"r2lmlbench/experiments/registry"
	"r2lmlbench/internal/fixture"
	"r2lmlbench/internal/testkit"
	"r2lmlbench/r2lml"
)

// twoClasses are n samples of two classes that differ in the first of three features of
// very different scales.
func twoClasses(n int, seed uint64) (*mat.Dense, []int) {
	rng := rand.New(rand.NewPCG(seed, 1))
	x, y := mat.NewDense(n, 3, nil), make([]int, n)
	for i := range n {
		y[i] = i%2 + 1
		x.SetRow(i, []float64{3*float64(i%2) + rng.NormFloat64(), 5 + 100*rng.NormFloat64(), 0.01 * rng.NormFloat64()})
	}
	return x, y
}

// settingOf is the method of a stanza and its parameters.
func settingOf(t *testing.T, stanza string) (method.Method, method.Setting) {
	t.Helper()
	c := testkit.Parse(t, "name: x\ndatasets: [overlap30]\nmethods: ["+stanza+"]").Columns[0]
	return c.Method, c.Settings["overlap30"][0]
}

func learned(t *testing.T, stanza string) *Model {
	t.Helper()
	m, setting := settingOf(t, stanza)
	x, y := twoClasses(80, 1)
	model := fixture.Must(Learn(t.Context(), m, setting, datasets.Samples{X: x, Y: y}, 5))(t)
	model.Features, model.Classes, model.Provenance = []string{"a", "b", "größe"}, []string{"no", "yes"}, `{"method":"x"}`
	return model
}

// The map gives the distances of the metric that the method learns, for every global
// method and scaling: neighbors are those of a fit.
func TestMapIsTheMetric(t *testing.T) {
	for _, stanza := range []string{
		"{method: euclidean, params: {features: zscore}}", "{method: kissme, params: {features: minmax, feature-scale: 4}}", "{method: rca}",
		"{method: lmnn, params: {features: zscore, iterations: 50}}", "{method: nca, params: {features: zscore, iterations: 5}}",
	} {
		model := learned(t, stanza)
		m, setting := settingOf(t, stanza)
		p := method.Problem{Phase: method.TestPhase, Problem: r2lml.Problem{X: model.X, Y: model.Y, Query: model.X, Seed: 1 << 16}}
		var metric r2lml.Metric
		for _, task := range m.Tasks(p, []method.Setting{setting}) {
			task.Run(t.Context(), func(_ int, f r2lml.Fitted, err error) {
				fixture.Check(t, err)
				metric = f.Metric
			})
		}
		mapped := model.Apply(model.X)
		n, _ := mapped.Dims()
		distances := make([]float64, n)
		metric.SquaredDistances(distances, 0)
		for i := range n {
			d := floats.Distance(mapped.RawRowView(i), mapped.RawRowView(0), 2)
			fixture.Near(t, fmt.Sprint(stanza, ": squared distance to sample ", i), distances[i], d*d, 1e-9*(1+d*d))
		}
	}
}

// TestWarningsOfAFit: what a method warns of is told: of six classes of one row ITML has no similar pair.
func TestWarningsOfAFit(t *testing.T) {
	m, setting := settingOf(t, "{method: itml}")
	x, _ := twoClasses(6, 1)
	model := fixture.Must(Learn(t.Context(), m, setting, datasets.Samples{X: x, Y: []int{1, 2, 3, 4, 5, 6}}, 1))(t)
	fixture.Has(t, "warnings", strings.Join(model.Warnings, "\n"), "no similar pair")

	m, setting = settingOf(t, "{method: lmnn, params: {features: raw}}")
	x, y := twoClasses(40, 1)
	for i := range y {
		x.Set(i, 0, 1e-9*x.At(i, 0))
	}
	model = fixture.Must(Learn(t.Context(), m, setting, datasets.Samples{X: x, Y: y}, 1))(t)
	fixture.Has(t, "doubts", strings.Join(model.Warnings, "\n"), "features spread less than")
}

// TestHasMap: the reason for which a method that rescales samples has no map is that.
func TestHasMap(t *testing.T) {
	rescaling := 0
	for _, m := range registry.Methods {
		if m.Rescales {
			rescaling++
			fixture.Says(t, HasMap(m), "divides each sample by its length")
		}
	}
	if rescaling == 0 {
		t.Error("no method rescales samples")
	}
}

// labelled are the labels that a model gives samples.
func labelled(t *testing.T, m *Model, x *mat.Dense) []int {
	t.Helper()
	return fixture.Must(m.Predict(t.Context(), x))(t)
}

// TestOrderOfRows: rows in an order that keeps that within the classes give the same model to
// the last bit; in any other, a method that draws nothing gives the same labels.
func TestOrderOfRows(t *testing.T) {
	x, y := twoClasses(60, 4)
	fresh, _ := twoClasses(30, 9)
	for _, stanza := range []string{
		"{method: itml}", "{method: lmnn, params: {iterations: 20}}", "{method: nca, params: {features: zscore, iterations: 5}}",
		"{method: rca}", "{method: kissme, params: {features: minmax}}", "{method: lfda}", "{method: gmml}", "{method: dmlmj}", "{method: euclidean}",
	} {
		m, setting := settingOf(t, stanza)
		model := func(order []int) *Model {
			d := &datasets.Data{Samples: datasets.Samples{X: mat.NewDense(60, 3, nil)}, Labels: []string{"no", "yes"}}
			for i, row := range order {
				d.X.SetRow(i, x.RawRowView(row))
				d.Y = append(d.Y, y[row])
			}
			_, train, err := Encode(d, []string{"a", "b", "c"}, "")
			fixture.Check(t, err)
			return fixture.Must(Learn(t.Context(), m, setting, train, 5))(t)
		}
		rng := rand.New(rand.NewPCG(2, 2))
		order := rng.Perm(60)
		slices.Sort(order)
		first := model(order)
		slices.SortStableFunc(order, func(a, b int) int { return y[b] - y[a] })
		if other := model(order); !mat.Equal(first.L, other.L) || !mat.Equal(first.X, other.X) || !slices.Equal(first.Y, other.Y) {
			t.Errorf("%s: the class that comes first in the file matters", stanza)
		}
		if !m.Stochastic {
			fixture.EqualSlice(t, stanza+": labels", labelled(t, model(rng.Perm(60)), fresh), labelled(t, first, fresh))
		}
	}
}

// TestNeighborsOfModel: mapped rows that were learned from have mean 0 under zscore; one
// neighbor is the row itself, and all rows together have one label. The k of the setting
// comes before the other.
func TestNeighborsOfModel(t *testing.T) {
	x, y := twoClasses(61, 1)
	for _, c := range []struct{ param, k, want int }{{0, 1, 1}, {1, 5, 1}, {0, 61, 61}, {61, 1, 61}, {0, 99, 61}} {
		m, setting := settingOf(t, "{method: kissme, params: {features: zscore}}")
		setting.Rule.K = c.param
		model := fixture.Must(Learn(t.Context(), m, setting, datasets.Samples{X: x, Y: y}, c.k))(t)
		fixture.Equal(t, "neighbors", model.Neighbors, c.want)
		labels, mapped := labelled(t, model, x), model.Apply(x)
		_, dimensions := mapped.Dims()
		for j := range dimensions {
			fixture.Near(t, fmt.Sprint("mean of mapped feature ", j), mat.Sum(mapped.ColView(j))/61, 0, 1e-12)
		}
		if c.want == 1 {
			fixture.EqualSlice(t, "labels of the rows learned from", labels, y)
		} else {
			fixture.EqualSlice(t, "labels by all rows", labels, slices.Repeat([]int{1}, 61)) // 31 of 61
		}
	}
}

// reread writes a model and reads what is written.
func reread(t *testing.T, model *Model) (again *Model, written []byte) {
	t.Helper()
	var b bytes.Buffer
	fixture.Check(t, model.Write(&b))
	return fixture.Must(Read(b.Bytes()))(t), b.Bytes()
}

func TestWriteAndRead(t *testing.T) {
	model := learned(t, "{method: kissme, params: {features: zscore}}")
	again, written := reread(t, model)
	fresh, _ := twoClasses(30, 9)
	if !mat.Equal(model.L, again.L) || !slices.Equal(model.Features, again.Features) || again.Provenance != model.Provenance ||
		!slices.Equal(labelled(t, model, fresh), labelled(t, again, fresh)) || !slices.Equal(model.Y, again.Y) {
		t.Errorf("read back: %+v", again)
	}
	for _, cut := range []int{0, 10, len(written) / 2, len(written) - 5} {
		fixture.Says(t, fixture.Error(Read(written[:cut])))
	}
}

// TestFlippedModel: a model with a bit turned over, at 200 drawn places, is refused or predicts
// and maps as before.
func TestFlippedModel(t *testing.T) {
	model := learned(t, "{method: kissme, params: {features: zscore}}")
	again, written := reread(t, model)
	fresh, _ := twoClasses(30, 9)
	labels, mapped := labelled(t, again, fresh), again.Apply(fresh)
	rng := rand.New(rand.NewPCG(4, 4))
	refused := 0
	for range 200 {
		at := rng.IntN(8 * len(written))
		flipped := bytes.Clone(written)
		flipped[at/8] ^= 1 << (at % 8)
		m, err := Read(flipped)
		if err != nil {
			refused++
		} else if !slices.Equal(labelled(t, m, fresh), labels) || !mat.Equal(m.Apply(fresh), mapped) || m.Provenance != model.Provenance {
			t.Errorf("bit %d of byte %d changes the model", at%8, at/8)
		}
	}
	if refused < 100 {
		t.Errorf("%d of 200 are refused", refused)
	}
}

// TestModelFaults: arrays that are no model are refused, by their names.
func TestModelFaults(t *testing.T) {
	for _, c := range []struct {
		says  string
		spoil func(m *Model)
	}{
		{"array X: a number is not finite", func(m *Model) { m.X.Set(3, 1, math.NaN()) }},
		{"array L: a number is not finite", func(m *Model) { m.L.Set(0, 1, math.Inf(1)) }},
		{"array mean: a number is not finite", func(m *Model) { m.Mean[2] = math.Inf(-1) }},
		{"array scale: a number is not finite", func(m *Model) { m.Scale[2] = math.NaN() }},
		{"array scale", func(m *Model) { m.Scale[1] = 0 }},
		{"array y: class 0 of 2", func(m *Model) { m.Y[7] = 0 }},
		{"array y: class 3 of 2", func(m *Model) { m.Y[7] = 3 }},
		{"y: 79 labels", func(m *Model) { m.Y = m.Y[1:] }},
		{"neighbors is 81", func(m *Model) { m.Neighbors = 81 }},
		{"neighbors is 0", func(m *Model) { m.Neighbors = 0 }},
		{"columns", func(m *Model) { m.Mean = m.Mean[1:] }},
		{"columns", func(m *Model) { m.Columns = []EncodedColumn{{Name: "a"}} }},
	} {
		m := learned(t, "{method: euclidean}")
		m.Y = slices.Clone(m.Y)
		c.spoil(m)
		var b bytes.Buffer
		fixture.Check(t, m.Write(&b))
		fixture.Says(t, fixture.Error(Read(b.Bytes())), c.says)
	}

	// Arrays of another form, one more, and one less.
	var b bytes.Buffer
	fixture.Check(t, learned(t, "{method: euclidean}").Write(&b))
	members := fixture.Must(zip.NewReader(bytes.NewReader(b.Bytes()), int64(b.Len())))(t).File
	with := func(name string, content []byte) []byte {
		var b bytes.Buffer
		z := zip.NewWriter(&b)
		for _, f := range members {
			if f.Name != name {
				fixture.Check(t, z.Copy(f))
			}
		}
		if content != nil {
			fixture.Must(fixture.Must(z.Create(name))(t).Write(content))(t)
		}
		fixture.Check(t, z.Close())
		return b.Bytes()
	}
	half := binary.LittleEndian.AppendUint64(nil, math.Float64bits(1.5))
	for _, c := range []struct {
		name, says string
		content    []byte
	}{
		{"extra.npy", "models have no such array", append(header("<f8", "()"), half...)},
		{"notes.txt", "models have no such array", []byte("x")},
		{"y.npy", "it is not in the file", nil},
		{"y.npy", "whole number", append(header("<f8", "(80,)"), bytes.Repeat(half, 80)...)},
		{"neighbors.npy", "whole number", append(header("<f8", "()"), half...)},
		{"neighbors.npy", "its shape [1]", append(header("<f8", "(1,)"), half...)},
		{"classes.npy", "its type f", append(header("<f8", "(1,)"), half...)},
		{"mean.npy", "its type S", append(header("|S8", "(1,)"), half...)},
		{"X.npy", "its shape [0 3]", header("<f8", "(0, 3)")},
	} {
		fixture.Says(t, fixture.Error(Read(with(c.name, c.content))), strings.TrimSuffix(c.name, ".npy"), c.says)
	}
}

// coloured are the columns of own data: a text of three, and two numbers, some values of
// all missing. The classes differ in the text and in the first number.
func coloured(n int, seed uint64) *datasets.Data {
	rng := rand.New(rand.NewPCG(seed, 2))
	d := &datasets.Data{Labels: []string{"no", "yes"}, Categories: [][]string{nil, {"red", "blue", "lime"}, nil}}
	d.X, d.Y = mat.NewDense(n, 3, nil), make([]int, n)
	for i := range n {
		d.Y[i] = i%2 + 1
		d.X.SetRow(i, []float64{float64(i%2) + rng.NormFloat64(), float64(max(0, rng.IntN(4)-i%2) % 3), 10 * rng.NormFloat64()})
		if i%7 == 3 {
			d.X.Set(i, i%3, math.NaN())
		}
	}
	return d
}

// What numpy does by the file alone, encoding other rows included, is what we do: LMNN and
// KISSME on text and missing values, and the labels that follow.
func TestNumpy(t *testing.T) {
	const python = "/usr/bin/python3"
	if err := exec.Command(python, "-c", "import numpy").Run(); err != nil {
		t.Skip("no numpy for " + python)
	}
	d := coloured(90, 1)
	other := coloured(40, 8).X
	for i := range 40 {
		switch v := other.At(i, 1); {
		case i%5 == 0:
			other.Set(i, 1, -1) // a text that no row learned from has
		case !math.IsNaN(v):
			other.Set(i, 1, []float64{2, 0, 1}[int(v)]) // by the sorted texts: blue, lime, red
		}
	}
	for _, stanza := range []string{"{method: lmnn, params: {features: zscore, iterations: 50}}", "{method: kissme}"} {
		columns, train, err := Encode(d, []string{"n", "color", "größe"}, "mean")
		fixture.Check(t, err)
		m, setting := settingOf(t, stanza)
		model := fixture.Must(Learn(t.Context(), m, setting, train, 5))(t)
		model.Columns, model.Features, model.Classes = columns, FeatureNames(columns), d.Labels
		model.Provenance = `{"method":"x"}`
		fixture.EqualSlice(t, "features", model.Features, []string{"n", "color=blue", "color=lime", "color=red", "größe"})
		again, written := reread(t, model)
		rows := fixture.Must(again.Encode(other))(t)
		file := fixture.Write(t, filepath.Join(t.TempDir(), "m.npz"), string(written))
		query := fixture.Must(json.Marshal(textRows(other)))(t)
		out, err := exec.Command(python, "-c", `
import sys, json, numpy as np
m = np.load(sys.argv[1])
rows = []
for row in json.loads(sys.argv[2]):
    x = []
    for c, v in zip(json.loads(str(m["columns"])), row):
        x += [float(v == t) for t in c["texts"]] if "texts" in c else [c["fill"] if v is None else v]
    rows.append(x)
of = lambda x: ((np.array(x) - m["mean"]) / m["scale"]) @ m["L"].T
d = ((of(rows)[:, None] - of(m["X"])[None]) ** 2).sum(-1)
near = [np.lexsort((np.arange(len(r)), r))[: m["neighbors"]] for r in d]
print(json.dumps({"label": [int(np.bincount(m["y"][r]).argmax()) for r in near],
    "texts": [*map(str, m["features"]), *map(str, m["classes"]), str(m["provenance"])]}))`,
			file, string(query)).Output()
		fixture.Check(t, err)
		var numpy struct {
			Label []int
			Texts []string
		}
		fixture.Check(t, json.Unmarshal(out, &numpy))
		fixture.EqualSlice(t, "texts", numpy.Texts, slices.Concat(model.Features, model.Classes, []string{model.Provenance}))
		fixture.EqualSlice(t, stanza+": labels beside those of numpy", labelled(t, again, rows), numpy.Label)
	}
}

// textRows are rows of coloured as a file has them; null is a missing value.
func textRows(x *mat.Dense) [][]any {
	rows, cols := x.Dims()
	all := make([][]any, rows)
	for i := range all {
		for j := range cols {
			switch v := x.At(i, j); {
			case math.IsNaN(v):
				all[i] = append(all[i], nil)
			case j == 1 && v < 0:
				all[i] = append(all[i], "pink")
			case j == 1:
				all[i] = append(all[i], []string{"blue", "lime", "red"}[int(v)])
			default:
				all[i] = append(all[i], v)
			}
		}
	}
	return all
}

func FuzzRead(f *testing.F) {
	x, y := twoClasses(10, 3)
	m := &Model{L: mat.NewDense(1, 3, []float64{1, 2, 3}), Mean: make([]float64, 3), Scale: []float64{1, 1, 1}, Features: []string{"a", "b", "c"},
		Classes: []string{"x", "y"}, X: x, Y: y, Neighbors: 1}
	var b bytes.Buffer
	fixture.Check(f, m.Write(&b))
	f.Add(b.Bytes())
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := Read(data)
		if err == nil {
			m.Predict(t.Context(), m.X)
		}
	})
}

// A method whose neighbors vote by distance gives a model that does, also from its file: every row learned from has its own label, whatever k.
// Weights of other programs are refused, and a file without them is one of equal votes.
func TestWeightsOfModel(t *testing.T) {
	x, y := twoClasses(61, 1)
	m, setting := settingOf(t, "{method: weighted, params: {features: zscore}}")
	model := fixture.Must(Learn(t.Context(), m, setting, datasets.Samples{X: x, Y: y}, 61))(t)
	model.Features, model.Classes, model.Provenance = []string{"a", "b", "c"}, []string{"u", "v"}, "{}"
	model.Columns = []EncodedColumn{{Name: "a"}, {Name: "b"}, {Name: "c"}}
	fixture.EqualSlice(t, "labels", labelled(t, model, x), y)
	again, written := reread(t, model)
	fixture.EqualSlice(t, "labels by the file", labelled(t, again, x), y)

	z := fixture.Must(zip.NewReader(bytes.NewReader(written), int64(len(written))))(t)
	var without bytes.Buffer
	w := zip.NewWriter(&without)
	for _, f := range z.File {
		if f.Name != "weights.npy" {
			fixture.Check(t, w.Copy(f))
		}
	}
	fixture.Check(t, w.Close())
	old := fixture.Must(Read(without.Bytes()))(t)
	fixture.EqualSlice(t, "labels without weights", labelled(t, old, x), slices.Repeat([]int{1}, 61)) // 31 of 61
	model.Weights = "votes"
	var other bytes.Buffer
	fixture.Check(t, model.Write(&other))
	fixture.Says(t, fixture.Error(Read(other.Bytes())), `weights is "votes", want`)
}
