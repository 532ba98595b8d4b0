package datasets

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// What a Rule may have for Codes and Order, the default first.
var (
	ruleCodes  = []string{"", "appearance", "alphabet"}
	ruleOrders = []string{"", "reversed", "swapped"}
)

// Alternatives returns the natural readings of rule authors for a set, the
// default first: every combination of Codes and Order and, where the entry has
// principal components, of the rows they are fitted on and of their centring.
// A combination that gives the split of one before it is left out. Codes from
// last to first are not among them: that is the vote with ties to the largest
// code. The error is that of a rule that cannot be applied to d.
func (e Entry) Alternatives(d *Data) ([]Rule, error) {
	fits, raws := []string{"all"}, []bool{false}
	if e.PCA > 0 {
		fits, raws = []string{"all", "train"}, []bool{false, true}
	}
	var rules []Rule
	seen := map[string]bool{}
	for _, fit := range fits {
		for _, raw := range raws {
			for _, order := range ruleOrders {
				for _, codes := range ruleCodes {
					r := Rule{Kind: "authors", Codes: codes, Order: order, PCAFit: fit, PCARaw: raw}
					_, digest, err := Divide(e, d, r)
					if err != nil {
						return nil, err
					}
					if !seen[digest] {
						seen[digest] = true
						rules = append(rules, r)
					}
				}
			}
		}
	}
	return rules, nil
}

// order returns the rows of d in the order in which the rule takes them.
func (r Rule) order(d *Data) []int {
	order := make([]int, len(d.Y))
	for i := range order {
		order[i] = i
	}
	switch {
	case r.Order == "reversed":
		slices.Reverse(order)
	case r.Order == "swapped" && len(d.FileRows) > 1:
		slices.Reverse(order)
		rest := order
		for _, n := range slices.Backward(d.FileRows) { // the rows of each file the right way round again
			slices.Reverse(rest[:n])
			rest = rest[n:]
		}
	}
	return order
}

// Labels returns the labels of d in the order of the rule's class codes.
func (r Rule) Labels(d *Data) []string { return r.recode(d).Labels }

// recode returns d with the class codes of the rule.
func (r Rule) recode(d *Data) *Data {
	labels := slices.Clone(d.Labels)
	switch r.Codes {
	case "appearance":
		order := r.order(d)
		first := func(label string) int {
			code := slices.Index(d.Labels, label) + 1
			return slices.IndexFunc(order, func(row int) bool { return d.Y[row] == code })
		}
		slices.SortStableFunc(labels, func(a, b string) int { return cmp.Compare(first(a), first(b)) })
	case "alphabet":
		slices.SortStableFunc(labels, compareLabels)
	default:
		return d
	}
	coded := *d
	coded.Labels, coded.Y = labels, make([]int, len(d.Y))
	for i, code := range d.Y {
		coded.Y[i] = slices.Index(labels, d.Labels[code-1]) + 1
	}
	return &coded
}

// compareLabels orders numbers by size and other texts by their bytes.
func compareLabels(a, b string) int {
	x, notX := strconv.Atoi(a)
	y, notY := strconv.Atoi(b)
	if notX == nil && notY == nil {
		return cmp.Compare(x, y)
	}
	return strings.Compare(a, b)
}
