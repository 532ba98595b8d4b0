package figures

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	words "r2lmlbench/internal/text" // text is that of gonum.org/v1/plot
	"r2lmlbench/results/figures/chart"
	"r2lmlbench/results/table"
	"r2lmlbench/stats"
)

// Comparisons draws a matrix of all pairs of methods over the data sets on which all
// of them have a result: the mean difference of the accuracies, wins, ties and losses,
// and p of Wilcoxon's signed-rank test after Holm's correction. There is no figure for
// fewer than two methods or two such data sets. The form is that of Ismail-Fawaz et
// al., An approach to multiple comparison benchmark evaluations that is stable under
// manipulation of the comparate set, 2023, with corrected p.
func Comparisons(t table.Table) ([]chart.Figure, error) {
	m, ok := newComparisons(t)
	if !ok {
		return nil, nil
	}
	csv, err := m.csv()
	if err != nil {
		return nil, err
	}
	f, err := chart.NewFigure("comparisons", "Every method against every other", m.alt(), csv, m.height(), m.draw)
	f.See = fmt.Sprintf("Row less column: mean difference in points, wins/ties/losses (by any difference) over %s, and p (Wilcoxon, Holm). Bold: p at most %g. "+
		"The diagonal has the mean accuracy.", words.Counted(m.sets, "data set"), t.Test.Alpha)
	if m.narrow() {
		f.See = fmt.Sprintf("Row less column: mean difference of the accuracies over %s, blue if the row is better. "+
			"Bold: p at most %g (Wilcoxon, Holm). Each field has wins, ties, losses and p in its title.", words.Counted(m.sets, "data set"), t.Test.Alpha)
	}
	f.See += fmt.Sprintf(" %d of %s differ.", m.differ(), words.Counted(len(m.order)*(len(m.order)-1)/2, "pair"))
	return []chart.Figure{f}, err
}

// A comparisonMatrix has the methods in the order of their mean accuracies.
type comparisonMatrix struct {
	table table.Table
	sets  int
	order []int // columns of the table
	mean  []float64
	pairs map[[2]int]comparison
}

// A comparison is one column against another.
type comparison struct {
	points             float64 // mean difference
	wins, ties, losses int
	p, holm            float64
}

func newComparisons(t table.Table) (comparisonMatrix, bool) {
	scores := t.Scores()
	scores.Rows = slices.DeleteFunc(scores.Rows, func(r table.ScoreRow) bool { return r.N <= 0 || slices.Min(append(r.Right, 0)) < 0 })
	m := comparisonMatrix{table: t, sets: len(scores.Rows), mean: make([]float64, len(t.Columns)), pairs: map[[2]int]comparison{}}
	if len(t.Columns) < 2 || m.sets < 2 {
		return m, false
	}
	for j := range t.Columns {
		m.order = append(m.order, j)
		for _, r := range scores.Rows {
			m.mean[j] += 100 * float64(r.Right[j]) / float64(r.N) / float64(m.sets)
		}
	}
	slices.SortStableFunc(m.order, func(a, b int) int { return cmp.Compare(m.mean[b], m.mean[a]) })
	var raw []float64
	var places [][2]int
	for a := range t.Columns {
		for b := range a {
			c := compared(scores, a, b)
			raw, places = append(raw, c.p), append(places, [2]int{a, b})
			m.pairs[[2]int{a, b}] = c
		}
	}
	for i, holm := range stats.Holm(raw) {
		a, b := places[i][0], places[i][1]
		c := m.pairs[places[i]]
		c.holm = holm
		m.pairs[[2]int{a, b}], m.pairs[[2]int{b, a}] = c, c.turned()
	}
	return m, true
}

func compared(scores table.Scores, a, b int) comparison {
	var c comparison
	differences := scores.Differences(scores.Methods[a], scores.Methods[b])
	for _, d := range differences {
		c.wins, c.losses, c.ties = c.wins+one(d > 0), c.losses+one(d < 0), c.ties+one(d == 0)
		c.points += d / 100 / float64(len(differences))
	}
	c.p = stats.Wilcoxon(differences).P
	return c
}

