package rank

import (
	"cmp"
	_ "embed"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"text/template"

	"gonum.org/v1/gonum/floats"

	"r2lmlbench/datasets/tabular"
	"r2lmlbench/internal/document"
	"r2lmlbench/internal/text"
	"r2lmlbench/results/table"
	"r2lmlbench/stats"
)

// Scores are those of systems on data sets, of any measure: one number for each, higher is
// better. Three forms are read: a row for each data set with a column for each system,
// the first column called dataset; the same as pandas writes it, the first column without a
// name; and the long form with the columns dataset, system and score. Several rows of a data
// set are its splits, and the mean counts; with a column split or seed, all systems need the same.
type Scores struct {
	Name    string
	Systems []string
	Sets    []string
	Numbers [][]float64 // by data set and system; NaN: it has none

	lower  bool
	unused []string        // columns of the long form, quoted
	rows   [][]int         // that each is the mean of
	splits map[scored]bool // of which there are scores
	names  index           // of splits
	places map[string]int  // of data sets, and of systems
	column map[string]int
}

// A scored split has the places of its data set and its name, and of a system that has a score on it.
type scored struct{ set, system, split int32 }

// maxSets bounds the data sets of scores.
const maxSets = 2000

// Scores reads a table of scores. ok is false for a file of answers, see [Source.Answers]. lower says
// that lower numbers are better.
func (in Source) Scores(lower bool) (s Scores, ok bool, err error) {
	head := in.cells.Names
	long, matrix := formOfScores(head)
	if !long && !matrix {
		return s, false, nil
	}
	if err := checkHead(head, false); err != nil {
		return s, true, fmt.Errorf("%s:1: %w", in.name, err)
	}
	s = Scores{Name: in.name, lower: lower, places: map[string]int{}, column: map[string]int{}}
	s.splits, s.names.numbers = map[scored]bool{}, map[string]int32{}
	of := map[string]int{"dataset": 0}
	if long {
		if of, err = s.longForm(head); err != nil {
			return s, true, fmt.Errorf("%s:1: %w", in.name, err)
		}
	}
	if matrix {
		if err := in.checkMatrix(len(head) - 1); err != nil {
			return s, true, err
		}
	}
	pandas := matrix && isIndex(fieldName(head[0])) // whose answers look alike
	binary, answers := true, errors.New("right and wrong answers")
	err = in.each(func(line int, cells []tabular.Value) (err error) {
		set := cells[of["dataset"]].Text
		if long {
			var split []string
			for _, column := range []string{"split", "seed"} {
				if i, there := of[column]; there {
					split = append(split, cells[i].Text)
				}
			}
			if slices.IndexFunc(split, func(cell string) bool { return cell != "" }) < 0 {
				split = nil // no name
			}
			return s.add(set, cells[of["system"]].Text, strings.Join(split, "/"), cells[of["score"]])
		}
		for i := 1; i < len(cells) && err == nil; i++ {
			if pandas && slices.Contains([]string{"true", "false"}, strings.ToLower(cells[i].Text)) {
				return answers
			}
			binary = binary && (cells[i].Text == "0" || cells[i].Text == "1" || cells[i].Missing)
			err = s.add(set, head[i], "", cells[i])
		}
		return err
	})
	if errors.Is(err, answers) || err == nil && pandas && binary {
		return s, false, nil
	}
	s.settle()
	return s, true, err
}

// longForm returns the columns of the long form by their use.
func (s *Scores) longForm(head []string) (of map[string]int, err error) {
	of = map[string]int{}
	for i, column := range head {
		meant := ""
		for _, field := range []string{"dataset", "system", "split", "seed"} {
			if isOf(column, field) {
				meant = field
			}
		}
		if fieldName(column) == "score" {
			meant = "score"
		}
		switch at, taken := of[meant]; {
		case meant == "":
			s.unused = append(s.unused, strconv.Quote(column))
		case taken:
			return nil, fmt.Errorf("the columns %q and %q both name the %s; remove one, or join them", head[at], column, meant)
		default:
			of[meant] = i
		}
	}
	return of, nil
}

// formOfScores tells by the names of the columns which form of scores a file may have.
func formOfScores(head []string) (long, matrix bool) {
	has := func(field string) bool {
		return slices.ContainsFunc(head, func(name string) bool { return isOf(name, field) || fieldName(name) == field })
	}
	switch {
	case len(head) < 3:
	case has("score"):
		long = has("dataset") && has("system")
	case !has("system") && !has("correct") && !has("label") && !has("item"):
		matrix = isOf(head[0], "dataset") || isIndex(fieldName(head[0]))
	}
	return long, matrix
}

