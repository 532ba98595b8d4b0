package experiments

import (
	"fmt"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"r2lmlbench/datasets"
	"r2lmlbench/internal/strictyaml"
	"r2lmlbench/stats"
)

// A checker fills in the defaults of a decoded spec and looks its names up.
// Every fault becomes an error of d with its place in the file.
type checker struct {
	d    *strictyaml.Decoder
	root *yaml.Node
	spec *Spec
}

func (c *checker) check() {
	if c.spec.Name == "" {
		c.fault("a spec needs a name; add `name: ...`", "name")
	}
	c.within(c.spec.Seeds, maxRuns, "seeds")
	c.within(c.spec.Neighbors, maxNeighbors, "neighbors")
	c.spec.Seeds = max(c.spec.Seeds, 1)
	if c.spec.Neighbors == 0 {
		c.spec.Neighbors = 5
	}
	c.split()
	c.test()
	c.gate()
	c.datasets()
	c.methods()
}

// fault records an error at the node that path leads to.
func (c *checker) fault(msg string, path ...any) {
	c.d.Errorf(at(c.root, path...), "%s", msg)
}

// What a spec may ask for at most; more is a slip, or an attempt to fill the
// memory of whoever runs it.
const (
	maxRuns      = 10_000 // seeds, repeats of a split, restarts
	maxNeighbors = 1_000_000
	maxPoints    = 10_000 // settings of a grid times restarts
)

func (c *checker) within(v, most int, path ...any) {
	if v < 0 || v > most {
		c.fault(fmt.Sprintf("%s is %d, want a number from 0 to %d", path[len(path)-1], v, most), path...)
	}
}

func (c *checker) split() {
	s := &c.spec.Split
	c.oneOf(&s.Rule, []string{"authors", "random"}, "split", "rule")
	c.oneOf(&s.PCA, []string{"all", "train"}, "split", "pca")
	c.within(s.Repeats, maxRuns, "split", "repeats")
	s.Repeats = max(s.Repeats, 1)
	if s.Rule == "authors" && s.Repeats > 1 {
		c.fault("the authors' split is one; repeats need `rule: random`", "split", "repeats")
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
		c.fault(fmt.Sprintf("%s is one split already and cannot be divided at random; use `rule: authors`", e.ID), "datasets", i)
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
		m, ok := FindMethod(s.Method)
		if s.Method == "" {
			if child(at(c.root, "methods", i), "method") == nil && at(c.root, "methods", i).Kind == yaml.MappingNode {
				c.fault("a stanza needs a method; add `method: ...`", "methods", i)
			}
			continue
		}
		if !ok {
			c.fault(fmt.Sprintf("unknown method %q%s", s.Method, suggest(s.Method, MethodIDs())), "methods", i, "method")
			continue
		}
		if s.Name == "" {
			s.Name = m.ID
		}
		if seen[s.Name] {
			c.fault(fmt.Sprintf("two columns are called %q; give one of them a `name`", s.Name), "methods", i)
		}
		seen[s.Name] = true
		c.stanza(i, m)
	}
}

func (c *checker) stanza(i int, m Method) {
	s := c.spec.Methods[i]
	c.within(s.Restarts, maxRuns, "methods", i, "restarts")
	if s.Restarts > 1 && !m.Stochastic {
		c.fault(m.Name+" draws no random numbers; remove restarts", "methods", i, "restarts")
	}
	if m.Imported && (!s.Grid.IsZero() || s.Restarts > 1) {
		c.fault("imported predictions are final; remove grid and restarts", "methods", i)
	}
	col := Column{ID: s.Name, Method: m, Restarts: max(s.Restarts, 1), settings: map[string][]setting{}}
	g := grid{d: &strictyaml.Decoder{File: c.d.File}, family: m.family, params: &s.Params, overrides: map[string]*yaml.Node{}}
	g.axes = g.readAxes(&s.Grid)
	g.checkParams()
	g.readOverrides(&s.Datasets)
	if n := g.size() * col.Restarts; n > maxPoints {
		g.d.Errorf(&s.Grid, "the grid has %d points with its restarts, want at most %d", n, maxPoints)
	}
	if g.d.Err() == nil {
		c.resolve(&g, &col, i)
	}
	c.d.Join(g.d)
	c.spec.Columns = append(c.spec.Columns, col)
}

// resolve works out the settings of every data set; the first impossible one
// is reported.
func (c *checker) resolve(g *grid, col *Column, i int) {
	for _, e := range c.spec.Entries {
		settings, err := g.settings(e.ID)
		if err != nil {
			c.fault(fmt.Sprintf("%s on %s: %v", col.Method.ID, e.ID, err), "methods", i)
			return
		}
		col.settings[e.ID] = settings
	}
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
