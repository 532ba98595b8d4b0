package datasets

import (
	"testing"

	"gonum.org/v1/gonum/mat"

	"r2lmlbench/internal/fixture"
)

// toyData has two classes of 1-dimensional samples.
func toyData() *Data {
	return &Data{
		Samples: Samples{X: mat.NewDense(2, 1, []float64{0.5, -1}), Y: []int{2, 1}},
		Labels:  []string{"x", "yz"},
	}
}

// The digest is that of these bytes, by another program (every number in eight
// bytes, low byte first):
//
//	2, 1 "x", 2 "yz", 2, 1, 2, 0x3fe0000000000000, 1, 0xbff0000000000000
func TestDigest(t *testing.T) {
	const want = "b8eeed9193ece2a4177159dbd0b2767403449faf9473127014ef2a0a9d38db35"
	fixture.Equal(t, "digest", toyData().Digest(), want)
}

func TestDigestTellsApart(t *testing.T) {
	base := toyData().Digest()
	for name, change := range map[string]func(d *Data){
		"value":  func(d *Data) { d.X.Set(1, 0, -1.0000000000000002) },
		"code":   func(d *Data) { d.Y[1] = 2 },
		"label":  func(d *Data) { d.Labels[0] = "y" },
		"border": func(d *Data) { d.Labels = []string{"xy", "z"} },
		"shape":  func(d *Data) { d.X, d.Y = mat.NewDense(1, 2, []float64{0.5, -1}), []int{2} },
	} {
		d := toyData()
		change(d)
		if d.Digest() == base {
			t.Errorf("%s: the digest stays the same", name)
		}
	}
}

func TestRawCode(t *testing.T) {
	raw := &Raw{X: [][]float64{{1, 2}, {3, 4}, {5, 6}}, Labels: []string{"b", "a", "b"}, Missing: 7}
	d := fixture.Must(raw.code([]string{"b", "a"}))(t)
	fixture.Same(t, "codes", d.Y, []int{1, 2, 1})
	if d.X.At(1, 0) != 3 || d.Missing != 7 {
		t.Errorf("second row starts with %v and %d are missing, want 3 and 7", d.X.At(1, 0), d.Missing)
	}
	for _, c := range []struct {
		raw  Raw
		want string
	}{
		{Raw{}, "no rows"},
		{Raw{X: [][]float64{{1}}, Labels: []string{"c"}}, `row 1 has the unknown label "c"`},
	} {
		fixture.Says(t, fixture.Error(c.raw.code([]string{"a"})), c.want)
	}
}
