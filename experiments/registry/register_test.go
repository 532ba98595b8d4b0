package registry_test

import (
	"context"
	"slices"
	"testing"

	"r2lmlbench/experiments/method"
	. "r2lmlbench/experiments/registry"
	"r2lmlbench/internal/fixture"
	"r2lmlbench/r2lml"
)

// A plainMethod is a metric learner for tests, of which P are the parameters.
type plainMethod[P any] struct {
	Own P `yaml:"own"`
}

func (m plainMethod[P]) Resolve() (plainMethod[P], error) { return m, nil }

func (plainMethod[P]) Fit(context.Context, r2lml.Problem) (r2lml.Fitted, error) {
	return r2lml.Fitted{}, nil
}

type untagged struct{ Power float64 }

func (m untagged) Resolve() (untagged, error) { return m, nil }

func (untagged) Fit(context.Context, r2lml.Problem) (r2lml.Fitted, error) { return r2lml.Fitted{}, nil }

func TestRegister(t *testing.T) {
	before := slices.Clone(Methods)
	t.Cleanup(func() { Methods = before })
	one := method.About{Version: 1}
	good := method.New("good", "Good", r2lml.Singly[plainMethod[float64]], one)
	for _, c := range []struct {
		name    string
		methods []method.Method
		want    string
	}{
		{"an id of ours", []method.Method{method.New("rca", "RCA", r2lml.Singly[plainMethod[int]], one)}, `method "rca": there is a method of this id already`},
		{"an id twice", []method.Method{good, good}, `method "good": there is a method of this id already`},
		{"no id", []method.Method{method.New("", "X", r2lml.Singly[plainMethod[int]], one)}, "an id is up to 64 small letters"},
		{"an id with a colon", []method.Method{method.New("a:b", "X", r2lml.Singly[plainMethod[int]], one)}, "an id is up to 64 small letters"},
		{"no name", []method.Method{method.New("x", "", r2lml.Singly[plainMethod[int]], one)}, "it has no name"},
		{"no family", []method.Method{{ID: "x", Name: "X", About: one}}, "it has no family; make it with method.New"},
		{"no version", []method.Method{method.New("x", "X", r2lml.Singly[plainMethod[int]], method.About{})}, "About.Version is not set"},
		{"no tag", []method.Method{method.New("x", "X", r2lml.Singly[untagged], one)}, "field Power of registry_test.untagged needs a capital letter and a yaml tag"},
		{"a list", []method.Method{method.New("x", "X", r2lml.Singly[plainMethod[[]int]], one)},
			"field Own of registry_test.plainMethod[[]int] is a []int; a parameter is"},
		{"a good one and a bad one", []method.Method{good, {ID: "x", Name: "X"}}, `method "x": it has no family`},
	} {
		t.Run(c.name, func(t *testing.T) { fixture.Says(t, Register(c.methods...), c.want) })
		fixture.Equal(t, c.name+": methods beside an error", len(Methods), len(before))
	}
	fixture.Check(t, Register())
	fixture.Check(t, Register(good))
	fixture.EqualSlice(t, "ids", IDs()[len(before):], []string{"good"})
	for _, m := range before { // ours pass what is asked of others
		if m.ID != "external" { // families of their own, which decode their parameters themselves
			m.ID += "-again"
			fixture.Check(t, Register(m))
		}
	}
}
