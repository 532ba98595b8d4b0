package report

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/csv"
	"encoding/json"
	"html"
	"math"
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"r2lmlbench/internal/document"
	"r2lmlbench/internal/fixture"
	"r2lmlbench/results"
	"r2lmlbench/results/table"
	"r2lmlbench/stats"
)

// plainMetrics are the definitions of the metrics, as one would write them down: from the true
// and the given labels of some samples, not a number where a metric is not defined.
var plainMetrics = map[string]func(truth, given []int) float64{
	results.Accuracy: func(truth, given []int) float64 { return 1 - errorShare(truth, given) },
	results.BalancedAccuracy: func(truth, given []int) float64 {
		return meanOverClasses(truth, given, func(tp, fn, _ float64) float64 { return tp / (tp + fn) })
	},
	results.MacroF1: func(truth, given []int) float64 {
		return meanOverClasses(truth, given, func(tp, fn, fp float64) float64 { return 2 * tp / (2*tp + fp + fn) })
	},
	results.Kappa: func(truth, given []int) float64 {
		n, chance := float64(len(truth)), 0.0
		for _, a := range truth {
			for _, b := range given {
				if a == b {
					chance += 1 / (n * n)
				}
			}
		}
		if chance > 1-1e-9 {
			return math.NaN()
		}
		return (1 - errorShare(truth, given) - chance) / (1 - chance)
	},
	"error-share": errorShare,
}

func errorShare(truth, given []int) float64 {
	wrong := 0.0
	for i := range truth {
		if truth[i] != given[i] {
			wrong++
		}
	}
	return wrong / float64(len(truth))
}

func meanOverClasses(truth, given []int, of func(tp, fn, fp float64) float64) float64 {
	classes := slices.Compact(slices.Sorted(slices.Values(truth)))
	sum := 0.0
	for _, class := range classes {
		var tp, fn, fp float64
		for i := range truth {
			switch {
			case truth[i] == class && given[i] == class:
				tp++
			case truth[i] == class:
				fn++
			case given[i] == class:
				fp++
			}
		}
		sum += of(tp, fn, fp)
	}
	return sum / float64(len(classes))
}

// shows fails unless a text prints a value of a metric.
func shows(t *rapid.T, where string, m results.Metric, text string, value float64) {
	unit, decimals := 1.0, 4
	if m.Percent {
		unit, decimals = 100, 2
	}
	if got, err := strconv.ParseFloat(text, 64); math.IsNaN(value) && text != "-" ||
		!math.IsNaN(value) && (err != nil || math.Abs(got-unit*value) > 0.51*math.Pow10(-decimals) || len(text)-strings.Index(text, ".")-1 != decimals) {
		t.Fatalf("%s: %s is %q, want %g", where, m.ID, text, unit*value)
	}
}

// A drawnSplit has what two methods say of test samples, of which the second has no result on
// the last data set.
type drawnSplit struct {
	dataset, split string
	truth          []int
	given          [2][]int
}

// drawSplits draws three splits of unequal size of one data set, and one of another.
func drawSplits(t *rapid.T) []drawnSplit {
	var all []drawnSplit
	for i, split := range []string{"random seed=1 repeat=1", "random seed=1 repeat=2", "random seed=1 repeat=3", "authors"} {
		s := drawnSplit{dataset: "first", split: split}
		if i == 3 {
			s.dataset = "second"
		}
		n := rapid.IntRange(2+i, 12).Draw(t, "n")
		label := rapid.IntRange(1, rapid.IntRange(1, 4).Draw(t, "classes"))
		s.truth = rapid.SliceOfN(label, n, n).Draw(t, "truth")
		for k := range s.given {
			s.given[k] = slices.Clone(s.truth)
			for at := range s.given[k] {
				if rapid.Bool().Draw(t, "other") {
					s.given[k][at] = rapid.IntRange(1, 5).Draw(t, "given")
				}
			}
		}
		all = append(all, s)
	}
	return all
}

