package figures

import (
	"fmt"
	"math"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"

	words "r2lmlbench/internal/text" // text is that of gonum.org/v1/plot
	"r2lmlbench/results/figures/chart"
	"r2lmlbench/results/study"
)

// familyLooks tell the families apart: the first of methods on the front of accuracy
// and time, the second of the others.
var familyLooks = map[string][2]chart.Look{
	study.LocalFamily:     {{Color: chart.Blue, Mark: chart.Disc, Bare: true}, {Color: chart.Blue, Mark: chart.Ring, Bare: true}},
	study.ClassWiseFamily: {{Color: chart.Purple, Mark: chart.Diamond, Bare: true}, {Color: chart.Purple, Mark: chart.OpenDiamond, Bare: true}},
	study.GlobalFamily:    {{Color: chart.Vermillion, Mark: chart.Square, Bare: true}, {Color: chart.Vermillion, Mark: chart.OpenSquare, Bare: true}},
	study.NoFamily:        {{Color: chart.Ink, Mark: chart.Triangle, Bare: true}, {Color: chart.Ink, Mark: chart.OpenTriangle, Bare: true}},
}

// Pays draws the mean accuracy of every method over the data sets and the time that it
// takes for them, in the order of the average ranks. There is no figure without methods
// that have results on the same splits.
func Pays(p study.Pays) ([]chart.Figure, error) {
	s := paysSheet{p.Main.Methods}
	if len(s.Block.Sets) == 0 {
		return nil, nil
	}
	csv, err := s.csv()
	if err != nil {
		return nil, err
	}
	var legend []chart.Entry
	for _, family := range study.Families {
		legend = append(legend, chart.Entry{Look: familyLooks[family][0], Text: family})
	}
	legend = append(legend, chart.Entry{Look: chart.Look{Color: chart.Ink, Mark: chart.Ring, Bare: true}, Text: "not filled: not on the front"})
	left, right := s.panel("mean accuracy, %", s.Accuracy), s.panel("time, s", s.Seconds)
	right.Y.Tick.Marker = unlabelled(right.Y.Tick.Marker)
	out := chart.Sheet{Legend: legend, Columns: 2, Height: 70 + 19*vg.Length(max(len(s.Accuracy), 4)), Lines: 1, Panels: []*plot.Plot{left, right}}
	f, err := out.Figure("local-metrics", "Accuracy and time by family", s.alt(), csv)
	f.See = s.see()
	return []chart.Figure{f}, err
}

// A paysSheet has the methods of the figure.
type paysSheet struct{ study.PaysRanks }

// see says which methods are on the front.
func (s paysSheet) see() string {
	say := "Methods stand in the order of their average ranks, which follow their names."
	var front []string
	for _, m := range s.Order() {
		if s.Front[m] {
			front = append(front, chart.Short(s.Block.Methods[m].Name, 40))
		}
	}
	if len(front) == 0 {
		return say
	}
	return say + fmt.Sprintf(" No other method is both as accurate and as fast as those with filled marks: %s.", words.Series(front))
}

// panel has a mark for every method whose number is known.
func (s paysSheet) panel(title string, numbers []float64) *plot.Plot {
	p := chart.NewPanel(title)
	var ticks plot.ConstantTicks
	known := false
	for line, m := range s.Order() {
		method := s.Block.Methods[m]
		c := chart.Curve{Look: familyLooks[method.Family][1], Points: []chart.Point{{X: numbers[m], Y: float64(-line), Say: s.say(m)}}}
		if s.Front[m] {
			c.Look = familyLooks[method.Family][0]
		}
		known = chart.AddCurve(p, c) || known
		ticks = append(ticks, plot.Tick{Value: float64(-line), Label: chart.Fit(s.label(m), p.Y.Tick.Label, 130)})
	}
	switch {
	case !known:
		chart.LeaveEmpty(p, "unknown")
	case &numbers[0] == &s.Seconds[0]:
		chart.Logarithmic(&p.X)
	}
	chart.Settle(&p.X)
	p.Add(chart.Rules{Vertical: true})
	p.Y.Min, p.Y.Max, p.Y.Tick.Marker = float64(-len(numbers))+0.4, 0.6, ticks
	return p
}

// say has all numbers of a method.
func (s paysSheet) say(m int) string {
	method := s.Block.Methods[m]
	say := fmt.Sprintf("%s, %s: %.2f %%", method.Name, method.Family, s.Accuracy[m])
	if !math.IsNaN(s.Seconds[m]) {
		say += fmt.Sprintf(", %s", duration(s.Seconds[m]))
	}
	if rank := s.Rank(m); !math.IsNaN(rank) {
		say += fmt.Sprintf(", average rank %.2f", rank)
	}
	return say
}

// label is a method with its rank.
func (s paysSheet) label(m int) string {
	name := s.Block.Methods[m].Name
	if rank := s.Rank(m); !math.IsNaN(rank) {
		return fmt.Sprintf("%s %.1f", name, rank)
	}
	return name
}

func (s paysSheet) csv() ([]byte, error) {
	var lines [][]string
	for _, m := range s.Order() {
		method := s.Block.Methods[m]
		lines = append(lines, []string{
			method.ID, method.Name, method.Family, chart.Number(s.Rank(m)), chart.Number(s.Accuracy[m]), chart.Number(s.Seconds[m]), strconv.FormatBool(s.Front[m]),
			strconv.Itoa(len(s.Block.Sets)),
		})
	}
	return chart.EncodeCSV([]string{"method", "name", "family", "average_rank", "accuracy", "seconds", "front", "datasets"}, lines)
}

func (s paysSheet) alt() string {
	var all, front []string
	for _, m := range s.Order() {
		method := s.Block.Methods[m]
		said := fmt.Sprintf("%s (%s) %.2f", chart.Short(method.Name, 40), method.Family, s.Accuracy[m])
		if !math.IsNaN(s.Seconds[m]) {
			said += fmt.Sprintf(" in %s", duration(s.Seconds[m]))
		}
		all = append(all, said)
		if s.Front[m] {
			front = append(front, chart.Short(method.Name, 40))
		}
	}
	on := "No time is known, so there is no front."
	if len(front) > 0 {
		on = "Filled marks are on the front, where no other method is as accurate and as fast: " + words.Series(front) + "."
	}
	return words.Join(" ",
		fmt.Sprintf("Two panels with a line for each of %s, by average rank: the mean accuracy in percent over %s, and the time for one split of each on "+
			"a logarithmic axis.", words.Counted(len(all), "method"), words.Counted(len(s.Block.Sets), "data set")),
		"In that order: "+words.Series(all)+".", on)
}
