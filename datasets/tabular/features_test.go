package tabular

import (
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
		{"no names", "1,2\n3,4\n", []float64{1, 2, 3, 4}, ""},
		{"no names, a label", "1,2,x\n3,4,y\n", nil, "3 columns without names, want the 2 features a, b"},
		{"a column missing", "a,c\n1,2\n3,4\n", nil, `no column "b"`},
		{"a value missing", "a,b\n1,2\n3,\n", nil, "f.csv:3:3: column \"b\" is missing"},
		{"text", "a,b\n1,2\n3,four\n", nil, "f.csv:3:3"},
		{"empty", "", nil, "empty"},
	} {
		got, err := ReadFeatures(t.Context(), "f.csv", []byte(test.text), Options{}, []string{"a", "b"})
		if test.fault != "" {
			if err == nil || !strings.Contains(err.Error(), test.fault) {
				t.Errorf("%s: %v, want %q", test.name, err, test.fault)
			}
		} else if err != nil || !slices.Equal(got, test.want) {
			t.Errorf("%s: %v, %v", test.name, got, err)
		}
	}
}
