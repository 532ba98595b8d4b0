package method_test

import (
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"testing"
	"time"

	. "r2lmlbench/experiments/method"
	"r2lmlbench/r2lml"
)

// kind is a named text, as variants are.
type kind string

// scaled is a method with a default, a required parameter and a named type.
type scaled struct {
	Kind  kind    `yaml:"kind" jsonschema_description:"of scaling"`
	Scale float64 `yaml:"scale" jsonschema:"required,exclusiveMinimum=0" jsonschema_description:"of the features"`
	Turns int     `yaml:"turns" jsonschema:"maximum=9" jsonschema_description:"0 means 3"`
	Loss  kind    `yaml:"loss,omitempty" jsonschema:"default=square" jsonschema_description:"of a turn"`
	Rate  float64 `yaml:"rate,omitempty" jsonschema:"default=0.5" jsonschema_description:"of a turn"`
}

var errScale = errors.New("scale is not set")

func (m scaled) Resolve() (scaled, error) {
	if m.Kind == "" {
		m.Kind = "plain"
	}
	if m.Turns == 0 {
		m.Turns = 3
	}
	if m.Scale == 0 {
		return m, errScale
	}
	return m, nil
}

func (m scaled) Fit(context.Context, r2lml.Problem) (r2lml.Fitted, error) { return r2lml.Fitted{}, nil }

func newScaled() Method { return New("scaled", "Scaled", r2lml.Singly[scaled], About{Version: 2}) }

// TestParameters: defaults are those of Resolve, a required one has none. A bound is
// that of the tag, and so is the default of a parameter that is left out while it is 0.
func TestParameters(t *testing.T) {
	want := []Parameter{
		{"kind", "plain", "of scaling", nil}, {"scale", nil, "of the features", nil}, {"turns", 3, "0 means 3", json.Number("9")},
		{"loss", "square", "of a turn", nil}, {"rate", json.Number("0.5"), "of a turn", nil},
		{"k", "that of the spec", "neighbors that vote in the k-NN rule; without it those of the spec. No fit depends on it", json.Number("100000")},
		{"features", "raw", "scaling of the features by the training samples: raw (the default) leaves them as they are, " +
			"zscore gives mean 0 and standard deviation 1, minmax the range from 0 to 1, unit every sample the length 1", nil},
		{"feature-scale", 1, "every feature is multiplied by it before the method sees the samples, scaled ones after that; " +
			"1 leaves them as they are", json.Number("1e30")},
	}
	if got := newScaled().Parameters(); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// TestParamsOf: parameters are numbers and texts without named types.
func TestParamsOf(t *testing.T) {
	want := map[string]any{"kind": "plain", "scale": 0.5, "turns": 7}
	if got := ParamsOf(scaled{Kind: "plain", Scale: 0.5, Turns: 7}); !reflect.DeepEqual(got, want) {
		t.Errorf("%#v, want %#v", got, want)
	}
}

// TestFamily: settings are resolved or refused, and every one gets a task.
func TestFamily(t *testing.T) {
	f := newScaled().Family
	if _, err := f.Resolve(f.Decode(nil, nil)); !errors.Is(err, errScale) {
		t.Errorf("error %v, want %v", err, errScale)
	}
	s, err := f.Resolve(scaled{Scale: 2})
	if err != nil || s != (scaled{Kind: "plain", Scale: 2, Turns: 3}) {
		t.Errorf("%+v, %v", s, err)
	}
	settings := map[int]bool{}
	for _, task := range f.Tasks(Problem{}, []Setting{s, s, s}) {
		for _, i := range task.Settings {
			settings[i] = true
		}
	}
	if len(settings) != 3 {
		t.Errorf("tasks for %v, want three settings", settings)
	}
	if f.Prototype() != reflect.TypeFor[scaled]() {
		t.Errorf("prototype %v", f.Prototype())
	}
}

// TestBudget: failures name the budget, are transient, and keep their cause.
func TestBudget(t *testing.T) {
	b := Budget{Time: 90 * time.Second, Memory: 2 << 30}
	for want, err := range map[string]error{
		"ran out of its time budget (1m30s)":                                      b.Overtime(1),
		"ran out of its time budget (1m30s for each of 4 points fitted together)": b.Overtime(4),
		"ran out of its memory budget (2048 MiB)":                                 b.OutOfMemory(),
	} {
		if transient := (TransientFailure{}); err.Error() != want || !errors.As(err, &transient) {
			t.Errorf("%v, want the transient failure %q", err, want)
		}
	}
	if !errors.Is(TransientFailure{Cause: context.Canceled}, context.Canceled) {
		t.Error("the cause is lost")
	}
}
