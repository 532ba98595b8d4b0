package figures

import (
	"fmt"
	"image/color"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	words "r2lmlbench/internal/text" // text is that of gonum.org/v1/plot
	"r2lmlbench/results/figures/chart"
	"r2lmlbench/results/published"
	"r2lmlbench/results/verdict"
)

// Ladder draws a bar for every method with a part for every verdict, as long as the
// printed numbers with it are many.
func Ladder(v verdict.Verdicts) ([]chart.Figure, error) {
	l := ladder{v.Summary}
	if l.Numbers == 0 {
		return nil, nil
	}
	var lines [][]string
	for _, m := range l.Methods {
		for _, w := range m.Words {
			lines = append(lines, []string{m.Method, w.Word, strconv.Itoa(w.Count), strconv.Itoa(total(m.Words))})
		}
	}
	csv, err := chart.EncodeCSV([]string{"method", "verdict", "count", "of"}, lines)
	if err != nil {
		return nil, err
	}
	f, err := chart.NewFigure("ladder", "Which protocol gives the printed numbers, by method", l.alt(), csv, l.height(), l.draw)
	f.See = l.see()
	return []chart.Figure{f}, err
}

type ladder struct{ verdict.Summary }

// see counts the numbers of each family, which it names by its marks: a page may have no colors.
func (l ladder) see() string {
	count := map[color.Color]int{}
	for _, w := range l.Words {
		count[lookOf(w.Word).Color] += w.Count
	}
	say := fmt.Sprintf("Of %s the stated protocol, its ties or an open setting gives %d (discs, rings and squares). "+
		"Choice on the test samples gives %d (diamonds), and no protocol gives %d (triangles and upright crosses).",
		words.Counted(l.Numbers, "printed number"), count[chart.Blue], count[chart.Purple], count[chart.Vermillion])
	if n := count[chart.Ink]; n > 0 {
		say += fmt.Sprintf(" Those with slanted crosses, %d, have no verdict.", n)
	}
	return say
}

// Sizes of the bars.
const (
	barHeight vg.Length = 17
	barStep   vg.Length = 24
	barSide   vg.Length = 84
	barFoot   vg.Length = 40
)

func total(counts []verdict.WordCount) int {
	n := 0
	for _, w := range counts {
		n += w.Count
	}
	return n
}

// longest is the number of numbers of the longest bar.
func (l ladder) longest() int {
	n := 0
	for _, m := range l.Methods {
		n = max(n, total(m.Words))
	}
	return n
}

func (l ladder) legend() []chart.Entry {
	var all []chart.Entry
	for _, w := range l.Words {
		if w.Count > 0 {
			all = append(all, chart.Entry{Look: lookOf(w.Word), Text: w.Word})
		}
	}
	return all
}

func (l ladder) height() vg.Length {
	return chart.LegendHeight(l.legend()) + 6 + vg.Length(len(l.Methods))*barStep + barFoot
}

func (l ladder) draw(c draw.Canvas) {
	chart.DrawLegend(c, l.legend())
	top := c.Max.Y - chart.LegendHeight(l.legend()) - 6
	left := c.Min.X + barSide
	unit := (c.Max.X - 2 - left) / vg.Length(l.longest())
	for i, m := range l.Methods {
		middle := top - (vg.Length(i)+0.5)*barStep
		label := chart.Writing(chart.TextSize, text.XRight, text.YCenter)
		c.FillText(label, vg.Point{X: left - 8, Y: middle}, chart.Fit(published.MethodName(m.Method), label, barSide-10))
		at := left
		for _, w := range m.Words {
			if w.Count > 0 {
				next := at + vg.Length(w.Count)*unit
				chart.Titled(c, fmt.Sprintf("%s: %d %s", published.MethodName(m.Method), w.Count, w.Word), func() {
					drawPart(c, lookOf(w.Word), w.Count, at, next, middle)
				})
				at = next
			}
		}
	}
	bottom := top - vg.Length(len(l.Methods))*barStep
	c.StrokeLine2(chart.Thin(chart.Ink), left, bottom, left+unit*vg.Length(l.longest()), bottom)
	for _, tick := range chart.PlainTicks(0, float64(l.longest())) {
		x := left + unit*vg.Length(tick.Value)
		c.StrokeLine2(chart.Thin(chart.Ink), x, bottom, x, bottom-4)
		c.FillText(chart.Writing(chart.TextSize, text.XCenter, text.YTop), vg.Point{X: x, Y: bottom - 6}, tick.Label)
	}
	c.FillText(chart.Writing(chart.TextSize, text.XRight, text.YBottom), vg.Point{X: c.Max.X - 2, Y: c.Min.Y + 2}, "printed numbers")
}

