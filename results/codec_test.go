package results_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"r2lmlbench/internal/fixture"
	"r2lmlbench/internal/golden"
	. "r2lmlbench/results"
	"r2lmlbench/results/resultstest"
)

func TestCellFile(t *testing.T) {
	data := resultstest.MustEncode(t, resultstest.GridCell())
	golden.Equal(t, "testdata/cell.json", data)
	got := fixture.Must(DecodeCell(data))(t)
	fixture.Same(t, "after reading", got, resultstest.GridCell())
	fixture.Equal(t, "right answers", got.Correct(), 4)
	if p := got.Point(); p.Restart != 1 || p.Params["lambda"] != 1e-5 {
		t.Errorf("chosen point %v", p)
	}
}

func TestCellFileRefusesDamage(t *testing.T) {
	data := resultstest.MustEncode(t, resultstest.GridCell())
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
	data := string(resultstest.MustEncode(t, resultstest.GridCell()))
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
		altered := strings.Replace(data, c.old, c.new, 1)
		if altered == data {
			t.Fatalf("%s is not in the file", c.old)
		}
		fixture.Says(t, fixture.Error(DecodeCell(resign([]byte(altered)))), c.want)
	}
}

func TestCellRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := resultstest.DrawCell(t)
		data := fixture.Must(EncodeCell(want))(t)
		got, err := DecodeCell(data)
		if err != nil {
			t.Fatalf("%v in\n%s", err, data)
		}
		fixture.Same(t, "after reading", got, want, cmpopts.EquateEmpty())
		fixture.Equal(t, "key", got.Key(), want.Key())
	})
}

// A child's last words need not be UTF-8.
func TestCellKeepsBrokenText(t *testing.T) {
	c := resultstest.GridCell()
	c.Warnings = []string{"\xff\\\xfe \\ufffd \x1b[1m"}
	got := fixture.Must(DecodeCell(resultstest.MustEncode(t, c)))(t)
	fixture.Equal(t, "the warning", got.Warnings[0], "\uFFFD\\\uFFFD \\ufffd \x1b[1m")
}

// FuzzCell: what is accepted is what would be written, so that another spelling of the same
// content is no cell, signed or not.
func FuzzCell(f *testing.F) {
	data := string(resultstest.MustEncode(f, resultstest.GridCell()))
	for _, c := range [][2]string{
		{`"metrics":1,`, `"metrics":1.0,`}, {`"version":1,`, `"version":1,"version":1,`}, {`"seed":1,`, `"Seed":1,`}, {`1e-05`, `0.00001`},
		{`"chosen":1,`, `"chosen": 1,`}, {`"chosen":1,`, `"Chosen":1,`}, {`"chosen":1,`, `"chosen":0,"chosen":1,`},
		{`"chosen":1,`, `"chosen":1,"remark":"unknown",`}, {`,"validation":`, ` ,"validation":`}, {`<inf>`, `\u003cinf\u003e`},
		{`,"digest"`, `,"failure":"","digest"`},
	} {
		if !strings.Contains(data, c[0]) {
			f.Fatalf("%s is not in the file", c[0])
		}
		f.Add([]byte(strings.Replace(data, c[0], c[1], 1)), true)
		f.Add([]byte(strings.Replace(data, c[0], c[1], 1)), false)
	}
	f.Add(resultstest.MustEncode(f, resultstest.GridCell()), true)
	f.Add(resultstest.MustEncode(f, resultstest.NewCell("iris", "euclidean", 3, 5, 1)), true)
	failed := resultstest.GridCell()
	failed.Predicted, failed.Failure = nil, "child crashed"
	f.Add(resultstest.MustEncode(f, failed), false)
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
		fixture.Equal(t, "what is accepted, written again", string(resultstest.MustEncode(t, c)), string(data))
		c.Correct()
		c.Point()
	})
}
