// Package study reads what the cells of a spec say about one question each.
//
// A study is one file: the keys of its facts and series, the measure that writes
// them into cells, a typed result, the decoder that reads the result from a table,
// and the claims that the result decides. Figures and the account take the result,
// so that a key is spelled in one place and a cell is decoded once.
//
//	file              question                                        spec
//	collapse.go       the published block 2 against the reference     variants
//	steps.go          the step length of T-R2LML                      steps
//	metrics.go        accuracy against the number K of metrics        metrics
//	lambda.go         accuracy and zero columns against λ             lambda
//	triangle.go       the triangle inequality                         triangle
//	toy.go            one global metric against local ones            toy
//	convergence.go    the objective over the iterations               convergence
//	surface.go        accuracy at every point of the grids            surfaces
//	alternatives.go   other readings of the Euclidean column          alternatives
//
// A new study is one more file and one more line of [Studies].
//
// A result holds counts, numbers and ids. Sentences, markup and drawings are made
// elsewhere. A cell that is missing, or that lacks a fact or a series, leaves a gap
// in the result. Only a series that cannot be read is an error.
package study
