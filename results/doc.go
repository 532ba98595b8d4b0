// Package results keeps what experiments found and turns it into tables.
//
// A Cell is one method's answer on one split of one data set: the predicted
// label of every test sample, the validation score of every setting, and
// the setting that was chosen. It holds integers, labels and resolved parameters
// only, so that the same Inputs give the same bytes on every machine; all that
// varies from run to run (times, host, commit) is a Run, kept beside it.
//
// Package store keeps cells on disk and table ranks them. From these paper, gate, answer and rank
// draw their conclusions, and report makes a page:
//
//	store.Store -> Cell -> table.Of  -> Table -> text, Markdown, LaTeX, CSV, JSON
//	                                          -> Scores -> a stats.Standing over the data sets
//	                    -> paper.Of  -> Verdicts on published numbers
//	                    -> gate.Of   -> a Gate against accepted cells
//	                    -> report.Of -> a page, tables and charts
package results
