package table

import (
	"strings"

	"r2lmlbench/internal/document"
	"r2lmlbench/internal/text"
)

// markdown is a table of GitHub's dialect with the best group in bold, the
// notes as a list, and a table of each metric beside accuracy.
func (t Table) markdown() string {
	var b strings.Builder
	rule := "|:---|---:|" + strings.Repeat(":---|", len(t.Columns))
	if t.hasClasses() {
		rule += "---:|"
	}
	document.MarkdownLines(&b, rule, t.grid(text.MarkdownText, Row.markdown, Row.majority), t.Notes())
	for _, l := range t.MetricListings() {
		b.WriteString("\n**" + text.MarkdownText(l.Title) + "**\n\n")
		document.MarkdownLines(&b, "|:---|"+strings.Repeat("---:|", len(l.Columns)-1), l.Lines("markdown", text.MarkdownText), l.Notes)
	}
	return b.String()
}

// markdown has accuracy and rank, the published ones, and the spread of the runs.
func (r Row) markdown(c Cell) string {
	value, beside := c.value(), ""
	if c.Score != nil {
		beside = superscript(r.rank(c)) + r.signs(c)
	}
	deviation, below := r.spread(c)
	for _, more := range []string{deviation, r.printed(c)} {
		if more != "" {
			beside += " " + more
		}
	}
	if r.best(c) { // a number, beside which stars are bold
		value = "**" + value + "**"
	}
	value += text.MarkdownText(beside)
	for line := range strings.SplitSeq(below, "\n") {
		if line != "" {
			value += "<br>" + text.MarkdownText(line)
		}
	}
	return value
}
