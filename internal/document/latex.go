package document

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"r2lmlbench/internal/text"
)

// latexPreamble needs packages of the LaTeX base only; without booktabs its rules are plain lines.
// Tables that are wider than the page are scaled down.
const latexPreamble = `\documentclass[10pt]{article}
\usepackage[utf8]{inputenc}
\usepackage[landscape,margin=15mm]{geometry}
\usepackage{graphicx}
\IfFileExists{booktabs.sty}{\usepackage{booktabs}}{\let\toprule\hline\let\midrule\hline\let\bottomrule\hline}
\newcommand{\fitted}[1]{\resizebox{\ifdim\width>\linewidth\linewidth\else\width\fi}{!}{#1}}
\pagestyle{empty}
\setlength{\parindent}{0pt}
\begin{document}
`

// latex writes tables for a paper that loads booktabs, with Lead and titles as comments. With
// style.Document it writes a document that compiles, with titles as captions; style.Notes adds notes
// to that.
func (d Document) latex(b *strings.Builder, style Style) {
	if !style.Document {
		b.WriteString("% needs \\usepackage{booktabs}\n")
		for _, line := range d.Lead {
			b.WriteString("% " + text.OneLine(LaTeX(line)) + "\n")
		}
		for _, t := range d.Tables {
			if t.Title != "" {
				b.WriteString("% " + text.OneLine(LaTeX(t.Title)) + "\n")
			}
			t.tabular(b)
			b.WriteString("\n")
		}
		return
	}
	b.WriteString(latexPreamble)
	for _, line := range d.Lead {
		b.WriteString(LaTeX(line) + "\n\n")
	}
	for _, t := range d.Tables {
		b.WriteString("\\begin{center}\\small ")
		if t.Title != "" {
			b.WriteString(LaTeX(t.Title) + "\\\\[1ex]\n")
		}
		b.WriteString("\\fitted{\\setlength{\\tabcolsep}{5pt}")
		t.tabular(b)
		b.WriteString("}\n\\end{center}\n")
		for _, note := range t.Notes {
			if style.Notes {
				b.WriteString("{\\footnotesize " + LaTeX(note) + "\\par}\n")
			}
		}
	}
	b.WriteString("\\end{document}\n")
}

// tabular writes the table without its title and notes.
func (t Table) tabular(b *strings.Builder) {
	lines := t.lines("latex", LaTeX, Value.latex)
	fmt.Fprintf(b, "\\begin{tabular}{l*{%d}{c}}\n\\toprule\n%s \\\\\n\\midrule\n", len(lines[0])-1, strings.Join(lines[0], " & "))
	for _, line := range lines[1:] {
		b.WriteString("{}" + strings.Join(line, " & ") + " \\\\\n") // {} keeps a text in brackets from being an option of \\
	}
	b.WriteString("\\bottomrule\n\\end{tabular}")
}

// negative matches a hyphen that is a minus sign.
var negative = regexp.MustCompile(`(^|[ (])-(\d)`)

// minuses turns the hyphens of negative numbers into minus signs, in text mode.
func minuses(field string) string { return negative.ReplaceAllString(field, "$1$$-$$$2") }

// latex returns the field with rank, signs, spread, Aside and Below, such as $\textbf{81.25}^{1}$.
func (v Value) latex() string {
	field := LaTeX(v.Text)
	if v.Best {
		digits, negative := strings.CutPrefix(field, "-")
		field = "\\textbf{" + digits + "}"
		if negative && v.Number { // math mode sets the hyphen as a minus sign
			field = "-" + field
		}
	}
	if v.Rank > 0 {
		field += "^{" + strconv.Itoa(v.Rank) + "}"
	}
	if v.Number {
		field = "$" + field + "$"
	} else {
		field = minuses(field)
	}
	field += LaTeX(v.Signs)
	if small := text.Join(", ", append([]string{v.Spread}, v.Below...)...); small != "" {
		field += " {\\scriptsize " + minuses(LaTeX(small)) + "}"
	}
	return text.Join(" ", field, minuses(LaTeX(v.Aside)))
}

var latexEscape = strings.NewReplacer(
	`\`, `\textbackslash{}`, "{", `\{`, "}", `\}`, "&", `\&`, "%", `\%`, "$", `\$`, "#", `\#`, "_", `\_`,
	"~", `\textasciitilde{}`, "^", `\textasciicircum{}`, "<", `\textless{}`, ">", `\textgreater{}`, "|", `\textbar{}`, "±", `$\pm$`,
	"[", "{[}", "]", "{]}", "*", "{*}", // behind \\ and \midrule, [ and * begin arguments
)

// latexSigns spells signs that LaTeX has in math mode only.
var latexSigns = map[rune]string{
	'λ': `\lambda`, 'γ': `\gamma`, 'α': `\alpha`, 'β': `\beta`, 'μ': `\mu`, '×': `\times`, '≤': `\leq`, '≥': `\geq`, '→': `\rightarrow`, '′': `'`,
	'√': `\surd`, 'Σ': `\Sigma`, '−': `-`, '†': `\dagger`,
}

var latexPunctuation = map[rune]string{'–': "--", '—': "---", '“': "``", '”': "''", '‘': "`", '’': "'", '…': `\ldots{}`}

// LaTeX escapes a text, so that LaTeX prints it as it is. Characters beyond those of the LaTeX base
// are spelled by number.
func LaTeX(written string) string {
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
