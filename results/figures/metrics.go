package figures

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot"

	words "r2lmlbench/internal/text" // text is that of gonum.org/v1/plot
	"r2lmlbench/results/figures/chart"
	"r2lmlbench/results/published"
	"r2lmlbench/results/study"
)

// perPage is the number of data sets on one page of [Metrics].
const perPage = 9

// methodLooks tell the paper's two methods apart in all figures.
var methodLooks = map[string]chart.Look{
	study.Efficient:    {Color: chart.Blue, Mark: chart.Disc},
	study.Transductive: {Color: chart.Vermillion, Mark: chart.Square, Dashes: chart.Dashed},
}

var classCountLook = chart.Look{Color: chart.Ink, Mark: chart.PointDown, Dashes: chart.Dotted}

// Metrics draws the accuracy of both methods against the number K of metrics, as
// the paper's two figures do: nine data sets a page. The number of classes is
// marked where K takes it. No page is drawn without a result on any.
func Metrics(m study.Metrics) ([]chart.Figure, error) {
	pages := slices.Collect(slices.Chunk(m.Sets, perPage))
	var all []chart.Figure
	for i, sets := range pages {
		page := metricsPage{counts: m.Counts, number: i + 1, pages: len(pages)}
		f, ok, err := page.figure(sets)
		if err != nil {
			return nil, err
		}
		if ok {
			all = append(all, f)
		}
	}
	return all, nil
}

// A metricsPage collects one page of panels.
type metricsPage struct {
	counts        []int // K
	number, pages int

	panels  []*plot.Plot
	lines   [][]string // of the CSV
	names   []string
	marked  []string
	trends  map[string]*trend   // by method
	best    map[string][]string // by method, the highest accuracies in words
	missing int
}

func (m *metricsPage) figure(sets []study.MetricsSet) (chart.Figure, bool, error) {
	m.best, m.trends = map[string][]string{}, map[string]*trend{}
	for _, set := range sets {
		m.add(set)
	}
	if m.missing == len(m.lines) {
		return chart.Figure{}, false, nil
	}
	csv, err := chart.EncodeCSV([]string{"letter", "dataset", "name", "classes", "method", "metrics", "correct", "n", "accuracy", "status"}, m.lines)
	if err != nil {
		return chart.Figure{}, false, err
	}
	s := chart.Sheet{
		Legend: []chart.Entry{
			{Look: methodLooks[study.Efficient], Text: published.MethodName(study.Efficient)},
			{Look: methodLooks[study.Transductive], Text: published.MethodName(study.Transductive)},
			{Look: classCountLook, Text: "K = number of classes, #C"},
		},
		Columns: 3, Height: 176, Lines: 2, Panels: m.panels,
	}
	name := "accuracy-by-metrics-" + strconv.Itoa(m.number)
	title := fmt.Sprintf("Accuracy against the number K of metrics, page %d of %d", m.number, m.pages)
	f, err := s.Figure(name, title, m.alt(), csv)
	f.See = m.see()
	return f, err == nil, err
}

