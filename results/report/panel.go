package report

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"r2lmlbench/internal/text"
	"r2lmlbench/results"
	"r2lmlbench/results/explain"
	"r2lmlbench/results/table"
	"r2lmlbench/results/verdict"
	"r2lmlbench/stats"
)

// panels are the data behind the numbers as the script reads them. What cells
// share is kept once; lists of fixed length stand for objects to stay small.
type panels struct {
	Columns []panelColumn `json:"columns"`
	Rows    []panelRow    `json:"rows"`
	Cells   [][]panelCell `json:"cells"`
}

// panelKeys name the rows and the columns in links and in the address.
type panelKeys struct {
	Rows    []string `json:"rows"`
	Columns []string `json:"columns"`
}

func (p panels) keys() panelKeys {
	k := panelKeys{Rows: []string{}, Columns: []string{}}
	for _, r := range p.Rows {
		k.Rows = append(k.Rows, r.Key)
	}
	for _, c := range p.Columns {
		k.Columns = append(k.Columns, c.ID)
	}
	return k
}

// pack makes JSON in gzip in base64. As JSON they would be most of the page.
func (p panels) pack() (string, error) {
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return "", err
	}
	if err := json.NewEncoder(z).Encode(p); err != nil {
		return "", err
	}
	if err := z.Close(); err != nil {
		return "", err
	}
	return base64.StdEncoding.EncodeToString(b.Bytes()), nil
}

type panelColumn struct {
	ID    string      `json:"id"`
	Name  string      `json:"name"`
	Facts [][2]string `json:"facts"`
}

type panelRow struct {
	Key    string            `json:"key"`
	Title  string            `json:"title"`
	N      int               `json:"n"`
	Facts  [][2]string       `json:"facts"`
	Labels map[string]string `json:"labels"` // of the classes, by code
	Family int               `json:"family"`
	Pairs  []panelPair       `json:"pairs"`
}

// A panelPair is columns a < b, b and c counts, p, p after Holm, significant (1
// or 0), difference of accuracy in points, its interval, Cohen's g.
type panelPair [10]any

type panelCell struct {
	Lead     string      `json:"lead,omitempty"` // what came of the published number, in short
	Seed     uint64      `json:"seed"`
	Facts    [][2]string `json:"facts"` // the number
	Verdict  [][2]string `json:"verdict,omitempty"`
	Readings [][5]string `json:"readings,omitempty"` // name, mean, sd, runs, word
	Chosen   string      `json:"chosen,omitempty"`
	Grid     *panelGrid  `json:"grid,omitempty"`
	Surface  *panelMap   `json:"surface,omitempty"`
	Codes    []int       `json:"codes,omitempty"`
	Counts   [][]int     `json:"counts,omitempty"` // by true label, then predicted
	Accuracy string      `json:"accuracy,omitempty"`
	Warnings []string    `json:"warnings,omitempty"`
	Run      [][2]string `json:"run,omitempty"`
	Commands []string    `json:"commands"`
}

// A panelGrid is the validation profile: the names of the parameters that vary,
// and for every point their values with the right answers of n, -1 without a score.
type panelGrid struct {
	Fixed    string         `json:"fixed"`
	Axes     []string       `json:"axes"`
	Points   [][]string     `json:"points"`
	Correct  []int          `json:"correct"`
	Failures map[int]string `json:"failures,omitempty"`
	N        int            `json:"n"`
	Chosen   int            `json:"chosen"`
}

// A panelMap is the accuracy of every setting on the validation and the test samples.
type panelMap struct {
	Fixed      string   `json:"fixed"`
	Axes       []string `json:"axes"`
	Points     [][6]any `json:"points"` // values, validation, test, chosen, best on test, near the printed number
	Validation int      `json:"validation"`
	N          int      `json:"n"`
	Printed    string   `json:"printed"`
	Seed       uint64   `json:"seed"`
}

func panelData(in Input) panels {
	p := panels{Columns: []panelColumn{}, Rows: []panelRow{}, Cells: [][]panelCell{}}
	for j, c := range in.Table.Columns {
		p.Columns = append(p.Columns, panelColumn{c.ID, c.Name, in.methodFacts(j)})
	}
	for i, r := range in.Table.Rows {
		p.Rows = append(p.Rows, in.panelRow(i))
		cells := []panelCell{}
		for j := range r.Cells {
			cells = append(cells, in.panelCell(i, j))
		}
		p.Cells = append(p.Cells, cells)
	}
	return p
}

