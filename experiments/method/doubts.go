package method

import (
	"fmt"
	"slices"
	"strings"

	"r2lmlbench/r2lml"
)

// faultTexts describe the faults of a metric.
var faultTexts = map[r2lml.Fault]string{
	r2lml.Flat:      "collapsed: all training rows are equally far from a row to label, so that labels say nothing of the method",
	r2lml.Line:      "collapsed: the metric has one dimension, and the features have more",
	r2lml.Places:    "collapsed: rows that differ fall together at two or three points, rows of several classes at one of them",
	r2lml.Euclidean: "nothing learned: the metric is Euclidean, so that it labels as k-NN without learning does",
}

// AdviceStandardize is advice at the end of doubts, which a comparison that tries both has followed.
const AdviceStandardize = "try standardized features (features: zscore)"

// The other advice at the end of doubts goes on from AdviceStandardize, or stands alone.
const (
	orParameters = ", or other parameters"
	orMethod     = "try other parameters, or another method"
)

// Standardized returns a doubt without the advice at its end, and whether it advised other parameters.
func Standardized(doubt string) (rest string, parameters bool) {
	rest = doubt
	for _, advice := range []string{orParameters, AdviceStandardize, orMethod} {
		rest = strings.TrimSuffix(rest, advice)
	}
	return strings.TrimSuffix(rest, "; "), strings.HasSuffix(doubt, orParameters) || strings.HasSuffix(doubt, orMethod)
}

// Doubts returns reasons to distrust a fit of a setting to p, with advice: those of the method
// itself, features that its distances hardly see, and the fault of its metric. The features of p are prepared. Doubts are not part of a
// result, so a build with more doubts gives the same results.
func (m Method) Doubts(s Setting, p r2lml.Problem, f r2lml.Fitted) []string {
	doubts := slices.Clone(f.Doubts)
	if f.Metric == nil || m.Scope == NothingLearned {
		return doubts
	}
	if n := r2lml.HiddenFeatures(p.X); n > 0 && m.Invariances.Units < 1 {
		_, d := p.X.Dims()
		doubts = append(doubts, fmt.Sprintf("%d of %d features spread less than 1/%g as much as another, so that distances hardly depend on them; "+
			AdviceStandardize, n, d, r2lml.HiddenSpread))
	}
	fault := r2lml.FaultOf(p, f.Metric)
	asked := ParamsOf(s)["rank"] == 1 || m.Discriminant && p.Classes() == 2 // one dimension
	if fault == "" || fault == r2lml.Line && asked {
		return doubts
	}
	remedy := "; " + orMethod
	if s.Features.Scaling == "" && fault != r2lml.Places {
		remedy = "; " + AdviceStandardize + orParameters
	}
	return append(doubts, faultTexts[fault]+remedy)
}
