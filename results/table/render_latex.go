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

const latexEnd = "\\end{document}\n"

// latex is a document of its own, set as the paper sets it: rows by letter,
// ranks as raised ordinals, the best group in bold. The published table follows, then the
// notes if they are wanted.
func (t Table) latex(notes bool) string {
	var b strings.Builder
	b.WriteString(latexPreamble)
	label := func(r Row) []string { return []string{r.label()} }
	ours := t.grid([]string{""}, label, latexText, Row.documentCell, Row.majority)
	writeLaTeXTable(&b, latexText("Accuracy in percent and rank, experiment "+t.Spec), ours[0], ours[1:])
	if slices.ContainsFunc(t.Rows, Row.hasPublished) {
		theirs := t.grid([]string{""}, label, latexText, func(_ Row, c Cell) string { return publishedCell(c) }, Row.majority)
		writeLaTeXTable(&b, "The same as published", theirs[0], theirs[1:])
	}
	if notes {
		writeLaTeXNotes(&b, t.latexNotes())
	}
	for _, l := range t.MetricListings() {
		lines := l.Lines(latexText)
		writeLaTeXTable(&b, latexText(l.Title+", experiment "+t.Spec), lines[0], lines[1:])
		if notes {
			writeLaTeXNotes(&b, l.Notes)
		}
	}
	b.WriteString(latexEnd)
	return b.String()
}

func (r Row) documentCell(c Cell) string {
	if c.Score == nil {
		return latexText(c.value())
	}
	ours := rankedPercent(c.Accuracy, r.rank(c), r.best(c)) + latexSigned(r.signs(c))
	if r.Pool != nil {
		ours = text.Join(" ", ours, r.latexSpread(c))
	}
	return ours
}

func publishedCell(c Cell) string {
	if c.Published == "" {
		return "-"
	}
	return rankedPercent(c.Published, c.PublishedRank, c.PublishedRank == 1)
}

// rankedPercent is set as in the paper: $\textbf{81.25}^{1st}$.
func rankedPercent(accuracy string, rank int, bold bool) string {
	if bold {
		accuracy = "\\textbf{" + accuracy + "}"
	}
	if rank == 0 {
		return "$" + accuracy + "$"
	}
	return "$" + accuracy + "^{\\mathrm{" + ordinal(rank) + "}}$"
}

// ordinal is a rank as a word: "1st", "2nd", "11th".
func ordinal(n int) string {
	ending := "th"
	if n%100 < 11 || n%100 > 13 {
		switch n % 10 {
		case 1:
			ending = "st"
		case 2:
			ending = "nd"
		case 3:
			ending = "rd"
		}
	}
	return strconv.Itoa(n) + ending
}

// writeLaTeXTable writes a table of LaTeX texts.
func writeLaTeXTable(b *strings.Builder, caption string, head []string, rows [][]string) {
	const rule = "\\hline\\noalign{\\smallskip}\n"
	fmt.Fprintf(b, "\\begin{center}\\small %s\\\\[1ex]\n\\fitted{\\scshape\\setlength{\\tabcolsep}{5pt}\\begin{tabular}{l*{%d}{c}}\n%s", caption,
		max(len(head)-1, 1), rule)
	b.WriteString(strings.Join(head, " & ") + " \\\\\\noalign{\\smallskip}\n" + rule)
	for _, row := range rows {
		b.WriteString("{}" + strings.Join(row, " & ") + " \\\\\n") // {}: a text in brackets is no option of the line before
	}
	b.WriteString("\\noalign{\\smallskip}\\hline\n\\end{tabular}}\n\\end{center}\n")
}

func writeLaTeXNotes(b *strings.Builder, notes []string) {
	for _, note := range notes {
		b.WriteString("{\\footnotesize " + latexText(note) + "\\par}\n")
	}
}

// latexSigned sets the signs behind a rank.
func latexSigned(signs string) string {
	return strings.NewReplacer("~", "$\\sim$", "†", "$\\dagger$").Replace(signs)
}

func (r Row) latexSpread(c Cell) string {
	s := c.Spread
	if s == nil {
		return ""
	}
	mean := s.Mean
	if beside, _ := r.spread(c); beside != "" {
		mean = ""
	}
	return fmt.Sprintf("{\\scriptsize $%s\\pm%s$, %s--%s}", mean, s.SD, s.Min, s.Max)
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
