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

// MarshalJSON writes the parameters with sorted names in canonical spelling.
func (p Params) MarshalJSON() ([]byte, error) {
	plain := make(map[string]any, len(p))
	for name, v := range p {
		plain[name] = canonicalValue(v)
	}
	return CanonicalJSON(plain)
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

// canonicalValue maps v to a json.Number, a string or a bool.
func canonicalValue(v any) any {
	switch r := reflect.ValueOf(v); {
	case r.CanInt():
		return json.Number(strconv.FormatInt(r.Int(), 10))
	case r.CanUint():
		return json.Number(strconv.FormatUint(r.Uint(), 10))
	case r.CanFloat():
		return canonicalFloat(r.Float())
	case r.Kind() == reflect.Bool:
		return r.Bool()
	case r.Kind() == reflect.String:
		return r.String()
	}
	return fmt.Sprint(v)
}

func canonicalFloat(x float64) any {
	const exact = 1 << 53 // integers below it are exact in a float64
	switch {
	case math.IsNaN(x) || math.IsInf(x, 0):
		return strconv.FormatFloat(x, 'g', -1, 64)
	case x == math.Trunc(x) && math.Abs(x) < exact:
		return json.Number(strconv.FormatInt(int64(x), 10))
	}
	return json.Number(strconv.FormatFloat(x, 'g', -1, 64))
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
func valueText(v any) string {
	data, err := CanonicalJSON(canonicalValue(v))
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(data)
}

// encodeJSON is json.Marshal without the escaping of <, > and &, and with
// bytes that are not UTF-8 replaced such that reading and writing again gives
// the same bytes.
func CanonicalJSON(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return plainReplacements(bytes.TrimSuffix(b.Bytes(), []byte("\n"))), nil
}

// plainReplacements spells U+FFFD, which encoding/json escapes where it stands
// for a broken byte, as it spells it in sound text.
func plainReplacements(data []byte) []byte {
	escape := []byte(`\ufffd`)
	var out []byte
	for len(data) > 0 {
		n := 1
		switch {
		case bytes.HasPrefix(data, escape):
			out = append(out, "\uFFFD"...)
			data = data[len(escape):]
			continue
		case data[0] == '\\':
			n = 2 // the escaped byte belongs to this escape
		}
		out = append(out, data[:n]...)
		data = data[n:]
	}
	return out
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
