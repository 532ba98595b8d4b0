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
// What the rule lets through by chance is measured with printed values that are moved by
// 2 and by 4 points. Other readings of the paper's protocol are a table by method, see
// [Readings].
//
// A question of the kind "is a better than b" is a [Contrast], which a spec asks by the key
// contrast, without any code. A [Pipeline] compares readings of the paper's data pipeline,
// and [Speeds] weighs accuracy against time. The tests hold the numbers of the pages.
package paper
