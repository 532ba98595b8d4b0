// Package strictyaml decodes YAML files written by people and reports every
// mistake in them at once, each with file, line, column and, for a misspelled
// name, the nearest known one:
//
//	experiments/accuracy.yaml:14:5: unknown key "gama"; did you mean "gamma"?
//	experiments/accuracy.yaml:21:12: want a number, got the text "abc"
//
// Reading a file takes three steps:
//
//	root, err := strictyaml.Parse(file, b)
//	...
//	d := &strictyaml.Decoder{File: file}
//	d.Decode(root, &spec)
//	d.Errorf(node, "...") // what only the caller can check
//	return d.Err()
//
// [Parse] accepts a plain subset of YAML: one document, a mapping at its root,
// no anchors, aliases, merge keys or explicit tags. [Decoder.Decode] adds the
// strictness that gopkg.in/yaml.v3 lacks: its Node.Decode cannot refuse unknown
// keys at all, its Decoder.KnownFields names no column, and neither continues
// inside a type that decodes itself.
//
// # Scalars
//
// The reading is that of yaml.v3 (YAML 1.2 with remains of 1.1), except where
// that would be a surprise:
//
//	1e-4  1e3  0.01  .5  5.  5  +5     numbers
//	1e3  5.0                           whole numbers too, as in JSON Schema
//	5.5                                a number, not a whole one
//	0x10  0o17  0b11  017  1_000       refused as numbers: not plain decimal
//	1e400  1e-400                      refused: outside the range of float64
//	.inf  .nan                         refused: not finite
//	inf  nan  1:30                     text
//	true  True  TRUE  false ...        truth values
//	yes  no  on  off  y  n             text
//	~  null  Null  NULL  (empty)       nothing, which no type accepts
//	2020-01-31                         text
//	"5"  'true'                        text
//
// Whole numbers are read exactly, other numbers are rounded to the nearest
// float64. Text is wanted as text: a number or a truth value in its place has
// to be quoted. Keys are taken as they are written, so 5: and "5": are the same.
package strictyaml
