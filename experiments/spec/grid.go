package spec

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"

	"gopkg.in/yaml.v3"

	"r2lmlbench/experiments"
	"r2lmlbench/experiments/method"
	"r2lmlbench/internal/strictyaml"
	"r2lmlbench/r2lml"
	"r2lmlbench/results"
)

// A Column is a column of the table: a method and, for every data set of the spec,
// the settings to try.
type Column struct {
	ID        string // unique in the spec
	Method    method.Method
	Restarts  int      // random starts of every setting
	Seeds     Seeds    // fits of a stochastic method, selection included
	Only      []string // ids of the data sets that it is fitted to; empty: all
	Measure   []string // measures of its fits
	Unlabeled string   // results.Inputs.Unlabeled of its cells
	Select    string   // metric for choosing a setting; "": accuracy
	Folds     int      // folds of the cross-validation on training samples for choosing a setting; 0: validation samples
	Voting    r2lml.Voting
	Reading   string // name of its protocol in the table of readings; "": not in that table
	Swept     []Swept
	Neighbors map[string]int // k of the k-NN rule by data set id; 0: the settings have several, or predictions are imported
	Line      int            // line of the method block in the spec, from 1

	Settings map[string][]method.Setting // by data set id, in grid order

	points       map[*method.Setting][]results.Setting // cache of Grid, by the first setting
	standardized bool                                  // features before principal components
}

// A Swept is the value of a swept parameter in a column: each value of a sweep makes
// a column.
type Swept struct {
	Name  string
	Value string // as written in the spec
}

// An axis is a parameter and its values to try, each as the mapping
// {parameter: value}.
type axis struct {
	key    *yaml.Node
	values []*yaml.Node
}

// mapping reports whether n exists, and records a fault if it is not a mapping.
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

// readAxes reads and checks the grid or the sweep of a method block.
func (x *stanza) readAxes(n *yaml.Node, what string) []axis {
	if !mapping(x.decoder, n, what, "lists of values by parameter, such as {gamma: [0.1, 1]}") {
		return nil
	}
	var axes []axis
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, list := n.Content[i], n.Content[i+1]
		if list.Kind != yaml.SequenceNode || len(list.Content) == 0 {
			x.decoder.Errorf(list, "%s of %s is not a list of values; write [value, ...]", what, key.Value)
			continue
		}
		a := axis{key: key}
		known := map[string]bool{}
		for _, value := range list.Content {
			single := &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map", Line: key.Line, Column: key.Column, Content: []*yaml.Node{key, value}}
			x.check(single)
			a.values = append(a.values, single)
			d := &strictyaml.Decoder{} // its faults are reported already
			params := fmt.Sprintf("%#v", method.ParamsOf(x.m.Decode(d, []*yaml.Node{single})))
			if d.Err() == nil && known[params] && what == "grid" { // equal columns of a sweep are reported elsewhere
				x.decoder.Errorf(value, "%s has %s twice, and would be fitted with it twice; keep one", key.Value, cmp.Or(value.Value, "a value"))
			}
			known[params] = true
		}
		axes = append(axes, a)
	}
	return axes
}

// mapped checks the parameters of a mapping, which must not be searched as well. It returns
// whether n is a mapping.
func (x *stanza) mapped(n *yaml.Node, key, want string) bool {
	if !mapping(x.decoder, n, key, "values by parameter, such as "+want) {
		return false
	}
	x.check(n)
	for i := 0; i < len(n.Content); i += 2 {
		x.refuseIn(n.Content[i], x.axes, "searched in grid")
		x.refuseIn(n.Content[i], x.sweep, "swept")
	}
	return true
}

// readOverrides reads the parameters of single data sets.
func (x *stanza) readOverrides() {
	n := &x.Datasets
	if !mapping(x.decoder, n, "datasets", "parameters by data set, such as {robot: {step: 1e-5}}") {
		return
	}
	for k := 0; k < len(n.Content); k += 2 {
		key, value := n.Content[k], n.Content[k+1]
		e, err := x.spec.find(key.Value)
		if err != nil {
			x.decoder.Errorf(key, "%v", err)
		} else if x.mapped(value, "parameters of "+e.ID, "{step: 1e-5}") {
			x.overrides[e.ID] = value
		}
	}
}

// check reports the parameters of a mapping that are unknown, of the wrong type
// or beyond their bounds.
func (x *stanza) check(n *yaml.Node) {
	x.m.Decode(x.decoder, []*yaml.Node{n})
	for _, t := range []reflect.Type{x.m.Family.Prototype(), reflect.TypeFor[method.Features](), reflect.TypeFor[method.Rule]()} {
		checkTags(x.decoder, n, reflect.New(t).Elem())
	}
}

// size returns the number of settings of the cross product of axes.
func size(axes []axis) int {
	size := 1
	for _, a := range axes {
		size = min(size*len(a.values), maxPoints+1)
	}
	return size
}

// refuseIn reports a parameter that is also in axes.
func (x *stanza) refuseIn(key *yaml.Node, axes []axis, how string) {
	for _, a := range axes {
		if a.key.Value == key.Value {
			x.decoder.Errorf(key, "%s is also %s; keep one of the two", a.key.Value, how)
		}
	}
}

