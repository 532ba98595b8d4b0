// Package study reads what the cells of a spec say about one question each.
//
// A study is one file: the keys of its facts and series, the measure that writes
// them into cells, a typed result, the decoder that reads the result from a table,
// and the claims that the result decides. Figures and the reproduction report take
// the result, so that a key is spelled in one place and a cell is decoded once.
//
// [Studies] lists them: a new study is one more file and one more line there.
//
// A result holds counts, numbers and ids. Sentences, markup and drawings are made
// elsewhere. A cell that is missing, or that lacks a fact or a series, leaves a gap
// in the result. Only a series that cannot be read is an error.
package study
