package r2lml

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"

	"gonum.org/v1/gonum/mat"

	"r2lmlbench/internal/kernel"
)

// FitEfficient is the GridFit of E-R2LML. Settings are packed into tasks whose
// metrics together fill the lanes of block 1.
func FitEfficient(p Problem, settings []Efficient) []Task {
	shared := sync.OnceValue(func() problemScene { return newEfficientScene(p) })
	return teamTasks(settings, shared)
}

// FitTransductive is the GridFit of T-R2LML, packed as that of E-R2LML is.
func FitTransductive(p Problem, settings []Transductive) []Task {
	shared := sync.OnceValue(func() problemScene { return newTransductiveScene(p) })
	same := make([]Efficient, len(settings))
	for i, m := range settings {
		same[i] = Efficient(m)
	}
	return teamTasks(same, shared)
}

// A problemScene is what all settings of a method share on one problem.
type problemScene interface {
	// samples are those that take part in the descent.
	samples() *scene
	// member starts a resolved setting.
	member(m Efficient) *member
	// fitted is the result of a member that is done.
	fitted(m *member) Fitted
	// name is that of the method, for errors.
	name() string
}

func teamTasks(settings []Efficient, shared func() problemScene) []Task {
	weight := func(i int) int { return max(settings[i].Metrics, 1) }
	var tasks []Task
	for _, group := range packed(len(settings), weight) {
		tasks = append(tasks, Task{Settings: group, Run: func(ctx context.Context, done func(int, Fitted, error)) {
			fitTeam(ctx, shared(), group, settings, done)
		}})
	}
	return tasks
}

// fitTeam fits the settings of a group side by side.
func fitTeam(ctx context.Context, c problemScene, group []int, settings []Efficient, done func(int, Fitted, error)) {
	t := &team{descent: newLaneDescent(c.samples())}
	for _, i := range group {
		resolved, err := settings[i].Resolve()
		if err != nil {
			done(i, Fitted{}, fmt.Errorf("%s: %w", c.name(), err))
			continue
		}
		m := c.member(resolved)
		m.descent = t.descent
		m.done = func(err error) {
			if err != nil {
				done(i, Fitted{}, fmt.Errorf("%s: %w", c.name(), err))
				return
			}
			done(i, c.fitted(m), nil)
		}
		t.members = append(t.members, m)
	}
	t.run(ctx)
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

// An efficientScene is the problemScene of E-R2LML: similarities are those of
// the labels and never change.
type efficientScene struct {
	p          Problem
	scene      *scene
	pairs      classPairs
	similarity similarity
	dissimilar []uint64
}

func newEfficientScene(p Problem) efficientScene {
	s := labelSimilarity(p.Y, 0)
	return efficientScene{p: p, scene: newScene(p.X), pairs: newClassPairs(p.X, p.Y), similarity: s, dissimilar: dissimilarPairs(s)}
}

func (efficientScene) name() string      { return "e-r2lml" }
func (c efficientScene) samples() *scene { return c.scene }

func (c efficientScene) member(m Efficient) *member {
	a := &alternation{m: m, x: c.p.X, y: c.p.Y, s: c.similarity}
	a.l, a.g = start(c.p.Rand(), a.x, m.Metrics)
	team := &member{alternation: a, pairs: c.pairs, dissimilar: c.dissimilar}
	team.later = []func(context.Context) error{team.coefficients}
	return team
}

func (c efficientScene) fitted(m *member) Fitted { return m.efficient(c.p) }

// A transductiveScene is the problemScene of T-R2LML. Every setting has
// similarities of its own.
type transductiveScene struct {
	p     Problem
	scene *scene
}

func newTransductiveScene(p Problem) transductiveScene {
	var x mat.Dense
	x.Stack(p.X, p.Query)
	return transductiveScene{p: p, scene: newScene(&x)}
}

func (transductiveScene) name() string      { return "t-r2lml" }
func (c transductiveScene) samples() *scene { return c.scene }

func (c transductiveScene) member(m Efficient) *member {
	team := &member{alternation: Transductive(m).start(c.p)}
	team.usePairs(c.scene.x)
	team.later = []func(context.Context) error{team.coefficients, team.similarities}
	return team
}

func (c transductiveScene) fitted(m *member) Fitted { return m.transductive(c.p) }