// add draws the panel of one data set.
func (m *metricsPage) add(set study.MetricsSet) {
	title := chart.Fit(setName(set.Set), chart.HeadingStyle(), chart.NarrowRoom)
	if set.Classes > 0 {
		title += fmt.Sprintf("\n#C = %d", set.Classes)
	}
	p := chart.NewPanel(title)
	m.names = append(m.names, chart.Short(setName(set.Set), 40))
	drawn := false
	for _, one := range set.Curves {
		c := chart.Curve{Look: methodLooks[one.Method]}
		top, at := math.Inf(-1), []string{}
		for i, k := range one.Counts {
			y := accuracy(one.Set, one.Cells[i].Score)
			c.Points = append(c.Points, chart.Point{X: float64(k), Y: y, Say: fmt.Sprintf("%s, %s, K = %d: %.2f %%", set.Name, published.MethodName(one.Method), k, y)})
			if math.IsNaN(y) {
				m.missing++
			} else if y > top {
				top, at = y, []string{strconv.Itoa(k)}
			} else if y == top {
				at = append(at, strconv.Itoa(k))
			}
			line := []string{set.Letter, set.Dataset, set.Name, classText(set), one.Method, strconv.Itoa(k)}
			m.lines = append(m.lines, append(line, outcome(one.Set, one.Cells[i])...))
		}
		if chart.AddCurve(p, c) {
			drawn = true
			m.follow(one.Method, c.Points)
			m.best[one.Method] = append(m.best[one.Method], fmt.Sprintf("%s %.2f at K = %s", chart.Short(set.Name, 40), top, words.Series(at)))
		}
	}
	if drawn && slices.Contains(m.counts, set.Classes) {
		p.Add(chart.Upright{Look: classCountLook, X: float64(set.Classes)})
		m.marked = append(m.marked, fmt.Sprintf("%s (%d)", chart.Short(set.Name, 40), set.Classes))
	}
	m.finish(p, drawn)
}

// A trend counts the curves of a method, and those that end higher or lower than they start.
type trend struct{ curves, up, down int }

// follow compares the ends of a curve.
func (m *metricsPage) follow(method string, points []chart.Point) {
	var known []float64
	for _, q := range points {
		if !q.Missing() {
			known = append(known, q.Y)
		}
	}
	if m.trends[method] == nil {
		m.trends[method] = &trend{}
	}
	t, first, last := m.trends[method], known[0], known[len(known)-1]
	t.curves, t.up, t.down = t.curves+1, t.up+one(last > first), t.down+one(last < first)
}

// see says how the curves go.
func (m *metricsPage) see() string {
	say := "Do more local metrics help?"
	for _, method := range study.PaperMethods {
		if t := m.trends[method]; t != nil {
			say += fmt.Sprintf(" From its first to its last K, the curve of %s rises for %d of %s and falls for %d.",
				published.MethodName(method), t.up, words.Counted(t.curves, "data set"), t.down)
		}
	}
	return words.Join(" ", say, gaps(m.missing, len(m.lines), "point"))
}

func classText(set study.MetricsSet) string {
	if set.Classes == 0 {
		return ""
	}
	return strconv.Itoa(set.Classes)
}

// finish sets the axes of a panel and keeps it.
func (m *metricsPage) finish(p *plot.Plot, drawn bool) {
	chart.Settle(&p.Y)
	if !drawn {
		chart.LeaveEmpty(p, "no result")
	}
	if n := len(m.counts); n > 0 {
		p.X.Min, p.X.Max = float64(m.counts[0])-0.3, float64(m.counts[n-1])+0.3
		p.X.Tick.Marker = chart.CountTicks(m.counts)
	}
	if len(m.panels)%3 == 0 {
		p.Y.Label.Text = "accuracy, %"
	}
	p.X.Label.Text = "K"
	m.panels = append(m.panels, p)
}

func (m *metricsPage) alt() string {
	sentences := []string{fmt.Sprintf("%s, one for each of %s: the accuracy on the test samples in percent against the number K of metrics, "+
		"a solid line with discs for %s and a dashed one with squares for %s.",
		words.Counted(len(m.panels), "panel"), words.Series(m.names), published.MethodName(study.Efficient), published.MethodName(study.Transductive))}
	if len(m.marked) > 0 {
		sentences = append(sentences, "A dotted line marks the K that equals the number of classes, which K takes for "+words.Series(m.marked)+".")
	}
	for _, method := range study.PaperMethods {
		if best := m.best[method]; len(best) > 0 {
			sentences = append(sentences, fmt.Sprintf("The highest accuracy of %s is %s.", published.MethodName(method), strings.Join(best, "; ")))
		}
	}
	return words.Join(" ", append(sentences, gaps(m.missing, len(m.lines), "point"))...)
}
