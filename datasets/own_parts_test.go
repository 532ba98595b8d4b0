package datasets

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"r2lmlbench/datasets/tabular"
	"r2lmlbench/internal/fixture"
)

// A file for each part is the one split, with the classes and features of the training
// file; a test file may lack a class.
func TestOwnParts(t *testing.T) {
	const train, validation, test = "x,class\n1,a\n2,b\n3,a\n4,b\n", "x,class\n5,b\n6,a\n", "x,class\n7,b\n8,b\n9,b\n"
	for _, c := range []struct{ name, validation, test, fault string }{
		{"three parts", validation, test, ""},
		{"two parts", "", test, ""},
		{"another label", validation, "x,class\n7,c\n8,c\n9,c\n", `test.csv:2:3: the label "c" is in no row of the training file (3 rows have it)`},
		{"another feature", validation, "y,class\n7,a\n", `test.csv: its features are not those of ` + "DIR" + `/train.csv: feature 1 is "y", want "x"`},
		{"more features", "x,y,class\n7,1,a\n", test, "validation.csv: its features are not those of DIR/train.csv: 2, want 1"},
		{"no file", "gone", test, "file missing; the paths of the parts start at the folder of the spec"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			own := Own{Options: tabular.Options{Label: tabular.Column{Name: "class"}}}
			for p, text := range []string{train, c.validation, c.test} {
				if text == "" {
					continue
				}
				own.Parts[p] = filepath.Join(dir, partWords[p][0]+".csv")
				if text == "gone" {
					continue
				}
				fixture.Check(t, os.WriteFile(own.Parts[p], []byte(text), 0o666))
			}
			e := OwnEntry("own", own)
			d, err := Library{Dir: dir}.Load(e)
			if c.fault != "" {
				if err == nil || !strings.Contains(err.Error(), strings.ReplaceAll(c.fault, "DIR", dir)) || !errors.Is(err, ErrCorrupt) && !errors.Is(err, ErrMissing) {
					t.Errorf("error %v does not say %q", err, c.fault)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			s := fixture.Must(Cut(e.Known(d), d, Rule{Kind: "files"}))(t)
			if diff := cmp.Diff([]float64{7, 8, 9}, s.Test.X.RawMatrix().Data); diff != "" || !cmp.Equal(s.Test.Y, []int{2, 2, 2}) {
				t.Errorf("test rows of classes %v (-want +got):\n%s", s.Test.Y, diff)
			}
			if n := len(s.Validation.Y); len(s.Train.Y) != 4 || n != strings.Count(c.validation, ",")-min(1, len(c.validation)) {
				t.Errorf("%d rows train, %d validate", len(s.Train.Y), n)
			}
		})
	}
}

// TestLIBSVMParts: the features of LIBSVM are those of all parts. One that a part does not
// name is 0 there, and where one part has index 0, all count from 0.
func TestLIBSVMParts(t *testing.T) {
	const train = "1 1:1 3:2\n2 2:5\n1 1:3\n2 3:1\n"
	for _, c := range []struct {
		name, validation, test string
		want                   []float64 // of the test rows
	}{
		{"fewer", "1 2:4\n2 1:1\n", "1 2:7\n2 1:8\n", []float64{0, 7, 0, 8, 0, 0}},
		{"more", "1 2:4\n2 1:1\n", "1 4:7\n2 1:8\n", []float64{0, 0, 0, 7, 8, 0, 0, 0}},
		{"none", "1\n2\n", "1\n2\n", []float64{0, 0, 0, 0, 0, 0}},
		{"from 0", "1 0:4\n2 1:1\n", "1 2:7\n2 1:8\n", []float64{0, 0, 7, 0, 0, 8, 0, 0}},
	} {
		dir := t.TempDir()
		var own Own
		for p, text := range []string{train, c.validation, c.test} {
			own.Parts[p] = filepath.Join(dir, partWords[p][0]+".svm")
			put(t, own.Parts[p], []byte(text))
		}
		e := OwnEntry("own", own)
		d := fixture.Must(Library{Dir: dir}.Load(e))(t)
		s := fixture.Must(Cut(e.Known(d), d, Rule{Kind: "files"}))(t)
		if diff := cmp.Diff(c.want, s.Test.X.RawMatrix().Data); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}
