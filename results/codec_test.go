package results_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"r2lmlbench/internal/fixture"
	. "r2lmlbench/results"
)

func TestCellFile(t *testing.T) {
	data := fixture.MustEncode(t, fixture.GridCell())
	fixture.Golden(t, "testdata/cell.json", data)
	got := fixture.Must(DecodeCell(data))(t)
	fixture.Same(t, "after reading", got, fixture.GridCell())
	fixture.Equal(t, "right answers", got.Correct(), 4)
	fixture.Same(t, "chosen point", got.Setting(), fixture.GridInputs().Settings[1])
}

func TestCellFileRefusesDamage(t *testing.T) {
	data := fixture.MustEncode(t, fixture.GridCell())
	for n := range data {
		if _, err := DecodeCell(data[:n]); err == nil {
			t.Errorf("truncated to %d of %d bytes, it is accepted", n, len(data))
		}
		flipped := bytes.Clone(data)
		flipped[n] ^= 1 << (n % 8)
		if _, err := DecodeCell(flipped); err == nil {
			t.Errorf("with a bit of byte %d flipped it is accepted", n)
		}
	}
	for _, more := range []string{"\n", " ", "{}"} {
		if _, err := DecodeCell(append(bytes.Clone(data), more...)); err == nil {
			t.Errorf("with %q behind it is accepted", more)
		}
	}
}

// resign gives an altered cell file a digest that fits.
func resign(data []byte) []byte {
	end := bytes.LastIndex(data, []byte(`,"digest":"`))
	if end < 0 {
		return data
	}
	body := append(bytes.Clone(data[:end]), '}')
	return append(body[:end:end], `,"digest":"`+Digest(body)+"\"}\n"...)
}

func TestCellFileRefusesNonsense(t *testing.T) {
	data := string(fixture.MustEncode(t, fixture.GridCell()))
	for _, c := range []struct{ old, new, want string }{
		{`"schema":1`, `"schema":2`, "schema 2"},
		{`"chosen":1`, `"chosen":2`, "chosen point 2 of 2"},
		{`"chosen":1`, `"chosen":-1`, "chosen point -1 of 2"},
		{`"truth":"1x3 2x2 3"`, `"truth":"1x3 2x2"`, "6 predictions for 5 test samples"},
		{`"truth":"1x3 2x2 3"`, `"truth":"1x3 2x2 x"`, "truth: run 3"},
		{`"predicted":"1x2 2x3 1"`, `"predicted":"1 1 2x3 1"`, "predictions: run 2"},
		{`"predicted":"1x2 2x3 1"`, `"predicted":"1x4194304 2"`, "predictions: run 2"},
		{`[-1,171]`, `[-1,241]`, "validation score 241"},
		{`[-1,171]`, `[-1,171,3]`, "3 validation scores for 2 points"},
		{`[-1,171]`, `[2,171]`, "failure of point 0"},
		{`"dataset":"robot"`, `"dataset":""`, "without a name"},
		{`"metrics":1,`, `"metrics":null,`, "not a number"},
		{`,"digest"`, `,"failure":"crash","digest"`, "predictions in a failed cell"},
	} {
		fixture.Has(t, "the file", data, c.old)
		altered := strings.Replace(data, c.old, c.new, 1)
		fixture.Says(t, fixture.Error(DecodeCell(resign([]byte(altered)))), c.want)
	}
}

func TestCellRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := fixture.DrawCell(t)
		data := fixture.Must(EncodeCell(want))(t)
		got := fixture.Must(DecodeCell(data))(t)
		fixture.Same(t, "after reading", got, want, cmpopts.EquateEmpty())
		fixture.Equal(t, "key", got.Key(), want.Key())
	})
}

// A child's last words need not be UTF-8.
func TestCellKeepsBrokenText(t *testing.T) {
	c := fixture.GridCell()
	c.Warnings = []string{"\xff\\\xfe \\ufffd \x1b[1m"}
	got := fixture.Must(DecodeCell(fixture.MustEncode(t, c)))(t)
	fixture.Equal(t, "the warning", got.Warnings[0], "\uFFFD\\\uFFFD \\ufffd \x1b[1m")
}

