// Package run computes the cells of a plan into a store.
//
// A [Runner] takes jobs and stores the cell of each, or why it has none. Files call
// each other one way:
//
//	jobs.go       which cells are open; locks, failures, records of a run
//	cell.go       one cell: choose a setting, fit it, label the test samples
//	selection.go  the points of a grid on the validation samples
//	fits.go       fits on the workers, within their budget
//	classify.go   problems, and labels by a metric
//
// Predictions that were made elsewhere become cells by [Import].
package run
