package datasets

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"r2lmlbench/internal/fixture"
)

// grouping draws data of groups: rows of one class a group, or of several.
func grouping(t *rapid.T) *Data {
	classes, groups := rapid.IntRange(2, 4).Draw(t, "classes"), rapid.IntRange(20, 60).Draw(t, "groups")
	pure := rapid.Bool().Draw(t, "pure")
	d := &Data{}
	for c := range classes {
		d.Labels = append(d.Labels, fmt.Sprint("c", c))
	}
	for g := range groups {
		for i := range rapid.IntRange(1, 12).Draw(t, "rows") {
			class := 1 + g%classes
			if i > 0 && !pure {
				class = rapid.IntRange(1, classes).Draw(t, "class")
			}
			d.Y, d.Groups = append(d.Y, class), append(d.Groups, fmt.Sprint("g", g))
		}
	}
	return d
}

func groupedRule(t *rapid.T) Rule {
	r := Rule{Seed: rapid.Uint64Range(0, 9).Draw(t, "seed"), Repeat: rapid.IntRange(0, 3).Draw(t, "repeat")}
	if rapid.Bool().Draw(t, "random") {
		r.Kind, r.Train, r.Validation = "random", 0.5, Amount(rapid.SampledFrom([]float64{0, 0.2}).Draw(t, "validation"))
	} else {
		r.Kind, r.Folds, r.Validation = "cv", rapid.IntRange(2, 5).Draw(t, "folds"), 0.25
		r.Fold = rapid.IntRange(1, r.Folds).Draw(t, "fold")
	}
	if rapid.Bool().Draw(t, "limited") {
		r.MaxTrain = 20
	}
	return r
}

// Every row is in one part and every group in one, the same every time; the sizes are those that
// PartSizes tells without the rows.
func TestGroupsStayTogether(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d, r := grouping(t), groupedRule(t)
		parts, digest, err := Divide(DataSet{ID: "own"}, d, r)
		fixture.Check(t, err)
		again, other, _ := Divide(DataSet{ID: "own"}, d, r)
		fixture.Equal(t, "split", fmt.Sprint(again), fmt.Sprint(parts))
		fixture.Equal(t, "digest", other, digest)
		partOf, seen := map[string]int{}, map[int]bool{}
		for p, rows := range parts {
			for _, row := range rows {
				if in, known := partOf[d.Groups[row]]; known && in != p || seen[row] {
					t.Fatalf("row %d of %s is in part %d, others are in %d", row, d.Groups[row], p, in)
				}
				partOf[d.Groups[row]], seen[row] = p, true
			}
		}
		if r.MaxTrain == 0 {
			fixture.Equal(t, "rows", len(seen), len(d.Y))
		}
		e := DataSet{Labels: d.Labels, Histogram: d.Histogram(), GroupSizes: groupSizes(d.Groups, d.Y)}
		sizes, err := r.PartSizes(e)
		fixture.Check(t, err)
		fixture.Equal(t, "sizes", sizes, [3]int{len(parts[0]), len(parts[1]), len(parts[2])})
	})
}

// Over its folds rule cv tests every row once.
func TestGroupedFoldsTestAll(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := grouping(t)
		var tested []int
		for fold := range 4 {
			parts, _, err := Divide(DataSet{}, d, Rule{Kind: "cv", Folds: 4, Fold: fold + 1, Validation: 0.2})
			fixture.Check(t, err)
			tested = append(tested, parts[2]...)
		}
		slices.Sort(tested)
		for i, row := range tested {
			fixture.Equal(t, "row", row, i)
		}
		fixture.Equal(t, "rows", len(tested), len(d.Y))
	})
}

// stratifiedGroupKFold is the algorithm of scikit-learn 1.5's StratifiedGroupKFold without
// shuffling, written anew: groups by descending standard deviation of their class counts, each to the fold
// that makes the mean over classes of the standard deviation of the shares of a class least, of
// equals to the fold with the fewest rows.
func stratifiedGroupKFold(groups []GroupSize, classes, folds int) []int {
	counts, totals := make([][]float64, len(groups)), make([]float64, classes)
	for g, of := range groups {
		counts[g] = make([]float64, classes)
		for k, class := range of.Classes {
			counts[g][class-1] = float64(of.Rows[k])
			totals[class-1] += float64(of.Rows[k])
		}
	}
	order := make([]int, len(groups))
	for g := range order {
		order[g] = g
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Compare(deviation(counts[b]), deviation(counts[a]))
	})
	held, part := make([][]float64, folds), make([]int, len(groups))
	for f := range held {
		held[f] = make([]float64, classes)
	}
	for _, g := range order {
		best, least, rows := -1, math.Inf(1), math.Inf(1)
		for f := range folds {
			sum, n := 0.0, 0.0
			for c := range classes {
				var shares []float64
				for h := range folds {
					x := held[h][c]
					if h == f {
						x += counts[g][c]
					}
					shares = append(shares, x/totals[c])
				}
				sum += deviation(shares) / float64(classes)
				n += held[f][c]
			}
			if sum < least-1e-12 || math.Abs(sum-least) <= 1e-12 && n < rows {
				best, least, rows = f, sum, n
			}
		}
		part[g] = best
		for c, n := range counts[g] {
			held[best][c] += n
		}
	}
	return part
}

