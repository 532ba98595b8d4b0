package spec

import (
	"fmt"
	"slices"

	"gopkg.in/yaml.v3"

	"r2lmlbench/experiments/registry"
	"r2lmlbench/internal/strictyaml"
)

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

// Untuned lists the columns that have one setting, beside others that are tuned, although
// their methods have default grids, too: they are at a disadvantage. Columns of a sweep are
// settings that are compared on purpose.
func (s *Spec) Untuned() []*Column {
	grids, err := Grids()
	if err != nil {
		return nil // told where a grid is wanted
	}
	tuned := false
	var untuned []*Column
	for i := range s.Columns {
		c := &s.Columns[i]
		if grids[c.Method.ID] == nil || len(c.Swept) > 0 {
			continue
		}
		most := 0
		for _, e := range s.Entries {
			most = max(most, len(c.Settings[e.ID])*c.Restarts)
		}
		if most > 1 {
			tuned = true
		} else {
			untuned = append(untuned, c)
		}
	}
	if !tuned {
		return nil
	}
	return untuned
}

// tuning warns of columns that are not tuned beside others that are.
func (w *warner) tuning() {
	for _, c := range w.spec.Untuned() {
		w.addAt(place{c.Line, 0, fmt.Sprintf("%s is not tuned, and other methods are; `grid: default` gives it the grid of `methods %s`", c.ID, c.Method.ID)}, "")
	}
}
