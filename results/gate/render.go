package gate

import (
	"encoding/xml"
	"fmt"
	"io"
	"path"
	"strconv"
	"strings"

	"r2lmlbench/internal/text"
	"r2lmlbench/results/store"
)

// Listing returns the cells of a gate as a heading and one line each.
func (g Gate) Listing() (heading []string, lines [][]string) {
	for _, c := range g.Cells {
		n, before, now, differ, p := "", "", "", "", ""
		if c.Count != nil {
			n, before, now, differ = strconv.Itoa(c.N), c.AcceptedAccuracy, c.FreshAccuracy, strconv.Itoa(c.Differ)
			p = strconv.FormatFloat(c.PHolm, 'g', -1, 64)
		}
		lines = append(lines, []string{c.Dataset, c.Split, c.Method, strconv.FormatUint(c.Seed, 10), n, before, now, differ, p, c.Status, c.Reason})
	}
	return []string{"data set", "split", "method", "seed", "n", "accepted", "now", "differ", "p", "status", "why"}, lines
}

// Notes are the lines under the cells of a gate.
func (g Gate) Notes() []string {
	var notes []string
	for _, s := range g.Errors {
		notes = append(notes, "Error: "+s+".")
	}
	return append(notes, g.verdict())
}

// verdict is the gate in one sentence.
func (g Gate) verdict() string {
	counts := map[string]int{}
	for _, c := range g.Cells {
		counts[c.Status]++
	}
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
}

// RenderJUnit writes the gate as JUnit XML: a test case per cell, and one per
// fault of the whole.
func (g Gate) RenderJUnit(w io.Writer) error {
	suite := junitSuite{Name: "gate " + g.Spec}
	for _, s := range g.Errors {
		suite.add(junitCase{Class: "gate." + g.Spec, Name: "the whole"}, Error, s)
	}
	for _, c := range g.Cells {
		suite.add(junitCase{Class: "gate." + g.Spec + "." + c.Dataset, Name: c.name()}, c.Status, c.Reason)
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

func (s *junitSuite) add(c junitCase, status, reason string) {
	fault := &junitFault{Type: status, Message: reason}
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

// name is a short name of the cell within its data set.
func (c Cell) name() string {
	return fmt.Sprintf("%s seed %d (%s)", c.Method, c.Seed, c.Split)
}

// RenderGitHub writes the gate as workflow commands of GitHub: an error for
// everything that does not pass, and a closing notice. Annotations point at the
// pack of the accepted cell below dir.
func (g Gate) RenderGitHub(w io.Writer, dir string) error {
	var b strings.Builder
	title := "gate " + g.Spec
	for _, s := range g.Errors {
		annotate(&b, "error", "", title, s)
	}
	for _, c := range g.Cells {
		if c.Status == Pass {
			continue
		}
		file := ""
		if pack, ok := (store.AcceptedCell{File: c.File}).Pack(); ok {
			file = path.Join(dir, pack)
		}
		annotate(&b, "error", file, title+": "+c.Status, c.Dataset+" "+c.name()+": "+c.Reason)
	}
	annotate(&b, "notice", "", title, g.verdict())
	_, err := io.WriteString(w, b.String())
	return err
}

var (
	annotationText     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	annotationProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

func annotate(b *strings.Builder, kind, file, title, s string) {
	properties := "title=" + annotationProperty.Replace(title)
	if file != "" {
		properties = "file=" + annotationProperty.Replace(file) + "," + properties
	}
	fmt.Fprintf(b, "::%s %s::%s\n", kind, properties, annotationText.Replace(s))
}
