package spec

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"r2lmlbench/datasets"
	"r2lmlbench/experiments/method"
	"r2lmlbench/experiments/registry"
	"r2lmlbench/internal/strictyaml"
	"r2lmlbench/results/study"
	"r2lmlbench/stats"
)

// A checker fills in the defaults of a decoded spec and looks its names up.
// Every fault becomes an error of d with its place in the file.
type checker struct {
	d    *strictyaml.Decoder
	root *yaml.Node
	spec *Spec

	isBase bool    // the spec is read as the base of another
	parent *Spec   // the base; nil without one
	points float64 // of all cells so far
}

func (c *checker) check() {
	if c.spec.Name == "" {
		c.fault("a spec needs a name; add `name: ...`", "name")
	}
	c.within(c.spec.Seeds, MaxRuns, "seeds")
	c.within(c.spec.Neighbors, maxNeighbors, "neighbors")
	c.spec.Seeds = max(c.spec.Seeds, 1)
	if c.spec.Neighbors == 0 {
		c.spec.Neighbors = 5
	}
	c.base()
	c.split()
	c.test()
	c.gate()
	c.measures()
	c.figures()
	c.datasets()
	c.methods()
	c.measurable()
}

// fault records an error at the node that path leads to.
func (c *checker) fault(msg string, path ...any) {
	c.d.Errorf(at(c.root, path...), "%s", msg)
}

// What a spec may ask for at most; more is a slip, or an attempt to fill the
// memory of whoever runs it.
const (
	MaxRuns      = 10_000 // seeds, repeats of a split, restarts
	maxNeighbors = 1_000_000
	maxPoints    = 10_000 // settings of a grid times restarts
	maxColumns   = 100    // that one stanza sweeps
	maxTotal     = 1e6    // points of all cells together
)

func (c *checker) within(v, most int, path ...any) {
	if v < 0 || v > most {
		c.fault(fmt.Sprintf("%s is %d, want a number from 0 to %d", path[len(path)-1], v, most), path...)
	}
}

func (c *checker) split() {
	s := &c.spec.Split
	c.oneOf(&s.Rule, []string{"authors", "random", "alternatives"}, "split", "rule")
	if s.Alternatives() && s.PCA != "" {
		c.fault("rule alternatives tries all rows and the training rows; remove pca", "split", "pca")
	}
	c.oneOf(&s.PCA, []string{"all", "train"}, "split", "pca")
	c.within(s.Repeats, MaxRuns, "split", "repeats")
	s.Repeats = max(s.Repeats, 1)
	switch {
	case s.Rule == "authors" && s.Repeats > 1:
		c.fault("the authors' split is one; repeats need `rule: random`", "split", "repeats")
	case s.Alternatives() && s.Repeats > 1:
		c.fault("rule alternatives has its own splits; repeats need `rule: random`", "split", "repeats")
	}
}

// oneOf checks that *v is one of known; empty means the first.
func (c *checker) oneOf(v *string, known []string, path ...any) {
	if *v == "" {
		*v = known[0]
	}
	if !slices.Contains(known, *v) {
		c.fault(fmt.Sprintf("unknown %s %q, want %s%s", path[len(path)-1], *v, strings.Join(known, " or "), suggest(*v, known)), path...)
	}
}

func (c *checker) test() {
	t := &c.spec.Test
	c.oneOf(&t.Pair, stats.TestNames(), "test", "pair")
	c.oneOf(&t.Correction, []string{"holm"}, "test", "correction")
	if t.Alpha == 0 {
		t.Alpha = 0.05
	}
	if !(t.Alpha > 0 && t.Alpha < 1) {
		c.fault(fmt.Sprintf("alpha is %g, want a level between 0 and 1", t.Alpha), "test", "alpha")
	}
	if v, err := stats.ParseTest(t.Pair); err == nil {
		t.Variant = v
	}
}

func (c *checker) gate() {
	g := &c.spec.Gate
	if g.Tolerance == 0 {
		g.Tolerance = 1
	}
	if !(g.Tolerance > 0 && g.Tolerance <= 100) {
		c.fault(fmt.Sprintf("tolerance is %g, want points of accuracy from 0 to 100", g.Tolerance), "gate", "tolerance")
	}
}

func (c *checker) measures() {
	c.listed("measure", c.spec.Measure, nil, study.MeasureNames(), "measure")
	for i, s := range c.spec.Methods {
		c.listed("measure", s.Measure, c.spec.Measure, study.MeasureNames(), "methods", i, "measure")
	}
}

func (c *checker) figures() {
	c.listed("figure", c.spec.Figures, nil, study.Figures, "figures")
}

// listed checks the names of some kind that path leads to: each is known, and
// stands there once and not among others. An unknown name is answered with the
// nearest known one, or else with all of them.
func (c *checker) listed(kind string, names, others, known []string, path ...any) {
	for i, name := range names {
		at := append(slices.Clone(path), i)
		if !slices.Contains(known, name) {
			c.fault(fmt.Sprintf("unknown %s %q%s", kind, name, cmp.Or(suggest(name, known), "; there are "+strings.Join(known, ", "))), at...)
		}
		if slices.Contains(names[:i], name) || slices.Contains(others, name) {
			c.fault(fmt.Sprintf("%s is listed twice", name), at...)
		}
	}
}

