package audit

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"r2lmlbench/internal/strictyaml"
	"r2lmlbench/internal/text"
)

// A Claim is a sentence of the publication with a number or a comparison, as data. Its kind
// says what has to be true of the numbers of a study, see [Kinds]. Most kinds speak of cases,
// one per row and column, and Rows, On, Only, Except or Share says in which of them; without
// one the claim is about all.
//
// Rows and columns are named by id, with the wildcards of [path.Match]. Where a name matches
// several columns, Column and Above take the best of them, Columns and Among each.
type Claim struct {
	ID    string `yaml:"id"`
	Place string `yaml:"place"` // section, table or figure
	Says  string `yaml:"says"`  // the statement in a few words of one's own
	Kind  string `yaml:"kind"`

	Study   string   `yaml:"study"`   // spec whose columns the claim is about, such as a figure's; the table itself when not given
	Measure string   `yaml:"measure"` // accuracy (the default), rank, seconds, or a fact of the fits as its share, such as "triangle *"
	Column  string   `yaml:"column"`
	Columns []string `yaml:"columns"`
	Among   []string `yaml:"among"` // highest: the columns compared; all when not given
	Above   []string `yaml:"above"` // above: one of these is exceeded; gain: what is gained on
	Rank    []int    `yaml:"rank"`  // rank: one of these
	OrRank  []int    `yaml:"or-rank"`

	Rows   *int      `yaml:"rows"`   // in so many cases
	On     []string  `yaml:"on"`     // on these rows, and perhaps on others
	Only   []string  `yaml:"only"`   // on these rows and on no others
	Except []string  `yaml:"except"` // on all rows but these
	Share  []float64 `yaml:"share"`  // in this share of the cases, lowest and highest

	Of        string    `yaml:"of"`        // range and trend: a quantity of the row, one of Quantities
	Between   []float64 `yaml:"between"`   // range: lowest and perhaps highest
	Direction string    `yaml:"direction"` // order and trend, one of Directions

	Count       int     `yaml:"count"` // chance: so many of Trials
	Trials      int     `yaml:"trials"`
	Probability float64 `yaml:"probability"`

	NotPrinted string `yaml:"not-printed"` // why printed numbers cannot tell
	NotRun     string `yaml:"not-run"`     // why runs cannot tell
}

// The kinds of claims. The first four speak of cases.
const (
	kindHighest  = "highest"      // the column has the highest number of Among, alone or not; {classes} in its id is the number of classes
	kindAbove    = "above"        // a number is above one of Above; ranks are above where they are better
	kindRank     = "rank"         // the rank is one of Rank
	kindLast     = "last"         // the rank is the worst of the row
	kindOrder    = "order"        // from one of Columns to the next, numbers go in a Direction
	kindRange    = "range"        // a number, or a quantity of the row, is within Between
	kindTrend    = "trend"        // over the rows, Column (of Columns, the place of the best) goes in a Direction with a quantity
	kindGain     = "gain"         // the best of Columns gains most on Above in the rows On
	kindAverage  = "average-rank" // Columns have better average ranks than all other columns
	kindChance   = "chance"       // Count of Trials with a Probability are no less likely than the level of the test
	kindPossible = "ranks"        // predictions exist that lead to the printed ranks
	kindUntested = "untested"     // none of these
)

// keys are those that every claim has, and those of its kind.
var keys = map[string]string{
	"":           "id place says kind study not-printed not-run",
	kindHighest:  "measure column columns among or-rank " + caseKeys,
	kindAbove:    "measure column columns above " + caseKeys,
	kindRank:     "column columns rank " + caseKeys,
	kindLast:     "column columns " + caseKeys,
	kindOrder:    "measure columns direction " + caseKeys,
	kindRange:    "measure column columns of between " + caseKeys,
	kindTrend:    "measure column columns of direction",
	kindGain:     "measure column columns above on",
	kindAverage:  "measure columns",
	kindChance:   "count trials probability",
	kindPossible: "",
	kindUntested: "",
}

