package datasets

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"
)

// An Encoding maps the columns of own data to features; it is learned from training rows.
type Encoding []Encoded

// Encoded is the encoding of a column. A column of numbers becomes one feature with missing
// values filled in; a column of texts becomes a feature for each text, 1 in the rows that have
// it and 0 in all others.
type Encoded struct {
	Texts []string `json:"texts,omitempty"` // of the training rows, sorted; nil for a number
	Fill  *float64 `json:"fill,omitempty"`  // replacement of a missing number; nil: none is missing
	Open  bool     `json:"open,omitempty"`  // values may be missing
	codes []float64
}

// NewEncoding learns an encoding from the rows train of x, N×D. Missing values are NaN; rule
// fills them: mean, median, zero, or "" for none. texts[j] are the texts of column j, and x has
// indices into them; it is nil for a column of numbers, and texts is nil without such columns.
func NewEncoding(x *mat.Dense, train []int, rule string, texts [][]string) Encoding {
	_, cols := x.Dims()
	e := make(Encoding, cols)
	for j := range e {
		e[j].Open = rule != ""
		if texts != nil && texts[j] != nil {
			e[j].learnTexts(x, train, j, texts[j])
			continue
		}
		if rule == "" {
			continue
		}
		var there []float64
		for _, i := range train {
			if v := x.At(i, j); !math.IsNaN(v) {
				there = append(there, v)
			}
		}
		if value := center(there, rule); !math.IsNaN(value) {
			e[j].Fill = &value
		}
	}
	return e
}

// learnTexts collects the texts of the training rows in column j.
func (c *Encoded) learnTexts(x *mat.Dense, train []int, j int, texts []string) {
	var seen []int
	for _, i := range train {
		if v := x.At(i, j); !math.IsNaN(v) && !slices.Contains(seen, int(v)) {
			seen = append(seen, int(v))
		}
	}
	slices.SortFunc(seen, func(a, b int) int { return strings.Compare(texts[a], texts[b]) })
	c.Texts = []string{}
	for _, code := range seen {
		c.Texts, c.codes = append(c.Texts, texts[code]), append(c.codes, float64(code))
	}
}

// Apply returns the features of x. The texts of x are indices into the texts of NewEncoding or,
// for an encoding read from a file, into Texts. Other indices are texts that no training row
// has.
func (e Encoding) Apply(x *mat.Dense) (*mat.Dense, error) {
	if !slices.ContainsFunc(e, func(c Encoded) bool { return c.Open || c.Texts != nil }) {
		return x, nil
	}
	rows, _ := x.Dims()
	wide := mat.NewDense(rows, max(e.Features(), 1), nil)
	k := 0
	for j, c := range e {
		for i := range rows {
			v := x.At(i, j)
			if c.Texts != nil {
				if place := c.place(v); place >= 0 {
					wide.Set(i, k+place, 1)
				}
				continue
			}
			if math.IsNaN(v) {
				if c.Fill == nil {
					return nil, fmt.Errorf("feature %d has no value among the training rows, so that none can be imputed; drop it, or use `impute: zero`", j+1)
				}
				v = *c.Fill
			}
			wide.Set(i, k, v)
		}
		k += c.features()
	}
	return wide, nil
}

// place returns the index of a text among those of the training rows, -1 for another or none.
func (c Encoded) place(v float64) int {
	switch {
	case c.codes != nil:
		return slices.Index(c.codes, v)
	case v >= 0 && int(v) < len(c.Texts):
		return int(v)
	}
	return -1
}

// Features returns the number of encoded features.
func (e Encoding) Features() int {
	n := 0
	for _, c := range e {
		n += c.features()
	}
	return n
}

func (c Encoded) features() int {
	if c.Texts == nil {
		return 1
	}
	return len(c.Texts)
}

// center returns the mean or the median of the values, NaN for none, or 0 under rule
// zero.
func center(values []float64, rule string) float64 {
	switch {
	case rule == "zero":
		return 0
	case len(values) == 0:
		return math.NaN()
	case rule == "mean":
		sum := 0.0
		for _, v := range values {
			sum += v
		}
		return sum / float64(len(values))
	}
	slices.Sort(values)
	n := len(values)
	return (values[(n-1)/2] + values[n/2]) / 2
}
