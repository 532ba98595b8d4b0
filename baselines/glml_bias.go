package baselines

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/blas/blas64"
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

// covarianceFloor is the least eigenvalue of a covariance, relative to the
// largest; smaller ones are raised to it before inversion.
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
	pooled := 1.0 // mean variance of the features within the classes; 1 if that is 0
	if norm := mat.Norm(centered, 2); norm != 0 {
		_, d := centered.Dims()
		pooled = norm * norm / float64(d*freedom)
	}
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

// classCentered returns the samples minus the means of their classes, and their
// degrees of freedom Σ_c (n_c − 1).
func classCentered(p r2lml.Problem) (x *mat.Dense, freedom int) {
	x = mat.DenseCopyOf(p.X)
	for label := 1; label <= p.Classes(); label++ {
		rows := rowsOf(p.Y, label)
		center(x, rows)
		freedom += max(len(rows)-1, 0)
	}
	return x, freedom
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
	d := len(x)
	steered := make([]float64, len(classes)*d) // S_c⁻¹ (x − m_c)
	logs := make([]float64, len(classes))      // log p_c, without −D/2 log 2π
	diff := make([]float64, d)
	for c, g := range classes {
		logs[c] = g.at(steered[c*d:(c+1)*d], diff, x)
	}
	b := mat.NewSymDense(d, nil)
	for c, h := range hessianCoefficients(logs) {
		if h != 0 {
			classes[c].addHessian(b, h, steered[c*d:(c+1)*d])
		}
	}
	return b
}

// at writes S⁻¹ (x − m) to steered, where x − m goes to diff, and returns log p(x) + D/2 log 2π.
func (g gaussian) at(steered, diff, x []float64) float64 {
	floats.SubTo(diff, x, g.mean)
	blas64.Symv(1, g.precision.RawSymmetric(), blas64.Vector{N: len(x), Data: diff, Inc: 1}, 0, blas64.Vector{N: len(x), Data: steered, Inc: 1})
	return g.logPrior - (g.logDet+floats.Dot(diff, steered))/2
}

// addHessian adds h H to b, where H = v vᵀ − S⁻¹ for v = steered.
func (g gaussian) addHessian(b *mat.SymDense, h float64, steered []float64) {
	from, to := g.precision.RawSymmetric(), b.RawSymmetric()
	for i, vi := range steered {
		row, sum, v := from.Data[i*from.Stride+i:][:from.N-i], to.Data[i*to.Stride+i:][:from.N-i], steered[i:][:from.N-i]
		for j, precision := range row {
			sum[j] += float64(-h * (precision - float64(v[j]*vi)))
		}
	}
}

// hessianCoefficients returns the factors of H_c in B, up to a common one, from
// the logarithms q of the densities. The factor of the pair i < j,
//
//	p_i p_j (p_j − p_i) = ± exp(q_i + q_j + max(q_i, q_j) + log(1 − exp(−|q_i − q_j|))),
//
// counts for H_i and, with the other sign, for H_j. Equal densities cancel.
func hessianCoefficients(q []float64) []float64 {
	largest, h := math.Inf(-1), make([]float64, len(q))
	factors := make([]float64, 0, len(q)*(len(q)-1)/2)
	eachPair(len(q), func(i, j int) {
		factors = append(factors, logFactor(q[i], q[j]))
		largest = max(largest, factors[len(factors)-1])
	})
	if math.IsInf(largest, -1) {
		return h
	}
	eachPair(len(q), func(i, j int) {
		log := factors[0] - largest
		factors = factors[1:]
		if log < negligible {
			return
		}
		factor := math.Copysign(math.Exp(log), q[j]-q[i])
		h[i] += factor
		h[j] -= factor
	})
	return h
}

// negligible: the exponential of a smaller logarithm is 0 in float64.
const negligible = -746

func eachPair(n int, do func(i, j int)) {
	for j := range n {
		for i := range j {
			do(i, j)
		}
	}
}

// logFactor returns log |p_i p_j (p_j − p_i)|. It skips the inner logarithm when rounding
// would lose the smaller density anyway.
func logFactor(qi, qj float64) float64 {
	const lost = 40 // exp(−40) is less than a quarter of the last bit of 1
	sum, apart := qi+qj+max(qi, qj), math.Abs(qi-qj)
	if apart > lost && math.Abs(sum) > 1 {
		return sum
	}
	return sum + math.Log1p(-math.Exp(-apart))
}

// pickRows returns a copy of these rows of x.
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
