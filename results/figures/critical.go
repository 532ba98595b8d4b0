package figures

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	words "r2lmlbench/internal/text" // text is that of gonum.org/v1/plot
	"r2lmlbench/results/figures/chart"
	"r2lmlbench/results/table"
	"r2lmlbench/results/verdict"
)

// CriticalDifference draws the average ranks of the methods over the data sets
// on which all of them have a result, after Demšar 2006: better methods to the
// right, and bars over those that Nemenyi's test does not tell apart at the
// table's level. Means over the seeds are ranked where they are known of all methods, or
// else the cells of the table. There is no figure for fewer than two methods or two such
// data sets.
func CriticalDifference(t table.Table, means *verdict.Ranks) ([]chart.Figure, error) {
	scores, ranked := t.Scores(), "The cells of the table are ranked, not means of their runs."
	if means != nil && slices.Equal(means.Scores.Methods, scores.Methods) {
		scores, ranked = means.Scores, "Means over the seeds are ranked."
	}
	standing, ok := scores.Standing(t.Test.Alpha)
	if !ok {
		return nil, nil
	}
	d := ranking{Standing: standing, table: t}
	csv, err := d.csv()
	if err != nil {
		return nil, err
	}
	f, err := chart.NewFigure("critical-difference", "Average ranks and critical difference", d.alt(), csv, d.height(), d.draw)
	best, worst := d.Order[0], d.Order[len(d.Order)-1]
	f.See = fmt.Sprintf("Best is right: %s has average rank %.2f, %s has %.2f. A bar joins methods less than %.2f apart, which the test does not tell apart. %s",
		d.name(best), d.rank(best), d.name(worst), d.rank(worst), d.CD, ranked)
	return []chart.Figure{f}, err
}

// A ranking is what the diagram shows: its bars are the groups of the standing.
type ranking struct {
	table.Standing
	table table.Table
}

func (d ranking) name(column int) string { return chart.Short(d.table.Columns[column].Name, 40) }

func (d ranking) rank(column int) float64 { return d.Friedman.AverageRanks[column] }

// Places in the diagram, from its top and its sides.
const (
	cdBar      vg.Length = 24
	cdAxis     vg.Length = 62
	cdFirstBar vg.Length = 12 // below the axis
	cdBarStep  vg.Length = 9
	cdLabel    vg.Length = 19 // height of a method's line
	cdSide     vg.Length = 128
)

// labelsFrom is how far below the axis the first label stands.
func (d ranking) labelsFrom() vg.Length {
	return cdFirstBar + vg.Length(len(d.Groups))*cdBarStep + 8
}

func (d ranking) height() vg.Length {
	lines := (len(d.Order) + 1) / 2
	return cdAxis + d.labelsFrom() + vg.Length(lines)*cdLabel
}

// draw paints the axis, the bars and the methods: the better half to the right,
// the best at the top, and the worse half to the left.
func (d ranking) draw(c draw.Canvas) {
	k := len(d.Order)
	left, right := c.Min.X+cdSide, c.Max.X-cdSide
	at := func(rank float64) vg.Length {
		return right - vg.Length(rank-1)/vg.Length(k-1)*(right-left)
	}
	axis := c.Max.Y - cdAxis
	c.StrokeLine2(chart.Thin(chart.Ink), left, axis, right, axis)
	for rank := 1; rank <= k; rank++ {
		x := at(float64(rank))
		c.StrokeLine2(chart.Thin(chart.Ink), x, axis, x, axis+5)
		c.FillText(chart.Writing(chart.TextSize, text.XCenter, text.YBottom), vg.Point{X: x, Y: axis + 8}, strconv.Itoa(rank))
	}
	d.drawDifference(c, left, (right-left)/vg.Length(k-1))
	for i, bar := range d.Groups {
		y := axis - cdFirstBar - vg.Length(i)*cdBarStep
		c.StrokeLine2(draw.LineStyle{Color: chart.Vermillion, Width: 4}, at(d.rank(bar[0]))+3, y, at(d.rank(bar[len(bar)-1]))-3, y)
	}
	for i, column := range d.Order {
		x, line, toRight := at(d.rank(column)), i, i < k/2
		if !toRight {
			line = k - 1 - i
		}
		y := axis - d.labelsFrom() - (vg.Length(line)+0.5)*cdLabel
		style := chart.Writing(chart.TextSize, text.XRight, text.YCenter)
		name := chart.Fit(d.table.Columns[column].Name, style, cdSide-46)
		label := fmt.Sprintf("%s %.2f", name, d.rank(column))
		end, textX := left-6, left-9
		if toRight {
			end, textX, style.XAlign = right+6, right+9, text.XLeft
			label = fmt.Sprintf("%.2f %s", d.rank(column), name)
		}
		c.StrokeLines(chart.Thin(chart.Ink), []vg.Point{{X: x, Y: axis}, {X: x, Y: y}, {X: end, Y: y}})
		chart.Titled(c, fmt.Sprintf("%s: average rank %.2f", d.name(column), d.rank(column)), func() {
			chart.Look{Color: chart.Blue, Mark: chart.Disc}.Put(c, vg.Point{X: x, Y: axis})
		})
		c.FillText(style, vg.Point{X: textX, Y: y}, label)
	}
}

