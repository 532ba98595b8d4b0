package datasets

import (
	"fmt"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"r2lmlbench/internal/fixture"
)

// cutEntry is a set of seven rows in the plane, four of one class.
func cutEntry() (DataSet, *Data) {
	e := DataSet{ID: "toy", Features: 2, Sizes: Sizes{Train: 1, Validation: 1}}
	d := mixed(4, 3)
	d.X = mat.NewDense(7, 2, []float64{0, 0, 3, 4, 1, 1, 5, 6, 2, 0, 7, 7, 9, 8})
	return e, d
}

// The digests are those of the texts in the comments, by another program.
func TestCut(t *testing.T) {
	e, d := cutEntry()
	s := fixture.Must(Cut(e, d, Rule{}))(t)
	fixture.Same(t, "rows", s.Rows, [3][]int{{0, 1}, {2, 3}, {4, 6, 5}})
	fixture.Same(t, "test codes", s.Test.Y, []int{1, 1, 2})
	fixture.NearMatrix(t, "test samples", s.Test.X, mat.NewDense(3, 2, []float64{2, 0, 9, 8, 7, 7}), 0)
	// "classes 2\npca none\ntrain 0:1 1:2\nvalidation 2:1 3:2\ntest 4:1 6:1 5:2\n"
	fixture.Equal(t, "digest", s.Digest, "9f7ae688641e6b736de18e7ca7fa026f6d26060e2614678cc08be0d19533a372")
	s.Train.X.Set(0, 0, 99)
	fixture.Equal(t, "value of the data, whose memory a split does not share", d.X.At(0, 0), 0)
}

func TestCutReduces(t *testing.T) {
	e, d := cutEntry()
	e.PCA = 1
	for _, c := range []struct{ fit, want string }{
		// "classes 2\npca 1 centered fit=all\ntrain 0:1 1:2\nvalidation 2:1 3:2\ntest 4:1 6:1 5:2\n"
		{"", "638af8cccb5e9a6e45eaa588f0a50f51355776f638c1d15cdeb444433d4e0464"},
		{"all", "638af8cccb5e9a6e45eaa588f0a50f51355776f638c1d15cdeb444433d4e0464"},
		// the same with fit=train
		{"train", "e1a0564811373797eb100cf56ba48197cecaac1303a9a800a442224dac29cf85"},
	} {
		s := fixture.Must(Cut(e, d, Rule{PCAFit: c.fit}))(t)
		fixture.Equal(t, "digest with fit "+c.fit, s.Digest, c.want)
		fixture.Equal(t, "features", s.Test.X.RawMatrix().Cols, 1)
	}
	// On the training rows (0,0) and (3,4) alone the axis is (3,4)/5 and the
	// mean (1.5, 2): the test row (9,8) lies at (7.5*3+6*4)/5 = 9.3.
	s, _ := Cut(e, d, Rule{PCAFit: "train"})
	fixture.Near(t, "score", s.Test.X.At(1, 0), 9.3, 1e-12)
}

// Under rule files whole files of a set of the catalogue are the parts, in the order of
// classes and with the features as they are.
func TestFiled(t *testing.T) {
	l := realLibrary(t)
	for _, c := range []struct {
		id          string
		parts       [3]string
		train, test int
	}{
		{"optdigits", [3]string{"optdigits.tra", "", "optdigits.tes"}, 3823, 1797},
		{"pendigits", [3]string{"pendigits.tra", "", "pendigits.tes"}, 7494, 3498},
		{"segmentation", [3]string{"segmentation.test", "", "segmentation.data"}, 2100, 210}, // the other way round
		{"isolet", [3]string{"isolet1+2+3+4.data", "", "isolet5.data"}, 6238, 1559},
		{"usps", [3]string{"zip.train", "", "zip.test"}, 7291, 2007},
	} {
		found, _ := Find(c.id)
		e := fixture.Must(found.Filed(c.parts))(t)
		d := fixture.Must(l.Load(found))(t)
		rule := Rule{Kind: "files"}
		s := fixture.Must(Cut(e, d, rule))(t)
		sizes := [3]int{c.train, 0, c.test}
		fixture.Equal(t, c.id+": sizes by the catalogue", fixture.Must(rule.PartSizes(e))(t), sizes)
		fixture.Equal(t, c.id+": rows", [3]int{len(s.Train.Y), len(s.Validation.Y), len(s.Test.Y)}, sizes)
		fixture.Equal(t, c.id+": features", s.Test.X.RawMatrix().Cols, e.Features)
	}
}

