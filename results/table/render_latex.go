package table

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"r2lmlbench/internal/text"
)

// latexPreamble needs packages of the LaTeX base only. Tables that are wider
// than the page are scaled down.
const latexPreamble = `\documentclass[10pt]{article}
\usepackage[utf8]{inputenc}
\usepackage[landscape,margin=15mm]{geometry}
\usepackage{graphicx}
\newcommand{\fitted}[1]{\resizebox{\ifdim\width>\linewidth\linewidth\else\width\fi}{!}{#1}}
\pagestyle{empty}
\setlength{\parindent}{0pt}
\begin{document}
`

// latex is a document of its own with ranks raised and the best group in bold. The table
// of published numbers follows, then those of other metrics; notes stand below a table if
// they are wanted.
func (t Table) latex(wanted bool) string {
	var b strings.Builder
	b.WriteString(latexPreamble)
	writeTable := func(caption string, lines [][]string, notes []string) {
		const rule = "\\hline\\noalign{\\smallskip}\n"
		fmt.Fprintf(&b, "\\begin{center}\\small %s\\\\[1ex]\n\\fitted{\\scshape\\setlength{\\tabcolsep}{5pt}\\begin{tabular}{l*{%d}{c}}\n%s",
			latexText(caption), len(lines[0])-1, rule)
		b.WriteString(strings.Join(lines[0], " & ") + " \\\\\\noalign{\\smallskip}\n" + rule)
		for _, line := range lines[1:] {
			b.WriteString("{}" + strings.Join(line, " & ") + " \\\\\n") // {}: a text in brackets is no option of the line before
		}
		b.WriteString("\\noalign{\\smallskip}\\hline\n\\end{tabular}}\n\\end{center}\n")
		for _, note := range notes {
			if wanted {
				b.WriteString("{\\footnotesize " + latexText(note) + "\\par}\n")
			}
		}
	}
	ours := t.grid(latexText, Row.latexCell, Row.majority)
	writeTable("Accuracy in percent and rank, experiment "+t.Spec, ours, t.latexNotes())
	if slices.ContainsFunc(t.Rows, Row.hasPublished) {
		theirs := t.grid(latexText, func(_ Row, c Cell) string {
			if c.Published == "" {
				return "-"
			}
			return rankedPercent(c.Published, c.PublishedRank, c.PublishedRank == 1)
		}, Row.majority)
		writeTable("The same as published", theirs, nil)
	}
	for _, l := range t.MetricListings() {
		writeTable(l.Title+", experiment "+t.Spec, l.Lines("latex", latexText), l.Notes)
	}
	b.WriteString("\\end{document}\n")
	return b.String()
}

// latexCell has accuracy and rank and, of a pooled row, the spread of the runs.
func (r Row) latexCell(c Cell) string {
	if c.Score == nil {
		return latexText(c.value())
	}
	ours := rankedPercent(c.Accuracy, r.rank(c), r.best(c)) + latexText(r.signs(c))
	if beside, below := r.spread(c); r.Pool != nil && below != "" {
		ours += " {\\scriptsize " + latexText(strings.ReplaceAll(text.Join("\n", beside, below), "\n", ", ")) + "}"
	}
	return ours
}

// rankedPercent raises the rank: $\textbf{81.25}^{1}$.
func rankedPercent(accuracy string, rank int, bold bool) string {
	if bold {
		accuracy = "\\textbf{" + accuracy + "}"
	}
	if rank > 0 {
		accuracy += "^{" + strconv.Itoa(rank) + "}"
	}
	return "$" + accuracy + "$"
}

var latexEscape = strings.NewReplacer(
	`\`, `\textbackslash{}`, "{", `\{`, "}", `\}`, "&", `\&`, "%", `\%`, "$", `\$`, "#", `\#`, "_", `\_`,
	"~", `\textasciitilde{}`, "^", `\textasciicircum{}`, "<", `\textless{}`, ">", `\textgreater{}`, "|", `\textbar{}`, "±", `$\pm$`,
	"[", "{[}", "]", "{]}", "*", "{*}", // behind \\ and \midrule, [ and * begin arguments
)

// latexSigns are signs that are no letters and have a spelling in mathematics.
var latexSigns = map[rune]string{
	'λ': `\lambda`, 'γ': `\gamma`, 'α': `\alpha`, 'β': `\beta`, 'μ': `\mu`, '×': `\times`, '≤': `\leq`, '≥': `\geq`, '→': `\rightarrow`, '′': `'`,
	'√': `\surd`, 'Σ': `\Sigma`, '−': `-`, '†': `\dagger`,
}

var latexPunctuation = map[rune]string{'–': "--", '—': "---", '“': "``", '”': "''", '‘': "`", '’': "'", '…': `\ldots{}`}

// latexText makes text mean itself in LaTeX. A character beyond those that its
// base knows is spelled by its number.
func latexText(written string) string {
	var b strings.Builder
	for _, r := range latexEscape.Replace(text.OneLine(written)) {
		switch sign, punctuation := latexSigns[r], latexPunctuation[r]; {
		case sign != "":
			b.WriteString("$" + sign + "$")
		case punctuation != "":
			b.WriteString(punctuation)
		case r < 0x80 || 'À' <= r && r <= 'ÿ' && !strings.ContainsRune("ÐÞðþ÷", r):
			b.WriteRune(r)
		default:
			fmt.Fprintf(&b, "\\texttt{U+%04X}", r)
		}
	}
	return b.String()
}
