package datasets

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"r2lmlbench/datasets/tabular"
	"r2lmlbench/internal/fixture"
)

// ownParts is a set of a file for each part; "" is no part, "gone" one without its file.
func ownParts(t *testing.T, suffix string, texts [3]string, o tabular.Options) Own {
	t.Helper()
	own, dir := Own{Options: o}, t.TempDir()
	for p, text := range texts {
		if text != "" {
			own.Parts[p] = filepath.Join(dir, partWords[p][0]+suffix)
		}
		if text != "" && text != "gone" {
			put(t, own.Parts[p], []byte(text))
		}
	}
	return own
}

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
			own := ownParts(t, ".csv", [3]string{train, c.validation, c.test}, tabular.Options{Label: tabular.Column{Name: "class"}})
			e := OwnEntry("own", own)
			d, err := Library{}.Load(e)
			if c.fault != "" {
				fixture.Says(t, err, strings.ReplaceAll(c.fault, "DIR", filepath.Dir(own.Parts[0])))
				if !errors.Is(err, ErrCorrupt) && !errors.Is(err, ErrMissing) {
					t.Errorf("%v is of no kind", err)
				}
				return
			}
			fixture.Check(t, err)
			s := fixture.Must(Cut(e.Known(d), d, Rule{Kind: "files"}))(t)
			fixture.Same(t, "test rows", s.Test.X.RawMatrix().Data, []float64{7, 8, 9})
			fixture.Same(t, "test classes", s.Test.Y, []int{2, 2, 2})
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
		e := OwnEntry("own", ownParts(t, ".svm", [3]string{train, c.validation, c.test}, tabular.Options{}))
		d := fixture.Must(Library{}.Load(e))(t)
		s := fixture.Must(Cut(e.Known(d), d, Rule{Kind: "files"}))(t)
		fixture.Same(t, c.name, s.Test.X.RawMatrix().Data, c.want)
	}
}