// measurable reports the measures that some method of the spec cannot give.
func (c *checker) measurable() {
	for i, name := range c.spec.Measure {
		c.serves(name, c.spec.Methods, "measure", i)
	}
	for i, s := range c.spec.Methods {
		for k, name := range s.Measure {
			c.serves(name, []Stanza{s}, "methods", i, "measure", k)
		}
	}
}

// serves reports the stanzas on which a measure cannot be taken.
func (c *checker) serves(name string, stanzas []Stanza, path ...any) {
	measure, ok := study.FindMeasure(name)
	if !ok {
		return // reported elsewhere
	}
	var unfit, single []string
	for _, s := range stanzas {
		m, ok := registry.Find(s.Method)
		switch {
		case !ok:
		case !offers(m, measure.Needs) && !slices.Contains(unfit, m.ID):
			unfit = append(unfit, m.ID)
		case name == study.SurfaceMeasure && s.Grid.IsZero() && s.Restarts <= 1:
			single = append(single, s.Name)
		}
	}
	if len(unfit) > 0 {
		c.fault(fmt.Sprintf("%s cannot be measured on %s; leave the measure or the method out of this spec", name, strings.Join(unfit, ", ")), path...)
	}
	if len(single) > 0 {
		c.fault(fmt.Sprintf("%s needs a grid, which %s does not have; add one, or give `measure` to single methods", name, strings.Join(single, ", ")), path...)
	}
}

func (c *checker) datasets() {
	if len(c.spec.Datasets) == 0 {
		c.fault("a spec needs data sets; add `datasets: all` or a list of ids", "datasets")
	}
	for i, name := range c.spec.Datasets {
		found, err := FindDatasets(name)
		if err != nil {
			c.fault(err.Error(), "datasets", i)
		}
		for _, e := range found {
			c.dataset(e, i)
		}
	}
}

// dataset adds a data set, which stands at place i of the list.
func (c *checker) dataset(e datasets.Entry, i int) {
	switch {
	case slices.ContainsFunc(c.spec.Entries, func(other datasets.Entry) bool { return other.ID == e.ID }):
		c.fault(fmt.Sprintf("data set %s is listed twice", e.ID), "datasets", i)
	case Imported(e) && c.spec.Split.Rule != "authors":
		c.fault(fmt.Sprintf("%s is one split already and cannot be divided by `rule: %s`; use `rule: authors`", e.ID, c.spec.Split.Rule), "datasets", i)
	default:
		c.spec.Entries = append(c.spec.Entries, e)
	}
}

func (c *checker) methods() {
	if len(c.spec.Methods) == 0 {
		c.fault("a spec needs methods; add a list of stanzas such as `- method: euclidean`", "methods")
	}
	seen := map[string]bool{}
	for i := range c.spec.Methods {
		s := &c.spec.Methods[i]
		m, ok := registry.Find(s.Method)
		if s.Method == "" {
			if child(at(c.root, "methods", i), "method") == nil && at(c.root, "methods", i).Kind == yaml.MappingNode {
				c.fault("a stanza needs a method; add `method: ...`", "methods", i)
			}
			continue
		}
		if !ok {
			c.fault(fmt.Sprintf("unknown method %q%s", s.Method, suggest(s.Method, registry.IDs())), "methods", i, "method")
			continue
		}
		if s.Name == "" {
			s.Name = m.ID
		}
		for _, col := range c.stanza(i, m) {
			if seen[col.ID] {
				c.fault(fmt.Sprintf("two columns are called %q; give one of them a `name`", col.ID), "methods", i)
			}
			seen[col.ID] = true
			c.spec.Columns = append(c.spec.Columns, col)
		}
	}
}

// stanza returns the columns that the stanza at place i of the list makes.
func (c *checker) stanza(i int, m method.Method) []Column {
	s := c.spec.Methods[i]
	c.counts(i, m)
	g := grid{d: &strictyaml.Decoder{File: c.d.File}, family: m.Family, inherited: c.inherited(s.Method), params: &s.Params, overrides: map[string]*yaml.Node{}}
	g.axes = g.readAxes(&s.Grid, "grid")
	g.sweep = g.readAxes(&s.Sweep, "sweep")
	for _, a := range g.axes {
		g.refuseIn(a.key, g.sweep, "swept")
	}
	g.checkParams()
	g.readOverrides(&s.Datasets)
	if n := size(g.axes) * max(s.Restarts, 1); n > maxPoints {
		g.d.Errorf(&s.Grid, "the grid has %d points with its restarts, want at most %d", n, maxPoints)
	}
	if size(g.sweep) > maxColumns {
		g.d.Errorf(&s.Sweep, "the sweep makes more than %d columns", maxColumns)
	}
	c.total(i, m, float64(size(g.sweep))*float64(size(g.axes)))
	valid := g.d.Err() == nil && c.points <= maxTotal
	c.d.Join(g.d)
	columns := []Column{{ID: s.Name}}
	if valid {
		columns = c.columns(&g, i, m)
	}
	return columns
}

