package spec

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"r2lmlbench/experiments/method"
	"r2lmlbench/internal/strictyaml"
)

// A KList holds the numbers of neighbors of a spec. Each makes a column of every method
// without its own k.
type KList []int

// DecodeYAML reads a number or a list of numbers.
func (ks *KList) DecodeYAML(d *strictyaml.Decoder, n *yaml.Node) {
	d.Decode(n, (*strictyaml.Several[int])(ks))
}

// defaultNeighbors is the k of the paper.
const defaultNeighbors = 5

// neighbors checks the numbers of neighbors; no number, or only 0, means the default.
func (c *checker) neighbors() {
	ks := c.spec.Neighbors
	listed := strictyaml.At(c.root, "neighbors").Kind == yaml.SequenceNode
	var valid KList
	for i, k := range ks {
		least := 0
		if listed {
			least = 1
		}
		switch {
		case k < least || k > maxNeighbors:
			c.fault(fmt.Sprintf("neighbors is %d, want a number from %d to %d", k, least, maxNeighbors), "neighbors", i)
		case slices.Contains(ks[:i], k):
			c.fault(fmt.Sprintf("neighbors has %d twice; each makes a column", k), "neighbors", i)
		default:
			valid = append(valid, k)
		}
	}
	if len(ks) > maxColumns {
		c.fault(fmt.Sprintf("neighbors makes more than %d columns", maxColumns), "neighbors")
		valid = nil
	}
	if listed && len(ks) == 0 {
		c.fault("neighbors is an empty list; give one k or more, such as [1, 5, 15]", "neighbors")
	}
	if len(valid) == 0 || valid[0] == 0 {
		valid = KList{defaultNeighbors}
	}
	c.spec.Neighbors = valid
}

// sets reports whether some mapping of the method block has a parameter.
func (x *stanza) sets(name string) bool {
	named := func(a axis) bool { return a.key.Value == name }
	return slices.ContainsFunc(x.axes, named) || slices.ContainsFunc(x.sweep, named) || strictyaml.Child(&x.Params, name) != nil
}

// ruled sets the k of a column on a data set: the k of its settings if they all have the
// same one, k if they have none, 0 if they have several. A common k is removed from the
// parameters of the settings.
func (col *Column) ruled(dataset string, settings []method.Setting, k int) {
	own := settings[0].Rule.K
	if slices.ContainsFunc(settings, func(s method.Setting) bool { return s.Rule.K != own }) {
		col.Neighbors[dataset] = 0
		return
	}
	if own != 0 {
		k = own
		for i, s := range settings {
			settings[i] = s.Fitted()
		}
	}
	col.Neighbors[dataset] = k
}

// String lists the numbers: "1, 5".
func (ks KList) String() string {
	texts := make([]string, len(ks))
	for i, k := range ks {
		texts[i] = strconv.Itoa(k)
	}
	return strings.Join(texts, ", ")
}
