package baselines

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"r2lmlbench/internal/fixture"
	"r2lmlbench/internal/linalg"
	"r2lmlbench/r2lml"
)

type glmlFitFixture struct {
	X    [][]float64
	Y    []int
	Fits []struct {
		Rho                 float64
		Label               int
		Mean                []float64
		Covariance, Inverse [][]float64
		LogDet              float64 `json:"log_det"`
		Prior               float64
	}
}

// Class 1 of the fixture has three samples in four features, the fourth
// feature is constant, class 7 has one sample.
func TestGLMLGaussians(t *testing.T) {
	fixture.Each(t, "glml", "fit*.json", func(t *testing.T, f glmlFitFixture) {
		p := r2lml.Problem{X: fixture.Dense(f.X), Y: f.Y, Query: fixture.Dense(f.X)}
		labels := slices.Compact(slices.Sorted(slices.Values(f.Y)))
		for _, want := range f.Fits {
			classes, _, err := fitGaussians(p, want.Rho)
			fixture.Check(t, err)
			g := classes[slices.Index(labels, want.Label)]
			checkVector(t, "mean", g.mean, want.Mean, 1e-14)
			checkMatrix(t, "covariance", g.covariance, fixture.Dense(want.Covariance), 1e-8)
			checkMatrix(t, "precision", g.precision, fixture.Dense(want.Inverse), 1e-8)
			checkValue(t, "log det", g.logDet, want.LogDet, 1e-8)
			checkValue(t, "log prior", g.logPrior, math.Log(want.Prior), 1e-12)
		}
	})
}

type glmlMetricFixture struct {
	Cases []struct {
		Name        string
		Means       [][]float64
		Covariances [][][]float64
		Diagonals   [][]float64 `json:"covariance_diagonals"`
		Priors      []float64
		Points      []struct {
			X           []float64
			Log         []float64 `json:"log_prior_density"`
			B           [][]float64
			Eigenvalues []float64 `json:"B_eigenvalues_ascending"`
			Plus        int       `json:"d_plus"` // of them are positive
			Minus       int       `json:"d_minus"`
			Metrics     []struct {
				Gamma      float64
				A          [][]float64
				Trace      float64   `json:"trace_A"`
				ToTheMeans []float64 `json:"dist2_to_class_means"`
			}
		}
	}
}

func TestGLMLMetrics(t *testing.T) {
	const tolerance = 1e-9
	fixture.Each(t, "glml", "metric*.json", func(t *testing.T, f glmlMetricFixture) {
		for _, c := range f.Cases {
			classes := make([]gaussian, len(c.Means))
			for i, mean := range c.Means {
				var s *mat.Dense
				if c.Diagonals != nil {
					s = mat.DenseCopyOf(mat.NewDiagDense(len(mean), c.Diagonals[i]))
				} else {
					s = fixture.Dense(c.Covariances[i])
				}
				classes[i] = fixture.Must(newGaussian(mean, linalg.Symmetrize(s), c.Priors[i]))(t)
			}
			for _, point := range c.Points {
				for i, g := range classes {
					log := g.at(make([]float64, len(point.X)), make([]float64, len(point.X)), point.X)
					checkValue(t, c.Name+": log density", log-float64(len(g.mean))/2*math.Log(2*math.Pi), point.Log[i], tolerance)
				}
				b := bias(classes, point.X)
				if point.B != nil && mat.Norm(fixture.Dense(point.B), 2) > 0 {
					checkMatrix(t, c.Name+": B", b, fixture.Dense(point.B), tolerance)
				}
				values, v, err := linalg.Eigen(b)
				fixture.Check(t, err)
				checkVector(t, c.Name+": eigenvalues", values, point.Eigenvalues, tolerance)
				zero := tolerance * largestAbs(point.Eigenvalues)
				plus := floats.Count(func(v float64) bool { return v > zero }, values)
				minus := floats.Count(func(v float64) bool { return v < -zero }, values)
				fixture.Equal(t, c.Name+": positive and negative eigenvalues", [2]int{plus, minus}, [2]int{point.Plus, point.Minus})
				for _, want := range point.Metrics {
					a := linalg.FromEigen(glmlWeights(values, want.Gamma), v)
					if want.A != nil {
						checkMatrix(t, c.Name+": A", a, fixture.Dense(want.A), tolerance)
						continue
					}
					checkValue(t, c.Name+": trace", mat.Trace(a), want.Trace, tolerance)
					for i, mean := range c.Means {
						diff := mat.NewVecDense(len(mean), nil)
						diff.SubVec(mat.NewVecDense(len(mean), point.X), mat.NewVecDense(len(mean), mean))
						checkValue(t, c.Name+": distance", mat.Inner(diff, a, diff), want.ToTheMeans[i], tolerance)
					}
				}
			}
		}
	})
}

type glmlPredictFixture struct {
	queriesFixture
	K    int
	Runs []struct {
		Rho, Gamma float64
		Distances  [][]float64 `json:"dist2"` // to the nearest
		predicted
	}
}

func TestGLMLPredictions(t *testing.T) {
	fixture.Each(t, "glml", "predict*.json", func(t *testing.T, f glmlPredictFixture) {
		p := f.problem()
		for _, run := range f.Runs {
			fitted := fit(t, GLML{Gamma: run.Gamma, Shrinkage: run.Rho}, p)
			run.check(t, p, fitted.Metric, f.K)
			all := distances(p, fitted)
			for m, near := range run.Nearest {
				for i, n := range near {
					checkValue(t, "squared distance", all[m*len(p.Y)+n], run.Distances[m][i], 1e-8)
				}
			}
		}
	})
}

// The defining property of A: tr(A⁻¹B) = 0 where B has eigenvalues of both
// signs, and |A| = 1.
func TestGLMLWeightsCancelTheBias(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := rapid.SliceOfN(rapid.Float64Range(0.001, 10), 2, 8).Draw(t, "l")
		minus := rapid.IntRange(1, len(l)-1).Draw(t, "negative ones")
		for i := range minus {
			l[i] = -l[i]
		}
		var trace, logs float64
		for i, a := range glmlWeights(l, 0) {
			trace += l[i] / a
			logs += math.Log(a)
		}
		fixture.Near(t, "trace", trace, 0, 1e-9*float64(len(l))*largestAbs(l))
		fixture.Near(t, "log |A|", logs, 0, 1e-12)
	})
}

func TestGLMLWeights(t *testing.T) {
	// a = (2·3, 1·4, 2·1) has the product 48.
	root := math.Cbrt(48)
	floored := math.Cbrt(1e-12)
	for _, tt := range []struct {
		name     string
		l        []float64
		gamma    float64
		want     []float64
		tolerate float64
	}{
		{"both signs", []float64{3, -4, 1}, 0, []float64{6 / root, 4 / root, 2 / root}, 1e-14},
		{"no bias", []float64{0, 0}, 0.5, []float64{1, 1}, 0},
		{"one sign", []float64{2, 0.5}, 0, []float64{2, 0.5}, 1e-14},
		{"zero eigenvalue meets the floor", []float64{-5, 1e-10, 5}, 0, []float64{1 / floored, 1e-12 / floored, 1 / floored}, 1e-6},
		{"largest gamma is Euclidean", []float64{-5, 1, 5}, math.MaxFloat64, []float64{1, 1, 1}, 1e-12},
	} {
		if got := glmlWeights(tt.l, tt.gamma); !floats.EqualApprox(got, tt.want, tt.tolerate) {
			t.Errorf("%s: weights %v, want %v", tt.name, got, tt.want)
		}
	}
}
