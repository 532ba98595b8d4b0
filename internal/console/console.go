// Package console writes the output of commands: results on standard output as text,
// Markdown, CSV or JSON, remarks and the progress of a run on standard error.
package console

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strconv"
	"strings"
	"sync"

	"github.com/mattn/go-isatty"

	"r2lmlbench/internal/document"
	"r2lmlbench/internal/text"
)

// A Console holds the streams of a command and the flags for its output.
type Console struct {
	Out    *Output
	Err    io.Writer
	Format string // format of documents: "text", "markdown", "latex", "csv" or "json"
	Notes  bool   // see document.Style

	Document bool   // see document.Style
	Quiet    bool   // no remarks
	Log      string // "text", or "json" for remarks that are JSON objects

	live liveLine // of Err
}

// An Output is standard output. It keeps the first error of a write, so that commands need not
// check each.
type Output struct {
	io.Writer
	Fault error
}

// Write writes to the stream; after an error it returns that error and writes nothing.
func (o *Output) Write(b []byte) (int, error) {
	if o.Fault != nil {
		return 0, o.Fault
	}
	n, err := o.Writer.Write(b)
	o.Fault = err
	return n, err
}

// Write writes a document to standard output in Format.
func (c *Console) Write(d document.Document) error {
	return d.Write(c.Out, c.Format, document.Style{Width: c.Width(), Color: c.Color(), Document: c.Document, Notes: c.Notes})
}

// Listing writes one table to standard output, or value if Format is json.
func (c *Console) Listing(t document.Table, value any) error {
	return c.Write(document.Document{Tables: []document.Table{t}, Value: value})
}

// Width returns the number of columns for text on standard output: the width of the terminal, or
// $COLUMNS; 0: no limit.
func (c *Console) Width() int {
	if isTerminal(c.Out.Writer) {
		columns, _ := size(c.Out.Writer)
		return columns
	}
	n, err := strconv.Atoi(os.Getenv("COLUMNS"))
	if err != nil {
		return 0
	}
	return max(n, 0)
}

// Terminal reports whether standard output is a terminal.
func (c *Console) Terminal() bool { return isTerminal(c.Out.Writer) }

// Color reports whether standard output is a terminal that may show color.
func (c *Console) Color() bool { return colored(c.Out.Writer) }

// isTerminal reports whether a stream is a terminal.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && isatty.IsTerminal(f.Fd())
}

func colored(w io.Writer) bool {
	return isTerminal(w) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
}

// Remark writes a line to standard error, unless Quiet. Line feeds in arguments do not
// break it.
func (c *Console) Remark(format string, args ...any) {
	for i, arg := range args {
		if name, ok := arg.(string); ok {
			args[i] = text.OneLine(name)
		}
	}
	c.tell(harmless(fmt.Sprintf(format, args...)))
}

// Fail writes the error of a command to standard error.
func (c *Console) Fail(err error) {
	if c.Log == "json" {
		c.object(slog.LevelError, harmless(err.Error()))
		return
	}
	fmt.Fprintf(c.Err, "r2lmlbench: %s\n", harmless(err.Error()))
}

// longestLine bounds the lines of errors and remarks, in bytes.
const longestLine = 4096

// harmless escapes control characters in a text, but not line feeds, and cuts the middle out of
// giant lines: errors quote files, servers and programs.
func harmless(written string) string {
	lines := strings.Split(written, "\n")
	for i, line := range lines {
		if more := len(line) - longestLine; more > 0 {
			line = strings.ToValidUTF8(fmt.Sprintf("%s [%d bytes] %s", line[:longestLine/2], more, line[len(line)-longestLine/2:]), "")
		}
		lines[i] = text.OneLine(line)
	}
	return strings.Join(lines, "\n")
}

// tell writes a remark; details appear in JSON only. s may contain color.
func (c *Console) tell(s string, details ...slog.Attr) {
	switch {
	case c.Quiet:
	case c.Log == "json":
		c.object(slog.LevelInfo, s, details...)
	default:
		c.live.above(c.Err, s)
	}
}

// object writes a remark as one line with a JSON object.
func (c *Console) object(level slog.Level, s string, details ...slog.Attr) {
	slog.New(slog.NewJSONHandler(harmlessJSON{c.Err}, nil)).LogAttrs(context.Background(), level, s, details...)
}

// harmlessJSON is a writer that writes hidden characters as \u with four hexadecimal digits.
type harmlessJSON struct{ io.Writer }

// Write writes one line of JSON.
func (w harmlessJSON) Write(line []byte) (int, error) {
	_, err := w.Writer.Write(text.JSONText(line))
	return len(line), err
}

// A liveLine is the text at the bottom of a terminal, of one or more lines, which is redrawn in
// place while permanent lines are written above it. No line is wider than the terminal.
type liveLine struct {
	mu   sync.Mutex
	text string // "": nothing is shown
}

// erase returns the escape sequence that clears the live lines.
func (l *liveLine) erase() string {
	if n := strings.Count(l.text, "\n"); n > 0 {
		return fmt.Sprintf("\r\x1b[%dA\x1b[J", n)
	}
	return "\r\x1b[K"
}

// set replaces the lines; an empty text removes them.
func (l *liveLine) set(w io.Writer, s string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if s != "" || l.text != "" {
		io.WriteString(w, l.erase()+s)
	}
	l.text = s
}

// above writes a permanent line above the live lines.
func (l *liveLine) above(w io.Writer, s string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.text == "" {
		io.WriteString(w, s+"\n")
		return
	}
	io.WriteString(w, l.erase()+s+"\n"+l.text)
}

// shortened cuts text to at most this number of columns.
func shortened(s string, columns int) string {
	if runes := []rune(s); len(runes) > columns {
		return strings.TrimRight(string(runes[:max(columns, 0)]), " ")
	}
	return s
}
