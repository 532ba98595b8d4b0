package figures

import (
	"fmt"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"

	words "r2lmlbench/internal/text" // text is that of gonum.org/v1/plot
	"r2lmlbench/results/figures/chart"
	"r2lmlbench/results/table"
)

// mostSplitSets is the number of data sets up to which single splits are drawn.
const mostSplitSets = 8

var (
	splitLook = chart.Look{Color: chart.Blue, Mark: chart.Ring, Bare: true}
	meanLook  = chart.Look{Color: chart.Vermillion, Mark: chart.Diamond, Bare: true}
)

// A splitSet has the accuracies of the methods on the splits of a data set, in percent.
type splitSet struct {
	letter, id, name string
	methods          []string
	accuracies       [][]float64 // by method, NaN-free: of the splits that have a result
	splits           [][]int     // their numbers
}

// Splits draws the accuracy of every method on every split, a panel for each data set on a
// scale of its own. There is no figure without several splits, or for more than
// mostSplitSets data sets, of which the tables tell the spread.
func Splits(t table.Table) ([]chart.Figure, error) {
	sets := splitSets(t)
	if len(sets) == 0 || len(sets) > mostSplitSets {
		return nil, nil
	}
	var panels []*plot.Plot
	var lines [][]string
	var said []string
	columns, most := min(2, len(sets)), tallest(sets)
	for i, s := range sets {
		panels = append(panels, s.panel(t, most, i%columns == 0))
		for j, of := range s.accuracies {
			for k, accuracy := range of {
				lines = append(lines, []string{s.letter, s.id, s.methods[j], strconv.Itoa(s.splits[j][k]), chart.Number(accuracy)})
			}
		}
		said = append(said, s.alt(t))
	}
	csv, err := chart.EncodeCSV([]string{"letter", "dataset", "method", "split", "accuracy"}, lines)
	if err != nil {
		return nil, err
	}
	alt := words.Join(" ", append([]string{words.Counted(len(panels), "panel") +
		" with a line for each method, a ring for its accuracy on each split and a diamond at their mean, in percent."}, said...)...)
	out := chart.Sheet{
		Legend: []chart.Entry{{Look: splitLook, Text: "one split"}, {Look: meanLook, Text: "mean of the splits"}}, Columns: columns,
		Height: 50 + rowHeight(most)*vg.Length(len(t.Columns)), Lines: 1, Panels: panels,
	}
	f, err := out.Figure("accuracy-by-split", "Accuracy on every split", alt, csv)
	f.See = "A method whose rings lie apart from those of another one is better or worse on every split. Where they mix, the mean decides little."
	if most > 1 {
		f.See += " Splits of equal accuracy stand above each other."
	}
	return []chart.Figure{f}, err
}

// splitSets gathers the data sets with several splits.
func splitSets(t table.Table) []splitSet {
	var sets []splitSet
	for _, r := range t.Rows {
		if r.Repeat <= 0 || r.N <= 0 {
			continue
		}
		at := slices.IndexFunc(sets, func(s splitSet) bool { return s.id == r.Dataset })
		if at < 0 {
			at = len(sets)
			sets = append(sets, splitSet{letter: r.Letter, id: r.Dataset, name: words.Join(" ", r.Letter, r.Name),
				accuracies: make([][]float64, len(t.Columns)), splits: make([][]int, len(t.Columns))})
			for _, c := range t.Columns {
				sets[at].methods = append(sets[at].methods, c.ID)
			}
		}
		for j, c := range r.Cells {
			if c.Score != nil {
				sets[at].accuracies[j] = append(sets[at].accuracies[j], 100*float64(c.Correct)/float64(r.N))
				sets[at].splits[j] = append(sets[at].splits[j], r.Repeat)
			}
		}
	}
	return slices.DeleteFunc(sets, func(s splitSet) bool {
		return !slices.ContainsFunc(s.accuracies, func(of []float64) bool { return len(of) > 1 })
	})
}

// Room for splits of equal accuracy, which stand above each other around the line of their method.
const (
	splitRow  vg.Length = 19 // height of a line of single rings
	splitStep vg.Length = 5  // from ring to ring
	mostRow   vg.Length = 64
)

// tallest is the largest number of splits of equal accuracy.
func tallest(sets []splitSet) int {
	most := 1
	for _, s := range sets {
		for _, of := range s.accuracies {
			times := map[float64]int{}
			for _, accuracy := range of {
				times[accuracy]++
				most = max(most, times[accuracy])
			}
		}
	}
	return most
}

// rowHeight is that of a line with so many rings above each other.
func rowHeight(most int) vg.Length {
	return min(splitRow+splitStep*vg.Length(most-1), mostRow)
}

// stacked are the distances of rings from their line, in lines: those of equal accuracy stand
// above each other in the order of the splits, closer where there would be no room.
func stacked(of []float64, most int) []float64 {
	step := 0.0
	if most > 1 {
		room := rowHeight(most) - splitRow
		step = float64(min(splitStep, room/vg.Length(most-1)) / rowHeight(most))
	}
	all, before := make([]float64, len(of)), map[float64]int{}
	for i, accuracy := range of {
		all[i] = float64(before[accuracy])
		before[accuracy]++
	}
	for i, accuracy := range of {
		all[i] = step * (all[i] - float64(before[accuracy]-1)/2)
	}
	return all
}

// panel has a line for each method, with room for so many splits of equal accuracy; the first
// of a row names them.
func (s splitSet) panel(t table.Table, most int, first bool) *plot.Plot {
	p := chart.NewPanel(chart.Fit(s.name, chart.HeadingStyle(), chart.WideRoom))
	splits, means := chart.Curve{Look: splitLook}, chart.Curve{Look: meanLook}
	var ticks plot.ConstantTicks
	for j, of := range s.accuracies {
		name, y := t.Columns[j].Name, float64(-j)
		apart := stacked(of, most)
		for k, accuracy := range of {
			say := fmt.Sprintf("%s, %s, split %d: %.2f %%", s.name, name, s.splits[j][k], accuracy)
			splits.Points = append(splits.Points, chart.Point{X: accuracy, Y: y - apart[k], Say: say})
		}
		if len(of) > 0 {
			mean := stat.Mean(of, nil)
			say := fmt.Sprintf("%s, %s, mean of %s: %.2f %%", s.name, name, words.Counted(len(of), "split"), mean)
			means.Points = append(means.Points, chart.Point{X: mean, Y: y, Say: say})
		}
		ticks = append(ticks, plot.Tick{Value: y, Label: chart.Fit(name, p.Y.Tick.Label, 110)})
	}
	chart.AddCurve(p, splits)
	chart.AddCurve(p, means)
	chart.Settle(&p.X)
	p.Add(chart.Rules{Vertical: true})
	p.Y.Min, p.Y.Max = float64(-len(t.Columns))+0.4, 0.6
	p.Y.Tick.Marker = ticks
	if !first {
		p.Y.Tick.Marker = unlabelled(ticks)
	}
	p.X.Label.Text = "accuracy, %"
	return p
}

// alt tells the range and the mean of every method.
func (s splitSet) alt(t table.Table) string {
	var all []string
	for j, of := range s.accuracies {
		if len(of) > 0 {
			all = append(all, fmt.Sprintf("%s %.2f to %.2f, mean %.2f of %d",
				chart.Short(t.Columns[j].Name, 30), slices.Min(of), slices.Max(of), stat.Mean(of, nil), len(of)))
		}
	}
	return fmt.Sprintf("%s: %s.", chart.Short(s.name, 40), words.Join("; ", all...))
}
