package document

import (
	"bytes"
	"cmp"
	_ "embed"
	"encoding/csv"
	"encoding/json"
	"html/template"
	"io"
	"regexp"
	"strings"

	"r2lmlbench/internal/text"
)

// WriteCSV writes the heading and the rows, without title and notes.
func (t Table) WriteCSV(w io.Writer) error {
	return csv.NewWriter(w).WriteAll(t.lines("csv", text.CSVText, func(v Value) string { return text.CSVText(v.Text) }))
}

// WriteMarkdown writes title, rows and all notes.
func (t Table) WriteMarkdown(w io.Writer) error {
	var b strings.Builder
	switch {
	case t.Title != "" && t.Part:
		b.WriteString("**" + text.MarkdownText(t.Title) + "**\n\n")
	case t.Title != "":
		b.WriteString("## " + text.MarkdownText(t.Title) + "\n\n")
	}
	rule := "|"
	for _, c := range t.Columns {
		if c.in("markdown") {
			rule += cmp.Or(c.Align, "---") + "|"
		}
	}
	for i, line := range t.lines("markdown", text.MarkdownText, Value.markdown) {
		b.WriteString("| " + strings.Join(line, " | ") + " |\n")
		if i == 0 {
			b.WriteString(rule + "\n")
		}
	}
	for i, note := range t.Notes {
		if i == 0 {
			b.WriteByte('\n')
		}
		b.WriteString("- " + text.MarkdownText(note) + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// markdown returns the field with rank, signs, spread, Aside and Below.
func (v Value) markdown() string {
	field := text.MarkdownText(v.Text)
	if v.Best {
		field = "**" + field + "**"
	}
	field = text.Join(" ", field+text.MarkdownText(Raised(v.Rank)+v.Signs), text.MarkdownText(v.Spread), text.MarkdownText(v.Aside))
	for _, line := range v.Below {
		field += "<br>" + text.MarkdownText(line)
	}
	return field
}

// WriteJSON writes a value with this indentation. It escapes <, > and &, so that the output may
// stand in a web page.
func WriteJSON(w io.Writer, value any, indent string) error {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetIndent("", indent)
	if err := e.Encode(value); err != nil {
		return err
	}
	_, err := w.Write(text.JSONText(b.Bytes()))
	return err
}

//go:embed table.html
var tableHTML string

var tableTemplate = template.Must(template.New("table").Funcs(template.FuncMap{"figure": figurePattern.MatchString, "minus": Minus}).Parse(tableHTML))

// figurePattern matches fields with a number, which HTML aligns right.
var figurePattern = regexp.MustCompile(`^[<+−-]?[0-9][0-9.,e−-]*( of [0-9]+| ± [0-9.]+)?$`)

// Minus replaces hyphens by minus signs.
func Minus(number string) string { return strings.ReplaceAll(number, "-", "−") }

// HTML returns the table as a table element, with its title as caption. It returns the error of the
// template.
func (t Table) HTML() (template.HTML, error) {
	var b strings.Builder
	err := tableTemplate.Execute(&b, t)
	return template.HTML(b.String()), err
}
