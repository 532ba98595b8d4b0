package datasets

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"r2lmlbench/internal/fixture"
)

// mixed returns data without features whose classes 1 and 2 alternate, with
// further rows of class 2 at the end.
func mixed(rows ...int) *Data {
	d := &Data{Labels: counted(len(rows))}
	for left := slices.Clone(rows); slices.Max(left) > 0; {
		for c := range left {
			if left[c] > 0 {
				left[c]--
				d.Y = append(d.Y, c+1)
			}
		}
	}
	return d
}

func TestAuthorsRows(t *testing.T) {
	for _, c := range []struct {
		name  string
		sizes Sizes
		want  [3][]int
	}{
		// Class 1 has the rows 0, 2, 4, 6, class 2 the rows 1, 3, 5, 7, 8, 9.
		{"the rest tests", Sizes{Train: 1, Validation: 2}, [3][]int{{0, 1}, {2, 4, 3, 5}, {6, 7, 8, 9}}},
		{"some rows test", Sizes{Train: 1, Validation: 1, Test: 1}, [3][]int{{0, 1}, {2, 3}, {4, 5}}},
		{"capped over the classes", Sizes{Train: 1, Validation: 1, TestTotal: 3}, [3][]int{{0, 1}, {2, 3}, {4, 6, 5}}},
		{"capped within the first class", Sizes{Train: 1, Validation: 1, TestTotal: 1}, [3][]int{{0, 1}, {2, 3}, {4}}},
		{"training rows in two runs", Sizes{Train: 2, Head: 1, Validation: 1}, [3][]int{{0, 4, 1, 5}, {2, 3}, {6, 7, 8, 9}}},
		{"no validation", Sizes{Train: 3}, [3][]int{{0, 2, 4, 1, 3, 5}, nil, {6, 7, 8, 9}}},
	} {
		fixture.Same(t, c.name, fixture.Must(Rule{}.rows(c.sizes, mixed(4, 6)))(t), c.want)
	}
}

func TestRandomRows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := mixed(rapid.SliceOfN(rapid.IntRange(6, 40), 2, 4).Draw(t, "rows per class")...)
		sizes := Sizes{
			Train:      rapid.IntRange(1, 3).Draw(t, "train"),
			Validation: rapid.IntRange(0, 2).Draw(t, "validation"),
			Test:       rapid.IntRange(0, 1).Draw(t, "test"),
			TestTotal:  rapid.SampledFrom([]int{0, 1, 5, 1000}).Draw(t, "cap"),
		}
		rule := Rule{Kind: "random", Seed: rapid.Uint64().Draw(t, "seed"), Repeat: rapid.IntRange(0, 9).Draw(t, "repeat")}
		got := fixture.Must(rule.rows(sizes, d))(t)
		again, _ := rule.rows(sizes, d)
		fixture.Same(t, "drawn twice", again, got)
		authors, _ := Rule{}.rows(sizes, d)
		seen := map[int]bool{}
		for p := range got {
			fixture.Same(t, "rows of the classes", counts(d, got[p]), counts(d, authors[p]))
			for _, row := range got[p] {
				if seen[row] {
					t.Errorf("row %d is used twice", row)
				}
				seen[row] = true
			}
			checkOrder(t, d, got[p])
		}
	})
}

func TestRuleErrors(t *testing.T) {
	for _, c := range []struct {
		rule Rule
		want string
	}{
		{Rule{Kind: "rondom"}, `unknown split rule "rondom", want authors, random, first, cv, fold, files or openml`},
		{Rule{PCAFit: "test"}, `unknown rows "test" to fit the principal components on, want all or train`},
		{Rule{Kind: "random", Repeat: -1}, "repeat -1 is negative"},
	} {
		fixture.Says(t, fixture.Error(c.rule.settle()), c.want)
	}
	for _, s := range []Sizes{{Train: 3, Validation: 1}, {Train: 1, Validation: 1, Test: 3}, {}} {
		fixture.Says(t, fixture.Error((Rule{}).rows(s, mixed(4, 6))), `class "1": 4 rows`)
	}
}

func TestAmountOf(t *testing.T) {
	for _, c := range []struct {
		amount Amount
		n      int
		want   int
	}{
		{0, 50, 0}, {1, 50, 1}, {20, 50, 20}, {0.3, 50, 15},
		{0.5, 3, 2}, {0.1, 5, 1}, // halves upwards
		{0.29, 50, 15}, // 14.5, although 0.29*50 is 14.499999999999998
		{1e-12, 50, 0}, {0.999, 1e6, 999000},
	} {
		fixture.Equal(t, fmt.Sprintf("%v of %d", c.amount, c.n), c.amount.of(c.n), c.want)
	}
}

