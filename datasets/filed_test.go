package datasets

import (
	"testing"

	"r2lmlbench/internal/fixture"
)

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
		sizes, err := rule.PartSizes(e)
		if _, d := s.Test.X.Dims(); err != nil || len(s.Train.Y) != c.train || len(s.Test.Y) != c.test || sizes != [3]int{c.train, 0, c.test} || d != e.Features {
			t.Errorf("%s: %d training and %d test rows of %d features, by the catalogue %v; %v", c.id, len(s.Train.Y), len(s.Test.Y), d, sizes, err)
		}
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