// add adds a score to the mean of its data set and system.
func (s *Scores) add(set, system, split string, score tabular.Value) error {
	if set == "" || system == "" {
		return errors.New("a data set or system has no name")
	}
	j, known := s.column[system]
	if !known {
		if j = len(s.Systems); j == maxSystems {
			return fmt.Errorf("more than %d systems: each pair is tested; leave some out", maxSystems)
		}
		system = strings.Clone(system) // the line is not kept for it
		s.Systems, s.column[system] = append(s.Systems, system), j
	}
	i, known := s.places[set]
	if !known {
		if i = len(s.Sets); i == maxSets {
			return fmt.Errorf("more than %d data sets", maxSets)
		}
		set = strings.Clone(set)
		s.Sets, s.Numbers, s.rows, s.places[set] = append(s.Sets, set), append(s.Numbers, nil), append(s.rows, nil), i
	}
	for len(s.Numbers[i]) <= j {
		s.Numbers[i], s.rows[i] = append(s.Numbers[i], math.NaN()), append(s.rows[i], 0)
	}
	if score.Missing {
		return nil
	}
	if split != "" {
		at := scored{int32(i), int32(j), s.names.number(split)}
		if s.splits[at] {
			return fmt.Errorf("%s has a score on split %s of %s already", system, split, set)
		}
		s.splits[at] = true
	}
	x := score.Number
	if math.IsNaN(x) {
		return fmt.Errorf("%s has the score %q on %s, want a number", system, score.Text, set)
	}
	if s.lower {
		x = -x
	}
	n := s.rows[i][j]
	if n == 0 {
		s.Numbers[i][j] = 0
	}
	s.Numbers[i][j] += (x - s.Numbers[i][j]) / float64(n+1)
	s.rows[i][j]++
	return nil
}

// settle rounds the means of several rows to 12 digits, so that those of equal scores in
// another order are equal.
func (s *Scores) settle() {
	for i, row := range s.Numbers {
		for j, x := range row {
			if s.rows[i][j] > 1 {
				row[j] = text.Significant(x, 12)
			}
		}
	}
}

// Remarks name the columns of the long form that are not used, and where percentages may stand among shares.
func (s *Scores) Remarks() (all []string) {
	if len(s.unused) > 0 {
		all = append(all, fmt.Sprintf("%s not used: %s; the lines of a data set and system are its splits, and their mean counts",
			text.Counted(len(s.unused), "column"), strings.Join(s.unused, ", ")))
	}
	least, most, of := math.Inf(1), 0.0, [2][2]string{} // the least score above 1, and the largest up to 1, with data set and system
	for i, row := range s.Numbers {
		for j, x := range row {
			switch x = math.Abs(x); {
			case x > 1 && x < least:
				least, of[0] = x, [2]string{s.Sets[i], s.Systems[j]}
			case x <= 1 && x > most:
				most, of[1] = x, [2]string{s.Sets[i], s.Systems[j]}
			}
		}
	}
	if most > 0 && least >= 10*most && least <= 100 {
		all = append(all, fmt.Sprintf("some scores look like percentages and some like shares: %s has %g on %s, and %s has %g on %s; check that they have one unit",
			of[0][1], least, of[0][0], of[1][1], most, of[1][0]))
	}
	return all
}

// Complete refuses a data set on which a system lacks a score, or has fewer rows than another.
// With common it leaves these out, and returns their names.
func (s *Scores) Complete(common bool) (left []string, err error) {
	var whole Scores
	named := s.named()
	for i, set := range s.Sets {
		fault, most := "", slices.Max(append([]int{1}, s.rows[i]...))
		for j, system := range s.Systems {
			n := 0
			if j < len(s.rows[i]) {
				n = s.rows[i][j]
			}
			if n == 0 {
				fault = fmt.Sprintf("%s has no score on %s", system, set)
			} else if n < most && fault == "" {
				fault = fmt.Sprintf("%s has %d of %d scores on %s", system, n, most, set)
			}
			for _, at := range named[i] { // of all systems
				if fault == "" && !s.splits[scored{int32(i), int32(j), at.split}] {
					fault = fmt.Sprintf("%s has no score on split %s of %s, and %s has one", system, s.names.texts[at.split], set, s.Systems[at.system])
				}
			}
		}
		switch {
		case fault == "":
			whole.Sets, whole.Numbers = append(whole.Sets, set), append(whole.Numbers, s.Numbers[i])
		case !common:
			return nil, fmt.Errorf("%s: %s; add it, or rank the data sets that all systems have with --common", s.Name, fault)
		default:
			left = append(left, set)
		}
	}
	s.Sets, s.Numbers = whole.Sets, whole.Numbers
	if len(s.Sets) < 2 || len(s.Systems) < 2 {
		return left, fmt.Errorf("%s: %s of %s with all scores, ranks over data sets take two of each", s.Name,
			text.Counted(len(s.Sets), "data set"), text.Counted(len(s.Systems), "system"))
	}
	return left, nil
}

