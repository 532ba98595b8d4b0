// Package results keeps what experiments found and turns it into tables.
//
// A Cell is one method's answer on one split of one data set: the predicted
// label of every test sample, the validation score of every grid point, and
// the point that was chosen. It holds integers, labels and resolved parameters
// only, so that the same Inputs give the same bytes on every machine; all that
// varies from run to run (times, host, commit) is a Run, kept beside it.
//
// A Store keeps cells under a directory:
//
//	cells/<data set>/<method>-<16 hex digits of the key>.json         the cell
//	                                                    .failed.json  why it could not be had
//	                                                    .run.json     when, where, with what
//	                                                    .journal      progress on its grid
//	                                                    .lock         held by whoever computes it
//	                                                    .json.corrupt-1, -2, ...  set aside
//
// A store of accepted cells keeps them in packs, a line for each, and has in place
// of all else a list for every spec:
//
//	packs/<data set>/<method>.jsonl   the cells of a data set and method, see pack
//	gates/<spec>.json                 the Accepted list: which cells a Gate compares with fresh ones
//
// Every store may hold cells in both ways; one that is kept twice must have the
// same bytes. Merge packs cells and takes packs apart.
//
// Cells become a Table by counting: accuracies are correct/n, ranks follow
// from McNemar's tests between all pairs of methods of a row, adjusted by Holm
// (package stats). A Table is plain data; Render prints it as text, Markdown,
// LaTeX, CSV or JSON, next to the numbers the paper printed (Published).
//
//	cell files -> Cell -> NewTable    -> Table -> Render
//	                                           -> Scores -> a Standing over the data sets
//	                   -> NewVerdicts -> a Verdict on every published number
//	                   -> NewGate     -> a Gate against accepted cells
package results
