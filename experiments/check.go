package experiments

import (
	"fmt"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

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
	c.atLeastZero(c.spec.Seeds, "seeds")
	c.atLeastZero(c.spec.Neighbors, "neighbors")
	c.spec.Seeds = max(c.spec.Seeds, 1)
	if c.spec.Neighbors == 0 {
		c.spec.Neighbors = 5
	}
	c.split()
	c.test()
	c.datasets()
	c.methods()
}

// fault records an error at the node that path leads to.
func (c *checker) fault(msg string, path ...any) {
	c.d.Errorf(at(c.root, path...), "%s", msg)
}

func (c *checker) atLeastZero(v int, path ...any) {
	if v < 0 {
		c.fault(fmt.Sprintf("%s is %d, want 0 or more", path[len(path)-1], v), path...)
	}
}

func (c *checker) split() {
	s := &c.spec.Split
	c.oneOf(&s.Rule, []string{"authors", "random"}, "split", "rule")
	c.oneOf(&s.PCA, []string{"all", "train"}, "split", "pca")
	c.atLeastZero(s.Repeats, "split", "repeats")
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

func (c *checker) datasets() {
	if len(c.spec.Datasets) == 0 {
		c.fault("a spec needs data sets; add `datasets: all` or a list of ids", "datasets")
	}
	for i, name := range c.spec.Datasets {
		found, err := FindDatasets(name)
		if err != nil {
			c.fault(err.Error(), "datasets", i)
		}
		c.spec.Entries = append(c.spec.Entries, found...)
	}
	seen := map[string]bool{}
	for _, e := range c.spec.Entries {
		if seen[e.ID] {
			c.fault(fmt.Sprintf("data set %s is listed twice", e.ID), "datasets")
		}
		seen[e.ID] = true
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
	c.atLeastZero(s.Restarts, "methods", i, "restarts")
	if s.Restarts > 1 && !m.Stochastic {
		c.fault(m.Name+" draws no random numbers; remove restarts", "methods", i, "restarts")
	}
	col := Column{ID: s.Name, Method: m, Restarts: max(s.Restarts, 1), settings: map[string][]setting{}}
	g := grid{d: &strictyaml.Decoder{File: c.d.File}, family: m.family, params: &s.Params, overrides: map[string]*yaml.Node{}}
	g.axes = g.readAxes(&s.Grid)
	g.checkParams()
	g.readOverrides(&s.Datasets)
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
