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
func (p Params) MarshalJSON() ([]byte, error) { return p.appendJSON(nil), nil }

func (p Params) appendJSON(b []byte) []byte {
	var few [16]string // names need no memory of their own while they are no more
	names := slices.AppendSeq(few[:0], maps.Keys(p))
	slices.Sort(names)
	b = append(b, '{')
	for i, name := range names {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendText(b, name)
		b = append(b, ':')
		b = appendValue(b, p[name])
	}
	return append(b, '}')
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
	switch v := v.(type) { // what Params mostly hold
	case int:
		return strconv.AppendInt(b, int64(v), 10)
	case float64:
		return appendFloat(b, v)
	case string:
		return appendText(b, v)
	}
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

// appendText appends a text in quotes, as encodeJSON writes it.
func appendText(b []byte, text string) []byte {
	if !isPlain(text) {
		quoted, err := CanonicalJSON(text)
		if err != nil {
			panic(fmt.Sprintf("results: %q in JSON: %v", text, err)) // texts always encode
		}
		return append(b, quoted...)
	}
	b = append(b, '"')
	b = append(b, text...)
	return append(b, '"')
}

// isPlain tells whether a text stands in JSON as it is.
func isPlain(text string) bool {
	for i := range len(text) {
		if c := text[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			return false
		}
	}
	return true
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

// CanonicalJSON is json.Marshal without the escaping of <, > and &, and with
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
	if !bytes.Contains(data, escape) {
		return data
	}
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
