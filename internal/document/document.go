// Package document writes the output of a verb: paragraphs, tables with notes, or a value for
// programs. A verb makes one [Document], and [Document.Write] writes it in the requested format:
//
//	text      for a terminal; escapes and hidden characters are spelled, so that they do nothing
//	markdown  of GitHub's dialect, in which every text means itself
//	latex     every table for a paper with the package booktabs, or a document of its own
//	csv       the first table alone, with a name for every column
//	json      the value of the document
//
// [Table.HTML] is a table of a web page.
package document

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"r2lmlbench/internal/text"
)

// A Value is a field of a table. The zero Value is an empty field.
type Value struct {
	Text string
	CSV  string // replaces Text in CSV; empty: Text

	// The rest shows a ranked number to people; CSV has columns of its own for these.
	Number bool     // LaTeX sets it as mathematics
	Rank   int      // superscript after the text; 0: none
	Best   bool     // in bold
	Signs  string   // after the rank
	Spread string   // beside the number: "±1.20"
	Aside  string   // the number to compare with, after it: "(81.25³) ="
	Below  []string // lines below the number
}

// String returns Text.
func (v Value) String() string { return v.Text }

// Number returns x as write formats it, or "-" for nil.
func Number(x *float64, write func(float64) string) Value {
	if x == nil {
		return Value{Text: "-"}
	}
	return Value{Text: write(*x)}
}

// A Heading is the heading of a column and how to show it. Every row has a value for every column,
// whatever the format.
type Heading struct {
	Name  string
	CSV   string // name in CSV; empty: Name
	Only  string // "csv": only CSV has the column; "people": all formats but CSV have it; empty: all have it
	Spare int    // above 0: a narrow terminal drops the column, the lowest number first; 0: never
	Most  int    // maximum bytes of a field in text, longer ones end in "..."; 0: no limit
	Align string // in Markdown, ":---" left or "---:" right; empty: the default of the viewer
}

// A Table has a heading, rows and notes below them.
type Table struct {
	Title   string
	Columns []Heading
	Rows    [][]Value
	Notes   []string // CSV has neither notes nor title
	Key     []string // the notes in text unless Style.Notes is set; nil: Notes

	Ruled   bool // text has a rule below the heading, and wraps notes
	Part    bool // it continues the table above: Markdown does not set its title as a heading
	Stacked bool // text has Aside on a line of its own
	// Turn is for ruled text: a table of one row, or wider than the style, becomes one block per
	// row. The heading of a block has the first Turn columns, each other column a line; 0: never.
	Turn    int
	Compare string // heading of Aside in the blocks of Turn
}

// A Style says how to show a document.
type Style struct {
	Width int  // columns of the terminal, for text; 0: no limit
	Color bool // text sets the best numbers in bold by escape sequences
	// Document makes LaTeX a document that compiles, not tables to include in a paper.
	Document bool
	Notes    bool // all notes in text and LaTeX; false: text has Table.Key, LaTeX none. Markdown always has all
}

// New returns a table with these column names and no rows.
func New(title string, columns ...string) Table {
	t := Table{Title: title}
	for _, name := range columns {
		t.Columns = append(t.Columns, Heading{Name: name})
	}
	return t
}

// Add adds a row with one field per column: a Value, or anything that fmt.Sprint formats.
func (t *Table) Add(fields ...any) {
	row := make([]Value, len(fields))
	for i, field := range fields {
		if v, ok := field.(Value); ok {
			row[i] = v
		} else {
			row[i].Text = fmt.Sprint(field)
		}
	}
	t.Rows = append(t.Rows, row)
}

// Texts returns the heading and the rows, as Name and Text.
func (t Table) Texts() [][]string {
	return t.lines("", func(s string) string { return s }, Value.String)
}

// lines returns the heading and the rows in the columns of a format, as head and field format them.
func (t Table) lines(format string, head func(string) string, field func(Value) string) [][]string {
	csv := format == "csv"
	lines := make([][]string, 1+len(t.Rows))
	for k, c := range t.Columns {
		if !c.in(format) {
			continue
		}
		name := c.Name
		if csv && c.CSV != "" {
			name = c.CSV
		}
		lines[0] = append(lines[0], head(name))
		for i, row := range t.Rows {
			v := row[k]
			switch {
			case csv && v.CSV != "":
				v.Text = v.CSV
			case format == "text" && c.Most > 0 && len(v.Text) > c.Most:
				v.Text = v.Text[:c.Most-3] + "..."
			}
			lines[i+1] = append(lines[i+1], field(v))
		}
	}
	return lines
}

// in reports whether a format has the column.
func (c Heading) in(format string) bool {
	return c.Only == "" || (c.Only == "csv") == (format == "csv")
}

// A Document is everything that a verb writes to standard output.
type Document struct {
	Lead   []string // lines above the tables, plain text that a renderer escapes
	Tables []Table  // Write leaves out the title of the first
	Value  any      // JSON writes this only; nil: the document has no JSON
	Indent string   // of JSON; empty: two spaces
	CSV    *Table   // CSV writes this only; nil: the first of Tables
	Text   string   // replaces Lead and Tables in text; empty: Lead and Tables
	End    string   // text ends with it
}

// Write writes the document in a format: text, markdown, latex, csv or json. It fails for another
// format, for json without Value, and when w fails.
func (d Document) Write(w io.Writer, format string, style Style) error {
	var b strings.Builder
	var err error
	switch {
	case format == "text":
		if b.WriteString(d.Text); d.Text == "" {
			err = d.people(&b, text.OneLine, func(t Table) error { return t.fitted(style.Width).WriteText(&b, style) })
		}
		b.WriteString(d.End)
	case format == "markdown":
		err = d.people(&b, text.MarkdownText, func(t Table) error { return t.WriteMarkdown(&b) })
	case format == "latex":
		d.latex(&b, style)
	case format == "json" && d.Value != nil:
		err = WriteJSON(&b, d.Value, cmp.Or(d.Indent, "  "))
	case format == "csv" && d.CSV != nil:
		err = d.CSV.WriteCSV(&b)
	case format == "csv":
		err = d.Tables[0].WriteCSV(&b)
	default:
		err = fmt.Errorf("document: unknown format %q, use text, markdown, latex, csv or json", format)
	}
	if err == nil {
		_, err = io.WriteString(w, b.String())
	}
	return err
}

// people writes Lead, spelled, and the tables, each below its title except the first.
func (d Document) people(b *strings.Builder, spell func(string) string, write func(Table) error) error {
	for _, line := range d.Lead {
		b.WriteString(spell(line) + "\n")
	}
	if len(d.Lead) > 0 {
		b.WriteByte('\n')
	}
	for i, t := range d.Tables {
		if i == 0 {
			t.Title = ""
		} else {
			b.WriteByte('\n')
		}
		if err := write(t); err != nil {
			return err
		}
	}
	return nil
}
