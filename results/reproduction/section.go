package reproduction

import (
	"fmt"
	"strings"
	"unicode"

	"r2lmlbench/results/table"
)

// A section is one part of the document.
type section struct {
	title string
	body  []string // paragraphs, lists and tables of Markdown, in order
	gist  string   // the paragraph that says what came of it
}

// say adds a paragraph. Names from data go through escape first.
func (s *section) say(format string, args ...any) {
	s.body = append(s.body, fmt.Sprintf(format, args...))
}

// conclude adds a paragraph that says what came of the study. The first one
// stands for the section in one line.
func (s *section) conclude(format string, args ...any) {
	s.say(format, args...)
	if s.gist == "" {
		s.gist = s.body[len(s.body)-1]
	}
}

// list adds a list of items, which are Markdown.
func (s *section) list(items []string) {
	if len(items) > 0 {
		s.body = append(s.body, "- "+strings.Join(items, "\n- "))
	}
}

// table adds a table of plain texts: the first left columns are aligned to the
// left, the others to the right.
func (s *section) table(left int, head []string, rows [][]string) {
	var b strings.Builder
	writeRow := func(texts []string) {
		for _, text := range texts {
			b.WriteString("| " + escape(text) + " ")
		}
		b.WriteString("|\n")
	}
	writeRow(head)
	for i := range head {
		if i < left {
			b.WriteString("|:---")
		} else {
			b.WriteString("|---:")
		}
	}
	b.WriteString("|\n")
	for _, row := range rows {
		writeRow(row)
	}
	s.body = append(s.body, strings.TrimSuffix(b.String(), "\n"))
}

// markdown is the section with its heading, ending in a newline.
func (s section) markdown() string {
	return "## " + escape(s.title) + "\n\n" + strings.Join(s.body, "\n\n") + "\n"
}

// absent says how many cells of the study have no result, and reports whether
// none has one.
func (s *section) absent(t table.Table) (empty bool) {
	missing, failed, all := 0, 0, 0
	for _, r := range t.Rows {
		for _, c := range r.Cells[:min(len(r.Cells), len(t.Columns))] {
			all++
			if c.Score == nil {
				missing++
			}
			if c.Status == table.StatusFailed {
				failed++
			}
		}
	}
	switch {
	case missing == all && failed == 0:
		s.conclude("This study has not been run: `r2lmlbench run %s` computes it.", command(t))
		return true
	case missing == all:
		s.conclude("This study has no results, as %s failed: `r2lmlbench run %s --retry-failed` tries again.", counted(failed, "cell"), command(t))
		return true
	case missing > 0:
		s.say("Of the %s in the table of this study, %s without a result (%d failed); a number that needs them is given as “-”.", counted(all, "cell"), isAre(missing), failed)
	}
	return false
}

// command is the name of the study as an argument inside a span of code.
func command(t table.Table) string {
	return strings.Map(func(r rune) rune {
		if r == '`' || unicode.IsControl(r) {
			return -1
		}
		return r
	}, t.Spec)
}

var escapes = strings.NewReplacer(
	`\`, `\\`, "|", `\|`, "`", "\\`", "*", `\*`, "_", `\_`, "~", `\~`, "[", `\[`, "]", `\]`, "#", `\#`, "!", `\!`, "$", `\$`,
	"&", "&amp;", "<", "&lt;", ">", "&gt;",
)

// escape makes a text mean itself in Markdown, on one line.
func escape(text string) string {
	return escapes.Replace(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == '\u2028' || r == '\u2029' {
			return ' '
		}
		return r
	}, text))
}

// counted is a number with its noun: "1 cell", "2 cells".
func counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// series joins names as a sentence does: "a, b and c", or "none".
func series(names []string) string {
	switch n := len(names); n {
	case 0:
		return "none"
	case 1:
		return names[0]
	default:
		return strings.Join(names[:n-1], ", ") + " and " + names[n-1]
	}
}

// isAre is a number with its verb: "1 is", "2 are".
func isAre(n int) string {
	if n == 1 {
		return "1 is"
	}
	return fmt.Sprintf("%d are", n)
}

// orDash is a text, "-" if it is empty.
func orDash(text string) string {
	if text == "" {
		return "-"
	}
	return text
}
