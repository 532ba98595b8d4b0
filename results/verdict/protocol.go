package verdict

import (
	"cmp"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"r2lmlbench/results"
)

// A Reading says how cells of a method on one data set are read as runs under the
// protocols of the ladder.
type Reading struct {
	Points []results.Point // the settings that the stated protocol tries
	Open   []string        // parameters on which the text is silent
	Fixed  results.Params  // what the paper's figures fix of the settings; nil: there is no figure of the method
}

// UnlabeledParameter names, among open parameters, the samples that a transductive
// method has without their labels. It is a part of the protocol and no parameter of
// the method.
const UnlabeledParameter = "unlabeled"

// Protocols reads cells of one data set and method. A cell whose settings are
// neither those of the stated protocol nor those with other values of open
// parameters is left out, such as one with several random starts of every setting. A
// larger grid counts by its parts in which the open parameters have one value each.
// Of two cells with the same seed and setting the first one counts, and of one with a
// surface and one without the latter, which is the cheaper one to run again.
func (r Reading) Protocols(cells []results.Cell) []Protocol {
	cells = slices.Clone(cells)
	slices.SortStableFunc(cells, func(a, b results.Cell) int { return cmp.Compare(one(a.Surface != nil), one(b.Surface != nil)) })
	stated := r.stated()
	var p protocolSet
	var groups []group
	for i, c := range cells {
		if i == 0 || c.Unlabeled != cells[i-1].Unlabeled || !reflect.DeepEqual(c.Points, cells[i-1].Points) {
			groups = r.divide(c, stated)
		}
		for _, g := range groups {
			p.add(slice{c, g})
		}
	}
	return p.list()
}

// stated spells the settings of the stated protocol.
func (r Reading) stated() map[string]bool {
	all := map[string]bool{}
	for _, p := range r.Points {
		all[r.closed(p)] = true
	}
	return all
}

// Figures reads the surfaces of cells as runs in the setting of the paper's figures:
// for each seed the best point on the test samples among those with the fixed values.
func (r Reading) Figures(cells []results.Cell) []Run {
	var of protocolSet
	stated := r.stated()
	for _, c := range cells {
		if c.Surface == nil || r.Fixed == nil {
			continue
		}
		for _, g := range r.divide(c, stated) {
			g.points = slices.DeleteFunc(g.points, func(i int) bool { return !r.fixed(c.Points[i]) })
			if s := (slice{c, g}); g.setting == "" {
				of.put(OnTest, s, s.onTest())
			}
		}
	}
	if len(of.all) == 0 {
		return nil
	}
	return of.list()[0].Runs
}

// fixed tells whether a point has the values that the paper's figures fix.
func (r Reading) fixed(p results.Point) bool {
	for name, v := range r.Fixed {
		if !sameValue(p.Params[name], v) {
			return false
		}
	}
	return true
}

// A group is the part of a grid in which the open parameters have one value each.
type group struct {
	setting string // of the open parameters; empty: those of the stated protocol
	points  []int  // in the order of the grid
}

// A slice is such a part of a cell.
type slice struct {
	cell results.Cell
	group
}

func (s slice) surface() bool { return s.cell.Surface != nil }

// divide groups the points of a cell by the values of the open parameters, and
// keeps the groups that try what the stated protocol tries.
func (r Reading) divide(c results.Cell, stated map[string]bool) []group {
	if c.Unlabeled != "" && !slices.Contains(r.Open, UnlabeledParameter) {
		return nil
	}
	var all []group
	for i, p := range c.Points {
		setting := r.setting(c, p)
		at := slices.IndexFunc(all, func(g group) bool { return g.setting == setting })
		if at < 0 {
			at = len(all)
			all = append(all, group{setting: setting})
		}
		all[at].points = append(all[at].points, i)
	}
	return slices.DeleteFunc(all, func(g group) bool {
		return len(g.points) != len(stated) ||
			slices.ContainsFunc(g.points, func(i int) bool { return !stated[r.closed(c.Points[i])] })
	})
}

// setting names the values of open parameters in which a point differs from the
// stated protocol: "shrinkage 0.5".
func (r Reading) setting(c results.Cell, p results.Point) string {
	var parts []string
	for _, name := range r.Open {
		var value, stated any
		switch {
		case name == UnlabeledParameter && c.Unlabeled != "":
			value = c.Unlabeled
		case name != UnlabeledParameter:
			value, stated = p.Params[name], r.Points[0].Params[name]
		}
		if value != nil && !sameValue(value, stated) {
			parts = append(parts, fmt.Sprintf("%s %v", name, value))
		}
	}
	return strings.Join(parts, ", ")
}

// OpenParameters are the names in the setting of a protocol.
func (p Protocol) OpenParameters() []string {
	var names []string
	for _, part := range strings.Split(p.Setting, ", ") {
		if name, _, ok := strings.Cut(part, " "); ok {
			names = append(names, name)
		}
	}
	return names
}

func sameValue(a, b any) bool {
	return results.Params{"": a}.String() == results.Params{"": b}.String()
}

