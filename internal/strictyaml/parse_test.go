package strictyaml

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"

	"r2lmlbench/internal/fixture"
)

func TestParse(t *testing.T) {
	for _, tt := range []struct{ name, in string }{
		{"marked", "---\na: 1\nb:\n- x\n...\n"},
		{"byte order mark", "\uFEFFa: 1\nb: [x]\n"},
		{"carriage returns", "a: 1\r\nb: [x]\r\n"},
		{"merge key as text", "\"<<\": 1\nb: [<<]\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			root := fixture.Must(Parse("f.yaml", []byte(tt.in)))(t)
			if root.Kind != yaml.MappingNode || len(root.Content) != 4 {
				t.Errorf("got kind %d with %d nodes, want a mapping of 4", root.Kind, len(root.Content))
			}
		})
	}
}

// nested returns a mapping with the given number of levels.
func nested(levels int) string {
	return "a: " + strings.Repeat("[", levels-1) + strings.Repeat("]", levels-1)
}

func TestParseErrors(t *testing.T) {
	for _, tt := range []struct {
		name, in string
		want     []string
	}{
		// Documents and roots.
		{"empty", "", []string{`f.yaml:1: want a mapping, but the file is empty`}},
		{"empty document", "# c\n---", []string{`f.yaml:2:1: want a mapping, but the document is empty`}},
		{"null", "~", []string{`f.yaml:1:1: want a mapping, but the document is empty`}},
		{"list", "- a\n", []string{`f.yaml:1:1: want a mapping at the top of the file, got a list`}},
		{"text", "abc", []string{`f.yaml:1:1: want a mapping at the top of the file, got the text "abc"`}},
		{"two documents", "a: 1\n---\nb: 2\n", []string{`f.yaml:2:1: a second document begins; want one document per file`}},

		// Unsupported constructs, all of them.
		{"anchor, alias, merge", "a: &x {p: 1}\nb: *x\nc:\n  <<: *x\n", []string{
			`f.yaml:1:4: anchor "x": anchors are not supported`,
			`f.yaml:2:4: alias "x": aliases are not supported; write the value out`,
			`f.yaml:4:3: key <<: merging is not supported; write the keys out, or quote the key`,
			`f.yaml:4:7: alias "x": aliases are not supported; write the value out`}},
		{"tags", "a: !mine 1\nb: !!str 2\n", []string{
			`f.yaml:1:4: tag "!mine": tags are not supported`,
			`f.yaml:2:4: tag "!!str": tags are not supported`}},
		{"tag with a line break", "a: !%0A 1\n", []string{`f.yaml:1:4: tag "!\n": tags are not supported`}},
		{"too deep", nested(MaxDepth + 1), []string{`f.yaml:1:35: nested deeper than 32 levels`}},

		// Text.
		{"not UTF-8", "a: 1\nbé: \xff\n", []string{`f.yaml:2:5: the byte 0xff is not UTF-8 text`}},
		{"control character", "a: \"\x00\"", []string{`f.yaml:1:5: the character U+0000 is not allowed here`}},
		{"lone carriage return", "a: 1\rb: 2", []string{`f.yaml:1:5: the character U+000D is not allowed here`}},
		{"too large", strings.Repeat("#", MaxBytes+1), []string{`f.yaml:1: the file has 65537 bytes; want at most 65536`}},

		// Syntax errors of the scanner.
		{"colon in text", "a: x: y", []string{`f.yaml:1:1: not valid YAML: mapping values are not allowed in this context`}},
		{"tab", "a:\n\t- b", []string{`f.yaml:2:1: not valid YAML: found character that cannot start any token; indent by blanks and no tabs, quote @ and %`}},
		{"no colon", "a: 1\nb\nc: 2\n", []string{`f.yaml:2:1: not valid YAML: could not find expected ':'`}},

		// Syntax errors of the parser.
		{"bracket in line 1", "a: ]", []string{`f.yaml:1:1: not valid YAML: did not find expected node content`}},
		{"open bracket", "a: 1\nb: [1,\nc: 2\nd: 3\n", []string{`f.yaml:2:1: not valid YAML: did not find expected ',' or ']'`}},
		{"wrong bracket", "a:\n  - b: 1\n    c: {d: [1, 2}\n", []string{`f.yaml:3:5: not valid YAML: did not find expected ',' or ']'`}},
		{"mapping in a list", "a:\n  - b: 1\n    c: 2\n\n  # then\n   d: 3\n  - e: 4\n", []string{`f.yaml:6:4: not valid YAML: did not find expected '-' indicator`}},
		{"an item after other keys", "a:\n  - b: 1\n    c: [2]\nd: 3\n  - b: 4\n", []string{
			`f.yaml:5:3: not valid YAML: an item of a list stands after the keys that follow its list; move it below line 3, and begin it in column 3`,
		}},
		{"an item further left", "a:\n  - b:\n      - 1\nd: 3\n- b: 4\n", []string{
			`f.yaml:5:1: not valid YAML: an item of a list stands after the keys that follow its list; move it below line 3, and begin it in column 3`,
		}},
		{"an item after other keys in braces", "a:\n- b: 1\nd: {e: 3}\n- b: 4\n", []string{
			`f.yaml:4:1: not valid YAML: an item of a list stands after the keys that follow its list; move it below line 2, and begin it in column 1`,
		}},
		{"colon in the text of an item", "a:\n  - b: 1\n\n  # then\n  - b: x: y\n", []string{
			`f.yaml:5:3: not valid YAML: mapping values are not allowed in this context`,
		}},
		{"an item of no list", "a: 1\n- b: 4\n", []string{`f.yaml:2:1: not valid YAML: did not find expected key`}},
		{"in the second document", "a: 1\n---\nb: ]\n", []string{`f.yaml:3:1: not valid YAML: did not find expected node content`}},
	} {
		t.Run(tt.name, func(t *testing.T) { checkMessages(t, fixture.Error(Parse("f.yaml", []byte(tt.in))), tt.want) })
	}
}

