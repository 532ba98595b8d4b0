package datasets

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"r2lmlbench/internal/fixture"
)

// inFolds gives the rows of mixed data their values of the column.
func inFolds(d *Data, folds ...string) (*Data, Entry) {
	d.Folds = folds
	return d, entryOf(d)
}

func TestNamedParts(t *testing.T) {
	// Class 1 has the rows 0, 2, 4, class 2 the rows 1, 3, 5, 6.
	d, e := inFolds(mixed(3, 4), "Train", "test", "val", "training", "test", "train", "test")
	rule := fixture.Must(Rule{Kind: "fold"}.settle())(t)
	got := fixture.Must(rule.rows(Sizes{}, d))(t)
	fixture.Same(t, "rows", got, [3][]int{{0, 3, 5}, {2}, {4, 1, 6}})
	if sizes, err := rule.PartSizes(e); sizes != sizeOf(got) || err != nil || e.Folds() != 1 {
		t.Errorf("sizes %v of %d splits: %v", sizes, e.Folds(), err)
	}
}

// Every row tests in the fold that the column gives it, and the validation rows come
// from the folds that follow.
func TestColumnFolds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 12).Draw(t, "folds")
		d := mixed(rapid.SliceOfN(rapid.IntRange(3*n, 40), 1, 4).Draw(t, "rows per class")...)
		names := make([]string, len(d.Y))
		for i := range names {
			names[i] = fmt.Sprint(i%n + 1) // of each class, too, as there are more rows than classes times folds
			if d.Y[i] == 1 && i > n {
				names[i] = fmt.Sprint(rapid.IntRange(1, n).Draw(t, "fold"))
			}
		}
		d, e := inFolds(d, names...)
		fixture.Equal(t, "folds", e.Folds(), n)
		for fold := 1; fold <= n; fold++ {
			rule := Rule{Kind: "fold", Folds: n, Fold: fold, Validation: Amount(rapid.SampledFrom([]float64{0, 0.2, 1}).Draw(t, "validation"))}
			got, err := rule.rows(Sizes{}, d)
			if err != nil {
				t.Skip("a class lies in one fold")
			}
			checkParts(t, rule, d, got)
			for p, rows := range got {
				for _, row := range rows {
					if (names[row] == fmt.Sprint(fold)) != (p == 2) {
						t.Errorf("row %d of fold %s is in part %d of fold %d", row, names[row], p, fold)
					}
				}
			}
			if (len(got[1]) > 0) != (rule.Validation > 0) {
				t.Errorf("%d rows validate, %v are wanted", len(got[1]), rule.Validation)
			}
		}
	})
}

// Folds are ordered by number, so that fold 10 comes after fold 9.
func TestFoldOrder(t *testing.T) {
	_, e := inFolds(mixed(4), "10", "9", "1", "9")
	fixture.Same(t, "folds", e.FoldSizes, []FoldSize{{"1", []int{1}}, {"9", []int{2}}, {"10", []int{1}}})
}

func TestColumnErrors(t *testing.T) {
	for _, c := range []struct{ folds, want string }{
		{"", "the data have no column of folds"},
		{"train test train holdout", `the column of folds has "holdout" beside the name of a part`},
		{"a a a a", `the column of folds has "a" alone`},
		{"1 2 - 1", "a row has nothing in the column of folds"},
		{"train train train train", "no row tests"},
		{"train test train test", `class "2": no row trains`},
		{"a b a b", `class "1": fold 1 leaves 0 rows, not enough to train on and 0 to validate`},
	} {
		var folds []string
		for _, f := range strings.Fields(c.folds) {
			folds = append(folds, strings.Trim(f, "-"))
		}
		d, e := inFolds(mixed(2, 2), folds...)
		rule := Rule{Kind: "fold"}
		if n := e.Folds(); n > 1 {
			rule.Folds, rule.Fold = n, 1
		}
		fixture.Says(t, fixture.Error(rule.rows(Sizes{}, d)), c.want)
		fixture.Says(t, fixture.Error(rule.PartSizes(e)), c.want)
	}
	d, _ := inFolds(mixed(3, 3), "a", "a", "b", "b", "c", "c")
	fixture.Says(t, fixture.Error((Rule{Kind: "fold", Folds: 2, Fold: 1}).rows(Sizes{}, d)), "the column has 3 folds")
}
