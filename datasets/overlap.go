package datasets

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// overlapRows is the number of rows per class that an overlap draws. A split
// takes 240 of them; what is left serves random splits.
const overlapRows = 1000

// spectralRadius is the largest eigenvalue of both covariances (paper, section
// on experiments).
const spectralRadius = 0.3

// An overlap draws two classes from heavily overlapping normal distributions, for
// the paper's two studies of accuracy against lambda. Of these it gives the
// number of features, the spectral radius 0.3 of the covariances and, for the
// second study, the probability 0.5 with which features are set to 0. What it
// leaves open is settled so:
//
//   - both classes have the covariance S = Q diag(v) Q', Q a random orthogonal
//     matrix and v_i = 0.3 i/D. Its condition number is D, so that no linear map
//     tells the classes apart, as one does where S is nearly singular;
//   - the means lie separation apart, in a random direction. Along (1, ..., 1)
//     they would favor the authors' start, maps with entries from [0, 1), which
//     stretches that direction more than all others;
//   - features are zeroed as a whole, in both classes, each with
//     zeroProbability.
type overlap struct {
	features        int     // D
	separation      float64 // Euclidean distance of the means, before features are zeroed
	zeroProbability float64 // of each feature
}

// overlap30 is the first study. The
// separation was chosen so that E-R2LML at lambda = 0, all else as in the paper,
// is right in about the printed 54.4 %. Measured in %, seeds 1 to 100 drawing
// the data and the start, mean and standard deviation over seeds:
//
//	E-R2LML at lambda = 0        54.5  3.8
//	the same, not trained        50.8  3.1
//	Euclidean 5-NN               51.8  2.7
//	Bayes rule, seeds 1 to 200   64.8  2.3
//
// The Bayes rule is right in Φ(δ/2), δ the Mahalanobis distance of the means in
// the features that are not zeroed; its mean is 0.76 here.
var overlap30 = overlap{features: 30, separation: 0.21}

// overlap60 is the second study. Its
// separation was chosen like that of overlap30, for the printed 72.5 %. Measured
// in %, seeds 1 to 40:
//
//	E-R2LML at lambda = 0        72.4  4.9
//	the same, not trained        61.9  4.1
//	Euclidean 5-NN               67.4  4.2
//	Bayes rule, seeds 1 to 200   83.5  3.6
//
// The mean of δ is 1.97. On average no rule comes near the 97.5 % that the paper
// prints for lambda = 1000.
var overlap60 = overlap{features: 60, separation: 0.97, zeroProbability: 0.5}

// overlap60Thirteen is the second study with features zeroed with
// probability 13/60, so that 13 of them are on average, as many as the zero
// columns that the paper prints; of the 30 that its text leads to expect, 13 or
// fewer have probability 6e-6. The separation is that of overlap60, not chosen
// anew. Measured in %:
//
//	E-R2LML at lambda = 0, seeds 1 to 20   75.1  5.8
//	Euclidean 5-NN, seeds 1 to 20          71.3  4.5
//	Bayes rule, seeds 1 to 200             91.4  2.8
//
// The mean of δ is 2.77.
var overlap60Thirteen = overlap{features: 60, separation: 0.97, zeroProbability: 13.0 / 60}

// draw draws 1000 rows per class, class after class. The same numbers always give
// the same data, and the separation does not change what is drawn.
func (o overlap) draw(seed uint64) *Data {
	draw := rand.New(rand.NewPCG(seed, 0))
	zeroed, root, mean := o.parameters(draw)
	d := newData(overlapRows, o.features)
	var x mat.VecDense
	for i := range d.Y {
		if i == overlapRows {
			floats.Scale(-1, mean) // of the other class
		}
		// mean + Rz with RR' the covariance and z standard normal
		x.MulVec(root, mat.NewVecDense(len(mean), gaussian(len(mean), draw)))
		for j, m := range mean {
			d.X.Set(i, j, rounded(m+x.AtVec(j)))
		}
	}
	for i := range d.Y {
		for _, j := range zeroed {
			d.X.Set(i, j, 0)
		}
	}
	return d
}

// parameters draws the features to zero, a root of the covariance and the mean
// of the first class; that of the second is its negative.
func (o overlap) parameters(draw *rand.Rand) (zeroed []int, root *mat.Dense, mean []float64) {
	for j := range o.features {
		if draw.Float64() < o.zeroProbability {
			zeroed = append(zeroed, j)
		}
	}
	root = covarianceRoot(o.features, draw)
	mean = gaussian(o.features, draw) // uniform on the sphere
	floats.Scale(1/floats.Norm(mean, 2), mean)
	floats.Scale(o.separation/2, mean)
	return zeroed, root, mean
}

// covarianceRoot returns R = Q diag(v)^½, of which RR' = Q diag(v) Q' is the
// covariance, v_i = 0.3 i/D.
func covarianceRoot(features int, draw *rand.Rand) *mat.Dense {
	root := orthogonal(features, draw)
	root.Apply(func(_, i int, q float64) float64 {
		return q * math.Sqrt(spectralRadius*float64(i+1)/float64(features))
	}, root)
	return root
}

// orthogonal draws an orthogonal matrix from the Haar measure: the factor Q of
// a Gaussian matrix G = QR, the diagonal of R made positive. Reference: F.
// Mezzadri, How to Generate Random Matrices from the Classical Compact Groups,
// Notices of the AMS 54 (2007).
func orthogonal(n int, draw *rand.Rand) *mat.Dense {
	var qr mat.QR
	qr.Factorize(mat.NewDense(n, n, gaussian(n*n, draw)))
	var q, r mat.Dense
	qr.QTo(&q)
	qr.RTo(&r)
	q.Apply(func(_, j int, v float64) float64 { return math.Copysign(v, v*r.At(j, j)) }, &q)
	return &q
}

// gaussian draws n independent standard normal numbers.
func gaussian(n int, draw *rand.Rand) []float64 {
	z := make([]float64, n)
	for i := range z {
		z[i] = draw.NormFloat64()
	}
	return z
}
