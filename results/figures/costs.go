package figures

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"

	words "r2lmlbench/internal/text" // text is that of gonum.org/v1/plot
	"r2lmlbench/results/figures/chart"
	"r2lmlbench/results/published"
	"r2lmlbench/results/table"
)

// A Cost is what one method took on one data set.
type Cost struct {
	Dataset, Letter, Method string  // ids and the row of the tables, which may be empty
	Name                    string  // of the data set; empty: its id
	Title                   string  // of the method, as the tables have it; empty: by its id
	Seconds                 float64 // wall time; 0 or less: unknown
	Bytes                   int64   // growth of the heap beyond the data; 0 or less: unknown
}

// set is how the data set is called in figures.
func (c Cost) set() string { return strings.TrimSpace(c.Letter + " " + cmp.Or(c.Name, c.Dataset)) }

// title is how the method is called in figures.
func (c Cost) title() string { return cmp.Or(c.Title, published.MethodName(c.Method)) }

// titled are the costs with the titles of their methods in a table.
func titled(all []Cost, t table.Table) []Cost {
	all = slices.Clone(all)
	for i, c := range all {
		if at := slices.IndexFunc(t.Columns, func(column table.Column) bool { return column.ID == c.Method }); at >= 0 {
			all[i].Title = t.Columns[at].Name
		}
	}
	return all
}

// costLooks are those of the first methods; more start again.
var costLooks = []chart.Look{
	{Color: chart.Ink, Mark: chart.Plus, Bare: true}, {Color: chart.Vermillion, Mark: chart.Triangle, Bare: true},
	{Color: chart.Purple, Mark: chart.Square, Bare: true}, {Color: chart.Purple, Mark: chart.OpenSquare, Bare: true},
	{Color: chart.Vermillion, Mark: chart.OpenTriangle, Bare: true}, {Color: chart.Ink, Mark: chart.Cross, Bare: true},
	{Color: chart.Vermillion, Mark: chart.OpenDiamond, Bare: true}, {Color: chart.Blue, Mark: chart.Disc, Bare: true},
	{Color: chart.Blue, Mark: chart.Ring, Bare: true}, {Color: chart.Purple, Mark: chart.Diamond, Bare: true},
	{Color: chart.Ink, Mark: chart.PointDown, Bare: true}, {Color: chart.Vermillion, Mark: chart.Pentagon, Bare: true},
	{Color: chart.Purple, Mark: chart.OpenDown, Bare: true}, {Color: chart.Blue, Mark: chart.Star, Bare: true},
	{Color: chart.Vermillion, Mark: chart.HalfDisc, Bare: true}, {Color: chart.Blue, Mark: chart.Hourglass, Bare: true},
	{Color: chart.Purple, Mark: chart.BowTie, Bare: true}, {Color: chart.Ink, Mark: chart.HalfDiamond, Bare: true},
}

// Costs draws wall time and heap beyond the data of every method on every data set, on
// logarithmic axes. There is no figure of a single number, and no panel without any.
func Costs(times []Cost) ([]chart.Figure, error) {
	s := costSheet{costs: times}
	for _, c := range times {
		place(&s.sets, c.set())
		place(&s.methods, c.Method)
	}
	seconds := s.panel("wall time", "s", func(c Cost) float64 { return c.Seconds })
	memory := s.panel("heap beyond the data", "MiB", func(c Cost) float64 { return float64(c.Bytes) / (1 << 20) })
	if seconds.known+memory.known < 2 {
		return nil, nil
	}
	csv, err := s.csv()
	if err != nil {
		return nil, err
	}
	var legend []chart.Entry
	for i, method := range s.methods {
		if seconds.marks[method]+memory.marks[method] > 0 {
			legend = append(legend, chart.Named(costLooks[i%len(costLooks)], s.title(method)))
		}
	}
	out := chart.Sheet{Legend: legend, Height: 70 + 19*vg.Length(max(len(s.sets), 4)), Lines: 1}
	for _, p := range []costPanel{seconds, memory} {
		if p.known == 0 {
			continue
		}
		if len(out.Panels) > 0 { // the sets are named once, at the left panel
			p.Y.Tick.Marker = unlabelled(p.Y.Tick.Marker)
		}
		out.Panels = append(out.Panels, p.Plot)
	}
	out.Columns = len(out.Panels)
	what := "Time and memory"
	switch {
	case memory.known == 0:
		what = "Time"
	case seconds.known == 0:
		what = "Memory"
	}
	f, err := out.Figure("costs", what+" per method and data set", s.alt(seconds, memory), csv)
	f.See = s.see()
	return []chart.Figure{f}, err
}

// A costSheet has the rows and the methods of the figure.
type costSheet struct {
	costs         []Cost
	sets, methods []string
}

// title is how a method is called.
func (s costSheet) title(method string) string {
	return s.costs[slices.IndexFunc(s.costs, func(c Cost) bool { return c.Method == method })].title()
}

