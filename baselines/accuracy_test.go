package baselines

import (
	"gonum.org/v1/gonum/mat"
)

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
