package document

import "fmt"

// Say adds a paragraph; format and arguments are those of Textf.
func (s *Section) Say(format string, args ...any) {
	s.Add(Paragraph{Textf(format, args...)})
}

// Conclude adds a paragraph that says what came of it: it is the gist, if there
// is none yet.
func (s *Section) Conclude(format string, args ...any) {
	text := Textf(format, args...)
	s.Add(Paragraph{text})
	if s.Gist == nil {
		s.Gist = text
	}
}

// Heading opens a part of the section.
func (s *Section) Heading(format string, args ...any) {
	s.Add(Heading{Textf(format, args...).String()})
}

// List adds a list, unless it has no items.
func (s *Section) List(items ...Inline) {
	if len(items) > 0 {
		s.Add(List(items))
	}
}

// Claim adds a list of claims, unless there are none.
func (s *Section) Claim(all ...Claim) {
	if len(all) > 0 {
		s.Add(Claims(all))
	}
}

// Table adds a table of plain texts: the first left columns are aligned to the
// left, the others to the right.
func (s *Section) Table(left int, head []string, rows [][]string) {
	s.Add(newTable(left, head, rows))
}

// Add adds blocks.
func (s *Section) Add(blocks ...Block) { s.Blocks = append(s.Blocks, blocks...) }

// newTable makes a table of plain texts: the first left columns are aligned to
// the left, the others to the right. It panics if a row has too many or too few
// cells.
func newTable(left int, head []string, rows [][]string) Table {
	var t Table
	for i, text := range head {
		t.Columns = append(t.Columns, Column{text, i >= left})
	}
	for i, row := range rows {
		if len(row) != len(head) {
			panic(fmt.Sprintf("document: row %d has %d cells for %d columns", i+1, len(row), len(head)))
		}
		cells := make([]Inline, len(row))
		for j, text := range row {
			cells[j] = Plain(text)
		}
		t.Rows = append(t.Rows, cells)
	}
	return t
}

// Claims lists the claims of a section in their order.
func (s *Section) Claims() []Claim {
	var all []Claim
	for _, b := range s.Blocks {
		if claims, ok := b.(Claims); ok {
			all = append(all, claims...)
		}
	}
	return all
}
