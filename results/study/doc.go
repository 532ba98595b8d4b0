// Package study answers questions about the cells of a spec.
//
// A question of the kind "is a better than b" is a [Contrast], which a spec asks by the key
// contrast, without any code. A [Pipeline] compares readings of the paper's data pipeline,
// and [Speeds] weighs accuracy against time.
package study
