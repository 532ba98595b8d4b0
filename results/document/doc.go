// Package document is a document as a tree, and what writes it as Markdown and
// as HTML.
//
//	Document > Section > Paragraph, Heading, List, Claims, Table, Figure, Listing
//	                     Inline > Text, Code, Strong, Link, Break
//
// Whoever has something to say builds blocks from values; how they look is left
// to the renderers. A value is never spelled in a markup before it gets here, and
// nothing reads a markup back.
//
//	s := document.Section{Title: "Splits"}
//	s.Say("Try %s on %s.", document.Code("run splits"), name)
//	s.Table(1, []string{"data", "accuracy"}, rows)
//	s.Markdown()
//
// Texts mean themselves, whatever they are: a name that holds a tag, a bar or a
// backtick is shown with it. Both renderers put them on one line and replace
// characters that act on a terminal by blanks, all but the lines of a Listing.
// Links lead to places in the document, to files beside it and to the web; any
// other target is dropped, and the text of the link stays.
//
// The package knows nothing of what the documents are about.
package document
