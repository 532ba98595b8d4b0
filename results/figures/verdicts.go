package figures

import (
	"errors"
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
	"r2lmlbench/results/published"
	"r2lmlbench/results/verdict"
)

// verdictLooks has a mark for every verdict, in the order of the legend. The color
// tells families apart: parameters chosen as stated, on the test samples, none.
var verdictLooks = []struct {
	verdict string
	chart.Look
}{
	{verdict.Equal.Word(), chart.Look{Color: chart.Blue, Mark: chart.Disc, Bare: true}},
	{verdict.Stated.Word(), chart.Look{Color: chart.Blue, Mark: chart.Square, Bare: true}},
	{verdict.Tied.Word(), chart.Look{Color: chart.Blue, Mark: chart.Ring, Bare: true}},
	{verdict.Open.Word(), chart.Look{Color: chart.Blue, Mark: chart.OpenSquare, Bare: true}},
	{verdict.OnTest.Word(), chart.Look{Color: chart.Purple, Mark: chart.Diamond, Bare: true}},
	{verdict.OpenOnTest.Word(), chart.Look{Color: chart.Purple, Mark: chart.OpenDiamond, Bare: true}},
	{verdict.Above, chart.Look{Color: chart.Vermillion, Mark: chart.Triangle, Bare: true}},
	{verdict.Between, chart.Look{Color: chart.Vermillion, Mark: chart.Plus, Bare: true}},
	{verdict.Below, chart.Look{Color: chart.Vermillion, Mark: chart.PointDown, Bare: true}},
	{verdict.Untested, chart.Look{Color: chart.Ink, Mark: chart.Cross, Bare: true}},
}

// The other things in a strip.
var (
	rangeLook  = chart.Look{Color: chart.Ink}
	marginLook = chart.Look{Color: chart.Faint, Mark: chart.Swatch{}, Bare: true}
)

// lookOf is that of a verdict's word.
func lookOf(word string) chart.Look {
	for _, known := range verdictLooks {
		if known.verdict == word {
			return known.Look
		}
	}
	return chart.Look{Color: chart.Ink, Mark: chart.Cross, Bare: true}
}

// stripLimit is the largest difference that a strip shows to scale, in points.
const stripLimit = 10.0

// Verdicts draws a strip for every published number, a row for each data set and
// a column for each method: our accuracy and the range of the runs that the verdict
// rests on, as differences from the published value, which stands in the middle of
// its margin. names are those of data sets by id; others go by it. The error is that of a
// text that is no number.
func Verdicts(v verdict.Verdicts, names map[string]string) ([]chart.Figure, error) {
	m, err := newMatrix(v, names)
	if err != nil || len(m.strips) == 0 {
		return nil, err
	}
	csv, err := m.csv()
	if err != nil {
		return nil, err
	}
	f, err := chart.NewFigure("verdicts", "Published accuracies against ours", m.alt(), csv, m.height(), m.draw)
	f.See = m.see()
	return []chart.Figure{f}, err
}

// A matrix has the strips by row and column.
type matrix struct {
	rows, columns []string // letters and data sets, methods
	strips        []strip
}

// A strip is one published number. Ours, low and high are differences from it in
// points, NaN where there is none; limit is its margin.
type strip struct {
	verdict.Verdict
	row, column            int
	ours, low, high, limit float64
}

func newMatrix(v verdict.Verdicts, names map[string]string) (matrix, error) {
	var m matrix
	for _, one := range v.Verdicts {
		s, err := newStrip(one)
		if err != nil {
			return m, fmt.Errorf("figures: verdict %s/%s: %w", one.Letter, one.Method, err)
		}
		s.row = place(&m.rows, setTitle(one, names))
		s.column = place(&m.columns, one.Method)
		m.strips = append(m.strips, s)
	}
	return m, nil
}

// see counts the marks inside their bands and those with an arrow.
func (m matrix) see() string {
	inside, far, cut := 0, 0, 0
	for _, s := range m.strips {
		inside += one(math.Abs(s.ours) <= s.limit+1e-9)
		far += one(math.Abs(s.ours) > stripLimit)
		cut += one(s.cut())
	}
	say := fmt.Sprintf("Our accuracy is a mark: %d of %d are inside the grey band, the margin of the printed value, "+
		"and %d, with an arrow, are more than %g points away. A bar is the range of all runs of the protocol that the verdict rests on.",
		inside, len(m.strips), far, stripLimit)
	switch cut {
	case 0:
		return say
	case 1:
		return say + " The 1 bar that ends in an arrow goes on beyond it."
	}
	return say + fmt.Sprintf(" The %d bars that end in an arrow go on beyond it.", cut)
}

// place is the index of an item in a list, to which it is added when new.
func place(list *[]string, item string) int {
	i := slices.Index(*list, item)
	if i < 0 {
		i = len(*list)
		*list = append(*list, item)
	}
	return i
}