// drawPart draws a part of a bar with its mark and its count, or as much of these
// as there is room for.
func drawPart(c draw.Canvas, l chart.Look, count int, left, right, middle vg.Length) {
	const roomForMark, roomForBoth = 10, 22
	box := chart.Rectangle(left, middle-barHeight/2, right, middle+barHeight/2)
	c.FillPolygon(tint(l.Color, 0.3), box)
	c.StrokeLines(draw.LineStyle{Color: l.Color, Width: chart.ThinWidth}, append(box, box[0]))
	at := vg.Point{X: (left + right) / 2, Y: middle}
	switch room := right - left; {
	case room >= roomForBoth:
		l.Put(c, vg.Point{X: at.X - 6, Y: middle})
		c.FillText(chart.Writing(chart.TextSize, text.XLeft, text.YCenter), vg.Point{X: at.X + 1, Y: middle}, strconv.Itoa(count))
	case room >= roomForMark:
		l.Put(c, at)
	}
}

// tint is a color that lets so much of the page through that text on it is read.
func tint(c color.Color, share float64) color.NRGBA {
	solid := color.NRGBAModel.Convert(c).(color.NRGBA)
	solid.A = uint8(255*share + 0.5)
	return solid
}

func (l ladder) alt() string {
	var bars []string
	for _, m := range l.Methods {
		var parts []string
		for _, w := range m.Words {
			if w.Count > 0 {
				parts = append(parts, fmt.Sprintf("%d %s", w.Count, w.Word))
			}
		}
		bars = append(bars, fmt.Sprintf("%s: %s.", chart.Short(published.MethodName(m.Method), 30), strings.Join(parts, "; ")))
	}
	return words.Join(" ", slices.Concat([]string{
		fmt.Sprintf("%s, one for each method, with a part for each verdict on its printed numbers, %d in all.", words.Counted(len(l.Methods), "bar"), l.Numbers),
		"Discs, rings and squares mark numbers that the stated protocol, its ties or an open setting gives. Diamonds mark those of choice on the test samples, " +
			"triangles and upright crosses those that no protocol gives.",
	}, bars)...)
}

// rungLooks are those of the rungs from the stated protocol on.
var rungLooks = map[int]chart.Look{
	int(verdict.Stated):     {Color: chart.Blue, Mark: chart.Square},
	int(verdict.Tied):       {Color: chart.Blue, Mark: chart.Ring, Dashes: chart.Dotted},
	int(verdict.Open):       {Color: chart.Blue, Mark: chart.OpenSquare, Dashes: chart.Dashed},
	int(verdict.OnTest):     {Color: chart.Purple, Mark: chart.Diamond},
	int(verdict.OpenOnTest): {Color: chart.Purple, Mark: chart.OpenDiamond, Dashes: chart.Dashed},
}

// wholeSize is the class of all data sets.
const wholeSize = "all"

// Placebo draws for every method what share of its printed numbers each rung
// reaches by itself, at 0, and of decoys so many points away.
func Placebo(p verdict.Placebo) ([]chart.Figure, error) {
	s := placeboSheet{}
	for _, r := range p.Rungs {
		s.add(r)
	}
	if len(s.methods) == 0 {
		return nil, nil
	}
	csv, err := chart.EncodeCSV([]string{"method", "size", "rung", "protocol", "distance", "reached", "of", "explains"}, s.lines)
	if err != nil {
		return nil, err
	}
	var legend []chart.Entry
	for _, r := range verdict.Rungs()[verdict.Stated:] {
		if slices.Contains(s.rungs, int(r)) {
			legend = append(legend, chart.Entry{Look: rungLooks[int(r)], Text: r.Word()})
		}
	}
	var panels []*plot.Plot
	for _, method := range s.methods {
		panels = append(panels, s.panel(method, len(panels)%placeboColumns == 0))
	}
	sheet := chart.Sheet{Legend: legend, Columns: placeboColumns, Height: 132, Lines: 1, Panels: panels}
	f, err := sheet.Figure("placebo", "Printed numbers and decoys that each protocol reaches", s.alt(), csv)
	f.See = s.see()
	return []chart.Figure{f}, err
}

const placeboColumns = 3

// A placeboSheet collects the figure; its panels are of all data sets.
type placeboSheet struct {
	methods []string
	rungs   []int // of the panels, in any order
	drawn   []verdict.RungPlacebo
	lines   [][]string // of the CSV, of all classes of sizes
	said    []string
	empty   []string // protocols that explain nothing
}