// mean of a metric over the splits of a row, of what is given in them.
func mean(of func(truth, given []int) float64, splits []drawnSplit, given func(drawnSplit) []int) float64 {
	sum := 0.0
	for _, s := range splits {
		sum += of(s.truth, given(s))
	}
	return sum / float64(len(splits))
}

// mostFrequent names the most frequent class of splits for every sample, the smallest of several.
func mostFrequent(splits []drawnSplit) func(drawnSplit) []int {
	counts := make([]int, 6)
	for _, s := range splits {
		for _, label := range s.truth {
			counts[label]++
		}
	}
	most := slices.Index(counts, slices.Max(counts))
	return func(s drawnSplit) []int { return slices.Repeat([]int{most}, len(s.truth)) }
}

var (
	marks  = regexp.MustCompile(`<[^>]*>`)
	beside = regexp.MustCompile(`[|&{}\\~*\s]+`)
)

// words are the words of a rendering, without what is between them.
func words(rendered string) string {
	read := html.UnescapeString(marks.ReplaceAllString(rendered, " "))
	return strings.NewReplacer("−", "-", "$ times$", "×").Replace(beside.ReplaceAllString(read, " "))
}

// TestEveryMetricEverywhere: text, Markdown, CSV, LaTeX, JSON, the page, its panels and explain
// show, of all metrics, what the definitions give of the predictions: of single splits, the mean
// over several, and for the most frequent class. One of the metrics is added here: one entry.
func TestEveryMetricEverywhere(t *testing.T) {
	accuracy, _ := results.FindMetric(results.Accuracy)
	known := results.Metrics
	t.Cleanup(func() { results.Metrics = known })
	results.Metrics = append(slices.Clone(known), results.Metric{
		ID: "error-share", Title: "Share of errors", Definition: "Share of the samples that are labelled wrong",
		Of: func(of results.ClassResults) *big.Rat { return new(big.Rat).Sub(big.NewRat(1, 1), accuracy.Exact(of)) },
	})
	fixture.Equal(t, "metrics with a definition", len(plainMetrics), len(results.Metrics))
	rapid.Check(t, func(t *rapid.T) {
		splits := drawSplits(t)
		spec := table.Experiment{Name: "toy", Test: stats.Exact, Alpha: 0.05, Columns: []table.Column{{ID: "a", Name: "A"}, {ID: "b", Name: "B"}}}
		spec.Metrics = rapid.Permutation(results.MetricIDs()).Draw(t, "metrics")
		var rows []table.RowInput
		for i, s := range splits {
			row := table.RowInput{Dataset: s.dataset, Name: s.dataset, Split: s.split, Repeat: (i + 1) % 4, Train: 50, Cells: make([]table.CellInput, 2)}
			for k, given := range s.given {
				c := results.Cell{Inputs: results.Inputs{Seed: 1, Settings: []results.Setting{{Params: results.Params{}}}}, Truth: s.truth, Predicted: given}
				row.Cells[k].Cells = []results.Cell{c}
			}
			rows = append(rows, row)
		}
		rows[3].Cells[1] = table.CellInput{Status: table.StatusFailed, Reason: "it failed"}
		in := Input{Name: "toy", Neighbors: []int{5}, Table: table.New(spec, rows)}
		in.Cells = explained(tiny, in.Table, rows)
		var single [][]drawnSplit
		for i := range splits {
			single = append(single, splits[i:i+1])
		}
		showsMetrics(t, in, single)
		explainsMetrics(t, in, splits)
		pooled := in.Table.Pooled()
		in.Pooled = &pooled
		showsMetrics(t, in, [][]drawnSplit{splits[:3], splits[3:]})
	})
}

