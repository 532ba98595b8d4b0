package rank

import (
	"fmt"
	"slices"
	"strings"

	"r2lmlbench/results/gate"
	"r2lmlbench/results/store"
)

// GateInputs pairs what each system answered on each split of a data set with what it had
// answered in the kept file, for [gate.New]. Both sides of a pair need the same items; a
// problem of a pair names the items that only one has.
func GateInputs(kept, fresh File) []gate.Input {
	var inputs []gate.Input
	none := &group{}
	for _, b := range kept.groups {
		n := none
		if i := slices.IndexFunc(fresh.groups, b.alike); i >= 0 {
			n = fresh.groups[i]
		}
		inputs = append(inputs, b.against(n)...)
	}
	for _, n := range fresh.groups {
		if !slices.ContainsFunc(kept.groups, n.alike) {
			inputs = append(inputs, (&group{dataset: n.dataset, split: n.split}).against(n)...)
		}
	}
	return inputs
}

// alike tells whether two groups are of the same split.
func (g *group) alike(other *group) bool { return g.dataset == other.dataset && g.split == other.split }

// against pairs the runs of a kept group with those of a fresh one.
func (g *group) against(fresh *group) []gate.Input {
	codes := newCodes(slices.Concat(g.answers, fresh.answers)) // one code for a label on both sides
	var inputs []gate.Input
	for _, by := range union(g.runs, fresh.runs) {
		in := gate.Input{Place: store.AcceptedCell{Place: store.Place{Dataset: g.dataset, Split: g.split, Method: by.system, Seed: by.seed}}}
		before, now := g.said[by], fresh.said[by]
		switch {
		case now == nil:
			in.Cause, in.Problem = gate.Dropped, "it has no answers in the new file"
		case before == nil:
			in.Cause, in.Problem = gate.NotAccepted, "it has no answers in the kept file"
		default:
			if in.Problem = differences(before, now, union(g.items, fresh.items)); in.Problem != "" {
				in.Cause = gate.OtherInputs
				break
			}
			items := slices.DeleteFunc(slices.Clone(g.items), func(item string) bool { _, ok := before[item]; return !ok })
			kept, fresh := g.cell(by, items, codes), fresh.cell(by, items, codes)
			in.Accepted, in.Fresh = &kept, &fresh
		}
		inputs = append(inputs, in)
	}
	return inputs
}

// differences names items that only one side has, or that have another truth.
func differences(before, now map[string]answer, items []string) string {
	var only [3][]string
	for _, item := range items {
		b, kept := before[item]
		n, new := now[item]
		switch {
		case kept && !new:
			only[0] = append(only[0], item)
		case new && !kept:
			only[1] = append(only[1], item)
		case kept && b.truth != n.truth:
			only[2] = append(only[2], item)
		}
	}
	var parts []string
	for i, what := range []string{"only in the kept file", "only in the new file", "with another truth"} {
		if items := only[i]; len(items) > 0 {
			parts = append(parts, fmt.Sprintf("%d items %s, such as %q", len(items), what, items[0]))
		}
	}
	return strings.Join(parts, "; ")
}

// union are the elements of two lists, each once, in order of appearance.
func union[T comparable](a, b []T) []T {
	var all []T
	seen := map[T]bool{}
	for _, x := range slices.Concat(a, b) {
		if !seen[x] {
			all = append(all, x)
		}
		seen[x] = true
	}
	return all
}
