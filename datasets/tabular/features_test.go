package tabular

import (
	"fmt"
	"r2lmlbench/internal/fixture"
	"testing"
)

// Features are found by name, in any order and beside any other column. Those without names
// are taken by their places, texts have the places of those known, and values may be missing
// where the feature is open for that.
func TestReadFeatures(t *testing.T) {
	named, nameless := []Wanted{{Name: "a"}, {Name: "b"}}, []Wanted{{Name: "x1"}, {Name: "x2"}}
	text := []Wanted{{Name: "color", Texts: []string{"blue", "red"}, Open: true}, {Name: "n", Open: true}}
	for _, c := range []struct {
		name, text  string
		wanted      []Wanted
		want, fault string
	}{
		{"as learned", "a,b,class\n1,2,x\n3,4,y\n", named, "[1 2 3 4]", ""},
		{"another order, no label", "b,note,a\n2,hello,1\n4,there,3\n", named, "[1 2 3 4]", ""},
		{"one row", "b,a\n2,1\n", named, "[1 2]", ""},
		{"names of rows", ",a,b\nr1,1,2\nr2,3,4\n", named, "[1 2 3 4]", ""},
		{"no names", "1,2\n3,4\n", named, "", "f.csv:1:1: the first line has the name of no feature; write a header with the names a, b"},
		{"a column missing", "a,c\n1,2\n3,4\n", named, "", `no column "b"`},
		{"a value missing", "a,b\n1,2\n3,\n", named, "", "f.csv:3:3: column \"b\" is missing"},
		{"text", "a,b\n1,2\n3,four\n", named, "", "f.csv:3:3"},
		{"empty", "", named, "", "empty"},
		{"no names wanted", "1,2\n3,4\n", nameless, "[1 2 3 4]", ""},
		{"no names, a label", "1,2,x\n3,4,y\n", nameless, "", "3 columns without names, want the 2 features x1, x2"},
		{"known texts", "n,color\n1,red\n,blue\n3,green\n4,?\n", text, "[1 1 0 NaN -1 3 NaN 4]", ""},
		{"a column without a number", "n,color\n,red\n", text, "[1 NaN]", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := ReadFeatures(t.Context(), "f.csv", []byte(c.text), Options{}, c.wanted)
			if c.fault != "" {
				fixture.Says(t, err, c.fault)
				return
			}
			fixture.Check(t, err)
			fixture.Equal(t, "features", fmt.Sprint(got), c.want)
		})
	}
}