func deviation(x []float64) float64 {
	mean, sum := 0.0, 0.0
	for _, v := range x {
		mean += v / float64(len(x))
	}
	for _, v := range x {
		sum += (v - mean) * (v - mean) / float64(len(x))
	}
	return math.Sqrt(sum)
}

// unevenness is the mean over the classes of the standard deviation of their shares of the folds.
func unevenness(groups []GroupSize, part []int, classes, folds int) (sum float64) {
	for c := range classes {
		shares, total := make([]float64, folds), 0.0
		for g, of := range groups {
			if k, has := slices.BinarySearch(of.Classes, c+1); has {
				shares[part[g]] += float64(of.Rows[k])
				total += float64(of.Rows[k])
			}
		}
		for f := range shares {
			shares[f] /= total
		}
		sum += deviation(shares) / float64(classes)
	}
	return sum
}

// Folds of whole groups are as even as those of StratifiedGroupKFold.
func TestGroupedFoldsAreStratified(t *testing.T) {
	var ours, theirs float64
	drawn := rapid.Custom(grouping)
	for seed := range 200 { // the same data every time: of few, either may be the more even
		d, folds := drawn.Example(seed), 2+seed%4
		groups := groupSizes(d.Groups, d.Y)
		part := deal(groups, equalShares(folds), rand.New(rand.NewPCG(uint64(seed), 1)))
		ours += unevenness(groups, part, len(d.Labels), folds)
		theirs += unevenness(groups, stratifiedGroupKFold(groups, len(d.Labels), folds), len(d.Labels), folds)
	}
	t.Logf("unevenness over all data: %.3f, of StratifiedGroupKFold %.3f", ours, theirs)
	if ours > theirs {
		t.Errorf("folds are less even than those of StratifiedGroupKFold: %.3f > %.3f", ours, theirs)
	}
}

// The validation and test parts have their shares, and repeats differ.
func TestGroupedShares(t *testing.T) {
	var d Data
	for g := range 60 {
		for range 8 {
			d.Y, d.Groups = append(d.Y, 1+g%2), append(d.Groups, fmt.Sprint(g))
		}
	}
	d.Labels = []string{"no", "yes"}
	digests := map[string]bool{}
	for repeat := range 10 {
		parts, digest, err := Divide(DataSet{}, &d, Rule{Kind: "random", Train: 0.5, Validation: 0.2, Seed: 1, Repeat: repeat})
		fixture.Check(t, err)
		digests[digest] = true
		for p, want := range [3]int{240, 96, 144} {
			fixture.Equal(t, "rows", len(parts[p]), want)
			yes := 0
			for _, row := range parts[p] {
				yes += d.Y[row] - 1
			}
			fixture.Equal(t, "rows of one class", yes, want/2)
		}
	}
	fixture.Equal(t, "splits", len(digests), 10)
}

// Inner folds keep groups together.
func TestDealGroups(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := grouping(t)
		folds := DealGroups(d.Groups, d.Y, 3, rand.New(rand.NewPCG(1, 2)))
		of, used := map[string]int{}, map[int]bool{}
		for row, fold := range folds {
			if in, known := of[d.Groups[row]]; known && in != fold {
				t.Fatalf("group %s is in folds %d and %d", d.Groups[row], in, fold)
			}
			of[d.Groups[row]], used[fold] = fold, true
		}
		fixture.Equal(t, "folds", len(used), 3)
	})
}

// Groups that no split can keep together are refused with the remedy.
func TestGroupsThatCannotBeDivided(t *testing.T) {
	data := func(groups, classes string) *Data {
		d := &Data{Labels: []string{"a", "b"}, Groups: strings.Fields(groups)}
		for _, c := range strings.Fields(classes) {
			d.Y = append(d.Y, 1+slices.Index(d.Labels, c))
		}
		return d
	}
	random := Rule{Kind: "random", Train: 0.5, Validation: 0.2}
	for _, c := range []struct {
		d    *Data
		rule Rule
		want string
	}{
		{data("1 1 2 2", "a b a b"), random, "has 2 values, and the rows of a group stay in one of 3 parts"},
		{data("1 1 2 3 4", "b b a a a"), random, `class "b": all its rows are in 1 group ("1")`},
		{data("1 2 3 4 4 4", "a a a b b a"), Rule{Kind: "cv", Folds: 2, Fold: 1}, `class "b"`},
		{data("1 2 3 4 5 6", "a b a b a b"), Rule{Kind: "first", Train: 0.5}, "use `rule: random` or `rule: cv`"},
		{data("1 2 3 4 5 6", "a b a b a b"), Rule{Kind: "random", Train: 2, Validation: 1}, "write train and validation as shares"},
	} {
		_, _, err := Divide(DataSet{ID: "own"}, c.d, c.rule)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: %v, want %q", c.rule, err, c.want)
		}
	}
}
