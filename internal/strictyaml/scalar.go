package strictyaml

import (
	"fmt"
	"maps"
	"math/big"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"
)

// kind is the type of a node as its author sees it.
type kind int

const (
	other kind = iota // an alias or a document; Parse refuses both
	null
	truth
	number
	text
	list
	mapping
)

// decimal is a number of YAML 1.2 without leading zeros, which 1.1 takes for octal.
var decimal = regexp.MustCompile(`^[-+]?(\.[0-9]+|(0|[1-9][0-9]*)(\.[0-9]*)?)([eE][-+]?[0-9]+)?$`)

func kindOf(n *yaml.Node) kind {
	switch n.Kind {
	case yaml.MappingNode:
		return mapping
	case yaml.SequenceNode:
		return list
	case yaml.ScalarNode:
		return scalarKind(n)
	}
	return other
}

func scalarKind(n *yaml.Node) kind {
	const quoted = yaml.SingleQuotedStyle | yaml.DoubleQuotedStyle | yaml.LiteralStyle | yaml.FoldedStyle
	switch n.ShortTag() {
	case "!!null":
		return null
	case "!!bool":
		return truth
	case "!!int", "!!float":
		return number
	}
	if n.Style&quoted == 0 && decimal.MatchString(n.Value) {
		return number // out of the range of float64; yaml.v3 reads it as text
	}
	return text
}

// wrongType records that n has another type than wanted.
func (d *Decoder) wrongType(n *yaml.Node, want string) {
	d.Errorf(n, "want %s, got %s", want, describe(n))
}

// describe names the type and value of n.
func describe(n *yaml.Node) string {
	switch kindOf(n) {
	case null:
		return "nothing"
	case truth:
		return n.Value
	case number:
		return "the number " + shorten(n.Value)
	case text:
		return "the text " + quote(n.Value)
	case list:
		return "a list"
	case mapping:
		return "a mapping"
	}
	return "something that is no plain value"
}

func (d *Decoder) decodeScalar(n *yaml.Node, v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		d.decodeText(n, v)
	case reflect.Bool:
		if kindOf(n) != truth {
			d.wrongType(n, "true or false")
			return
		}
		v.SetBool(strings.EqualFold(n.Value, "true"))
	case reflect.Float64:
		if f, ok := d.float(n, v); ok {
			v.SetFloat(f)
		}
	case reflect.Int, reflect.Int64, reflect.Uint64:
		if z, ok := d.whole(n); ok {
			d.setWhole(n, v, z)
		}
	default:
		panic(fmt.Sprintf("strictyaml: cannot decode into %v", v.Type()))
	}
}

// Worded is a float64 type with words for some values.
type Worded interface{ Words() map[string]float64 }

// float returns the number of n, written in figures or as a word of v's type.
func (d *Decoder) float(n *yaml.Node, v reflect.Value) (float64, bool) {
	worded, ok := v.Interface().(Worded)
	if !ok {
		return d.number(n, "a number")
	}
	if f, ok := worded.Words()[n.Value]; ok && kindOf(n) == text {
		return f, true
	}
	words := slices.Sorted(maps.Keys(worded.Words()))
	return d.number(n, "a number or "+strings.Join(words, ", "))
}

func (d *Decoder) decodeText(n *yaml.Node, v reflect.Value) {
	switch kindOf(n) {
	case text:
		v.SetString(n.Value)
	case truth, number:
		d.Errorf(n, "want text, got %s; put it in quotes if it is meant", describe(n))
	default:
		d.wrongType(n, "text")
	}
}

// number returns the finite number of n, or records that n is none.
func (d *Decoder) number(n *yaml.Node, want string) (float64, bool) {
	if kindOf(n) != number {
		d.wrongType(n, want)
		return 0, false
	}
	s := shorten(n.Value)
	if strings.ContainsAny(n.Value, "iInN") { // .inf and .nan, in any case
		d.Errorf(n, "want a finite number, got %s", s)
		return 0, false
	}
	if !decimal.MatchString(n.Value) {
		d.Errorf(n, "want %s in plain decimal, such as 10 or 1e-4, got %s", want, s)
		return 0, false
	}
	f, err := strconv.ParseFloat(n.Value, 64)
	if err != nil || f == 0 && !isZero(n.Value) {
		d.Errorf(n, "the number %s is out of range", s)
		return 0, false
	}
	return f, true
}

// isZero reports whether all digits of a decimal before its exponent are 0.
func isZero(s string) bool {
	mantissa, _, _ := strings.Cut(strings.ToLower(s), "e")
	return !strings.ContainsAny(mantissa, "123456789")
}

// whole returns the exact whole number of n, or records that n is none.
func (d *Decoder) whole(n *yaml.Node) (*big.Int, bool) {
	const want = "a whole number"
	if _, ok := d.number(n, want); !ok {
		return nil, false
	}
	r, ok := new(big.Rat).SetString(n.Value)
	if !ok || !r.IsInt() {
		d.Errorf(n, "want %s, got %s", want, shorten(n.Value))
		return nil, false
	}
	return r.Num(), true
}

// setWhole stores z in v, or records that it does not fit.
func (d *Decoder) setWhole(n *yaml.Node, v reflect.Value, z *big.Int) {
	switch {
	case v.CanInt() && z.IsInt64() && !v.OverflowInt(z.Int64()):
		v.SetInt(z.Int64())
	case v.CanUint() && z.IsUint64():
		v.SetUint(z.Uint64())
	case v.CanUint() && z.Sign() < 0:
		d.Errorf(n, "want a whole number of at least 0, got %s", shorten(n.Value))
	default:
		d.Errorf(n, "the number %s is out of range", shorten(n.Value))
	}
}

// quote quotes s for a message.
func quote(s string) string { return strconv.Quote(shorten(s)) }

// shorten cuts s after 40 characters.
func shorten(s string) string {
	const most = 40
	r := []rune(s)
	if len(r) <= most {
		return s
	}
	return string(r[:most]) + "..."
}
