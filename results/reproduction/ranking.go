package reproduction

import (
	"strings"

	"r2lmlbench/results/table"
)

// ranking is the ranked table beside the published one.
func ranking(t table.Table) (section, error) {
	s := section{title: "The ranked table beside the published one"}
	s.say("`r2lmlbench run accuracy` computes it, `r2lmlbench table accuracy --results results/accepted` shows the accepted cells.")
	var b strings.Builder
	err := t.Render(&b, "markdown", table.Options{})
	s.say("%s", strings.TrimSpace(b.String()))
	return s, err
}
