package datasets

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

// colors are seven rows of two files; the classes appear in the order red,
// green, blue, and from the end in the order green, blue, red.
func colors() *Data {
	d := &Data{Labels: []string{"green", "red", "blue"}, FileRows: []int{3, 4}}
	d.Y = []int{2, 1, 2, 3, 2, 3, 1}
	return d
}

func TestOrder(t *testing.T) {
	for _, c := range []struct {
		order string
		files []int
		want  []int
	}{
		{"", []int{3, 4}, []int{0, 1, 2, 3, 4, 5, 6}},
		{"reversed", []int{3, 4}, []int{6, 5, 4, 3, 2, 1, 0}},
		{"swapped", []int{3, 4}, []int{3, 4, 5, 6, 0, 1, 2}},
		{"swapped", []int{1, 2, 4}, []int{3, 4, 5, 6, 1, 2, 0}},
		{"swapped", []int{7}, []int{0, 1, 2, 3, 4, 5, 6}},
		{"swapped", nil, []int{0, 1, 2, 3, 4, 5, 6}},
	} {
		d := colors()
		d.FileRows = c.files
		if diff := cmp.Diff(c.want, Rule{Order: c.order}.order(d)); diff != "" {
			t.Errorf("order %q of files %v (-want +got):\n%s", c.order, c.files, diff)
		}
	}
}

func TestRecode(t *testing.T) {
	for _, c := range []struct {
		rule   Rule
		labels []string
		codes  []int
	}{
		{Rule{}, []string{"green", "red", "blue"}, []int{2, 1, 2, 3, 2, 3, 1}},
		{Rule{Codes: "alphabet"}, []string{"blue", "green", "red"}, []int{3, 2, 3, 1, 3, 1, 2}},
		{Rule{Codes: "appearance"}, []string{"red", "green", "blue"}, []int{1, 2, 1, 3, 1, 3, 2}},
		{Rule{Codes: "appearance", Order: "reversed"}, []string{"green", "blue", "red"}, []int{3, 1, 3, 2, 3, 2, 1}},
		{Rule{Codes: "appearance", Order: "swapped"}, []string{"blue", "red", "green"}, []int{2, 3, 2, 1, 2, 1, 3}},
	} {
		d := colors()
		got := c.rule.recode(d)
		if diff := cmp.Diff(c.labels, got.Labels); diff != "" {
			t.Errorf("%v: labels (-want +got):\n%s", c.rule, diff)
		}
		if diff := cmp.Diff(c.codes, got.Y); diff != "" {
			t.Errorf("%v: codes (-want +got):\n%s", c.rule, diff)
		}
		if diff := cmp.Diff(colors().Y, d.Y); diff != "" {
			t.Errorf("%v changes its data (-want +got):\n%s", c.rule, diff)
		}
	}
	numbers := &Data{Labels: []string{"10", "9", "b", "a"}, Samples: Samples{Y: []int{1, 2, 3, 4}}}
	if diff := cmp.Diff([]string{"9", "10", "a", "b"}, Rule{Codes: "alphabet"}.recode(numbers).Labels); diff != "" {
		t.Errorf("numbers by size (-want +got):\n%s", diff)
	}
}

