package strictyaml

import (
	"cmp"
	"fmt"
	"reflect"
	"strings"
	"sync"

	"gopkg.in/yaml.v3"
)

// Pair is one entry of a mapping.
type Pair struct{ Key, Value *yaml.Node }

// Pairs returns the entries of the mapping n in file order. It records a mistake if
// n is not a mapping, and for keys that are not names and duplicate keys, which it
// leaves out. A nil or zero node has no entries.
func (d *Decoder) Pairs(n *yaml.Node) []Pair {
	if absent(n) {
		return nil
	}
	if kindOf(n) != mapping {
		d.wrongType(n, "a mapping")
		return nil
	}
	var pairs []Pair
	first := make(map[string]*yaml.Node)
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		if key.Kind != yaml.ScalarNode || kindOf(key) == null {
			d.wrongType(key, "a name as the key")
			continue
		}
		if f, ok := first[key.Value]; ok {
			d.Errorf(key, "duplicate key %s; the first is on line %d", quote(key.Value), f.Line)
			continue
		}
		first[key.Value] = key
		pairs = append(pairs, Pair{key, value})
	}
	return pairs
}

// Divide is Decode to several structs: it decodes each key of the mapping n to the first
// struct with that key.
func (d *Decoder) Divide(n *yaml.Node, structs ...any) {
	for _, p := range d.Pairs(n) {
		if field := Field(p.Key.Value, structs...); field != nil {
			d.Decode(p.Value, field)
			continue
		}
		var known []string
		for _, s := range structs {
			known = append(known, layoutOf(reflect.TypeOf(s).Elem()).names...)
		}
		d.Errorf(p.Key, "%s", Unknown("key", p.Key.Value, known))
	}
}

// Field points to the field for a key in the first of several structs that has it; nil
// without one.
func Field(key string, structs ...any) any {
	for _, s := range structs {
		if i, ok := layoutOf(reflect.TypeOf(s).Elem()).index[key]; ok {
			return reflect.ValueOf(s).Elem().FieldByIndex(i).Addr().Interface()
		}
	}
	return nil
}

// A layout has the keys of a struct type.
type layout struct {
	names []string         // in the order of declaration
	index map[string][]int // of their fields, for reflect.Value.FieldByIndex
}

// layouts caches the layouts of decoded types, because a grid decodes many values of a
// type.
var layouts sync.Map // reflect.Type to layout

func layoutOf(t reflect.Type) layout {
	if known, ok := layouts.Load(t); ok {
		return known.(layout)
	}
	l := layout{index: map[string][]int{}}
	for _, f := range reflect.VisibleFields(t) {
		name, _, _ := strings.Cut(f.Tag.Get("yaml"), ",")
		if name == "-" || !f.IsExported() || f.Anonymous {
			continue
		}
		name = cmp.Or(name, strings.ToLower(f.Name))
		if l.index[name] != nil {
			panic(fmt.Sprintf("strictyaml: %v has two fields for the key %q", t, name))
		}
		l.index[name], l.names = f.Index, append(l.names, name)
	}
	layouts.Store(t, l)
	return l
}
