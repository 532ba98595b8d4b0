package reproduction

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"r2lmlbench/results/table"
	"r2lmlbench/stats"
)

// figures are the curves that the paper's statements are checked against.
type figures struct{ curves []curve }

// A claim is a statement of the paper beside what we found.
type claim struct {
	paper, here string // complete clauses, in Markdown
	refuted     bool
	missing     int  // cells that the statement needs and that have no result
	unknown     bool // there is nothing to check it against, or only differences that may be chance
}

// text is the claim as an item of a list: refuted by what is there, or unknown
// while something is missing, or true.
func (c claim) text() string {
	verdict := c.verdict()
	if verdict == untold && c.missing > 0 {
		verdict += fmt.Sprintf(" (%s without a result)", counted(c.missing, "cell"))
	}
	return fmt.Sprintf("The paper says that %s. Here %s: **%s**.", c.paper, c.here, verdict)
}

// What may come of a claim.
const (
	holds   = "holds"
	refuted = "does not hold"
	untold  = "cannot be told"
)

func (c claim) verdict() string {
	switch {
	case c.refuted:
		return refuted
	case c.unknown || c.missing > 0:
		return untold
	}
	return holds
}

// claims lists claims and sums up what came of them; about says what they are of.
func (s *section) claims(about string, all []claim) {
	var items []string
	count := map[string]int{}
	for _, c := range all {
		items = append(items, c.text())
		count[c.verdict()]++
	}
	s.list(items)
	s.conclude("Of %s %s %d hold here, %d do not and %d cannot be told.", counted(len(all), "statement"), about, count[holds], count[refuted], count[untold])
}

// find returns the curve of a method on a data set. For a set that the table
// does not have it is one without a single result.
func (f figures) find(dataset, method string) curve {
	for _, c := range f.curves {
		if c.dataset == dataset && c.method == method {
			return c
		}
	}
	k := f.curves[0].k
	return curve{dataset: dataset, name: dataset, method: method, k: k, scores: make([]*table.Score, len(k))}
}

// names are those of the data sets with these ids, in Markdown.
func (f figures) names(ids []string) []string {
	names := make([]string, len(ids))
	for i, id := range ids {
		names[i] = escape(f.find(id, efficient).name)
	}
	return names
}

// lacking counts the cells without a result.
func (c curve) lacking() int {
	n := 0
	for _, score := range c.scores {
		if score == nil {
			n++
		}
	}
	return n
}

// lacking counts the cells without a result in all curves.
func (f figures) lacking() int {
	n := 0
	for _, c := range f.curves {
		n += c.lacking()
	}
	return n
}