// showsMetrics fails unless all that is made of the table of a report, in which each data set has
// a row where it has several splits, shows the metrics of splits, which are given by row.
func showsMetrics(t *rapid.T, in Input, splits [][]drawnSplit) {
	_, html, _ := strings.Cut(string(fixture.Must(page(in))(t)), "<main")
	html, _, _ = strings.Cut(html, "</main>")
	read, rendered := map[string]string{"page": words(html)}, map[string]string{}
	for _, format := range []string{"text", "markdown", "latex", "csv", "json"} {
		var b bytes.Buffer
		fixture.Check(t, in.sets().Render(&b, format, document.Style{}))
		read[format], rendered[format] = words(strings.ReplaceAll(b.String(), "$-$", "-")), b.String() // the minus sign of LaTeX
	}
	var data struct {
		Rows []struct {
			Cells   []map[string]any
			Classes struct {
				Majority struct{ Accuracy string }
				Metrics  map[string]string `json:"majority_metrics"`
			}
		}
	}
	fixture.Check(t, json.Unmarshal([]byte(rendered["json"]), &data))
	lines := fixture.Must(csv.NewReader(strings.NewReader(rendered["csv"])).ReadAll())(t)
	field := func(row, column int, name string) string { return lines[1+2*row+column][slices.Index(lines[0], name)] }
	listings := map[string][][]string{}
	for _, l := range in.sets().MetricListings() {
		listings[l.Title] = l.Texts()[1:]
	}
	for _, m := range results.Metrics {
		of, name := plainMetrics[m.ID], m.Field()
		for r, row := range splits {
			majority := mean(of, row, mostFrequent(row))
			if m.ID != results.Accuracy { // whose rows are those of the ranked table
				shows(t, "most frequent class in JSON", m, data.Rows[r].Classes.Metrics[m.ID], majority)
				shows(t, "most frequent class in CSV", m, field(r, 0, "majority_"+name), majority)
			}
			for k := range row[0].given {
				if data.Rows[r].Cells[k]["status"] != nil {
					continue
				}
				want := mean(of, row, func(s drawnSplit) []int { return s.given[k] })
				if m.ID == results.Accuracy && len(row) > 1 {
					continue // its mean over splits has tests of its own
				}
				shows(t, "JSON", m, data.Rows[r].Cells[k][name].(string), want)
				shows(t, "CSV", m, field(r, k, name), want)
				if l, there := listings[m.Title]; there {
					shows(t, "listing", m, l[r][2+k], want)
					shows(t, "listing", m, l[r][4], majority)
				}
			}
		}
		l, there := listings[m.Title]
		if there == (m.ID == results.Accuracy) {
			t.Fatalf("a table of %s: %v", m.ID, there)
		}
		for _, format := range []string{"text", "markdown", "latex", "page"} {
			_, behind, _ := strings.Cut(read[format], " "+m.Title)
			for _, line := range l {
				_, rest, shown := strings.Cut(behind, strings.Join(line, " ")+" ")
				if !shown {
					t.Fatalf("%s: under %q stands no line %q: %.300s", format, m.Title, line, behind)
				}
				behind = rest
			}
		}
	}
}

// explainsMetrics fails unless explain and the panels of the page show the metrics of splits.
func explainsMetrics(t *rapid.T, in Input, splits []drawnSplit) {
	var panels struct {
		Cells struct {
			Result struct {
				Accuracy []*string
				Metrics  [][]MetricFact
			}
		}
	}
	packed := fixture.Must(in.panels())(t)
	z := fixture.Must(gzip.NewReader(base64.NewDecoder(base64.StdEncoding, strings.NewReader(string(packed)))))(t)
	fixture.Check(t, json.NewDecoder(z).Decode(&panels))
	for i, s := range splits {
		for k, given := range s.given {
			cell := i*len(s.given) + k
			found := panels.Cells.Result.Accuracy[cell]
			if found == nil {
				continue
			}
			accuracy, _ := results.FindMetric(results.Accuracy)
			shows(t, "panel", accuracy, *found, plainMetrics[results.Accuracy](s.truth, given))
			all := panels.Cells.Result.Metrics[cell]
			fixture.Equal(t, "metrics in a panel", len(all), len(results.Metrics)-1)
			for _, m := range all {
				of, _ := results.FindMetric(m.ID)
				shows(t, "panel", of, m.Value, plainMetrics[m.ID](s.truth, given))
				fixture.Has(t, "explain", words(in.Cells[i][k].Text()), " "+of.Title+" "+m.Value+" ")
			}
		}
	}
}