// With the sizes of a set, rule first is the rule of the paper's authors, and rule
// random draws what it draws without sizes.
func TestSizesOfTheEntry(t *testing.T) {
	d := mixed(30, 25, 40)
	sizes := Sizes{Train: 4, Validation: 5}
	for _, kind := range []string{"authors", "random"} {
		want := fixture.Must(Rule{Kind: kind, Seed: 3, Repeat: 2}.rows(sizes, d))(t)
		sized := strings.Replace(kind, "authors", "first", 1)
		got := fixture.Must(Rule{Kind: sized, Seed: 3, Repeat: 2, Train: 4, Validation: 5}.rows(Sizes{}, d))(t)
		fixture.Same(t, sized, got, want)
	}
}

// A change of these rows changes the cells of every split that is drawn.
func TestDrawnRowsStayTheSame(t *testing.T) {
	for _, c := range []struct {
		rule  Rule
		sizes Sizes
		want  [3][]int
	}{
		{Rule{Kind: "random", Seed: 1, Repeat: 2}, Sizes{Train: 2, Validation: 1}, [3][]int{{2, 8, 5, 9}, {4, 7}, {0, 6, 1, 3, 10}}},
		{Rule{Kind: "random", Train: 0.4, Validation: 0.2, Seed: 1, Repeat: 2}, Sizes{}, [3][]int{{2, 8, 5, 9}, {4, 7, 10}, {0, 6, 1, 3}}},
		{Rule{Kind: "cv", Folds: 3, Fold: 2, Validation: 0.25, Seed: 1, Repeat: 2}, Sizes{}, [3][]int{{0, 2, 1, 5, 10}, {4, 9}, {6, 8, 3, 7}}},
	} {
		rule := fixture.Must(c.rule.settle())(t)
		got := fixture.Must(rule.rows(c.sizes, mixed(5, 6)))(t)
		fixture.Same(t, fmt.Sprint(c.rule), got, c.want)
	}
}

// checkParts: the parts are disjoint, hold every row, and each keeps the classes in
// order and the rows of a class in file order. Their sizes are known from the entry.
func checkParts(t *rapid.T, rule Rule, d *Data, parts [3][]int) {
	fixture.Equal(t, "sizes by the entry", fixture.Must(rule.PartSizes(entryOf(d)))(t), sizeOf(parts))
	var all, want []int
	for _, rows := range parts {
		all = append(all, rows...)
		checkOrder(t, d, rows)
	}
	for row := range d.Y {
		want = append(want, row)
	}
	slices.Sort(all)
	fixture.EqualSlice(t, "rows that are divided", all, want)
}

// checkOrder: classes are in order, and the rows of each.
func checkOrder(t *rapid.T, d *Data, rows []int) {
	if !slices.IsSortedFunc(rows, func(a, b int) int { return (d.Y[a]-d.Y[b])*len(d.Y) + a - b }) {
		t.Errorf("a part is not in order: %v", rows)
	}
}

// entryOf is what the catalogue would know of data.
func entryOf(d *Data) DataSet {
	return DataSet{ID: "toy", Labels: d.Labels, Histogram: d.Histogram(), FoldSizes: d.foldSizes()}
}

// counts are the rows of a part by class.
func counts(d *Data, rows []int) []int {
	n := make([]int, len(d.Labels))
	for _, row := range rows {
		n[d.Y[row]-1]++
	}
	return n
}

func sizeOf(parts [3][]int) [3]int { return [3]int{len(parts[0]), len(parts[1]), len(parts[2])} }

func TestSizedRows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := mixed(rapid.SliceOfN(rapid.IntRange(3, 60), 2, 5).Draw(t, "rows per class")...)
		train := rapid.Float64Range(0.01, 0.97).Draw(t, "train")
		rule := Rule{
			Kind: rapid.SampledFrom([]string{"random", "first"}).Draw(t, "rule"), Train: Amount(train),
			Validation: Amount(rapid.Float64Range(0, 0.98-train).Draw(t, "validation")), Seed: rapid.Uint64().Draw(t, "seed"), Repeat: 1,
		}
		rule = fixture.Must(rule.settle())(t)
		got := fixture.Must(rule.rows(Sizes{}, d))(t)
		checkParts(t, rule, d, got)
		for c, n := range d.Histogram() {
			trained, tested := counts(d, got[0])[c], counts(d, got[2])[c]
			room := n - 1 // each other part has a row
			if rule.Validation > 0 {
				room--
			}
			fixture.Near(t, "rows that train", float64(trained), min(max(train*float64(n), 1), float64(room)), 0.5+1e-6)
			if rest := n - trained - tested; trained < 1 || tested < 1 || rest < 0 || (rest == 0) != (rule.Validation == 0) {
				t.Errorf("class %d of %d rows: %d train, %d validate, %d test", c+1, n, trained, rest, tested)
			}
		}
		again, _ := rule.rows(Sizes{}, d)
		fixture.Same(t, "drawn twice", again, got)
	})
}

