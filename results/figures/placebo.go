package figures

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot"

	words "r2lmlbench/internal/text" // text is that of gonum.org/v1/plot
	"r2lmlbench/results/published"
	"r2lmlbench/results/verdict"
)

// rungLooks are those of the rungs from the stated protocol on.
var rungLooks = map[int]look{
	int(verdict.Stated):     {color: blue, mark: square},
	int(verdict.Tied):       {color: blue, mark: ring, dashes: dotted},
	int(verdict.Open):       {color: blue, mark: openSquare, dashes: dashed},
	int(verdict.OnTest):     {color: purple, mark: diamond},
	int(verdict.OpenOnTest): {color: purple, mark: openDiamond, dashes: dashed},
}

// wholeSize is the class of all data sets.
const wholeSize = "all"

// Placebo draws for every method what share of its printed numbers each rung
// reaches by itself, at 0, and of decoys so many points away.
func Placebo(p verdict.Placebo) ([]Figure, error) {
	s := placeboSheet{}
	for _, r := range p.Rungs {
		s.add(r)
	}
	if len(s.methods) == 0 {
		return nil, nil
	}
	csv, err := encodeCSV([]string{"method", "size", "rung", "protocol", "distance", "reached", "of", "explains"}, s.lines)
	if err != nil {
		return nil, err
	}
	var legend []entry
	for _, r := range verdict.Rungs()[verdict.Stated:] {
		if slices.Contains(s.rungs, int(r)) {
			legend = append(legend, entry{look: rungLooks[int(r)], text: r.Word()})
		}
	}
	var panels []*plot.Plot
	for _, method := range s.methods {
		panels = append(panels, s.panel(method, len(panels)%placeboColumns == 0))
	}
	sheet := sheet{legend: legend, columns: placeboColumns, height: 132, lines: 1, panels: panels}
	f, err := sheet.figure("placebo", "Printed numbers and decoys that each protocol reaches", s.alt(), csv)
	f.See = s.see()
	return []Figure{f}, err
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
		line(number(m.Points), m.Share)
	}
	line("another row", r.Rows)
	if r.Size != wholeSize {
		return
	}
	place(&s.methods, r.Method)
	s.rungs = append(s.rungs, r.Rung)
	s.drawn = append(s.drawn, r)
	name := fmt.Sprintf("%s, %s", short(published.MethodName(r.Method), 30), verdict.Rung(r.Rung).Word())
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
	p := newPanel(fit(published.MethodName(method), headingStyle(), narrowRoom))
	p.X.Tick.Marker = plot.ConstantTicks{tickAt(0)}
	for _, r := range s.drawn {
		if r.Method != method {
			continue
		}
		c := curve{look: rungLooks[r.Rung], points: []point{{x: 0, y: 100 * r.Printed.Fraction(), say: saidOf(r, "printed numbers", r.Printed)}}}
		ticks := plot.ConstantTicks{tickAt(0)}
		for _, m := range r.Moved {
			c.points = append(c.points, point{x: m.Points, y: 100 * m.Fraction(), say: saidOf(r, fmt.Sprintf("decoys %g points away", m.Points), m.Share)})
			ticks = append(ticks, tickAt(m.Points))
		}
		p.X.Tick.Marker = ticks
		addCurve(p, c)
	}
	settle(&p.X)
	p.Y.Min, p.Y.Max = -6, 106
	p.Y.Tick.Marker = countTicks([]int{0, 50, 100})
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
