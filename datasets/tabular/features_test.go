package tabular

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// Features are found by name, in any order and beside any other column.
func TestReadFeatures(t *testing.T) {
	for _, test := range []struct {
		name, text string
		want       []float64
		fault      string
	}{
		{"as learned", "a,b,class\n1,2,x\n3,4,y\n", []float64{1, 2, 3, 4}, ""},
		{"another order, no label", "b,note,a\n2,hello,1\n4,there,3\n", []float64{1, 2, 3, 4}, ""},
		{"one row", "b,a\n2,1\n", []float64{1, 2}, ""},
		{"names of rows", ",a,b\nr1,1,2\nr2,3,4\n", []float64{1, 2, 3, 4}, ""},
		{"no names", "1,2\n3,4\n", nil, "f.csv:1:1: the first line has the name of no feature; write a header with the names a, b"},
		{"a column missing", "a,c\n1,2\n3,4\n", nil, `no column "b"`},
		{"a value missing", "a,b\n1,2\n3,\n", nil, "f.csv:3:3: column \"b\" is missing"},
		{"text", "a,b\n1,2\n3,four\n", nil, "f.csv:3:3"},
		{"empty", "", nil, "empty"},
	} {
		got, err := ReadFeatures(t.Context(), "f.csv", []byte(test.text), Options{}, []Wanted{{Name: "a"}, {Name: "b"}})
		if test.fault != "" {
			if err == nil || !strings.Contains(err.Error(), test.fault) {
				t.Errorf("%s: %v, want %q", test.name, err, test.fault)
			}
		} else if err != nil || !slices.Equal(got, test.want) {
			t.Errorf("%s: %v, %v", test.name, got, err)
		}
	}
}

// Features without names are taken by their places, texts have the places of those known,
// and values may be missing where the feature is open for that.
func TestReadFeaturesByPlace(t *testing.T) {
	nameless := []Wanted{{Name: "x1"}, {Name: "x2"}}
	got, err := ReadFeatures(t.Context(), "f.csv", []byte("1,2\n3,4\n"), Options{}, nameless)
	if err != nil || !slices.Equal(got, []float64{1, 2, 3, 4}) {
		t.Errorf("no names: %v, %v", got, err)
	}
	if _, err := ReadFeatures(t.Context(), "f.csv", []byte("1,2,x\n3,4,y\n"), Options{}, nameless); err == nil ||
		!strings.Contains(err.Error(), "3 columns without names, want the 2 features x1, x2") {
		t.Errorf("no names, a label: %v", err)
	}
	text := []Wanted{{Name: "color", Texts: []string{"blue", "red"}, Open: true}, {Name: "n", Open: true}}
	got, err = ReadFeatures(t.Context(), "f.csv", []byte("n,color\n1,red\n,blue\n3,green\n4,?\n"), Options{}, text)
	if err != nil || fmt.Sprint(got) != "[1 1 0 NaN -1 3 NaN 4]" {
		t.Errorf("text: %v, %v", got, err)
	}
	got, err = ReadFeatures(t.Context(), "f.csv", []byte("n,color\n,red\n"), Options{}, text)
	if err != nil || fmt.Sprint(got) != "[1 NaN]" {
		t.Errorf("a column without a number: %v, %v", got, err)
	}
}