func (in Input) panelRow(i int) panelRow {
	r := in.Table.Rows[i]
	row := panelRow{Key: key(r), Title: rowTitle(r), N: r.N, Facts: in.rowFacts(i), Labels: map[string]string{}, Pairs: []panelPair{}}
	if len(in.Cells[i]) > 0 {
		for _, c := range in.Cells[i][0].Data.Classes {
			row.Labels[strconv.Itoa(c.Code)] = cmp.Or(c.Name, c.Label)
		}
	}
	for _, d := range in.rowPairs(i) {
		row.Family = d.Family
		row.Pairs = append(row.Pairs, panelPair{
			d.a, d.b, d.OnlyThis, d.OnlyOther, stats.ShortP(d.P), stats.ShortP(d.PHolm), bit(d.Significant),
			plus(d.Difference), [2]string{plus(d.DifferenceInterval[0]), plus(d.DifferenceInterval[1])}, d.effect(),
		})
	}
	return row
}

// plus puts a sign before a difference that has none and is not 0.
func plus(difference string) string {
	if strings.HasPrefix(difference, "-") || difference == "0.00" {
		return difference
	}
	return "+" + difference
}

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}

func (in Input) panelCell(i, j int) panelCell {
	t, x := in.Table.Rows[i].Cells[j], in.Cells[i][j]
	c := panelCell{
		Seed: x.Seed, Facts: numberFacts(t, x), Verdict: verdictFacts(x.Verdict), Warnings: slices.Concat(x.flags(), t.Notes, failures(x)),
		Commands: x.Commands, Run: runFacts(x),
	}
	if x.Verdict != nil {
		c.Lead, c.Readings = in.lead(*x.Verdict), readings(x.Readings)
	}
	for _, f := range x.Facts {
		c.Facts = append(c.Facts, [2]string{f.Name, fmt.Sprintf("%d of %d", f.Count, f.Of)})
	}
	c.Grid, c.Surface = gridOf(x), mapOf(x)
	for _, point := range x.Tried {
		if point.Chosen {
			c.Chosen = point.Params.String()
			if point.Restart > 0 {
				c.Chosen += ", random start " + strconv.Itoa(point.Restart)
			}
		}
	}
	if x.Result != nil {
		c.Codes, c.Counts, c.Accuracy = x.Result.Confusion.Codes, x.Result.Confusion.Counts, x.Result.Accuracy
	}
	return c
}

// flags warns of predictions that do not depend on the sample, and of a choice that
// does not carry over to the test samples.
func (x Cell) flags() []string {
	var all []string
	if x.constant() {
		all = append(all, "Every test sample is given the same label.")
	}
	if gap := x.gap(); gap != "" {
		all = append(all, fmt.Sprintf("Validation and test differ by more than %d points: %s.", gapLimit, gap))
	}
	return all
}

// failures lists why grid points failed, each reason once.
func failures(x Cell) []string {
	var all []string
	for _, t := range x.Tried {
		if t.Failure != "" {
			all = text.AppendNew(all, "a grid point failed: "+t.Failure)
		}
	}
	return all
}

func numberFacts(t table.Cell, x Cell) [][2]string {
	var facts [][2]string
	if r := x.Result; r != nil {
		facts = [][2]string{
			{"Accuracy", fmt.Sprintf("%s %%, %d of %d", r.Accuracy, r.Correct, r.N)},
			{"Interval", fmt.Sprintf("%s to %s, Wilson, 95 %%", r.Interval[0], r.Interval[1])},
			{"Rank", strconv.Itoa(r.Rank)}, {"Letters", r.Letters},
		}
	} else {
		facts = [][2]string{{"Status", strings.TrimSuffix(t.Status+": "+t.Reason, ": ")}}
	}
	if p := x.Published; p != nil {
		facts = append(facts, [2]string{"Published", strings.TrimSpace(fmt.Sprintf("%s, rank %d %s", p.Accuracy, p.Rank, difference(minus(p.Mark))))})
	}
	if s := t.Spread; s != nil {
		facts = append(facts, [2]string{"All runs", fmt.Sprintf("%s ± %s, %s to %s, %s", s.Mean, s.SD, s.Min, s.Max, text.Counted(s.Runs, "run"))})
	}
	return append(facts, [2]string{"Seed", strconv.FormatUint(x.Seed, 10)}, [2]string{"Neighbors", strconv.Itoa(x.Neighbors)})
}

// difference puts the mark of a published value into words.
func difference(mark string) string {
	switch mark {
	case "":
		return ""
	case "=":
		return "(ours is the same)"
	}
	return "(ours " + mark + " points)"
}

func verdictFacts(v *verdict.Verdict) [][2]string {
	if v == nil {
		return nil
	}
	facts := [][2]string{{"Verdict", wordLooks[v.Verdict].sign + " " + v.Verdict}, {"Reason", v.Reason}}
	if v.Mean != nil {
		facts = append(facts, [2]string{"Our mean", fmt.Sprintf("%.2f ± %.2f", *v.Mean, v.SD)},
			[2]string{"Difference", minus(text.Signed(*v.Difference)) + " points, ours less the printed value"})
	}
	return append(facts, [2]string{"Runs", fmt.Sprintf("%d of %d planned", v.Runs, v.Planned)})
}