func TestFiledRefuses(t *testing.T) {
	for _, c := range []struct {
		id    string
		parts [3]string
		want  string
	}{
		{"optdigits", [3]string{"optdigits.tra", "", "optdigits.test"}, "the parts of optdigits are its files, optdigits.tra and optdigits.tes"},
		{"optdigits", [3]string{"optdigits.tra", "", ""}, "are its files"},
		{"optdigits", [3]string{"optdigits.tra", "x", "optdigits.tes"}, "are its files"},
		{"winequality", [3]string{"winequality-red.csv", "", "winequality-white.csv"}, "does not come as a training and a test file"},
		{"toy", [3]string{"a", "", "b"}, "does not come as a training and a test file"},
	} {
		e := fixture.Must(Find(c.id))(t)
		fixture.Says(t, fixture.Error(e.Filed(c.parts)), c.want)
	}
}

// inFolds gives the rows of mixed data their values of the column.
func inFolds(d *Data, folds ...string) (*Data, DataSet) {
	d.Folds = folds
	return d, entryOf(d)
}

func TestNamedParts(t *testing.T) {
	// Class 1 has the rows 0, 2, 4, class 2 the rows 1, 3, 5, 6.
	d, e := inFolds(mixed(3, 4), "Train", "test", "val", "training", "test", "train", "test")
	rule := fixture.Must(Rule{Kind: "fold"}.settle())(t)
	got := fixture.Must(rule.rows(Sizes{}, d))(t)
	fixture.Same(t, "rows", got, [3][]int{{0, 3, 5}, {2}, {4, 1, 6}})
	fixture.Equal(t, "sizes", fixture.Must(rule.PartSizes(e))(t), sizeOf(got))
	fixture.Equal(t, "splits", e.Folds(), 1)
}

// Every row tests in the fold that the column gives it, and the validation rows come
// from the folds that follow.
func TestColumnFolds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 12).Draw(t, "folds")
		d := mixed(rapid.SliceOfN(rapid.IntRange(3*n, 40), 1, 4).Draw(t, "rows per class")...)
		names := make([]string, len(d.Y))
		for i := range names {
			names[i] = fmt.Sprint(i%n + 1) // of each class, too, as there are more rows than classes times folds
			if d.Y[i] == 1 && i > n {
				names[i] = fmt.Sprint(rapid.IntRange(1, n).Draw(t, "fold"))
			}
		}
		d, e := inFolds(d, names...)
		fixture.Equal(t, "folds", e.Folds(), n)
		for fold := 1; fold <= n; fold++ {
			rule := Rule{Kind: "fold", Folds: n, Fold: fold, Validation: Amount(rapid.SampledFrom([]float64{0, 0.2, 1}).Draw(t, "validation"))}
			got, err := rule.rows(Sizes{}, d)
			if err != nil {
				t.Skip("a class lies in one fold")
			}
			checkParts(t, rule, d, got)
			for p, rows := range got {
				for _, row := range rows {
					fixture.Equal(t, fmt.Sprintf("row %d of fold %s tests in fold %d", row, names[row], fold), names[row] == fmt.Sprint(fold), p == 2)
				}
			}
			fixture.Equal(t, "some rows validate", len(got[1]) > 0, rule.Validation > 0)
		}
	})
}

// Folds are ordered by number, so that fold 10 comes after fold 9.
func TestFoldOrder(t *testing.T) {
	_, e := inFolds(mixed(4), "10", "9", "1", "9")
	fixture.Same(t, "folds", e.FoldSizes, []FoldSize{{"1", []int{1}}, {"9", []int{2}}, {"10", []int{1}}})
}

func TestColumnErrors(t *testing.T) {
	for _, c := range []struct{ folds, want string }{
		{"", "the data have no column of folds"},
		{"train test train holdout", `the column of folds has "holdout" beside the name of a part`},
		{"a a a a", `the column of folds has "a" alone`},
		{"1 2 - 1", "a row has nothing in the column of folds"},
		{"train train train train", "no row tests"},
		{"train test train test", `class "2": no row trains`},
		{"a b a b", `class "1": fold 1 leaves 0 rows, not enough to train on and 0 to validate`},
	} {
		var folds []string
		for _, f := range strings.Fields(c.folds) {
			folds = append(folds, strings.Trim(f, "-"))
		}
		d, e := inFolds(mixed(2, 2), folds...)
		rule := Rule{Kind: "fold"}
		if n := e.Folds(); n > 1 {
			rule.Folds, rule.Fold = n, 1
		}
		fixture.Says(t, fixture.Error(rule.rows(Sizes{}, d)), c.want)
		fixture.Says(t, fixture.Error(rule.PartSizes(e)), c.want)
	}
	d, _ := inFolds(mixed(3, 3), "a", "a", "b", "b", "c", "c")
	fixture.Says(t, fixture.Error((Rule{Kind: "fold", Folds: 2, Fold: 1}).rows(Sizes{}, d)), "the column has 3 folds")
}
