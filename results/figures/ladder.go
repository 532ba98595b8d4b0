package figures

import (
	"fmt"
	"image/color"
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

// Ladder draws a bar for every method with a part for every verdict, as long as the
// printed numbers with it are many.
func Ladder(v verdict.Verdicts) ([]Figure, error) {
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
	csv, err := encodeCSV([]string{"method", "verdict", "count", "of"}, lines)
	if err != nil {
		return nil, err
	}
	f, err := newFigure("ladder", "Which protocol gives the printed numbers, by method", l.alt(), csv, l.height(), l.draw)
	f.See = l.see()
	return []Figure{f}, err
}

type ladder struct{ verdict.Summary }

// see counts the numbers of each color.
func (l ladder) see() string {
	count := map[color.Color]int{}
	for _, w := range l.Words {
		count[lookOf(w.Word).color] += w.Count
	}
	say := fmt.Sprintf("Of %s the stated protocol, its ties or an open setting gives %d (blue), choice on the test samples %d (purple), "+
		"no protocol %d (vermillion).", words.Counted(l.Numbers, "printed number"), count[blue], count[purple], count[vermillion])
	if n := count[ink]; n > 0 {
		say += fmt.Sprintf(" Those with crosses, %d, have no verdict.", n)
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

func (l ladder) legend() []entry {
	var all []entry
	for _, w := range l.Words {
		if w.Count > 0 {
			all = append(all, entry{look: lookOf(w.Word), text: w.Word})
		}
	}
	return all
}

func (l ladder) height() vg.Length {
	return legendHeight(l.legend()) + 6 + vg.Length(len(l.Methods))*barStep + barFoot
}

func (l ladder) draw(c draw.Canvas) {
	drawLegend(c, l.legend())
	top := c.Max.Y - legendHeight(l.legend()) - 6
	left := c.Min.X + barSide
	unit := (c.Max.X - 2 - left) / vg.Length(l.longest())
	for i, m := range l.Methods {
		middle := top - (vg.Length(i)+0.5)*barStep
		label := writing(textSize, text.XRight, text.YCenter)
		c.FillText(label, vg.Point{X: left - 8, Y: middle}, fit(published.MethodName(m.Method), label, barSide-10))
		at := left
		for _, w := range m.Words {
			if w.Count > 0 {
				next := at + vg.Length(w.Count)*unit
				titled(c, fmt.Sprintf("%s: %d %s", published.MethodName(m.Method), w.Count, w.Word), func() {
					drawPart(c, lookOf(w.Word), w.Count, at, next, middle)
				})
				at = next
			}
		}
	}
	bottom := top - vg.Length(len(l.Methods))*barStep
	c.StrokeLine2(thin(ink), left, bottom, left+unit*vg.Length(l.longest()), bottom)
	for _, tick := range plainTicks(0, float64(l.longest())) {
		x := left + unit*vg.Length(tick.Value)
		c.StrokeLine2(thin(ink), x, bottom, x, bottom-4)
		c.FillText(writing(textSize, text.XCenter, text.YTop), vg.Point{X: x, Y: bottom - 6}, tick.Label)
	}
	c.FillText(writing(textSize, text.XRight, text.YBottom), vg.Point{X: c.Max.X - 2, Y: c.Min.Y + 2}, "printed numbers")
}

// drawPart draws a part of a bar with its mark and its count, or as much of these
// as there is room for.
func drawPart(c draw.Canvas, l look, count int, left, right, middle vg.Length) {
	const roomForMark, roomForBoth = 10, 22
	box := rectangle(left, middle-barHeight/2, right, middle+barHeight/2)
	c.FillPolygon(tint(l.color, 0.3), box)
	c.StrokeLines(draw.LineStyle{Color: l.color, Width: thinWidth}, append(box, box[0]))
	at := vg.Point{X: (left + right) / 2, Y: middle}
	switch room := right - left; {
	case room >= roomForBoth:
		l.put(c, vg.Point{X: at.X - 6, Y: middle})
		c.FillText(writing(textSize, text.XLeft, text.YCenter), vg.Point{X: at.X + 1, Y: middle}, strconv.Itoa(count))
	case room >= roomForMark:
		l.put(c, at)
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
		bars = append(bars, fmt.Sprintf("%s: %s.", short(published.MethodName(m.Method), 30), strings.Join(parts, "; ")))
	}
	return words.Join(" ", slices.Concat([]string{
		fmt.Sprintf("%s, one for each method, with a part for each verdict on its printed numbers, %d in all.", words.Counted(len(l.Methods), "bar"), l.Numbers),
		"Blue parts are numbers that the stated protocol, its ties or an open setting gives, purple parts those of choice on the test samples, " +
			"vermillion parts those that no protocol gives.",
	}, bars)...)
}
