package figures

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot"

	"r2lmlbench/results/table"
)

// perPage is the number of data sets on one page of [Metrics].
const perPage = 9

// methodLooks tell the paper's two methods apart in all figures.
var methodLooks = map[string]look{
	efficient:    {color: blue, mark: disc},
	transductive: {color: vermillion, mark: square, dashes: dashed},
}

var classCountLook = look{color: ink, mark: pointDown, dashes: dotted}

// Metrics draws the accuracy of both methods against the number K of metrics, as
// the paper's two figures do, from the table of spec metrics: nine data sets a
// page. classes has the number of classes by data set id, marked where K takes
// it; a data set may be absent. No page is drawn without a result on any.
func Metrics(t table.Table, classes map[string]int) ([]Figure, error) {
	counts := t.MetricCounts()
	pages := slices.Collect(slices.Chunk(t.Rows, perPage))
	var all []Figure
	for i, rows := range pages {
		page := metricsPage{table: t, counts: counts, classes: classes, number: i + 1, pages: len(pages)}
		f, ok, err := page.figure(rows)
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
	table         table.Table
	counts        []int // K
	classes       map[string]int
	number, pages int

	panels  []*plot.Plot
	lines   [][]string // of the CSV
	names   []string
	marked  []string
	best    map[string][]string // by method, the highest accuracies in words
	missing int
}

func (m *metricsPage) figure(rows []table.Row) (Figure, bool, error) {
	m.best = map[string][]string{}
	for _, r := range rows {
		m.add(r)
	}
	if m.missing == len(m.lines) {
		return Figure{}, false, nil
	}
	csv, err := encodeCSV([]string{"letter", "dataset", "name", "classes", "method", "metrics", "correct", "n", "accuracy", "status"}, m.lines)
	if err != nil {
		return Figure{}, false, err
	}
	s := sheet{
		legend: []entry{
			{look: methodLooks[efficient], text: methodName(efficient)},
			{look: methodLooks[transductive], text: methodName(transductive)},
			{look: classCountLook, text: "K = number of classes, #C"},
		},
		columns: 3, height: 176, lines: 2, panels: m.panels,
	}
	name := "accuracy-by-metrics-" + strconv.Itoa(m.number)
	title := fmt.Sprintf("Accuracy against the number K of metrics, page %d of %d", m.number, m.pages)
	f, err := s.figure(name, title, m.alt(), csv)
	return f, err == nil, err
}

// add draws the panel of one data set.
func (m *metricsPage) add(r table.Row) {
	title := fit(rowName(r), headingStyle(), narrowRoom)
	classes, known := m.classes[r.Dataset]
	if known {
		title += fmt.Sprintf("\n#C = %d", classes)
	}
	p := newPanel(title)
	m.names = append(m.names, short(rowName(r), 40))
	drawn := false
	for _, method := range ourMethods {
		c := curve{look: methodLooks[method]}
		top, at := math.Inf(-1), []string{}
		for _, k := range m.counts {
			cell := m.table.Find(r, method, "metrics", strconv.Itoa(k))
			y := accuracy(r, cell.Score)
			c.points = append(c.points, point{x: float64(k), y: y})
			if math.IsNaN(y) {
				m.missing++
			} else if y > top {
				top, at = y, []string{strconv.Itoa(k)}
			} else if y == top {
				at = append(at, strconv.Itoa(k))
			}
			line := []string{r.Letter, r.Dataset, r.Name, m.classText(r), method, strconv.Itoa(k)}
			m.lines = append(m.lines, append(line, outcome(r, cell)...))
		}
		if addCurve(p, c) {
			drawn = true
			m.best[method] = append(m.best[method], fmt.Sprintf("%s %.2f at K = %s", short(r.Name, 40), top, series(at)))
		}
	}
	if known && drawn && slices.Contains(m.counts, classes) {
		p.Add(upright{classCountLook, float64(classes)})
		m.marked = append(m.marked, fmt.Sprintf("%s (%d)", short(r.Name, 40), classes))
	}
	m.finish(p, drawn)
}

func (m *metricsPage) classText(r table.Row) string {
	if n, ok := m.classes[r.Dataset]; ok {
		return strconv.Itoa(n)
	}
	return ""
}

// finish sets the axes of a panel and keeps it.
func (m *metricsPage) finish(p *plot.Plot, drawn bool) {
	settle(&p.Y)
	if !drawn {
		leaveEmpty(p, "no result")
	}
	if n := len(m.counts); n > 0 {
		p.X.Min, p.X.Max = float64(m.counts[0])-0.3, float64(m.counts[n-1])+0.3
		p.X.Tick.Marker = countTicks(m.counts)
	}
	if len(m.panels)%3 == 0 {
		p.Y.Label.Text = "accuracy, %"
	}
	p.X.Label.Text = "K"
	m.panels = append(m.panels, p)
}

func (m *metricsPage) alt() string {
	sentences := []string{fmt.Sprintf("%s, one for each of %s: the accuracy on the test samples in percent against the number K of metrics, a solid line with discs for %s and a dashed one with squares for %s.",
		counted(len(m.panels), "panel"), series(m.names), methodName(efficient), methodName(transductive))}
	if len(m.marked) > 0 {
		sentences = append(sentences, "A dotted line marks the K that equals the number of classes, which K takes for "+series(m.marked)+".")
	}
	for _, method := range ourMethods {
		if best := m.best[method]; len(best) > 0 {
			sentences = append(sentences, fmt.Sprintf("The highest accuracy of %s is %s.", methodName(method), strings.Join(best, "; ")))
		}
	}
	return paragraph(append(sentences, gaps(m.missing, len(m.lines), "point"))...)
}
