package document

// A Block is a Paragraph, List or Table.
type Block interface {
	markdown() string // without a newline at its end
	html(*htmlWriter)
}

// A Paragraph is running text.
type Paragraph struct{ Text Inline }

// A List has its items in no order that means anything.
type List []Inline

// A Table has as many cells in every row as it has columns.
type Table struct {
	Columns []Column
	Rows    [][]Inline
}

// A Column is the head of a table's column and the side that it is aligned to.
type Column struct {
	Head  string
	Right bool
}
