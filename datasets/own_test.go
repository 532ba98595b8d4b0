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

func ownOf(t *testing.T, text string, o tabular.Options) (Entry, Library) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "own.csv")
	put(t, file, []byte(text))
	if o.Label.IsZero() {
		o.Label = tabular.Column{Name: tabular.Last}
	}
	return OwnEntry("mine", Own{File: file, Options: o}), Library{t.TempDir()}
}

// TestOwnEntry: an own set is known by what is in its file.
func TestOwnEntry(t *testing.T) {
	e, l := ownOf(t, ownText, tabular.Options{Impute: "mean"})
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
		e, l := ownOf(t, ownText, tabular.Options{Impute: rule})
		d := fixture.Must(l.Load(e))(t)
		digests[d.Digest()] = true
		s := fixture.Must(Cut(e.Known(d), d, Rule{Kind: "first", Train: 2, Validation: 1}))(t)
		if got := s.Train.X.At(1, 0); got != want {
			t.Errorf("%s: %g among the training samples, want %g", rule, got, want)
		}
		if got := s.Validation.X.At(1, 0); got != want {
			t.Errorf("%s: %g among the validation samples, want %g", rule, got, want)
		}
		if got := s.Validation.X.At(0, 0); got != 100 {
			t.Errorf("%s: a value that is there became %g", rule, got)
		}
		if !math.IsNaN(d.X.At(1, 0)) {
			t.Errorf("%s: the data themselves were changed", rule)
		}
	}
	if len(digests) != 3 {
		t.Errorf("%d digests of three rules", len(digests))
	}
	nan := math.NaN()
	x := mat.NewDense(3, 1, []float64{nan, nan, 1})
	fixture.Says(t, fixture.Error(NewEncoding(x, []int{0, 1}, "mean", nil).Apply(x)), "no value among the training rows")
}

// TestOwnFaults: a file that is missing or faulty says so, and nothing is loaded.
func TestOwnFaults(t *testing.T) {
	e, l := ownOf(t, ownText, tabular.Options{})
	_, err := l.Load(e)
	var faults strictyaml.Errors
	if !errors.Is(err, ErrCorrupt) || !errors.As(err, &faults) || len(faults) != 2 || faults[1].Line != 7 {
		t.Errorf("%v, want faults on lines 3 and 7", err)
	}
	if strings.Contains(err.Error(), "data fetch") {
		t.Errorf("%v advises to fetch own data", err)
	}
	gone := OwnEntry("gone", Own{File: filepath.Join(t.TempDir(), "gone.csv"), Options: tabular.Options{Label: tabular.Column{Name: "y"}}})
	if err := l.Check(gone); !errors.Is(err, ErrMissing) {
		t.Errorf("%v", err)
	}
}

// TestIdentity: sets of one id in several files are told apart.
func TestIdentity(t *testing.T) {
	a := OwnEntry("x", Own{File: "a/x.csv"})
	b := OwnEntry("x", Own{File: "b/x.csv"})
	c := OwnEntry("x", Own{File: "a/x.csv", Options: tabular.Options{Impute: "mean"}})
	if a.Identity() == b.Identity() || a.Identity() == c.Identity() {
		t.Errorf("%s, %s, %s", a.Identity(), b.Identity(), c.Identity())
	}
}

// TestOneHot: the features of a column of texts are those of the training rows, and a text
// that these do not have is 0 in all of them.
func TestOneHot(t *testing.T) {
	const text = "color,x,part,class\nred,1,train,a\nblue,2,train,b\nred,3,train,b\n?,4,train,a\ngreen,5,test,a\nblue,6,test,b\n"
	options := tabular.Options{Label: tabular.Column{Name: "class"}, Fold: tabular.Column{Name: "part"}, Encode: tabular.OneHot, Impute: "mean"}
	e, l := ownOf(t, text, options)
	d := fixture.Must(l.Load(e))(t)
	if e = e.Known(d); e.Features != 4 {
		t.Errorf("%d features, at most 4 are possible", e.Features)
	}
	split := fixture.Must(Cut(e, d, Rule{Kind: "fold", Folds: 1, Fold: 1}))(t)
	// The features are blue, red and x; rows of class a stand before those of b.
	train := mat.NewDense(4, 3, []float64{0, 1, 1, 0, 0, 4, 1, 0, 2, 0, 1, 3})
	test := mat.NewDense(2, 3, []float64{0, 0, 5, 1, 0, 6})
	if !mat.Equal(split.Train.X, train) || !mat.Equal(split.Test.X, test) {
		t.Errorf("train\n%v\ntest\n%v", mat.Formatted(split.Train.X), mat.Formatted(split.Test.X))
	}
	other := *d
	other.Categories = [][]string{{"red", "blue", "violet"}, nil}
	if d.Digest() == other.Digest() {
		t.Error("another text has the same digest")
	}
}

// TestOneHotParts: texts of several files have one code each.
func TestOneHotParts(t *testing.T) {
	header := true
	own := ownParts(t, ".csv", [3]string{"color,class\nred,a\nblue,b\nred,a\nblue,b\n", "", "color,class\ngreen,a\nblue,b\n"},
		tabular.Options{Label: tabular.Column{Name: "class"}, Encode: tabular.OneHot, Header: &header})
	d := fixture.Must(own.load())(t)
	if got := fmt.Sprint(d.X.RawMatrix().Data, d.Categories); got != "[0 1 0 1 2 1] [[red blue green]]" {
		t.Error(got)
	}
}
