package report

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html/template"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"r2lmlbench/internal/invoke"
	"r2lmlbench/internal/text"
	"r2lmlbench/results/chart"
	"r2lmlbench/results/document"
	"r2lmlbench/results/figures"
	"r2lmlbench/results/table"
)

var (
	//go:embed page.html
	pageText string
	//go:embed style.css
	styleText string
	//go:embed script.js
	scriptText string
	styles     = styleText + chart.Style() + figures.StripStyle()
	scripts    = scriptText + chart.Script()
)

var pageTemplate = template.Must(template.New("page").Funcs(template.FuncMap{"figure": isFigure}).Parse(pageText))

// isFigure tells whether a field of a table is a number, which stands at the right.
func isFigure(field string) bool { return figurePattern.MatchString(field) }

var figurePattern = regexp.MustCompile(`^[<+−-]?[0-9][0-9.,e−-]*( of [0-9]+)?$`)

// A view is what the template shows, in the order of the page.
type view struct {
	Policy         string // of content: nothing from anywhere, this script and style only
	Style          template.CSS
	Script         template.JS
	Keys           template.JS   // of rows and columns
	Data           template.HTML // of the panels, in base64
	Title          string        // of the spec
	Heading        string
	Description    string
	Facts          [][2]string
	Text           template.HTML // whether the published numbers come back
	Answer         []leaderView  // which methods are the most accurate
	Strip          template.HTML // a square for each published number
	Rule           string        // of the verdicts
	LetsThrough    string        // what it lets through by chance
	Readings       *metricView   // of the protocol, with what they give; nil: there are none
	BySize         []sizeAnswer  // which methods rank best on small and on large data sets
	Counts         []verdictCount
	Environment    [][2]string
	Digests        [][]string
	Columns        []columnView
	Rows           []rowView
	Sets           []rowView      // Rows, or those of Pooled
	Alone          bool           // there is a single method, which has no rank
	Compared       []comparedView // data sets with their methods, the most accurate first
	Pooled         template.HTML  // the table with a row for each data set, and those of its metrics
	PooledNotes    template.HTML
	Published      bool
	Majority       bool         // there is a column of the most frequent class
	Metrics        []metricView // beside accuracy
	Footnotes      []footnote
	Constant       *footnote // the one on predictions that are all the same
	Notes          []string
	VerdictInfo    []string
	WinTieLosses   [][]winTieLossView // nil with a single method
	WinTieLossNote string
	Figures        []figureView
	Changes        *changesView
	History        *historyView
}

// A verdictCount says how many published numbers have a verdict.
type verdictCount struct {
	Word, Sign, Family string
	N                  int
}

// A figureView is a drawing with its caption.
type figureView struct {
	chart.Figure
	Element template.HTML
	Alone   bool // in its row
	Printed bool // on paper, where the first of a family stands for all
}

// A line is one item of a list with its link.
type line struct{ Href, Title, Text string }

type columnView struct{ Name string }

// A metricView is the table of a metric, with its notes.
type metricView struct {
	Title string
	Body  template.HTML
}

type rowView struct {
	Title, Anchor string
	Majority      string // accuracy of naming the most frequent class; empty without such a column
	N             int
	Index         int
	Cells         []cellView
	Facts         [][2]string
	Gist          string // the most accurate methods and their accuracy
}

// A cellView is a number in the tables.
type cellView struct {
	Href, Value, Sort  string
	Rank               string
	Best               bool
	Letters            string
	Marks              []mark // links to footnotes
	Published, PubRank string
	PubSort            string
	Difference         string // with a true minus sign
	DiffSort           string
	Verdict            string
	Reason             string // of the verdict
	Sign, Family       string // of the word
	Spread             string // mean and sd where there are several runs
	Row, Column        int
	RowTitle, Method   string
}

// A mark is a sign beside a number whose footnote explains it.
type mark struct{ Sign, Anchor, Title string }

type footnote struct {
	mark
	Items []line
}

// A rankLine is a method on a data set.
type rankLine struct {
	cellView
	FromBest string // of the row, in points
	Splits   string // how many of them have a result, where others have none
}

type winTieLossView struct {
	Href, Counts, Mean, Class string
}

type changesView struct {
	Dir, Status, Summary string
	Lead                 string // what has changed, in short
	Errors               []string
	Verdicts             []line // that differ
	Head                 []string
	Rows                 [][]string
}