// datasets lists the ids of the data sets in their order, and those of more that
// the table does not have.
func (f figures) datasets(more []string) []string {
	var ids []string
	for _, c := range f.curves {
		if !slices.Contains(ids, c.dataset) {
			ids = append(ids, c.dataset)
		}
	}
	for _, id := range more {
		if !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	return ids
}

// The shares that count as "roughly one quarter", in percent.
const quarterLow, quarterHigh = 15, 35

func (f figures) classCount(classes map[string]int) claim {
	equal, of := 0, 0
	for _, c := range f.curves {
		n, ok := classes[c.dataset]
		if !ok || !c.complete() {
			continue
		}
		of++
		if slices.Contains(c.best(), n) {
			equal++
		}
	}
	c := claim{
		paper: "the optimal K equals the number of classes only in roughly one quarter of the cases",
		here: fmt.Sprintf("the number of classes is among the best K in %d of %s, a case being a method on a data set, or %s %% (%d to %d %% would be roughly a quarter)",
			equal, counted(of, "case"), stats.Percent(equal, of, 1), quarterLow, quarterHigh),
		missing: f.lacking(),
		unknown: of == 0,
	}
	c.refuted = c.missing == 0 && of > 0 && (100*equal < quarterLow*of || 100*equal > quarterHigh*of)
	return c
}

func (f figures) twoBest(method string, datasets []string) claim {
	var yes, near, no []string
	c := claim{paper: fmt.Sprintf("%s is best with K = 2 on %s", methodName(method), series(f.names(datasets)))}
	for _, id := range datasets {
		one := f.find(id, method)
		name := escape(one.name)
		switch {
		case !one.complete():
			c.missing += one.lacking()
		case slices.Contains(one.best(), 2):
			yes = append(yes, name)
		case !one.surpassed(2):
			near = append(near, fmt.Sprintf("%s (best: %s)", name, joinInts(one.best())))
		default:
			no = append(no, fmt.Sprintf("%s (best: %s)", name, joinInts(one.best())))
		}
	}
	c.refuted = len(no) > 0
	var here []string
	if len(yes) > 0 {
		here = append(here, "no K is better than 2 on "+series(yes))
	}
	if len(near) > 0 {
		c.unknown = true
		here = append(here, "another K is higher, but not significantly, on "+series(near))
	}
	if len(no) > 0 {
		here = append(here, "another K is significantly better on "+series(no))
	}
	c.here = strings.Join(here, "; ")
	if len(here) == 0 {
		c.here = "no curve on these is complete"
	}
	return c
}

func (f figures) monotone(dataset string) claim {
	c := claim{paper: fmt.Sprintf("the accuracy on %s falls monotonically with K", escape(f.find(dataset, efficient).name))}
	var here []string
	for _, method := range ourMethods {
		one := f.find(dataset, method)
		switch {
		case !one.complete():
			c.missing += one.lacking()
			here = append(here, "that of "+methodName(method)+" is not known for every K")
		case one.falls():
			here = append(here, "that of "+methodName(method)+" never rises")
		case !one.climbs():
			c.unknown = true
			here = append(here, "that of "+methodName(method)+" rises at some K, but nowhere significantly")
		default:
			c.refuted = true
			here = append(here, "that of "+methodName(method)+" rises significantly at some K")
		}
	}
	c.here = series(here)
	return c
}

// efficientAhead checks on which data sets E-R2LML is more accurate than
// T-R2LML, the paper's exceptions being given. Only a difference the other way
// that is significant after Holm's correction over the data sets refutes it.
func (f figures) efficientAhead(exceptions []string) claim {
	var ahead, even, behind []string
	var names []string // of the data sets compared
	var p []float64    // of the difference there
	var contrary []int // places of those on which it is not as the paper has it
	c := claim{paper: "E-R2LML outperforms T-R2LML on all data sets except " + series(f.names(exceptions))}
	for _, id := range f.datasets(exceptions) {
		e, t := f.find(id, efficient), f.find(id, transductive)
		if !e.complete() || !t.complete() {
			c.missing += e.lacking() + t.lacking()
			continue
		}
		name := escape(e.name)
		d := e.top(0) - t.top(0)
		switch {
		case d > 0:
			ahead = append(ahead, name)
		case d == 0:
			even = append(even, name)
		default:
			behind = append(behind, name)
		}
		if (d > 0) == slices.Contains(exceptions, id) {
			contrary = append(contrary, len(names))
		}
		names, p = append(names, name), append(p, e.differs(t))
	}
	var against []string
	holm := stats.Holm(p)
	for _, i := range contrary {
		if holm[i] <= level {
			against = append(against, names[i])
		}
	}
	c.refuted, c.unknown = len(against) > 0, len(contrary) > len(against)
	c.here = fmt.Sprintf("with the highest accuracy over K taken from each curve, E-R2LML is ahead on %s, level on %s and behind on %s, as the paper has it on %d of %s, and significantly otherwise on %s",
		series(ahead), series(even), series(behind), len(names)-len(contrary), counted(len(names), "data set"), series(against))
	return c
}

// manyMetrics compares K above 1 with K = 1. Each K counts by itself: the best
// of six has an advantage over a single one. Settings of curves that are not
// complete are open: the claim is decided only if they cannot change it.
func (f figures) manyMetrics() claim {
	better, of, open, bestBetter, curves := 0, 0, 0, 0, 0
	for _, c := range f.curves {
		above := 0 // numbers of metrics above 1
		for _, k := range c.k {
			if k > 1 {
				above++
			}
		}
		if !c.complete() {
			open += above
			continue
		}
		one, ok := c.single()
		if !ok {
			continue
		}
		curves++
		of += above
		if c.top(1) > one {
			bestBetter++
		}
		for i, k := range c.k {
			if k > 1 && c.scores[i].Correct > one {
				better++
			}
		}
	}
	c := claim{
		paper: "K > 1 is more often than not better than K = 1",
		here: fmt.Sprintf("it is better in %d of %s, every K counted by itself, and the best K > 1 is better in %d of %s",
			better, counted(of, "setting"), bestBetter, counted(curves, "curve")),
		unknown: of == 0,
	}
	holds := of > 0 && 2*better > of+open
	c.refuted = of > 0 && 2*(better+open) <= of+open
	if !holds && !c.refuted {
		c.missing = f.lacking()
	}
	return c
}

// A gain is by how many points the best K > 1 surpasses K = 1 on a data set,
// both methods added up.
type gain struct {
	dataset, name string
	points        float64
}

// prominent looks for the data sets on which K > 1 gains most over K = 1. It is
// refuted where as many sets as are named gain more than one of them, whatever
// the others do.
func (f figures) prominent(datasets []string) claim {
	c := claim{paper: "the gain of K > 1 is most prominent on " + series(f.names(datasets))}
	var gains []gain
	for _, id := range f.datasets(datasets) {
		g, ok := f.gain(id)
		if !ok {
			c.unknown = true
			c.missing += f.find(id, efficient).lacking() + f.find(id, transductive).lacking()
			continue
		}
		gains = append(gains, g)
	}
	slices.SortStableFunc(gains, func(a, b gain) int { return cmp.Compare(b.points, a.points) })
	var top []string
	for i, g := range gains {
		if i < len(datasets) {
			top = append(top, fmt.Sprintf("%s (%.2f points)", g.name, g.points))
		} else if slices.Contains(datasets, g.dataset) && g.points < gains[len(datasets)-1].points {
			c.refuted = true
		}
	}
	c.here = "the best K > 1 gains most over K = 1, both methods added up, on " + series(top)
	if len(top) == 0 {
		c.here = "no data set has both curves"
	}
	return c
}

// gain returns that of a data set, and whether all its cells are there.
func (f figures) gain(dataset string) (gain, bool) {
	g := gain{dataset: dataset, name: escape(f.find(dataset, efficient).name)}
	for _, method := range ourMethods {
		c := f.find(dataset, method)
		if !c.complete() {
			return g, false
		}
		one, ok := c.single()
		if !ok {
			return g, false
		}
		g.points += 100 * float64(c.top(1)-one) / float64(c.n)
	}
	return g, true
}
