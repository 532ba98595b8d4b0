package results

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"r2lmlbench/internal/text"
)

// A Cell is the result of one method on one split of one data set: integers, labels and resolved
// parameters, no times and no floating-point results.
type Cell struct {
	Inputs
	Validation *Profile    // scores of the grid; nil when there was one point
	Chosen     int         // index in Settings of the setting that was used
	Truth      []int       // label of every test sample
	Predicted  []int       // label the method gave it; empty in a failed cell
	Counts     []Count     // integer measurements of the chosen fit, in a fixed order
	Series     []Series    // numbers measured on the chosen fit, in a fixed order
	Warnings   []string    // remarks for the reader of a table
	Doubts     []string    // why its fit may have learned little; no part of its file, see store.Shown
	GridScores *GridScores // what every point of the grid gets on the test samples; nil unless measured
	Failure    string      // why there are no predictions; empty in a good cell
}

// zeroWeights is what accepted cells of SCML-global say of weights that are all 0, and
// scaledEuclidean what is true then.
const (
	zeroWeights     = "all weights are 0; the metric is Euclidean"
	scaledEuclidean = "nothing learned: all weights are 0, so that distances are Euclidean between rows scaled to standard deviation 1 and length 1; " +
		"try a smaller beta"
)

// Told returns the warnings and doubts about a fit for display. It replaces a warning of stored
// cells that is not true by a doubt; the cells keep it.
func Told(warnings, doubts []string) (told, doubted []string) {
	for _, w := range warnings {
		if w == zeroWeights {
			doubts = append([]string{scaledEuclidean}, doubts...)
		} else {
			told = append(told, w)
		}
	}
	return told, doubts
}

// A Profile holds the validation scores of a grid.
type Profile struct {
	N       int   `json:"n"`       // validation samples
	Correct []int `json:"correct"` // right ones per point; -1: the point failed
	// Scores are the values of Inputs.Select per point, as fractions such as "3/4"; empty
	// where the point failed or the metric is not defined. nil for accuracy.
	Scores   []string       `json:"scores,omitempty"`
	Failures map[int]string `json:"failures,omitempty"` // reasons, by index of the point
}

// A Count is a count that a fit reports about itself, such as the number of
// coefficients at vertices of the simplex.
type Count struct {
	Name  string `json:"name"`
	Count int    `json:"count"`
	Of    int    `json:"of"` // the largest value Count could have had
}

// CountOf returns a count by its name, and whether there is one.
func CountOf(facts []Count, name string) (Count, bool) {
	i := slices.IndexFunc(facts, func(f Count) bool { return f.Name == name })
	if i < 0 {
		return Count{}, false
	}
	return facts[i], true
}

// A Series is a list of numbers that a fit reports about itself, such as the
// objective after its iterations.
type Series struct {
	Name   string  `json:"name"`
	Values Numbers `json:"values"`
}

// Numbers have at most six significant digits, so that a cell holds no binary fractions.
// In JSON they are decimal texts.
type Numbers []float64

// NewSeries rounds numbers to those of a series.
func NewSeries(name string, values []float64) Series {
	s := Series{Name: name, Values: make(Numbers, len(values))}
	for i, v := range values {
		s.Values[i] = text.SixDigits(v)
	}
	return s
}

// MarshalJSON writes the texts.
func (n Numbers) MarshalJSON() ([]byte, error) {
	texts := make([]string, len(n))
	for i, v := range n {
		texts[i] = strconv.FormatFloat(v, 'g', 6, 64)
	}
	return json.Marshal(texts)
}

// UnmarshalJSON reads the texts.
func (n *Numbers) UnmarshalJSON(data []byte) error {
	var texts []string
	if err := json.Unmarshal(data, &texts); err != nil {
		return err
	}
	*n = make(Numbers, len(texts))
	for i, written := range texts {
		v, err := strconv.ParseFloat(written, 64)
		if err != nil {
			return fmt.Errorf("value %d of a series: %w", i+1, err)
		}
		(*n)[i] = v
	}
	return nil
}

// Correct counts the test samples that were given their own label.
func (c Cell) Correct() int {
	n := 0
	for i, label := range c.Predicted {
		if label == c.Truth[i] {
			n++
		}
	}
	return n
}

// PredictionSum is the start of the SHA-256 of the predictions, in hex.
func (c Cell) PredictionSum() string { return Digest([]byte(formatRuns(c.Predicted)))[:16] }

