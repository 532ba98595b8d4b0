// Package text holds small helpers that several packages need when they put
// names and numbers into sentences, tables, files and commands.
//
// Words: Counted, Agree, Series, Join, AppendNew, TrimLines, Wrap.
//
// Numbers as printed: TwoDecimals, Points, Signed, SixDigits, NonZero.
//
// Escapes, which make a text mean itself whatever it is: OneLine on a terminal,
// MarkdownText in Markdown, CSVText in a spreadsheet, JSONText in JSON, ShellWord
// and ShellCommand in a POSIX shell.
package text