// FuzzCell: what is accepted is what would be written, so that another spelling of the same
// content is no cell, signed or not.
func FuzzCell(f *testing.F) {
	data := string(fixture.MustEncode(f, fixture.GridCell()))
	for _, c := range [][2]string{
		{`"metrics":1,`, `"metrics":1.0,`}, {`"version":1,`, `"version":1,"version":1,`}, {`"seed":1,`, `"Seed":1,`}, {`1e-05`, `0.00001`},
		{`"chosen":1,`, `"chosen": 1,`}, {`"chosen":1,`, `"Chosen":1,`}, {`"chosen":1,`, `"chosen":0,"chosen":1,`},
		{`"chosen":1,`, `"chosen":1,"remark":"unknown",`}, {`,"validation":`, ` ,"validation":`}, {`<inf>`, `\u003cinf\u003e`},
		{`,"digest"`, `,"failure":"","digest"`},
	} {
		fixture.Has(f, "the file", data, c[0])
		f.Add([]byte(strings.Replace(data, c[0], c[1], 1)), true)
		f.Add([]byte(strings.Replace(data, c[0], c[1], 1)), false)
	}
	f.Add(fixture.MustEncode(f, fixture.GridCell()), true)
	f.Add(fixture.MustEncode(f, fixture.NewCell("iris", "euclidean", 3, 5, 1)), true)
	failed := fixture.GridCell()
	failed.Predicted, failed.Failure = nil, "child crashed"
	f.Add(fixture.MustEncode(f, failed), false)
	f.Add([]byte(`{"schema":1}`), true)
	f.Add([]byte(nil), false)
	f.Fuzz(func(t *testing.T, data []byte, sign bool) {
		if sign {
			data = resign(data)
		}
		c, err := DecodeCell(data)
		if err != nil {
			return
		}
		fixture.Equal(t, "what is accepted, written again", string(fixture.MustEncode(t, c)), string(data))
		c.Correct()
		c.Setting()
	})
}

// withTruth is the file of a failed cell with this text of its test labels.
func withTruth(t testing.TB, text string) []byte {
	t.Helper()
	c := fixture.NewCell("robot", "itml", 1, 1, 1)
	c.Predicted, c.Failure = nil, "crashed"
	written := fixture.Must(json.Marshal(text))(t)
	return resign([]byte(strings.Replace(string(fixture.MustEncode(t, c)), `"truth":"1"`, `"truth":`+string(written), 1)))
}

func TestRuns(t *testing.T) {
	for want, labels := range map[string][]int{
		"": nil, "4": {4}, "2x2": {2, 2}, "1x40 2 1x3": append(append(slices.Repeat([]int{1}, 40), 2), 1, 1, 1), "0 -1x2 12": {0, -1, -1, 12},
		"9223372036854775807x2 -9223372036854775807": {math.MaxInt64, math.MaxInt64, -math.MaxInt64},
	} {
		data := withTruth(t, want)
		c := fixture.Must(DecodeCell(data))(t)
		fixture.EqualSlice(t, want, c.Truth, labels)
		fixture.Equal(t, fmt.Sprint(labels), string(fixture.MustEncode(t, c)), string(data))
	}
}

// FuzzRuns: what is accepted is what would be written, and no more labels than there may be.
func FuzzRuns(f *testing.F) {
	for _, text := range []string{
		"", "1", "1x40 2 1x3", "-1x2", "1x4194304",
		" ", "1 ", " 1", "1  2", "1\n", "01", "+1", "-0", "1.5", "x", "1x", "x3", "1x1", "1x0", "1x-2", "1x02",
		"1 1", "1x2 1", "1x2x3", "a", "1,2", "1x4194305", "1x4194304 2", "9999999999999999999", "1x9999999999999999999",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		data := withTruth(t, text)
		c, err := DecodeCell(data)
		if err != nil {
			fixture.Says(t, err, "truth: run ") // it is refused there, before there is room for its labels
			return
		}
		if len(c.Truth) > 1<<22 {
			t.Errorf("%d labels", len(c.Truth))
		}
		fixture.Equal(t, "what is accepted, written again", string(fixture.MustEncode(t, c)), string(data))
	})
}

// surfaceCell has two points of which the second failed: 3 of 5 samples right, and
// three labelled 2.
func surfaceCell() Cell {
	c := fixture.GridCell()
	c.Truth, c.Predicted = []int{1, 1, 2, 2, 7}, []int{1, 2, 2, 2, 1}
	c.Chosen = 0
	c.GridScores = NewGridScores(c.Truth, len(c.Settings), map[int]Outcome{
		0: {Phase: PhaseTest, Test: CountTest(c.Truth, c.Predicted)},
		1: {Phase: PhaseTest, Setting: 1, Failed: "not finite"},
	})
	return c
}

func TestSurface(t *testing.T) {
	c := surfaceCell()
	want := &GridScores{
		Labels: []int{1, 2, 7}, Of: []int{2, 2, 1},
		Correct: []int{3, -1}, ByClass: [][]int{{1, 2, 0}, {}}, Largest: []int{3, -1},
		Failures: map[int]string{1: "not finite"},
	}
	fixture.Same(t, "the surface", c.GridScores, want)
	data := fixture.Must(EncodeCell(c))(t)
	fixture.Same(t, "after reading", fixture.Must(DecodeCell(data))(t).GridScores, c.GridScores)
}

