// Package text formats names and numbers for sentences, tables, files and commands.
//
// Words: Counted, Agree, Series, Join, AppendNew, TrimLines, Wrap.
//
// Numbers as printed: TwoDecimals, Points, Signed, SixDigits, NonZero.
//
// Escapes, for any text: OneLine for a terminal, MarkdownText for Markdown, CSVText
// for a spreadsheet, JSONText for JSON, ShellWord and ShellCommand for a POSIX shell.
package text
