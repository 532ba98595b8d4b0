package rank

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"r2lmlbench/internal/text"
	"r2lmlbench/results/gate"
	"r2lmlbench/results/store"
)

// GateInputs pairs what each system answered on each split of a data set with what it had
// answered in the kept file, for [gate.New]. Both sides of a pair need the same items; a
// problem of a pair names the items that only one has.
func GateInputs(kept, fresh File) []gate.Input {
	var inputs []gate.Input
	for _, at := range union(kept.places, fresh.places) {
		before, now := cmp.Or(kept.groups[at], &group{}), cmp.Or(fresh.groups[at], &group{})
		items := union(before.items, now.items)
		labels := map[string]bool{}
		maps.Copy(labels, before.labels)
		maps.Copy(labels, now.labels)
		codes := numbered(labels) // one code for a label on both sides
		for _, by := range union(before.runs, now.runs) {
			in := gate.Input{Place: store.AcceptedCell{Place: by}}
			differ := differences(before.said[by], now.said[by], items)
			switch {
			case now.said[by] == nil:
				in.Cause, in.Problem = gate.Dropped, "it has no answers in the new file"
			case before.said[by] == nil:
				in.Cause, in.Problem = gate.NotAccepted, "it has no answers in the kept file"
			case differ != "":
				in.Cause, in.Problem = gate.OtherInputs, differ
			default:
				accepted, fresh := before.cell(by, items, codes), now.cell(by, items, codes)
				in.Accepted, in.Fresh = &accepted, &fresh
			}
			inputs = append(inputs, in)
		}
	}
	return inputs
}

// differences counts the items that are not on both sides, or that have another truth, and
// names one; a truth is empty where there is no answer.
func differences(before, now map[string]answer, items []string) string {
	differ := slices.DeleteFunc(slices.Clone(items), func(item string) bool { return before[item].truth == now[item].truth })
	if len(differ) == 0 {
		return ""
	}
	first := differ[0]
	was, is := before[first].truth, now[first].truth
	how := fmt.Sprintf("its truth was %q and is %q", was, is)
	switch {
	case is == "":
		how = "only the kept file has it"
	case was == "":
		how = "only the new file has it"
	}
	return fmt.Sprintf("%s not the same in both files, such as %q: %s", text.Counted(len(differ), "item"), first, how)
}

// union are the elements of two lists, each once, in order of appearance.
func union[T comparable](a, b []T) []T {
	var all []T
	seen := map[T]bool{}
	for _, x := range slices.Concat(a, b) {
		if !seen[x] {
			all, seen[x] = append(all, x), true
		}
	}
	return all
}