// caseKeys are those of kinds that speak of cases.
const caseKeys = "rows on only except share"

// Kinds lists them.
var Kinds = []string{
	kindHighest, kindAbove, kindRank, kindLast, kindOrder, kindRange, kindTrend, kindGain, kindAverage, kindChance, kindPossible, kindUntested,
}

// Quantities are what is known of a row beside its numbers.
var Quantities = []string{"classes", "features", "train", "validation", "test", "test/train"}

// Directions are those of kinds order (the first three) and trend (all but constant).
var Directions = []string{"rising", "falling", "constant", "none", "not-rising"}

// claim checks a claim, which stands at a node.
func (c checker) claim(one Claim, n *yaml.Node) {
	at := func(path ...any) *yaml.Node { return strictyaml.At(n, path...) }
	c.want(one.ID != "", at("id"), "want an id")
	c.want(one.Says != "", at("says"), "want the statement in a few words")
	c.known(at("kind"), "kind", one.Kind, Kinds)
	read := strings.Fields(keys[""] + " " + keys[one.Kind])
	for i := 0; n != nil && i < len(n.Content); i += 2 {
		if key := n.Content[i]; slices.Contains(Kinds, one.Kind) && !slices.Contains(read, key.Value) {
			c.d.Errorf(key, "kind %s does not read the key %q; it reads %s", one.Kind, key.Value, strings.Join(read, ", "))
		}
	}
	c.needs(one, n)
	if one.Direction != "" {
		c.known(at("direction"), "direction", one.Direction, Directions)
	}
	if one.Of != "" {
		c.known(at("of"), "quantity", one.Of, Quantities)
	}
	c.want(one.Rows == nil || *one.Rows >= 0, at("rows"), "rows wants a number from 0")
	c.want(len(one.Share) == 0 || len(one.Share) == 2 && 0 <= one.Share[0] && one.Share[0] <= one.Share[1] && one.Share[1] <= 1, at("share"),
		"want the lowest and the highest share, 0 to 1")
	c.want(one.Kind == kindHighest || !strings.Contains(one.Column, classesMark), at("column"), "%s is for kind highest", classesMark)
	where := 0
	for _, given := range []bool{one.Rows != nil, len(one.On) > 0, len(one.Only) > 0, len(one.Except) > 0, len(one.Share) > 0} {
		if given {
			where++
		}
	}
	c.want(where <= 1, n, "want one of rows, on, only, except and share")
	for _, names := range [][]string{{one.Column}, one.Columns, one.Among, one.Above} {
		for _, name := range names {
			_, err := path.Match(name, "")
			c.want(err == nil, n, "%q: %v", name, err)
		}
	}
	if one.Study == "" && c.d.Err() == nil {
		c.d.Add(c.t.misnamed(one, n, c.t.study()))
	}
	unranked := slices.IndexFunc(c.t.Rows, func(r DataSet) bool { return r.Rank == nil })
	if one.Study == "" && unranked >= 0 && (one.measure() == "rank" || len(one.OrRank) > 0) {
		c.d.Errorf(n, "the claim is about ranks, and row %q has none", c.t.Rows[unranked].ID)
	}
}