// total adds the points of a stanza, of which one data set with one split and
// one seed has so many, and reports when the spec has too many of them.
func (c *checker) total(i int, m method.Method, settings float64) {
	s, before := c.spec.Methods[i], c.points
	seeds := 1
	if m.Stochastic {
		seeds = max(s.Seeds.most(), c.spec.Seeds, 1)
	}
	for _, n := range []int{max(s.Restarts, 1), seeds, len(c.spec.Entries), c.spec.Split.Repeats} {
		settings *= float64(n)
	}
	c.points += settings
	if c.points > maxTotal && before <= maxTotal {
		c.fault(fmt.Sprintf("with this stanza the cells have %.0f grid points (data sets, splits, seeds, restarts and settings multiplied), want "+
			"at most %d; divide the spec into several",
			c.points, int(maxTotal)), "methods", i)
	}
}

// counts checks the numbers of a stanza: restarts and seeds.
func (c *checker) counts(i int, m method.Method) {
	s := c.spec.Methods[i]
	c.within(s.Restarts, MaxRuns, "methods", i, "restarts")
	if s.Restarts > 1 && !m.Stochastic {
		c.fault(m.Name+" draws no random numbers; remove restarts", "methods", i, "restarts")
	}
	if s.Seeds.most() > 1 && !m.Stochastic {
		c.fault(m.Name+" draws no random numbers; remove seeds", "methods", i, "seeds")
	}
	if m.Imported && (!s.Grid.IsZero() || s.Restarts > 1) {
		c.fault("imported predictions are final; remove grid and restarts", "methods", i)
	}
}

// columns spells out the sweep of a stanza. A swept column is named after its
// values: "e-r2lml:metrics=3".
func (c *checker) columns(g *grid, i int, m method.Method) []Column {
	s := c.spec.Methods[i]
	var columns []Column
	all := g.swept()
	for _, swept := range all {
		col := Column{ID: s.Name, Method: m, Restarts: max(s.Restarts, 1), Seeds: s.Seeds, Measure: slices.Concat(c.spec.Measure, s.Measure),
			Settings: map[string][]method.Setting{}}
		if col.Seeds.all == 0 {
			col.Seeds.all = c.spec.Seeds
		}
		for _, v := range swept {
			col.Swept = append(col.Swept, Swept{v.Content[0].Value, v.Content[1].Value})
			col.ID += ":" + v.Content[0].Value + "=" + v.Content[1].Value
		}
		if !c.resolve(g, &col, swept, i) {
			return columns
		}
		if twin := slices.IndexFunc(columns, col.same); twin >= 0 {
			c.d.Errorf(firstOther(swept, all[twin]), "column %q has the same settings as %q on every data set; keep one of the values", col.ID, columns[twin].ID)
			return columns
		}
		columns = append(columns, col)
	}
	return columns
}

// same tells whether two columns of a stanza have equal settings on every data
// set, of which there must be one.
func (c Column) same(other Column) bool {
	return len(c.Settings) > 0 && reflect.DeepEqual(c.Settings, other.Settings)
}

// firstOther is the first value of a column's swept ones that another column
// does not share.
func firstOther(swept, other []*yaml.Node) *yaml.Node {
	k := slices.IndexFunc(swept, func(v *yaml.Node) bool { return !slices.Contains(other, v) })
	return swept[k].Content[1]
}

// resolve works out the settings of every data set. The first impossible one is
// reported and makes the result false.
func (c *checker) resolve(g *grid, col *Column, swept []*yaml.Node, i int) bool {
	for _, e := range c.spec.Entries {
		settings, err := g.settings(e.ID, swept)
		if err != nil {
			c.fault(fmt.Sprintf("%s on %s: %v", col.Method.ID, e.ID, err), "methods", i)
			return false
		}
		col.Settings[e.ID] = settings
	}
	return true
}

// offers tells whether the fits of a method give what a measure needs.
func offers(m method.Method, need study.Need) bool {
	switch need {
	case study.NeedsLocalMetric:
		return m.Metric == method.LocalMetric
	case study.NeedsObjective:
		return m.Objective
	}
	return !m.Imported // the program fits it, or has it fitted
}

// at walks from n by mapping keys and list indices and returns the node it
// reaches, or the last one on the way.
func at(n *yaml.Node, path ...any) *yaml.Node {
	for _, step := range path {
		next := child(n, step)
		if next == nil {
			return n
		}
		n = next
	}
	return n
}

func child(n *yaml.Node, step any) *yaml.Node {
	switch s := step.(type) {
	case int:
		if n.Kind == yaml.SequenceNode && s < len(n.Content) {
			return n.Content[s]
		}
	case string:
		for i := 0; n.Kind == yaml.MappingNode && i+1 < len(n.Content); i += 2 {
			if n.Content[i].Value == s {
				return n.Content[i+1]
			}
		}
	}
	return nil
}
