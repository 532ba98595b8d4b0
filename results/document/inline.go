package document

import (
	"fmt"
	"strings"
)

// Inline is running text.
type Inline []Span

// A Span is a piece of running text in one manner: Text, Code, Strong, Link or
// Break.
type Span interface {
	spanMarkdown(table bool) string
	spanHTML() string
}

type (
	// Text is plain.
	Text string
	// Code is as typed: a command, a name in a program.
	Code string
	// Strong stands out.
	Strong string
	// A Link leads to "#anchor" in the document, to a file beside it, or to the
	// web.
	Link struct{ Text, Target string }
	// A Break begins a new line.
	Break struct{}
)

// Plain is a text as it is.
func Plain(text string) Inline { return Inline{Text(text)} }

// Textf is fmt.Sprintf for running text: an argument that is a Span or Inline
// keeps its manner, and any other is plain text, as is what the format itself
// says.
//
//	Textf("%s has %d rows", document.Strong(name), n)
func Textf(format string, args ...any) Inline {
	if false {
		_ = fmt.Sprintf(format, args...) // lets go vet check formats and arguments
	}
	var all Inline
	for i := 0; format != ""; i++ {
		at := verb(format)
		if at.end == 0 {
			return append(all, Text(strings.ReplaceAll(format, "%%", "%")))
		}
		all = append(all, Text(strings.ReplaceAll(format[:at.start], "%%", "%")))
		switch arg := args[i].(type) {
		case Inline:
			all = append(all, arg...)
		case Span:
			all = append(all, arg)
		default:
			all = append(all, Text(fmt.Sprintf(format[at.start:at.end], arg)))
		}
		format = format[at.end:]
	}
	return all
}

type place struct{ start, end int }

// verb finds the first verb of a format, such as %.2f; without one its end is 0.
func verb(format string) place {
	for i := 0; i < len(format); i++ {
		if format[i] != '%' {
			continue
		}
		if i+1 < len(format) && format[i+1] == '%' {
			i++
			continue
		}
		if n := strings.IndexFunc(format[i:], isLetter); n > 0 {
			return place{i, i + n + 1}
		}
	}
	return place{}
}

func isLetter(r rune) bool { return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' }

// Join puts a separator between texts.
func Join(items []Inline, separator string) Inline {
	var all Inline
	for i, item := range items {
		if i > 0 {
			all = append(all, Text(separator))
		}
		all = append(all, item...)
	}
	return all
}

// String is the text without its manners, a break as a newline.
func (in Inline) String() string {
	var b strings.Builder
	for _, span := range in {
		switch s := span.(type) {
		case Text:
			b.WriteString(string(s))
		case Code:
			b.WriteString(string(s))
		case Strong:
			b.WriteString(string(s))
		case Link:
			b.WriteString(s.Text)
		case Break:
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// merged has neighbors of one manner as one span and no empty ones: two spans of
// code are one.
func (in Inline) merged() Inline {
	var all Inline
	for _, span := range in {
		if n := len(all) - 1; n >= 0 {
			if both, ok := joined(all[n], span); ok {
				all[n] = both
				continue
			}
		}
		if span != Text("") && span != Code("") && span != Strong("") {
			all = append(all, span)
		}
	}
	return all
}

// joined is two spans of one manner as one.
func joined(a, b Span) (Span, bool) {
	switch b := b.(type) {
	case Text:
		a, ok := a.(Text)
		return a + b, ok
	case Code:
		a, ok := a.(Code)
		return a + b, ok
	case Strong:
		a, ok := a.(Strong)
		return a + b, ok
	}
	return nil, false
}
