package chart

import (
	"math"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
)

// PlainTicks are the labelled ticks of a linear axis, multiples of 1, 2 or 5 times
// a power of ten. There are never many, however odd the range, and two only where there
// would be too many otherwise.
func PlainTicks(low, high float64) []plot.Tick {
	rough := (high - low) / 4
	if !Finite(rough) || rough <= 0 {
		return nil
	}
	power := math.Pow(10, math.Floor(math.Log10(rough)))
	step, next := 10*power, 5*power
	for _, factor := range []float64{5, 2, 1} {
		if factor*power >= rough {
			step, next = factor*power, map[float64]float64{5: 2, 2: 1, 1: 0.5}[factor]*power
		}
	}
	all := multiples(step, low, high)
	if len(all) < 3 {
		if more := multiples(next, low, high); len(more) <= mostTicks+1 {
			return more
		}
	}
	return all
}

// multiples are ticks at those of a step.
func multiples(step, low, high float64) []plot.Tick {
	var all []plot.Tick
	for n := math.Ceil(low / step); n*step <= high && len(all) <= 2*mostTicks; n++ {
		all = append(all, TickAt(n*step))
	}
	return all
}

// mostTicks is the number of labels that fit on a small panel's axis.
const mostTicks = 5

// logTicks are the ticks of a logarithmic axis: powers of ten, all or every so
// many of them, when it spans two or more; else 1, 2 and 5 times those, or
// whatever a linear axis has where it spans too little.
func logTicks(low, high float64) []plot.Tick {
	first, last := int(math.Ceil(math.Log10(low)-1e-9)), int(math.Floor(math.Log10(high)+1e-9))
	if last-first >= 1 {
		step := 1 + (last-first)/mostTicks
		var all []plot.Tick
		for power := first; power <= last; power += step {
			all = append(all, TickAt(math.Pow10(power)))
		}
		return all
	}
	var all []plot.Tick
	for power := first - 1; power <= last+1; power++ {
		for _, factor := range []float64{1, 2, 5} {
			if x := factor * math.Pow10(power); x >= low && x <= high {
				all = append(all, TickAt(x))
			}
		}
	}
	if len(all) < 2 {
		return PlainTicks(low, high)
	}
	return all
}

// TickAt has a true minus before a negative number.
func TickAt(x float64) plot.Tick {
	label := TickLabel(x)
	if rest, negative := strings.CutPrefix(label, "-"); negative {
		label = "−" + rest
	}
	return plot.Tick{Value: x, Label: label}
}

// TickLabel is a short decimal text of at most six digits: 0.01, 1000, 1e4, 1e-6.
func TickLabel(x float64) string {
	x, _ = strconv.ParseFloat(Number(x), 64) // what it wrote it reads
	if x == 0 {
		return "0" // also for −0
	}
	if 0.01 <= math.Abs(x) && math.Abs(x) < 1e4 {
		return strconv.FormatFloat(x, 'f', -1, 64)
	}
	text := strconv.FormatFloat(x, 'e', -1, 64)
	return strings.NewReplacer("e+0", "e", "e+", "e", "e-0", "e-").Replace(text)
}

// CountTicks are whole numbers.
func CountTicks(all []int) plot.ConstantTicks {
	var ticks plot.ConstantTicks
	for _, n := range all {
		ticks = append(ticks, plot.Tick{Value: float64(n), Label: strconv.Itoa(n)})
	}
	return ticks
}

// Logarithmic makes an axis logarithmic. The panel's points must be positive.
func Logarithmic(a *plot.Axis) {
	a.Scale = plot.LogScale{}
	a.Tick.Marker = plot.TickerFunc(logTicks)
}

// margin is the part of an axis' length that stays free at both ends.
const margin = 0.06

// Settle leaves a margin around the data of an axis. An axis without data has no
// ticks and goes from 0 to 1; extreme numbers are cut where drawing them would
// leave the range of numbers.
func Settle(a *plot.Axis) {
	_, isLog := a.Scale.(plot.LogScale)
	switch {
	case !Finite(a.Min) || !Finite(a.Max):
		a.Min, a.Max = 0, 1
		a.Scale, a.Tick.Marker = plot.LinearScale{}, plot.ConstantTicks(nil)
	case isLog:
		low, high := math.Log10(a.Min), math.Log10(a.Max)
		free := max(margin*(high-low), 0.02)
		a.Min, a.Max = math.Pow(10, max(low-free, -300)), math.Pow(10, min(high+free, 300))
	default:
		low, high := max(a.Min, -1e300), min(a.Max, 1e300)
		free := max(margin*(high-low), 1e-6*max(math.Abs(low), math.Abs(high)), 1e-9)
		a.Min, a.Max = low-free, high+free
	}
}

// Positive reports whether all points that are there can stand on logarithmic
// axes.
func Positive(points []Point) bool {
	for _, q := range points {
		if !q.Missing() && (q.X <= 0 || q.Y <= 0) {
			return false
		}
	}
	return true
}