// Every row tests in one fold of a repeat. The folds differ by one row at most, in
// every class and in all.
func TestFolds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		folds := rapid.IntRange(2, 8).Draw(t, "folds")
		d := mixed(rapid.SliceOfN(rapid.IntRange(max(folds, 4), 50), 1, 5).Draw(t, "rows per class")...)
		validation := Amount(rapid.SampledFrom([]float64{0, 0.2, 0.5, 1}).Draw(t, "validation"))
		seed, repeat := rapid.Uint64().Draw(t, "seed"), rapid.IntRange(0, 5).Draw(t, "repeat")
		tested := make([]int, len(d.Y))
		var sizes [][]int
		for fold := 1; fold <= folds; fold++ {
			rule := fixture.Must(Rule{Kind: "cv", Folds: folds, Fold: fold, Validation: validation, Seed: seed, Repeat: repeat}.settle())(t)
			got := fixture.Must(rule.rows(Sizes{}, d))(t)
			checkParts(t, rule, d, got)
			for _, row := range got[2] {
				tested[row]++
			}
			sizes = append(sizes, append(counts(d, got[2]), len(got[2])))
			for c, n := range counts(d, got[1]) {
				left := d.Histogram()[c] - counts(d, got[2])[c]
				if want := min(max(validation.of(left), 1), left-1); validation > 0 && n != want || validation == 0 && n != 0 {
					t.Errorf("class %d: %d of %d rows outside fold %d validate, %v are wanted", c+1, n, left, fold, validation)
				}
			}
		}
		fixture.EqualSlice(t, "times that each row tests", tested, slices.Repeat([]int{1}, len(d.Y)))
		for c := range sizes[0] {
			byClass := func(a, b []int) int { return a[c] - b[c] }
			if most, fewest := slices.MaxFunc(sizes, byClass), slices.MinFunc(sizes, byClass); most[c]-fewest[c] > 1 {
				t.Errorf("folds with %v and with %v rows, by class and in all", fewest, most)
			}
		}
	})
}

// The validation part of a fold comes from the folds that follow, so that it is not
// the same rows again and again.
func TestValidationRotates(t *testing.T) {
	d := mixed(20, 20)
	validated := map[int]int{}
	for fold := 1; fold <= 5; fold++ {
		rows := fixture.Must(Rule{Kind: "cv", Folds: 5, Fold: fold, Validation: 0.25, Seed: 1}.rows(Sizes{}, d))(t)
		for _, row := range rows[1] {
			validated[row]++
		}
	}
	fixture.Equal(t, "of 40 rows, those that validate in some fold", len(validated), 40)
}

func TestSizeErrors(t *testing.T) {
	for _, c := range []struct {
		rule Rule
		want string
	}{
		{Rule{Kind: "first"}, "rule first needs the rows of each class that train"},
		{Rule{Kind: "first", Train: 1.5}, "train: 1.5 is no share"},
		{Rule{Kind: "random", Train: -0.5}, "train: -0.5 is no share"},
		{Rule{Kind: "random", Train: 3, Validation: 2.5}, "validation: 2.5 is no share"},
		{Rule{Kind: "random", Train: 0.7, Validation: 0.3}, "train: 0.7 and validation: 0.3 leave nothing to test"},
		{Rule{Kind: "random", Validation: 0.3}, "validation needs train beside it"},
		{Rule{Kind: "authors", Train: 3}, "rule authors has the sizes of the paper"},
		{Rule{Kind: "random", Folds: 3}, "rule random has no folds"},
		{Rule{Kind: "cv", Folds: 1, Fold: 1}, "folds is 1, want at least 2"},
		{Rule{Kind: "cv", Folds: 3, Fold: 4}, "fold 4, want one from 1 to 3"},
		{Rule{Kind: "cv", Folds: 3}, "fold 0, want one from 1 to 3"},
		{Rule{Kind: "cv", Folds: 3, Fold: 1, Train: 0.5}, "rule cv trains on all rows outside"},
		{Rule{Kind: "random", Train: 0.5, Validation: 0.2}, `class "2": 2 rows for the 3 parts`},
		{Rule{Kind: "random", Train: 0.5}, ""}, // two parts of two rows
		{Rule{Kind: "first", Train: 2}, `class "2": 2 rows, 2 are wanted to train, 0 to validate and at least 1 to test`},
		{Rule{Kind: "first", Train: 1, Validation: 1}, `class "2": 2 rows for the 3 parts`},
		{Rule{Kind: "cv", Folds: 3, Fold: 1}, `class "2": 2 rows for 3 folds`},
		{Rule{Kind: "cv", Folds: 2, Fold: 1, Validation: 0.2}, `class "2": fold 1 leaves 1 row, not enough to train on and 0.2 to validate`},
		{Rule{Kind: "cv", Folds: 2, Fold: 2}, ""},
	} {
		_, err := c.rule.PartSizes(DataSet{Labels: []string{"1", "2"}, Histogram: []int{9, 2}})
		if c.want != "" {
			fixture.Says(t, err, c.want)
		} else if err != nil {
			t.Errorf("%v: %v", c.rule, err)
		}
	}
}

