package datasets

import (
	"testing"

	"gonum.org/v1/gonum/mat"

	"r2lmlbench/internal/fixture"
)

// cutEntry is a set of seven rows in the plane, four of one class.
func cutEntry() (Entry, *Data) {
	e := Entry{ID: "toy", Features: 2, Sizes: Sizes{Train: 1, Validation: 1}}
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
	if d.X.At(0, 0) != 0 {
		t.Error("the split shares its memory with the data")
	}
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