// needs checks that a claim, which stands at a node, has the keys of its kind.
func (c checker) needs(one Claim, n *yaml.Node) {
	needs := func(holds bool, keys string) { c.want(holds, n, "kind %s wants %s", one.Kind, keys) }
	columns, quantity := one.Column != "" || len(one.Columns) > 0, one.Of != ""
	switch one.Kind {
	case kindHighest, kindLast:
		needs(columns, "column or columns")
	case kindAbove:
		needs(columns && len(one.Above) > 0, "column or columns, and above")
	case kindRank:
		needs(columns && len(one.Rank) > 0, "column or columns, and rank")
	case kindOrder:
		needs(len(one.Columns) > 0 && slices.Contains(Directions[:3], one.Direction), "columns, and direction: "+strings.Join(Directions[:3], ", "))
	case kindRange:
		needs(columns != quantity && !(quantity && one.Measure != "") && len(one.Between) > 0 && len(one.Between) <= 2,
			"column or columns, or else of without measure, and between: [lowest, highest]")
	case kindTrend:
		needs(columns && quantity && one.Direction != "" && one.Direction != Directions[2], "column or columns, of, and direction: rising, falling, none, not-rising")
	case kindGain:
		needs(columns && len(one.Above) == 1 && len(one.On) > 0, "column or columns, one column above, and on")
	case kindAverage:
		needs(len(one.Columns) > 0, "columns")
	case kindChance:
		needs(one.Count >= 0 && one.Count <= one.Trials && one.Trials > 0 && one.Trials <= maxSamples && one.Probability > 0 && one.Probability < 1,
			fmt.Sprintf("count of at most %d trials, and a probability between 0 and 1", maxSamples))
	case kindUntested:
		needs(one.NotPrinted != "" && one.NotRun != "", "not-printed and not-run, the reasons")
	}
}

// measure is what the claim's numbers are.
func (c Claim) measure() string {
	switch {
	case c.Kind == kindRank || c.Kind == kindLast:
		return "rank"
	case c.Measure == "":
		return accuracy
	}
	return c.Measure
}

// misnamed returns an error for each row and column of a claim that a study lacks.
func (t *PrintedTable) misnamed(c Claim, n *yaml.Node, s *Study) strictyaml.Errors {
	d := &strictyaml.Decoder{File: t.file}
	columns := func(key string, names ...string) {
		for i, name := range names {
			if name == "" || strings.Contains(name, classesMark) || len(s.matching(name)) > 0 {
				continue
			}
			at := strictyaml.At(n, key)
			if at != nil && at.Kind == yaml.SequenceNode {
				at = strictyaml.At(n, key, i)
			}
			d.Errorf(at, "%s; a claim speaks of columns of its study, %s", strictyaml.Unknown("column", name, s.Columns), s.Name)
		}
	}
	rows := func(key string, names []string) {
		for _, name := range names {
			if len(s.rows([]string{name})) == 0 {
				ids := make([]string, len(s.Rows))
				for i, r := range s.Rows {
					ids[i] = r.ID
				}
				d.Errorf(strictyaml.At(n, key), "%s; a claim speaks of rows of its study, %s", strictyaml.Unknown("row", name, ids), s.Name)
			}
		}
	}
	columns("column", c.Column)
	columns("columns", c.Columns...)
	columns("among", c.Among...)
	columns("above", c.Above...)
	rows("on", c.On)
	rows("only", c.Only)
	rows("except", c.Except)
	all, _ := d.Err().(strictyaml.Errors)
	return all
}

// A Judged claim has its verdicts by the printed tables and by runs.
type Judged struct {
	ID      string   `json:"id"`
	Place   string   `json:"place"`
	Says    string   `json:"says"`
	Kind    string   `json:"kind"`
	Study   string   `json:"study"` // name of the table or the spec with the numbers
	Where   string   `json:"where"` // of which cases it is: "all", "9", "on K P"; empty for a kind that does not speak of cases
	Rows    []string `json:"rows"`  // that the claim names; none where it is about all
	Columns []string `json:"columns"`
	Print   Verdict  `json:"print"`
	Runs    Verdict  `json:"runs"`
}