// drawDifference paints the critical difference above the axis, whose unit has
// the given length, cut at the width of the figure.
func (d ranking) drawDifference(c draw.Canvas, left, unit vg.Length) {
	y := c.Max.Y - cdBar
	end := min(left+vg.Length(d.CD)*unit, c.Max.X-4)
	style := draw.LineStyle{Color: chart.Ink, Width: chart.LineWidth}
	c.StrokeLine2(style, left, y, end, y)
	c.StrokeLine2(style, left, y-4, left, y+4)
	c.StrokeLine2(style, end, y-4, end, y+4)
	c.FillText(chart.Writing(chart.TextSize, text.XLeft, text.YBottom), vg.Point{X: left, Y: y + 6}, fmt.Sprintf("CD = %.2f", d.CD))
}

func (d ranking) csv() ([]byte, error) {
	var lines [][]string
	for _, column := range d.Order {
		var groups []string
		for i, bar := range d.Groups {
			if slices.Contains(bar, column) {
				groups = append(groups, strconv.Itoa(i+1))
			}
		}
		lines = append(lines, []string{
			d.table.Columns[column].ID, d.table.Columns[column].Name, chart.Number(d.rank(column)), strings.Join(groups, " "),
			strconv.Itoa(d.Rows), chart.Number(d.CD), chart.Number(d.table.Test.Alpha), chart.Number(d.Friedman.F), chart.Number(d.Friedman.FP),
		})
	}
	return chart.EncodeCSV([]string{"method", "name", "average_rank", "bars", "datasets",
		"critical_difference", "alpha", "iman_davenport_f", "iman_davenport_p"}, lines)
}

func (d ranking) alt() string {
	var ranks, bars []string
	for _, column := range d.Order {
		ranks = append(ranks, fmt.Sprintf("%s %.2f", d.name(column), d.rank(column)))
	}
	for _, bar := range d.Groups {
		var names []string
		for _, column := range bar {
			names = append(names, d.name(column))
		}
		bars = append(bars, words.Series(names))
	}
	omitted := ""
	if len(d.Omitted) > 0 {
		var names []string
		for _, name := range d.Omitted {
			names = append(names, chart.Short(name, 40))
		}
		omitted = fmt.Sprintf("%s left out because a method has no result: %s.", isAre(len(names), "row"), words.Series(names))
	}
	joined := "No two methods are joined by a bar."
	if len(bars) > 0 {
		joined = "Bars join methods that do not differ significantly: " + strings.Join(bars, "; ") + "."
	}
	return words.Join(" ",
		fmt.Sprintf("A critical-difference diagram over %s of the table, those on which all %d methods have a result.", words.Counted(d.Rows, "row"), len(d.Order)),
		"The average ranks, best first, are "+words.Series(ranks)+".",
		fmt.Sprintf("Two methods differ by Nemenyi's test at level %g if their ranks are at least %.2f apart.", d.table.Test.Alpha, d.CD),
		joined,
		fmt.Sprintf("Friedman's test in the form of Iman and Davenport has p = %.2g.", d.Friedman.FP),
		omitted)
}

// isAre is "1 row is" or "2 rows are".
func isAre(n int, noun string) string {
	if n == 1 {
		return "1 " + noun + " is"
	}
	return words.Counted(n, noun) + " are"
}