// swept returns a list of values for each column of the sweep; the first parameter
// varies slowest. Without a sweep it returns one empty list.
func (x *stanza) swept() [][]*yaml.Node {
	columns := [][]*yaml.Node{nil}
	for _, a := range x.sweep {
		columns = extend(columns, a.values)
	}
	return columns
}

// ownParams are the parameters of a single data set; nil: none.
type ownParams struct{ inherited, override *yaml.Node }

// settings returns the resolved settings of a data set with its own parameters and the
// swept values of one column, in grid order.
func (x *stanza) settings(own ownParams, swept []*yaml.Node) ([]method.Setting, error) {
	fixed := append([]*yaml.Node{x.common, own.inherited, &x.Params, own.override}, swept...)
	fixed = slices.DeleteFunc(fixed, func(n *yaml.Node) bool { return n == nil || n.IsZero() })
	layers := [][]*yaml.Node{fixed}
	for _, a := range x.axes {
		layers = extend(layers, a.values)
	}
	settings := make([]method.Setting, len(layers))
	for i, l := range layers {
		s, err := x.m.Resolve(x.m.Decode(x.decoder, l))
		if err != nil {
			return nil, err
		}
		settings[i] = s
	}
	return settings, nil
}

// extend returns every list of layers with every value appended; values vary
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

// SeedsOf returns the number of seeds of a column on a data set: 1 if nothing is drawn.
func (c *Column) SeedsOf(dataset string) int {
	if c.Draws() {
		return c.Seeds.of(dataset, 1)
	}
	return 1
}

// LeavesOut reports whether the column is restricted to other data sets.
func (c *Column) LeavesOut(dataset string) bool {
	return len(c.Only) > 0 && !slices.Contains(c.Only, dataset)
}

// Grid lists the settings to try on a data set, in grid order and with the restarts
// of each together. Callers share the list and must not change it.
func (c *Column) Grid(dataset string) []results.Setting {
	settings := c.Settings[dataset]
	if len(settings) > 0 && len(c.points[&settings[0]]) == len(settings)*c.Restarts {
		return c.points[&settings[0]]
	}
	var points []results.Setting
	for _, s := range settings {
		for restart := range c.Restarts {
			points = append(points, results.Setting{Params: method.ParamsOf(s), Restart: restart})
		}
	}
	return points
}

// Scaled reports whether some setting scales the features; the published tables have
// raw features.
func (c *Column) Scaled() bool {
	for _, settings := range c.Settings {
		for _, s := range settings {
			if s.Features.Scaling != "" {
				return true
			}
		}
	}
	return false
}

// Heading returns the heading of a column: the name of the method, or the name in
// the spec.
func (c Column) Heading() string {
	if c.ID == c.Method.ID {
		return c.Method.Name
	}
	return c.ID
}

// SweptValues returns the swept parameters of a column by name, nil without a sweep.
func (c Column) SweptValues() map[string]string {
	if len(c.Swept) == 0 {
		return nil
	}
	values := map[string]string{}
	for _, s := range c.Swept {
		values[s.Name] = s.Value
	}
	return values
}

// Axes are the searched parameters of a method block with their values, in file
// order. As JSON they are an object in that order.
type Axes []Axis

// An Axis is one searched parameter.
type Axis struct {
	Name   string
	Values []any
}

// String formats the axes: "metrics=[1 2] lambda=[0.1 1]".
func (a Axes) String() string {
	parts := make([]string, len(a))
	for i, axis := range a {
		parts[i] = fmt.Sprintf("%s=%v", axis.Name, axis.Values)
	}
	return strings.Join(parts, " ")
}

// MarshalJSON keeps the order of the axes.
func (a Axes) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, axis := range a {
		if i > 0 {
			b.WriteByte(',')
		}
		values, err := json.Marshal(axis.Values)
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&b, "%q:%s", axis.Name, values)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// Grids returns the default grid of each method that has one, from the spec of all
// methods; for the paper's eight methods it is the paper's. Callers share the map.
func Grids() (map[string]Axes, error) { return grids() }

var grids = sync.OnceValues(func() (map[string]Axes, error) {
	b, err := experiments.Specs.ReadFile("beyond.yaml")
	if err != nil {
		return nil, err
	}
	var beyond struct {
		Methods []struct {
			Method string    `yaml:"method"`
			Grid   yaml.Node `yaml:"grid"`
		} `yaml:"methods"`
	}
	if err := yaml.Unmarshal(b, &beyond); err != nil {
		return nil, err
	}
	all := map[string]Axes{}
	for _, s := range beyond.Methods {
		for i := 0; i+1 < len(s.Grid.Content); i += 2 {
			axis := Axis{Name: s.Grid.Content[i].Value}
			if err := s.Grid.Content[i+1].Decode(&axis.Values); err != nil {
				return nil, err
			}
			all[s.Method] = append(all[s.Method], axis)
		}
	}
	return all, nil
})