// named are the splits of each data set that have a name, in the order of systems and splits by name, each with the first system that has it.
func (s *Scores) named() [][]scored {
	named, seen := make([][]scored, len(s.Sets)), map[scored]bool{}
	for _, at := range slices.SortedFunc(maps.Keys(s.splits), func(a, b scored) int {
		return cmp.Or(cmp.Compare(s.Systems[a.system], s.Systems[b.system]), cmp.Compare(s.names.texts[a.split], s.names.texts[b.split]),
			cmp.Compare(a.set, b.set))
	}) {
		if split := (scored{set: at.set, split: at.split}); !seen[split] {
			seen[split], named[at.set] = true, append(named[at.set], at)
		}
	}
	return named
}

// A Ranking compares systems by their scores on several data sets. It is also the JSON of
// `rank` for scores; no number is rounded.
type Ranking struct {
	Schema   int            `json:"schema"`
	Sets     []string       `json:"data_sets"`
	Systems  []RankedSystem `json:"systems"` // the best average rank first
	Friedman struct {
		ChiSquared float64  `json:"chi_squared"` // corrected for ties, as R's friedman.test
		DF         int      `json:"df"`
		P          float64  `json:"p"`
		Plain      float64  `json:"chi_squared_without_ties"` // as Demšar 2006 has it
		PlainF     *float64 `json:"f_without_ties"`           // of it; nil for infinite, where all data sets rank alike
		F          *float64 `json:"f"`                        // Iman and Davenport's; nil likewise
		DF2        int      `json:"f_df2"`                    // beside df
		FP         float64  `json:"f_p"`
	} `json:"friedman"`
	Alpha    float64      `json:"alpha"`
	Critical float64      `json:"critical_difference"` // Nemenyi's
	Groups   [][]string   `json:"groups"`              // largest groups that it does not tell apart
	Pairs    []RankedPair `json:"pairs"`

	Noun     string         `json:"-"` // what is ranked: "system"
	Left     []string       `json:"-"` // data sets that are left out, for one of them lacks a score there
	Standing stats.Standing `json:"-"`
	Names    []string       `json:"-"` // systems in the order of the file
}

// A RankedSystem has its mean score and average rank.
type RankedSystem struct {
	System string  `json:"system"`
	Mean   float64 `json:"mean"`
	Rank   float64 `json:"average_rank"`
}

// A RankedPair compares a with b.
type RankedPair struct {
	A           string  `json:"a"`
	B           string  `json:"b"`
	Difference  float64 `json:"difference"` // mean of a less b
	Nemenyi     float64 `json:"nemenyi_p"`
	Wilcoxon    float64 `json:"wilcoxon_p"`
	Holm        float64 `json:"wilcoxon_p_holm"`
	Significant bool    `json:"significant"` // by Wilcoxon's test after Holm's correction
	// ABetter is the probability that a is the better one on most data sets, by the Bayesian
	// signed-rank test without a region of equivalence.
	// nil in a large table, for it takes long.
	ABetter *float64 `json:"a_better"`
}

