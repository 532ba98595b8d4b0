package store

import (
	"fmt"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"r2lmlbench/results"
	"r2lmlbench/results/resultstest"
)

// checkLine: a cell that can be decoded can be found without decoding it.
func checkLine(t interface{ Fatalf(string, ...any) }, data []byte, c results.Cell) {
	l, err := scanLine(data)
	if err != nil {
		t.Fatalf("%v in\n%s", err, data)
	}
	predicted, err := results.ParseRuns(l.predicted(), 0)
	inputs := rawWith(c.Inputs, results.AppendPoints(nil, c.Points))
	same := fmt.Sprintf("%x", l.key) == c.Key() && l.raw().undigested() == inputs.undigested() && l.failed == (c.Failure != "")
	if err != nil || !same || !slices.Equal(predicted, c.Predicted) {
		t.Fatalf("taken for another cell, %v:\n%s", err, data)
	}
	checkDecoder(t, data, l)
}

// checkDecoder: a line taken apart is the cell that its file is, or none if that
// is none.
func checkDecoder(t interface{ Fatalf(string, ...any) }, data []byte, l *line) {
	want, refused := results.DecodeCell(data)
	got, err := results.NewDecoder().Decode(l.text())
	if (err == nil) != (refused == nil) || err == nil && !reflect.DeepEqual(got, want) {
		t.Fatalf("%+v, %v; want %+v, %v, from\n%s", got, err, want, refused, data)
	}
	if refused == nil && l.raw().takeDigests(&want.Inputs) {
		if got, ok := results.NewDecoder().DecodePlain(want.Inputs, l.raw().points, l.answer()); ok && !reflect.DeepEqual(got, want) {
			t.Fatalf("%+v without JSON, want %+v, from\n%s", got, want, data)
		}
	}
}

// TestDecodePlain: a cell that has labels alone is read without JSON, one with more is
// not, and neither is what is no cell.
func TestDecodePlain(t *testing.T) {
	plain := results.Cell{Inputs: resultstest.GridInputs(), Truth: []int{1, 1, 2}, Predicted: []int{1, 2, 2}, Chosen: 1}
	for _, c := range []struct {
		name, answer string
		want         bool
	}{
		{"labels alone", `,"chosen":1,"truth":"1x2 2","predicted":"1 2x2"`, true},
		{"facts", `,"chosen":1,"truth":"1x2 2","predicted":"1 2x2","facts":[{"name":"a","count":1,"of":2}]`, false},
		{"a failure", `,"chosen":1,"truth":"1x2 2","predicted":"","failure":"x"`, false},
		{"another spelling of a number", `,"chosen":01,"truth":"1x2 2","predicted":"1 2x2"`, false},
		{"another spelling of labels", `,"chosen":1,"truth":"1x2 2","predicted":"1 2 2"`, false},
		{"a point that there is not", `,"chosen":2,"truth":"1x2 2","predicted":"1 2x2"`, false},
		{"too few predictions", `,"chosen":1,"truth":"1x2 2","predicted":"1 2"`, false},
		{"no predictions", `,"chosen":1,"truth":"1x2 2"`, false},
		{"nothing", ``, false},
	} {
		got, ok := results.NewDecoder().DecodePlain(plain.Inputs, results.AppendPoints(nil, plain.Points), []byte(c.answer))
		if ok != c.want || ok && !reflect.DeepEqual(got, plain) {
			t.Errorf("%s: %+v, %t, want %t", c.name, got, ok, c.want)
		}
		if is := results.NewDecoder().IsPlain(plain.Inputs, results.AppendPoints(nil, plain.Points), []byte(c.answer)); is != c.want {
			t.Errorf("%s: plain %t, want %t", c.name, is, c.want)
		}
	}
}

// Cells with the same points and labels share them, and keep the rest apart.
func TestDecoderShares(t *testing.T) {
	d := results.NewDecoder()
	rapid.Check(t, func(t *rapid.T) {
		data, err := results.EncodeCell(resultstest.DrawCell(t))
		if err != nil {
			t.Fatal(err)
		}
		l, err := scanLine(data)
		if err != nil {
			t.Fatal(err)
		}
		want, err := results.DecodeCell(data)
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if got, err := d.Decode(l.text()); err != nil || !reflect.DeepEqual(got, want) {
				t.Fatalf("%+v, %v; want %+v", got, err, want)
			}
		}
	})
}

// Any cell is found without decoding it.
func TestLineOfAnyCell(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := resultstest.DrawCell(t)
		data, err := results.EncodeCell(c)
		if err != nil {
			t.Fatal(err)
		}
		checkLine(t, data, c)
	})
}

// Whatever can be decoded as a cell is a line, and what is scanned never panics.
func FuzzLine(f *testing.F) {
	f.Add(resultstest.MustEncode(f, resultstest.GridCell()))
	f.Add([]byte(`{"schema":1}`))
	f.Add([]byte(nil))
	f.Fuzz(func(t *testing.T, data []byte) {
		l, err := scanLine(data)
		if err == nil {
			l.predicted()
			checkDecoder(t, data, l)
		}
		if c, err := results.DecodeCell(data); err == nil {
			checkLine(t, data, c)
		}
	})
}
