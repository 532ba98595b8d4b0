package verdict

import (
	"math"
	"slices"

	"r2lmlbench/internal/text"
)

// A Placebo tells how much a rung explains. More freedom reaches more numbers, also
// wrong ones: every printed value is replaced by decoys, and what share of them a
// rung reaches stands beside the share of printed numbers.
type Placebo struct {
	Rungs       []RungPlacebo `json:"rungs"`
	Calibration []Calibration `json:"calibration"`
}

// A RungPlacebo is one rung by itself for the numbers of one method, on data sets of
// one class of sizes.
type RungPlacebo struct {
	Method  string  `json:"method"`
	Size    string  `json:"size"` // "all", or "under 500" or "500 and more" test samples
	Rung    int     `json:"rung"`
	Printed Share   `json:"printed"`
	Moved   []Moved `json:"moved"`
	Rows    Share   `json:"rows"` // printed values of the same method on the other data sets
	// Explains tells whether the rung reaches printed numbers clearly more often than
	// values 4 points away: its share is more than 4/3 of theirs.
	Explains bool `json:"explains"`
}

// Moved is the share of decoys moved by so many points in either direction, cut to
// 0 to 100.
type Moved struct {
	Points float64 `json:"points"`
	Share
}

// A Share counts what is reached.
type Share struct {
	Reached int `json:"reached"`
	Of      int `json:"of"`
}

func (s *Share) add(reached bool) {
	s.Of++
	s.Reached += one(reached)
}

// Fraction is the share as a fraction, 0 of nothing.
func (s Share) Fraction() float64 {
	if s.Of == 0 {
		return 0
	}
	return float64(s.Reached) / float64(s.Of)
}

// A Calibration hands in our own seeds of one method as if they were printed: each
// against the range of the others under the stated protocol. Data sets with fewer
// than three seeds have no part in it.
type Calibration struct {
	Method string  `json:"method"`
	Within Share   `json:"within"`   // by the margin, which the stated protocol should do in 90 % or more
	Inside Share   `json:"inside"`   // the range alone; a further run is outside with probability at most Expected
	Chance float64 `json:"expected"` // mean of min(1, 2/(R+1)) over the numbers handed in, R the other runs
	Moved  []Moved `json:"moved"`    // by so many points: those still reached, the less the greater the power
}

// decoyPoints are how far decoys are from printed values.
var decoyPoints = []float64{2, 4, 8}

// explainsAt is the distance of the decoys that decide whether a rung explains.
const explainsAt = 4

// manySamples divides data sets into classes of sizes.
const manySamples = 500

// allSizes is the class of all data sets.
const allSizes = "all"

// sizeClasses are the classes of sizes with their names.
var sizeClasses = []struct {
	name string
	has  func(e Evidence) bool
}{
	{allSizes, func(Evidence) bool { return true }},
	{"under 500", func(e Evidence) bool { return e.Size < manySamples }},
	{"500 and more", func(e Evidence) bool { return e.Size >= manySamples }},
}

// explains tells whether a rung explains the numbers of a method, on all data sets
// together. What has no decoys is not said to explain nothing.
func (p Placebo) explains(method string, rung Rung) bool { return p.explainsOf(allSizes, method, rung) }

// explainsOf is explains on the data sets of one class of sizes.
func (p Placebo) explainsOf(size, method string, rung Rung) bool {
	return !slices.ContainsFunc(p.Rungs, func(r RungPlacebo) bool {
		return r.Method == method && r.Rung == int(max(rung, Stated)) && r.Size == size && !r.Explains
	})
}

// NewPlacebo tries decoys on the evidence of a table.
func NewPlacebo(evidence []Evidence) Placebo {
	p := Placebo{Rungs: []RungPlacebo{}, Calibration: []Calibration{}}
	for _, column := range columnsOf(evidence) {
		its := ofColumn(evidence, column)
		for _, rung := range Rungs()[Stated:] {
			for _, class := range sizeClasses {
				if r := rungPlacebo(its, rung, class.has); r.Printed.Of > 0 {
					r.Method, r.Size = column, class.name
					p.Rungs = append(p.Rungs, r)
				}
			}
		}
		if c := calibrate(its); c.Within.Of > 0 {
			c.Method = column
			p.Calibration = append(p.Calibration, c)
		}
	}
	return p
}

func columnsOf(evidence []Evidence) []string {
	var columns []string
	for _, e := range evidence {
		columns = text.AppendNew(columns, e.Column)
	}
	return columns
}

func ofColumn(evidence []Evidence, column string) []Evidence {
	return slices.DeleteFunc(slices.Clone(evidence), func(e Evidence) bool { return e.Column != column })
}

// rungPlacebo tries decoys on one rung of one method.
func rungPlacebo(all []Evidence, rung Rung, has func(Evidence) bool) RungPlacebo {
	r := RungPlacebo{Rung: int(rung), Moved: moves()}
	for i, e := range all {
		printed, half, err := readPrinted(e.Published)
		if err != nil || !has(e) || e.OnRung(rung) == nil {
			continue
		}
		r.Printed.add(e.reaches(rung, printed, half))
		for k, points := range decoyPoints {
			for _, decoy := range []float64{printed - points, printed + points} {
				r.Moved[k].add(e.reaches(rung, math.Min(math.Max(decoy, 0), 100), half))
			}
		}
		for other, o := range all {
			if decoy, _, err := readPrinted(o.Published); err == nil && other != i {
				r.Rows.add(e.reaches(rung, decoy, half))
			}
		}
	}
	r.Explains = 3*r.Printed.Fraction() > 4*r.at(explainsAt).Fraction()
	return r
}

func moves() []Moved {
	all := make([]Moved, len(decoyPoints))
	for i, points := range decoyPoints {
		all[i].Points = points
	}
	return all
}

// reaches tells whether a protocol of the rung, whatever others do, reaches a value.
func (e Evidence) reaches(rung Rung, value, half float64) bool {
	return slices.ContainsFunc(e.Protocols, func(p Protocol) bool {
		return p.Rung == rung && e.within(p, value, half)
	})
}

// mayMiss is the share of our own seeds that the stated protocol may miss.
const mayMiss = 0.1

// Missed is the share of own seeds that the stated protocol misses by more than the
// margin.
func (c Calibration) Missed() float64 { return 1 - c.Within.Fraction() }

// calibrate hands in our own seeds, of methods that have several.
func calibrate(all []Evidence) Calibration {
	c := Calibration{Moved: moves()}
	for _, e := range all {
		s := e.stated()
		if s == nil || len(s.Runs) < 3 || !e.Stochastic {
			continue
		}
		for i, own := range s.Runs {
			others := *s
			others.Runs = slices.Delete(slices.Clone(s.Runs), i, i+1)
			g := others.Gap(own.Percent(), 0)
			c.Within.add(g <= e.Margin()+rounding)
			c.Inside.add(g == 0)
			c.Chance += math.Min(1, 2/float64(len(others.Runs)+1))
			for k, points := range decoyPoints {
				for _, moved := range []float64{own.Percent() - points, own.Percent() + points} {
					c.Moved[k].add(others.Gap(math.Min(math.Max(moved, 0), 100), 0) <= e.Margin()+rounding)
				}
			}
		}
	}
	if c.Within.Of > 0 {
		c.Chance = text.SixDigits(c.Chance / float64(c.Within.Of))
	}
	return c
}
