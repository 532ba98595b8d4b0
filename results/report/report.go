// Package report writes what is known of an experiment as a web page that needs
// no network: the answer, the ranked table beside the published one, and figures. The
// tables stand beside it as CSV, Markdown and LaTeX.
//
// Layout and sentences are in page.html, and equal input gives equal bytes. Without
// JavaScript the tables can be read. The script sorts, filters, copies and opens the
// panel of a number, which it builds from what "explain --format json" says of it: its
// [Explanation], which [Explain] makes for the command.
//
// A [Chart] becomes an SVG, its numbers as CSV, and a description in words; [Drawings] has the
// names by which a spec asks for charts. The studies of the paper, of which each has a spec and
// some a measure of their own, are drawn from the tables of those specs. A new one takes a
// measure, a function that makes charts of a table, and a line in [Drawings].
//
// A chart is a list of panels. A [Panel] has points and lines over two axes, or dots and
// intervals on named rows, with bars that join rows (a critical-difference diagram is one,
// Demšar, Statistical comparisons of classifiers over multiple data sets, JMLR 7, 2006). Text
// stays text, and looks are classes of one style sheet, so that charts follow light and dark
// pages. Series differ by mark and dashes as well as by color; the colors are those of Okabe
// and Ito (Color universal design, 2008). Panels keep their size of at most 336 pixels: a page
// lets them flow, and a phone shows one below the other.
package report

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"

	"r2lmlbench/internal/document"
	"r2lmlbench/internal/files"
	"r2lmlbench/internal/text"
	"r2lmlbench/results/gate"
	"r2lmlbench/results/paper"
	"r2lmlbench/results/table"
)

// An Input is all that a report shows. Slices that are empty leave their section
// out.
type Input struct {
	Name        string // of the spec, as it is called on the command line
	Description string // of the spec; may be empty
	Store       string // directory that the cells come from
	Version     string // of the program
	Predictions []byte // as CSV, a line for each; nil: there is no file of them
	Neighbors   []int  // k of the k-NN rule, or several

	Table     table.Table
	Pooled    *table.Table   // Table with one row for each data set; nil where it is the same
	Cells     [][]PanelData  // rows and columns of Table
	Verdicts  paper.Verdicts // on the published numbers of Table
	Original  bool           // the published numbers are those of this very spec, whose studies have specs of their own
	Elsewhere bool           // Table is that of a study, whose numbers are not on the page
	Text      string         // Markdown with the answer: its section [Section] about published numbers, or that of the question in Description
	Answer    []string       // of a comparison on own data, in sentences; empty: the page has its own
	LeftOut   []string       // likewise, on methods that were not compared
	Curve     paper.Curve    // of the readings of Table
	Costs     []paper.Cost   // of the cells of Table
	Figures   []Figure
	History   *gate.History // what was accepted over time; nil: not known
}

// A PanelData is what is known of one number: its JSON is what a panel of the page shows.
type PanelData struct {
	Explanation
	Seconds float64 `json:"seconds,omitempty"` // wall time by the list of accepted cells; 0: unknown
	Heap    int64   `json:"heap,omitempty"`    // growth of the heap by the same list, in bytes; 0: unknown
}

// Write writes index.html, the tables and the figures into dir, each file whole
// or not at all, the page last. It overwrites files of another report only, and
// what else is in dir stays. Text in the input means itself in each format,
// whatever it is. Files that only the page of the older report links to are removed.
func Write(dir string, in Input) error {
	all, err := render(in)
	if err != nil {
		return fmt.Errorf("report %s: %w", in.Name, err)
	}
	var stale []string
	if err = Replaceable(dir); err == nil {
		stale = linked(dir)
		err = files.WriteFolder(dir, all)
	}
	for _, name := range stale {
		if err == nil && !slices.ContainsFunc(all, func(f files.File) bool { return f.Path == name }) {
			err = files.MarkIO(os.Remove(filepath.Join(dir, filepath.FromSlash(name))))
		}
	}
	if err != nil {
		return fmt.Errorf("report %s: %w", in.Name, err)
	}
	return nil
}

