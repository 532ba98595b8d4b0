package figures

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	words "r2lmlbench/internal/text" // text is that of gonum.org/v1/plot
	"r2lmlbench/results/published"
	"r2lmlbench/results/verdict"
)

// verdictLooks has a mark for every verdict, in the order of the legend.
var verdictLooks = []struct {
	verdict string
	look
}{
	{verdict.Equal.Word(), look{color: blue, mark: disc, bare: true}},
	{verdict.Stated.Word(), look{color: blue, mark: square, bare: true}},
	{verdict.Tied.Word(), look{color: blue, mark: ring, bare: true}},
	{verdict.Open.Word(), look{color: blue, mark: openSquare, bare: true}},
	{verdict.OnTest.Word(), look{color: purple, mark: disc, bare: true}},
	{verdict.OpenOnTest.Word(), look{color: purple, mark: square, bare: true}},
	{verdict.Above, look{color: vermillion, mark: triangle, bare: true}},
	{verdict.Between, look{color: vermillion, mark: ring, bare: true}},
	{verdict.Below, look{color: vermillion, mark: pointDown, bare: true}},
	{verdict.Untested, look{color: ink, mark: cross, bare: true}},
}

// stripLimit is the largest difference that a strip shows to scale, in points.
const stripLimit = 10.0

// Verdicts draws a strip for every published number, a row for each data set and
// a column for each method: our accuracy, or the mean and the interval of our
// runs, as a difference from the published value, which stands in the middle.
// The error is that of a text that is no number.
func Verdicts(v verdict.Verdicts) ([]Figure, error) {
	m, err := newMatrix(v)
	if err != nil || len(m.strips) == 0 {
		return nil, err
	}
	csv, err := m.csv()
	if err != nil {
		return nil, err
	}
	f, err := newFigure("verdicts", "Published accuracies against ours", m.alt(), csv, m.height(), m.draw)
	return []Figure{f}, err
}

// A matrix has the strips by row and column.
type matrix struct {
	rows, columns []string // letters and data sets, methods
	strips        []strip
}

// A strip is one published number. Ours, low and high are differences from it in
// points, NaN where there is none.
type strip struct {
	verdict.Verdict
	row, column     int
	ours, low, high float64
}

func newMatrix(v verdict.Verdicts) (matrix, error) {
	var m matrix
	for _, one := range v.Verdicts {
		s, err := newStrip(one)
		if err != nil {
			return m, fmt.Errorf("figures: verdict %s/%s: %w", one.Letter, one.Method, err)
		}
		s.row = place(&m.rows, strings.TrimSpace(one.Letter+" "+one.Dataset))
		s.column = place(&m.columns, one.Method)
		m.strips = append(m.strips, s)
	}
	return m, nil
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
	s := strip{Verdict: v, low: math.NaN(), high: math.NaN()}
	published, err := percent(v.Published)
	if err != nil {
		return s, err
	}
	ours := v.Ours
	if len(v.Range) == 2 {
		if s.low, err = percent(v.Range[0]); err != nil {
			return s, err
		}
		if s.high, err = percent(v.Range[1]); err != nil {
			return s, err
		}
		s.low, s.high = s.low-published, s.high-published
	}
	if ours == "" {
		s.ours = math.NaN()
		return s, nil
	}
	value, err := percent(ours)
	s.ours = value - published
	return s, err
}

// percent reads a finite number.
func percent(s string) (float64, error) {
	value, err := strconv.ParseFloat(s, 64)
	if err == nil && !finite(value) {
		err = fmt.Errorf("%q is not finite", s)
	}
	return value, err
}

// Places of the matrix.
const (
	stripHeight vg.Length = 20
	stripHead   vg.Length = 36 // two levels of column names
	stripFoot   vg.Length = 28
	stripSide   vg.Length = 104
)

func (m matrix) legend() []entry {
	var all []entry
	for _, l := range verdictLooks {
		if m.count(l.verdict) > 0 {
			all = append(all, entry{look: l.look, text: l.verdict})
		}
	}
	return all
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
	return legendHeight(m.legend()) + stripHead + vg.Length(len(m.rows))*stripHeight + stripFoot
}

func (m matrix) draw(c draw.Canvas) {
	drawLegend(c, m.legend())
	top := c.Max.Y - legendHeight(m.legend()) - stripHead
	bottom := top - vg.Length(len(m.rows))*stripHeight
	side := c.Min.X + stripSide
	wide := (c.Max.X - 2 - side) / vg.Length(len(m.columns))
	label := writing(textSize, text.XRight, text.YCenter)
	for i, name := range m.rows {
		y := top - (vg.Length(i)+0.5)*stripHeight
		c.FillText(label, vg.Point{X: side - 8, Y: y}, fit(name, label, stripSide-10))
	}
	for j, name := range m.columns {
		x := side + (vg.Length(j)+0.5)*wide
		level := vg.Length(j%2) * 15
		c.FillText(headingStyle(), vg.Point{X: x, Y: top + 4 + level}, fit(published.MethodName(name), headingStyle(), min(1.3*wide, narrowRoom)))
		c.StrokeLine2(thin(ink), x, top, x, bottom)
		for _, value := range []float64{-stripLimit, 0, stripLimit} {
			tick := x + along(value, wide)
			c.StrokeLine2(thin(ink), tick, bottom, tick, bottom-5)
		}
	}
	c.FillText(writing(textSize, text.XCenter, text.YBottom), vg.Point{X: (side + c.Max.X) / 2, Y: c.Min.Y + 4},
		fmt.Sprintf("ours minus published, points; ticks at -%g, 0 and +%[1]g", stripLimit))
	for _, s := range m.strips {
		box := draw.Crop(c, 0, 0, 0, 0)
		box.Min = vg.Point{X: side + vg.Length(s.column)*wide, Y: top - vg.Length(s.row+1)*stripHeight}
		box.Max = vg.Point{X: box.Min.X + wide, Y: box.Min.Y + stripHeight}
		s.draw(box)
	}
}

