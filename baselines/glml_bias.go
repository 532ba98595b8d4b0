package baselines

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"r2lmlbench/internal/linalg"
	"r2lmlbench/r2lml"
)

// A gaussian is the model of a class: its prior times a normal density.
type gaussian struct {
	mean       []float64
	covariance *mat.SymDense // S
	precision  *mat.SymDense // S⁻¹
	logDet     float64       // log |S|
	logPrior   float64
}

// covarianceFloor is the smallest eigenvalue that a covariance is inverted
// with, as a share of the largest.
const covarianceFloor = 1e-12

// fitGaussians models the classes that have samples, in the order of their
// codes. Covariances have the divisor n_c − 1 and are drawn towards a multiple
// of the identity of the same trace,
//
//	S_c ← (1−ρ) S_c + ρ t_c I,   t_c = tr(S_c)/D
//
// A class of one sample or of equal ones gets the multiple that pools the
// within-class variance of all features and classes (I if that is 0); it is
// named in warnings.
func fitGaussians(p r2lml.Problem, rho float64) (classes []gaussian, warnings []string, err error) {
	centered, freedom := classCentered(p)
	pooled := pooledVariance(centered, freedom)
	for label := 1; label <= p.Classes(); label++ {
		rows := rowsOf(p.Y, label)
		if len(rows) == 0 {
			continue
		}
		s := shrunkCovariance(pickRows(centered, rows), rho)
		if !(mat.Trace(s) > 0) {
			s = scaledIdentity(s.SymmetricDim(), pooled)
			warnings = append(warnings, fmt.Sprintf("class %d has no variance of its own (samples: %d) and got the pooled one of all classes", label, len(rows)))
		}
		g, err := newGaussian(columnMeans(pickRows(p.X, rows)), s, float64(len(rows))/float64(len(p.Y)))
		if err != nil {
			return nil, nil, fmt.Errorf("covariance of class %d: %w", label, err)
		}
		classes = append(classes, g)
	}
	return classes, warnings, nil
}

// classCentered returns the samples less the means of their classes, and the
// degrees of freedom Σ_c (n_c − 1) left in them.
func classCentered(p r2lml.Problem) (x *mat.Dense, freedom int) {
	x = mat.DenseCopyOf(p.X)
	for label := 1; label <= p.Classes(); label++ {
		if rows := rowsOf(p.Y, label); len(rows) > 0 {
			center(x, rows)
			freedom += len(rows) - 1
		}
	}
	return x, freedom
}

// pooledVariance returns the mean variance of the features of centered
// samples; 1 if it is 0.
func pooledVariance(centered *mat.Dense, freedom int) float64 {
	_, d := centered.Dims()
	norm := mat.Norm(centered, 2)
	if norm == 0 {
		return 1
	}
	return norm * norm / float64(d*freedom)
}

// shrunkCovariance returns the covariance of the rows of a centered class,
// shrunk by rho. It is 0 for a single row.
func shrunkCovariance(x *mat.Dense, rho float64) *mat.SymDense {
	n, d := x.Dims()
	s := mat.NewSymDense(d, nil)
	s.SymOuterK((1-rho)/float64(max(n-1, 1)), x.T())
	t := mat.Norm(x, 2)
	t *= t / float64(max(n-1, 1)*d)
	for i := range d {
		s.SetSym(i, i, s.At(i, i)+rho*t)
	}
	return s
}

func newGaussian(mean []float64, s *mat.SymDense, prior float64) (gaussian, error) {
	g := gaussian{mean: mean, covariance: s, logPrior: math.Log(prior)}
	values, v, err := linalg.Eigen(s)
	if err != nil {
		return g, err
	}
	floor := covarianceFloor * values[len(values)-1]
	for i, value := range values {
		value = max(value, floor)
		g.logDet += math.Log(value)
		values[i] = 1 / value
	}
	g.precision = linalg.FromEigen(values, v)
	return g, nil
}

// bias returns the D×D matrix B at x, up to a positive factor. For classes with
// densities p_c (priors included) and Hessians p_c H_c,
//
//	H_c = S_c⁻¹ (x−m_c)(x−m_c)ᵀ S_c⁻¹ − S_c⁻¹
//	B = Σ_{i<j} p_i p_j (p_j − p_i) (H_i − H_j)
//
// Densities of many dimensions under- and overflow, so that the coefficients
// are formed from logarithms and divided by the largest.
func bias(classes []gaussian, x []float64) *mat.SymDense {
	steered := make([][]float64, len(classes)) // S_c⁻¹ (x − m_c)
	logs := make([]float64, len(classes))      // log p_c, without −D/2 log 2π
	for c, g := range classes {
		steered[c], logs[c] = g.at(x)
	}
	b := mat.NewSymDense(len(x), nil)
	var part mat.SymDense
	for c, h := range hessianCoefficients(logs) {
		if h == 0 {
			continue
		}
		part.SymRankOne(classes[c].precision, -1, mat.NewVecDense(len(x), steered[c])) // −H_c
		part.ScaleSym(-h, &part)
		b.AddSym(b, &part)
	}
	return b
}

// at returns S⁻¹ (x − m) and log p(x) + D/2 log 2π.
func (g gaussian) at(x []float64) (steered []float64, log float64) {
	diff := make([]float64, len(x))
	floats.SubTo(diff, x, g.mean)
	steered = make([]float64, len(x))
	mat.NewVecDense(len(x), steered).MulVec(g.precision, mat.NewVecDense(len(x), diff))
	return steered, g.logPrior - (g.logDet+floats.Dot(diff, steered))/2
}

// hessianCoefficients returns the factors of H_c in B, up to a common one, from
// the logarithms q of the densities. The factor of the pair i < j,
//
//	p_i p_j (p_j − p_i) = ± exp(q_i + q_j + max(q_i, q_j) + log(1 − exp(−|q_i − q_j|))),
//
// counts for H_i and, with the other sign, for H_j. Equal densities cancel.
func hessianCoefficients(q []float64) []float64 {
	largest := math.Inf(-1)
	eachPair(len(q), func(i, j int) { largest = max(largest, logFactor(q[i], q[j])) })
	h := make([]float64, len(q))
	if math.IsInf(largest, -1) {
		return h
	}
	eachPair(len(q), func(i, j int) {
		factor := math.Copysign(math.Exp(logFactor(q[i], q[j])-largest), q[j]-q[i])
		h[i] += factor
		h[j] -= factor
	})
	return h
}

func eachPair(n int, do func(i, j int)) {
	for j := range n {
		for i := range j {
			do(i, j)
		}
	}
}

// logFactor returns log |p_i p_j (p_j − p_i)|.
func logFactor(qi, qj float64) float64 {
	return qi + qj + max(qi, qj) + math.Log1p(-math.Exp(-math.Abs(qi-qj)))
}

// pickRows copies some rows of x.
func pickRows(x *mat.Dense, rows []int) *mat.Dense {
	_, d := x.Dims()
	picked := mat.NewDense(len(rows), d, nil)
	for i, row := range rows {
		picked.SetRow(i, x.RawRowView(row))
	}
	return picked
}

// columnMeans returns the mean of every feature.
func columnMeans(x *mat.Dense) []float64 {
	_, d := x.Dims()
	mean := make([]float64, d)
	for j := range mean {
		mean[j] = stat.Mean(mat.Col(nil, j, x), nil)
	}
	return mean
}

// scaledIdentity returns t I of size d.
func scaledIdentity(d int, t float64) *mat.SymDense {
	a := mat.NewSymDense(d, nil)
	for i := range d {
		a.SetSym(i, i, t)
	}
	return a
}
