package external

import (
	"errors"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"

	"r2lmlbench/internal/fixture"
	"r2lmlbench/internal/strictyaml"
)

// TestTimeout: a time is the same seconds with a unit and without, so that the key of a
// cell is the same, too.
func TestTimeout(t *testing.T) {
	for _, c := range []struct {
		text string
		want float64
		err  string
	}{
		{"90", 90, ""},
		{"90s", 90, ""},
		{"'90s'", 90, ""},
		{"1.5m", 90, ""},
		{"1h30m", 5400, ""},
		{"250ms", 0.25, ""},
		{"0.25", 0.25, ""},
		{"720h", mostSeconds, ""},
		{"721h", 0, "t.yaml:1:32: timeout is 721h, want at most 30 days"},
		{"3 s", 0, `t.yaml:1:32: timeout is "3 s", want seconds, such as 90, or a time with its unit`},
		{"-3s", 0, `timeout is "-3s", want seconds`},
		{"3d", 0, `timeout is "3d", want seconds`},
		{"'90'", 0, `timeout is "90", want seconds`},
		{"[3]", 0, "want a number, got a list"},
	} {
		root := fixture.Must(strictyaml.Parse("t.yaml", []byte("{command: [sh, -c], timeout:   "+c.text+"}")))(t)
		d := &strictyaml.Decoder{File: "t.yaml"}
		e := Programs{}.Decode(d, []*yaml.Node{root}).(External)
		switch err := d.Err(); {
		case c.err == "" && (err != nil || e.Timeout != c.want):
			t.Errorf("%s: %v s, %v; want %v s", c.text, e.Timeout, err, c.want)
		case c.err != "" && (!errors.As(err, new(strictyaml.Errors)) || !strings.Contains(err.Error(), c.err)):
			t.Errorf("%s: %v, want %q", c.text, err, c.err)
		}
	}
}
