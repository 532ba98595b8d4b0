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
	predicted, err := results.ParseRuns(l.predicted())
	same := fmt.Sprintf("%x", l.key) == c.Key() && l.matching == raw(c.Inputs).undigested() && l.failed == (c.Failure != "")
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
