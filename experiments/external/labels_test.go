package external

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestReadLabels(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"labels alone", "1\n2\n3\n", "[1 2 3]"},
		{"header", "label\n1\n2\n3\n", "[1 2 3]"},
		{"no line feed at the end", "label\n1\n2\n3", "[1 2 3]"},
		{"lines of Windows, quotes, spaces", "\ufeff\"label\"\r\n\"1\"\r\n 2\r\n3 \r\n", "[1 2 3]"},
		{"blank lines", "1\n\n2\n3\n\n", "[1 2 3]"},
		{"rows", "row,label\n3,1\n1,2\n2,3\n", "[2 3 1]"},
		{"rows behind", "label,row\n1,3\n2,1\n3,2\n", "[2 3 1]"},
		{"nothing", "", "p.csv: 0 labels for 3 samples; the first without one is row 1"},
		{"header alone", "label\n", "p.csv: 0 labels for 3 samples; the first without one is row 1"},
		{"too few", "1\n2\n", "p.csv: 2 labels for 3 samples; the first without one is row 3"},
		{"too many", "label\n1\n2\n3\n1\n", "p.csv:5: a label too many, there are 3 samples"},
		{"unknown label", "1\n2\n0\n", "p.csv:3: label 0 is unknown; want a class from 1 to 3"},
		{"label beyond", "1\n4\n", "p.csv:2: label 4 is unknown; want a class from 1 to 3"},
		{"fraction", "1\n2.0\n", `p.csv:2: label "2.0" is no whole number; want a class from 1 to 3`},
		{"another header", "class\n1\n2\n3\n", `p.csv:1: label "class" is no whole number; want a class from 1 to 3`},
		{"two columns without header", "1,2\n", `p.csv:1: column "1"; want the columns label and, when the lines are not in order, row`},
		{"header without label", "row,row\n1,1\n", `p.csv:1: column "row"; want the columns label and, when the lines are not in order, row`},
		{"column missing", "row,label\n1,1\n2\n", "p.csv:3: not as many columns as in the lines before"},
		{"row out of range", "row,label\n4,1\n", `p.csv:2: row "4", want a whole number from 1 to 3`},
		{"row twice", "row,label\n1,1\n1,2\n", "p.csv:3: row 1 has a label already"},
		{"row missing", "row,label\n1,1\n3,2\n", "p.csv: 2 labels for 3 samples; the first without one is row 2"},
		{"quote", "1\n\"2\n", "p.csv:2: extraneous or missing \" in quoted-field"},
		{"endless", strings.Repeat(" ", 4289), "p.csv: more than 4288 bytes for 3 labels"},
		{"long", strings.Repeat("9", 4000) + "\n", `p.csv:1: label "9999999999999999999999999999999999999999" is no whole number; want a class from 1 to 3`},
	} {
		t.Run(c.name, func(t *testing.T) {
			labels, err := ReadLabels("p.csv", strings.NewReader(c.in), 3, 3)
			got := fmt.Sprint(labels)
			if err != nil {
				got = err.Error()
			}
			if got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

// TestLabelsInAnyOrder: what is written in any order with row numbers is read
// in that of the samples.
func TestLabelsInAnyOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := rapid.SliceOf(rapid.IntRange(1, 9)).Draw(t, "labels")
		var b strings.Builder
		b.WriteString("row,label\n")
		for _, i := range rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0)).Perm(len(want)) {
			fmt.Fprintf(&b, "%d,%d\n", i+1, want[i])
		}
		got, err := ReadLabels("p.csv", strings.NewReader(b.String()), len(want), 9)
		if err != nil || !slices.Equal(got, want) {
			t.Fatalf("%v, %v; want %v", got, err, want)
		}
	})
}

func FuzzReadLabels(f *testing.F) {
	for _, in := range []string{"1\n2\n3\n", "label\n1\n2\n3\n", "row,label\n3,1\n1,2\n2,3\n", "\"label\"\r\n\"1\"\r\n", "1,2\n", "\"", "\xff\n"} {
		f.Add([]byte(in))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		labels, err := ReadLabels("f.csv", strings.NewReader(string(b)), 3, 3)
		if err != nil {
			if !strings.HasPrefix(err.Error(), "f.csv:") || labels != nil {
				t.Fatalf("labels %v, error %q", labels, err)
			}
			return
		}
		if len(labels) != 3 || slices.Min(labels) < 1 || slices.Max(labels) > 3 {
			t.Fatalf("labels %v", labels)
		}
	})
}
