package reproduction

import (
	"fmt"
	"strconv"
	"strings"

	"r2lmlbench/results"
	"r2lmlbench/results/table"
)

// fitQuality is the R² from which a + b/√T counts as describing a curve.
const fitQuality = 0.9

// modes are the two runs of every cell, as the facts and series name them.
var modes = []string{"with momentum", "without momentum"}

// A descent is one run of the plain solver.
type descent struct {
	data       string
	known      bool // all numbers below but the blocks are there
	start      string
	best       string
	a, b, r2   string
	quality    float64 // r2 as a number
	iterations results.Fact
	single     results.Fact // single runs of block 1 that the curve describes
	blocks     [3]results.Fact
	ran        [3]bool // the blocks that the run has
}

// A runGroup is the descents of a column in one mode, one for every data set.
type runGroup struct {
	method, variant, mode string
	descents              []descent
}

// convergence is the section on the objective over the iterations, from the table
// of spec convergence.
func convergence(t table.Table) section {
	s := section{title: "Convergence"}
	s.say("Theorem 1 of the paper bounds the best objective after T iterations of block 1 by a + b/√T, and Theorem 2 says that the algorithm gives a non-increasing sequence of objectives. "+
		"`r2lmlbench run %s` follows the objective of the plain solver with and without momentum in block 1, from the authors' start, as the start 0 of Theorem 1 is a stationary point.", command(t))
	if s.absent(t) {
		return s
	}
	groups := groupsOf(t)
	s.descents(groups)
	s.say("The first two numbers are the objective at the start and its lowest value in all iterations; a, b and R² are of the curve a + b/√T fitted to the lowest value so far. " +
		"The last four count the iterations of block 1, and whole runs of each block, that raised the objective by more than a relative 1e-12. Every iteration of all epochs counts.")
	s.theorems(groups)
	return s
}

func groupsOf(t table.Table) []runGroup {
	var all []runGroup
	for i, c := range t.Columns {
		for _, mode := range modes {
			g := runGroup{method: methodName(c.Method), variant: orDash(c.Swept["variant"]), mode: mode}
			for _, r := range t.Rows {
				var score *table.Score
				if i < len(r.Cells) {
					score = r.Cells[i].Score
				}
				g.descents = append(g.descents, newDescent(r.Name, mode, score))
			}
			all = append(all, g)
		}
	}
	return all
}

// newDescent reads what a cell says about one of its two runs.
func newDescent(data, mode string, score *table.Score) descent {
	d := descent{data: data, start: "-", best: "-", a: "-", b: "-", r2: "-"}
	if start := score.SeriesOf(mode + ": objective at the start").Values; len(start) == 1 {
		d.start = start[0]
	}
	if best := score.SeriesOf(mode + ": best objective so far").Values; len(best) > 0 {
		d.best = best[len(best)-1]
	}
	for i := range d.blocks {
		d.blocks[i], d.ran[i] = score.FactOf(fmt.Sprintf("%s: block %d raised the objective", mode, i+1))
	}
	fit := score.SeriesOf(mode + ": fitted a + b/sqrt(T): a, b, R2").Values
	d.single, _ = score.FactOf(mode + ": runs of block 1 that follow a + b/sqrt(T) with R2 of 0.9 or more")
	iterations, ok := score.FactOf(mode + ": iterations of block 1 that raised the objective")
	d.iterations = iterations
	if len(fit) != 3 {
		return d
	}
	quality, err := strconv.ParseFloat(fit[2], 64)
	d.a, d.b, d.r2, d.quality = fit[0], fit[1], fit[2], quality
	d.known = ok && err == nil && d.ran[0]
	return d
}

// raised lists the blocks that raised the objective.
func (d descent) raised() []string {
	var all []string
	for i, f := range d.blocks {
		if f.Count > 0 {
			all = append(all, fmt.Sprintf("block %d in %s runs", i+1, ratio(f, true)))
		}
	}
	return all
}

// descents has a line for every data set, column and mode.
func (s *section) descents(groups []runGroup) {
	head := []string{"data", "method", "variant", "momentum", "start", "lowest", "a", "b", "R²", "iterations", "block 1", "block 2", "block 3"}
	var rows [][]string
	for i := range groups[0].descents {
		for _, g := range groups {
			d := g.descents[i]
			momentum := "yes"
			if g.mode != modes[0] {
				momentum = "no"
			}
			row := []string{d.data, g.method, g.variant, momentum, d.start, d.best, d.a, d.b, d.r2, ratio(d.iterations, d.known)}
			for b, f := range d.blocks {
				row = append(row, ratio(f, d.ran[b]))
			}
			rows = append(rows, row)
		}
	}
	s.table(4, head, rows)
}

