package document

import (
	"fmt"
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

// latex writes a document of its own, with the title of each table as its caption, and notes
// below the tables if they are wanted.
func (d Document) latex(b *strings.Builder, notes bool) {
	const rule = "\\hline\\noalign{\\smallskip}\n"
	b.WriteString(latexPreamble)
	for _, line := range d.Lead {
		b.WriteString(latexText(line) + "\n\n")
	}
	for _, t := range d.Tables {
		lines := t.lines("latex", latexText, Value.latex)
		b.WriteString("\\begin{center}\\small ")
		if t.Title != "" {
			b.WriteString(latexText(t.Title) + "\\\\[1ex]\n")
		}
		fmt.Fprintf(b, "\\fitted{\\scshape\\setlength{\\tabcolsep}{5pt}\\begin{tabular}{l*{%d}{c}}\n%s", len(lines[0])-1, rule)
		b.WriteString(strings.Join(lines[0], " & ") + " \\\\\\noalign{\\smallskip}\n" + rule)
		for _, line := range lines[1:] {
			b.WriteString("{}" + strings.Join(line, " & ") + " \\\\\n") // {}: a text in brackets is no option of the line before
		}
		b.WriteString("\\noalign{\\smallskip}\\hline\n\\end{tabular}}\n\\end{center}\n")
		for _, note := range t.Notes {
			if notes {
				b.WriteString("{\\footnotesize " + latexText(note) + "\\par}\n")
			}
		}
	}
	b.WriteString("\\end{document}\n")
}

// latex is the field with what is beside and below the number, in which the rank is raised:
// $\textbf{81.25}^{1}$.
func (v Value) latex() string {
	field := latexText(v.Text)
	if v.Best {
		field = "\\textbf{" + field + "}"
	}
	if v.Rank > 0 {
		field += "^{" + strconv.Itoa(v.Rank) + "}"
	}
	if v.Number {
		field = "$" + field + "$"
	}
	field += latexText(v.Signs)
	if small := text.Join(", ", append([]string{v.Spread}, v.Below...)...); small != "" {
		field += " {\\scriptsize " + latexText(small) + "}"
	}
	return text.Join(" ", field, latexText(v.Aside))
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
// LaTeX is a text as LaTeX writes it.
func LaTeX(written string) string { return latexText(written) }

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
