package table

import (
	"encoding/json"
	"math"
	"slices"

	"r2lmlbench/internal/text"
	"r2lmlbench/stats"
)

// A Pair compares column A with column B, on a row or over the data sets. Differences are in
// points; no number is rounded.
type Pair struct {
	A, B string // ids of the columns
	stats.Outcome
}

// Pairs, Contrasts and SetPairs are pairs on one split, over the splits of a data set and over
// data sets. They differ in their JSON.
type (
	Pairs     []Pair
	Contrasts []Pair
	SetPairs  []Pair
)

// newPair converts an outcome of answers, which is in shares, to points if it is one, and cuts
// the interval at 100 points.
func newPair(a, b string, o stats.Outcome) Pair {
	if o.Paired != (stats.Paired{}) {
		o.Difference, o.Interval = 100*o.Difference, stats.Interval{Low: 100 * o.Interval.Low, High: 100 * o.Interval.High}
	}
	o.Interval = stats.Interval{Low: max(o.Interval.Low, -100), High: min(o.Interval.High, 100)}
	return Pair{a, b, o}
}

// constant stands for always answering the largest class among the numbers of columns.
const constant = -1

// compare tests all pairs of the numbered columns, with a sample each, as one family. Those of
// the constant, which is the last, become the pairs of the majority. With ranks, it ranks those
// columns that have a result on every split.
func (r *Row) compare(t stats.Test, alpha float64, columns []int, samples []stats.Sample, ranks bool) (all []Pair) {
	pairs, differ := stats.AllPairs(len(columns)), map[[2]int]bool{}
	for i, o := range stats.Compare(t, alpha, samples, pairs) {
		a, b := columns[pairs[i][0]], columns[pairs[i][1]]
		differ[[2]int{a, b}] = o.Significant
		switch {
		case o.Units == 0:
		case b == constant:
			r.Largest.Pairs = append(r.Largest.Pairs, newPair(r.Cells[a].Method, "", o))
		default:
			all = append(all, newPair(r.Cells[a].Method, r.Cells[b].Method, o))
		}
	}
	if ranks {
		r.group(slices.DeleteFunc(slices.Clone(columns), func(i int) bool { return i == constant || r.Cells[i].Partial > 0 }), differ)
	}
	return all
}

// group sets the ranks of columns, see stats.Group. differ has the pairs of columns that differ,
// the lower number first.
func (r *Row) group(columns []int, differ map[[2]int]bool) {
	better := make([]int, len(columns)) // than so many others
	for i, c := range columns {
		for _, other := range columns {
			if r.Cells[c].Mean > r.Cells[other].Mean {
				better[i]++
			}
		}
	}
	groups := stats.Group(better, func(i, j int) bool { return differ[[2]int{columns[i], columns[j]}] })
	for i, c := range columns {
		s := r.Cells[c].Score
		s.Rank, s.Best, s.Letters = groups.Rank[i], groups.Rank[i] == 1, groups.Letters[i]
	}
	named := func(pairs [][2]int) [][2]string {
		all := [][2]string{}
		for _, p := range pairs {
			all = append(all, [2]string{r.Cells[columns[p[0]]].Method, r.Cells[columns[p[1]]].Method})
		}
		return all
	}
	r.Inversions, r.SameRankButSignificant = named(groups.Inversions), named(groups.SameRankButSignificant)
	r.TieSensitive = groups.TieSensitive
}

// Pair compares column a with column b of a row, whichever comes first in the table. It is not ok
// where one has no result.
func (r Row) Pair(a, b string) (p Pair, ok bool) {
	for _, p := range slices.Concat(r.Pairs, Pairs(r.Contrasts)) {
		switch {
		case p.A == a && p.B == b:
			return p, true
		case p.A == b && p.B == a:
			return Pair{a, b, p.Turned()}, true
		}
	}
	return p, false
}

// against compares numbered columns of a pooled row, the first with each of the others, as one
// family, of own data with always answering the largest class as one more.
func (r Row) against(columns []int, alpha float64) (all []Pair) {
	var samples []stats.Sample
	for _, c := range columns {
		samples = append(samples, r.samples[c])
	}
	if r.Largest.Class != "" {
		samples = append(samples, stats.Sample{Scores: r.Largest.Scores})
	}
	for i, o := range stats.Compare(r.Pool.test, alpha, samples, stats.Against(0, len(samples))) {
		name := ""
		if i+1 < len(columns) {
			name = r.Cells[columns[i+1]].Method
		}
		all = append(all, newPair(r.Cells[columns[0]].Method, name, o))
	}
	return all
}

// family returns the number of tested pairs of a pooled row.
func (r Row) family() int {
	for _, c := range r.Contrasts {
		if c.Tested() {
			return c.Family
		}
	}
	return 0
}

