package table

import (
	"slices"
	"strings"
)

// groups collects members under keys, both in order of first appearance and
// without duplicates.
type groups struct {
	keys    []string
	members map[string][]string
}

func newGroups() *groups {
	return &groups{members: map[string][]string{}}
}

func (g *groups) add(key, member string) {
	if _, ok := g.members[key]; !ok {
		g.keys = append(g.keys, key)
	}
	if !slices.Contains(g.members[key], member) {
		g.members[key] = append(g.members[key], member)
	}
}

// list prints "key (member, member); key (member)".
func (g *groups) list() string {
	parts := make([]string, len(g.keys))
	for i, key := range g.keys {
		parts[i] = key + " (" + strings.Join(g.members[key], ", ") + ")"
	}
	return strings.Join(parts, "; ")
}

// brief is list, but a single key stands alone: it has all members there are.
func (g *groups) brief() string {
	if len(g.keys) == 1 {
		return g.keys[0]
	}
	return g.list()
}