func newStrip(v verdict.Verdict) (strip, error) {
	s := strip{Verdict: v, ours: math.NaN(), low: math.NaN(), high: math.NaN()}
	published, err := percent(v.Published)
	if err != nil {
		return s, err
	}
	if s.limit, err = percent(v.Limit); err != nil {
		return s, err
	}
	if v.Ours != "" {
		ours, err := percent(v.Ours)
		if err != nil {
			return s, err
		}
		s.ours = ours - published
	}
	if len(v.Range) == 2 {
		low, err1 := percent(v.Range[0])
		high, err2 := percent(v.Range[1])
		s.low, s.high = low-published, high-published
		return s, errors.Join(err1, err2)
	}
	return s, nil
}

// percent reads a finite number.
func percent(s string) (float64, error) {
	value, err := strconv.ParseFloat(s, 64)
	if err == nil && !chart.Finite(value) {
		err = fmt.Errorf("%q is not finite", s)
	}
	return value, err
}

// Places of the matrix.
const (
	stripHeight vg.Length = 20
	stripHead   vg.Length = 36 // two levels of column names
	stripFoot   vg.Length = 28
	stripSide   vg.Length = 134
)

func (m matrix) legend() []chart.Entry {
	var all []chart.Entry
	for _, l := range verdictLooks {
		if m.count(l.verdict) > 0 {
			all = append(all, chart.Entry{Look: l.Look, Text: l.verdict})
		}
	}
	return append(all, chart.Entry{Look: rangeLook, Text: "range of the runs"}, chart.Entry{Look: marginLook, Text: "margin"})
}

func (m matrix) count(v string) int {
	n := 0
	for _, s := range m.strips {
		if s.Word() == v {
			n++
		}
	}
	return n
}

func (m matrix) height() vg.Length {
	return chart.LegendHeight(m.legend()) + stripHead + vg.Length(len(m.rows))*stripHeight + stripFoot
}

func (m matrix) draw(c draw.Canvas) {
	chart.DrawLegend(c, m.legend())
	top := c.Max.Y - chart.LegendHeight(m.legend()) - stripHead
	bottom := top - vg.Length(len(m.rows))*stripHeight
	side := c.Min.X + stripSide
	wide := (c.Max.X - 2 - side) / vg.Length(len(m.columns))
	label := chart.Writing(chart.TextSize, text.XRight, text.YCenter)
	for i, name := range m.rows {
		y := top - (vg.Length(i)+0.5)*stripHeight
		c.FillText(label, vg.Point{X: side - 8, Y: y}, chart.Fit(name, label, stripSide-10))
	}
	for j, name := range m.columns {
		x := side + (vg.Length(j)+0.5)*wide
		level := vg.Length(j%2) * 15
		c.FillText(chart.HeadingStyle(), vg.Point{X: x, Y: top + 4 + level},
			chart.Fit(published.MethodName(name), chart.HeadingStyle(), min(1.3*wide, chart.NarrowRoom)))
		c.StrokeLine2(chart.Thin(chart.Ink), x, top, x, bottom)
		for _, value := range []float64{-stripLimit, 0, stripLimit} {
			tick := x + along(value, wide)
			c.StrokeLine2(chart.Thin(chart.Ink), tick, bottom, tick, bottom-5)
		}
	}
	c.FillText(chart.Writing(chart.TextSize, text.XCenter, text.YBottom), vg.Point{X: (side + c.Max.X) / 2, Y: c.Min.Y + 4},
		fmt.Sprintf("ours minus published, points; ticks at −%g, 0 and +%[1]g", stripLimit))
	for _, s := range m.strips {
		box := draw.Crop(c, 0, 0, 0, 0)
		box.Min = vg.Point{X: side + vg.Length(s.column)*wide, Y: top - vg.Length(s.row+1)*stripHeight}
		box.Max = vg.Point{X: box.Min.X + wide, Y: box.Min.Y + stripHeight}
		chart.Titled(c, squareTitle(m.rows[s.row], s.Verdict), func() { s.draw(box) })
	}
}

// stripEdge is the largest difference that has a place in a strip, just beyond the limit.
const stripEdge = 1.12 * stripLimit

// along is how far from the middle of a strip a difference stands.
func along(difference float64, wide vg.Length) vg.Length {
	return vg.Length(max(-stripEdge, min(stripEdge, difference))/stripLimit) * 0.32 * wide
}

// cut tells whether the range has an end outside the strip.
func (s strip) cut() bool { return s.low < s.high && max(-s.low, s.high) > stripEdge }

// drawEnd ends a bar at a difference: with a cap, or with an arrow where the range goes on.
func drawEnd(c draw.Canvas, style draw.LineStyle, at vg.Point, difference float64) {
	if math.Abs(difference) <= stripEdge {
		c.StrokeLine2(style, at.X, at.Y-3, at.X, at.Y+3)
		return
	}
	away := vg.Length(math.Copysign(1, difference))
	c.StrokeLine2(style, at.X, at.Y, at.X+arrowTip*away, at.Y)
	drawArrow(c, style, at, away)
}