// differ is the number of pairs with p at most the level of the table.
func (m comparisonMatrix) differ() int {
	n := 0
	for at, pair := range m.pairs {
		n += one(at[0] > at[1] && pair.holm <= m.table.Test.Alpha)
	}
	return n
}

// turned is the comparison seen from the other side.
func (c comparison) turned() comparison {
	c.points, c.wins, c.losses = -c.points, c.losses, c.wins
	return c
}

func (c comparison) counts() string { return fmt.Sprintf("%d/%d/%d", c.wins, c.ties, c.losses) }

// signed is a number with a true minus, and none before what prints as 0.
func signed(x float64, decimals int) string {
	s := strconv.FormatFloat(x, 'f', decimals, 64)
	if strings.Trim(s, "-0.") == "" {
		s = strings.TrimPrefix(s, "-")
	}
	return strings.Replace(s, "-", "−", 1)
}

// Places of the matrix, and how wide a field must be for what it says.
const (
	leastSide   vg.Length = 74
	mostSide    vg.Length = 130
	matrixHead  vg.Length = 36
	matrixField vg.Length = 47
	matrixLine  vg.Length = 14
	allThree    vg.Length = 46
	oneNumber   vg.Length = 26
	sideMargin  vg.Length = 8
)

// side is the room for the names of rows.
func (m comparisonMatrix) side() vg.Length {
	label, widest := chart.Writing(chart.TextSize, text.XRight, text.YCenter), leastSide
	for _, j := range m.order {
		widest = max(widest, label.Width(chart.Clean(m.name(j)))+sideMargin)
	}
	return min(widest, mostSide)
}

// field is how wide and high one is.
func (m comparisonMatrix) field() (wide, high vg.Length) {
	wide = (chart.Width - 2 - m.side()) / vg.Length(len(m.order))
	if wide < allThree {
		return wide, 20
	}
	return wide, matrixField
}

// narrow tells whether fields have no room for all that there is to say.
func (m comparisonMatrix) narrow() bool {
	wide, _ := m.field()
	return wide < allThree
}

func (m comparisonMatrix) height() vg.Length {
	_, high := m.field()
	return matrixHead + vg.Length(len(m.order))*high + 2
}

func (m comparisonMatrix) name(column int) string { return m.table.Columns[column].Name }

func (m comparisonMatrix) draw(c draw.Canvas) {
	wide, high := m.field()
	side, narrow := m.side(), m.narrow()
	top, left := c.Max.Y-matrixHead, c.Min.X+side
	label := chart.Writing(chart.TextSize, text.XRight, text.YCenter)
	for i, a := range m.order {
		y := top - (vg.Length(i)+0.5)*high
		name, x := m.name(a), left+(vg.Length(i)+0.5)*wide
		if narrow {
			name = fmt.Sprintf("%d %s", i+1, name)
			c.FillText(chart.HeadingStyle(), vg.Point{X: x, Y: top + 4}, strconv.Itoa(i+1))
		} else {
			room := min(1.9*wide, chart.NarrowRoom, 2*(c.Max.X-x))
			c.FillText(chart.HeadingStyle(), vg.Point{X: x, Y: top + 4 + vg.Length(i%2)*15}, chart.Fit(name, chart.HeadingStyle(), room))
		}
		c.FillText(label, vg.Point{X: left - 6, Y: y}, chart.Fit(name, label, side-sideMargin))
		for j, b := range m.order {
			at := vg.Point{X: left + (vg.Length(j)+0.5)*wide, Y: y}
			m.drawField(c, a, b, at, chart.Rectangle(at.X-wide/2+0.5, y-high/2+0.5, at.X+wide/2-0.5, y+high/2-0.5))
		}
	}
}

