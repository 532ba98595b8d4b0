package stats

import (
	"fmt"
	"math"
	"path/filepath"
	"testing"

	"r2lmlbench/internal/fixture"
)

// golden reads a file of reference values.
func golden[F any](t *testing.T, name string) (f F) {
	t.Helper()
	fixture.Read(t, filepath.Join("testdata", name+".json"), &f)
	return f
}

// eachGolden runs check on every case of a file of reference values, by its number.
func eachGolden[C any](t *testing.T, name string, check func(t *testing.T, c C)) {
	t.Helper()
	cases := golden[struct{ Cases []C }](t, name).Cases
	if len(cases) == 0 {
		t.Fatalf("%s has no cases", name)
	}
	for i, c := range cases {
		t.Run(fmt.Sprint(name, " ", i), func(t *testing.T) { check(t, c) })
	}
}

// near reports whether got is want within a relative tolerance; nil wants NaN.
func near(got float64, want *float64, relative float64) bool {
	if want == nil {
		return math.IsNaN(got)
	}
	return math.Abs(got-*want) <= relative*math.Abs(*want)
}

func show(want *float64) any {
	if want == nil {
		return "NaN"
	}
	return *want
}
