// Package table makes ranked tables of cells, by split and by data set, with the tests between
// their methods, and the comparisons over data sets that a spec asks for. Its findings on fits
// of E- and T-R2LML are in diagnosis.go.
package table

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"

	"r2lmlbench/experiments/published"
	"r2lmlbench/internal/text"
	"r2lmlbench/results"
	"r2lmlbench/stats"
)

// An Experiment is what a table needs to know of a plan.
type Experiment struct {
	Name    string        // of the experiment: "accuracy"
	Test    stats.Variant // for a pair of methods; the zero value is the exact one
	Across  string        // test over data sets, as stats.SetTest reads it; empty for the default
	Against string        // id of the column that others are tested against over the splits; empty: none
	Alpha   float64       // level of the tests after Holm's correction, such as 0.05
	Measure string        // id of the metric that methods are ranked and tested by; empty: accuracy
	Metrics []string      // ids of metrics to show beside accuracy, in this order
	Columns []Column      // in the order of the table, which also breaks ties

	Published published.Numbers // printed numbers to stand beside ours

	Overlaps []string // what to tell first, see plan.Plan.Overlaps

	// Answers: only answers are known, and not how they were made. There are no notes on
	// that, and no classes where all test samples of all rows have one.
	Answers bool
}

// A Column is one method of a table, in one setting.
type Column struct {
	ID     string `json:"id"`     // unique in the table; the method's id unless it appears twice
	Method string `json:"method"` // id of the method, by which published numbers are looked up
	Name   string `json:"name"`   // as printed

	// Swept are the parameters that this column has fixed while its neighbors
	// have other values, as the spec writes them.
	Swept map[string]string `json:"swept,omitempty"`
	// Scaled: the features are not the raw ones, or not always, so that no published
	// number is of the same experiment.
	Scaled bool `json:"scaled,omitempty"`
	// Select is the metric on the validation samples by which its settings were chosen;
	// empty for accuracy.
	Select string `json:"select,omitempty"`
	// Protocol says what its cells do otherwise than by default: "ties random", settings
	// chosen by cross-validation. Empty for the defaults.
	Protocol string `json:"protocol,omitempty"`
	// MaxTrain is the most training samples of a split that it learns from; 0: all.
	MaxTrain int `json:"max_train,omitempty"`
	// Untuned: it has one setting where others choose theirs, although it could, too.
	Untuned bool `json:"untuned,omitempty"`
	// Fewer describes its settings if the printed numbers were chosen from more.
	Fewer string `json:"fewer_settings,omitempty"`
	// OtherK: its k is its own and not that of the published numbers, which are none of
	// the same experiment either.
	OtherK bool `json:"other_k,omitempty"`

	// Drawn: tied votes are drawn, and do not go to the smallest label.
	Drawn bool `json:"-"`
	// Printed: the published numbers are of a column like this one, fixed parameters and
	// scaling included.
	Printed bool `json:"-"`
}

// A RowInput is what one row of a table is made of.
type RowInput struct {
	Dataset string
	Letter  string               // row of the published tables; empty when they have none
	Name    string               // as printed
	Split   string               // "authors" or "random seed=1 repeat=3"
	Repeat  int                  // which of several splits, from 1; 0 when there is one
	N       int                  // test samples; 0: as many as the cells have
	Note    string               // about the data set; may be empty
	Train   int                  // training samples; 0: not known
	Overlap int                  // test samples that are training samples, too
	Class   string               // own data: the largest class of the training samples; empty: not known
	Tested  []results.ClassCount // own data: classes of the test samples
	Label   int                  // of Class among them
	Unlike  bool                 // other data, split or k than the published table's: no mark
	Cells   []CellInput

	Unranked bool // without pairs, ranks and metrics
}

// A CellInput is what is known for one column of a row.
type CellInput struct {
	Cells  []results.Cell // one per seed, seed 1 first
	Seeds  int            // of the spec; 0: as many as Cells
	Status string         // "", StatusMissing or StatusFailed
	Reason string         // of the status
}

// Why a cell of a table has no counts.
const (
	StatusMissing = "missing"
	StatusFailed  = "failed"
)

