// Package figures draws the figures of reports: each as SVG,
// as the numbers it was drawn from, and in words.
//
// A constructor takes the result of a study, or plain results, and returns the
// figures that they suffice for, none if no cell has what the figure shows; a cell
// that is missing leaves a gap and is counted in the text. Equal input gives equal
// bytes. [Drawings] has their names, by which a spec asks for them.
//
//	metrics              study metrics      accuracy against K, nine data sets a page
//	lambda               study lambda       accuracy and zero columns against λ, a family each
//	toy                  study toy          the paper's Figure 1
//	collapse             study collapse     reference against published
//	convergence          study convergence  the objective over the iterations
//	critical-difference  ranked table       average ranks, after Demšar 2006, and a matrix of all pairs of methods
//	costs                times and memory   of every method and data set, and accuracy against time with its front
//
// [chart] has their style.
//
// References:
//
//	J. Demšar, Statistical comparisons of classifiers over multiple data sets,
//	  Journal of Machine Learning Research 7, 2006.
package figures

import (
	"errors"
	"fmt"
	"image/color"
	"math"
	"slices"
	"strconv"
	"strings"

	"r2lmlbench/internal/text"
	"r2lmlbench/results/figures/chart"
	"r2lmlbench/results/study"
	"r2lmlbench/results/table"
	"r2lmlbench/results/verdict"
)

// A Drawing is a line of the registry: figures that a spec can ask for by name.
type Drawing struct {
	Name  string
	Study string // id of the study that it draws; empty: none
	Draw  func(in Input) ([]chart.Figure, error)
}

// An Input is what drawings are made from.
type Input struct {
	Table  table.Table
	Pooled *table.Table   // Table with one row for each data set; nil where it is the same
	Ranks  *verdict.Ranks // of means over the seeds of Table; nil: seed 1 is ranked
	Costs  []Cost         // of the cells of Table
	Study  study.Result   // of the drawing's study
}

// Names of drawings that reports choose themselves.
const (
	Ranks      = "critical-difference" // of a spec that says nothing about figures
	CostsName  = "costs"               // of every spec
	SplitsName = "splits"              // of every spec with several splits
)

// Drawings is the registry, in the order of a report.
var Drawings = []Drawing{
	{Ranks, "", func(in Input) ([]chart.Figure, error) { return in.ranks() }},
	{SplitsName, "", func(in Input) ([]chart.Figure, error) { return Splits(in.Table) }},
	{"collapse", "collapse", of(Collapse)},
	{"metrics", "metrics", of(Metrics)},
	{"lambda", "lambda", of(Lambda)},
	{"toy", "toy", of(Toy)},
	{"convergence", "convergence", of(Convergence)},
	{CostsName, "", func(in Input) ([]chart.Figure, error) { return timesAndCosts(in) }},
}

// sets is the table in which every data set counts once.
func (in Input) sets() table.Table {
	if in.Pooled != nil {
		return *in.Pooled
	}
	return in.Table
}

// SetNames are the names of the data sets of a table, by id.
func SetNames(t table.Table) map[string]string {
	all := map[string]string{}
	for _, r := range t.Rows {
		all[r.Dataset] = r.Name
	}
	return all
}

// ranks are the figures of the methods over the data sets.
func (in Input) ranks() ([]chart.Figure, error) {
	return both(CriticalDifference(in.sets(), in.Ranks))(Comparisons(in.sets()))
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

func one(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

// tint is a color that lets so much of the page through that text on it is read.
func tint(c color.Color, share float64) color.NRGBA {
	solid := color.NRGBAModel.Convert(c).(color.NRGBA)
	solid.A = uint8(255*share + 0.5)
	return solid
}

// timesAndCosts are the figures of what the methods took.
func timesAndCosts(in Input) ([]chart.Figure, error) {
	costs := titled(in.Costs, in.Table)
	return both(Times(costs, in.Table))(Costs(costs))
}

// both joins the figures of two constructors.
func both(first []chart.Figure, err error) func([]chart.Figure, error) ([]chart.Figure, error) {
	return func(second []chart.Figure, other error) ([]chart.Figure, error) {
		return append(first, second...), errors.Join(err, other)
	}
}

// of makes the Draw of a drawing of a study.
func of[R study.Result](draw func(R) ([]chart.Figure, error)) func(Input) ([]chart.Figure, error) {
	return func(in Input) ([]chart.Figure, error) { return draw(in.Study.(R)) }
}

// accuracy is the share of right answers in percent, NaN without any.
func accuracy(set study.Set, s *table.Score) float64 {
	if s == nil || set.N <= 0 {
		return math.NaN()
	}
	return 100 * float64(s.Correct) / float64(set.N)
}

// outcome is the fields of a CSV line on a cell: correct, n, accuracy, status.
func outcome(set study.Set, c table.Cell) []string {
	if c.Score == nil {
		return []string{"", strconv.Itoa(set.N), "", c.Status}
	}
	return []string{strconv.Itoa(c.Correct), strconv.Itoa(set.N), c.Accuracy, c.Status}
}

// setName is a data set's printed name with its letter, "B Letter".
func setName(set study.Set) string {
	return strings.TrimSpace(set.Letter + " " + set.Name)
}

// gaps says how many points of all have no result; nothing if they all have one.
func gaps(missing, all int, noun string) string {
	switch missing {
	case 0:
		return ""
	case 1:
		return fmt.Sprintf("1 of %s has no result and is left out.", text.Counted(all, noun))
	}
	return fmt.Sprintf("%d of %s have no result and are left out.", missing, text.Counted(all, noun))
}

// digits writes so many significant ones, as text is printed: "90", "4686", "1.022 × 10⁶", "−3.2 × 10⁻⁷".
func digits(x float64, n int) string {
	if size := math.Abs(x); size >= 1000 && size < 1e6 {
		return strings.Replace(strconv.FormatFloat(x, 'f', 0, 64), "-", "−", 1)
	}
	text, power, large := strings.Cut(strconv.FormatFloat(x, 'g', n, 64), "e")
	text = strings.Replace(text, "-", "−", 1)
	if !large {
		return text
	}
	at, _ := strconv.Atoi(power) // what FormatFloat wrote
	return text + " × 10" + raised.Replace(strconv.Itoa(at))
}

var raised = strings.NewReplacer("-", "⁻",
	"0", "⁰", "1", "¹", "2", "²", "3", "³", "4", "⁴", "5", "⁵", "6", "⁶", "7", "⁷", "8", "⁸", "9", "⁹")
