// Package document writes what a verb has to say: paragraphs, tables and their notes, or a
// value for programs. A verb makes a [Document] once, and [Document.Write] writes it in the
// format that was asked for:
//
//	text      for a terminal; escapes and hidden characters are spelled, so that they do nothing
//	markdown  of GitHub's dialect, in which every text means itself
//	csv       the first table alone, with a name for every column
//	json      the value of the document
//
// [Table.HTML] is a table of a web page.
package document

import (
	"fmt"
	"io"
	"strings"
)

// A Value is a field of a table. The zero Value is an empty field.
type Value struct {
	Text string
	CSV  string // replaces Text in CSV; empty: the same
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
}

// A Table has a heading, rows and notes below them.
type Table struct {
	Title   string
	Columns []Column
	Rows    [][]Value
	Notes   []string // CSV has no place for them and the title
	Ruled   bool     // as text it has a line below the heading, and notes are wrapped

	Draw func(w io.Writer, format string) error // writes a table that has renderers of its own; nil: Columns and Rows are written
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
	return t.Lines("", func(s string) string { return s })
}

// Lines are the heading and the rows of the columns that a format has, with write applied
// to every text.
func (t Table) Lines(format string, write func(string) string) [][]string {
	csv := format == "csv"
	lines := make([][]string, 1+len(t.Rows))
	for k, c := range t.Columns {
		if c.Only != "" && (c.Only == "csv") != csv {
			continue
		}
		head := c.Name
		if csv && c.CSV != "" {
			head = c.CSV
		}
		lines[0] = append(lines[0], write(head))
		for i, row := range t.Rows {
			field := row[k].Text
			switch {
			case csv && row[k].CSV != "":
				field = row[k].CSV
			case format == "text" && c.Most > 0 && len(field) > c.Most:
				field = field[:c.Most-3] + "..."
			}
			lines[i+1] = append(lines[i+1], write(field))
		}
	}
	return lines
}

// A Document is all that a verb prints on standard output.
type Document struct {
	Lead   []string // lines above the tables
	Tables []Table  // the title of the first one is not printed: the command says what it is
	Value  any      // what JSON has
	CSV    *Table   // what CSV has; nil: the first of Tables
	Text   string   // replaces Lead and Tables in the format text; empty: these are written
	End    string   // lines at the end of the format text
}

// Write writes the document in a format: text, with at most so many columns where columns
// can be left out (0: any number), markdown, csv or json.
func (d Document) Write(w io.Writer, format string, width int) error {
	var b strings.Builder
	var err error
	switch {
	case format == "text":
		if b.WriteString(d.Text); d.Text == "" {
			err = d.people(&b, format, func(t Table) error { return t.fitted(width).WriteText(&b) })
		}
		b.WriteString(d.End)
	case format == "markdown":
		err = d.people(&b, format, func(t Table) error { return t.WriteMarkdown(&b) })
	case format == "json" && d.Value != nil:
		err = WriteJSON(&b, d.Value, "  ")
	case len(d.Tables) > 0 && d.Tables[0].Draw != nil:
		err = d.Tables[0].Draw(&b, format)
	case format == "csv" && d.CSV != nil:
		err = d.CSV.WriteCSV(&b)
	case format == "csv":
		err = d.Tables[0].WriteCSV(&b)
	default:
		err = fmt.Errorf("document: unknown format %q, use text, markdown, csv or json", format)
	}
	if err == nil {
		_, err = io.WriteString(w, b.String())
	}
	return err
}

// people writes the lines, and the tables each below its title, but for that of the first.
func (d Document) people(b *strings.Builder, format string, write func(Table) error) error {
	if len(d.Lead) > 0 {
		b.WriteString(strings.Join(d.Lead, "\n") + "\n\n")
	}
	for i, t := range d.Tables {
		if i == 0 {
			t.Title = ""
		} else {
			b.WriteByte('\n')
		}
		var err error
		if t.Draw != nil {
			err = t.Draw(b, format)
		} else {
			err = write(t)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
