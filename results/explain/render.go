package explain

import (
	_ "embed"
	"io"
	"strings"
	"text/tabwriter"
	"text/template"

	"r2lmlbench/internal/text"
	"r2lmlbench/results"
	"r2lmlbench/stats"
)

// layout has a section for each thing that is known: a heading, and indented lines whose
// fields tabs divide.
//
//go:embed explain.tmpl
var layout string

var sections = template.Must(template.New("explanation").Funcs(template.FuncMap{
	"o": text.OneLine, "counted": text.Counted, "fixed": text.TwoDecimals, "p": stats.ShortP, "size": results.Size,
}).Parse(layout))

// RenderText writes the explanation in sections, with aligned fields.
func (x Explanation) RenderText(w io.Writer) error {
	var b strings.Builder
	aligned := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	if err := sections.Execute(aligned, x); err != nil {
		return err
	}
	if err := aligned.Flush(); err != nil {
		return err
	}
	_, err := io.WriteString(w, text.TrimLines(b.String()))
	return err
}