// ranks compares the systems by their average ranks at a level, and no pairs. The scores are complete.
func (s Scores) ranks(alpha float64) Ranking {
	st, _ := stats.NewStanding(s.Numbers, alpha) // there are two of each
	r := Ranking{Schema: 1, Noun: "system", Sets: s.Sets, Alpha: alpha, Critical: st.CD, Groups: [][]string{}, Standing: st, Names: s.Systems}
	n, k, squares := float64(len(s.Sets)), float64(len(s.Systems)), 0.0
	for _, rank := range st.Friedman.AverageRanks {
		squares += (rank - (k+1)/2) * (rank - (k+1)/2)
	}
	f := &r.Friedman
	f.ChiSquared, f.DF, f.P, f.DF2, f.FP = st.Friedman.ChiSquared, st.Friedman.DF, st.Friedman.P, st.Friedman.DF2, st.FriedmanP
	if !math.IsInf(st.Friedman.F, 0) { // which JSON cannot have
		f.F = &st.Friedman.F
	}
	// Demšar 2006: χ² = 12N/(k(k+1)) Σ (R_j - (k+1)/2)², F = (N-1)χ² / (N(k-1) - χ²)
	f.Plain = 12 * n / (k * (k + 1)) * squares
	if rest := n*(k-1) - f.Plain; rest > 1e-9 {
		f.PlainF = new((n - 1) * f.Plain / rest)
	}
	means := s.means()
	for _, j := range st.Order {
		r.Systems = append(r.Systems, RankedSystem{s.Systems[j], means[j], st.Friedman.AverageRanks[j]})
	}
	for _, group := range st.Groups {
		var names []string
		for _, j := range group {
			names = append(names, s.Systems[j])
		}
		r.Groups = append(r.Groups, names)
	}
	return r
}

// means are the mean scores of the systems, as the numbers of the file.
func (s Scores) means() []float64 {
	means := make([]float64, len(s.Systems))
	for _, row := range s.Numbers {
		for j, x := range row {
			means[j] += x / float64(len(s.Numbers))
		}
	}
	if s.lower { // numbers are turned
		floats.Scale(-1, means)
	}
	return means
}

// Rank compares the systems at a level. The scores are complete.
func (s Scores) Rank(alpha float64) Ranking {
	r := s.ranks(alpha)
	samples, means, unit := make([]stats.Sample, len(s.Systems)), s.means(), s.unit()
	for _, row := range s.Numbers {
		for j, x := range row {
			samples[j].Scores = append(samples[j].Scores, x/unit)
		}
	}
	pairs := stats.AllPairs(len(samples))
	var posterior *stats.Posterior
	if len(pairs)*len(s.Sets) <= 2000 {
		posterior = stats.NewPosterior(len(s.Sets), stats.BayesSettings{})
	}
	for i, o := range stats.Compare(stats.WilcoxonTest{}, alpha, samples, pairs) {
		a, b := pairs[i][0], pairs[i][1]
		difference := r.Standing.Friedman.AverageRanks[a] - r.Standing.Friedman.AverageRanks[b]
		one := RankedPair{
			A: s.Systems[a], B: s.Systems[b], Difference: means[a] - means[b], Wilcoxon: 1, Holm: 1,
			Nemenyi: stats.NemenyiP(difference, len(samples), len(s.Sets)),
		}
		if o.Tested() {
			one.Wilcoxon, one.Holm, one.Significant = o.P, o.PHolm, o.Significant
		}
		if posterior != nil {
			one.ABetter = new(posterior.SignedRank(samples[a].Scores, samples[b].Scores, 0).First) // Equal is 0
		}
		r.Pairs = append(r.Pairs, one)
	}
	return r
}

// unit is the power of ten by which the largest score comes to 10 to 100, as percentages do:
// the tests round differences to 1e-9.
func (s Scores) unit() float64 {
	largest := 0.0
	for _, row := range s.Numbers {
		for _, x := range row {
			largest = max(largest, math.Abs(x))
		}
	}
	if largest == 0 {
		return 1
	}
	return math.Pow(10, math.Floor(math.Log10(largest))-1)
}

//go:embed scores.tmpl
var scoresText string

var scoresTemplate = template.Must(template.New("scores").Funcs(template.FuncMap{
	"counted": text.Counted, "two": text.TwoDecimals, "series": text.Series, "few": fewNames, "p": stats.SayP,
	"f": func(f *float64) string {
		if f == nil {
			return "infinite"
		}
		return text.TwoDecimals(*f)
	},
}).Parse(scoresText))

// say returns the lines of a template of scores.tmpl.
func (r Ranking) say(name string) []string { return say(name, r) }

func say(name string, of any) []string {
	var b strings.Builder
	if err := scoresTemplate.ExecuteTemplate(&b, name, of); err != nil {
		panic("rank: " + err.Error()) // cannot happen: the template is embedded
	}
	return strings.Split(strings.TrimSpace(b.String()), "\n")
}

// NotWorse are the systems that Nemenyi's test does not tell from the one with the best average rank.
func (r Ranking) NotWorse() (names []string) {
	for _, method := range r.Standing.Order[1:] {
		if r.Standing.NotWorse(method) {
			names = append(names, r.Names[method])
		}
	}
	return names
}