// arrowTip is how far from the place of a mark the tip of its arrow is.
const arrowTip = 6

// drawArrow draws an arrowhead beside a mark, to the right, or to the left where away is -1.
func drawArrow(c draw.Canvas, style draw.LineStyle, at vg.Point, away vg.Length) {
	c.StrokeLines(style, []vg.Point{{X: at.X + 4*away, Y: at.Y + 3}, {X: at.X + arrowTip*away, Y: at.Y}, {X: at.X + 4*away, Y: at.Y - 3}})
}

func (s strip) draw(c draw.Canvas) {
	middle, wide := c.Center(), c.Max.X-c.Min.X
	c.StrokeLine2(chart.Thin(chart.Faint), c.Min.X+2, c.Min.Y, c.Max.X-2, c.Min.Y)
	limit := along(s.limit, wide)
	c.FillPolygon(chart.Faint, chart.Rectangle(middle.X-limit, c.Min.Y+3, middle.X+limit, c.Max.Y-3))
	l := lookOf(s.Word())
	if s.low < s.high {
		low, high := middle.X+along(s.low, wide), middle.X+along(s.high, wide)
		style := draw.LineStyle{Color: l.Color, Width: chart.LineWidth}
		c.StrokeLine2(style, low, middle.Y, high, middle.Y)
		drawEnd(c, style, vg.Point{X: low, Y: middle.Y}, s.low)
		drawEnd(c, style, vg.Point{X: high, Y: middle.Y}, s.high)
	}
	if math.IsNaN(s.ours) {
		l.Put(c, middle)
		return
	}
	at := vg.Point{X: middle.X + along(s.ours, wide), Y: middle.Y}
	l.Put(c, at)
	if math.Abs(s.ours) > stripLimit {
		drawArrow(c, chart.Thin(l.Color), at, vg.Length(math.Copysign(1, s.ours)))
	}
}

func (m matrix) csv() ([]byte, error) {
	var lines [][]string
	for _, s := range m.strips {
		low, high, rung, samples := "", "", "", ""
		if len(s.Range) == 2 {
			low, high = s.Range[0], s.Range[1]
		}
		if s.Rung != nil {
			rung = strconv.Itoa(*s.Rung)
		}
		if s.Samples != nil {
			samples = strconv.Itoa(*s.Samples)
		}
		lines = append(lines, []string{
			s.Letter, s.Dataset, s.Method, s.Published, s.Ours, s.Difference, samples, s.Verdict.Verdict, rung, s.Setting, low, high, strconv.Itoa(s.Runs),
			s.Limit, s.Gap, strconv.FormatBool(s.Constant), strconv.FormatBool(s.Unreachable),
		})
	}
	return chart.EncodeCSV([]string{
		"letter", "dataset", "method", "published", "ours", "difference", "samples", "verdict", "rung", "setting", "low", "high", "runs",
		"margin", "gap", "constant", "unreachable",
	}, lines)
}

func (m matrix) alt() string {
	var counts []string
	where := map[string][]string{}
	ranges, wide, far, cut, unreachable := 0, 0, 0, 0, 0
	for _, s := range m.strips {
		where[s.Word()] = append(where[s.Word()], chart.Short(s.Letter+"/"+s.Method, 30))
		ranges += one(s.low < s.high)
		wide += one(s.high-s.low > stripLimit)
		far += one(math.Abs(s.ours) > stripLimit)
		cut += one(s.cut())
		unreachable += one(s.Unreachable)
	}
	outside := ""
	for _, l := range verdictLooks {
		if n := m.count(l.verdict); n > 0 {
			counts = append(counts, fmt.Sprintf("%d %s", n, l.verdict))
		}
	}
	for _, word := range []string{verdict.Above, verdict.Between, verdict.Below} {
		if len(where[word]) > 0 {
			outside = words.Join(" ", outside, fmt.Sprintf("The word is %q for %s.", word, words.Series(where[word])))
		}
	}
	return words.Join(" ",
		fmt.Sprintf("A grid of %s, %s by %s, with a strip for each published accuracy.",
			words.Counted(len(m.strips), "strip"), words.Counted(len(m.rows), "data set"), words.Counted(len(m.columns), "method")),
		"In each the published value is in the middle of a band as wide as its margin, and our accuracy is a mark at its difference in points, left if lower; "+
			"a bar is the range of the runs that the verdict rests on.",
		"Marks differ by verdict: "+strings.Join(counts, "; ")+".",
		outside,
		fmt.Sprintf("%s a range, wider than %g points for %d. %d marks are more than %[2]g points away and stand at the edge with an arrow, "+
			"and %[5]d printed values are unreachable. An end of %[6]d ranges is farther away than the strip shows and is an arrow, too.",
			hasHave(ranges, "strip"), stripLimit, wide, far, unreachable, cut))
}

func one(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

// hasHave is "1 strip has" or "2 strips have".
func hasHave(n int, noun string) string {
	if n == 1 {
		return "1 " + noun + " has"
	}
	return words.Counted(n, noun) + " have"
}
