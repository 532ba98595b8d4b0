package strictyaml

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"gopkg.in/yaml.v3"
	"pgregory.net/rapid"

	"r2lmlbench/internal/fixture"
)

// letter decodes itself from a single capital letter.
type letter byte

func (l *letter) DecodeYAML(d *Decoder, n *yaml.Node) {
	if len(n.Value) != 1 || n.Value < "A" || n.Value > "Z" {
		d.Errorf(n, "want a letter from A to Z")
		return
	}
	*l = letter(n.Value[0])
}

type id string

type common struct {
	Gamma  float64
	Epochs int `yaml:"epochs,omitempty"`
}

type params struct {
	Lambda  float64 `yaml:"lambda"`
	Metrics []int   `yaml:"metrics,flow"`
}

// spec has a field of every supported type.
type spec struct {
	Name     string      `yaml:"name"`
	On       bool        `yaml:"on"`
	Big      int64       `yaml:"big"`
	Count    int         `yaml:"count"`
	Seed     uint64      `yaml:"seed"`
	IDs      []id        `yaml:"ids"`
	Grid     []float64   `yaml:"grid"`
	Params   *params     `yaml:"params,omitempty"`
	Methods  []params    `yaml:"methods"`
	Table    [][]float64 `yaml:"table"`
	common   `yaml:",inline"`
	Plain    bool
	Skipped  int `yaml:"-"`
	internal int
}

const specKeys = "name, on, big, count, seed, ids, grid, params, methods, table, gamma, epochs, plain"

// decodeText parses and decodes in into dst.
func decodeText(in string, dst any) error {
	root, err := Parse("f.yaml", []byte(in))
	if err != nil {
		return err
	}
	d := &Decoder{File: "f.yaml"}
	d.Decode(root, dst)
	return d.Err()
}

func TestDecode(t *testing.T) {
	in := `
name: 2020-01-31          # a date is text
on: True
big: 1e3
count: +5.0
seed: 18446744073709551615
ids: iris
grid: [1e-4, 1e3, 0.01, .5, 5., 5, -0.0, 1E+2]
params: {lambda: 0.1}
methods:
  - {lambda: 1, metrics: []}
  - metrics: [1, 2]
table: [[1, 2], []]
gamma: 10
epochs: 5
plain: true
`
	got := spec{Skipped: 4, internal: 5, Grid: []float64{9}}
	fixture.Check(t, decodeText(in, &got))
	want := spec{
		Name: "2020-01-31", On: true, Big: 1000, Count: 5, Seed: math.MaxUint64,
		IDs: []id{"iris"}, Grid: []float64{1e-4, 1e3, 0.01, 0.5, 5, 5, 0, 100},
		Params: &params{Lambda: 0.1}, Methods: []params{{1, []int{}}, {0, []int{1, 2}}}, Table: [][]float64{{1, 2}, {}},
		common: common{Gamma: 10, Epochs: 5}, Plain: true,
		Skipped: 4, internal: 5,
	}
	fixture.Same(t, "spec", got, want, cmp.AllowUnexported(spec{}))
}

// The first four are 2^53 + 1, which no float64 holds.
func TestDecodeWholeNumbers(t *testing.T) {
	var got struct{ V []int64 }
	in := "v: [9007199254740993, 9007199254740993.0, 900719925474099.3e+1, 9.0071992547409930e15, 1e18, -9223372036854775808, 0e999, +5.]"
	want := []int64{1<<53 + 1, 1<<53 + 1, 1<<53 + 1, 1<<53 + 1, 1e18, math.MinInt64, 0, 5}
	fixture.Check(t, decodeText(in, &got))
	fixture.Same(t, "numbers", got.V, want)
}

func TestDecodeKeepsDefaults(t *testing.T) {
	got := spec{Name: "default", Params: &params{Lambda: 1, Metrics: []int{1}}, Grid: []float64{2}}
	fixture.Check(t, decodeText("params: {metrics: [3]}", &got))
	want := spec{Name: "default", Params: &params{Lambda: 1, Metrics: []int{3}}, Grid: []float64{2}}
	fixture.Same(t, "spec", got, want, loosely)
}

