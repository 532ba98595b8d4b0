package datasets

import (
	"fmt"
	"slices"
	"testing"

	"r2lmlbench/internal/fixture"
)

// Repeats, folds and seeds each keep other training rows of equal pieces under max-train.
func TestDrawsOfMaxTrainDiffer(t *testing.T) {
	rows := make([]int, 400)
	for i := range rows {
		rows[i] = i
	}
	kept := map[string]Rule{}
	for _, r := range []Rule{{Seed: 1, Repeat: 1}, {Seed: 1, Repeat: 2}, {Seed: 2, Repeat: 1}, {Seed: 1, Repeat: 1, Fold: 1}, {Seed: 1, Repeat: 1, Fold: 2}} {
		r.MaxTrain = 200
		pieces := [][3][]int{{slices.Clone(rows)}}
		fixture.Check(t, r.draw(pieces))
		key := fmt.Sprint(pieces[0][0])
		if same, known := kept[key]; known {
			t.Errorf("%+v and %+v keep the same rows", same, r)
		}
		kept[key] = r
	}
}

// Of equal classes the first keep the rows that are left over.
func TestMaxTrainOfEqualClasses(t *testing.T) {
	for most, want := range map[int][]int{3: {1, 1, 1}, 4: {2, 1, 1}, 5: {2, 2, 1}, 7: {3, 2, 2}} {
		fixture.EqualSlice(t, fmt.Sprint(most), fixture.Must(Rule{MaxTrain: most}.kept([]int{9, 9, 9}))(t), want)
	}
}
