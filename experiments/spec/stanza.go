package spec

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"gopkg.in/yaml.v3"

	"r2lmlbench/datasets"
	"r2lmlbench/experiments/method"
	"r2lmlbench/experiments/registry"
	"r2lmlbench/internal/strictyaml"
	"r2lmlbench/r2lml"
	"r2lmlbench/results"
)

func (c *checker) methods() {
	if len(c.spec.Methods) == 0 {
		c.fault("a spec needs methods; add a list of stanzas such as `- method: euclidean`", "methods")
	}
	seen := map[string]bool{}
	for i := range c.spec.Methods {
		s := &c.spec.Methods[i]
		m, ok := registry.Find(s.Method)
		if s.Method == "" {
			if strictyaml.Child(strictyaml.At(c.root, "methods", i), "method") == nil && strictyaml.At(c.root, "methods", i).Kind == yaml.MappingNode {
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
			if len(c.spec.Columns) == maxColumns {
				c.fault(fmt.Sprintf("the spec has more than %d columns; divide it into several", maxColumns), "methods", i)
				return
			}
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
	c.counts(i, m)
	m.Family = c.environment(i, m)
	g := c.grid(i, &m)
	s := c.spec.Methods[i]
	settings := size(g.axes)
	if n := settings * max(s.Restarts, 1); n > maxPoints {
		g.d.Errorf(&s.Grid, "the grid has %d points with its restarts, want at most %d", n, maxPoints)
	}
	ks := c.columnNeighbors(g, m)
	c.width(g, i, m, ks)
	c.selects(i, settings*max(s.Restarts, 1))
	c.total(i, m, float64(size(g.sweep)*len(ks)), float64(settings))
	faults, _ := g.d.Err().(strictyaml.Errors)
	c.d.Add(faults)
	if faults != nil || c.points > maxTotal || c.cells > maxCells {
		return []Column{{ID: s.Name}}
	}
	return c.columns(g, i, m, ks)
}

// grid reads the parameters of the stanza at place i, and gives the family of its method
// those that every method has.
func (c *checker) grid(i int, m *method.Method) *grid {
	var common *yaml.Node
	if !m.Imported {
		m.Family, common = method.Preparing(m.Family, m.Ruled()), c.features()
	}
	s := &c.spec.Methods[i]
	g := &grid{d: &strictyaml.Decoder{File: c.d.File}, family: m.Family, common: common, find: c.spec.find,
		inherited: c.inherited(s.Method), params: &s.Params, overrides: map[string]*yaml.Node{}}
	g.axes = g.readAxes(&s.Grid, "grid")
	g.sweep = g.readAxes(&s.Sweep, "sweep")
	for _, a := range g.axes {
		g.refuseIn(a.key, g.sweep, "swept")
	}
	g.parameters(&s.Params, "params", "{epochs: 5}")
	g.readOverrides(&s.Datasets)
	return g
}

// width reports a stanza with too many columns, and columns of several k that a method
// has another k for.
func (c *checker) width(g *grid, i int, m method.Method, ks []int) {
	n := &c.spec.Methods[i].Sweep
	switch columns := size(g.sweep); {
	case columns > maxColumns:
		g.d.Errorf(n, "the sweep makes more than %d columns", maxColumns)
	case columns*len(ks) > maxColumns:
		g.d.Errorf(n, "the sweep and the list of neighbors make more than %d columns", maxColumns)
	}
	if len(ks) > 1 && m.OutOfProcess && g.has(method.RuleKey) {
		g.d.Errorf(strictyaml.At(c.root, "methods", i), "neighbors is a list, whose columns are called k=..., and %s has a parameter k of its own; rename that one, "+
			"or give neighbors one number", m.Name)
	}
}

// features are the parameters of all stanzas: the scaling that the spec names, nil
// without it.
func (c *checker) features() *yaml.Node {
	if c.spec.Features == string(datasets.Unscaled) {
		return nil
	}
	key := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: "features"}
	return &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map", Content: []*yaml.Node{key, strictyaml.Child(c.root, "features")}}
}

// total adds the cells of a stanza with so many columns, and the points of their
// grids without restarts, and reports when the spec has too many of them.
func (c *checker) total(i int, m method.Method, columns, settings float64) {
	s, points, cells := c.spec.Methods[i], c.points, c.cells
	seeds := 1
	if m.Stochastic || m.Votes() && s.Ties == r2lml.RandomTie {
		seeds = max(s.Seeds.most(), c.spec.Seeds, 1)
	}
	more := columns * float64(seeds) * float64(len(c.spec.Entries)) * float64(c.spec.Split.Splits())
	c.cells += more
	c.points += more * settings * float64(max(s.Restarts, 1))
	if c.points > maxTotal && points <= maxTotal {
		c.fault(fmt.Sprintf("with this stanza the cells have %.0f grid points (data sets, splits, seeds, restarts and settings multiplied), want "+
			"at most %d; divide the spec into several",
			c.points, int(maxTotal)), "methods", i)
	}
	if c.cells > maxCells && cells <= maxCells {
		c.fault(fmt.Sprintf("with this stanza the spec has %.0f cells (columns, data sets, splits and seeds multiplied), want at most %d; "+
			"divide it into several", c.cells, maxCells), "methods", i)
	}
}

// maxReading is the length of the longest text of a reading.
const maxReading = 60

// counts checks the numbers of a stanza, restarts and seeds, and its unlabelled samples.
func (c *checker) counts(i int, m method.Method) {
	s := c.spec.Methods[i]
	c.only(i)
	for _, key := range s.Seeds.unknown {
		if _, err := c.spec.find(key.Value); err != nil {
			c.d.Errorf(key, "%v", err)
		}
	}
	if s.Restarts > 1 && !m.Stochastic {
		c.fault(m.Name+" draws no random numbers; remove restarts", "methods", i, "restarts")
	}
	if s.Seeds.most() > 1 && !m.Stochastic && !(m.Votes() && s.Ties == r2lml.RandomTie) {
		c.fault(m.Name+" draws no random numbers; remove seeds, or draw tied votes: `ties: random`", "methods", i, "seeds")
	}
	if s.Unlabeled != "" && !m.Transductive {
		c.fault(m.Name+" learns from labelled samples only; remove unlabeled", "methods", i, "unlabeled")
	}
	c.votes(i, m)
	if utf8.RuneCountInString(s.Variant) > maxReading || strings.ContainsFunc(s.Variant, unicode.IsControl) {
		c.fault(fmt.Sprintf("a reading is a line of at most %d characters", maxReading), "methods", i, "reading")
	}
	if c.has("select", i) && s.Grid.IsZero() && s.Restarts <= 1 {
		c.fault("select chooses among the settings of a grid, which this stanza does not have; remove select", "methods", i, "select")
	}
	c.choice(&c.spec.Methods[i].Select, c.spec.Select, "methods", i, "select")
	chooses := !s.Grid.IsZero() || s.Restarts > 1
	if chooses && c.spec.Methods[i].Select.On == onTraining && s.Unlabeled == results.UnlabeledJoint {
		c.fault("under `unlabeled: joint` a setting is chosen on the validation samples; write `select: {on: validation}` in the stanza, or remove unlabeled",
			"methods", i, "unlabeled")
	}
	if m.Imported && (!s.Grid.IsZero() || s.Restarts > 1) {
		c.fault("imported predictions are final; remove grid and restarts", "methods", i)
	}
}

// only checks the data sets that a stanza is restricted to, and makes them ids.
func (c *checker) only(i int) {
	s := &c.spec.Methods[i]
	for k, name := range s.Only {
		e, err := c.spec.find(name)
		switch {
		case err != nil:
			c.fault(err.Error(), "methods", i, "only", k)
		case slices.Contains(s.Only[:k], e.ID):
			c.fault(fmt.Sprintf("data set %s is listed twice", e.ID), "methods", i, "only", k)
		case !slices.ContainsFunc(c.spec.Entries, func(of datasets.Entry) bool { return of.ID == e.ID }):
			c.fault(fmt.Sprintf("%s is no data set of this spec; add it to datasets, or remove it here", e.ID), "methods", i, "only", k)
		default:
			s.Only[k] = e.ID
		}
	}
}

// environment checks the variables that a stanza hands to its program, and returns
// the family of programs that are given them.
func (c *checker) environment(i int, m method.Method) method.Family {
	names := c.spec.Methods[i].Env
	if len(names) == 0 {
		return m.Family
	}
	family, ok := m.Family.(method.Outside)
	if !ok {
		c.fault(m.Name+" starts no program; remove env", "methods", i, "env")
		return m.Family
	}
	if len(names) > maxVariables {
		c.fault(fmt.Sprintf("env has %d names, want at most %d", len(names), maxVariables), "methods", i, "env")
		return m.Family
	}
	for k, name := range names {
		if err := family.CheckVariable(name); err != nil {
			c.fault(err.Error(), "methods", i, "env", k)
		} else if slices.Contains(names[:k], name) {
			c.fault(name+" is listed twice", "methods", i, "env", k)
		}
	}
	return family.Given(names)
}

// columns spells out the sweep of a stanza and the numbers of neighbors. A swept column
// is named after its values, "e-r2lml:metrics=3", and so is one of several k: "rca:k=3".
func (c *checker) columns(g *grid, i int, m method.Method, ks []int) []Column {
	s := c.spec.Methods[i]
	var columns []Column
	all, line := g.swept(), strictyaml.At(c.root, "methods", i).Line
	for n := range len(all) * len(ks) {
		swept, k := all[n/len(ks)], ks[n%len(ks)]
		col := Column{ID: s.Name, Method: m, Restarts: max(s.Restarts, 1), Seeds: s.Seeds, Only: s.Only, Measure: slices.Concat(c.spec.Measure, s.Measure),
			Settings: map[string][]method.Setting{}, Neighbors: map[string]int{}, Line: line, MaxTrain: s.MaxTrain,
			points: map[*method.Setting][]results.Point{}}
		if size(g.axes)*max(s.Restarts, 1) > 1 {
			col.Folds = s.Select.Folds
			if s.Select.Metric != results.Accuracy {
				col.Select = s.Select.Metric
			}
		}
		s.read(&col)
		if s.Unlabeled == results.UnlabeledJoint {
			col.Unlabeled = s.Unlabeled
		}
		if col.Seeds.all == 0 {
			col.Seeds.all = c.spec.Seeds
		}
		for _, v := range swept {
			col.Swept = append(col.Swept, Swept{v.Content[0].Value, v.Content[1].Value})
			col.ID += ":" + v.Content[0].Value + "=" + v.Content[1].Value
		}
		col.Reading = s.Variant
		for _, v := range col.Swept {
			if s.Variant != "" {
				col.Reading += ", " + v.Name + " " + v.Value
			}
		}
		if len(ks) > 1 {
			col.Swept = append(col.Swept, Swept{method.RuleKey, strconv.Itoa(k)})
			col.ID += ":" + method.RuleKey + "=" + strconv.Itoa(k)
		}
		if !c.resolve(g, &col, swept, k, i) {
			return columns
		}
		if twin := slices.IndexFunc(columns, col.same); twin >= 0 {
			other := all[twin/len(ks)]
			k := slices.IndexFunc(swept, func(v *yaml.Node) bool { return !slices.Contains(other, v) })
			c.d.Errorf(swept[k].Content[1], "column %q has the same settings as %q on every data set; keep one of the values", col.ID, columns[twin].ID)
			return columns
		}
		columns = append(columns, col)
	}
	c.foldable(i, columns[0])
	return columns
}

// same tells whether two columns of a stanza have equal settings on every data
// set, of which there must be one.
func (c Column) same(other Column) bool {
	return len(c.Settings) > 0 && maps.Equal(c.Neighbors, other.Neighbors) && reflect.DeepEqual(c.Settings, other.Settings)
}

// resolve works out the settings of every data set; those without parameters of their
// own share them. The first impossible one is reported and makes the result false.
func (c *checker) resolve(g *grid, col *Column, swept []*yaml.Node, k, i int) bool {
	first := map[ownParams]string{} // data set, by its own parameters
	for _, e := range c.spec.Entries {
		own := g.own(e.ID)
		if twin, ok := first[own]; ok {
			col.Settings[e.ID], col.Neighbors[e.ID] = col.Settings[twin], col.Neighbors[twin]
			continue
		}
		first[own] = e.ID
		settings, err := g.settings(own, swept)
		if err != nil {
			c.fault(fmt.Sprintf("%s on %s: %v", col.Method.ID, e.ID, err), "methods", i)
			return false
		}
		col.ruled(e.ID, settings, k)
		col.Settings[e.ID] = settings
		col.points[&settings[0]] = col.Points(e.ID)
	}
	return true
}

// Seeds says how often a stochastic method is fitted, selection included: one
// number for all data sets, or a mapping such as {all: 1, sonar: 3}, in which
// single data sets take precedence. 0 stands for the number of the spec.
type Seeds struct {
	all  int
	sets map[string]int // by id

	unknown []*yaml.Node // names in sets that only the spec's own data can have
}

// of is the number for a data set, or otherwise when none is given.
func (s Seeds) of(dataset string, otherwise int) int {
	n, ok := s.sets[dataset]
	if !ok {
		n = s.all
	}
	if n == 0 {
		n = otherwise
	}
	return n
}

// most is the largest number for any data set.
func (s Seeds) most() int {
	return max(s.all, slices.Max(append(slices.Collect(maps.Values(s.sets)), 0)))
}

// DecodeYAML reads a number or a mapping of numbers by data set.
func (s *Seeds) DecodeYAML(d *strictyaml.Decoder, n *yaml.Node) {
	if n.Kind != yaml.MappingNode {
		s.all = seedCount(d, n)
		return
	}
	s.sets = map[string]int{}
	for _, p := range d.Pairs(n) {
		count := seedCount(d, p.Value)
		if p.Key.Value == allDatasets {
			s.all = count
			continue
		}
		e, err := FindDataset(p.Key.Value)
		if err != nil {
			s.unknown = append(s.unknown, p.Key)
			s.sets[p.Key.Value] = count
			continue
		}
		if _, twice := s.sets[e.ID]; twice {
			d.Errorf(p.Key, "data set %s has two numbers of seeds; keep one", e.ID)
		}
		s.sets[e.ID] = count
	}
}

// seedCount reads a number of seeds and reports one that is out of bounds.
func seedCount(d *strictyaml.Decoder, n *yaml.Node) int {
	var count int
	d.Decode(n, &count)
	if count < 0 || count > MaxRuns {
		d.Errorf(n, "%s", fmt.Sprintf("seeds is %d, want a number from 0 to %d", count, MaxRuns))
	}
	return count
}
