// Package tabular reads a file of a user's data: delimited text, ARFF, LIBSVM or
// NPZ, each plain or packed with gzip. The result is a [Table] of numbers with a
// class code per row.
//
// It does not guess values: a field that is neither a number nor a declared missing
// value is a fault with its line and column, and a file with faults gives no table.
// It detects the layout unless [Options] set it: the format by the file name, the
// delimiter as the one that divides the first lines into equally many fields, and a
// header as a first line without numbers.
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
