package spec

import (
	"fmt"
	"maps"
	"slices"

	"gopkg.in/yaml.v3"

	"r2lmlbench/internal/strictyaml"
)

// Seeds says how often a stochastic method is fitted, selection included: one
// number for all data sets, or a mapping such as {all: 1, sonar: 3}, in which
// single data sets take precedence. 0 stands for the number of the spec.
type Seeds struct {
	all  int
	sets map[string]int // by id

	unknown []*yaml.Node // names in sets that only the spec's own data can have
}

// of is the number for a data set, or otherwise when none is given.
func (s Seeds) of(dataset string, otherwise int) int {
	n, ok := s.sets[dataset]
	if !ok {
		n = s.all
	}
	if n == 0 {
		n = otherwise
	}
	return n
}

// most is the largest number for any data set.
func (s Seeds) most() int {
	return max(s.all, slices.Max(append(slices.Collect(maps.Values(s.sets)), 0)))
}

// DecodeYAML reads a number or a mapping of numbers by data set.
func (s *Seeds) DecodeYAML(d *strictyaml.Decoder, n *yaml.Node) {
	if n.Kind != yaml.MappingNode {
		s.all = seedCount(d, n)
		return
	}
	s.sets = map[string]int{}
	for _, p := range d.Pairs(n) {
		count := seedCount(d, p.Value)
		if p.Key.Value == allDatasets {
			s.all = count
			continue
		}
		e, err := FindDataset(p.Key.Value)
		if err != nil {
			s.unknown = append(s.unknown, p.Key)
			s.sets[p.Key.Value] = count
			continue
		}
		if _, twice := s.sets[e.ID]; twice {
			d.Errorf(p.Key, "data set %s has two numbers of seeds; keep one", e.ID)
		}
		s.sets[e.ID] = count
	}
}

// seedCount reads a number of seeds and reports one that is out of bounds.
func seedCount(d *strictyaml.Decoder, n *yaml.Node) int {
	var count int
	d.Decode(n, &count)
	if count < 0 || count > MaxRuns {
		d.Errorf(n, "%s", fmt.Sprintf("seeds is %d, want a number from 0 to %d", count, MaxRuns))
	}
	return count
}
