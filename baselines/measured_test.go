package baselines

import (
	"os"
	"testing"

	"gonum.org/v1/gonum/mat"

	"r2lmlbench/datasets"
	"r2lmlbench/internal/fixture"
	"r2lmlbench/r2lml"
)

// An authorSplit is a split that the paper's authors published, or one that
// follows their rule.
type authorSplit struct {
	validation, test   r2lml.Problem // with the same training samples
	validationY, testY []int
}

// readAuthorSplit reads a published split. It needs the reference collection.
func readAuthorSplit(t *testing.T, name string) authorSplit {
	t.Helper()
	b := fixture.Must(os.ReadFile(fixture.Collected(t, "datasets", "author-splits", name+".mat")))(t)
	s := fixture.Must(datasets.ReadAuthorSplit(b))(t)
	return splitOf(s)
}

func splitOf(s *datasets.Split) authorSplit {
	return authorSplit{
		validation:  r2lml.Problem{X: s.Train.X, Y: s.Train.Y, Query: s.Validation.X},
		test:        r2lml.Problem{X: s.Train.X, Y: s.Train.Y, Query: s.Test.X},
		validationY: s.Validation.Y, testY: s.Test.Y,
	}
}

// paperSize drops the test samples beyond those of the paper's table, which the
// file of wine quality has.
func (s authorSplit) paperSize() authorSplit {
	const winequality = 2898
	if m, d := s.test.Query.Dims(); m > winequality && d == 12 {
		s.test.Query = mat.DenseCopyOf(s.test.Query.Slice(0, winequality, 0, d))
		s.testY = s.testY[:winequality]
	}
	return s
}
