package table

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"r2lmlbench/internal/text"
)

// renderLaTeX writes a table for the booktabs package: ranks as superscripts,
// the best group in bold, published values small in parentheses.
func (t Table) renderLaTeX(w io.Writer) error {
	var b strings.Builder
	b.WriteString("% needs \\usepackage{booktabs}\n\\begin{table}\n\\centering\\small\n")
	majority, last := t.hasClasses(), ""
	if majority {
		last = "r"
	}
	fmt.Fprintf(&b, "\\begin{tabular}{lr%s%s}\n\\toprule\ndata & $n$", strings.Repeat("l", len(t.Columns)), last)
	for _, c := range t.Columns {
		b.WriteString(" & " + latexText(c.Name))
	}
	if majority {
		b.WriteString(" & " + majorityHead)
	}
	b.WriteString(" \\\\\n\\midrule\n")
	for _, r := range t.Rows {
		b.WriteString(latexText(r.title()) + " & " + latexText(r.size()))
		for _, c := range r.Cells {
			b.WriteString(" & " + r.latexCell(c))
		}
		if majority {
			b.WriteString(" & " + r.majority())
		}
		b.WriteString(" \\\\\n")
	}
	b.WriteString("\\bottomrule\n\\end{tabular}\n")
	for _, note := range t.notes() {
		b.WriteString("\\par{\\footnotesize " + latexText(note) + "\\par}\n")
	}
	b.WriteString("\\end{table}\n")
	for _, l := range t.MetricListings() {
		l.writeBooktabs(&b)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// writeBooktabs writes the listing as a table of its own.
func (l Listing) writeBooktabs(b *strings.Builder) {
	fmt.Fprintf(b, "\\begin{table}\n\\centering\\small\n\\caption{%s}\n\\begin{tabular}{l%s}\n\\toprule\n", latexText(l.Title),
		strings.Repeat("r", len(l.Head)-1))
	b.WriteString(strings.Join(latexTexts(l.Head), " & ") + " \\\\\n\\midrule\n")
	for _, row := range latexRows(l.Rows) {
		b.WriteString(strings.Join(row, " & ") + " \\\\\n")
	}
	b.WriteString("\\bottomrule\n\\end{tabular}\n")
	for _, note := range l.Notes {
		b.WriteString("\\par{\\footnotesize " + latexText(note) + "\\par}\n")
	}
	b.WriteString("\\end{table}\n")
}

func (r Row) latexCell(c Cell) string {
	ours := c.value()
	if c.Score != nil {
		if c.Best {
			ours = "\\textbf{" + ours + "}"
		}
		ours += latexRank(r.rank(c)) + latexSigned(r.signs(c))
	}
	theirs := ""
	if c.Published != "" {
		theirs = "{\\scriptsize (" + c.Published + latexRank(c.PublishedRank) + ")"
		if m := markText(c); m != "" {
			theirs += " $" + m + "$"
		}
		theirs += "}"
	}
	return text.Join(" ", ours, theirs, r.latexSpread(c))
}

// latexRank is a raised rank; 0 is none.
func latexRank(rank int) string {
	if rank == 0 {
		return ""
	}
	return "$^{" + strconv.Itoa(rank) + "}$"
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
