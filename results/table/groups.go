package table

import "strings"

// groups collects members under keys, both in order of first appearance and
// without duplicates.
type groups struct {
	keys    []string
	members map[string][]string
	known   map[[2]string]bool // keys with their members
}

func newGroups() *groups {
	return &groups{members: map[string][]string{}, known: map[[2]string]bool{}}
}

func (g *groups) add(key, member string) {
	if _, ok := g.members[key]; !ok {
		g.keys = append(g.keys, key)
	}
	if at := [2]string{key, member}; !g.known[at] {
		g.known[at] = true
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
