package spec

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"gopkg.in/yaml.v3"

	"r2lmlbench/experiments"
	"r2lmlbench/experiments/registry"
	"r2lmlbench/internal/strictyaml"
)

// base reads the spec that the key base names, from which the spec takes its reading and
// stanzas take the parameters of single data sets. Its faults are reported at its own lines.
func (c *checker) base() {
	name := c.spec.Base
	if name == "" || c.isBase {
		return
	}
	base, err := other(c.d.File, name, checker{isBase: true})
	switch {
	case c.foreign(err, "base", "base "+name):
	case base.Base != "":
		c.fault(fmt.Sprintf("%s has a base itself; name that, which is %s, or remove it there", name, base.Base), "base")
	default:
		c.parent = base
	}
}

// foreign reports an error about another file that a key of the spec names, faults at their
// own lines; false without an error.
func (c *checker) foreign(err error, key, what string) bool {
	var faults strictyaml.Errors
	var missing *missingError
	switch {
	case errors.As(err, &faults):
		c.d.Add(faults)
	case errors.As(err, &missing):
		c.fault(err.Error(), key)
	case err != nil:
		c.fault(fmt.Sprintf("%s: %v", what, err), key)
	}
	return err != nil
}

// A missingError is about a file that a spec names and that cannot be read.
type missingError struct{ error }

// others are the embedded specs that were read for another, by name: many specs of one
// command have the same.
var others sync.Map // of func() (*Spec, error)

// other reads the spec that a file names: an embedded one, or a file whose path starts at
// the folder of the file that names it. as says what it is read for.
func other(from, name string, as checker) (*Spec, error) {
	if b, err := experiments.Specs.ReadFile(name + ".yaml"); err == nil {
		read, _ := others.LoadOrStore(name, sync.OnceValues(func() (*Spec, error) {
			return parse(name+".yaml", b, checker{embedded: true, isOrigin: true})
		}))
		return read.(func() (*Spec, error))()
	}
	file := beside(from, name)
	b, err := readSpec(file)
	if errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("there is no file %s and no embedded spec %s%s; embedded are %s",
			file, name, suggest(name, experiments.Names()), strings.Join(experiments.Names(), ", "))
	}
	if err != nil {
		return nil, &missingError{err}
	}
	return parse(file, b, as)
}

// beside is a path that starts at the folder of a file.
func beside(from, name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(filepath.Dir(from), name)
}

// inherited returns, by data set, the parameters that the first stanza of a
// method has in the base; none without a base or such a stanza.
func (c *checker) inherited(method string) map[string]*yaml.Node {
	params := map[string]*yaml.Node{}
	if c.parent == nil {
		return params
	}
	for _, s := range c.parent.Methods {
		if s.Method != method {
			continue
		}
		for i := 0; i+1 < len(s.Datasets.Content); i += 2 {
			if e, err := c.parent.find(s.Datasets.Content[i].Value); err == nil {
				params[e.ID] = s.Datasets.Content[i+1]
			}
		}
		break
	}
	return params
}

// Words that stand for what the program knows: `methods: all`, `grid: default`.
const (
	allMethods  = "all"
	defaultGrid = "default"
)

// expand puts stanzas in the place of `methods: all`, and grids in the place of
// `grid: default`, so that a spec is read as if they were written out. The lines of faults
// stay those of the words.
func (c *checker) expand(root *yaml.Node) {
	list := strictyaml.Child(root, "methods")
	if list == nil {
		return
	}
	if list.Kind == yaml.ScalarNode && list.Value == allMethods {
		// A base has the steps that R2LML is without otherwise.
		*list = *everyMethod(list, strictyaml.Child(root, "base") == nil)
	}
	for i, stanza := range list.Content {
		grid := strictyaml.Child(stanza, "grid")
		if grid == nil || grid.Kind != yaml.ScalarNode || grid.Value != defaultGrid {
			continue
		}
		grids, err := Grids()
		if err != nil {
			c.d.Errorf(grid, "%v", err)
			return
		}
		id := strictyaml.At(stanza, "method").Value
		axes := grids[id]
		if _, known := registry.Find(id); known && axes == nil {
			c.d.Errorf(grid, "%s has no default grid; remove `grid`, or list values", id)
		}
		written := &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map", Line: grid.Line, Column: grid.Column}
		for _, axis := range axes {
			var values yaml.Node
			if err := values.Encode(axis.Values); err != nil {
				c.d.Errorf(grid, "%v", err)
			}
			placeAt(&values, grid)
			written.Content = append(written.Content, scalarAt(grid, axis.Name), &values)
		}
		list.Content[i] = withGrid(stanza, grid, written)
	}
}

// everyMethod are stanzas of all methods that learn in this program, each with its default
// grid where it has one.
func everyMethod(at *yaml.Node, steps bool) *yaml.Node {
	list := &yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq", Line: at.Line, Column: at.Column}
	grids, _ := Grids() // an error is told for the first grid
	for _, m := range registry.Methods {
		if m.Imported || m.OutOfProcess {
			continue
		}
		stanza := mappingAt(at, scalarAt(at, "method"), scalarAt(at, m.ID))
		if m.Proposed && steps {
			stanza.Content = append(stanza.Content, scalarAt(at, "params"), mappingAt(at, scalarAt(at, "step"), scalarAt(at, "auto")))
		}
		if grids == nil || grids[m.ID] != nil {
			stanza.Content = append(stanza.Content, scalarAt(at, "grid"), scalarAt(at, defaultGrid))
		}
		list.Content = append(list.Content, stanza)
	}
	return list
}

// withGrid is a stanza with another grid. Stanzas that an alias repeats stay as they are.
func withGrid(stanza, grid, written *yaml.Node) *yaml.Node {
	changed := *stanza
	changed.Content = slices.Clone(stanza.Content)
	changed.Content[slices.Index(changed.Content, grid)] = written
	return &changed
}

func scalarAt(at *yaml.Node, value string) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: value, Line: at.Line, Column: at.Column}
}

func mappingAt(at *yaml.Node, content ...*yaml.Node) *yaml.Node {
	return &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map", Content: content, Line: at.Line, Column: at.Column}
}

// placeAt gives nodes the place of another.
func placeAt(n, at *yaml.Node) {
	n.Line, n.Column = at.Line, at.Column
	for _, child := range n.Content {
		placeAt(child, at)
	}
}
