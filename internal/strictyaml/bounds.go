package strictyaml

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// CheckBounds returns an error about the first field of a struct of hyper-parameters whose value
// its tag rules out, or that is no finite number. The largest values that specs may have
// hold for callers in Go, too. An empty word stands for the default.
func CheckBounds(settings any) error {
	v := reflect.ValueOf(settings)
	for _, f := range reflect.VisibleFields(v.Type()) {
		value, want := v.FieldByIndex(f.Index), ""
		name, _, _ := strings.Cut(f.Tag.Get("yaml"), ",")
		switch value.Kind() {
		case reflect.Int:
			want = Beyond(f, float64(value.Int()))
		case reflect.Float64:
			if want = Beyond(f, value.Float()); want == "" && (math.IsNaN(value.Float()) || math.IsInf(value.Float(), 0)) {
				want = "a finite number"
			}
		case reflect.String:
			if words := Tagged(f, "enum"); value.String() != "" && len(words) > 0 && !slices.Contains(words, value.String()) {
				return fmt.Errorf("%s is %q, want %s", name, value.String(), strings.Join(words, " or "))
			}
		}
		if want != "" {
			return fmt.Errorf("%s is %v, want %s", name, value, want)
		}
	}
	return nil
}

// Beyond says which bound in the tag of a field a number breaks, "" if it keeps to them.
// NaN keeps to none.
func Beyond(f reflect.StructField, v float64) string {
	for part := range strings.SplitSeq(f.Tag.Get("jsonschema"), ",") {
		key, limit, _ := strings.Cut(part, "=")
		bound, err := strconv.ParseFloat(limit, 64)
		switch {
		case err != nil: // words
		case key == "minimum" && !(v >= bound):
			return "at least " + limit
		case key == "exclusiveMinimum" && !(v > bound):
			return "more than " + limit
		case key == "maximum" && !(v <= bound):
			return "at most " + limit
		case key == "exclusiveMaximum" && !(v < bound):
			return "less than " + limit
		}
	}
	return ""
}

// Tagged are the values of a key in the jsonschema tag of a field; one that is empty for a
// key without a value.
func Tagged(f reflect.StructField, key string) (values []string) {
	for _, part := range strings.Split(f.Tag.Get("jsonschema"), ",") {
		if name, value, _ := strings.Cut(part, "="); name == key {
			values = append(values, value)
		}
	}
	return values
}
