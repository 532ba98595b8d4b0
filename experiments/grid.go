package experiments

import (
	"gopkg.in/yaml.v3"

	"r2lmlbench/internal/strictyaml"
)

// A Column is a stanza made ready: a method and, for every data set of the
// spec, the settings to try.
type Column struct {
	ID       string // unique in the spec
	Method   Method
	Restarts int // random starts of every setting

	settings map[string][]setting // by data set id, in grid order
}

// A grid is the cross product of a stanza's axes over its fixed parameters.
type grid struct {
	d         *strictyaml.Decoder
	family    family
	params    *yaml.Node
	overrides map[string]*yaml.Node // by data set id
	axes      []axis                // in file order, the first varying slowest
}

// An axis is a parameter with the values searched; each value is kept as the
// mapping {parameter: value}.
type axis struct {
	key    *yaml.Node
	values []*yaml.Node
}

// mapping says whether n is there, and reports anything but a mapping.
func mapping(d *strictyaml.Decoder, n *yaml.Node, key, want string) bool {
	if n.IsZero() {
		return false
	}
	if n.Kind != yaml.MappingNode {
		d.Errorf(n, "%s is not a mapping, want %s", key, want)
		return false
	}
	return true
}

// readAxes reads and checks the grid of a stanza.
func (g *grid) readAxes(n *yaml.Node) []axis {
	if !mapping(g.d, n, "grid", "lists of values by parameter, such as {gamma: [0.1, 1]}") {
		return nil
	}
	var axes []axis
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, list := n.Content[i], n.Content[i+1]
		if list.Kind != yaml.SequenceNode || len(list.Content) == 0 {
			g.d.Errorf(list, "grid of %s is not a list of values; write [value, ...]", key.Value)
			continue
		}
		a := axis{key: key}
		for _, value := range list.Content {
			single := &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map", Line: key.Line, Column: key.Column, Content: []*yaml.Node{key, value}}
			g.check(single)
			a.values = append(a.values, single)
		}
		axes = append(axes, a)
	}
	return axes
}

// checkParams reports parameters that are wrong in themselves or also searched.
func (g *grid) checkParams() {
	if mapping(g.d, g.params, "params", "values by parameter, such as {epochs: 5}") {
		g.check(g.params)
		g.refuseSearched(g.params)
	}
}

// readOverrides reads the parameters of single data sets.
func (g *grid) readOverrides(n *yaml.Node) {
	if !mapping(g.d, n, "datasets", "parameters by data set, such as {robot: {step: 1e-5}}") {
		return
	}
	for k := 0; k < len(n.Content); k += 2 {
		key, value := n.Content[k], n.Content[k+1]
		e, err := FindDataset(key.Value)
		if err != nil {
			g.d.Errorf(key, "%v", err)
			continue
		}
		g.override(e.ID, value)
	}
}

// override sets the parameters of one data set.
func (g *grid) override(id string, n *yaml.Node) {
	if mapping(g.d, n, "parameters of "+id, "values by parameter, such as {step: 1e-5}") {
		g.check(n)
		g.refuseSearched(n)
		g.overrides[id] = n
	}
}

// check reports the parameters of a mapping that are unknown, of the wrong type
// or beyond their bounds.
func (g *grid) check(n *yaml.Node) {
	g.family.decode(g.d, n)
	checkBounds(g.d, n, g.family.prototype())
}

// size is the number of points of the grid.
func (g *grid) size() int {
	size := 1
	for _, a := range g.axes {
		size = min(size*len(a.values), maxPoints+1)
	}
	return size
}

func (g *grid) refuseSearched(n *yaml.Node) {
	for i := 0; i < len(n.Content); i += 2 {
		for _, a := range g.axes {
			if a.key.Value == n.Content[i].Value {
				g.d.Errorf(n.Content[i], "%s is also searched in grid; keep one of the two", a.key.Value)
			}
		}
	}
}

// settings returns the resolved settings of a data set in grid order.
func (g *grid) settings(id string) ([]setting, error) {
	layers := [][]*yaml.Node{nil}
	if !g.params.IsZero() {
		layers[0] = append(layers[0], g.params)
	}
	if o := g.overrides[id]; o != nil {
		layers[0] = append(layers[0], o)
	}
	for _, a := range g.axes {
		layers = extend(layers, a.values)
	}
	settings := make([]setting, len(layers))
	for i, l := range layers {
		s, err := g.family.resolve(g.family.decode(g.d, l...))
		if err != nil {
			return nil, err
		}
		settings[i] = s
	}
	return settings, nil
}

// extend returns every list in layers followed by every value, values varying
// faster.
func extend(layers [][]*yaml.Node, values []*yaml.Node) [][]*yaml.Node {
	var longer [][]*yaml.Node
	for _, l := range layers {
		for _, v := range values {
			longer = append(longer, append(l[:len(l):len(l)], v))
		}
	}
	return longer
}
