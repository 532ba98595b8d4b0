package table

import (
	"fmt"
	"strings"

	"r2lmlbench/internal/text"
)

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
