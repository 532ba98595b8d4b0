package datasets

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gonum.org/v1/gonum/mat"
)

func TestReadAuthorSplit(t *testing.T) {
	file := matFile(
		matrix{"test_data", 3, []float64{7, 8, 2}},
		matrix{"train_data", 3, []float64{1, 2, 1, 3, 4, 2}},
		matrix{"cross_data", 3, []float64{5, 6, 1, -5, -6, 1}},
	)
	s, err := ReadAuthorSplit(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([][]int{{1, 2}, {1, 1}, {2}}, [][]int{s.Train.Y, s.Validation.Y, s.Test.Y}); diff != "" {
		t.Errorf("codes (-want +got):\n%s", diff)
	}
	for _, c := range []struct{ got, want *mat.Dense }{
		{s.Train.X, mat.NewDense(2, 2, []float64{1, 2, 3, 4})},
		{s.Validation.X, mat.NewDense(2, 2, []float64{5, 6, -5, -6})},
		{s.Test.X, mat.NewDense(1, 2, []float64{7, 8})},
	} {
		if !mat.Equal(c.got, c.want) {
			t.Errorf("samples %v, want %v", c.got, c.want)
		}
	}
	if diff := cmp.Diff([3][]int{{0, 1}, {0, 1}, {0}}, s.Rows); diff != "" {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
	// Of these bytes, by another program: "classes 2\n", then per part the rows
	// and columns and per row the code and the values, eight bytes each.
	if want := "7c66757ce69d1b9fceafff881c9de667700534a5d21ac871a20bbffa12d96e55"; s.Digest != want {
		t.Errorf("digest %s, want %s", s.Digest, want)
	}
}

func TestReadAuthorSplitErrors(t *testing.T) {
	one := []float64{1, 1}
	train, cross := matrix{"train_data", 2, one}, matrix{"cross_data", 2, one}
	nan := math.NaN()
	for _, c := range []struct {
		name string
		file []byte
		want string
	}{
		{"no MAT-file", []byte("train_data"), "datasets: matfile: shorter than a level 5 header"},
		{"no test part", matFile(train, cross), "the file has no real matrix test_data"},
		{"no features", matFile(matrix{"train_data", 1, one}), "train_data: 1 x 2, want at least one feature"},
		{"no samples", matFile(matrix{"train_data", 2, nil}), "train_data: 2 x 0"},
		{"feature not finite", matFile(train, matrix{"cross_data", 2, []float64{1, 1, nan, 1}}), "cross_data: column 2: feature 1 is not finite"},
		{"label with a fraction", matFile(matrix{"train_data", 2, []float64{1, 1.5}}), "column 1: label 1.5 is no class code"},
		{"label zero", matFile(matrix{"train_data", 2, []float64{1, 0}}), "label 0 is no class code"},
		{"label not a number", matFile(matrix{"train_data", 2, []float64{1, nan}}), "label NaN is no class code"},
		{"giant label", matFile(matrix{"train_data", 2, []float64{1, 1e300}}), "label 1e+300 is no class code"},
		{"class left out", matFile(matrix{"train_data", 2, []float64{1, 1, 1, 3}}), "codes run to 3, but only 2 classes have a sample"},
		{"unknown class", matFile(train, matrix{"cross_data", 2, []float64{1, 2}}), "cross_data: class 2 does not occur in train_data"},
		{"other features", matFile(train, matrix{"cross_data", 3, []float64{1, 1, 1}}), "cross_data: 2 features, train_data has 1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := ReadAuthorSplit(c.file)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v does not say %q", err, c.want)
			}
		})
	}
}

func FuzzAuthorSplit(f *testing.F) {
	one := []float64{1, 1}
	f.Add(matFile(matrix{"train_data", 2, one}, matrix{"cross_data", 2, one}, matrix{"test_data", 2, one}))
	f.Add(matFile(matrix{"train_data", 3, []float64{1, 2, 1}}))
	f.Fuzz(func(t *testing.T, b []byte) {
		s, err := ReadAuthorSplit(b)
		if err != nil {
			return
		}
		for _, part := range []Samples{s.Train, s.Validation, s.Test} {
			if rows, _ := part.X.Dims(); rows != len(part.Y) {
				t.Errorf("%d rows, %d codes", rows, len(part.Y))
			}
		}
	})
}