// page makes index.html.
func page(in Input) ([]byte, error) {
	all := panelData(in)
	keys, err := json.Marshal(all.keys()) // spells <, > and & by their numbers
	if err != nil {
		return nil, err
	}
	panels, err := all.pack()
	if err != nil {
		return nil, err
	}
	v := view{
		Policy: fmt.Sprintf("default-src 'none'; base-uri 'none'; form-action 'none'; img-src data:; script-src %s; style-src %s", hash(scripts), hash(styles)),
		Style:  template.CSS(styles), Script: template.JS(scripts), Keys: template.JS(keys), Data: template.HTML(panels),
		Title: in.Table.Spec, Heading: in.Table.Spec, Description: in.Description,
		Facts: in.facts(), Environment: in.environment(), Digests: in.digests(),
		Notes: in.Table.PageNotes(),
	}
	in.addTable(&v)
	if err := in.addPooledTable(&v); err != nil {
		return nil, err
	}
	for _, l := range in.Table.MetricListings() {
		v.Metrics = append(v.Metrics, metricView{l.Title, document.HTML(l.Title, l.Blocks()...)})
	}
	if err := in.addVerdicts(&v); err != nil {
		return nil, err
	}
	if !in.reproduces() {
		v.Answer, v.Compared = in.leaders(), in.compared(v.Sets)
	}
	v.BySize = in.bySize()
	in.addWinTieLosses(&v)
	v.Figures = in.drawings()
	in.addChanges(&v)
	in.addHistory(&v)
	var b bytes.Buffer
	err = pageTemplate.Execute(&b, v)
	return bytes.Map(visible, b.Bytes()), err
}

// visible keeps control characters, which names may hold, out of the page.
func visible(r rune) rune {
	if unicode.IsControl(r) && r != '\n' && r != '\t' {
		return ' '
	}
	return r
}

// fragment spells a name such that it can stand in a link within the page. A
// colon would make what is before it look like a protocol.
func fragment(name string) string {
	return strings.ReplaceAll(url.PathEscape(name), ":", "%3A")
}

