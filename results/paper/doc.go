// Package paper answers questions about the cells of a spec, above all about the paper's: how
// our runs stand to the printed accuracies, in three words.
//
// The runs of a number are those of its column, with all seeds. Let mean and sd be their
// mean and their standard deviation, in points.
//
//	agrees       the printed value is at most max(1 point, 1 test sample, 2 sd) from the mean
//	differs      it is farther
//	cannot tell  2 sd is more than 5 points, there are fewer runs than the spec plans, or
//	             one run of a split that was drawn at random
//
// To show how lax the rule is, printed values are moved by 2 and by 4 points, and those that
// still agree are counted. Other readings of the paper's protocol are a table by method, see
// [Readings].
//
// A [Pipeline] compares readings of the paper's data pipeline, [Speeds] weighs accuracy against
// time, [Claims] judges sentences of the paper by our cells, and a [Certificate] lists all of it
// for others to check. The tests hold the numbers of the pages.
package paper
