package gate

import (
	"encoding/xml"
	"fmt"
	"io"
	"strconv"
	"strings"

	"r2lmlbench/internal/text"
)

// Listing returns the cells of a gate as a heading and one line each. Lost and gained
// samples are those with the right label when accepted only, and now only.
func (g Gate) Listing() (heading []string, lines [][]string) {
	for _, c := range g.Cells {
		n, before, now, differ, lost, gained, p := "", "", "", "", "", "", ""
		if c.Count != nil {
			n, before, now, differ = strconv.Itoa(c.N), c.AcceptedAccuracy, c.FreshAccuracy, strconv.Itoa(c.Differ)
			lost, gained = strconv.Itoa(c.BCount), strconv.Itoa(c.CCount)
			p = strconv.FormatFloat(c.PHolm, 'g', -1, 64)
		}
		lines = append(lines, []string{c.Dataset, c.Split, c.Method, strconv.FormatUint(c.Seed, 10), n, before, now, differ, lost, gained, p, c.Status,
			c.Reason})
	}
	return []string{"data set", "split", "method", "seed", "n", "accepted", "now", "differ", "lost", "gained", "p", "status", "why"}, lines
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
func (g Gate) Notes() []string {
	var notes []string
	for _, s := range g.Errors {
		notes = append(notes, "Error: "+s+".")
	}
	return append(append(notes, g.remarks()...), g.verdict())
}

// remarks are on the table, and on what a flag lets pass.
func (g Gate) remarks() []string {
	var remarks []string
	if len(g.Tables) > 0 {
		remarks = append(remarks, "The table that the cells make is not the accepted one, printed as: "+strings.Join(g.Tables, ", ")+".")
	}
	if g.Others > 0 {
		remarks = append(remarks, fmt.Sprintf("%d made, wholly or in part, by another or an unknown build, which --allow-other-builds lets pass.", g.Others))
	}
	if g.NoTable {
		remarks = append(remarks, "No table was accepted, so none is compared; gate --accept of the whole spec keeps one.")
	}
	if n := g.counts()[Changed]; n > 0 && g.allowed {
		remarks = append(remarks, fmt.Sprintf("%d changed, which --allow-changed lets pass.", n))
	}
	return remarks
}

// counts are the numbers of cells by status.
func (g Gate) counts() map[string]int {
	counts := map[string]int{}
	for _, c := range g.Cells {
		counts[c.Status]++
	}
	return counts
}

// verdict is the gate in one sentence.
func (g Gate) verdict() string {
	counts := g.counts()
	return fmt.Sprintf("gate %s: %s. Of %s %d pass, %d changed, %d regressed, %d in error; %s, Holm's correction over %s, alpha %g, tolerance "+
		"%g in points of accuracy.",
		g.Spec, g.Status, text.Counted(len(g.Cells), "cell"), counts[Pass], counts[Changed], counts[Regressed], counts[Error],
		g.Test.Pair, text.Counted(g.Family, "comparison"), g.Test.Alpha, g.Tolerance)
}

// A junitSuite is the part of JUnit's XML that its readers agree on.
type junitSuite struct {
	XMLName  xml.Name    `xml:"testsuite"`
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Errors   int         `xml:"errors,attr"`
	Cases    []junitCase `xml:"testcase"`
}

type junitCase struct {
	Class   string      `xml:"classname,attr"`
	Name    string      `xml:"name,attr"`
	Failure *junitFault `xml:"failure"`
	Error   *junitFault `xml:"error"`
}

type junitFault struct {
	Type    string `xml:"type,attr"`
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

// RenderJUnit writes the gate as JUnit XML: a test case per cell, and one per
// fault of the whole. Cells that changed or regressed are failures, unless that is
// allowed, others that do not pass errors. The text of each says what to do.
func (g Gate) RenderJUnit(w io.Writer) error {
	suite := junitSuite{Name: "gate " + g.Spec}
	for _, s := range g.Errors {
		suite.add(junitCase{Class: "gate." + g.Spec, Name: "the whole"}, Error, s, g.Next)
	}
	if len(g.Tables) > 0 {
		suite.add(junitCase{Class: "gate." + g.Spec, Name: "the table"}, g.told(Changed), "not the accepted one, printed as: "+strings.Join(g.Tables, ", "), g.Next)
	}
	for _, c := range g.Cells {
		status, what := g.told(c.Status), ""
		if status != Pass {
			what = g.remedy(c)
		}
		suite.add(junitCase{Class: "gate." + g.Spec + "." + c.Dataset, Name: c.name()}, status, c.told(), what)
	}
	out, err := xml.MarshalIndent(struct {
		XMLName xml.Name `xml:"testsuites"`
		Suite   junitSuite
	}{Suite: suite}, "", " ")
	if err != nil {
		return fmt.Errorf("results: gate %s as JUnit XML: %w", g.Spec, err)
	}
	_, err = io.WriteString(w, xml.Header+string(out)+"\n")
	return err
}

// told is a status as reports tell it: pass where it does not fail.
func (g Gate) told(status string) string {
	if !g.fails(status) {
		return Pass
	}
	return status
}

func (s *junitSuite) add(c junitCase, status, reason, what string) {
	c.Class, c.Name = text.OneLine(c.Class), text.OneLine(c.Name)
	fault := &junitFault{Type: status, Message: text.OneLine(reason), Text: text.OneLine("What to do: " + what + ".")}
	switch status {
	case Pass:
	case Error:
		c.Error = fault
		s.Errors++
	default:
		c.Failure = fault
		s.Failures++
	}
	s.Tests++
	s.Cases = append(s.Cases, c)
}

// told is the reason where no table stands beside it.
func (c Cell) told() string {
	if c.Count == nil || c.Differ == 0 {
		return c.Reason
	}
	return fmt.Sprintf("%s; right labels: %d lost, %d gained", c.Reason, c.BCount, c.CCount)
}

// name is a short name of the cell within its data set.
func (c Cell) name() string {
	return fmt.Sprintf("%s seed %d (%s)", c.Method, c.Seed, c.Split)
}

// RenderGitHub writes the gate as workflow commands of GitHub. The first one is the
// whole: an error that says what to do, or a notice. There follows an error for
// everything that does not pass, a warning for what is allowed to have changed. They
// point at the spec's file, and at the line of the cell's method.
func (g Gate) RenderGitHub(w io.Writer) error {
	var b strings.Builder
	whole := annotation{kind: "notice", file: g.Source, title: "gate " + g.Spec, text: g.verdict()}
	if g.Failed {
		whole.kind, whole.text = "error", text.Join(" ", g.Headline(), g.verdict())
	}
	whole.write(&b)
	for _, s := range g.Errors {
		annotation{kind: "error", file: g.Source, title: whole.title, text: s}.write(&b)
	}
	for _, c := range g.Cells {
		a := annotation{kind: "error", file: g.Source, line: c.Line, title: whole.title + ": " + c.Status, text: c.Dataset + " " + c.name() + ": " + c.told()}
		switch {
		case c.Status == Pass:
			continue
		case !g.fails(c.Status):
			a.kind = "warning"
		}
		a.write(&b)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// An annotation is a workflow command of GitHub.
type annotation struct {
	kind, file  string // error, warning or notice; file: empty: none
	line        int    // in the file; 0: none
	title, text string
}

var (
	annotationText     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	annotationProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

// write appends the command as one line. No text in it ends the line, begins a
// property or acts on a terminal.
func (a annotation) write(b *strings.Builder) {
	b.WriteString("::" + a.kind + " ")
	if a.file != "" {
		b.WriteString("file=" + property(a.file) + ",")
		if a.line > 0 {
			fmt.Fprintf(b, "line=%d,", a.line)
		}
	}
	fmt.Fprintf(b, "title=%s::%s\n", property(a.title), annotationText.Replace(text.OneLine(a.text)))
}

func property(s string) string { return annotationProperty.Replace(text.OneLine(s)) }
