package report

import (
	"fmt"
	"strings"

	"r2lmlbench/internal/document"
	"r2lmlbench/internal/text"
	"r2lmlbench/stats"
)

// TikZ is the diagram of [CriticalDifference] as a tikzpicture, the better ranks at the left,
// with a bar as long as the critical difference. It needs the package tikz alone, and has no
// colors.
func TikZ(names []string, s stats.Standing, level float64) string {
	k, n := len(names), len(s.Order)
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	bars := 0.18 * float64(len(s.Groups))
	line(`%% Average ranks over %d data sets; bars join what Nemenyi's test (level %g) does not tell apart.`, s.Rows, level)
	line(`\begin{tikzpicture}[x=%.3fcm, y=1cm, font=\small]`, 9/float64(max(k-1, 1)))
	line(`  \draw (1,0) -- (%d,0);`, k)
	for rank := 1; rank <= k; rank++ {
		line(`  \draw (%d,0) -- ++(0,0.1) node[above] {%[1]d};`, rank)
	}
	line(`  \draw[very thick] (1,0.8) -- (%.4f,0.8) node[right] {critical difference %s};`, 1+s.CD, text.TwoDecimals(s.CD))
	for i, method := range s.Order {
		rank, level, side, end := s.Friedman.AverageRanks[method], i, "left", 0.8
		if i >= (n+1)/2 {
			level, side, end = n-1-i, "right", float64(k)+0.2
		}
		line(`  \draw (%.4f,0) |- (%.4f,%.2f) node[%s] {%s %s};`, rank, end, -0.4-bars-0.4*float64(level), side, document.LaTeX(names[method]),
			text.TwoDecimals(rank))
	}
	for i, group := range s.Groups {
		first, last := s.Friedman.AverageRanks[group[0]], s.Friedman.AverageRanks[group[len(group)-1]]
		line(`  \draw[line width=1.6pt] (%.4f,%.2f) -- (%.4f,%[2]f);`, first-0.03, -0.15-0.18*float64(i), last+0.03)
	}
	line(`\end{tikzpicture}`)
	return b.String()
}