// lead says what came of a published number: the verdict and both accuracies.
func (in Input) lead(v verdict.Verdict) string {
	said := strings.ToUpper(v.Verdict[:1]) + v.Verdict[1:] + ": printed " + v.Published
	if v.Mean != nil {
		said += fmt.Sprintf(", ours %.2f ± %.2f in %s", *v.Mean, v.SD, text.Counted(v.Runs, "run"))
	}
	said += "."
	if was := in.Against.wordBefore(v); was != "" {
		said += " The verdict was: " + was + "."
	}
	return said
}

// readings are what each reading gives for a published number.
func readings(all []verdict.NumberReading) [][5]string {
	var lines [][5]string
	for _, r := range all {
		mean, sd := "-", ""
		if r.Mean != nil {
			mean, sd = text.TwoDecimals(*r.Mean), text.TwoDecimals(r.SD)
		}
		lines = append(lines, [5]string{r.Reading, mean, sd, fmt.Sprintf("%d of %d", r.Runs, r.Planned), r.Verdict})
	}
	return lines
}

func runFacts(x Cell) [][2]string {
	if x.Run == nil {
		wall := ""
		if x.Seconds > 0 {
			wall = fmt.Sprintf("%v s, rounded up, as accepted; its host was not kept", x.Seconds)
		}
		return known([][2]string{{"Wall time", wall}, {"Heap beyond the data", results.Size(x.Heap)}, {"File", x.File}})
	}
	r := x.Run
	return known([][2]string{
		{"Wall time", r.Took()}, {"Heap beyond the data", results.Size(r.Heap)}, {"Host", r.Host},
		{"Finished", r.Finished.UTC().Format("2006-01-02 15:04:05 MST")}, {"Commit", r.Commit}, {"Go", r.Go}, {"File", x.File},
	})
}

// gridOf is the validation profile of a cell, nil without one.
func gridOf(x Cell) *panelGrid {
	if x.Validation == 0 || len(x.Tried) < 2 {
		return nil
	}
	values := map[string][]string{}
	for _, t := range x.Tried {
		for name, value := range pointValues(t) {
			values[name] = append(values[name], value)
		}
	}
	g := &panelGrid{N: x.Validation, Chosen: -1, Failures: map[int]string{}}
	var fixed []string
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if distinct := len(slices.Compact(slices.Sorted(slices.Values(values[name])))); distinct > 1 {
			g.Axes = append(g.Axes, name)
		} else if name != startAxis {
			fixed = append(fixed, name+"="+values[name][0])
		}
	}
	g.Fixed = strings.Join(fixed, " ")
	for i, t := range x.Tried {
		all, point := pointValues(t), []string{}
		for _, name := range g.Axes {
			point = append(point, all[name])
		}
		correct := -1
		if t.Correct != nil {
			correct = *t.Correct
		}
		if t.Chosen {
			g.Chosen = i
		}
		if t.Failure != "" {
			g.Failures[i] = t.Failure
		}
		g.Points, g.Correct = append(g.Points, point), append(g.Correct, correct)
	}
	return g
}

// mapOf is the surface of a cell, nil without one.
func mapOf(x Cell) *panelMap {
	s := x.Surface
	if s == nil || len(s.Points) < 2 {
		return nil
	}
	m := &panelMap{Fixed: s.Fixed.String(), Validation: s.Validation, N: s.N, Seed: s.Seed}
	if x.Published != nil {
		m.Printed = x.Published.Accuracy
	}
	m.Axes = slices.Sorted(maps.Keys(s.Points[0].Params))
	slices.Reverse(m.Axes) // metrics down, lambda across
	for _, p := range s.Points {
		values := []string{}
		for _, name := range m.Axes {
			values = append(values, strings.TrimPrefix(results.Params{name: p.Params[name]}.String(), name+"="))
		}
		m.Points = append(m.Points, [6]any{values, countOr(p.Validation), countOr(p.Test), bit(p.Chosen), bit(p.Best), bit(p.Reaches)})
	}
	return m
}

// countOr is a count, -1 of one that is not there.
func countOr(n *int) int {
	if n == nil {
		return -1
	}
	return *n
}

// startAxis names the random start among the parameters of a grid.
const startAxis = "random start"

// pointValues are the parameters of a grid point as texts.
func pointValues(t explain.TriedPoint) map[string]string {
	values := map[string]string{startAxis: strconv.Itoa(t.Restart)}
	for name, value := range t.Params {
		values[name] = strings.TrimPrefix(results.Params{name: value}.String(), name+"=")
	}
	return values
}

// comparisonHref is the link that opens the comparison of two methods.
func comparisonHref(a, b string) string {
	return "#versus/" + fragment(a) + "/" + fragment(b)
}