// A surface that contradicts itself or its cell is not stored.
// TestBestOfSurface: the first of the most accurate points, with moving of those that give
// more than one label.
func TestBestOfSurface(t *testing.T) {
	const n = 6
	truth := []int{1, 1, 1, 2, 2, 2}
	rapid.Check(t, func(t *rapid.T) {
		points := rapid.IntRange(1, 8).Draw(t, "points")
		outcomes := map[int]Outcome{}
		right, moves := make([]int, points), make([]bool, points)
		for i := range points {
			right[i] = -1
			if predicted := rapid.SliceOfN(rapid.IntRange(1, 2), n, n).Draw(t, "labels"); rapid.Bool().Draw(t, "a result") {
				outcomes[i] = Outcome{Test: CountTest(truth, predicted)}
				right[i], moves[i] = outcomes[i].Test.Correct(), slices.Min(predicted) < slices.Max(predicted)
			}
		}
		s := NewGridScores(truth, points, outcomes)
		for _, moving := range []bool{false, true} {
			want, constant := -1, 0
			for i := points - 1; i >= 0; i-- {
				if right[i] >= 0 && !moves[i] {
					constant++
				}
				if right[i] >= 0 && (moves[i] || !moving) && (want < 0 || right[i] >= right[want]) {
					want = i
				}
			}
			got, left := s.Best(moving)
			fixture.Equal(t, "best, constant", [2]int{got, left}, [2]int{want, constant})
		}
	})
}

func TestSurfaceContradictions(t *testing.T) {
	for want, spoil := range map[string]func(*Cell){
		"a surface of 1 points for 2":                     func(c *Cell) { c.GridScores.Correct = []int{3} },
		"other classes":                                   func(c *Cell) { c.GridScores.Of = []int{2, 1, 2} },
		"counts of a point that failed":                   func(c *Cell) { c.GridScores.Largest[1] = 2 },
		"2 classes, want 3":                               func(c *Cell) { c.GridScores.ByClass[0] = []int{1, 2} },
		"3 of 2 right in class 2":                         func(c *Cell) { c.GridScores.ByClass[0] = []int{0, 3, 0} },
		"-1 of 2 right in class 1":                        func(c *Cell) { c.GridScores.ByClass[0] = []int{-1, 2, 1} },
		"3 right, by class 2":                             func(c *Cell) { c.GridScores.ByClass[0] = []int{1, 1, 0} },
		"a label given to 6 of 5 samples":                 func(c *Cell) { c.GridScores.Largest[0] = 6 },
		"a reason for a failure of point 0":               func(c *Cell) { c.GridScores.Failures[0] = "none" },
		"the chosen point has 3 right, its predictions 2": func(c *Cell) { c.Predicted[0] = 2 },
	} {
		c := surfaceCell()
		spoil(&c)
		fixture.Says(t, fixture.Error(EncodeCell(c)), want)
	}
}

// TestDecoderKnowsLists: a decoder that has read a list of points reads the next cell with it as one that
// has not, whatever stands in the list.
func TestDecoderKnowsLists(t *testing.T) {
	odd := fixture.GridCell()
	odd.Inputs.Settings = []Setting{{Params: Params{"command": []any{"sh"}, "seed": 1.0}}, {Params: Params{"text": `"points":[],"seed":`}}}
	cells := []Cell{fixture.GridCell(), odd}
	for seed := range uint64(3) {
		for _, c := range slices.Clone(cells[:2]) {
			c.Seed = seed
			cells = append(cells, c)
		}
	}
	var all Decoder
	for i, c := range cells {
		data := fixture.MustEncode(t, c)
		r := fixture.Must(all.Read(data))(t)
		var one Decoder
		alone := fixture.Must(one.Read(data))(t)
		fixture.Same(t, fmt.Sprintf("record %d", i), r, alone)
		fixture.Equal(t, "points in JSON", string(r.PointsJSON()), string(SettingsJSON(c.Settings)))
		fixture.Same(t, fmt.Sprintf("cell %d", i), fixture.Must(all.Cell(r))(t), fixture.Must(DecodeCell(data))(t))
	}
}

// Numbers of a series are read back as they were rounded, in every spelling that Go has.
func TestNumbers(t *testing.T) {
	s := NewSeries("x", []float64{1.0 / 3, -1e-30, 1e6, math.Inf(-1), math.NaN()})
	written := string(fixture.Must(json.Marshal(s))(t))
	fixture.Equal(t, "written", written, `{"name":"x","values":["0.333333","-1e-30","1e+06","-Inf","NaN"]}`)
	var back Series
	fixture.Check(t, json.Unmarshal([]byte(written), &back))
	fixture.Equal(t, "read back", fmt.Sprint(back), fmt.Sprint(s))
	fixture.Says(t, json.Unmarshal([]byte(`{"values":["1","x"]}`), &back), "value 2 of a series", `"x"`)
}