// Points are points of accuracy, in files a text with two decimals, empty for NaN.
type Points float64

func (p Points) String() string {
	if math.IsNaN(float64(p)) {
		return ""
	}
	return text.Points(float64(p))
}

// MarshalText makes the text that stands in files.
func (p Points) MarshalText() ([]byte, error) { return []byte(p.String()), nil }

// Digits is a number that files have with six significant digits.
type Digits float64

// MarshalJSON rounds the number.
func (x Digits) MarshalJSON() ([]byte, error) { return json.Marshal(text.SixDigits(float64(x))) }

// between are the ends of an interval for files.
func between(i stats.Interval) [2]Points { return [2]Points{Points(i.Low), Points(i.High)} }

// tested has the fields that the JSON of every test has.
type tested struct {
	P           Digits `json:"p"`
	PHolm       Digits `json:"p_holm"`
	Family      int    `json:"family"` // pairs that Holm's correction is over
	Significant bool   `json:"significant"`
}

func (p Pair) tested() tested { return tested{Digits(p.P), Digits(p.PHolm), p.Family, p.Significant} }

// An Effect says in JSON how far two methods are apart on one split, and which way.
type Effect struct {
	Difference         string    `json:"difference"`           // accuracy of A less that of B in points, two decimals
	DifferenceInterval [2]string `json:"difference_interval"`  // Newcombe's 95 %, in points
	OddsRatio          *Digits   `json:"odds_ratio,omitempty"` // samples only A has right by those only B has right; nil if the latter are none
	CohensG            *Digits   `json:"cohens_g,omitempty"`   // larger share of these samples less 1/2; nil if there are none
}

// Effect returns the size of the difference on one split, rounded.
func (p Pair) Effect() Effect {
	e := Effect{
		Difference:         stats.Percent(p.Paired.OnlyFirst-p.Paired.OnlySecond, p.Paired.N(), 2),
		DifferenceInterval: [2]string{text.TwoDecimals(p.Interval.Low), text.TwoDecimals(p.Interval.High)},
	}
	for to, x := range map[**Digits]float64{&e.OddsRatio: p.Paired.OddsRatio(), &e.CohensG: p.Paired.CohensG()} {
		if !math.IsNaN(x) {
			*to = (*Digits)(&x)
		}
	}
	return e
}

// MarshalJSON writes McNemar's tests: b_count and c_count are the samples that only A and only
// B has right, and log10_p is also right where p underflows to 0.
func (all Pairs) MarshalJSON() ([]byte, error) {
	type pair struct {
		A      string `json:"a"`
		B      string `json:"b"`
		BCount int    `json:"b_count"`
		CCount int    `json:"c_count"`
		P      Digits `json:"p"`
		Log10P Digits `json:"log10_p"`
		tested        // whose p stands above
		Effect
	}
	written := []pair{}
	for _, p := range all {
		written = append(written, pair{p.A, p.B, p.Paired.OnlyFirst, p.Paired.OnlySecond, Digits(p.P), Digits(p.Log10P), p.tested(), p.Effect()})
	}
	return json.Marshal(written)
}

// MarshalJSON writes the differences over the splits in points, each split counted alike, sd
// empty with one split, and the test where there is one.
func (all Contrasts) MarshalJSON() ([]byte, error) {
	type test struct {
		T  Digits `json:"t"`
		DF int    `json:"df"`
		tested
		Interval [2]Points `json:"interval"`
	}
	type contrast struct {
		A          string `json:"a"`
		B          string `json:"b"`
		Splits     int    `json:"splits"`
		Difference Points `json:"difference"` // mean
		SD         Points `json:"sd"`
		Min        Points `json:"min"`
		Max        Points `json:"max"`
		Test       *test  `json:"test,omitempty"`
	}
	written := []contrast{}
	for _, p := range all {
		c := contrast{p.A, p.B, p.Units, Points(p.Difference), Points(p.SD), Points(p.Min), Points(p.Max), nil}
		if p.Tested() {
			c.Test = &test{Digits(p.T), p.DF, p.tested(), between(p.Interval)}
		}
		written = append(written, c)
	}
	return json.Marshal(written)
}

// MarshalJSON writes the tests over data sets, with the mean difference in points.
func (all SetPairs) MarshalJSON() ([]byte, error) {
	type pair struct {
		A          string `json:"a"`
		B          string `json:"b"`
		Sets       int    `json:"sets"`
		Difference Points `json:"difference"`
		tested
	}
	written := []pair{}
	for _, p := range all {
		written = append(written, pair{p.A, p.B, p.Units, Points(p.Difference), p.tested()})
	}
	return json.Marshal(written)
}