// Constant tells whether all test samples, of which there are several classes, were
// given one label.
func (c Cell) Constant() bool {
	return len(c.Predicted) > 0 && alike(c.Predicted) && !alike(c.Truth)
}

// alike tells whether labels, of which there is one at least, are all the same.
func alike(labels []int) bool {
	return !slices.ContainsFunc(labels, func(l int) bool { return l != labels[0] })
}

// Setting returns the setting that was chosen.
func (c Cell) Setting() Setting {
	return c.Settings[c.Chosen]
}

// check reports the first thing that cannot be true of a cell.
func (c Cell) check() error {
	switch {
	case c.Dataset == "" || c.Method == "":
		return errors.New("data set or method without a name")
	case c.Chosen < 0 || c.Chosen >= len(c.Settings):
		return fmt.Errorf("chosen point %d of %d", c.Chosen, len(c.Settings))
	case c.Failure != "" && len(c.Predicted) > 0:
		return errors.New("predictions in a failed cell")
	case c.Failure == "" && len(c.Truth) == 0:
		return errors.New("no test samples")
	case c.Failure == "" && len(c.Predicted) != len(c.Truth):
		return fmt.Errorf("%d predictions for %d test samples", len(c.Predicted), len(c.Truth))
	case len(c.Truth) > maxLabels:
		return fmt.Errorf("%d test samples, at most %d can be stored", len(c.Truth), maxLabels)
	}
	if err := c.Validation.check(len(c.Settings)); err != nil {
		return err
	}
	return c.GridScores.check(c)
}

// ScoreText formats the score of point i of the grid by the metric that chose: "kappa 0.7143"; ""
// for accuracy.
func (c Cell) ScoreText(i int) string {
	m, ok := FindMetric(c.Select)
	if !ok || c.Validation == nil || i >= len(c.Validation.Scores) {
		return ""
	}
	return m.ID + " " + m.Print(c.Validation.Value(i))
}

// Best returns the index of the point with the largest value of the metric that it is
// chosen by, the first of several; -1 when all failed. A point whose value is not
// defined comes after those that have one.
func (p *Profile) Best() int {
	best := -1
	for i, correct := range p.Correct {
		if correct >= 0 && (best < 0 || p.compare(i, best) > 0) {
			best = i
		}
	}
	return best
}

// compare compares two points that did not fail.
func (p *Profile) compare(i, j int) int {
	if p.Scores == nil {
		return cmp.Compare(p.Correct[i], p.Correct[j])
	}
	a, b := p.Value(i), p.Value(j)
	switch {
	case a != nil && b != nil:
		return a.Cmp(b)
	case a != nil:
		return 1
	case b != nil:
		return -1
	}
	return 0
}

// Value returns the score of point i by the metric that chose; nil where it is not defined.
func (p *Profile) Value(i int) *big.Rat {
	if value, ok := new(big.Rat).SetString(p.Scores[i]); ok {
		return value
	}
	return nil
}

// check reports the first thing that cannot be true of the scores of a grid.
func (p *Profile) check(points int) error {
	if p == nil {
		return nil
	}
	if len(p.Correct) != points {
		return fmt.Errorf("%d validation scores for %d points", len(p.Correct), points)
	}
	for i, correct := range p.Correct {
		if correct < -1 || correct > p.N {
			return fmt.Errorf("validation score %d of point %d, want -1 to %d", correct, i, p.N)
		}
	}
	if p.Scores != nil && len(p.Scores) != points {
		return fmt.Errorf("%d values of the metric for %d points", len(p.Scores), points)
	}
	for i, score := range p.Scores {
		if _, ok := new(big.Rat).SetString(score); !ok && score != "" || strings.Trim(score, "-/0123456789") != "" {
			return fmt.Errorf("value %q of point %d is no fraction", score, i)
		}
	}
	for i := range p.Failures {
		if i < 0 || i >= points || p.Correct[i] != -1 {
			return fmt.Errorf("a reason for a failure of point %d, which did not fail", i)
		}
	}
	return nil
}

// TestInfo names how pairs of methods were compared.
type TestInfo struct {
	Pair       string  `json:"pair"`             // as stats.ParseTest reads it
	Correction string  `json:"correction"`       // "holm", over all pairs of one row
	Across     string  `json:"across,omitempty"` // over data sets, as stats.SetTest reads it; empty for the default
	Alpha      float64 `json:"alpha"`
}