// A Table is a ranked table of accuracies as plain data. Its JSON is the output
// of "table --format json"; Render has the other formats. Percentages are texts,
// rounded half up; other numbers with a fraction have six significant digits.
type Table struct {
	Schema  int              `json:"schema"` // version of the shape of the JSON
	Spec    string           `json:"spec"`
	Test    results.TestInfo `json:"test"`
	Measure string           `json:"measure,omitempty"` // metric that methods are ranked and tested by; empty: accuracy
	Metrics []string         `json:"metrics,omitempty"` // shown beside it
	Columns []Column         `json:"columns"`
	Rows    []Row            `json:"rows"`
	Across  *Across          `json:"across,omitempty"` // of a pooled table with several data sets
	// Overlaps tell of data sets with test rows that are training rows, too.
	Overlaps []string `json:"overlaps,omitempty"`
	// Contrasts are those of the spec, over the splits.
	Contrasts []Comparison `json:"contrasts,omitempty"`

	Answers bool   `json:"-"` // of its spec
	Against string `json:"-"` // likewise
}

// A Row is one split of one data set or, where Pool says so, all splits of it. Methods
// are named by their columns' ids.
type Row struct {
	Dataset string `json:"dataset"`
	Letter  string `json:"letter"`
	Name    string `json:"name"`
	Split   string `json:"split"`
	Repeat  int    `json:"repeat,omitempty"`
	N       int    `json:"n"`                 // test samples
	Overlap int    `json:"overlap,omitempty"` // own data: of these, samples that are training samples, too
	Pool    *Pool  `json:"pool,omitempty"`
	Note    string `json:"note,omitempty"`
	// Classes are those of the test samples; nil as long as no method has a result.
	Classes *Classes `json:"classes,omitempty"`
	Cells   []Result `json:"cells"` // one per column
	Pairs   Pairs    `json:"pairs"` // of the methods that have a result; none of a pooled row
	// Contrasts are the pairs of a pooled row.
	Contrasts Contrasts `json:"contrasts,omitempty"`

	// Inversions lists the pairs of which the first is more accurate and yet
	// ranked worse.
	Inversions [][2]string `json:"inversions"`
	// SameRankButSignificant lists the pairs that share a rank although they
	// differ: both are comparable with the leader of their group only.
	SameRankButSignificant [][2]string `json:"same_rank_but_significant"`
	// TieSensitive: another order of equally accurate methods changes a rank.
	TieSensitive bool `json:"tie_sensitive"`
	// MissingMethods have no result here, which makes the Holm family smaller.
	MissingMethods []string `json:"missing_methods,omitempty"`
	// PrintedBelow: no printed accuracy of the row is above that of the most frequent class.
	PrintedBelow bool `json:"printed_below_majority,omitempty"`
	// MinGap is the smallest difference that is significant whatever the other pairs of the
	// row; nil if none is, or there is nothing to compare.
	MinGap *Gap `json:"min_gap,omitempty"`

	Train int `json:"-"` // training samples of a split; 0: not known

	samples []stats.Sample // of a pooled row, by column: scores on the splits in percent
	Largest Largest        `json:"-"` // of own data
}

// Classes are the classes of a test set, with what naming one class for every
// sample would get.
type Classes struct {
	Counts    []results.ClassCount `json:"counts"`     // ascending by label
	Majority  Constant             `json:"majority"`   // of the most frequent class, the smallest label of several
	TieWinner Constant             `json:"tie_winner"` // of the smallest label, to which the k-NN rule gives equal votes
	// MajorityMetrics has the table's metrics of naming the most frequent class, by id.
	MajorityMetrics results.Values `json:"majority_metrics,omitempty"`
}

// A Constant is one label for every test sample.
type Constant struct {
	Label    int    `json:"label"`
	Count    int    `json:"count"`    // test samples of the class
	Accuracy string `json:"accuracy"` // percent, two decimals

	Mean float64 `json:"-"` // by the measure of the table, in percent
}

// Value is Mean as printed.
func (c Constant) Value() string { return text.Points(c.Mean) }

// Useful tells whether some method of the row, whose classes are known, is better than naming the
// most frequent class.
func (r Row) Useful() bool {
	return slices.ContainsFunc(r.Cells, func(c Result) bool { return c.Score != nil && c.Mean > r.Classes.Majority.Mean })
}

// A Gap is a difference of two methods on one test set.
type Gap struct {
	Samples int    `json:"samples"` // which one method has right and the other wrong, and none the other way
	Percent string `json:"percent"` // of the test set
}

