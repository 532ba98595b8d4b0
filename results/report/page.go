package report

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"r2lmlbench/internal/document"
	"r2lmlbench/internal/text"
	"r2lmlbench/results/paper"
	"r2lmlbench/results/table"
	"r2lmlbench/stats"
)

var (
	//go:embed page.html
	pageText string
	//go:embed style.css
	styles string
	//go:embed script.js
	scripts string
)

var pageTemplate = template.Must(template.New("page").Funcs(template.FuncMap{
	"counted": text.Counted,
	"fixed":   text.TwoDecimals,
	"minus":   document.Minus,
	"signed":  func(x float64) string { return document.Minus(text.Signed(x)) },
	"seconds": seconds,
	"series":  text.Series,
	"starts":  strings.HasPrefix,
	"testOf":  stats.ParseTest,
}).Parse(pageText))

// seconds is a time with three significant digits; nothing when it is unknown, 0.
func seconds(x float64) string {
	if x <= 0 {
		return ""
	}
	return strconv.FormatFloat(text.Significant(x, 3), 'f', -1, 64)
}

// A view is what page.html shows.
type view struct {
	Input
	Policy     string // of content: nothing from anywhere, and only this script and these styles
	Style      template.CSS
	Script     template.JS
	Panels     template.HTML  // what is behind the numbers, in base64
	Command    string         // that computes the cells
	Size       string         // of the data and the splits, if all rows are of one data set, and when they were computed
	Reproduces bool           // the page is about published numbers
	Said       template.HTML  // the answer of Text
	Contrasted document.Table // contrasts of the spec
	Compared   []Compared     // likewise, the significant ones first
	Shown      int            // of these, significant
	Overview   *Overview      // who wins over several data sets; nil: there are none
	Rankings   []Ranking      // of the methods on one's own data sets
	Rows       []PageRow      // of Table
	Majority   bool           // there is a column of the most frequent class
	Published  bool           // a column has published numbers
	Single     bool           // a row is of a data set with one split
	Present    int            // numbers with a result
	Failed     int            // numbers that have failed
	Metrics    []document.Table
	Drawings   []Picture
	Accepted   document.Table // what was accepted over time, by method
}

// A PageRow is a row of a table on the page.
type PageRow struct {
	table.Row
	Key         string // in links
	Cells       []Number
	Data, Rule  string // digests of the data and of the rows of the split
	HasVerdicts bool
	Several     bool // the data set has several splits, whose tests are those over all of them
}

// A Number is a cell of a table on the page.
type Number struct {
	table.Result
	Verdict *paper.Verdict
	Behind  bool // it ranks behind a less accurate method
}

// A Compared contrast has the names of its sides.
type Compared struct {
	table.Comparison
	One, Other []string
	Points     string // mean difference without its sign
}

// compared are the contrasts, the significant ones first, and how many these are.
func (in Input) compared() (all []Compared, shown int) {
	names := func(ids []string) (names []string) {
		for _, c := range in.Table.Columns {
			if slices.Contains(ids, c.ID) {
				names = append(names, c.Name)
			}
		}
		return names
	}
	for _, c := range in.Table.Contrasts {
		one := Compared{c, names(c.A), names(c.B), text.Points(math.Abs(c.Mean))}
		if c.Significant() {
			all, shown = slices.Insert(all, shown, one), shown+1
		} else {
			all = append(all, one)
		}
	}
	return all, shown
}

// A Picture is a figure with its elements.
type Picture struct {
	Name, Title string
	SVG         template.HTML
}

var (
	svgStyle = regexp.MustCompile(`(?s)<style>(.*?)</style>`)
	svgHead  = regexp.MustCompile(`(?s)^.*?<svg\b`) // with what XML has before
)

// page makes index.html.
func page(in Input) ([]byte, error) {
	v := view{
		Input: in, Command: text.Invocation{Spec: in.Name}.String(), Reproduces: in.reproduces(), Overview: in.overview(),
		Rankings: in.rankings(), Metrics: in.sets().MetricListings(),
		Rows: in.rows(), Script: template.JS(scripts), Size: in.size(),
	}
	question, _, _ := strings.Cut(in.Description, "?")
	question += "?"
	if v.Reproduces {
		question = Section
	}
	var err error
	if v.Said, err = sectionHTML(in.Text, question); err != nil {
		return nil, err
	}
	if len(in.Table.Contrasts) > 0 {
		v.Contrasted = table.ComparisonListing(in.Table.Contrasts, in.Table.Columns)
		v.Compared, v.Shown = in.compared()
	}
	if in.History != nil {
		v.Accepted = in.History.Listing()
	}
	for _, r := range v.Rows {
		v.Majority, v.Single = v.Majority || r.Classes != nil, v.Single || !r.Several
		for _, c := range r.Cells {
			v.Published = v.Published || c.Published != ""
			v.Present, v.Failed = v.Present+bit(c.Score != nil), v.Failed+bit(c.Status == table.StatusFailed)
		}
	}
	style := styles // with those of the figures, each once: the policy of the page allows no styles within it
	for _, f := range in.Figures {
		for _, own := range svgStyle.FindAllSubmatch(f.SVG, -1) {
			if !strings.Contains(style, string(own[1])) {
				style += string(own[1])
			}
		}
		svg := svgHead.ReplaceAll(svgStyle.ReplaceAll(f.SVG, nil), []byte("<svg"))
		v.Drawings = append(v.Drawings, Picture{f.Name, f.Title, template.HTML(svg)})
	}
	v.Style = template.CSS(style)
	v.Policy = fmt.Sprintf("default-src 'none'; base-uri 'none'; form-action 'none'; img-src data:; script-src %s; style-src %s", hash(scripts), hash(style))
	if v.Panels, err = in.panels(); err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = pageTemplate.Execute(&b, v)
	return bytes.Map(visible, b.Bytes()), err
}

