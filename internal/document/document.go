// Package document writes what a verb has to say: paragraphs, tables and their notes, or a
// value for programs. A verb makes a [Document] once, and [Document.Write] writes it in the
// format that was asked for:
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
)

// A Value is a field of a table. The zero Value is an empty field.
type Value struct {
	Text string
	CSV  string // replaces Text in CSV; empty: the same

	// Of a ranked number, for people: CSV has columns for these.
	Number bool     // LaTeX sets it as mathematics
	Rank   int      // raised behind the text; 0: none
	Best   bool     // in bold
	Signs  string   // behind the rank
	Spread string   // beside the number: "±1.20"
	Aside  string   // what the number is compared with: "(81.25³) ="
	Below  []string // lines below the number
}

// String is the text.
func (v Value) String() string { return v.Text }

// Number is a number as write prints it, and "-" for none.
func Number(x *float64, write func(float64) string) Value {
	if x == nil {
		return Value{Text: "-"}
	}
	return Value{Text: write(*x)}
}

// A Column is the heading of a column, and how the column is shown. Rows have a value for
// every column, whatever the format.
type Column struct {
	Name  string
	CSV   string // name in CSV; empty: Name
	Only  string // "csv" for a column that only programs need, "people" for one that CSV does without
	Spare int    // a narrow terminal does without the columns with a number, the lowest first
	Most  int    // characters of text that a field has at most; 0: any number
	Align string // in Markdown, ":---" for the left and "---:" for the right; empty: as the reader has it
}

// A Table has a heading, rows and notes below them.
type Table struct {
	Title   string
	Columns []Column
	Rows    [][]Value
	Notes   []string // CSV has no place for them and the title
	Key     []string // notes that text has unless all are asked for; nil: all

	Ruled   bool // as text it has a line below the heading, and notes are wrapped
	Part    bool // it belongs to the table above: in Markdown its title is no heading
	Stacked bool // as text, Aside stands below the number
	// Turn: as text, a ruled table of one row, or too wide, becomes a block for every row, with
	// so many columns in the heading and a line for each of the others; 0: it does not.
	Turn    int
	Compare string // heading of Aside in these blocks
}

// A Style is how a document is shown.
type Style struct {
	Width int  // columns that text has; 0: any number
	Color bool // the best numbers in bold by terminal escapes, text only
	// Document: LaTeX is a document of its own, and not tables for a paper.
	Document bool
	Notes    bool // all notes: without, text has the key notes of a table and LaTeX none; Markdown always has all
}

// New makes a table without rows.
func New(title string, columns ...string) Table {
	t := Table{Title: title}
	for _, name := range columns {
		t.Columns = append(t.Columns, Column{Name: name})
	}
	return t
}

// Add adds a row: values, numbers and texts, one for every column.
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

// AddTexts adds a row of texts.
func (t *Table) AddTexts(fields []string) {
	row := make([]Value, len(fields))
	for i, field := range fields {
		row[i].Text = field
	}
	t.Rows = append(t.Rows, row)
}

// Texts are the heading and the rows as people read them.
func (t Table) Texts() [][]string {
	return t.lines("", func(s string) string { return s }, Value.String)
}

// lines are the heading and the rows of the columns that a format has, as head and field
// write them.
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

// in tells whether a format has the column.
func (c Column) in(format string) bool { return c.Only == "" || (c.Only == "csv") == (format == "csv") }

// A Document is all that a verb prints on standard output.
type Document struct {
	Lead   []string // lines above the tables
	Tables []Table  // the title of the first one is not printed: the command says what it is
	Value  any      // what JSON has
	Indent string   // of JSON; empty: two blanks
	CSV    *Table   // what CSV has; nil: the first of Tables
	Text   string   // replaces Lead and Tables in the format text; empty: these are written
	End    string   // lines at the end of the format text
}

// Write writes the document in a format: text, markdown, latex, csv or json.
func (d Document) Write(w io.Writer, format string, style Style) error {
	var b strings.Builder
	var err error
	switch {
	case format == "text":
		if b.WriteString(d.Text); d.Text == "" {
			err = d.people(&b, func(t Table) error { return t.fitted(style.Width).WriteText(&b, style) })
		}
		b.WriteString(d.End)
	case format == "markdown":
		err = d.people(&b, func(t Table) error { return t.WriteMarkdown(&b) })
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

// people writes the lines, and the tables each below its title, but for that of the first.
func (d Document) people(b *strings.Builder, write func(Table) error) error {
	if len(d.Lead) > 0 {
		b.WriteString(strings.Join(d.Lead, "\n") + "\n\n")
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