func (s *placeboSheet) add(r verdict.RungPlacebo) {
	line := func(distance string, share verdict.Share) {
		s.lines = append(s.lines, []string{
			r.Method, r.Size, strconv.Itoa(r.Rung), verdict.Rung(r.Rung).Word(), distance, strconv.Itoa(share.Reached), strconv.Itoa(share.Of),
			strconv.FormatBool(r.Explains),
		})
	}
	line("0", r.Printed)
	for _, m := range r.Moved {
		line(chart.Number(m.Points), m.Share)
	}
	line("another row", r.Rows)
	if r.Size != wholeSize {
		return
	}
	place(&s.methods, r.Method)
	s.rungs = append(s.rungs, r.Rung)
	s.drawn = append(s.drawn, r)
	name := fmt.Sprintf("%s, %s", chart.Short(published.MethodName(r.Method), 30), verdict.Rung(r.Rung).Word())
	var decoys []string
	for _, m := range r.Moved {
		decoys = append(decoys, fmt.Sprintf("%.0f %% at %g", 100*m.Fraction(), m.Points))
	}
	s.said = append(s.said, fmt.Sprintf("%s: %d of %d printed numbers, %.0f %%; decoys %s.",
		name, r.Printed.Reached, r.Printed.Of, 100*r.Printed.Fraction(), strings.Join(decoys, ", ")))
	if !r.Explains {
		s.empty = append(s.empty, name)
	}
}

// see says how far the stated protocol tells printed numbers from decoys, and how many
// protocols do not.
func (s *placeboSheet) see() string {
	var printed, nearest verdict.Share
	points := 0.0
	for _, r := range s.drawn {
		if r.Rung != int(verdict.Stated) || len(r.Moved) == 0 {
			continue
		}
		printed.Reached, printed.Of = printed.Reached+r.Printed.Reached, printed.Of+r.Printed.Of
		nearest.Reached, nearest.Of = nearest.Reached+r.Moved[0].Reached, nearest.Of+r.Moved[0].Of
		points = r.Moved[0].Points
	}
	say := "A protocol that explains a column falls steeply from 0, its printed numbers."
	if printed.Of > 0 {
		say += fmt.Sprintf(" The stated one reaches %d of %d printed numbers (%.0f %%) and %d of %d decoys %g points away (%.0f %%).",
			printed.Reached, printed.Of, 100*printed.Fraction(), nearest.Reached, nearest.Of, points, 100*nearest.Fraction())
	}
	if n := len(s.empty); n > 0 {
		say += fmt.Sprintf(" Too flat to explain anything: %d of %s.", n, words.Counted(len(s.drawn), "curve"))
	}
	return say
}

// panel is that of a method; the first of a row names the axis.
func (s *placeboSheet) panel(method string, first bool) *plot.Plot {
	p := chart.NewPanel(chart.Fit(published.MethodName(method), chart.HeadingStyle(), chart.NarrowRoom))
	p.X.Tick.Marker = plot.ConstantTicks{chart.TickAt(0)}
	for _, r := range s.drawn {
		if r.Method != method {
			continue
		}
		c := chart.Curve{Look: rungLooks[r.Rung], Points: []chart.Point{{X: 0, Y: 100 * r.Printed.Fraction(), Say: saidOf(r, "printed numbers", r.Printed)}}}
		ticks := plot.ConstantTicks{chart.TickAt(0)}
		for _, m := range r.Moved {
			c.Points = append(c.Points, chart.Point{X: m.Points, Y: 100 * m.Fraction(), Say: saidOf(r, fmt.Sprintf("decoys %g points away", m.Points), m.Share)})
			ticks = append(ticks, chart.TickAt(m.Points))
		}
		p.X.Tick.Marker = ticks
		chart.AddCurve(p, c)
	}
	chart.Settle(&p.X)
	p.Y.Min, p.Y.Max = -6, 106
	p.Y.Tick.Marker = chart.CountTicks([]int{0, 50, 100})
	p.X.Label.Text = "points away"
	if first {
		p.Y.Label.Text = "reached, %"
	}
	return p
}

// saidOf says what share of something a rung reaches.
func saidOf(r verdict.RungPlacebo, what string, share verdict.Share) string {
	return fmt.Sprintf("%s, %s: %d of %d %s, %.0f %%",
		published.MethodName(r.Method), verdict.Rung(r.Rung).Word(), share.Reached, share.Of, what, 100*share.Fraction())
}

func (s *placeboSheet) alt() string {
	empty := "Each protocol reaches printed numbers clearly more often than decoys."
	if len(s.empty) > 0 {
		empty = "It explains nothing where decoys 4 points away are reached nearly as often: " + strings.Join(s.empty, "; ") + "."
	}
	return words.Join(" ", slices.Concat([]string{
		fmt.Sprintf("%s, one for each method: the share of its printed numbers that a protocol by itself reaches, at 0, "+
			"and of decoys moved by 2, 4 and 8 points. A curve that falls tells them apart.", words.Counted(len(s.methods), "panel")),
	}, s.said, []string{empty})...)
}
