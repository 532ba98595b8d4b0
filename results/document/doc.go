// Package document writes tables, lists and paragraphs as Markdown and as HTML.
//
//	Paragraph, List, Table
//	Inline > Text, Strong, Break
//
// Texts mean themselves, whatever they are: a name that holds a tag, a bar or a
// backtick is shown with it. Both formats put them on one line and replace
// characters that act on a terminal by blanks.
package document
