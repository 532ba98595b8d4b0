package stats

import (
	"math/rand/v2"

	"gonum.org/v1/gonum/stat/distuv"
)

// A Posterior has the draws of [BayesSignedRank] for comparisons over the same
// number of data sets: they do not depend on the scores. It may be used by
// several goroutines.
type Posterior struct {
	sets   int
	s      BayesSettings
	blocks []drawBlock // (sets+1) for every lanes draws, one weight w_i of each
}

// A drawBlock has the same weight of neighboring draws.
type drawBlock [lanes]float64

// lanes is how many draws are worked on at once. Their sums do not wait for each
// other.
const lanes = 4

// NewPosterior draws for comparisons over so many data sets.
func NewPosterior(sets int, s BayesSettings) *Posterior {
	s = s.resolve()
	p := &Posterior{sets: sets, s: s, blocks: make([]drawBlock, (sets+1)*((s.Draws+lanes-1)/lanes))}
	weights := newDirichlet(s, sets)
	for draw := range s.Draws {
		block := p.block(draw / lanes)
		for i, w := range weights.draw() {
			block[i][draw%lanes] = w
		}
	}
	return p
}

// block has the weights of the lanes draws from number i*lanes on.
func (p *Posterior) block(i int) []drawBlock { return p.blocks[i*(p.sets+1) : (i+1)*(p.sets+1)] }

// SignedRank is [BayesSignedRank] with the settings of p. It panics if there are
// not as many scores as p was made for.
func (p *Posterior) SignedRank(first, second []float64, rope float64) BayesResult {
	checkBayes(first, second, rope, p.s)
	if len(first) != p.sets {
		panic("stats: a Posterior for another number of data sets")
	}
	pairs := pairRegions(first, second, rope)
	terms, quick := newRegionTerms(pairs), newSortedSums(first, second, rope)
	var won Regions
	for draw := 0; draw < p.s.Draws; draw += lanes {
		block, inBlock := p.block(draw/lanes), min(lanes, p.s.Draws-draw)
		if clear, ok := quick.winners(block, inBlock); ok {
			for _, w := range clear[:inBlock] {
				won.add(1, w)
			}
			continue
		}
		first, equal, second := addTerms(terms.first, block), addTerms(terms.equal, block), addTerms(terms.second, block)
		for i := range inBlock {
			won.add(1, winner(Regions{first[i], equal[i], second[i]}))
		}
	}
	draws := float64(p.s.Draws)
	return BayesResult{
		P:    Regions{won.First / draws, won.Equal / draws, won.Second / draws},
		Mean: posteriorMean(pairs, p.s.Strength),
	}
}

// A term is factor · w_i w_j. The factor is 2 for the two orders of a pair, and
// half of that on a border; being a power of two, it costs no rounding.
type term struct {
	i, j   int
	factor float64
}

// regionTerms are the terms of Σ w_i w_j pairs_ij over all ordered pairs, for
// each of the three cases.
type regionTerms struct{ first, equal, second []term }

func newRegionTerms(pairs [][]Regions) regionTerms {
	var t regionTerms
	for i, row := range pairs {
		for j, p := range row {
			times := 2.0
			if i == j {
				times = 1
			}
			t.first = appendTerm(t.first, term{i, j, times * p.First})
			t.equal = appendTerm(t.equal, term{i, j, times * p.Equal})
			t.second = appendTerm(t.second, term{i, j, times * p.Second})
		}
	}
	return t
}

// appendTerm leaves out what adds nothing.
func appendTerm(all []term, t term) []term {
	if t.factor == 0 {
		return all
	}
	return append(all, t)
}

// addTerms adds the terms up, one after the other, for every draw of a block. No
// product is fused with its addition: the sums are the same on all processors.
func addTerms(terms []term, block []drawBlock) drawBlock {
	var a, b, c, d float64
	for _, t := range terms {
		v, w, f := &block[t.i], &block[t.j], t.factor
		a += float64(f * v[0] * w[0])
		b += float64(f * v[1] * w[1])
		c += float64(f * v[2] * w[2])
		d += float64(f * v[3] * w[3])
	}
	return drawBlock{a, b, c, d}
}

// A dirichlet draws weights with parameters (s, 1, ..., 1): gamma variables over
// their sum.
type dirichlet struct {
	prior distuv.Gamma
	rng   *rand.Rand
	w     []float64
}

func newDirichlet(s BayesSettings, n int) *dirichlet {
	source := rand.NewPCG(s.Seed, 0)
	return &dirichlet{
		prior: distuv.Gamma{Alpha: s.Strength, Beta: 1, Src: source},
		rng:   rand.New(source),
		w:     make([]float64, n+1),
	}
}

// draw returns the next weights, valid until it is called again.
func (d *dirichlet) draw() []float64 {
	d.w[0] = d.prior.Rand()
	sum := d.w[0]
	for i := 1; i < len(d.w); i++ {
		d.w[i] = d.rng.ExpFloat64()
		sum += d.w[i]
	}
	for i := range d.w {
		d.w[i] /= sum
	}
	return d.w
}
