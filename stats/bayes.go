package stats

import "fmt"

// BayesSettings are choices of [BayesSignedRank].
type BayesSettings struct {
	Strength float64 // of the prior, s; 0: 0.5
	Draws    int     // from the posterior; 0: 50000
	Seed     uint64  // of the draws
}

// Regions holds a probability for each of three cases: the first method is
// better, the two are practically equivalent, the second is better.
type Regions struct{ First, Equal, Second float64 }

// A BayesResult is the outcome of the Bayesian signed-rank test.
type BayesResult struct {
	// P is the share of posterior draws in which each case is the most
	// probable; a tie counts in equal parts.
	P Regions
	// Mean is the posterior mean of the probabilities of the cases.
	Mean Regions
}

// BayesSignedRank compares two methods by their scores on several data sets,
// higher is better, with rope the difference below which they count as
// equivalent: 1 for accuracies in percent is usual (Benavoli et al. 2014, 2017).
//
// The differences are z = (0, second-first), where the 0 stands for the prior.
// The posterior is a Dirichlet distribution of their weights w with parameters
// (s, 1, ..., 1), and a draw of it gives
//
//	Second = Σ w_i w_j [z_i + z_j > 2 rope],  First = Σ w_i w_j [z_i + z_j < -2 rope]
//
// and Equal the rest; a sum on a border counts half on either side. The draws
// are the same in every call with the same settings. P is accurate to about
// 1/√Draws. It panics if the lengths differ, a score is not a number, or rope, the
// strength or the number of draws is negative.
//
// Who compares many pairs takes a [Posterior], which draws once for all of them.
func BayesSignedRank(first, second []float64, rope float64, s BayesSettings) BayesResult {
	checkBayes(first, second, rope, s.resolve())
	return NewPosterior(len(first), s).SignedRank(first, second, rope)
}

func (s BayesSettings) resolve() BayesSettings {
	if s.Strength == 0 {
		s.Strength = 0.5
	}
	if s.Draws == 0 {
		s.Draws = 50000
	}
	return s
}

func checkBayes(first, second []float64, rope float64, s BayesSettings) {
	if len(first) != len(second) {
		panic(fmt.Sprintf("stats: BayesSignedRank: %d and %d scores", len(first), len(second)))
	}
	checkNumbers("BayesSignedRank", first)
	checkNumbers("BayesSignedRank", second)
	if !(rope >= 0 && s.Strength > 0 && s.Draws > 0) {
		panic(fmt.Sprintf("stats: BayesSignedRank: rope %v with %+v, want none negative", rope, s))
	}
}

// pairRegions tells for i ≥ j in which case the sum z_i + z_j falls.
func pairRegions(first, second []float64, rope float64) [][]Regions {
	z := []float64{0}
	for i := range first {
		z = append(z, second[i]-first[i])
	}
	pairs := make([][]Regions, len(z))
	for i := range z {
		for j := range i + 1 {
			pairs[i] = append(pairs[i], region(z[i]+z[j], 2*rope))
		}
	}
	return pairs
}

// region divides a sum between the cases on the two sides of it.
func region(sum, border float64) Regions {
	var r Regions
	for _, side := range []float64{-1, 1} { // just below the sum and just above
		switch {
		case sum > border || sum == border && side > 0:
			r.Second += 0.5
		case sum < -border || sum == -border && side < 0:
			r.First += 0.5
		default:
			r.Equal += 0.5
		}
	}
	return r
}

// posteriorMean is Σ w_i w_j pairs_ij over all ordered pairs with E[w_i w_j] = a_i (a_j + [i=j]) / A(A+1), the
// moments of the Dirichlet distribution with parameters a of sum A.
func posteriorMean(pairs [][]Regions, strength float64) Regions {
	total := strength + float64(len(pairs)-1)
	parameter := func(i int) float64 {
		if i == 0 {
			return strength
		}
		return 1
	}
	var r Regions
	for i, row := range pairs {
		for j, p := range row[:i] {
			r.add(2*parameter(i)*parameter(j)/(total*(total+1)), p)
		}
		r.add(parameter(i)*(parameter(i)+1)/(total*(total+1)), row[i])
	}
	return r
}

func (r *Regions) add(weight float64, p Regions) {
	r.First += weight * p.First
	r.Equal += weight * p.Equal
	r.Second += weight * p.Second
}

// winner gives one to the largest case, or equal parts to the largest ones.
func winner(r Regions) Regions {
	values := [3]float64{r.First, r.Equal, r.Second}
	most := max(r.First, r.Equal, r.Second)
	var share [3]float64
	count := 0.0
	for i, v := range values {
		if v == most {
			share[i] = 1
			count++
		}
	}
	return Regions{share[0] / count, share[1] / count, share[2] / count}
}
