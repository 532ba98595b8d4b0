package chart

import (
	"fmt"
	"html"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A Sheet is a figure of panels in rows under one legend.
type Sheet struct {
	Legend  []Entry
	Columns int          // at most
	Height  vg.Length    // of a row of panels, with its headings
	Lines   int          // of a heading
	Panels  []*plot.Plot // row by row
	Equal   bool         // a unit of x is as long as one of y; axes become longer for that
}

// Room for a heading where there are three panels in a row, or two.
const (
	NarrowRoom vg.Length = 145
	WideRoom   vg.Length = 225
)

// An Entry of a legend.
type Entry struct {
	Look
	Text  string
	First bool // starts a new line
}

// Figure draws the sheet, in fewer columns where there are fewer panels.
func (s Sheet) Figure(name, title, alt string, csv []byte) (Figure, error) {
	s.Columns = min(s.Columns, len(s.Panels))
	rows := (len(s.Panels) + s.Columns - 1) / s.Columns
	key := LegendHeight(s.Legend)
	return NewFigure(name, title, alt, csv, key+vg.Length(rows)*s.Height, func(c draw.Canvas) {
		DrawLegend(c, s.Legend)
		s.drawPanels(draw.Crop(c, 0, 0, 0, -key), rows)
	})
}

// drawPanels draws the panels so that their data areas line up.
func (s Sheet) drawPanels(c draw.Canvas, rows int) {
	all := make([][]*plot.Plot, rows)
	for i := range all {
		all[i] = make([]*plot.Plot, s.Columns)
		copy(all[i], s.Panels[i*s.Columns:min((i+1)*s.Columns, len(s.Panels))])
	}
	above := vg.Length(s.Lines)*TextSize + 12
	tiles := draw.Tiles{Rows: rows, Cols: s.Columns, PadX: 10, PadY: above + 6, PadLeft: 2, PadRight: 8, PadTop: above, PadBottom: 4}
	places := align(all, tiles, c)
	for i := 0; s.Equal && i < alignRounds; i++ { // longer axes may have wider labels
		for j, row := range all {
			for k, p := range row {
				if p != nil {
					equalise(p, places[j][k])
				}
			}
		}
		places = align(all, tiles, c)
	}
	for i, row := range all {
		for j, p := range row {
			if p != nil {
				p.Draw(places[i][j])
			}
		}
	}
}

// equalise makes the axis longer that has more room than its range takes.
func equalise(p *plot.Plot, c draw.Canvas) {
	size := p.DataCanvas(c).Size()
	unitX, unitY := (p.X.Max-p.X.Min)/float64(size.X), (p.Y.Max-p.Y.Min)/float64(size.Y)
	if !Finite(unitX) || !Finite(unitY) {
		return
	}
	widen := func(a *plot.Axis, to float64) {
		middle := a.Min + (a.Max-a.Min)/2
		a.Min, a.Max = middle-to/2, middle+to/2
	}
	unit := max(unitX, unitY)
	widen(&p.X, unit*float64(size.X))
	widen(&p.Y, unit*float64(size.Y))
}

// insets are what a panel needs around its data area.
type insets struct{ left, right, bottom, top vg.Length }

// alignRounds is how often insets are measured: they change with the size of a
// panel, by far less than the size does.
const alignRounds = 4

// align returns canvases for panels, of which some may be nil, so that their data areas
// are of one size and line up. plot.Align does so with insets as they are before.
func align(panels [][]*plot.Plot, t draw.Tiles, c draw.Canvas) [][]draw.Canvas {
	places := make([][]draw.Canvas, t.Rows)
	for j := range places {
		places[j] = make([]draw.Canvas, t.Cols)
		for i := range places[j] {
			places[j][i] = t.At(c, i, j)
		}
	}
	for range alignRounds {
		columns, rows := make([]insets, t.Cols), make([]insets, t.Rows)
		for j, row := range panels {
			for i, p := range row {
				if p != nil {
					m := insetsOf(p, places[j][i])
					columns[i], rows[j] = columns[i].over(m), rows[j].over(m)
				}
			}
		}
		even(rows, panels)
		lineUp(places, panels, columns, rows, t, c)
	}
	return places
}

// even gives all rows the same room above, and the same below as other rows that name, or do not
// name, their axis.
func even(rows []insets, panels [][]*plot.Plot) {
	names := func(row []*plot.Plot) bool {
		return slices.ContainsFunc(row, func(p *plot.Plot) bool { return p != nil && p.X.Label.Text != "" })
	}
	top, bottom := vg.Length(0), map[bool]vg.Length{}
	for i, m := range rows {
		named := names(panels[i])
		top, bottom[named] = max(top, m.top), max(bottom[named], m.bottom)
	}
	for i := range rows {
		rows[i].top, rows[i].bottom = top, bottom[names(panels[i])]
	}
}

func insetsOf(p *plot.Plot, c draw.Canvas) insets {
	d := p.DataCanvas(c)
	return insets{d.Min.X - c.Min.X, c.Max.X - d.Max.X, d.Min.Y - c.Min.Y, c.Max.Y - d.Max.Y}
}

// over returns the larger insets of two.
func (m insets) over(n insets) insets {
	return insets{max(m.left, n.left), max(m.right, n.right), max(m.bottom, n.bottom), max(m.top, n.top)}
}

// lineUp divides what the insets of columns and rows leave of a canvas into equal data
// areas, and adds its own insets to that of each panel.
func lineUp(places [][]draw.Canvas, panels [][]*plot.Plot, columns, rows []insets, t draw.Tiles, c draw.Canvas) {
	size := c.Size()
	size.X -= t.PadLeft + t.PadRight + vg.Length(t.Cols-1)*t.PadX
	size.Y -= t.PadTop + t.PadBottom + vg.Length(t.Rows-1)*t.PadY
	for _, m := range columns {
		size.X -= m.left + m.right
	}
	for _, m := range rows {
		size.Y -= m.bottom + m.top
	}
	size = vg.Point{X: size.X / vg.Length(t.Cols), Y: size.Y / vg.Length(t.Rows)}
	y := c.Max.Y - t.PadTop
	for j, row := range panels {
		y -= rows[j].top + size.Y
		x := c.Min.X + t.PadLeft
		for i, p := range row {
			x += columns[i].left
			if p != nil {
				m := insetsOf(p, places[j][i])
				places[j][i].Min = vg.Point{X: x - m.left, Y: y - m.bottom}
				places[j][i].Max = vg.Point{X: x + size.X + m.right, Y: y + size.Y + m.top}
			}
			x += size.X + columns[i].right + t.PadX
		}
		y -= rows[j].bottom + t.PadY
	}
}

// Sizes of a legend: a line of it, the sample of a look, that of a mark alone, and
// the spaces after the sample and the text.
const (
	legendLine   vg.Length = 18
	sampleLength vg.Length = 28
	bareLength   vg.Length = 10
	sampleGap    vg.Length = 5
	entryGap     vg.Length = 14
)

// sample is how long what shows the look is.
func (e Entry) sample() vg.Length {
	switch e.Mark.(type) {
	case polygon, spokes, wedges, half:
		if e.Bare {
			return bareLength
		}
	}
	return sampleLength
}

// arrange returns where each entry starts and its line, and the number of lines.
func arrange(all []Entry) (x []vg.Length, line []int, lines int) {
	var at vg.Length = 2
	style := LegendStyle()
	for i, e := range all {
		w := e.sample() + sampleGap + style.Width(e.Text)
		if i > 0 && (e.First || at+w > Width) {
			at = 2
			lines++
		}
		x, line = append(x, at), append(line, lines)
		at += w + entryGap
	}
	if len(all) > 0 {
		lines++
	}
	return x, line, lines
}

// Named is an entry whose text is a name from the data.
func Named(l Look, name string) Entry {
	const room = 150
	return Entry{Look: l, Text: Fit(name, LegendStyle(), room)}
}

// LegendStyle is that of the texts of legends.
func LegendStyle() text.Style { return Writing(TextSize, text.XLeft, text.YCenter) }

// LegendHeight is the room that a legend takes.
func LegendHeight(all []Entry) vg.Length {
	_, _, lines := arrange(all)
	return vg.Length(lines)*legendLine + 4
}

// DrawLegend draws the entries at the top of the canvas of a figure. In a page they are text
// above the figure instead, which wraps where the page is narrow.
func DrawLegend(c draw.Canvas, all []Entry) {
	svg := innermost(c)
	svg.close()
	svg.key = key{entries: all, from: svg.b.Len()}
	x, line, _ := arrange(all)
	for i, e := range all {
		y := c.Max.Y - (vg.Length(line[i])+0.5)*legendLine
		left := c.Min.X + x[i]
		e.drawSample(c, left, y)
		c.FillText(LegendStyle(), vg.Point{X: left + e.sample() + sampleGap, Y: y}, e.Text)
	}
	svg.close()
	svg.key.to = svg.b.Len()
}

// drawSample draws the look of an entry.
func (e Entry) drawSample(c draw.Canvas, left, y vg.Length) {
	if !e.Bare {
		c.StrokeLine2(e.line(), left, y, left+sampleLength, y)
	}
	e.Put(c, vg.Point{X: left + e.sample()/2, Y: y})
}

// html is the legend as elements of a page.
func (k key) html() string {
	if len(k.entries) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString(`<div class="fig fig-key">`)
	for i, e := range k.entries {
		if i > 0 && e.First {
			b.WriteString("<br/>")
		}
		c := newCanvas(legendLine)
		e.drawSample(draw.New(c), 1, legendLine/2)
		c.close()
		wide := Coordinate((e.sample() + 2).Points())
		fmt.Fprintf(&b, `<span><svg width="%s" height="%s" aria-hidden="true">%s</svg> %s</span> `, wide, Coordinate(legendLine.Points()),
			strings.TrimSpace(c.b.String()), html.EscapeString(Clean(e.Text)))
	}
	return b.String() + "</div>"
}

// NewPanel returns an empty panel in the style of the figures.
func NewPanel(title string) *plot.Plot {
	p := plot.New()
	p.BackgroundColor = nil
	for _, a := range []*plot.Axis{&p.X, &p.Y} {
		a.LineStyle, a.Tick.LineStyle = Thin(Ink), Thin(Ink)
		a.Tick.Length, a.Padding = 4, 0
		a.Tick.Marker = plot.TickerFunc(PlainTicks)
		a.Label.Padding = 3
		a.Label.TextStyle = Writing(TextSize, text.XCenter, text.YBottom)
	}
	p.X.Tick.Label = Writing(TextSize, text.XCenter, text.YTop)
	p.Y.Tick.Label = Writing(TextSize, text.XRight, text.YCenter)
	p.Add(Rules{Horizontal: true}, heading(title))
	return p
}

// AddCurve adds a curve, and reports whether it has any point.
func AddCurve(p *plot.Plot, c Curve) bool {
	p.Add(c)
	for _, q := range c.Points {
		if !q.Missing() {
			return true
		}
	}
	return false
}

// LeaveEmpty says why a panel shows nothing.
func LeaveEmpty(p *plot.Plot, why string) {
	p.Y.Min, p.Y.Max, p.Y.Scale, p.Y.Tick.Marker = 0, 1, plot.LinearScale{}, plot.ConstantTicks(nil)
	p.Add(remark(why))
}
