package stats

import "math"

// Paired is the 2×2 table of two classifiers on the same test samples: the numbers of samples that
// both, only one, or neither labels correctly.
type Paired struct {
	BothRight, OnlyFirst, OnlySecond, BothWrong int
}

// N returns the number of test samples.
func (p Paired) N() int { return p.BothRight + p.OnlyFirst + p.OnlySecond + p.BothWrong }

// OddsRatio returns OnlyFirst/OnlySecond, above 1 if the first classifier is better. It is NaN if
// OnlySecond is 0.
func (p Paired) OddsRatio() float64 {
	if p.OnlySecond == 0 {
		return math.NaN()
	}
	return float64(p.OnlyFirst) / float64(p.OnlySecond)
}

// CohensG returns Cohen's g: the larger share of the discordant samples minus 1/2, from 0 (evenly
// divided) to 0.5 (all on one side). It is NaN if there are no discordant samples.
func (p Paired) CohensG() float64 {
	discordant := p.OnlyFirst + p.OnlySecond
	if discordant == 0 {
		return math.NaN()
	}
	return float64(max(p.OnlyFirst, p.OnlySecond))/float64(discordant) - 0.5
}
