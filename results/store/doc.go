// Package store keeps cells under a directory, or reads them from a file system
// that is part of the program.
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
//	gates/<spec>.history.jsonl        the States that were accepted, the oldest first
//
// Every store may hold cells in both ways; one that is kept twice must have the
// same bytes. Merge packs cells and takes packs apart.
package store
