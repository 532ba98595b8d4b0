package study

import (
	"bytes"
	_ "embed"
	"encoding/csv"
	"fmt"
	"slices"
	"strconv"

	"r2lmlbench/results/table"
)

// contextCSV has, for every data set and classifier of the spec experiments/external/context.yaml,
// the settings that it chooses from, the splits, and the right ones of the test samples of
// all splits. The cells themselves need scikit-learn and are not kept.
//
//go:embed context.csv
var contextCSV []byte

// A Context is one other classifier beside Euclidean k-NN.
type Context struct {
	Classifier string
	Settings   int
	Rows       []ContextRow
}

// A ContextRow is the result on one data set.
type ContextRow struct {
	Dataset            string
	Splits, N, Correct int // N and Correct are sums over the splits
}

// ReadContext returns the classifiers, Euclidean k-NN among them.
func ReadContext() ([]Context, error) {
	records, err := csv.NewReader(bytes.NewReader(contextCSV)).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("context.csv: %w", err)
	}
	var all []Context
	for i, r := range records[1:] {
		var numbers [4]int
		for k := range numbers {
			if numbers[k], err = strconv.Atoi(r[2+k]); err != nil {
				return nil, fmt.Errorf("context.csv:%d: %w", i+2, err)
			}
		}
		at := slices.IndexFunc(all, func(c Context) bool { return c.Classifier == r[1] })
		if at < 0 {
			at = len(all)
			all = append(all, Context{Classifier: r[1], Settings: numbers[0]})
		}
		all[at].Rows = append(all[at].Rows, ContextRow{r[0], numbers[1], numbers[2], numbers[3]})
	}
	return all, nil
}

// ContextListing compares the classifiers with Euclidean k-NN, the first one.
func ContextListing(all []Context) table.Listing {
	l := table.Listing{
		Title: "Other classifiers on the same splits",
		Head:  []string{"classifier", "settings", "accuracy", "less Euclidean k-NN", "95 %", "by point"},
	}
	posteriors := posteriors{}
	percent := func(r ContextRow) float64 { return 100 * float64(r.Correct) / float64(r.N) }
	for i, c := range all {
		sum, against := 0.0, Contrast{}
		for k, r := range c.Rows {
			sum += percent(r)
			against.Sets = append(against.Sets, SetDifference{Dataset: r.Dataset, Points: percent(r) - percent(all[0].Rows[k])})
		}
		line := []string{c.Classifier, strconv.Itoa(c.Settings), points(sum / float64(len(c.Rows))), "-", "-", "-"}
		if i > 0 {
			against.summarize(posteriors)
			line[3], line[4] = points(against.Mean), points(against.MeanRange.Low)+" to "+points(against.MeanRange.High)
			line[5] = fmt.Sprintf("%d/%d/%d", against.Above, against.Within, against.Below)
		}
		l.Rows = append(l.Rows, line)
	}
	return l
}
