package paper

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"r2lmlbench/experiments/spec"
	"r2lmlbench/internal/text"
	"r2lmlbench/results"
)

// unlike returns why a column is not comparable with the number that is printed for it or its
// method on a data set; "" if it is.
//
// A publication prints one number per data set and column. What it chose on the validation
// samples, such as K and lambda, the grids of the spec that the numbers come from state. A
// column is comparable with the number on a data set if, by the column of that spec,
//
//   - nothing else of it is swept: of values side by side none is the one that was chosen;
//   - its grid searches every parameter that was searched, among the same
//     values: one that is fixed, or chosen from others, gives another number;
//   - the samples that it has without labels are the same;
//   - its k is the same, and it chooses among the settings alike.
//
// Other parameters may differ, since publications leave many of them open.
func unlike(c *spec.Column, printed *spec.Published, dataset string) string {
	of := printed.Column(c)
	origin := spec.Column{}
	if of != nil {
		origin = *of
	}
	switch {
	case c.Scaled() && !origin.Scaled():
		return "scales the features"
	case printed.OtherK(c):
		return "has another k"
	case c.Select != origin.Select:
		return "chooses by " + cmp.Or(c.Select, results.Accuracy)
	case c.Folds > 0 && c.Folds != origin.Folds:
		return "chooses by cross-validation"
	case of != nil && c.Unlabeled != of.Unlabeled:
		return "has other samples without labels"
	}
	chosen := valuesOf(origin.Grid(dataset))
	ours := valuesOf(c.Grid(dataset))
	var swept, fixed, other []string
	known := origin.SweptValues()
	for _, s := range c.Swept {
		if value, ok := known[s.Name]; !ok || value != s.Value {
			swept = append(swept, s.Name)
		}
	}
	names := slices.Sorted(maps.Keys(chosen))
	for _, name := range names {
		switch {
		case slices.Contains(swept, name), maps.Equal(ours[name], chosen[name]):
		case len(ours[name]) == 0:
			fixed = append(fixed, name)
		default:
			other = append(other, name)
		}
	}
	does := text.Join(", ", clause("sweeps", swept), clause("fixes", fixed), clause("searches other values of", other))
	if does == "" || len(names) == 0 {
		return does
	}
	return does + "; the paper chose " + strings.Join(names, " and ") + " on the validation samples"
}

// clause is a verb with its objects, nothing without any.
func clause(verb string, objects []string) string {
	if len(objects) == 0 {
		return ""
	}
	return verb + " " + strings.Join(objects, " and ")
}

// valuesOf are, by name, the values of the parameters of which a grid tries several.
func valuesOf(points []results.Setting) map[string]map[any]bool {
	all := map[string]map[any]bool{}
	for _, p := range points {
		for name, v := range p.Params {
			if all[name] == nil {
				all[name] = map[any]bool{}
			}
			all[name][v] = true
		}
	}
	maps.DeleteFunc(all, func(_ string, values map[any]bool) bool { return len(values) < 2 })
	return all
}

// An Excluded is a column of a method with published numbers that is not comparable
// with any: its settings are not those of the publication.
type Excluded struct {
	Method  string   `json:"method"`  // id of the column
	Letters []string `json:"letters"` // rows of the table that the spec has
	Reason  string   `json:"reason"`  // what the column does instead: "fixes metrics; ..."
}