// Class 1 has the rows 0, 2, 4, 6 of cutEntry, class 2 the rows 1, 3, 5.
func TestOtherRows(t *testing.T) {
	e, d := cutEntry()
	d.FileRows = []int{2, 5}
	for _, c := range []struct {
		rule   Rule
		want   [3][]int
		codes  []int // of the test rows
		digest string
	}{
		// "classes 2\npca none\ntrain 6:1 5:2\nvalidation 4:1 3:2\ntest 2:1 0:1 1:2\n"
		{Rule{Order: "reversed"}, [3][]int{{6, 5}, {4, 3}, {2, 0, 1}}, []int{1, 1, 2},
			"5a71f93149910f1bfca5df2abb14969749c35f122fb1e7bd42796a90bb529f1f"},
		// "classes 2\npca none\ntrain 2:1 3:2\nvalidation 4:1 5:2\ntest 6:1 0:1 1:2\n"
		{Rule{Order: "swapped"}, [3][]int{{2, 3}, {4, 5}, {6, 0, 1}}, []int{1, 1, 2},
			"6efda037023fd09376e84b35e511866f1a0a1970934cb8018f84b5e898edfbdd"},
	} {
		s, err := Cut(e, d, c.rule)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(c.want, s.Rows); diff != "" {
			t.Errorf("%v: rows (-want +got):\n%s", c.rule, diff)
		}
		if diff := cmp.Diff(c.codes, s.Test.Y); diff != "" {
			t.Errorf("%v: test codes (-want +got):\n%s", c.rule, diff)
		}
		if s.Digest != c.digest {
			t.Errorf("%v: digest %s, want %s", c.rule, s.Digest, c.digest)
		}
	}
	d.Labels = []string{"z", "y"}
	s, err := Cut(e, d, Rule{Codes: "alphabet"})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([3][]int{{1, 0}, {3, 2}, {5, 4, 6}}, s.Rows); diff != "" {
		t.Errorf("alphabet: rows (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]int{1, 2, 2}, s.Test.Y); diff != "" {
		t.Errorf("alphabet: test codes (-want +got):\n%s", diff)
	}
	if want := mat.NewDense(3, 2, []float64{7, 7, 2, 0, 9, 8}); !mat.Equal(want, s.Test.X) {
		t.Errorf("alphabet: test samples\n%v\nwant\n%v", mat.Formatted(s.Test.X), mat.Formatted(want))
	}
}

// The rows (3, 4) and (2, -1.5) are 5(0.6, 0.8) and 2.5(0.8, -0.6): that is the
// singular value decomposition.
func TestRawScores(t *testing.T) {
	x := mat.NewDense(2, 2, []float64{3, 4, 2, -1.5})
	got, err := principalScores(x, nil, 2, true)
	if err != nil {
		t.Fatal(err)
	}
	if want := mat.NewDense(2, 2, []float64{5, 0, 0, 2.5}); !mat.EqualApprox(want, got, 1e-12) {
		t.Errorf("scores\n%v\nwant\n%v", mat.Formatted(got), mat.Formatted(want))
	}
	e, d := cutEntry()
	e.PCA = 1
	s, err := Cut(e, d, Rule{PCARaw: true})
	if err != nil {
		t.Fatal(err)
	}
	// "classes 2\npca 1 raw fit=all\ntrain 0:1 1:2\nvalidation 2:1 3:2\ntest 4:1 6:1 5:2\n"
	if want := "41f34bc9b61c8c211f278494bc6765de883115767cf421566b9a64281bb4449c"; s.Digest != want {
		t.Errorf("digest %s, want %s", s.Digest, want)
	}
	// On the training rows (0,0) and (3,4) alone the axis is (3,4)/5, and no
	// mean is subtracted: the test row (9,8) lies at (9*3+8*4)/5 = 11.8.
	if s, err = Cut(e, d, Rule{PCAFit: "train", PCARaw: true}); err != nil {
		t.Fatal(err)
	}
	if got := s.Test.X.At(1, 0); got < 11.8-1e-12 || got > 11.8+1e-12 {
		t.Errorf("score %v, want 11.8", got)
	}
}

// XXᵀ is that of the scores when all components are kept, and the first scores
// have the largest sums of squares: those of the singular values.
func TestRawScoresAreTheSVD(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rows, cols := rapid.IntRange(5, 20).Draw(t, "rows"), rapid.IntRange(1, 5).Draw(t, "cols")
		x := mat.NewDense(rows, cols, rapid.SliceOfN(rapid.Float64Range(-10, 10), rows*cols, rows*cols).Draw(t, "values"))
		scores, err := principalScores(x, nil, cols, true)
		if err != nil {
			t.Fatal(err)
		}
		var inner, want mat.Dense
		inner.Mul(scores, scores.T())
		want.Mul(x, x.T())
		if !mat.EqualApprox(&want, &inner, 1e-9) {
			t.Error("the inner products of the rows change")
		}
		var svd mat.SVD
		if !svd.Factorize(x, mat.SVDNone) {
			t.Fatal("no singular values")
		}
		for j, s := range svd.Values(nil) {
			if norm := mat.Norm(scores.ColView(j), 2); norm < s-1e-6 || norm > s+1e-6 {
				t.Errorf("component %d has the norm %v, want the singular value %v", j, norm, s)
			}
		}
	})
}