// fewNames lists names, or counts them where they are many.
func fewNames(names []string) string {
	if len(names) > 5 {
		return fmt.Sprint(len(names), " others")
	}
	return text.Series(names)
}

// Leaders are the systems with the best average rank.
func (r Ranking) Leaders() (names []string) {
	for _, s := range r.Systems {
		if s.Rank == r.Systems[0].Rank {
			names = append(names, s.System)
		}
	}
	return names
}

// Ties reports whether some systems share a rank on a data set.
func (r Ranking) Ties() bool { return r.Friedman.ChiSquared-r.Friedman.Plain > 1e-9 }

// Bounded reports whether p of F is the least that the exact test can give.
func (r Ranking) Bounded() bool { return r.Friedman.FP > r.Standing.Friedman.FP }

// Conclusion says in words which methods may be the best: on the data set of a table, or over its data
// sets, of those on which all methods have a score, and which are left out. It is nothing with fewer than
// two methods, or data sets of that kind. noun is what the columns are: "method".
func Conclusion(t table.Table, noun string) []string {
	if len(t.Rows) == 1 {
		return conclusionOn(t, t.Rows[0], noun)
	}
	of := t.Scores()
	s := Scores{Systems: t.Names()}
	var left []string
	for i, row := range of.Rows {
		if slices.ContainsFunc(row, math.IsNaN) {
			left = append(left, t.Rows[i].Dataset)
		} else {
			s.Sets, s.Numbers = append(s.Sets, t.Rows[i].Dataset), append(s.Numbers, row)
		}
	}
	if len(s.Sets) < 2 || len(s.Systems) < 2 {
		return nil
	}
	r := s.ranks(t.Test.Alpha)
	r.Noun, r.Left = noun, left
	return r.say("answer")
}

// conclusionOn says in words which methods may be the best on one data set.
func conclusionOn(t table.Table, row table.Row, noun string) []string {
	ranking, ok := t.Rank(row)
	if !ok || len(ranking.Ranked) < 2 || ranking.Ranked[1].Partial > 0 { // those with every result come first
		return nil
	}
	c := struct {
		table.Ranking
		Noun, By        string
		First           table.Ranked
		NotWorse, Worse []string
		Lacking         []string        // without a result on every split
		Why             string          // there is no test; empty: there is one
		Equal           bool            // all have one score
		Always          *table.Constant // label that is at least as good; nil: none
	}{Ranking: ranking, Noun: noun, By: t.By().Name, First: ranking.Ranked[0], Equal: true}
	for _, m := range ranking.Ranked[1:] {
		c.Equal = c.Equal && (m.Partial > 0 || m.Equal())
		switch {
		case m.Partial > 0:
			c.Lacking = append(c.Lacking, m.Name)
		case m.Untested != "":
			c.Why = m.Untested
		case m.NotWorse:
			c.NotWorse = append(c.NotWorse, m.Name)
		default:
			c.Worse = append(c.Worse, m.Name)
		}
	}
	if row.Classes != nil && !row.Useful() {
		c.Always = &row.Classes.Majority
	}
	return say("one data set", c)
}

// Enough is the number of data sets from which on Wilcoxon's test can separate a pair: where all n
// differences have one sign its p is 2^(1−n), which Holm's correction multiplies by the number of
// pairs.
func (r Ranking) Enough() int {
	return 1 + int(math.Ceil(math.Log2(float64(len(r.Pairs))/r.Alpha)))
}

// Document has the answer in words, the average ranks and the pairs.
func (r Ranking) Document() document.Document {
	ranks := document.New("", "system", "mean score", "average rank")
	for _, s := range r.Systems {
		ranks.Add(s.System, strconv.FormatFloat(s.Mean, 'g', 4, 64), text.TwoDecimals(s.Rank))
	}
	ranks.Notes = r.say("notes")
	pairs := document.New("Pairs", "a", "b", "mean of a minus b", "p Nemenyi", "p Wilcoxon", "p after Holm", "a better")
	for _, p := range r.Pairs {
		pairs.Add(p.A, p.B, strconv.FormatFloat(p.Difference, 'g', 3, 64), stats.ShortP(p.Nemenyi), stats.ShortP(p.Wilcoxon), stats.ShortP(p.Holm),
			document.Number(p.ABetter, text.TwoDecimals))
	}
	pairs.Notes = r.say("pairs")
	return document.Document{Lead: r.say("answer"), Tables: []document.Table{ranks, pairs}, Value: r}
}
