package datasets

import (
	"testing"

	"gonum.org/v1/gonum/mat"

	"r2lmlbench/internal/fixture"
)

func TestReadAuthorSplit(t *testing.T) {
	file := matFile(
		matrix{"test_data", 3, []float64{7, 8, 2}},
		matrix{"train_data", 3, []float64{1, 2, 1, 3, 4, 2}},
		matrix{"cross_data", 3, []float64{5, 6, 1, -5, -6, 1}},
	)
	s := fixture.Must(ReadAuthorSplit(file))(t)
	fixture.Same(t, "codes", [][]int{s.Train.Y, s.Validation.Y, s.Test.Y}, [][]int{{1, 2}, {1, 1}, {2}})
	for _, c := range []struct{ got, want *mat.Dense }{
		{s.Train.X, mat.NewDense(2, 2, []float64{1, 2, 3, 4})},
		{s.Validation.X, mat.NewDense(2, 2, []float64{5, 6, -5, -6})},
		{s.Test.X, mat.NewDense(1, 2, []float64{7, 8})},
	} {
		fixture.NearMatrix(t, "samples", c.got, c.want, 0)
	}
	fixture.Same(t, "rows", s.Rows, [3][]int{{0, 1}, {0, 1}, {0}})
	// Of these bytes, by another program: "classes 2\n", then per part the rows
	// and columns and per row the code and the values, eight bytes each.
	fixture.Equal(t, "digest", s.Digest, "7c66757ce69d1b9fceafff881c9de667700534a5d21ac871a20bbffa12d96e55")
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
