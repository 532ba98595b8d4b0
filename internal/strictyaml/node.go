package strictyaml

import (
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"
)

// At walks from n by keys of mappings (texts) and places in lists (ints, from 0) and
// returns the node that it reaches, or the last one on the way. What stands in the place of
// a list is its only item.
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

// Items are those of a list, or a node that is none: one in the place of a list.
func Items(n *yaml.Node) []*yaml.Node {
	if n.Kind == yaml.SequenceNode {
		return n.Content
	}
	return []*yaml.Node{n}
}

// Several are values of which a file has one, or a list.
type Several[T any] []T

// DecodeYAML reads one value or a list of them.
func (s *Several[T]) DecodeYAML(d *Decoder, n *yaml.Node) {
	for _, item := range Items(n) {
		var one T
		d.Decode(item, &one)
		*s = append(*s, one)
	}
}

// Child is the value of a key or an item of a list, nil where n has none.
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

// Flow writes a scalar or a list in flow style without the line breaks of the encoder.
func Flow(n *yaml.Node) string {
	if n.Kind == yaml.SequenceNode {
		parts := make([]string, len(n.Content))
		for i, item := range n.Content {
			parts[i] = Flow(item)
		}
		return "[" + strings.Join(parts, ", ") + "]"
	}
	bare := *n
	bare.HeadComment, bare.LineComment, bare.FootComment = "", "", "" // one would hide what follows on its line
	b, err := yaml.Marshal(&bare)
	if err != nil {
		panic(err) // a scalar
	}
	s := strings.TrimSuffix(string(b), "\n")
	if strings.ContainsAny(n.Value, ",[]{}\n") || strings.Contains(s, "\n") {
		return strconv.Quote(n.Value)
	}
	return s
}