// see names the longest and the shortest of the known times.
func (s costSheet) see() string {
	var known []Cost
	for _, c := range s.costs {
		if chart.Finite(c.Seconds) && c.Seconds > 0 {
			known = append(known, c)
		}
	}
	say := "The axes are logarithmic."
	if len(known) == 0 {
		return say + " No time is known."
	}
	bySeconds := func(a, b Cost) int { return cmp.Compare(a.Seconds, b.Seconds) }
	what := func(c Cost) string {
		return fmt.Sprintf("%s (%s, %s)", duration(c.Seconds), chart.Short(c.title(), 30), chart.Short(c.set(), 30))
	}
	least, most := slices.MinFunc(known, bySeconds), slices.MaxFunc(known, bySeconds)
	return say + fmt.Sprintf(" The times go from %s to %s, wall time of single runs.", what(least), what(most))
}

// duration is a time with three digits or more, and without a power of ten: "4686 s", "3.93 ms".
func duration(seconds float64) string {
	for _, unit := range []struct {
		name    string
		seconds float64
	}{{"s", 1}, {"ms", 1e-3}, {"µs", 1e-6}} {
		if n := seconds / unit.seconds; n >= 1 {
			return strconv.FormatFloat(n, 'f', max(0, 2-int(math.Log10(n))), 64) + " " + unit.name
		}
	}
	return "less than 1 µs"
}

// A costPanel is the panel of one quantity.
type costPanel struct {
	*plot.Plot
	known int
	marks map[string]int // by method
	said  []string       // the extremes of each method
}

// panel has a mark for every cost whose quantity is known.
func (s costSheet) panel(title, unit string, of func(Cost) float64) costPanel {
	p := costPanel{Plot: chart.NewPanel(title + ", " + unit), marks: map[string]int{}}
	for i, method := range s.methods {
		c := chart.Curve{Look: costLooks[i%len(costLooks)]}
		var least, most Cost
		for _, cost := range s.costs {
			x := of(cost)
			if cost.Method != method || !chart.Finite(x) || x <= 0 {
				continue
			}
			p.known++
			p.marks[method]++
			row := slices.Index(s.sets, cost.set())
			c.Points = append(c.Points, chart.Point{
				X: x, Y: float64(-row), Say: fmt.Sprintf("%s, %s: %s %s", s.sets[row], cost.title(), digits(x, 3), unit),
			})
			if len(c.Points) == 1 || x < of(least) {
				least = cost
			}
			if len(c.Points) == 1 || x > of(most) {
				most = cost
			}
		}
		if len(c.Points) > 0 {
			p.Add(c)
			p.said = append(p.said, fmt.Sprintf("%s from %s (%s) to %s (%s)", chart.Short(s.title(method), 18),
				digits(of(least), 3), chart.Short(least.set(), 20), digits(of(most), 3), chart.Short(most.set(), 20)))
		}
	}
	if p.known > 0 {
		chart.Logarithmic(&p.X)
	}
	chart.Settle(&p.X)
	p.Add(chart.Rules{Vertical: true})
	p.Y.Min, p.Y.Max = float64(-len(s.sets))+0.4, 0.6
	var ticks plot.ConstantTicks
	for i, name := range s.sets {
		ticks = append(ticks, plot.Tick{Value: float64(-i), Label: chart.Fit(name, p.Y.Tick.Label, 150)})
	}
	p.Y.Tick.Marker = ticks
	if unknown := len(s.costs) - p.known; unknown > 0 && p.known > 0 {
		p.X.Label.Text = fmt.Sprintf("unknown for %d of %d", unknown, len(s.costs))
	}
	return p
}

// unlabelled has the same ticks under a blank name, so that the grid stays.
func unlabelled(t plot.Ticker) plot.Ticker {
	return plot.TickerFunc(func(low, high float64) []plot.Tick {
		ticks := slices.Clone(t.Ticks(low, high))
		for i := range ticks {
			ticks[i].Label = " "
		}
		return ticks
	})
}

func (s costSheet) csv() ([]byte, error) {
	var lines [][]string
	for _, c := range s.costs {
		seconds, bytes := "", ""
		if chart.Finite(c.Seconds) && c.Seconds > 0 {
			seconds = chart.Number(c.Seconds)
		}
		if c.Bytes > 0 {
			bytes = strconv.FormatInt(c.Bytes, 10)
		}
		lines = append(lines, []string{c.Letter, c.Dataset, c.Method, seconds, bytes})
	}
	return chart.EncodeCSV([]string{"letter", "dataset", "method", "seconds", "bytes"}, lines)
}

func (s costSheet) alt(seconds, memory costPanel) string {
	sentences := []string{fmt.Sprintf("Panels on logarithmic axes with a line for each of %s and a mark for each of %s: "+
		"wall time in seconds, heap beyond the data in MiB.",
		words.Counted(len(s.sets), "data set"), words.Counted(len(s.methods), "method"))}
	for _, one := range []struct {
		panel costPanel
		what  string
	}{{seconds, "wall time"}, {memory, "heap beyond the data"}} {
		if one.panel.known == 0 {
			sentences = append(sentences, "The "+one.what+" is not known.")
			continue
		}
		sentences = append(sentences, fmt.Sprintf("The %s is %s.", one.what, strings.Join(one.panel.said, "; ")))
		if unknown := len(s.costs) - one.panel.known; unknown > 0 {
			sentences = append(sentences, fmt.Sprintf("It is not known for %d of %d.", unknown, len(s.costs)))
		}
	}
	return words.Join(" ", sentences...)
}
