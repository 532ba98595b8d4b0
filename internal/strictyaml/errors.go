package strictyaml

import (
	"cmp"
	"fmt"
	"strings"
)

// Error is one mistake in a file, in YAML or in any other.
type Error struct {
	File   string
	Line   int // from 1; 0 stands for the file as a whole
	Column int // from 1, in characters; 0 if only the line is known
	Msg    string
}

// Error returns "file:line:column: message".
func (e Error) Error() string {
	switch {
	case e.Line == 0:
		return fmt.Sprintf("%s: %s", e.File, e.Msg)
	case e.Column == 0:
		return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Msg)
	}
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Column, e.Msg)
}

// Errors holds all mistakes of a file by position. The errors returned by
// [Parse] and [Decoder.Err] are of this type.
type Errors []Error

// Error returns the mistakes, one per line.
func (es Errors) Error() string {
	lines := make([]string, len(es))
	for i, e := range es {
		lines[i] = e.Error()
	}
	return strings.Join(lines, "\n")
}

// Unwrap returns the mistakes one by one, each of type [Error].
func (es Errors) Unwrap() []error {
	list := make([]error, len(es))
	for i, e := range es {
		list[i] = e
	}
	return list
}

// byPosition orders mistakes by file, and as they come in each.
func byPosition(a, b Error) int {
	return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
}
