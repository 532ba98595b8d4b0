package strictyaml

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unicode"

	"gopkg.in/yaml.v3"
)

// Decoder decodes the nodes of one file and collects the mistakes it meets.
// If Err is not nil, its decoded values are invalid.
type Decoder struct {
	File string // name of the file, for the messages
	errs Errors
}

// Err returns nil, or all mistakes recorded so far as [Errors], in file order.
// A mistake recorded several times, for example once for each setting of a grid, is
// listed once.
func (d *Decoder) Err() error {
	if len(d.errs) == 0 {
		return nil
	}
	errs := slices.Clone(d.errs)
	slices.SortStableFunc(errs, byPosition)
	seen := make(map[Error]bool, len(errs))
	return slices.DeleteFunc(errs, func(e Error) bool {
		again := seen[e]
		seen[e] = true
		return again
	})
}

// Errorf records a mistake at the position of n. A nil node stands for the file
// as a whole.
func (d *Decoder) Errorf(n *yaml.Node, format string, args ...any) {
	if n == nil || n.Line < 1 {
		d.add(1, 0, format, args...)
		return
	}
	d.add(n.Line, n.Column, format, args...)
}

func (d *Decoder) add(line, column int, format string, args ...any) {
	d.errs = append(d.errs, Error{d.File, line, column, strings.Map(visible, fmt.Sprintf(format, args...))})
}

// visible replaces control characters (from escapes in quotes) in messages, which are one
// line each.
func visible(r rune) rune {
	if unicode.IsControl(r) {
		return ' '
	}
	return r
}

// decodesItself is implemented, on the pointer, by types that read their own node.
type decodesItself interface {
	DecodeYAML(d *Decoder, n *yaml.Node)
}

var nodeType = reflect.TypeFor[yaml.Node]()

// Decode stores the value of n in the variable dst points to, and records in d
// each mismatch. A nil or zero node means an absent key: dst keeps its value.
//
// The supported types and the YAML that they accept:
//
//	struct           a mapping without unknown or duplicate keys. A field's key
//	                 is the name in its yaml tag, or else its lower-cased name;
//	                 unexported fields and those tagged "-" have none; the fields
//	                 of an embedded struct belong to the struct around it. Absent keys leave their
//	                 fields alone, so defaults can be set beforehand.
//	[]T              a list; replaces the slice. []string also accepts a single text.
//	*T               as T
//	string, bool     a text, a truth value
//	float64          a finite number; for a type that is [Worded], also one of its words
//	int, int64, uint64
//	                 a whole number in the type's range
//	yaml.Node        anything, kept as it is and not checked
//
// A type with a method DecodeYAML(*Decoder, *yaml.Node) on its pointer reads
// its node itself, null included. To decode into its own fields it converts the
// receiver to a type without the method. Note that embedding such a type
// promotes the method.
//
// Decode panics if dst is not a pointer or leads to another type: that is a
// mistake in the program, not in the file.
func (d *Decoder) Decode(n *yaml.Node, dst any) {
	v := reflect.ValueOf(dst)
	if v.Kind() != reflect.Pointer || v.IsNil() {
		panic(fmt.Sprintf("strictyaml: Decode wants a pointer, got %T", dst))
	}
	if !absent(n) {
		d.decode(n, v.Elem())
	}
}

func absent(n *yaml.Node) bool { return n == nil || n.IsZero() }

// decode stores n in v, which can be set and has an address.
func (d *Decoder) decode(n *yaml.Node, v reflect.Value) {
	if v.Type() == nodeType {
		v.Set(reflect.ValueOf(*n))
		return
	}
	if self, ok := v.Addr().Interface().(decodesItself); ok {
		self.DecodeYAML(d, n)
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			v.Set(reflect.New(v.Type().Elem()))
		}
		d.decode(n, v.Elem())
	case reflect.Struct:
		d.Divide(n, v.Addr().Interface())
	case reflect.Slice:
		d.decodeSlice(n, v)
	default:
		d.decodeScalar(n, v)
	}
}

func (d *Decoder) decodeSlice(n *yaml.Node, v reflect.Value) {
	items := n.Content
	switch {
	case kindOf(n) == list:
	case kindOf(n) == text && v.Type().Elem().Kind() == reflect.String:
		items = []*yaml.Node{n}
	default:
		d.wrongType(n, "a list")
		return
	}
	v.Set(reflect.MakeSlice(v.Type(), len(items), len(items)))
	for i, item := range items {
		d.decode(item, v.Index(i))
	}
}

// Add adds mistakes that were recorded elsewhere.
func (d *Decoder) Add(errs Errors) { d.errs = append(d.errs, errs...) }
