// Package reproduction writes the account of what the stored cells say about
// the paper: its ranked table beside ours, a verdict on every published number,
// the findings, and what has not been run.
package reproduction

import (
	"fmt"
	"io"
	"strings"
	"unicode"

	"r2lmlbench/results/published"
	"r2lmlbench/results/table"
	"r2lmlbench/results/verdict"
)

// An Input is all that the account rests on. Tables are those of the specs of
// the same name; one without any cell is reported as not run.
type Input struct {
	Accuracy table.Table
	Verdicts verdict.Verdicts
	Findings []published.Finding // of the audit
	Classes  map[string]int      // number of classes by id of the data set

	Variants, Steps, Metrics, Lambda, Triangle, Toy, Convergence, Alternatives table.Table

	Cells  int     // stored cells that the account was made from
	Absent []Group // what has not been run
}

// Write prints the account as Markdown. Equal input gives equal bytes.
func Write(w io.Writer, in Input) error {
	ranked, err := ranking(in.Accuracy)
	if err != nil {
		return err
	}
	sections := append([]section{ranked, verdicts(in.Verdicts), byMethod(in.Verdicts, in.Accuracy.Columns)}, findings(in)...)
	var b strings.Builder
	b.WriteString(opening(in))
	for _, s := range sections {
		fmt.Fprintf(&b, "- [%s](#%s)\n", s.title, anchor(s.title))
	}
	for _, s := range sections {
		b.WriteString("\n" + s.markdown())
	}
	_, err = io.WriteString(w, b.String())
	return err
}

// findings are the sections behind the table and its verdicts.
func findings(in Input) []section {
	return []section{
		across(in.Accuracy),
		collapse(in.Variants),
		steps(in.Steps, in.Accuracy),
		splitRule(in.Verdicts),
		unreachable(in.Findings),
		impossibleRanks(in.Findings),
		statements(in.Findings),
		metrics(in.Metrics, in.Classes),
		lambda(in.Lambda),
		triangle(in.Triangle),
		toy(in.Toy),
		convergence(in.Convergence),
		alternatives(in.Alternatives),
		notRun(in.Absent),
	}
}

func opening(in Input) string {
	s := in.Verdicts.Summary
	random := 0
	for _, v := range in.Verdicts.Verdicts {
		if v.Evidence == verdict.EvidenceRandom && (v.Verdict == verdict.Better || v.Verdict == verdict.Worse) {
			random++
		}
	}
	return fmt.Sprintf(`# Reproduction

What %d accepted cells say about "Reduced-Rank Local Distance Metric Learning for k-NN Classification" (arXiv 1902.08313).
This file is written by

    go run . reproduction > REPRODUCTION.md

from `+"`results/accepted`"+` alone and holds no number that is not computed from there or from the paper's printed tables. Of its %d
printed accuracies %d are exact, %d reproduced, %d inconclusive and %d missing; our runs are better than %d and worse than %d, %d of
these on random splits, and for %d our own cell on the split of the rule lies on the other side of the printed value.
`+"`r2lmlbench explain LETTER/METHOD`"+` shows all that is behind one of them.

`, in.Cells, s.Numbers, s.Exact, s.Reproduced, s.Inconclusive, s.Missing, s.Better, s.Worse, random, s.Contrary)
}

// anchor is the name that Markdown gives to a heading.
func anchor(title string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(title) {
		switch {
		case r == ' ':
			b.WriteByte('-')
		case r == '-' || r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r):
			b.WriteRune(r)
		}
	}
	return b.String()
}