// theorems says where the two theorems hold. Theorem 2 speaks of the algorithm
// as published, which has no momentum.
func (s *section) theorems(groups []runGroup) {
	known, described := 0, 0
	var single total // runs of block 1 that the curve describes
	for _, g := range groups {
		for _, d := range g.descents {
			if !d.known {
				continue
			}
			known++
			if d.quality >= fitQuality {
				described++
			}
			single.add(d.single)
		}
	}
	if known == 0 {
		s.say("No run of the solver is known.")
		return
	}
	s.conclude("Theorem 2 has it that no block ever raises the objective. %s %s", risesOf(groups, "published"), risesOf(groups, "reference"))
	var items []string
	for _, g := range groups {
		items = append(items, g.nonIncreasing())
	}
	s.list(items)
	s.say("The curve a + b/√T describes the lowest objective so far with R² of %g or more in %d of %s, and in %s of the single runs of block 1, of which Theorem 1 speaks. "+
		"A bound from above is not contradicted by a curve of another form that lies below it.", fitQuality, described, counted(known, "run"), single.text())
	items = nil
	for _, g := range groups {
		items = append(items, g.described())
	}
	s.list(items)
}

// risesOf counts the runs of one variant without a rise, and those in which a
// block raised the objective at least once.
func risesOf(groups []runGroup, variant string) string {
	var falling, plain total // runs without a rise: all, those without momentum
	var blocks [3]total      // runs in which the block raised F, of those that have it
	for _, g := range groups {
		for _, d := range g.descents {
			if g.variant != variant || !d.known {
				continue
			}
			falls := 0
			if len(d.raised()) == 0 {
				falls = 1
			}
			falling.add(results.Fact{Count: falls, Of: 1})
			if g.mode != modes[0] {
				plain.add(results.Fact{Count: falls, Of: 1})
			}
			for i, ran := range d.ran {
				if ran {
					blocks[i].add(results.Fact{Count: min(d.blocks[i].Count, 1), Of: 1})
				}
			}
		}
	}
	if falling.of == 0 {
		return "No run of the " + variant + " variant is known."
	}
	return fmt.Sprintf("In the %s variant none did in %d of %s, %d of %d of those without momentum; block 1 raised it in %d of %d, block 2 in %d of %d and block 3 in %d of %d.",
		variant, falling.count, counted(falling.of, "run"), plain.count, plain.of,
		blocks[0].count, blocks[0].of, blocks[1].count, blocks[1].of, blocks[2].count, blocks[2].of)
}

// nonIncreasing says on which data sets no block raised the objective.
func (g runGroup) nonIncreasing() string {
	var yes, no, unknown []string
	for _, d := range g.descents {
		raised := d.raised()
		switch {
		case !d.known:
			unknown = append(unknown, escape(d.data))
		case len(raised) == 0:
			yes = append(yes, escape(d.data))
		default:
			no = append(no, fmt.Sprintf("%s (%s)", escape(d.data), series(raised)))
		}
	}
	return g.clauses("the sequence never rises on", yes, "it rises on", no, unknown)
}

// described says on which data sets the fitted curve describes the run.
func (g runGroup) described() string {
	var yes, no, unknown []string
	for _, d := range g.descents {
		switch {
		case !d.known:
			unknown = append(unknown, escape(d.data))
		case d.quality >= fitQuality:
			yes = append(yes, escape(d.data))
		default:
			no = append(no, fmt.Sprintf("%s (R² = %s)", escape(d.data), shortNumber(d.r2)))
		}
	}
	return g.clauses("it does on", yes, "it does not on", no, unknown)
}

// clauses makes an item of a list of what is so on some data sets, in Markdown,
// and not on others.
func (g runGroup) clauses(isSo string, yes []string, isNot string, no, unknown []string) string {
	var parts []string
	for _, c := range []struct {
		text  string
		names []string
	}{{isSo, yes}, {isNot, no}, {"it is not known on", unknown}} {
		if len(c.names) > 0 {
			parts = append(parts, c.text+" "+series(c.names))
		}
	}
	return fmt.Sprintf("%s, %s, %s: %s.", escape(g.method), escape(g.variant), g.mode, strings.Join(parts, "; "))
}
