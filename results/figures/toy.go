package figures

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	words "r2lmlbench/internal/text" // text is that of gonum.org/v1/plot
	"r2lmlbench/results"
	"r2lmlbench/results/figures/chart"
	"r2lmlbench/results/published"
	"r2lmlbench/results/study"
)

// classLooks are those of the first classes; the others follow around.
var classLooks = []chart.Look{
	{Color: chart.Blue, Mark: chart.Disc}, {Color: chart.Vermillion, Mark: chart.Square}, {Color: chart.Purple, Mark: chart.Triangle},
	{Color: chart.Ink, Mark: chart.OpenDiamond},
}

// Toy draws the paper's Figure 1: the samples as they are, under the first global
// metric (K = 1) of the study, and under its first local one (K = 2), where the
// plane keeps their distances as well as it can. There is a figure for every data
// set with coordinates under any of the three.
func Toy(t study.Toy) ([]chart.Figure, error) {
	var all []chart.Figure
	for _, set := range t.Sets {
		views := viewsOf(set)
		if len(views[0].labels)+len(views[1].labels)+len(views[2].labels) == 0 {
			continue
		}
		name := "toy"
		if len(all) > 0 {
			name += "-" + strconv.Itoa(len(all)+1)
		}
		f, err := toyFigure(name, set.Set, views)
		if err != nil {
			return nil, err
		}
		all = append(all, f)
	}
	return all, nil
}

// A view is where the samples are in one panel.
type view struct {
	title, text string
	labels      []float64    // class of every sample; none: no coordinates
	x, y        []float64    // places
	nearest     results.Fact // with Of 0 if it is not known
	lost        float64      // share of the distances that is not shown, NaN if that is not known
	variant     string       // of the algorithm; empty: none, or not known
}

// leavesOut tells whether the panel is a projection that does not show all of the distances.
func (v view) leavesOut() bool { return len(v.labels) > 0 && v.lost > 0.0005 }

func viewsOf(set study.ToySet) [3]view {
	none, global, local := set.Figure()
	views := [3]view{
		{title: "as they are", text: "as they are"},
		{title: "one global metric", text: "under one global metric"},
		{title: "two local metrics", text: "under two local metrics"},
	}
	original := set.Original()
	views[0].put(original.Labels, original.Features)
	if len(global.Maps) > 0 {
		views[1].put(global.Labels, global.Maps[0])
	}
	views[2].put(local.Labels, local.Embedding)
	for i, c := range []study.ToyColumn{none, global, local} {
		if c.Nearest != nil {
			views[i].nearest = *c.Nearest
		}
		views[i].variant = c.Variant
	}
	views[2].lost = local.Lost
	return views
}

// put takes the places from the first two axes; with one axis the samples stand on
// a line. Places too far away to be drawn leave the view empty.
func (v *view) put(labels []float64, axes [][]float64) {
	if len(axes) == 0 {
		return
	}
	x, y := axes[0], make([]float64, len(labels))
	if len(axes) > 1 {
		y = axes[1]
	}
	for i := range x {
		const most = 1e100 // so that no difference of two is too large
		if !(math.Abs(x[i]) < most && math.Abs(y[i]) < most && math.Abs(labels[i]) < most) {
			return
		}
	}
	v.labels, v.x, v.y = labels, x, y
}

func toyFigure(name string, set study.Set, views [3]view) (chart.Figure, error) {
	var lines [][]string
	var panels []*plot.Plot
	missing := 0
	alts := []string{fmt.Sprintf("Three panels with the numbered samples of %s, one mark and color for each class.", chart.Short(set.Name, 40))}
	classes := map[float64]bool{}
	var legend []chart.Entry
	for _, v := range views {
		panels = append(panels, v.panel())
		for i, class := range v.labels {
			lines = append(lines, []string{set.Dataset, v.text, strconv.Itoa(i + 1), chart.Number(class), chart.Number(v.x[i]), chart.Number(v.y[i])})
			if !classes[class] {
				classes[class] = true
				l := classLook(class)
				l.Bare = true
				legend = append(legend, chart.Entry{Look: l, Text: "class " + chart.Number(class)})
			}
		}
		if len(v.labels) == 0 {
			missing++
		}
		alts = append(alts, v.alt())
	}
	csv, err := chart.EncodeCSV([]string{"dataset", "panel", "sample", "class", "x", "y"}, lines)
	if err != nil {
		return chart.Figure{}, err
	}
	alts = append(alts, gaps(missing, len(views), "panel"))
	s := chart.Sheet{Legend: legend, Columns: 3, Height: 205, Lines: 1, Panels: panels, Equal: true}
	f, err := s.Figure(name, "One global metric against two local ones (the paper's Figure 1)", words.Join(" ", alts...), csv)
	f.See = see(views)
	return f, err
}

