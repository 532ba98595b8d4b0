// Package tabular reads a file of somebody's own data: delimited text, ARFF,
// LIBSVM or NPZ, each plain or packed with gzip. The result is a [Table] of
// numbers with a class code per row.
//
// Nothing is guessed about values. A field that is neither a number nor stated
// to be missing is a fault with its line and column in the file, and a file
// with faults gives no table. What is found out is the layout, unless
// [Options] say it: the format by the name of the file, the delimiter as the
// one that divides the first lines alike, and the header as a first line that
// has no number.
//
//	delimited   comma, semicolon, tab or blanks; quotes as in RFC 4180
//	ARFF        dense and sparse rows; attributes that are numbers, and the class
//	LIBSVM      label index:value ...; indices count from 1, or from 0 where one is 0
//	NPZ         arrays X (rows by features) and y; no pickled objects
//
// Codes number the labels by their first appearance, or as Options.Classes
// lists them. Missing values are NaN in the table; the caller fills them in
// from training rows.
package tabular
