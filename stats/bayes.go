package stats

import (
	"fmt"
	"math/rand/v2"

	"gonum.org/v1/gonum/stat/distuv"
)

// BayesSettings are the settings of a [Posterior].
type BayesSettings struct {
	Strength float64 // of the prior, s; 0: 0.5
	Draws    int     // from the posterior; 0: 50000
	Seed     uint64  // of the draws
}

// Regions holds a probability for each of three cases: the first method is
// better, the two are practically equivalent, the second is better.
type Regions struct{ First, Equal, Second float64 }

// A Posterior holds draws of the weights of the Bayesian signed-rank test. They depend on the
// number of data sets, not on the scores, so one Posterior serves all pairs of methods.
type Posterior struct {
	sets    int
	weights []float64 // sets+1 weights per draw
}

// NewPosterior draws the weights w ~ Dirichlet(s, 1, ..., 1) for comparisons over this number of
// data sets. Equal settings give equal draws. It panics if the strength or the number of draws is
// negative.
func NewPosterior(sets int, s BayesSettings) *Posterior {
	if s.Strength == 0 {
		s.Strength = 0.5
	}
	if s.Draws == 0 {
		s.Draws = 50000
	}
	if !(s.Strength > 0 && s.Draws > 0) {
		panic(fmt.Sprintf("stats: NewPosterior: %+v, want none negative", s))
	}
	source := rand.NewPCG(s.Seed, 0)
	prior, rng := distuv.Gamma{Alpha: s.Strength, Beta: 1, Src: source}, rand.New(source)
	p := &Posterior{sets: sets, weights: make([]float64, s.Draws*(sets+1))}
	for draw := range s.Draws {
		w := p.weights[draw*(sets+1) : (draw+1)*(sets+1)]
		w[0] = prior.Rand()
		sum := w[0]
		for i := 1; i < len(w); i++ {
			w[i] = rng.ExpFloat64()
			sum += w[i]
		}
		for i := range w {
			w[i] /= sum
		}
	}
	return p
}

// SignedRank compares two methods by their scores on several data sets, higher is better. Scores
// that differ by less than rope count as equivalent; 1 is usual for accuracies in percent (Benavoli
// et al. 2014, 2017).
//
// The differences are z = (0, second-first), where the 0 stands for the prior.
// The posterior is a Dirichlet distribution of their weights w with parameters
// (s, 1, ..., 1), and a draw of it gives
//
//	Second = Σ w_i w_j [z_i + z_j > 2 rope],  First = Σ w_i w_j [z_i + z_j < -2 rope]
//
// and Equal the rest; a sum on a border counts half on either side. The result has the share of
// draws in which each case has the largest sum; ties are divided equally. It is accurate to about
// 1/√Draws. SignedRank panics if the number of scores is not that of p, a score is not a number, or
// rope is negative.
func (p *Posterior) SignedRank(first, second []float64, rope float64) Regions {
	if len(first) != p.sets || len(second) != p.sets || !(rope >= 0) {
		panic(fmt.Sprintf("stats: Posterior.SignedRank: %d and %d scores of %d data sets, rope %v", len(first), len(second), p.sets, rope))
	}
	checkNumbers("Posterior.SignedRank", first)
	checkNumbers("Posterior.SignedRank", second)
	terms := regionTerms(first, second, rope)
	var won [3]float64
	for w := p.weights; len(w) > 0; w = w[p.sets+1:] {
		// The conversion keeps the product from being fused with the addition: all processors give
		// the same sums.
		var sums [3]float64
		for region, of := range terms {
			sum := 0.0
			for _, t := range of {
				sum += float64(t.factor * w[t.i] * w[t.j])
			}
			sums[region] = sum
		}
		most, count := max(sums[0], sums[1], sums[2]), 0.0
		for _, sum := range sums {
			if sum == most {
				count++
			}
		}
		for region, sum := range sums {
			if sum == most {
				won[region] += 1 / count
			}
		}
	}
	draws := float64(len(p.weights) / (p.sets + 1))
	return Regions{won[0] / draws, won[1] / draws, won[2] / draws}
}

// A pairTerm is the term factor · w_i w_j of a sum. The factor is a power of two, so it is exact: 2
// for the two orders of a pair, half of that on a border.
type pairTerm struct {
	i, j   int
	factor float64
}

// regionTerms returns the terms of First, Equal and Second.
func regionTerms(first, second []float64, rope float64) (terms [3][]pairTerm) {
	z := []float64{0}
	for i := range first {
		z = append(z, second[i]-first[i])
	}
	// region returns the region next to a sum: of the numbers just above it, or just below.
	region := func(sum float64, above bool) int {
		switch border := 2 * rope; {
		case sum > border || sum == border && above:
			return 2
		case sum < -border || sum == -border && !above:
			return 0
		}
		return 1
	}
	for i := range z {
		for j := range i + 1 {
			half := 1.0
			if i == j {
				half = 0.5
			}
			below, above := region(z[i]+z[j], false), region(z[i]+z[j], true)
			if below == above {
				terms[below] = append(terms[below], pairTerm{i, j, 2 * half})
				continue
			}
			terms[below] = append(terms[below], pairTerm{i, j, half})
			terms[above] = append(terms[above], pairTerm{i, j, half})
		}
	}
	return terms
}
