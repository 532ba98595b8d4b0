package batch

import (
	"slices"
	"testing"

	"r2lmlbench/internal/kernel"
)

func TestGroups(t *testing.T) {
	metrics := []int{1, 7, 3, 5, 8, 9, 4, 4, 2}
	groups := Groups(metrics)
	var items []int
	for _, group := range groups {
		sum := 0
		for _, i := range group {
			sum += metrics[i]
		}
		if sum > kernel.Lanes && len(group) > 1 {
			t.Errorf("group %v has %d metrics", group, sum)
		}
		items = append(items, group...)
	}
	slices.Sort(items)
	if !slices.Equal(items, []int{0, 1, 2, 3, 4, 5, 6, 7, 8}) {
		t.Errorf("items %v", items)
	}
	if len(groups) != 6 { // 9; 8; 7+1; 5+3; 4+4; 2
		t.Errorf("%d groups, want 6: %v", len(groups), groups)
	}
}