// Replaceable tells why a report must not be written to dir: it is neither new, nor
// empty, nor another report or the beginning of one.
func Replaceable(dir string) error {
	found, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) || err == nil && len(found) == 0 {
		return nil
	}
	if err != nil {
		return err
	}
	if files.Unfinished(dir) {
		return nil
	}
	page := filepath.Join(dir, pageName)
	if info, err := os.Lstat(page); err == nil && info.Mode().IsRegular() {
		old, err := os.ReadFile(page)
		if err != nil || bytes.Contains(old, []byte(pageTitle)) {
			return err
		}
	}
	return fmt.Errorf("the directory %s has files and holds no report", dir)
}

// fileLink is how a page links to a file beside it.
var fileLink = regexp.MustCompile(`href="([a-z0-9-]+(?:/[a-z0-9-]+)?\.(?:csv|md|tex|svg))"`)

// linked are the files that the page in a directory links to and that are there.
func linked(dir string) (names []string) {
	page, _ := os.ReadFile(filepath.Join(dir, pageName)) // none: it links to nothing
	for _, link := range fileLink.FindAllSubmatch(page, -1) {
		name := string(link[1])
		file := filepath.Join(dir, filepath.FromSlash(name))
		folder, err := os.Lstat(filepath.Dir(file)) // nothing behind a link is ours
		if err != nil || filepath.Dir(file) != filepath.Clean(dir) && !folder.IsDir() {
			continue
		}
		if info, err := os.Lstat(file); err == nil && info.Mode().IsRegular() {
			names = text.AppendNew(names, name)
		}
	}
	return names
}

// A page of a report has this name, and the end of its title tells it from other
// pages.
const (
	pageName  = "index.html"
	pageTitle = ": report of r2lmlbench</title>"
)

// render makes all files with their paths below the report: the ranked tables and the listings
// beside them in all formats, the figures, and the page last, so that it is there when what it
// links to is.
func render(in Input) ([]files.File, error) {
	var all []files.File
	var failed error
	add := func(name string, render func(io.Writer) error) {
		var b bytes.Buffer
		failed = cmp.Or(failed, render(&b))
		all = append(all, files.File{Path: name, Data: b.Bytes()})
	}
	ranked := func(name string, t table.Table) {
		add(name+".csv", func(w io.Writer) error { return t.Render(w, "csv", document.Style{}) })
		add(name+".md", func(w io.Writer) error { return t.Render(w, "markdown", document.Style{}) })
		add(name+".tex", func(w io.Writer) error { return t.Render(w, "latex", document.Style{Document: true, Notes: true}) })
	}
	listing := func(name string, l document.Table) {
		add(name+".csv", l.WriteCSV)
		add(name+".md", l.WriteMarkdown)
	}
	ranked("table", in.Table)
	if in.Pooled != nil {
		ranked("pooled", *in.Pooled)
	}
	if len(in.Verdicts.Verdicts) > 0 {
		listing("verdicts", in.Verdicts.Listing())
		listing("readings", in.Verdicts.ReadingsTable())
	}
	if len(in.Table.Contrasts) > 0 {
		listing("contrasts", table.ComparisonListing(in.Table.Contrasts, in.Table.Columns))
		listing("contrasts-by-set", table.ComparisonSetListing(in.Table.Contrasts))
	}
	for _, f := range in.Figures {
		all = append(all, files.File{Path: "figures/" + f.Name + ".svg", Data: f.SVG}, files.File{Path: "figures/" + f.Name + ".csv", Data: f.CSV})
	}
	if in.Predictions != nil {
		all = append(all, files.File{Path: "predictions.csv", Data: in.Predictions})
	}
	html, err := page(in)
	return append(all, files.File{Path: pageName, Data: html}), cmp.Or(failed, err)
}