// The training rows that max-train keeps are drawn, also where the rule takes rows in the
// order of the file.
func TestMaxTrainDraws(t *testing.T) {
	d := mixed(60, 30, 12, 3)
	e := DataSet{Labels: d.Labels, Histogram: []int{60, 30, 12, 3}, Sizes: Sizes{Train: 1, Validation: 1}}
	rule := Rule{Kind: "first", Train: 0.6, Validation: 0.2}
	whole, _, err := Divide(e, d, rule)
	fixture.Check(t, err)
	rule.MaxTrain = 20
	rows, _, err := Divide(e, d, rule)
	fixture.Check(t, err)
	fixture.Equal(t, "rows of the largest class that are kept", counts(d, rows[0])[0], 11)
	if first := whole[0][:11]; slices.Equal(rows[0][:11], first) {
		t.Errorf("the first rows are kept: %v", first)
	}
}

// The mean and the median of values with the other sign are those with the other sign.
func TestCenterIsOdd(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		values := rapid.SliceOfN(rapid.Float64Range(-1e3, 1e3), 1, 12).Draw(rt, "values")
		turned := make([]float64, len(values))
		for i, v := range values {
			turned[i] = -v
		}
		for _, rule := range []string{"mean", "median"} {
			got := center(slices.Clone(values), rule)
			fixture.Near(rt, rule, center(turned, rule), -got, 1e-12)
			if got < slices.Min(values)-1e-9 || got > slices.Max(values)+1e-9 {
				rt.Errorf("%s %g is outside the values %v", rule, got, values)
			}
		}
	})
}

// TestMaxTrain: under every rule the training rows that remain are some of those without
// max-train, as many as it says, in the same order and with the classes' shares; the other
// parts stay, the same rule draws the same rows, and PartSizes knows their number.
func TestMaxTrain(t *testing.T) {
	d := mixed(60, 30, 12, 3)
	e := DataSet{Labels: d.Labels, Histogram: []int{60, 30, 12, 3}, Sizes: Sizes{Train: 1, Validation: 1}}
	for _, rule := range []Rule{
		{Kind: "random", Train: 0.6, Validation: 0.2, Seed: 1, Repeat: 2},
		{Kind: "first", Train: 0.6, Validation: 0.2},
		{Kind: "cv", Folds: 3, Fold: 2, Validation: 0.2, Seed: 1, Repeat: 1},
	} {
		whole, _, err := Divide(e, d, rule)
		fixture.Check(t, err)
		rule.MaxTrain = 20
		rows, digest, err := Divide(e, d, rule)
		fixture.Check(t, err)
		fixture.Same(t, "other parts", [2][]int{rows[1], rows[2]}, [2][]int{whole[1], whole[2]})
		some := slices.DeleteFunc(slices.Clone(whole[0]), func(row int) bool { return !slices.Contains(rows[0], row) })
		fixture.EqualSlice(t, "training rows in their order", rows[0], some)
		fixture.EqualSlice(t, "rows of the classes", counts(d, rows[0]), []int{11, 6, 2, 1})
		_, again, err := Divide(e, d, rule)
		fixture.Check(t, err)
		fixture.Equal(t, "digest of a second draw", again, digest)
		fixture.Equal(t, "sizes", fixture.Must(rule.PartSizes(e))(t), [3]int{20, len(whole[1]), len(whole[2])})
		_, fewest, _ := rule.FewestTraining(e)
		fixture.Equal(t, "training rows of the smallest class", fewest, 1)
		alike := e
		alike.Histogram = []int{60, 12, 30, 12}
		first, _, _ := rule.FewestTraining(alike)
		fixture.Equal(t, "the first of two smallest classes", first, e.Labels[1])
		rule.MaxTrain = 3
		_, _, err = Divide(e, d, rule)
		fixture.Says(t, err, "max-train is 3, and each of 4 classes needs a row")
	}
}
