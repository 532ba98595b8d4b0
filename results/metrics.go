package results

import (
	"cmp"
	"encoding/json"
	"maps"
	"math/big"
	"slices"
	"strings"
)

// A Metric is a measure of predictions against the true labels. All metrics are
// computed from the counts of every class, and larger is better.
type Metric struct {
	ID    string // as specs name it: "balanced-accuracy"
	Name  string // in a sentence: "balanced accuracy"
	Title string // of a table: "Balanced accuracy in percent"
	// Definition says, in one sentence, how it is computed and where it comes from.
	Definition string

	Least   int                         // smallest value, in percent; the largest is 100
	Percent bool                        // printed as percent with two decimals, others as a number with four
	Always  bool                        // CSV and JSON of a table have it also where the spec does not name it
	Of      func(ClassResults) *big.Rat // of some predictions, nil where it is not defined; see Exact
}

// The ids of the metrics.
const (
	Accuracy         = "accuracy"
	BalancedAccuracy = "balanced-accuracy"
	MacroF1          = "macro-f1"
	Kappa            = "kappa"
)

// Metrics are all metrics that a spec can name.
//
// The classes are those of the true labels. A label that was given and that no
// sample has counts as wrong, and is no class with an F1 of 0, unlike the default
// of scikit-learn.
var Metrics = []Metric{
	{ID: Accuracy, Name: "accuracy", Title: "Accuracy in percent",
		Definition: "Share of the samples that are labelled right", Percent: true, Of: ClassResults.accuracy},
	{ID: BalancedAccuracy, Name: "balanced accuracy", Title: "Balanced accuracy in percent",
		Definition: "Mean over the classes of the share of a class that is labelled right (Brodersen et al., ICPR 2010)",
		Percent:    true, Always: true, Of: meanOf(classResult.recall)},
	{ID: MacroF1, Name: "macro-F1", Title: "Macro-F1 in percent",
		Definition: "Mean over the classes of F1 = 2TP/(2TP + FP + FN), which is 0 for a class with no sample right (Opitz and Burst, 2019, arXiv 1911.03347)",
		Percent:    true, Always: true, Of: meanOf(classResult.f1)},
	{ID: Kappa, Name: "Cohen's kappa", Title: "Cohen's kappa",
		Definition: "(p - e)/(1 - e), with the accuracy p and the agreement e that the frequencies of the true and the given labels have by chance " +
			"(Cohen, 1960), not defined where e is 1",
		Least: -100, Of: ClassResults.kappa},
}

// MetricIDs are the names of the metrics in specs.
func MetricIDs() []string {
	ids := make([]string, len(Metrics))
	for i, m := range Metrics {
		ids[i] = m.ID
	}
	return ids
}

// FindMetric returns the metric with this id.
func FindMetric(id string) (Metric, bool) {
	i := slices.IndexFunc(Metrics, func(m Metric) bool { return m.ID == id })
	if i < 0 {
		return Metric{}, false
	}
	return Metrics[i], true
}

// MetricOf returns the metric with an id that is known to be one; an empty id means accuracy.
func MetricOf(id string) Metric {
	m, _ := FindMetric(cmp.Or(id, Accuracy))
	return m
}

// Heading is the title of a ranked table: "Macro-F1 in percent".
func (m Metric) Heading() string { return strings.TrimSuffix(m.Title, " in percent") + " in percent" }

// Field names the metric in CSV and JSON: "balanced_accuracy".
func (m Metric) Field() string { return strings.ReplaceAll(m.ID, "-", "_") }

// Exact returns the metric of predictions as a fraction; nil where it is not defined.
func (m Metric) Exact(of ClassResults) *big.Rat {
	if len(of) == 0 {
		return nil
	}
	return m.Of(of)
}

// Values has values of metrics by id; nil for one that is not defined.
type Values map[string]*big.Rat

// Measured returns the metrics of predictions with these ids, which must be known.
func Measured(of ClassResults, ids []string) Values {
	v := Values{}
	for _, id := range ids {
		v[id] = MetricOf(id).Exact(of)
	}
	return v
}

// MeanValues returns the means over several splits, each counted alike; all have the same metrics.
func MeanValues(splits []Values) Values {
	mean := maps.Clone(splits[0])
	for id := range mean {
		values := make([]*big.Rat, len(splits))
		for i, v := range splits {
			values[i] = v[id]
		}
		mean[id] = MeanValue(values)
	}
	return mean
}

// Text prints the value of a metric; empty where the values lack it.
func (v Values) Text(id string) string {
	value, has := v[id]
	if m, known := FindMetric(id); has && known {
		return m.Print(value)
	}
	return ""
}

// MarshalJSON writes the values as they are printed, by id.
func (v Values) MarshalJSON() ([]byte, error) {
	texts := map[string]string{}
	for id := range v {
		texts[id] = v.Text(id)
	}
	return json.Marshal(texts)
}

// Fraction is Exact as a text, "3/4"; empty where it is not defined.
func (m Metric) Fraction(of ClassResults) string {
	exact := m.Exact(of)
	if exact == nil {
		return ""
	}
	return exact.String()
}

// Print prints a value of the metric, rounded half away from 0; "-" where it is not defined.
func (m Metric) Print(value *big.Rat) string {
	if value == nil {
		return "-"
	}
	printed := value.FloatString(4)
	if m.Percent {
		printed = new(big.Rat).Mul(value, big.NewRat(100, 1)).FloatString(2)
	}
	if strings.Trim(printed, "-0.") == "" {
		return strings.TrimPrefix(printed, "-")
	}
	return printed
}

// InPercent prints a value as a percentage with two decimals, as rankings have every metric.
func InPercent(value *big.Rat) string { return Metric{Percent: true}.Print(value) }

// MeanValue is the mean of values of a metric, nil if there are none or one of them is
// not defined.
func MeanValue(values []*big.Rat) *big.Rat {
	sum := new(big.Rat)
	for _, v := range values {
		if v == nil {
			return nil
		}
		sum.Add(sum, v)
	}
	if len(values) == 0 {
		return nil
	}
	return sum.Quo(sum, big.NewRat(int64(len(values)), 1))
}

// ConstantResults are the results of one label given to all samples.
func ConstantResults(classes []ClassCount, label int) ClassResults {
	all := make(ClassResults, len(classes))
	n := 0
	for i, c := range classes {
		all[i].of = c.Count
		n += c.Count
	}
	if k, known := findClass(classes, label); known {
		all[k].right, all[k].given = classes[k].Count, n
	}
	return all
}

// sums are the numbers of right samples and of all.
func (all ClassResults) sums() (right, n int64) {
	for _, k := range all {
		right, n = right+int64(k.right), n+int64(k.of)
	}
	return right, n
}

func (all ClassResults) accuracy() *big.Rat { return big.NewRat(all.sums()) }

// meanOf is the mean of a measure over the classes.
func meanOf(measure func(classResult) (part, whole int)) func(ClassResults) *big.Rat {
	return func(all ClassResults) *big.Rat {
		values := make([]*big.Rat, len(all))
		for i, k := range all {
			part, whole := measure(k)
			values[i] = big.NewRat(int64(part), int64(whole))
		}
		return MeanValue(values)
	}
}

// kappa multiplies both parts of the definition by n²: there are n p samples right,
// and n² e pairs of a true and a given label that are equal.
func (all ClassResults) kappa() *big.Rat {
	right, n := all.sums()
	chance := int64(0)
	for _, k := range all {
		chance += int64(k.of) * int64(k.given)
	}
	if chance == n*n {
		return nil
	}
	return big.NewRat(n*right-chance, n*n-chance)
}