func TestAlternatives(t *testing.T) {
	d := colors()
	d.Y = slices.Repeat(d.Y, 3)
	d.FileRows = []int{10, 11}
	for _, c := range []struct{ pca, want int }{
		{0, 9},  // three codes on each of three orders
		{1, 36}, // with the components fitted in four ways
	} {
		e := Entry{ID: "toy", PCA: c.pca, Sizes: Sizes{Train: 1, Validation: 1}}
		rules, err := e.Alternatives(d)
		if err != nil {
			t.Fatal(err)
		}
		if rules[0] != (Rule{Kind: "authors", PCAFit: "all"}) {
			t.Errorf("the first is %v, want rule authors", rules[0])
		}
		if len(rules) != c.want {
			t.Errorf("%d alternatives, want %d: %v", len(rules), c.want, rules)
		}
		names, digests := map[string]bool{}, map[string]bool{}
		for _, r := range rules {
			_, digest, err := Divide(e, d, r)
			if err != nil {
				t.Fatal(err)
			}
			if names[r.String()] || digests[digest] {
				t.Errorf("%v is listed before, or its split is", r)
			}
			names[r.String()], digests[digest] = true, true
		}
	}
	if _, err := (Entry{ID: "toy", Sizes: Sizes{Train: 99}}).Alternatives(d); err == nil {
		t.Error("no error for a rule that cannot be applied")
	}
}

// Codes in the order of the alphabet that is also the order of appearance leave
// the reversed rows, in which the last class appears first.
func TestAlternativesCoincide(t *testing.T) {
	d := mixed(4, 4)
	rules, err := Entry{ID: "toy", Sizes: Sizes{Train: 1, Validation: 1}}.Alternatives(d)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"authors", "authors order=reversed", "authors codes=appearance order=reversed"}
	var got []string
	for _, r := range rules {
		got = append(got, r.String())
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("alternatives (-want +got):\n%s", diff)
	}
}

func TestFileRows(t *testing.T) {
	e, halves := pairSet(nil, nil)
	d, err := e.parse(map[string][]byte{"one.data": halves[0], "two.data": halves[1]})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]int{10, 10}, d.FileRows); diff != "" {
		t.Errorf("rows per file (-want +got):\n%s", diff)
	}
}

// Sets whose printed Euclidean accuracy rule authors does not give back.
func TestRealAlternatives(t *testing.T) {
	l := realLibrary(t)
	for letter, want := range map[string]int{"A": 5, "F": 8, "J": 5, "L": 3, "O": 20} {
		e, _ := Find(letter)
		d, err := l.Load(e)
		if err != nil {
			t.Fatal(err)
		}
		rules, err := e.Alternatives(d)
		if err != nil {
			t.Fatal(err)
		}
		if len(rules) != want {
			t.Errorf("%s: %d alternatives, want %d: %v", letter, len(rules), want, rules)
		}
		if _, digest, err := Divide(e, d, rules[0]); err != nil || digest != e.SplitDigest {
			t.Errorf("%s: the first has the digest %s, %v, want the catalogue's", letter, digest, err)
		}
	}
}
