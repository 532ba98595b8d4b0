// Package study reads what the cells of a spec say about one question.
//
// A question of the kind "is a better than b" is a [Contrast], which a spec asks by the key
// contrast, without any code. What needs code of its own is a [Study], a file with the keys
// of its facts and series, the measure that writes them into cells, a typed result with the
// reader that makes it of a table, and the counts that pages name. [Studies] lists them.
//
// Results hold counts, numbers and ids; drawings and pages are made elsewhere. A cell that
// is missing, or that lacks a fact or a series, leaves a gap in a result. Only a series
// that cannot be read is an error.
package study