// size says how large the data set of a page is, if it has one alone, into how many splits it is
// divided, and when the last of its cells was computed, if that is known.
func (in Input) size() string {
	if len(in.Table.Rows) == 0 || len(in.sets().Rows) > 1 || len(in.Cells[0]) == 0 || in.Cells[0][0].Data.Rows == 0 {
		return ""
	}
	d := in.Cells[0][0].Data
	said := text.Counted(d.Rows, "row") + ", " + text.Counted(d.Features, "feature") + ", " + fmt.Sprint(len(d.Classes), " classes, ") +
		text.Counted(len(in.Table.Rows), "split")
	var last time.Time
	for _, c := range slices.Concat(in.Cells...) {
		if c.Run != nil && c.Run.Finished.After(last) {
			last = c.Run.Finished
		}
	}
	if !last.IsZero() {
		said += "; computed on " + last.UTC().Format(time.DateOnly)
	}
	return said
}

// visible keeps hidden characters, which names may hold, out of the page.
func visible(r rune) rune {
	if text.Hidden(r) && r != '\n' && r != '\t' {
		return utf8.RuneError
	}
	return r
}

// hash is the source expression of a content security policy for a text.
func hash(s string) string {
	sum := sha256.Sum256([]byte(s))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// panels packs what is behind the numbers as JSON in gzip in base64: as JSON it would be
// most of the page. The values of a key stand together, see transposed. Where a row has several
// splits, its tests are those over the splits, and the pairs of single splits are left out.
func (in Input) panels() (template.HTML, error) {
	var data struct {
		Columns []table.Column `json:"columns"`
		Titles  []string       `json:"titles"` // of the rows
		Cells   map[string]any `json:"cells"`  // row by row, transposed
	}
	data.Columns = in.Table.Columns
	for _, r := range in.Table.Rows {
		data.Titles = append(data.Titles, r.Title())
	}
	var cells []PanelData
	for i, row := range in.Cells {
		several := in.several(in.Table.Rows[i])
		for _, c := range row {
			if c.Result != nil && several {
				alone := *c.Result
				alone.Against, c.Result = []Opponent{}, &alone
			}
			cells = append(cells, c)
		}
	}
	written, err := json.Marshal(cells)
	if err != nil {
		return "", err
	}
	var objects []map[string]json.RawMessage
	if err := json.Unmarshal(written, &objects); err != nil {
		return "", err
	}
	data.Cells = transposed(objects, true)
	var b bytes.Buffer
	z, _ := gzip.NewWriterLevel(&b, gzip.BestCompression) // which is a level
	if err := errors.Join(json.NewEncoder(z).Encode(data), z.Close()); err != nil {
		return "", err
	}
	return template.HTML(base64.StdEncoding.EncodeToString(b.Bytes())), nil
}

// transposed returns the values of each key of objects as a list, null where an object lacks it; with
// nested, a key whose values are objects has these transposed in turn. Alike values then stand
// together, of which gzip makes a third of the bytes.
func transposed(objects []map[string]json.RawMessage, nested bool) map[string]any {
	lists, inner := map[string][]json.RawMessage{}, map[string][]map[string]json.RawMessage{}
	for i, object := range objects {
		for key, value := range object {
			var of map[string]json.RawMessage
			if nested && json.Unmarshal(value, &of) == nil && of != nil {
				if inner[key] == nil {
					inner[key] = make([]map[string]json.RawMessage, len(objects))
				}
				inner[key][i] = of
				continue
			}
			if lists[key] == nil {
				lists[key] = make([]json.RawMessage, len(objects))
			}
			lists[key][i] = value
		}
	}
	all := map[string]any{}
	for key, list := range lists {
		all[key] = list
	}
	for key, list := range inner {
		all[key] = transposed(list, false)
	}
	return all
}

// rows are those of the table with what is known of their numbers.
func (in Input) rows() []PageRow {
	var all []PageRow
	for i, r := range in.Table.Rows {
		row := PageRow{Row: r, Key: r.Dataset, Several: in.several(r)}
		if r.Repeat > 0 {
			row.Key += "~" + strconv.Itoa(r.Repeat)
		}
		for j, c := range r.Cells {
			x := in.Cells[i][j]
			n := Number{Result: c, Verdict: x.Verdict}
			n.Behind = slices.ContainsFunc(r.Inversions, func(p [2]string) bool { return p[0] == c.Method })
			row.Cells = append(row.Cells, n)
			row.Data, row.Rule = cmp.Or(row.Data, x.Data.Digest), cmp.Or(row.Rule, x.Split.Digest)
			row.HasVerdicts = row.HasVerdicts || x.Verdict != nil
		}
		all = append(all, row)
	}
	return all
}

// several tells whether a row is one of several splits of its data set.
func (in Input) several(r table.Row) bool {
	return slices.ContainsFunc(in.sets().Rows, func(set table.Row) bool { return set.Dataset == r.Dataset && set.Pool != nil })
}

// sets is the table in which each data set has a row, where it has several splits.
func (in Input) sets() table.Table {
	if in.Pooled != nil {
		return *in.Pooled
	}
	return in.Table
}

// reproduces tells whether at least half of the methods' numbers are beside published
// ones, so that the page is about these.
func (in Input) reproduces() bool {
	sets := map[string]bool{}
	for _, r := range in.Table.Rows {
		sets[r.Dataset] = true
	}
	n := in.Verdicts.Summary.Numbers
	return n > 0 && 2*n >= len(sets)*len(in.Table.Columns)
}
