package verdict

import (
	"maps"
	"slices"
	"strings"

	"r2lmlbench/experiments/plan"
	"r2lmlbench/experiments/spec"
	"r2lmlbench/results"
)

// paperColumn is the column of a method in the spec of the paper's table, nil without one.
func paperColumn(paper *spec.Spec, method string) *spec.Column {
	i := slices.IndexFunc(paper.Columns, func(c spec.Column) bool { return c.Method.ID == method })
	if i < 0 {
		return nil
	}
	return &paper.Columns[i]
}

// unlike says why a column is not comparable with the number that is printed for its
// method on a data set, by the column of the paper's table, nil if there is none; nothing
// when it is comparable.
//
// The paper prints one number per data set and method. What it chose on the
// validation samples, such as K and lambda, the grids of the spec accuracy state.
// A column is comparable with the number on a data set if
//
//   - nothing of it is swept: of values side by side none is the one that was chosen;
//   - its grid searches every parameter that the paper searched, among the same
//     values: one that is fixed, or chosen from others, gives another number;
//   - the samples that it has without labels are those of the paper's column;
//   - its k is that of the paper, and accuracy chooses among the settings.
//
// Other parameters may differ, since the paper leaves many of them open.
func unlike(c, paper *spec.Column, dataset string) string {
	if c.Scaled() {
		return "scales the features"
	}
	if !c.HasNeighbors(plan.PaperNeighbors) {
		return "has another k"
	}
	if c.Select != "" {
		return "chooses by " + c.Select
	}
	if c.Folds > 0 {
		return "chooses by cross-validation"
	}
	var chosen values
	if paper != nil {
		if c.Unlabeled != paper.Unlabeled {
			return "has other samples without labels"
		}
		chosen = valuesOf(paper.Points(dataset))
	}
	ours := valuesOf(c.Points(dataset))
	var swept, fixed, other []string
	for _, s := range c.Swept {
		swept = append(swept, s.Name)
	}
	names := slices.Sorted(maps.Keys(chosen))
	for _, name := range names {
		switch {
		case slices.Contains(swept, name), ours.same(chosen, name):
		case len(ours[name]) == 0:
			fixed = append(fixed, name)
		default:
			other = append(other, name)
		}
	}
	does := join(", ", clause("sweeps", swept), clause("fixes", fixed), clause("searches other values of", other))
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

// join joins the parts that are not empty.
func join(separator string, parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(p string) bool { return p == "" }), separator)
}

// values lists, by name, what the points of a grid have for a parameter.
type values map[string][]any

// valuesOf lists the values of the parameters of which a grid tries several.
func valuesOf(points []results.Point) values {
	all := values{}
	for _, p := range points {
		for name, v := range p.Params {
			if !slices.Contains(all[name], v) {
				all[name] = append(all[name], v)
			}
		}
	}
	maps.DeleteFunc(all, func(_ string, list []any) bool { return len(list) < 2 })
	return all
}

// same tells whether two grids try the same values of a parameter, in any order.
func (v values) same(other values, name string) bool {
	return len(v[name]) == len(other[name]) && !slices.ContainsFunc(v[name], func(x any) bool { return !slices.Contains(other[name], x) })
}

// excluded collects the columns that are not comparable, each with its rows.
type excluded []Excluded

func (l *excluded) add(column, letter, reason string) {
	at := slices.IndexFunc(*l, func(one Excluded) bool { return one.Method == column && one.Reason == reason })
	if at < 0 {
		at = len(*l)
		*l = append(*l, Excluded{Method: column, Reason: reason})
	}
	(*l)[at].Letters = append((*l)[at].Letters, letter)
}
