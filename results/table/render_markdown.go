package table

import (
	"io"
	"strings"

	"r2lmlbench/internal/text"
	"r2lmlbench/results/document"
)

// renderMarkdown writes a table of GitHub's dialect and the notes as a list.
func (t Table) renderMarkdown(w io.Writer) error {
	blocks, err := t.Blocks()
	if err != nil {
		return err
	}
	_, err = io.WriteString(w, document.Markdown(blocks...))
	return err
}

// Blocks are the table, the best group in bold, and the list of its notes.
func (t Table) Blocks() ([]document.Block, error) {
	if err := t.check(); err != nil {
		return nil, err
	}
	made := document.Table{Columns: []document.Column{{Head: "data"}, {Head: "n", Right: true}}}
	for _, c := range t.Columns {
		made.Columns = append(made.Columns, document.Column{Head: c.Name})
	}
	majority := t.hasClasses()
	if majority {
		made.Columns = append(made.Columns, document.Column{Head: majorityHead, Right: true})
	}
	for _, r := range t.Rows {
		row := []document.Inline{document.Plain(r.title()), document.Plain(r.size())}
		for _, c := range r.Cells {
			row = append(row, r.inline(c))
		}
		if majority {
			row = append(row, document.Plain(r.majority()))
		}
		made.Rows = append(made.Rows, row)
	}
	var notes document.List
	for _, note := range t.Notes() {
		notes = append(notes, document.Plain(note))
	}
	blocks := []document.Block{made, notes}
	for _, l := range t.MetricListings() {
		blocks = append(blocks, document.Paragraph{Text: document.Inline{document.Strong(l.Title)}})
		blocks = append(blocks, l.Blocks()...)
	}
	return blocks, nil
}

// inline has accuracy and rank, the published ones, and the spread of the runs.
func (r Row) inline(c Cell) document.Inline {
	value, beside := c.value(), ""
	if c.Score != nil {
		beside = Superscript(r.rank(c)) + r.signs(c)
	}
	deviation, below := r.spread(c)
	if deviation != "" {
		beside += " " + deviation
	}
	theirs := ""
	if c.Published != "" {
		theirs = "(" + c.Published + Superscript(c.PublishedRank) + ")"
	}
	var shown document.Inline
	if r.best(c) {
		shown = document.Inline{document.Strong(value)}
	} else {
		shown = document.Plain(value)
	}
	if more := text.Join(" ", theirs, markText(c)); more != "" {
		beside += " " + more
	}
	shown = append(shown, document.Text(beside))
	if below != "" {
		for line := range strings.SplitSeq(below, "\n") {
			shown = append(shown, document.Break{}, document.Text(line))
		}
	}
	return shown
}