// see says how many samples have a nearest one of their class, by which algorithm, and what
// the last panel does not show.
func see(views [3]view) string {
	var all, variants []string
	for _, v := range views {
		if v.nearest.Of > 0 {
			all = append(all, fmt.Sprintf("%d of %d %s", v.nearest.Count, v.nearest.Of, v.text))
		}
		if v.variant != "" {
			variants = words.AppendNew(variants, chart.Short(v.variant, 20))
		}
	}
	say := "Look which samples of a class are near each other in each panel."
	if len(all) > 0 {
		say = "The nearest other sample is of the same class for " + words.Series(all) + "."
	}
	if len(variants) > 0 {
		say += fmt.Sprintf(" The metrics are those of the %s variant of %s.", words.Series(variants), published.MethodName(study.Efficient))
	}
	last := views[len(views)-1]
	if last.leavesOut() {
		say += fmt.Sprintf(" The last panel is a projection, which leaves out a share of %.3f of the distances.", last.lost)
		if len(all) > 0 {
			say += " The counts are of the true distances."
		}
	}
	return say
}

func classLook(class float64) chart.Look {
	n := int(math.Mod(math.Abs(class), 1e6))
	return classLooks[(n+len(classLooks)-1)%len(classLooks)]
}

// panel draws the samples in a square, around which the sheet gives both axes one scale.
func (v view) panel() *plot.Plot {
	p := chart.NewPanel(v.title)
	p.Add(chart.Rules{Vertical: true})
	if len(v.labels) == 0 {
		chart.Settle(&p.X)
		chart.Settle(&p.Y)
		chart.LeaveEmpty(p, "no result")
		return p
	}
	p.Add(v)
	xmin, xmax := span(v.x)
	ymin, ymax := span(v.y)
	size := max(math.Abs(xmin), math.Abs(xmax), math.Abs(ymin), math.Abs(ymax)) // samples in one place need a range, too
	half := 0.64 * max(xmax-xmin, ymax-ymin, 1e-6*size, 1e-9)
	p.X.Min, p.X.Max = (xmin+xmax)/2-half, (xmin+xmax)/2+half
	p.Y.Min, p.Y.Max = (ymin+ymax)/2-half, (ymin+ymax)/2+half
	return p
}

// Plot draws marks, and beside each place the numbers of the samples there.
func (v view) Plot(on draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&on)
	var places []vg.Point
	var numbers [][]string
	for i, class := range v.labels {
		at := vg.Point{X: x(v.x[i]), Y: y(v.y[i])}
		chart.Titled(on, fmt.Sprintf("sample %d, class %s, %s: (%s, %s)", i+1, chart.Number(class), v.text, twoDecimals(v.x[i]), twoDecimals(v.y[i])), func() {
			classLook(class).Put(on, at)
		})
		known := -1
		for j, other := range places {
			if math.Hypot(float64(at.X-other.X), float64(at.Y-other.Y)) < float64(chart.TextSize) {
				known = j
			}
		}
		if known < 0 {
			places, numbers = append(places, at), append(numbers, nil)
			known = len(places) - 1
		}
		numbers[known] = append(numbers[known], strconv.Itoa(i+1))
	}
	for i, at := range places {
		on.FillText(chart.Writing(chart.TextSize, text.XLeft, text.YBottom), vg.Point{X: at.X + 4, Y: at.Y + 3}, strings.Join(numbers[i], ", "))
	}
}

func (v view) alt() string {
	if len(v.labels) == 0 {
		return ""
	}
	var places []string
	for i, class := range v.labels {
		places = append(places, fmt.Sprintf("%d (class %s) at (%s, %s)", i+1, chart.Number(class), twoDecimals(v.x[i]), twoDecimals(v.y[i])))
	}
	samples := fmt.Sprintf("The samples %s: %s.", v.text, words.Series(places))
	if v.nearest.Of > 0 {
		samples += fmt.Sprintf(" The nearest other sample is of the same class for %d of %d.", v.nearest.Count, v.nearest.Of)
	}
	if v.leavesOut() {
		samples += fmt.Sprintf(" The drawing leaves out a share of %.3f of the distances.", v.lost)
	}
	return samples
}

// twoDecimals has a true minus, and no sign before a number that prints as 0.
func twoDecimals(x float64) string {
	s := strconv.FormatFloat(x, 'f', 2, 64)
	if s == "-0.00" {
		return "0.00"
	}
	return strings.Replace(s, "-", "−", 1)
}