// A Result is one method's result on a row. Score is nil when there is none;
// Status and Reason then say why.
type Result struct {
	Method string `json:"method"`
	Status string `json:"status,omitempty"`
	Reason string `json:"reason,omitempty"`
	*Score
	Published     string   `json:"published,omitempty"`
	PublishedRank int      `json:"published_rank,omitempty"`
	Notes         []string `json:"notes"`            // warnings of the fit, what is wrong with it, and failed grid points
	Doubts        []Doubt  `json:"doubts,omitempty"` // why its fits may have learned little
	Spread        *Spread  `json:"spread,omitempty"`

	Trials  []Trial `json:"-"` // of a row of one split, by seed
	Lacking int     `json:"-"` // runs of seeds after the first without a result, over all splits of a pooled row
	Seeds   int     `json:"-"` // that Lacking are of; 0 if none lacks
	Partial int     `json:"-"` // splits of a pooled row that it has a result on, if not all; else 0
	Mean    float64 `json:"-"` // of seed 1 by the measure of the table, in percent; of a pooled row over its splits;
}

// Value is Mean as printed.
func (c Result) Value() string { return text.Points(c.Mean) }

// A Doubt is about the fits of a method on the splits of a row.
type Doubt struct {
	Text   string `json:"text"`
	Splits int    `json:"splits"` // that have such a fit
}

// A Score is what seed 1 of a method got.
type Score struct {
	Correct  int            `json:"correct"`
	Accuracy string         `json:"accuracy"`           // percent, two decimals; of a pooled row the mean over its splits
	Rank     int            `json:"rank"`               // group by the leader rule, 1 the best; 0 in a pooled row without a test
	Best     bool           `json:"best"`               // rank 1
	Letters  string         `json:"letters"`            // two ranked methods share a letter iff they do not differ
	Metrics  results.Values `json:"metrics"`            // beside accuracy, each under a name of its own, see MarshalJSON
	Constant bool           `json:"constant,omitempty"` // every test sample was given one label, of several
	Mark     string         `json:"mark,omitempty"`
	Params   results.Params `json:"params"` // of the chosen setting
	Restart  int            `json:"restart,omitempty"`
	Seed     uint64         `json:"seed"`
	// Validation has the right ones of the validation samples under the chosen
	// setting; nil when there was one setting only.
	Validation *Tally           `json:"validation,omitempty"`
	Facts      []results.Count  `json:"facts,omitempty"`
	Series     []results.Series `json:"series,omitempty"`

	classes results.ClassResults // of one split
}

// MarshalJSON writes every metric of the score beside its other members:
// "balanced_accuracy": "68.75".
func (c Result) MarshalJSON() ([]byte, error) {
	type plain Result
	written, err := json.Marshal(plain(c))
	if err != nil || c.Score == nil {
		return written, err
	}
	before, behind, _ := bytes.Cut(written, []byte(`"metrics":{`))
	_, behind, _ = bytes.Cut(behind, []byte("},"))
	var metrics []byte
	for _, m := range results.Metrics {
		if _, has := c.Metrics[m.ID]; has || m.Always {
			metrics = fmt.Appendf(metrics, "%q:%q,", m.Field(), c.Metrics.Text(m.ID))
		}
	}
	return slices.Concat(before, metrics, behind), nil
}

// A Tally counts right answers.
type Tally struct {
	Correct int `json:"correct"`
	Of      int `json:"of"`
}

// A Spread describes all runs of a method on a data set: every seed on every
// repeat of the split. It stands on the row of the first repeat.
type Spread struct {
	Runs int    `json:"runs"`
	Mean string `json:"mean"` // percent, each run counted alike
	SD   string `json:"sd"`   // standard deviation of the runs, divisor Runs-1
	Min  string `json:"min"`
	Max  string `json:"max"`
}

// Find returns what row r of t has in the first column of the method with these
// values of swept parameters (name, value, name, value, ...), a missing cell
// without such a column.
func (t Table) Find(r Row, method string, swept ...string) Result {
	i := slices.IndexFunc(t.Columns, func(c Column) bool {
		has := c.Method == method
		for k := 0; k+1 < len(swept); k += 2 {
			has = has && c.Swept[swept[k]] == swept[k+1]
		}
		return has
	})
	if i < 0 {
		return Result{Status: StatusMissing}
	}
	return r.Cells[i]
}

// Largest is always answering the largest class of the training samples, which is compared like
// a method of own data.
type Largest struct {
	Class  string    // "a", or "a on 12 splits, b on 8 splits" if it Varies
	Varies bool      // groups can make it another on other splits
	Scores []float64 // on every split by the measure of the table, in percent; empty: not known
	Pairs  []Pair    // against every column with a result, in the family of all pairs
}

// Name is how people see it: "always a".
func (l Largest) Name() string {
	if l.Varies {
		return "always the largest class"
	}
	return "always " + text.OneLine(l.Class)
}
