package datasets

import (
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"r2lmlbench/datasets/tabular"
	"r2lmlbench/internal/fixture"
	"r2lmlbench/internal/strictyaml"
)

// ownText has four rows that train, with values 1, 3 and 8 of x, and others.
const ownText = "x,y,class\n1,1,a\n?,2,a\n3,1,b\n8,2,b\n100,3,a\n?,4,b\n7,5,a\n7,6,b\n"

func ownOf(t *testing.T, text string, o tabular.Layout) (DataSet, Library) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "own.csv")
	fixture.Write(t, file, text)
	if o.Label.IsZero() {
		o.Label = tabular.ColumnRef{Name: tabular.Last}
	}
	return OwnDataSet("mine", Own{File: file, Options: o}), Library{t.TempDir()}
}

// TestOwnDataSet: an own set is known by what is in its file.
func TestOwnDataSet(t *testing.T) {
	e, l := ownOf(t, ownText, tabular.Layout{Impute: "mean"})
	d := fixture.Must(l.Load(e))(t)
	e = e.Known(d)
	if e.Rows() != 8 || e.Features != 2 || e.Missing != 2 || !slices.Equal(e.Labels, []string{"a", "b"}) || e.Digest != d.Digest() || !e.Own() {
		t.Errorf("%+v", e)
	}
}

// TestImpute: missing values become the mean or the median of the training rows, which
// under rule first are the rows 1, 2 and 3, 4 of the file; or zero.
func TestImpute(t *testing.T) {
	digests := map[string]bool{}
	for rule, want := range map[string]float64{"mean": 4, "median": 3, "zero": 0} {
		e, l := ownOf(t, ownText, tabular.Layout{Impute: rule})
		d := fixture.Must(l.Load(e))(t)
		digests[d.Digest()] = true
		s := fixture.Must(Cut(e.Known(d), d, Rule{Kind: "first", Train: 2, Validation: 1}))(t)
		fixture.Equal(t, rule+" of the training samples", s.Train.X.At(1, 0), want)
		fixture.Equal(t, rule+" of the validation samples", s.Validation.X.At(1, 0), want)
		fixture.Equal(t, "a value that is there", s.Validation.X.At(0, 0), 100)
		fixture.Equal(t, "missing in the data themselves", math.IsNaN(d.X.At(1, 0)), true)
	}
	fixture.Equal(t, "digests of three rules", len(digests), 3)
	nan := math.NaN()
	x := mat.NewDense(3, 1, []float64{nan, nan, 1})
	fixture.Says(t, fixture.Error(NewEncoding(x, []int{0, 1}, "mean", nil).Apply(x)), "no value among the training rows")
}

// TestOwnFaults: a file that is missing or faulty says so, and nothing is loaded.
func TestOwnFaults(t *testing.T) {
	e, l := ownOf(t, ownText, tabular.Layout{})
	_, err := l.Load(e)
	var faults strictyaml.Errors
	if !errors.Is(err, ErrCorrupt) || !errors.As(err, &faults) || len(faults) != 2 || faults[1].Line != 7 {
		t.Errorf("%v, want faults on lines 3 and 7", err)
	}
	fixture.Lacks(t, "the error on own data", err.Error(), "data fetch")
	gone := OwnDataSet("gone", Own{File: filepath.Join(t.TempDir(), "gone.csv"), Options: tabular.Layout{Label: tabular.ColumnRef{Name: "y"}}})
	fixture.Is(t, l.Check(gone), ErrMissing)
}

// TestIdentity: sets of one id in several files are told apart.
func TestIdentity(t *testing.T) {
	seen := map[string]bool{}
	for _, own := range []Own{{File: "a/x.csv"}, {File: "b/x.csv"}, {File: "a/x.csv", Options: tabular.Layout{Impute: "mean"}}} {
		seen[OwnDataSet("x", own).Identity()] = true
	}
	fixture.Equal(t, "identities", len(seen), 3)
}

// TestOneHot: the features of a column of texts are those of the training rows, and a text
// that these do not have is 0 in all of them.
func TestOneHot(t *testing.T) {
	const text = "color,x,part,class\nred,1,train,a\nblue,2,train,b\nred,3,train,b\n?,4,train,a\ngreen,5,test,a\nblue,6,test,b\n"
	options := tabular.Layout{Label: tabular.ColumnRef{Name: "class"}, Fold: tabular.ColumnRef{Name: "part"}, Encode: tabular.OneHot, Impute: "mean"}
	e, l := ownOf(t, text, options)
	d := fixture.Must(l.Load(e))(t)
	e = e.Known(d)
	fixture.Equal(t, "features that are possible", e.Features, 4)
	split := fixture.Must(Cut(e, d, Rule{Kind: "fold", Folds: 1, Fold: 1}))(t)
	// The features are blue, red and x; rows of class a stand before those of b.
	train := mat.NewDense(4, 3, []float64{0, 1, 1, 0, 0, 4, 1, 0, 2, 0, 1, 3})
	test := mat.NewDense(2, 3, []float64{0, 0, 5, 1, 0, 6})
	fixture.NearMatrix(t, "train", split.Train.X, train, 0)
	fixture.NearMatrix(t, "test", split.Test.X, test, 0)
	other := *d
	other.Categories = [][]string{{"red", "blue", "violet"}, nil}
	fixture.Equal(t, "another text has the same digest", d.Digest() == other.Digest(), false)
}

// TestOneHotParts: texts of several files have one code each.
func TestOneHotParts(t *testing.T) {
	header := true
	own := ownParts(t, ".csv", [3]string{"color,class\nred,a\nblue,b\nred,a\nblue,b\n", "", "color,class\ngreen,a\nblue,b\n"},
		tabular.Layout{Label: tabular.ColumnRef{Name: "class"}, Encode: tabular.OneHot, Header: &header})
	d := fixture.Must(own.load())(t)
	fixture.Equal(t, "codes and texts", fmt.Sprint(d.X.RawMatrix().Data, d.Categories), "[0 1 0 1 2 1] [[red blue green]]")
}

// ownParts is a set of a file for each part; "" is no part, "gone" one without its file.
func ownParts(t *testing.T, suffix string, texts [3]string, o tabular.Layout) Own {
	t.Helper()
	own, dir := Own{Options: o}, t.TempDir()
	for p, text := range texts {
		if text != "" {
			own.Parts[p] = filepath.Join(dir, partWords[p][0]+suffix)
		}
		if text != "" && text != "gone" {
			fixture.Write(t, own.Parts[p], text)
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
			own := ownParts(t, ".csv", [3]string{train, c.validation, c.test}, tabular.Layout{Label: tabular.ColumnRef{Name: "class"}})
			e := OwnDataSet("own", own)
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
			fixture.Equal(t, "rows that train", len(s.Train.Y), 4)
			fixture.Equal(t, "rows that validate", len(s.Validation.Y), strings.Count(c.validation, ",")-min(1, len(c.validation)))
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
		for _, suffix := range []string{".svm", ".part"} { // by the content
			if c.name == "none" && suffix == ".part" {
				continue // its content says nothing
			}
			e := OwnDataSet("own", ownParts(t, suffix, [3]string{train, c.validation, c.test}, tabular.Layout{}))
			d := fixture.Must(Library{}.Load(e))(t)
			s := fixture.Must(Cut(e.Known(d), d, Rule{Kind: "files"}))(t)
			fixture.Same(t, c.name+suffix, s.Test.X.RawMatrix().Data, c.want)
		}
	}
}
