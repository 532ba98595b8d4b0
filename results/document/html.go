package document

import (
	"fmt"
	"html"
	"html/template"
	"regexp"
	"strings"

	"r2lmlbench/internal/text"
)

// HTML writes blocks as a fragment of a page. A table is of class "plain" and
// stands in an element of class "wide" that scrolls by itself and goes by label,
// further ones with their number.
func HTML(label string, blocks ...Block) template.HTML {
	w := htmlWriter{label: label}
	for _, b := range blocks {
		b.html(&w)
	}
	return template.HTML(w.String())
}

// HTML writes the text as a fragment of a page.
func (in Inline) HTML() template.HTML {
	var b strings.Builder
	for _, span := range in.merged() {
		b.WriteString(span.spanHTML())
	}
	return template.HTML(b.String())
}

// An htmlWriter gathers a fragment.
type htmlWriter struct {
	strings.Builder
	label  string
	tables int
}

// name is the label of one more table, which no other table has.
func (w *htmlWriter) name() string {
	w.tables++
	if w.tables == 1 {
		return w.label
	}
	return fmt.Sprintf("%s, table %d", w.label, w.tables)
}

// put writes parts, which are HTML.
func (w *htmlWriter) put(parts ...string) {
	for _, part := range parts {
		w.WriteString(part)
	}
}

// inline writes texts between two tags each.
func (w *htmlWriter) inline(open, end string, texts ...Inline) {
	for _, in := range texts {
		w.put(open, string(in.HTML()), end)
	}
}

// escaped makes a text mean itself, also as the value of an attribute.
func escaped(s string) string { return html.EscapeString(text.OneLine(s)) }

func (p Paragraph) html(w *htmlWriter) { w.inline("<p>", "</p>", p.Text) }

func (l List) html(w *htmlWriter) {
	w.put("<ul>")
	w.inline("<li>", "</li>", l...)
	w.put("</ul>")
}

func (t Table) html(w *htmlWriter) {
	w.put(`<div class="wide" tabindex="0" role="region" aria-label="`, escaped(w.name()), `"><table class="plain"><thead><tr>`)
	classes := make([]string, len(t.Columns))
	for i, c := range t.Columns {
		if c.Right || t.figures(i) {
			classes[i] = ` class="num"`
		}
		if c.Head == "" {
			w.put("<td></td>")
			continue
		}
		w.put(`<th scope="col"`, classes[i], ">", escaped(c.Head), "</th>")
	}
	w.put("</tr></thead><tbody>")
	for _, row := range t.Rows {
		w.put("<tr>")
		for i, cell := range row {
			w.put("<td", classes[i], ">", string(cell.HTML()), "</td>")
		}
		w.put("</tr>")
	}
	w.put("</tbody></table></div>")
}

var (
	figure     = regexp.MustCompile(`^[<=+−-]?\d[^a-zA-Z,;]*(e-?\d+)?$`)
	trueMinus  = regexp.MustCompile(`(^|[\s(>/])-(\d)`)
	hyphenated = regexp.MustCompile(`\b[A-Z]+-[A-Z0-9]*[A-Z]\b`)
)

// figures tells whether a column has nothing but figures, some at least, and empty cells.
func (t Table) figures(column int) bool {
	some := false
	for _, row := range t.Rows {
		switch of := strings.TrimSpace(row[column].String()); {
		case of == "" || of == "–" || of == "-":
		case figure.MatchString(of):
			some = true
		default:
			return false
		}
	}
	return some
}

// A number in running text has a true minus sign, and a name of capitals such as LMNN-MM
// stays on one line.
func (t Text) spanHTML() string {
	return hyphenated.ReplaceAllString(trueMinus.ReplaceAllString(escaped(string(t)), "${1}−${2}"), `<span class="name">$0</span>`)
}

func (s Strong) spanHTML() string { return "<strong>" + escaped(string(s)) + "</strong>" }

func (Break) spanHTML() string { return "<br>" }