func TestDecodeRawAndHooked(t *testing.T) {
	var got struct {
		Raw     yaml.Node `yaml:"raw"`
		Absent  yaml.Node `yaml:"absent"`
		Letter  *letter   `yaml:"letter"`
		Letters []letter  `yaml:"letters"`
	}
	in := "raw: {a: 1, a: 2}\nletter: A\nletters: [Y]\n"
	fixture.Check(t, decodeText(in, &got))
	if got.Raw.Kind != yaml.MappingNode || got.Raw.Line != 1 || *got.Letter != 'A' || got.Letters[0] != 'Y' {
		t.Errorf("got %+v", got)
	}

	d := &Decoder{File: "f.yaml"}
	x := 3
	d.Decode(&got.Absent, &x)
	d.Decode(nil, &x)
	if x != 3 || d.Err() != nil || d.Pairs(&got.Absent) != nil {
		t.Errorf("absent node: x=%d, %v", x, d.Err())
	}
	d.Pairs(&got.Raw)
	d.Pairs(&got.Raw)
	checkMessages(t, d.Err(), []string{`f.yaml:1:13: duplicate key "a"; the first is on line 1`})
}

func TestDecodeErrors(t *testing.T) {
	for _, tt := range []struct {
		name, in string
		want     []string
	}{
		{"misspelled key", "name: a\n\ngama: 1\n", []string{`f.yaml:3:1: unknown key "gama"; did you mean "gamma"?`}},
		{"skipped and unexported fields", "name: a\nskipped: 1\ninternal: 2\n-: 3\n", []string{
			`f.yaml:2:1: unknown key "skipped"; known: ` + specKeys,
			`f.yaml:3:1: unknown key "internal"; known: ` + specKeys,
			`f.yaml:4:1: unknown key "-"; known: ` + specKeys}},
		{"duplicate key", "name: a\nname: 5\n", []string{`f.yaml:2:1: duplicate key "name"; the first is on line 1`}},
		{"duplicate quoted key", "params: {lambda: 1, 'lambda': x}\n", []string{`f.yaml:1:21: duplicate key "lambda"; the first is on line 1`}},
		{"key is a list", "[a]: 1\n", []string{`f.yaml:1:1: want a name as the key, got a list`}},
		{"key is null", "params: {~: 1}\n", []string{`f.yaml:1:10: want a name as the key, got nothing`}},
		{"column counts characters", "params: {lambda: é, metrics: a}\n", []string{
			`f.yaml:1:18: want a number, got the text "é"`, `f.yaml:1:30: want a list, got the text "a"`}},

		{"text", "name: 5\n", []string{`f.yaml:1:7: want text, got the number 5; put it in quotes if it is meant`}},
		{"truth", "on: yes\n", []string{`f.yaml:1:5: want true or false, got the text "yes"`}},
		{"number from quotes", "gamma: '5'\n", []string{`f.yaml:1:8: want a number, got the text "5"`}},
		{"nulls", "gamma:\nname: ~\non: null\nids:\nparams:\ngrid: [1, ]\ntable: [~]\n", []string{
			`f.yaml:1:7: want a number, got nothing`,
			`f.yaml:2:7: want text, got nothing`,
			`f.yaml:3:5: want true or false, got nothing`,
			`f.yaml:4:5: want a list, got nothing`,
			`f.yaml:5:8: want a mapping, got nothing`,
			`f.yaml:7:9: want a list, got nothing`}},

		{"underscore", "gamma: 1_000\n", []string{`f.yaml:1:8: want a number in plain decimal, such as 10 or 1e-4, got 1_000`}},
		{"infinite", "gamma: -.Inf\n", []string{`f.yaml:1:8: want a finite number, got -.Inf`}},
		{"not a number", "big: .nan\n", []string{`f.yaml:1:6: want a finite number, got .nan`}},
		{"overflow", "gamma: 1e400\n", []string{`f.yaml:1:8: the number 1e400 is out of range`}},
		{"underflow", "gamma: 1e-400\n", []string{`f.yaml:1:8: the number 1e-400 is out of range`}},

		{"fraction", "big: 1.5\n", []string{`f.yaml:1:6: want a whole number, got 1.5`}},
		{"int64 overflow", "big: 9223372036854775808\n", []string{`f.yaml:1:6: the number 9223372036854775808 is out of range`}},
		{"uint64 overflow", "seed: 18446744073709551616\n", []string{`f.yaml:1:7: the number 18446744073709551616 is out of range`}},
		{"negative", "seed: -1\n", []string{`f.yaml:1:7: want a whole number of at least 0, got -1`}},

		{"no list of one number", "grid: 5\n", []string{`f.yaml:1:7: want a list, got the number 5`}},
		{"list for a struct", "params:\n  - lambda: 1\n", []string{`f.yaml:2:3: want a mapping, got a list`}},
		{"inside lists", "methods:\n  - {lambda: x}\n  - metrics: [1, b]\n", []string{
			`f.yaml:2:14: want a number, got the text "x"`,
			`f.yaml:3:18: want a whole number, got the text "b"`}},
		{"long text", "gamma: " + strings.Repeat("é", 50) + "\n", []string{
			`f.yaml:1:8: want a number, got the text "` + strings.Repeat("é", 40) + `..."`}},
		{"all at once, in order", "methods:\n  - {lamda: 1}\n  - {lambda: z, metrics: 3}\nnme: x\n", []string{
			`f.yaml:2:6: unknown key "lamda"; did you mean "lambda"?`,
			`f.yaml:3:14: want a number, got the text "z"`,
			`f.yaml:3:26: want a list, got the number 3`,
			`f.yaml:4:1: unknown key "nme"; did you mean "name"?`}},
	} {
		t.Run(tt.name, func(t *testing.T) { checkMessages(t, decodeText(tt.in, new(spec)), tt.want) })
	}
}