// Judge judges all claims. runs has the numbers of runs by the name of the study, those of the
// table under "". A study that is not there has no numbers. Rows and columns that a study
// does not have are errors.
func (t *PrintedTable) Judge(runs map[string]*Study) ([]Judged, error) {
	all := []Judged{}
	d := &strictyaml.Decoder{File: t.file}
	for i, c := range t.Claims {
		at := strictyaml.At(t.root, "claims", i)
		if s := t.Studies[c.Study]; s != nil && c.NotPrinted == "" {
			d.Add(t.misnamed(c, at, s))
		}
		if s := runs[c.Study]; s != nil && c.NotRun == "" {
			d.Add(t.misnamed(c, at, s))
		}
	}
	if err := d.Err(); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrFile, err)
	}
	for _, c := range t.Claims {
		one := Judged{
			ID: c.ID, Place: c.Place, Says: c.Says, Kind: c.Kind, Study: cmp.Or(c.Study, t.Name),
			Rows: append([]string{}, slices.Concat(c.On, c.Only, c.Except)...), Columns: append([]string{}, c.Columns...), Print: t.inPrint(c),
		}
		if strings.HasSuffix(keys[c.Kind], caseKeys) || c.Kind == kindGain {
			one.Where = c.where()
		}
		if c.Column != "" {
			one.Columns = append([]string{c.Column}, one.Columns...)
		}
		one.Columns = append(one.Columns, c.Above...)
		switch s := runs[c.Study]; {
		case c.NotRun != "":
			one.Runs = untested(c.NotRun)
		case c.ofPrint():
			one.Runs = untested("about the printed tables, not about results")
		case s == nil:
			one.Runs = untested("no runs: the program has no spec for it")
		default:
			one.Runs = s.judge(c)
		}
		all = append(all, one)
	}
	return all, nil
}

// Summary names the table, and counts its findings and its claims by their verdicts.
func (t *PrintedTable) Summary(findings []Finding, claims []Judged) []string {
	lines := []string{text.Join(": ", cmp.Or(t.Title, t.Name), text.Counted(len(findings), "finding")) + "."}
	if len(claims) == 0 {
		return lines
	}
	print, runs := map[string]int{}, map[string]int{}
	for _, c := range claims {
		print[c.Print.Word]++
		runs[c.Runs.Word]++
	}
	return append(lines, fmt.Sprintf("Of %s of its text, %d hold by its printed tables, %d fail, %d are not tested; by our own runs of its methods %d, %d, %d.",
		text.Counted(len(claims), "claim"), print[Holds], print[Fails], print[Untested], runs[Holds], runs[Fails], runs[Untested]))
}

// Legend names the rows whose ids are not their names: "A robot, B letter".
func (t *PrintedTable) Legend() string {
	var all []string
	for _, r := range t.Rows {
		if r.Name != "" && r.Name != r.ID {
			all = append(all, r.ID+" "+r.Name)
		}
	}
	return strings.Join(all, ", ")
}

// ofPrint reports whether a claim is about the tables themselves.
func (c Claim) ofPrint() bool {
	return c.Kind == kindChance || c.Kind == kindPossible || c.Kind == kindRange && c.Of != ""
}

// printed are the printed numbers of a study, nil without any.
func (t *PrintedTable) printed(study string) *Study {
	if study == "" {
		return t.study()
	}
	return t.Studies[study]
}

// inPrint judges a claim by the printed numbers of its study.
func (t *PrintedTable) inPrint(c Claim) Verdict {
	s := t.printed(c.Study)
	switch {
	case c.NotPrinted != "":
		return untested(c.NotPrinted)
	case c.Kind == kindChance:
		return t.chance(c)
	case c.Kind == kindPossible:
		return t.feasible()
	case s == nil:
		return untested("no table prints these numbers")
	}
	return s.judge(c)
}

// contradicted finds claims that the printed tables contradict.
func (t *PrintedTable) contradicted() []Finding {
	var all []Finding
	for _, c := range t.Claims {
		v := t.inPrint(c)
		if v.Word != Fails {
			continue
		}
		f := Finding{Kind: KindProse, Class: v.class, Table: t.Name, Method: c.Column, Printed: v.claimed, Nearest: v.found, Bound: v.bound}
		if c.Study != "" {
			f.Table = c.Study
		}
		if len(c.Columns) == 1 {
			f.Method = c.Columns[0]
		}
		f.Text = fmt.Sprintf("%s: %s; by the tables %s", c.ID, c.Says, v.Why)
		all = append(all, f)
	}
	return all
}
