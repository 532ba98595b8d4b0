package gate

import (
	_ "embed"
	"encoding/xml"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"text/template"

	"r2lmlbench/internal/document"
	"r2lmlbench/internal/text"
)

// layout has what a gate says, and its form in JUnit XML, in annotations and in Markdown.
//
//go:embed gate.tmpl
var layout string

var texts = template.Must(template.New("gate").Funcs(template.FuncMap{
	"counted": text.Counted, "agree": text.Agree, "one": text.OneLine, "md": text.MarkdownText, "code": code, "short": shortened,
	"join": func(words []string) string { return strings.Join(words, ", ") },
	"xml": func(s string) string {
		var b strings.Builder
		xml.EscapeText(&b, []byte(text.OneLine(s))) // a strings.Builder takes everything
		return b.String()
	},
	"data":     func(s string) string { return annotationText.Replace(text.OneLine(s)) },
	"property": func(s string) string { return annotationProperty.Replace(text.OneLine(s)) },
}).Parse(layout))

// No text in an annotation ends its line, begins a property or acts on a terminal.
var (
	annotationText     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	annotationProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

// say fills in a part of the layout.
func say(part string, about any) string {
	var b strings.Builder
	if err := texts.ExecuteTemplate(&b, part, about); err != nil {
		panic(fmt.Sprintf("results: gate: %v", err)) // layout and types belong together
	}
	return b.String()
}

// A task is a remedy, with the number of cells that need it.
type task struct {
	Gate
	Step string
	N    int // cells that ask for it
}

// step returns the remedy of a cell by name; "" without one.
func (g Gate) step(c Checked) string {
	switch {
	case c.Cause == NotAccepted && g.First:
		return "first"
	case c.Cause == NotAccepted, c.Cause == Dropped, c.Cause == OtherInputs:
		return "other"
	case c.Cause != "":
		return string(c.Cause)
	case c.Status == Error:
		return "errors"
	case !g.fails(c.Status):
		return ""
	}
	return c.Status
}

// next returns what to do first about a gate that does not pass: other steps may depend on it.
func (g Gate) next() string {
	asked := map[string]int{}
	for _, c := range g.Cells {
		asked[g.step(c)]++
	}
	for _, step := range []string{string(NotComputed), string(FailedBefore), string(OtherBuild), string(Lost), Regressed, "other", "first", Changed} {
		if n := asked[step]; n > 0 {
			return say("next", task{g, step, n})
		}
	}
	if len(g.Tables) > 0 {
		return say("next", task{Gate: g, Step: "table"})
	}
	return say("next", task{Gate: g, Step: "errors"})
}

// Listing has a line for every cell of a gate. Lost and gained samples are those with the
// right label when accepted only, and now only.
func (g Gate) Listing() document.Table {
	l := document.New("", "data set", "split", "method", "seed", "n", "accepted", "now", "differ", "lost", "gained", "p", "status", "why")
	for _, c := range g.Cells {
		counts := slices.Repeat([]any{""}, 7)
		if c.Count != nil {
			counts = []any{c.N, c.AcceptedAccuracy, c.FreshAccuracy, c.Differ, c.BCount, c.CCount, strconv.FormatFloat(text.SixDigits(float64(c.PHolm)), 'g', -1, 64)}
		}
		l.Add(slices.Concat([]any{c.Dataset, c.Split, c.Method, c.Seed}, counts, []any{c.Status, c.Reason})...)
	}
	return l
}

// Headline is the first line of a gate that does not pass: its status and what to
// do. It is empty for one that passes.
func (g Gate) Headline() string {
	if !g.Failed {
		return ""
	}
	return fmt.Sprintf("gate %s: %s. %s.", g.Spec, g.Status, strings.ToUpper(g.Next[:1])+g.Next[1:])
}

// Notes are the lines under the cells of a gate.
func (g Gate) Notes() []string { return strings.Split(say("notes", g.view()), "\n") }

// A view is a gate as the layout shows it.
type view struct {
	Gate
	Having map[string]int // cells by status
	Head   []string       // of the cells that do not pass, see Listing
	Rows   [][]string     // of them, at most mostRows
	Hidden int            // rows beyond these
	Checks []check
	Faults map[string]int // checks by fault
}

// A check is a test case in the words of JUnit: a cell, the table, or a fault of the whole.
type check struct {
	Checked        // zero for the whole
	Name    string // within the data set
	Fault   string // "failure" or "error"; empty where it passes
	Do      string // about the fault
}

// mostRows bounds the table in Markdown: a comment on GitHub has at most 65536
// characters.
const mostRows = 50

func (g Gate) view() view {
	v := view{Gate: g, Having: map[string]int{Pass: 0, Changed: 0, Regressed: 0, Error: 0}, Faults: map[string]int{"failure": 0, "error": 0}}
	add := func(c Checked, name, do string) { // without do, what there is to do about a cell
		fault := "failure"
		switch {
		case !g.fails(c.Status):
			fault = ""
		case c.Status == Error:
			fault = "error"
		}
		if fault != "" && do == "" {
			do = say("do", task{Gate: g, Step: g.step(c)})
		}
		v.Checks = append(v.Checks, check{c, name, fault, do})
		v.Faults[fault]++
	}
	for _, s := range g.Errors {
		add(Checked{Status: Error, Reason: s}, "the whole", g.Next)
	}
	if len(g.Tables) > 0 {
		add(Checked{Status: Changed, Reason: say("table", g)}, "the table", g.Next)
	}
	lines := g.Listing().Texts()
	v.Head = lines[0]
	for i, c := range g.Cells {
		if v.Having[c.Status]++; c.Status != Pass {
			v.Rows = append(v.Rows, lines[i+1])
		}
		if c.Count != nil && c.Differ > 0 { // no table stands beside it
			c.Reason = fmt.Sprintf("%s; right labels: %d lost, %d gained", c.Reason, c.BCount, c.CCount)
		}
		add(c, fmt.Sprintf("%s seed %d (%s)", c.Method, c.Seed, c.Split), "")
	}
	if v.Hidden = max(0, len(v.Rows)-mostRows); v.Hidden > 0 {
		v.Rows = v.Rows[:mostRows]
	}
	return v
}

// Remarks are the lines under the errors: on the table, on what a flag lets pass, and last
// the gate in one sentence.
func (v view) Remarks() []string { return strings.Split(say("remarks", v), "\n") }

// Render writes the gate in a form:
//
//	junit     JUnit XML: a test case per cell, one for a table that is another one, and one
//	          per fault of the whole. What changed or regressed is a failure, unless that is
//	          allowed, all else that does not pass an error. The text says what to do.
//	github    workflow commands of GitHub. The first one is the whole: an error that says what
//	          to do, or a notice. There follows an error for everything that does not pass, a
//	          warning for what is allowed to have changed. They point at the spec's file, and
//	          at the line of the cell's method.
//	markdown  the body of a comment or the summary of a job: the status, what to do, the cells
//	          that do not pass, and the counts.
func (g Gate) Render(w io.Writer, form string) error {
	_, err := io.WriteString(w, say(form, g.view()))
	return err
}

// mostText bounds a field of the table in Markdown.
const mostText = 400

func shortened(field string) string {
	if runes := []rune(field); len(runes) > mostText {
		return string(runes[:mostText]) + " ..."
	}
	return field
}

// code is a sentence in Markdown in which what stands between backquotes is code.
// In a code span nothing else is markup.
func code(sentence string) string {
	parts := strings.Split(text.OneLine(sentence), "`")
	if len(parts)%2 == 0 {
		return text.MarkdownText(sentence)
	}
	for i := range parts {
		if i%2 == 0 {
			parts[i] = text.MarkdownText(parts[i])
		}
	}
	return strings.Join(parts, "`")
}