// hash is the source expression of a content security policy for a text.
func hash(s string) string {
	sum := sha256.Sum256([]byte(s))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// key names a row in links: the data set, with the number of the split when the
// table has several.
func key(r table.Row) string {
	if r.Repeat > 0 {
		return r.Dataset + "~" + strconv.Itoa(r.Repeat)
	}
	return r.Dataset
}

// cellHref is the link that opens the panel of a number.
func cellHref(r table.Row, column string) string {
	return "#" + fragment(key(r)) + "/" + fragment(column)
}

func rowAnchor(r table.Row) string { return "data-" + fragment(key(r)) }

func rowTitle(r table.Row) string {
	title := strings.TrimSpace(r.Letter + " " + r.Name)
	if r.Repeat > 0 {
		title += " #" + strconv.Itoa(r.Repeat)
	}
	return title
}

// facts tell what was run.
func (in Input) facts() [][2]string {
	t := in.Table
	present, failed, all := 0, 0, 0
	var splits, sets []string
	for _, r := range t.Rows {
		rule, _, _ := strings.Cut(r.Split, " repeat=")
		splits, sets = text.AppendNew(splits, rule), text.AppendNew(sets, r.Dataset)
		for _, c := range r.Cells {
			all++
			if c.Score != nil {
				present++
			}
			if c.Status == table.StatusFailed {
				failed++
			}
		}
	}
	what := fmt.Sprintf("%s on %s, %s", text.Counted(len(t.Columns), "method"), text.Counted(len(sets), "data set"), text.Counted(len(t.Rows), "row"))
	numbers := fmt.Sprintf("%d of %d %s a result", present, all, text.Agree(present, "has", "have"))
	if failed > 0 {
		numbers += fmt.Sprintf(", %d failed", failed)
	}
	return known([][2]string{
		{"Run", what}, {"Numbers", numbers}, {"Split", strings.Join(splits, ", ")}, {"Classifier", in.classifier()},
		{"Test", in.test()}, {"Cells", in.Store}, {"Command", invoke.Run{Spec: in.Name}.String()},
	})
}

// test names what compares the methods.
func (in Input) test() string {
	t := in.Table.Test
	switch len(in.Table.Columns) {
	case 0:
		return "none: there is no method"
	case 1:
		return "none: there is one method"
	}
	said := fmt.Sprintf("%s between all pairs of a row, %s correction, alpha %g", pairTest(t.Pair), possessive(t.Correction), t.Alpha)
	if in.Pooled != nil {
		said += "; over the splits of a data set the corrected resampled t-test, where it is valid"
	}
	return said
}

// possessive names a correction by its author.
func possessive(correction string) string {
	if correction == "holm" {
		return "Holm's"
	}
	return correction
}

// classifier names the rule: "5 nearest neighbors", "1, 5 and 15 nearest neighbors".
func (in Input) classifier() string {
	var ks []string
	for _, k := range in.Neighbors {
		ks = append(ks, strconv.Itoa(k))
	}
	if len(ks) == 1 {
		return text.Counted(in.Neighbors[0], "nearest neighbor")
	}
	return text.Series(ks) + " nearest neighbors"
}

// short names a row where there is little room.
func short(r table.Row) string {
	name := r.Letter
	if name == "" {
		name = r.Dataset
	}
	if r.Repeat > 0 {
		name += "#" + strconv.Itoa(r.Repeat)
	}
	return name
}

// environment tells where the cells were computed, as far as it was kept.
func (in Input) environment() [][2]string {
	var hosts, versions, commits []string
	known, listed, all := 0, 0, 0
	var seconds float64
	var first, last string
	for _, row := range in.Cells {
		for _, c := range row {
			if c.Result == nil {
				continue
			}
			all++
			if c.Run == nil {
				seconds += c.Seconds
				if c.Seconds > 0 {
					listed++
				}
				continue
			}
			known++
			seconds += c.Run.Seconds
			hosts, versions, commits = text.AppendNew(hosts, c.Run.Host), text.AppendNew(versions, c.Run.Go), text.AppendNew(commits, c.Run.Commit)
			if day := c.Run.Finished.UTC().Format("2006-01-02"); first == "" || day < first {
				first = day
			}
			if day := c.Run.Finished.UTC().Format("2006-01-02"); day > last {
				last = day
			}
		}
	}
	lines := [][2]string{{"Records of runs", fmt.Sprintf("%d of %s with host and versions", known, text.Counted(all, "number"))}}
	for _, f := range []struct {
		name   string
		values []string
	}{{"Host", hosts}, {"Go", versions}, {"Commit", commits}} {
		if values := slices.DeleteFunc(f.values, func(s string) bool { return s == "" }); len(values) > 0 {
			lines = append(lines, [2]string{f.name, strings.Join(values, ", ")})
		}
	}
	if first != "" {
		lines = append(lines, [2]string{"Finished", strings.Join(slices.Compact([]string{first, last}), " to ")})
	}
	if known+listed > 0 {
		lines = append(lines, [2]string{"Wall time", fmt.Sprintf("%.0f s for %s, whose time is known, with seed 1", seconds, text.Counted(known+listed, "number"))})
	}
	return lines
}

// digests has a line per row of the table: data set, samples, digests. Of several splits
// of a data set the first stands there; those of all are behind their numbers.
func (in Input) digests() [][]string {
	var lines [][]string
	for i, r := range in.Table.Rows {
		if in.Pooled != nil && r.Repeat > 1 {
			continue
		}
		data, split := "", ""
		for _, c := range in.Cells[i] {
			if data == "" {
				data = c.Data.Digest
			}
			if split == "" {
				split = c.Split.Digest
			}
		}
		lines = append(lines, []string{rowTitle(r), r.Dataset, r.Split, data, split})
	}
	return lines
}

// drawings are the figures in rows of two that are about as high: neighbours where they
// are, else the one behind that comes closest. One without a partner has a row of its own.
func (in Input) drawings() []figureView {
	var all []figureView
	for left := slices.Clone(in.Figures); len(left) > 0; {
		first := left[0]
		left = left[1:]
		i := partner(first, left)
		all = append(all, drawing(first, i < 0))
		if i >= 0 {
			all = append(all, drawing(left[i], false))
			left = slices.Delete(left, i, i+1)
		}
	}
	markPrinted(all)
	return all
}

// markPrinted chooses the figures that go to paper: the first of each family, whose names
// differ in their last part, such as surfaces and surfaces-2.
func markPrinted(all []figureView) {
	known := map[string]bool{} // names and families
	for i, f := range all {
		family := familyOf(f.Name)
		all[i].Printed = !known[family]
		known[f.Name], known[family] = true, true
	}
}

// familyOf is the name of a figure without its last part.
func familyOf(name string) string {
	if i := strings.LastIndexByte(name, '-'); i > 0 {
		return name[:i]
	}
	return name
}

func drawing(f Figure, alone bool) figureView {
	return figureView{Figure: f, Element: template.HTML(f.Inline), Alone: alone}
}

const (
	sameHeight    = 1.06 // ratio up to which neighbours make a row
	similarHeight = 1.45 // the same for figures further apart
)

// partner is the index of the figure that goes beside f, -1 without one. Neighbours of
// the same height are not parted.
func partner(f Figure, left []Figure) int {
	if len(left) > 0 && heights(f, left[0]) <= sameHeight {
		return 0
	}
	best, ratio := -1, similarHeight
	for i, other := range left {
		before := i > 0 && heights(left[i-1], other) <= sameHeight
		after := i+1 < len(left) && heights(other, left[i+1]) <= sameHeight
		if r := heights(f, other); r < ratio && !before && !after {
			best, ratio = i, r
		}
	}
	return best
}

// heights is the ratio of the larger height to the smaller one.
func heights(a, b Figure) float64 {
	return max(a.Height, b.Height) / max(min(a.Height, b.Height), 0.01)
}

// addChanges shows what differs from other results.
func (in Input) addChanges(v *view) {
	if in.Against == nil {
		return
	}
	v.Changes = &changesView{
		Dir: in.Against.Dir, Status: in.Against.Gate.Status, Lead: in.changesLead(), Summary: in.Against.summary(), Errors: in.Against.Gate.Errors,
		Head: changeHead, Rows: in.changedCells(),
	}
	for _, c := range in.Against.Verdicts {
		v.Changes.Verdicts = append(v.Changes.Verdicts, line{numberHref(c.Now), in.numberTitle(c.Now), c.words()})
	}
}

// A historyView has a line for every column that an accepted state changed, and one for
// every state.
type historyView struct {
	Head   []string
	Rows   [][]string
	States []string
}

// addHistory shows what was accepted over time.
func (in Input) addHistory(v *view) {
	if in.History == nil {
		return
	}
	v.History = &historyView{States: in.History.Notes()}
	v.History.Head, v.History.Rows = in.History.Listing()
}