// TestOneLineErrors: what an escape in quotes stands for breaks no message and
// reaches no terminal.
func TestOneLineErrors(t *testing.T) {
	d := &Decoder{File: "f.yaml"}
	d.Errorf(nil, "%s is unknown", "a\nb\x1b[31m\u009bc")
	fixture.Equal(t, "message", d.Err().Error(), "f.yaml:1: a b [31m c is unknown")
}

// loosely takes lists without members for none.
var loosely = cmp.Options{cmpopts.EquateEmpty(), cmp.AllowUnexported(spec{})}

// TestRoundTrip: what yaml.v3 writes is read back.
func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := genSpec().Draw(t, "spec")
		b := fixture.Must(yaml.Marshal(want))(t)
		var got spec
		fixture.Check(t, decodeText(string(b), &got))
		fixture.Same(t, string(b), got, want, loosely)
	})
}

func genParams() *rapid.Generator[params] {
	return rapid.Custom(func(t *rapid.T) params {
		return params{finite().Draw(t, "lambda"), rapid.SliceOf(rapid.Int()).Draw(t, "metrics")}
	})
}

func finite() *rapid.Generator[float64] {
	return rapid.Float64Range(-math.MaxFloat64, math.MaxFloat64)
}

// line returns any text without line breaks and merge keys. Those yaml.v3
// cannot be trusted with: a key "\n" it writes in a form that it reads back as
// "", U+2028 it does not escape, and "<<" it does not quote.
func line() *rapid.Generator[string] {
	drop := strings.NewReplacer("\n", "", "\u0085", "", "\u2028", "", "\u2029", "", "<<", "")
	return rapid.Map(rapid.String(), drop.Replace)
}

func genSpec() *rapid.Generator[spec] {
	ids := rapid.Map(line(), func(s string) id { return id(s) })
	return rapid.Custom(func(t *rapid.T) spec {
		return spec{
			Name: line().Draw(t, "name"), On: rapid.Bool().Draw(t, "on"),
			Big: rapid.Int64().Draw(t, "big"), Count: rapid.Int().Draw(t, "count"), Seed: rapid.Uint64().Draw(t, "seed"),
			IDs: rapid.SliceOf(ids).Draw(t, "ids"), Grid: rapid.SliceOf(finite()).Draw(t, "grid"),
			Params:  rapid.Ptr(genParams(), true).Draw(t, "params"),
			Methods: rapid.SliceOfN(genParams(), 0, 3).Draw(t, "methods"),
			Table:   rapid.SliceOfN(rapid.SliceOf(finite()), 0, 3).Draw(t, "table"),
			common:  common{finite().Draw(t, "gamma"), rapid.Int().Draw(t, "epochs")}, Plain: rapid.Bool().Draw(t, "plain"),
		}
	})
}

// FuzzDecode checks that every text decodes or yields errors with positions,
// and that the strict reading, where there is one, is that of yaml.v3.
func FuzzDecode(f *testing.F) {
	for _, s := range []string{
		"name: x\non: true\nbig: 5\nids: [a, b]\ngrid: [1e-4, 0x10, 017, 1_0, .inf, 1e400]\n",
		"params: {lambda: 1, lambda: 2}\nmethods: [{lambda: x}, 3]\n", "gama: 1\n? [a]\n: b\n", "params: {metrics: [1e3, 1.5]}\n",
		"params: ~\ntable: [[1, 2], []]\nplain: yes\n", "name: 2020-01-01\nseed: 1e18\nbig: +0\ncount: -0\n", ":\n", "name: |\n  a\n\n  b\n",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		var got, want spec
		if err := decodeText(string(b), &got); err != nil {
			checkErrors(t, b, err)
			return
		}
		if len(got.IDs) == 1 {
			return // perhaps a single text for a list, which yaml.v3 refuses
		}
		fixture.Check(t, yaml.Unmarshal(b, &want))
		fixture.Same(t, "read strictly, not by yaml.v3", got, want, loosely)
	})
}