// along is how far from the middle of a strip a difference stands; at most just
// beyond the limit.
func along(difference float64, wide vg.Length) vg.Length {
	const beyond = 1.12
	return vg.Length(max(-beyond, min(beyond, difference/stripLimit))) * 0.32 * wide
}

func (s strip) draw(c draw.Canvas) {
	middle, wide := c.Center(), c.Max.X-c.Min.X
	c.StrokeLine2(thin(faint), c.Min.X+2, c.Min.Y, c.Max.X-2, c.Min.Y)
	l := look{color: ink, mark: cross}
	for _, known := range verdictLooks {
		if known.verdict == s.Word() {
			l = known.look
		}
	}
	if s.low < s.high {
		low, high := middle.X+along(s.low, wide), middle.X+along(s.high, wide)
		style := draw.LineStyle{Color: l.color, Width: lineWidth}
		c.StrokeLine2(style, low, middle.Y, high, middle.Y)
		c.StrokeLine2(style, low, middle.Y-3, low, middle.Y+3)
		c.StrokeLine2(style, high, middle.Y-3, high, middle.Y+3)
	}
	if math.IsNaN(s.ours) {
		l.put(c, middle)
		return
	}
	at := vg.Point{X: middle.X + along(s.ours, wide), Y: middle.Y}
	l.put(c, at)
	if math.Abs(s.ours) > stripLimit {
		away := vg.Length(math.Copysign(1, s.ours))
		c.StrokeLines(thin(l.color), []vg.Point{{X: at.X + 4.5*away, Y: at.Y + 3}, {X: at.X + 7*away, Y: at.Y}, {X: at.X + 4.5*away, Y: at.Y - 3}})
	}
}

func (m matrix) csv() ([]byte, error) {
	var lines [][]string
	for _, s := range m.strips {
		low, high := "", ""
		if len(s.Range) == 2 {
			low, high = s.Range[0], s.Range[1]
		}
		lines = append(lines, []string{
			s.Letter, s.Dataset, s.Method, s.Published, s.Ours, low, high,
			strconv.Itoa(s.Runs), s.Verdict.Verdict, s.Setting, strconv.FormatBool(s.Unreachable),
		})
	}
	return encodeCSV([]string{"letter", "dataset", "method", "published", "ours", "low", "high", "runs", "verdict", "setting", "unreachable"}, lines)
}

func (m matrix) alt() string {
	var counts, ahead, behind []string
	for _, l := range verdictLooks {
		counts = append(counts, fmt.Sprintf("%d %s", m.count(l.verdict), l.verdict))
	}
	intervals, far, unreachable := 0, 0, 0
	for _, s := range m.strips {
		where := short(s.Letter+"/"+s.Method, 30)
		if s.low < s.high {
			intervals++
		}
		if math.Abs(s.ours) > stripLimit {
			far++
		}
		if s.Unreachable {
			unreachable++
		}
		switch s.Word() {
		case verdict.Below:
			ahead = append(ahead, where)
		case verdict.Above:
			behind = append(behind, where)
		}
	}
	outside := ""
	for _, one := range []struct {
		verdict string
		where   []string
	}{{verdict.Below, ahead}, {verdict.Above, behind}} {
		if len(one.where) > 0 {
			outside = words.Join(" ", outside, fmt.Sprintf("The word is %q for %s.", one.verdict, words.Series(one.where)))
		}
	}
	return words.Join(" ",
		fmt.Sprintf("A grid of %s, %s by %s, with a strip for each published accuracy.",
			words.Counted(len(m.strips), "strip"), words.Counted(len(m.rows), "data set"), words.Counted(len(m.columns), "method")),
		"In each the published value is the vertical line in the middle and our accuracy a mark at its difference in points, left if lower; "+
			"a bar is the range of the runs that the verdict rests on.",
		"Marks differ by verdict: "+words.Series(counts)+".",
		outside,
		fmt.Sprintf("%s a range, %d are more than %g points away and stand at the edge with an arrow, and %d printed values are unreachable.",
			hasHave(intervals, "strip"), far, stripLimit, unreachable))
}

// hasHave is "1 strip has" or "2 strips have".
func hasHave(n int, noun string) string {
	if n == 1 {
		return "1 " + noun + " has"
	}
	return words.Counted(n, noun) + " have"
}
