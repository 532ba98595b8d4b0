package datasets

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"
)

const (
	normFeatures = 20
	normRows     = 3700 // per class: 7400 rows, as many as the published files have
)

// twoNorm is Breiman's two norm problem: two classes in 20 dimensions,
// normal with unit covariance, the means +a (class "0") and -a (class "1") in
// every coordinate, a = 2/√20. The error of the Bayes rule is Φ(-2) = 2.28 %.
//
// L. Breiman, Bias, Variance and Arcing Classifiers, technical report 460,
// University of California at Berkeley, 1996.
var twoNorm = [2]normal{{normShift, 1}, {-normShift, 1}}

// ringNorm is Breiman's ring norm problem: class "0" is normal with mean 0
// and covariance 4I in 20 dimensions, class "1" has unit covariance and mean a
// in every coordinate, a = 2/√20 (some programs take 1/√20, which is another
// problem). The error of the Bayes rule is 1.24 %. Reference: see twoNorm.
var ringNorm = [2]normal{{0, 2}, {normShift, 1}}

// normShift is Breiman's a.
var normShift = 2 / math.Sqrt(normFeatures)

// A normal is the distribution of every coordinate of a class.
type normal struct{ mean, sd float64 }

// drawNorms draws the rows, class after class. The same arguments give the same
// data.
func drawNorms(perClass int, seed uint64, classes [2]normal) *Data {
	draw := rand.New(rand.NewPCG(seed, 0))
	d := newData(perClass, normFeatures)
	for i, code := range d.Y {
		class := classes[code-1]
		for j := range normFeatures {
			d.X.Set(i, j, rounded(class.mean+class.sd*draw.NormFloat64()))
		}
	}
	return d
}

// newData returns room for two classes, "0" and "1", one after the other.
func newData(perClass, features int) *Data {
	d := &Data{Labels: []string{"0", "1"}}
	d.X = mat.NewDense(2*perClass, features, nil)
	d.Y = make([]int, 2*perClass)
	for i := range d.Y {
		d.Y[i] = 1 + i/perClass
	}
	return d
}

// rounded keeps six decimals. Machines differ in the last bits of logarithms and
// of fused multiplications; rounded values agree, so that generated data have one
// digest.
func rounded(v float64) float64 { return math.Round(v*1e6) / 1e6 }

// toyPoints are the four samples of the toy set, two of class "0" before two
// of class "1".
var toyPoints = [4][2]float64{{-1, -0.9}, {1.1, 1}, {-0.8, 1.1}, {1, -1.2}}

// toyCopies is the number of copies of each sample in the toy set: one for each part
// of a split.
const toyCopies = 3

// drawToy returns the toy set: the corners of a slightly irregular square, where
// opposite corners have one class. A linear map that joins both pairs of one class
// maps both diagonals to 0 and so joins all four samples; a map per class maps only
// its own diagonal to 0. The paper's Figure 1 prints no coordinates.
func drawToy(uint64) *Data {
	d := newData(2*toyCopies, 2)
	for i, code := range d.Y {
		d.X.SetRow(i, toyPoints[2*(code-1)+i%2][:])
	}
	return d
}
