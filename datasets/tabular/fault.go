package tabular

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A Fault is a place of a file that cannot be used, and why.
type Fault struct {
	File   string
	Line   int // from 1; 0: the file as a whole
	Column int // in characters, from 1; 0: the line as a whole
	Msg    string
}

// Error returns "file:line:column: message".
func (f *Fault) Error() string {
	switch {
	case f.Line == 0:
		return fmt.Sprintf("%s: %s", f.File, f.Msg)
	case f.Column == 0:
		return fmt.Sprintf("%s:%d: %s", f.File, f.Line, f.Msg)
	}
	return fmt.Sprintf("%s:%d:%d: %s", f.File, f.Line, f.Column, f.Msg)
}

// Faults are those of one file, one per line.
type Faults []*Fault

// Error implements error.
func (fs Faults) Error() string {
	lines := make([]string, len(fs))
	for i, f := range fs {
		lines[i] = f.Error()
	}
	return strings.Join(lines, "\n")
}

// Unwrap returns the faults one by one, each of type [*Fault].
func (fs Faults) Unwrap() []error {
	list := make([]error, len(fs))
	for i, f := range fs {
		list[i] = f
	}
	return list
}

// A reporter collects the faults of a file.
type reporter struct {
	file   string
	faults Faults
	more   int // faults beyond maxFaults

	stopped error // that of the context which ended the reading
}

// at adds a fault.
func (r *reporter) at(line, column int, format string, args ...any) {
	if len(r.faults) == maxFaults {
		r.more++
		return
	}
	r.faults = append(r.faults, &Fault{r.file, line, column, fmt.Sprintf(format, args...)})
}

// err returns the faults, or the error of the context; nil without any.
func (r *reporter) err() error {
	if r.stopped != nil {
		return fmt.Errorf("%s: %w", r.file, r.stopped)
	}
	if len(r.faults) == 0 {
		return nil
	}
	if r.more > 0 {
		return append(r.faults, &Fault{File: r.file, Msg: fmt.Sprintf("and %d more", r.more)})
	}
	return r.faults
}

// quoted is a text of a file in a message: cut, in quotes and on one line.
func quoted(s string) string {
	const most = 40
	if utf8.RuneCountInString(s) > most {
		s = string([]rune(s)[:most]) + "..."
	}
	return fmt.Sprintf("%q", strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, s))
}
