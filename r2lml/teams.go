package r2lml

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"

	"r2lmlbench/internal/kernel"
)

// FitEfficient is the GridFit of E-R2LML. Settings are packed into tasks whose
// metrics together fill the lanes of block 1.
func FitEfficient(p Problem, settings []Efficient) []Task {
	shared := sync.OnceValue(func() *efficientScene { return newEfficientScene(p) })
	weight := func(i int) int { return max(settings[i].Metrics, 1) }
	var tasks []Task
	for _, group := range packed(len(settings), weight) {
		tasks = append(tasks, Task{Settings: group, Run: func(ctx context.Context, done func(int, Fitted, error)) {
			shared().fit(ctx, group, settings, done)
		}})
	}
	return tasks
}

// packed divides the items 0..n−1 into groups of a total weight of at most
// kernel.Lanes, or of one item: first fit, the heaviest items first.
func packed(n int, weight func(i int) int) [][]int {
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(weight(b), weight(a)) })
	var groups [][]int
	var room []int
	for _, i := range order {
		at := slices.IndexFunc(room, func(r int) bool { return r >= weight(i) })
		if at < 0 {
			at = len(groups)
			groups, room = append(groups, nil), append(room, kernel.Lanes)
		}
		groups[at] = append(groups[at], i)
		room[at] -= weight(i)
	}
	return groups
}

// An efficientScene is what all settings of E-R2LML share on one problem.
type efficientScene struct {
	p          Problem
	scene      *scene
	pairs      classPairs
	similarity similarity
	dissimilar []uint64
}

func newEfficientScene(p Problem) *efficientScene {
	s := labelSimilarity(p.Y, 0)
	return &efficientScene{p: p, scene: newScene(p.X), pairs: newClassPairs(p.X, p.Y), similarity: s, dissimilar: dissimilarPairs(s)}
}

// fit fits the settings of a group.
func (c *efficientScene) fit(ctx context.Context, group []int, settings []Efficient, done func(int, Fitted, error)) {
	t := &team{descent: newLaneDescent(c.scene)}
	for _, i := range group {
		m, err := settings[i].Resolve()
		if err != nil {
			done(i, Fitted{}, fmt.Errorf("e-r2lml: %w", err))
			continue
		}
		t.members = append(t.members, c.member(m, func(a *alternation, err error) {
			if err != nil {
				done(i, Fitted{}, fmt.Errorf("e-r2lml: %w", err))
				return
			}
			done(i, a.efficient(c.p), nil)
		}))
	}
	t.run(ctx)
}

func (c *efficientScene) member(m Efficient, done func(*alternation, error)) *member {
	a := &alternation{m: m, x: c.p.X, y: c.p.Y, s: c.similarity}
	a.l, a.g = start(c.p.Rand(), a.x, m.Metrics)
	return &member{alternation: a, pairs: c.pairs, dissimilar: c.dissimilar, done: func(err error) { done(a, err) }}
}
