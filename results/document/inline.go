package document

import "strings"

// Inline is running text.
type Inline []Span

// A Span is a piece of running text in one manner: Text, Strong or Break.
type Span interface {
	spanMarkdown() string
	spanHTML() string
}

type (
	// Text is plain.
	Text string
	// Strong stands out.
	Strong string
	// A Break begins a new line.
	Break struct{}
)

// Plain is a text as it is.
func Plain(text string) Inline { return Inline{Text(text)} }

// String is the text without its manners, a break as a newline.
func (in Inline) String() string {
	var b strings.Builder
	for _, span := range in {
		switch s := span.(type) {
		case Text:
			b.WriteString(string(s))
		case Strong:
			b.WriteString(string(s))
		case Break:
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// merged has neighbors of one manner as one span and no empty ones.
func (in Inline) merged() Inline {
	var all Inline
	for _, span := range in {
		if n := len(all) - 1; n >= 0 {
			if both, ok := joined(all[n], span); ok {
				all[n] = both
				continue
			}
		}
		if span != Text("") && span != Strong("") {
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
	case Strong:
		a, ok := a.(Strong)
		return a + b, ok
	}
	return nil, false
}
