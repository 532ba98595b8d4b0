package results

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// Params are the resolved hyper-parameters of one setting, by name. A value is
// a number, a text or a truth value; anything else is kept as the text fmt
// gives it, and so are the numbers JSON cannot write ("NaN", "+Inf").
//
// A number has one spelling, whatever its Go type: a whole number below 2^53
// is written as an integer (5, 1000000), any other float64 in its shortest
// form (0.1, 1e-05). Reading gives int for an integer (uint64 above its range)
// and float64 otherwise.
type Params map[string]any

// ProgramParam is the parameter that names the files of a program outside, with
// their digests. It stands for the version of its code.
const ProgramParam = "program"

// MarshalJSON writes the parameters with sorted names in canonical spelling.
func (p Params) MarshalJSON() ([]byte, error) {
	b := []byte{'{'}
	for i, name := range slices.Sorted(maps.Keys(p)) {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(appendText(b, name), ':')
		b = appendValue(b, p[name])
	}
	return append(b, '}'), nil
}

// UnmarshalJSON reads what MarshalJSON writes.
func (p *Params) UnmarshalJSON(data []byte) error {
	var plain map[string]any
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	if err := d.Decode(&plain); err != nil {
		return err
	}
	*p = make(Params, len(plain))
	for name, v := range plain {
		value, err := goValue(v)
		if err != nil {
			return fmt.Errorf("parameter %q: %w", name, err)
		}
		(*p)[name] = value
	}
	return nil
}

// appendValue appends the canonical spelling of a parameter value: a number, a
// truth value, or a text in quotes.
func appendValue(b []byte, v any) []byte {
	switch r := reflect.ValueOf(v); {
	case r.CanInt():
		return strconv.AppendInt(b, r.Int(), 10)
	case r.CanUint():
		return strconv.AppendUint(b, r.Uint(), 10)
	case r.CanFloat():
		return appendFloat(b, r.Float())
	case r.Kind() == reflect.Bool:
		return strconv.AppendBool(b, r.Bool())
	case r.Kind() == reflect.String:
		return appendText(b, r.String())
	}
	return appendText(b, fmt.Sprint(v))
}

func appendFloat(b []byte, x float64) []byte {
	const exact = 1 << 53 // integers below it are exact in a float64
	switch {
	case math.IsNaN(x) || math.IsInf(x, 0):
		return appendText(b, strconv.FormatFloat(x, 'g', -1, 64))
	case x == math.Trunc(x) && math.Abs(x) < exact:
		return strconv.AppendInt(b, int64(x), 10)
	}
	return strconv.AppendFloat(b, x, 'g', -1, 64)
}

// appendText appends a text in quotes, as CanonicalJSON writes it.
func appendText(b []byte, text string) []byte {
	special := func(r rune) bool { return r < ' ' || r > '~' || r == '"' || r == '\\' }
	if !strings.ContainsFunc(text, special) { // most are the names of parameters
		return append(append(append(b, '"'), text...), '"')
	}
	quoted, err := CanonicalJSON(text)
	if err != nil {
		panic(fmt.Sprintf("results: %q in JSON: %v", text, err)) // texts always encode
	}
	return append(b, quoted...)
}

// goValue maps a decoded JSON value to int, uint64, float64, string or bool.
func goValue(v any) (any, error) {
	switch v := v.(type) {
	case string, bool:
		return v, nil
	case json.Number:
		if i, err := strconv.Atoi(v.String()); err == nil {
			return i, nil
		}
		if u, err := strconv.ParseUint(v.String(), 10, 64); err == nil {
			return u, nil
		}
		return v.Float64()
	}
	return nil, fmt.Errorf("%v is not a number, a text or a truth value", v)
}

// valueText is the canonical spelling of a parameter value, a text in quotes.
func valueText(v any) string { return string(appendValue(nil, v)) }

// Number returns a parameter that is a number, and whether it is one.
func (p Params) Number(name string) (value float64, ok bool) {
	switch v := p[name].(type) {
	case int:
		return float64(v), true
	case uint64:
		return float64(v), true
	case float64:
		return v, true
	}
	return 0, false
}

// String writes the parameters by name: "gamma=1 margin=0.5".
func (p Params) String() string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(p)) {
		parts = append(parts, name+"="+strings.Trim(valueText(p[name]), `"`))
	}
	if parts == nil {
		return "no parameters"
	}
	return strings.Join(parts, " ")
}
