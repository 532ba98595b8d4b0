package rank

import (
	"cmp"
	"fmt"
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
	codes := numbered(union(kept.labels.texts, fresh.labels.texts)) // one code for a label on both sides
	for _, at := range union(kept.places, fresh.places) {
		before, now := cmp.Or(kept.groups[at], &group{}), cmp.Or(fresh.groups[at], &group{})
		items := union(before.items.texts, now.items.texts)
		for _, by := range union(before.runs, now.runs) {
			in := gate.Input{Key: store.AcceptedCell{Key: by}}
			switch differ := differences(kept, fresh, by, items); {
			case now.said[by] == nil:
				in.Cause, in.Problem = gate.Dropped, "it has no answers in the new file"
			case before.said[by] == nil:
				in.Cause, in.Problem = gate.NotAccepted, "it has no answers in the kept file"
			case differ != "":
				in.Cause, in.Problem = gate.OtherInputs, differ
			default:
				was, is := kept.cell(by, items, codes), fresh.cell(by, items, codes)
				in.Accepted, in.Fresh = &was, &is
			}
			inputs = append(inputs, in)
		}
	}
	return inputs
}

// differences counts the items that are not on both sides of a run, or that have another
// truth, and names one.
func differences(kept, fresh File, by store.Key, items []string) string {
	var all []string
	before, now := kept.answersOf(by), fresh.answersOf(by)
	for _, item := range items {
		_, was := before(item)
		_, is := now(item)
		switch {
		case was == is:
		case is == "":
			all = append(all, fmt.Sprintf("%q: only the kept file has it", item))
		case was == "":
			all = append(all, fmt.Sprintf("%q: only the new file has it", item))
		default:
			all = append(all, fmt.Sprintf("%q: its truth was %q and is %q", item, was, is))
		}
	}
	if len(all) == 0 {
		return ""
	}
	return fmt.Sprintf("%s not the same in both files, such as %s", text.Counted(len(all), "item"), all[0])
}

// union are the elements of two lists, each once, in order of appearance.
func union[T comparable](a, b []T) []T {
	seen := map[T]bool{}
	return slices.DeleteFunc(slices.Concat(a, b), func(x T) bool { twice := seen[x]; seen[x] = true; return twice })
}