// checkMessages compares the single errors within err.
func checkMessages(t *testing.T, err error, want []string) {
	t.Helper()
	var got []string
	if err != nil {
		got = strings.Split(err.Error(), "\n")
	}
	fixture.Same(t, "messages", got, want)
}

func TestParseDepth(t *testing.T) { fixture.Must(Parse("f.yaml", []byte(nested(MaxDepth))))(t) }

// checkErrors checks what holds for the errors of any file b.
func checkErrors(t *testing.T, b []byte, err error) {
	t.Helper()
	var all Errors
	if !errors.As(err, &all) || len(all) == 0 {
		t.Fatalf("got %#v, want a filled Errors", err)
	}
	if !slices.IsSortedFunc(all, byPosition) {
		t.Errorf("not in file order: %v", all)
	}
	lines := max(1, bytes.Count(b, []byte("\n"))+1)
	for _, e := range all {
		if e.Line < 1 || e.Line > lines || e.Column < 0 || e.Msg == "" {
			t.Errorf("in a file of %d lines: %#v", lines, e)
		}
		if strings.Contains(e.Error(), "\n") {
			t.Errorf("more than one line: %q", e.Error())
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{
		"a: 1\nb: [x, {c: 2}]\n", "a: &x 1\nb: *x\n", "<<: {a: 1}", "? [a]\n: b\n", "a: !t 1", "%YAML 1.1\n---\na: |\n  b\n...\n",
		"a: \"x\\", "a: 'x", "- a\n b", "a: ]", "a:\n  b: 1\n c: 2\n", "\xff", "\uFEFFa: 1\r\n", "# c\n\na: 1 # d\n# e\n", nested(40),
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		root, err := Parse("f.yaml", b)
		switch {
		case err != nil:
			checkErrors(t, b, err)
		case root.Kind != yaml.MappingNode:
			t.Errorf("root is of kind %d", root.Kind)
		}
	})
}

func TestNearest(t *testing.T) {
	known := []string{"euclidean", "itml", "lmnn", "lmnn-mm", "glml", "plml", "e-r2lml", "t-r2lml", "k"}
	for _, tt := range []struct{ name, want string }{
		{"lmn", "lmnn"},
		{"itlm", "itml"},           // one swap
		{"euclid", "euclidean"},    // 3 of 9
		{"eucli", ""},              // 4 of 9
		{"lml", "glml"},            // as near as plml, which comes later
		{"x-r2lml", "e-r2lml"},     // as near as t-r2lml
		{"k", "k"},                 // the name itself
		{"c", ""},                  // nothing of it would remain
		{"svm", ""},                // nothing is near
		{"eculidaen", "euclidean"}, // two swaps
	} {
		if got, ok := Nearest(tt.name, known); got != tt.want || ok != (tt.want != "") {
			t.Errorf("Nearest(%q) = %q, %t; want %q", tt.name, got, ok, tt.want)
		}
	}
}

func TestUnknown(t *testing.T) {
	for _, tt := range []struct {
		name  string
		known []string
		want  string
	}{
		{"lmn", []string{"itml", "lmnn"}, `unknown method "lmn"; did you mean "lmnn"?`},
		{"svm", []string{"itml", "lmnn"}, `unknown method "svm"; known: itml, lmnn`},
		{"svm", nil, `unknown method "svm"; none is known here`},
	} {
		fixture.Equal(t, tt.name, Unknown("method", tt.name, tt.known), tt.want)
	}
}
