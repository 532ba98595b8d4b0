package cli

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"
	"sync"

	"r2lmlbench/internal/text"
)

// remark writes a line to standard error, unless --quiet is set. Names among the
// arguments stay on it.
func (a *app) remark(format string, args ...any) {
	for i, arg := range args {
		if name, ok := arg.(string); ok {
			args[i] = text.OneLine(name)
		}
	}
	a.tell(harmless(fmt.Sprintf(format, args...)))
}

// harmless keeps out of a text what would act on a terminal. Errors quote file
// names, servers and programs; their lines stay lines.
func harmless(written string) string {
	lines := strings.Split(written, "\n")
	for i, line := range lines {
		lines[i] = text.OneLine(line)
	}
	return strings.Join(lines, "\n")
}

// tell is remark with details, which only --log json shows. The text may be in
// color.
func (a *app) tell(s string, details ...slog.Attr) {
	if a.quiet {
		return
	}
	if a.log == "json" {
		a.object(slog.LevelInfo, s, details...)
		return
	}
	a.live.above(a.stderr, s)
}

// fail writes the error that a command ends with.
func (a *app) fail(err error) {
	if a.log == "json" {
		a.object(slog.LevelError, err.Error())
		return
	}
	fmt.Fprintf(a.stderr, "r2lmlbench: %s\n", harmless(err.Error()))
}

// object writes a line that is one JSON object.
func (a *app) object(level slog.Level, s string, details ...slog.Attr) {
	slog.New(slog.NewJSONHandler(harmlessJSON{a.stderr}, nil)).LogAttrs(context.Background(), level, s, details...)
}

// harmlessJSON spells hidden characters by their numbers.
type harmlessJSON struct{ io.Writer }

// Write writes a whole line of JSON.
func (w harmlessJSON) Write(line []byte) (int, error) {
	_, err := w.Writer.Write(text.JSONText(line))
	return len(line), err
}

// A liveLine is the last line on a terminal, which is written again and again
// while other lines come to stand above it.
type liveLine struct {
	mu   sync.Mutex
	text string // empty: there is none
}

// erase goes to the start of the line and clears it.
const erase = "\r\x1b[K"

// set replaces the line; an empty text removes it.
func (l *liveLine) set(w io.Writer, s string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if s != "" || l.text != "" {
		io.WriteString(w, erase+s)
	}
	l.text = s
}

// above writes a line that stays.
func (l *liveLine) above(w io.Writer, s string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.text == "" {
		io.WriteString(w, s+"\n")
		return
	}
	io.WriteString(w, erase+s+"\n"+l.text)
}

// red is text in red where w is a terminal that may show color.
func red(w io.Writer, s string) string {
	if !terminal(w) || os.Getenv("NO_COLOR") != "" || os.Getenv("TERM") == "dumb" {
		return s
	}
	return "\x1b[31m" + s + "\x1b[0m"
}

// shortened is text in at most so many columns.
func shortened(s string, columns int) string {
	if runes := []rune(s); len(runes) > columns {
		return strings.TrimRight(string(runes[:max(columns, 0)]), " ")
	}
	return s
}