// drawField draws a against b: deeper the larger the difference.
func (m comparisonMatrix) drawField(c draw.Canvas, a, b int, at vg.Point, box []vg.Point) {
	style := chart.Writing(chart.TextSize, text.XCenter, text.YCenter)
	wide := box[1].X - box[0].X
	if a == b {
		if wide >= oneNumber {
			c.FillText(style, at, strconv.FormatFloat(m.mean[a], 'f', 1, 64))
		}
		return
	}
	pair := m.pairs[[2]int{a, b}]
	fill := chart.Blue
	if pair.points < 0 {
		fill = chart.Vermillion
	}
	if pair.holm <= m.table.Test.Alpha {
		style = chart.Bold(style)
	}
	say := fmt.Sprintf("%s less %s: %s points; %d wins, %d ties, %d losses; p %s, after Holm %s",
		m.name(a), m.name(b), signed(pair.points, 2), pair.wins, pair.ties, pair.losses, stats.ShortP(pair.p), stats.ShortP(pair.holm))
	chart.Titled(c, say, func() {
		c.FillPolygon(tint(fill, 0.05+0.4*min(1, math.Abs(pair.points)/max(m.largest(), 1e-9))), box)
		switch {
		case wide >= allThree-1:
			for line, s := range []string{signed(pair.points, 2), pair.counts(), stats.ShortP(pair.holm)} {
				c.FillText(style, vg.Point{X: at.X, Y: at.Y + vg.Length(1-line)*matrixLine}, s)
			}
		case wide >= oneNumber:
			c.FillText(style, at, signed(pair.points, 1))
		}
	})
}

// largest is the largest mean difference, to which the colors go.
func (m comparisonMatrix) largest() float64 {
	return m.mean[m.order[0]] - m.mean[m.order[len(m.order)-1]]
}

func (m comparisonMatrix) csv() ([]byte, error) {
	var lines [][]string
	for _, a := range m.order {
		for _, b := range m.order {
			if a == b {
				continue
			}
			pair := m.pairs[[2]int{a, b}]
			lines = append(lines, []string{
				m.table.Columns[a].ID, m.table.Columns[b].ID, strconv.Itoa(m.sets), chart.Number(pair.points), strconv.Itoa(pair.wins), strconv.Itoa(pair.ties),
				strconv.Itoa(pair.losses), chart.Number(pair.p), chart.Number(pair.holm),
			})
		}
	}
	return chart.EncodeCSV([]string{"method", "against", "datasets", "mean_difference", "wins", "ties", "losses", "p", "p_holm"}, lines)
}

func (m comparisonMatrix) alt() string {
	var means, differ []string
	for i, a := range m.order {
		means = append(means, fmt.Sprintf("%s %.2f", chart.Short(m.name(a), 40), m.mean[a]))
		for _, b := range m.order[i+1:] {
			if pair := m.pairs[[2]int{a, b}]; pair.holm <= m.table.Test.Alpha {
				differ = append(differ, fmt.Sprintf("%s and %s (%s points, %s, p %s)", chart.Short(m.name(a), 40), chart.Short(m.name(b), 40),
					signed(pair.points, 2), pair.counts(), stats.ShortP(pair.holm)))
			}
		}
	}
	said := fmt.Sprintf("No pair differs at level %g.", m.table.Test.Alpha)
	if len(differ) > 0 {
		said = fmt.Sprintf("At level %g these differ: %s.", m.table.Test.Alpha, strings.Join(differ, "; "))
	}
	return words.Join(" ",
		fmt.Sprintf("A matrix of %s by themselves, by mean accuracy over %s: %s.", words.Counted(len(m.order), "method"), words.Counted(m.sets, "data set"),
			words.Series(means)),
		"A field has the mean difference of row less column in points, wins, ties and losses, and p of Wilcoxon's signed-rank test after Holm's correction.", said)
}
