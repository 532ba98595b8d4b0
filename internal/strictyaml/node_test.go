package strictyaml

import "testing"

func TestAt(t *testing.T) {
	root, err := Parse("f.yaml", []byte("a: [x, {b: y}]\nc: z\n"))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		path         []any
		line, column int
		value        string
	}{
		{nil, 1, 1, ""},
		{[]any{"c"}, 2, 4, "z"},
		{[]any{"a", 0}, 1, 5, "x"},
		{[]any{"a", 1, "b"}, 1, 12, "y"},
		{[]any{"a", 2}, 1, 4, ""},      // the list
		{[]any{"a", "b"}, 1, 4, ""},    // a list has no keys
		{[]any{"d", "a", 0}, 1, 1, ""}, // no step after one that is not there
		{[]any{"c", 0}, 2, 4, "z"},
	} {
		if n := At(root, c.path...); n.Line != c.line || n.Column != c.column || n.Value != c.value {
			t.Errorf("%v: %q at %d:%d, want %q at %d:%d", c.path, n.Value, n.Line, n.Column, c.value, c.line, c.column)
		}
	}
	if n := Child(root, "d"); n != nil {
		t.Errorf("a key that is not there: %v", n)
	}
}
