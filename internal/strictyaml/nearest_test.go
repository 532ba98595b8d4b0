package strictyaml

import (
	"testing"

	"r2lmlbench/internal/fixture"
)

func TestNearest(t *testing.T) {
	known := []string{"euclidean", "itml", "lmnn", "lmnn-mm", "glml", "plml", "e-r2lml", "t-r2lml", "k"}
	for _, tt := range []struct{ name, want string }{
		{"lmn", "lmnn"},
		{"itlm", "itml"}, // one swap
		{"ITML", "itml"},
		{"euclid", "euclidean"},    // 3 of 9
		{"eucli", ""},              // 4 of 9
		{"lml", "glml"},            // as near as plml, which comes later
		{"er2lml", "e-r2lml"},      // a character is missing
		{"x-r2lml", "e-r2lml"},     // as near as t-r2lml
		{"lmnn_mm", "lmnn-mm"},     // one replacement
		{"k", "k"},                 // the name itself
		{"c", ""},                  // nothing of it would remain
		{"", ""},                   // likewise
		{"svm", ""},                // nothing is near
		{"eculidaen", "euclidean"}, // two swaps
	} {
		if got, ok := Nearest(tt.name, known); got != tt.want || ok != (tt.want != "") {
			t.Errorf("Nearest(%q) = %q, %t; want %q", tt.name, got, ok, tt.want)
		}
	}
	if got, ok := Nearest("a", nil); ok {
		t.Errorf("Nearest among none = %q", got)
	}
}

func TestUnknown(t *testing.T) {
	for _, tt := range []struct {
		name  string
		known []string
		want  string
	}{
		{"lmn", []string{"itml", "lmnn"}, `unknown method "lmn"; did you mean "lmnn"?`},
		{"svm", []string{"itml", "lmnn"}, `unknown method "svm"; known: itml, lmnn`},
		{"ranking", []string{"row", "rank"}, `unknown method "ranking"; did you mean "rank"?`},
		{"col", []string{"rows", "column"}, `unknown method "col"; did you mean "column"?`},
		{"Euc", []string{"euclidean", "itml"}, `unknown method "Euc"; did you mean "euclidean"?`},
		{"scml", []string{"scml-global", "scml-local"}, `unknown method "scml"; known: scml-global, scml-local`}, // either
		{"it", []string{"itinerary", "lmnn"}, `unknown method "it"; known: itinerary, lmnn`},                     // too short
		{"svm", nil, `unknown method "svm"; none is known here`},
	} {
		fixture.Equal(t, "result", Unknown("method", tt.name, tt.known), tt.want)
	}
}
