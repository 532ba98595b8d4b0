package report

import (
	"math"
	"slices"
)

// An Axis says what is measured.
type Axis struct {
	Label string    // with the unit: "accuracy, %"
	Log   bool      // logarithmic where no number is negative; 0 stands one power of ten before the smallest other
	Ticks []float64 // labelled numbers, all of them within the axis; nil: chosen for the data
}

// A scale gives numbers places between two ends.
type scale struct {
	from, to  float64 // places
	low, high float64 // numbers there, or their decimal logarithms
	log       bool
	empty     bool    // there is no number
	zero      float64 // logarithm that stands for 0
	ticks     []float64
}

// newScale fits an axis to numbers. Without any, it has no ticks.
func newScale(a Axis, numbers []float64, from, to float64) scale {
	s := scale{from: from, to: to, high: 1, ticks: a.Ticks, empty: len(numbers) == 0}
	all := slices.DeleteFunc(slices.Concat(numbers, a.Ticks), func(x float64) bool { return !finite(x) })
	if len(all) == 0 {
		return s
	}
	s.low, s.high = max(slices.Min(all), -1e300), min(slices.Max(all), 1e300)
	least := 1e-9
	if s.log = a.Log && s.low >= 0 && s.high > 0; s.log {
		positive := slices.DeleteFunc(all, func(x float64) bool { return x <= 0 })
		s.zero = math.Floor(math.Log10(slices.Min(positive))+1e-9) - 1
		s.low, s.high, least = s.value(s.low), s.value(s.high), 0.02
	}
	margin := max(0.06*(s.high-s.low), 1e-6*max(math.Abs(s.low), math.Abs(s.high)), least)
	s.low, s.high = s.low-margin, s.high+margin
	switch {
	case s.ticks != nil:
	case s.log:
		s.ticks = logTicks(s.low, s.high)
	default:
		s.ticks = plainTicks(s.low, s.high)
	}
	return s
}

// value is a number, or its logarithm.
func (s scale) value(x float64) float64 {
	switch {
	case !s.log:
		return x
	case x <= 0:
		return s.zero
	}
	return math.Log10(x)
}

// at is the place of a number.
func (s scale) at(x float64) float64 {
	share := (s.value(min(max(x, -1e300), 1e300)) - s.low) / (s.high - s.low)
	return s.from + min(max(share, -1), 2)*(s.to-s.from)
}

// mostTicks is the number of labels that fit on a small panel's axis.
const mostTicks = 5

// plainTicks are multiples of 1, 2 or 5 times a power of ten.
func plainTicks(low, high float64) []float64 {
	rough := (high - low) / mostTicks
	power := math.Pow(10, math.Floor(math.Log10(rough)))
	step := power
	for _, factor := range []float64{2, 5, 10} {
		if step < rough {
			step = factor * power
		}
	}
	var all []float64
	for n := math.Ceil(low / step); n*step <= high && len(all) <= 2*mostTicks; n++ {
		all = append(all, n*step)
	}
	return all
}

// logTicks are powers of ten, every so many of them, or those of a linear axis where there
// is but one. Both ends are logarithms.
func logTicks(low, high float64) []float64 {
	first, last := int(math.Ceil(low)), int(math.Floor(high))
	if last <= first {
		return plainTicks(math.Pow(10, low), math.Pow(10, high))
	}
	var all []float64
	for power := first; power <= last; power += 1 + (last-first)/mostTicks {
		all = append(all, math.Pow10(power))
	}
	return all
}

// drawUp draws the axis on the left of a plot, with faint lines across it.
func (s scale) drawUp(d *drawing, left, right, top, bottom float64) {
	for _, tick := range s.ticks {
		d.line("t q", left, s.at(tick), right, s.at(tick))
		d.text(left-6, s.at(tick)+4, "e", "", short(tick))
	}
	d.line("t", left, top, left, bottom)
}

// draw draws the axis below a plot, with faint upright lines through it if wanted.
func (s scale) draw(d *drawing, name string, top, bottom float64, grid bool) {
	end := math.Inf(-1)
	for _, x := range s.ticks {
		at := s.at(x)
		if grid {
			d.line("t q", at, top, at, bottom)
		}
		d.line("t", at, bottom, at, bottom+4)
		label := short(x)
		if half := width(label) / 2; at-half > end+4 {
			d.text(at, bottom+16, "m", "", label)
			end = at + half
		}
	}
	d.line("t", s.from, bottom, s.to, bottom)
	d.text((s.from+s.to)/2, bottom+31, "m", "l", fit(name, 2*min((s.from+s.to)/2, d.width-(s.from+s.to)/2)))
}
