package strictyaml

import (
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"
)

// At walks from n by keys of mappings (strings) and indices of lists (ints, from 0). It
// returns the node at the end of path, or the last node that exists. A node that is not a
// list counts as a list of one item.
func At(n *yaml.Node, path ...any) *yaml.Node {
	for _, step := range path {
		if _, place := step.(int); place && n.Kind != yaml.SequenceNode {
			continue
		}
		next := Child(n, step)
		if next == nil {
			return n
		}
		n = next
	}
	return n
}

// Items returns the items of a list; a node that is not a list is its only item.
func Items(n *yaml.Node) []*yaml.Node {
	if n.Kind == yaml.SequenceNode {
		return n.Content
	}
	return []*yaml.Node{n}
}

// Several is a list; a file may have one value instead.
type Several[T any] []T

// DecodeYAML reads one value or a list of them.
func (s *Several[T]) DecodeYAML(d *Decoder, n *yaml.Node) {
	for _, item := range Items(n) {
		var one T
		d.Decode(item, &one)
		*s = append(*s, one)
	}
}

// Child returns the value of a key or an item of a list; nil if n has none.
func Child(n *yaml.Node, step any) *yaml.Node {
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

// Flow formats a scalar or a list in flow style without the line breaks of the encoder.
func Flow(n *yaml.Node) string {
	if n.Kind == yaml.SequenceNode {
		parts := make([]string, len(n.Content))
		for i, item := range n.Content {
			parts[i] = Flow(item)
		}
		return "[" + strings.Join(parts, ", ") + "]"
	}
	bare := *n
	bare.HeadComment, bare.LineComment, bare.FootComment = "", "", "" // a comment would hide the rest of the line
	b, err := yaml.Marshal(&bare)
	if err != nil {
		panic(err) // cannot happen: a scalar
	}
	s := strings.TrimSuffix(string(b), "\n")
	if strings.ContainsAny(n.Value, ",[]{}\n") || strings.Contains(s, "\n") {
		return strconv.Quote(n.Value)
	}
	return s
}
