package reproduction

import (
	"strings"

	"r2lmlbench/results"
)

// ranking is the ranked table beside the published one.
func ranking(t results.Table) (section, error) {
	s := section{title: "The ranked table beside the published one"}
	s.say("`r2lmlbench run accuracy` computes it, `r2lmlbench table accuracy --results results/accepted` shows the accepted cells.")
	var b strings.Builder
	err := t.Render(&b, "markdown", results.Options{})
	s.say("%s", strings.TrimSpace(b.String()))
	return s, err
}