// closed spells a point without its open parameters.
func (r Reading) closed(p results.Point) string {
	rest := maps.Clone(p.Params)
	for _, name := range r.Open {
		delete(rest, name)
	}
	return fmt.Sprintf("%s restart=%d", rest, p.Restart)
}

// fewValidate is the number of validation samples below which a setting that is one
// sample behind the best counts as tied with it.
const fewValidate = 60

// chosen is the first best point on the validation samples, -1 when all failed, and
// tied are all that tie with it.
func (s slice) chosen() (first int, tied []int) {
	profile := s.cell.Validation
	if profile == nil {
		return s.points[0], s.points[:1]
	}
	first = -1
	for _, i := range s.points {
		if n := profile.Correct[i]; n >= 0 && (first < 0 || n > profile.Correct[first]) {
			first = i
		}
	}
	if first < 0 {
		return -1, nil
	}
	least := profile.Correct[first]
	if profile.N < fewValidate {
		least = max(least-1, 0)
	}
	for _, i := range s.points {
		if profile.Correct[i] >= least {
			tied = append(tied, i)
		}
	}
	return first, tied
}

// correct is the number of test samples that a point has right, and whether that is
// known. It is not of point -1.
func (s slice) correct(point int) (int, bool) {
	switch {
	case point < 0:
		return 0, false
	case s.surface() && s.cell.Surface.Correct[point] >= 0:
		return s.cell.Surface.Correct[point], true
	case point == s.cell.Chosen && s.cell.Failure == "":
		return s.cell.Correct(), true
	}
	return 0, false
}

// constant tells whether a point gives all test samples, of which there are several
// classes, the same label.
func (s slice) constant(point int) bool {
	if surface := s.cell.Surface; surface != nil {
		return len(surface.Labels) > 1 && surface.Largest[point] == len(s.cell.Truth)
	}
	return s.cell.Constant()
}

// onTest is the first best point on the test samples, -1 when none is known.
func (s slice) onTest() int {
	best, most := -1, -1
	for _, i := range s.points {
		if n, ok := s.correct(i); ok && n > most {
			best, most = i, n
		}
	}
	return best
}

// A protocolSet gathers runs by rung and open setting.
type protocolSet struct {
	all  []Protocol
	ties bool // some cell has several tied settings
}

// add adds the runs of a slice. Without a surface nothing is known of settings that
// were not chosen.
func (p *protocolSet) add(s slice) {
	stated, onTest := Stated, OnTest
	if s.setting != "" {
		stated, onTest = Open, OpenOnTest
	}
	first, tied := s.chosen()
	if first < 0 {
		return
	}
	p.put(stated, s, first)
	if !s.surface() {
		return
	}
	p.put(onTest, s, s.onTest())
	if s.setting == "" && !p.has(Tied, s) {
		p.ties = p.ties || len(tied) > 1
		p.put(Tied, s, tied...)
	}
}

// at is the index of a rung and an open setting, or -1.
func (p *protocolSet) at(rung Rung, setting string) int {
	return slices.IndexFunc(p.all, func(known Protocol) bool { return known.Rung == rung && known.Setting == setting })
}

// has tells whether there are runs of the seed of a slice.
func (p *protocolSet) has(rung Rung, s slice) bool {
	at := p.at(rung, s.setting)
	return at >= 0 && slices.ContainsFunc(p.all[at].Runs, func(r Run) bool { return r.Inputs.Seed == s.cell.Seed })
}

// put adds a run for each point, unless the seed has runs already.
func (p *protocolSet) put(rung Rung, s slice, points ...int) {
	if p.has(rung, s) {
		return
	}
	for _, point := range points {
		correct, ok := s.correct(point)
		if !ok {
			continue
		}
		at := p.at(rung, s.setting)
		if at < 0 {
			at = len(p.all)
			p.all = append(p.all, Protocol{Rung: rung, Setting: s.setting})
		}
		p.all[at].Runs = append(p.all[at].Runs, Run{Inputs: s.cell.Inputs, Point: point, Correct: correct, N: len(s.cell.Truth),
			Constant: s.constant(point)})
	}
}

// list returns the protocols by rung and setting, their runs by seed. Rung Tied is
// there only if some cell has several settings that tie.
func (p *protocolSet) list() []Protocol {
	all := slices.DeleteFunc(p.all, func(of Protocol) bool { return of.Rung == Tied && !p.ties })
	slices.SortFunc(all, func(a, b Protocol) int {
		return cmp.Or(cmp.Compare(a.Rung, b.Rung), compareSettings(a.Setting, b.Setting))
	})
	for _, of := range all {
		slices.SortStableFunc(of.Runs, func(a, b Run) int { return cmp.Compare(a.Inputs.Seed, b.Inputs.Seed) })
	}
	return all
}

// compareSettings orders settings word by word, numbers by their value.
func compareSettings(a, b string) int {
	return slices.CompareFunc(strings.Fields(a), strings.Fields(b), func(a, b string) int {
		x, errX := strconv.ParseFloat(strings.TrimSuffix(a, ","), 64)
		y, errY := strconv.ParseFloat(strings.TrimSuffix(b, ","), 64)
		if errX != nil || errY != nil {
			return cmp.Compare(a, b)
		}
		return cmp.Compare(x, y)
	})
}
