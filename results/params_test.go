package results_test

import (
	"encoding/json"
	"fmt"
	"math"
	"testing"

	"r2lmlbench/internal/fixture"
	. "r2lmlbench/results"
)

func TestParamsCanonical(t *testing.T) {
	type name string
	for _, c := range []struct {
		value any
		want  string
	}{
		{5, `{"x":5}`},
		{5.0, `{"x":5}`}, // the same value as the line above, so the same key
		{int64(-3), `{"x":-3}`},
		{uint8(7), `{"x":7}`},
		{1e-5, `{"x":1e-05}`},
		{0.1, `{"x":0.1}`},
		{1e6, `{"x":1000000}`},
		{1000000, `{"x":1000000}`},
		{math.Copysign(0, -1), `{"x":0}`},
		{1e300, `{"x":1e+300}`},
		{uint64(math.MaxUint64), `{"x":18446744073709551615}`},
		{true, `{"x":true}`},
		{"a<b&c", `{"x":"a<b&c"}`},
		{name("text"), `{"x":"text"}`},
		{"\xff", "{\"x\":\"\uFFFD\"}"},
		{"\\\xff", "{\"x\":\"\\\\\uFFFD\"}"},
		{math.Inf(1), `{"x":"+Inf"}`},
		{math.NaN(), `{"x":"NaN"}`},
		{[]float64{1, 2}, `{"x":"[1 2]"}`},
		{nil, `{"x":"<nil>"}`},
	} {
		got := fixture.Must(CanonicalJSON(Params{"x": c.value}))(t)
		fixture.Equal(t, fmt.Sprintf("%#v", c.value), string(got), c.want)
		var back Params
		if err := json.Unmarshal(got, &back); err != nil {
			t.Errorf("%s: %v", got, err)
			continue
		}
		if again, err := CanonicalJSON(back); err != nil || string(again) != string(got) {
			t.Errorf("%s is %s after reading, error %v", got, again, err)
		}
	}
	if got, err := CanonicalJSON(Params(nil)); err != nil || string(got) != "{}" {
		t.Errorf("no parameters: %s, %v", got, err)
	}
}
