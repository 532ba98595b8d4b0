package document

// A Document is a title, the blocks that open it, and sections.
type Document struct {
	Title    string
	Opening  []Block
	Sections []Section
}

// A Section is a part of a document with a heading of its own.
type Section struct {
	Title  string
	Gist   Inline // what came of it, in one sentence, for lists of sections
	Blocks []Block
}

// A Block is one piece of a section: Paragraph, Heading, List, Claims, Table,
// Figure or Listing.
type Block interface {
	markdown() string // without a newline at its end
	html(*htmlWriter)
}

// A Paragraph is running text.
type Paragraph struct{ Text Inline }

// A Heading opens a part within a section.
type Heading struct{ Text string }

// A List has its items in no order that means anything.
type List []Inline

// Claims is a list of statements with what came of them.
type Claims []Claim

// A Claim is a statement that ends in the verdict on it.
type Claim struct {
	ID      string // names the claim where its words do not matter
	Text    Inline // the statement up to the verdict
	Verdict string // empty: the statement is all
	Note    string // on the verdict; may be empty
}

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

// A Figure is a drawing.
type Figure struct {
	ID      string // its name in links
	Source  string // link to a file, or the image itself as data:image/...
	Alt     string // what it shows, for those who cannot see it
	Caption Inline
}

// A Listing is text as typed, line by line: commands, output.
type Listing struct{ Text string }
