package baselines

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/diff/fd"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"r2lmlbench/internal/fixture"
	"r2lmlbench/internal/linalg"
	"r2lmlbench/r2lml"
)

type weightsFixture struct {
	X, U, L   [][]float64
	AtUniform float64 `json:"objective_at_uniform_W_l1_1_l2_100"`
	Runs      []struct {
		Lambda1, Lambda2 float64
		W                [][]float64
		Objective        float64
		Terms            struct{ Reconstruction, Locality, Manifold float64 }
		Gradient         [][]float64 `json:"gradient_at_W"`
	}
}

// graphOfLaplacian is the graph with the Laplacian l.
func graphOfLaplacian(l [][]float64) graph {
	g := graph{edges: make([][]edge, len(l)), degree: make([]float64, len(l))}
	for i, row := range l {
		for j := range i {
			if row[j] != 0 {
				g.join(i, j, -row[j])
			}
		}
	}
	return g
}

func TestWeightsFixtures(t *testing.T) {
	fixture.Each(t, "plml", "weights*.json", func(t *testing.T, f weightsFixture) {
		for _, want := range f.Runs {
			with := func(lambda1, lambda2 float64) *weighting {
				return fixture.Must(newWeighting(fixture.Dense(f.X), fixture.Dense(f.U), graphOfLaplacian(f.L), lambda1, lambda2))(t)
			}
			p := with(want.Lambda1, want.Lambda2)
			if want.Lambda1 == 1 && want.Lambda2 == 100 {
				checkValue(t, "objective at equal weights", p.value(p.start()), f.AtUniform, 1e-9)
			}
			at := p.start()
			at.w.Copy(fixture.Dense(want.W))
			value := func(p *weighting) float64 { // at the optimum
				p.differentiate(at)
				return p.value(at)
			}
			reconstruction := value(with(0, 0))
			checkValue(t, "‖X − WU‖²", reconstruction, want.Terms.Reconstruction, 1e-9)
			checkValue(t, "term of λ₁", value(with(1, 0))-reconstruction, want.Terms.Locality, 1e-9)
			checkValue(t, "term of λ₂", value(with(0, 1))-reconstruction, want.Terms.Manifold, 1e-9)
			checkValue(t, "objective at the optimum", value(p), want.Objective, 1e-9)
			at.gradient.Add(at.gradient, p.linear)
			checkMatrix(t, "gradient", at.gradient, fixture.Dense(want.Gradient), 1e-9)

			w, iterations, err := p.minimize(t.Context(), 1e-11)
			fixture.Check(t, err)
			at.w.Copy(w)
			p.differentiate(at)
			t.Logf("l1 %g, l2 %g: %d iterations", want.Lambda1, want.Lambda2, iterations)
			checkValue(t, "objective", p.value(at), want.Objective, 1e-9)
			fixture.Near(t, "what a weight differs by", largestDifference(w, fixture.Dense(want.W)), 0, 1e-6)
		}
	})
}

type tripletsFixture struct {
	X    [][]float64
	Y    []int
	Runs []struct {
		Same, Different int
		Triplets        [][3]int
		Count           int
		OfSample9       [][3]int `json:"triplets_of_sample_9"`
	}
}

func TestTripletsFixtures(t *testing.T) {
	fixture.Each(t, "plml", "triplets*.json", func(t *testing.T, f tripletsFixture) {
		for _, want := range f.Runs {
			var got, of9 [][3]int
			for _, c := range comparisonsOf(surroundings(context.Background(), fixture.Dense(f.X), f.Y, want.Same, want.Different)) {
				got = append(got, [3]int{c.i, c.j, c.k})
				if c.i == 9 {
					of9 = append(of9, got[len(got)-1])
				}
			}
			switch {
			case want.Triplets != nil && !slices.Equal(got, want.Triplets):
				t.Errorf("triplets %v, want %v", got, want.Triplets)
			case want.Triplets == nil && len(got) != want.Count:
				t.Errorf("%d triplets, want %d", len(got), want.Count)
			case want.OfSample9 != nil && !slices.Equal(of9, want.OfSample9):
				t.Errorf("triplets of sample 9 %v, want %v", of9, want.OfSample9)
			}
		}
	})
}

type basisFixture struct {
	X        [][]float64
	Y        []int
	W        [][]float64
	Triplets [][3]int
	XQuery   [][]float64 `json:"X_query"`
	Runs     []struct {
		Alpha1, Alpha2 float64
		AtHalf         struct {
			H        float64 `json:"g"`
			Gradient []float64
			M        [][][]float64
			Primal   float64
		} `json:"at_gamma_half"`
		Optimum struct {
			Primal, Dual float64
			M            [][][]float64
			Labels       []int `json:"labels_5nn"`
		}
	}
}

// surroundingsOf groups triplets that are all pairs of some neighbors.
func surroundingsOf(n int, triplets [][3]int) []surrounding {
	all := make([]surrounding, n)
	for _, t := range triplets {
		s := &all[t[0]]
		if !slices.Contains(s.same, t[1]) {
			s.same = append(s.same, t[1])
		}
		if !slices.Contains(s.other, t[2]) {
			s.other = append(s.other, t[2])
		}
	}
	return all
}

func TestBasisFixtures(t *testing.T) {
	fixture.Each(t, "plml", "metric*.json", func(t *testing.T, f basisFixture) {
		s := &weightedAnchors{
			p: r2lml.Problem{X: fixture.Dense(f.X), Y: f.Y, Query: fixture.Dense(f.XQuery)},
			w: fixture.Dense(f.W), around: surroundingsOf(len(f.X), f.Triplets),
		}
		s.nearest = nearestTo(context.Background(), s.p)
		for _, run := range f.Runs {
			p := s.problem(context.Background(), run.Alpha1, run.Alpha2)
			if p.triplets() != len(f.Triplets) {
				t.Fatalf("%d triplets, want %d", p.triplets(), len(f.Triplets))
			}
			half := ones(len(f.Triplets))
			floats.Scale(0.5, half)
			b := fixture.Must(p.at(half))(t)
			gradient, primal := p.slopes(b)
			checkValue(t, "h at 0.5", b.h, run.AtHalf.H, 1e-9)
			checkValue(t, "value at 0.5", primal, run.AtHalf.Primal, 1e-9)
			checkVector(t, "gradient at 0.5", gradient, run.AtHalf.Gradient, 1e-9)
			for k, m := range b.metrics() {
				checkMetric(t, "M at 0.5", m, run.AtHalf.M[k], 1e-9)
			}

			b, gap, err := p.minimize(t.Context(), 1e-10, basisIterations)
			fixture.Check(t, err)
			_, primal = p.slopes(b)
			t.Logf("alpha1 %g, alpha2 %g: gap %.2g", run.Alpha1, run.Alpha2, gap)
			checkValue(t, "value", primal, run.Optimum.Primal, 1e-6)
			checkValue(t, "dual value", -b.h, run.Optimum.Dual, 1e-6)
			for k, m := range b.metrics() {
				checkMetric(t, "M", m, run.Optimum.M[k], 1e-4)
			}
			fixture.EqualSlice(t, "labels", r2lml.Classify(s.p, s.localMetric(b).Metric, 5), run.Optimum.Labels)
		}
	})
}

// checkMetric compares matrices of which the wanted one may be 0.
func checkMetric(t *testing.T, name string, got mat.Matrix, want [][]float64, tolerance float64) {
	t.Helper()
	var diff mat.Dense
	diff.Sub(got, fixture.Dense(want))
	if d := mat.Norm(&diff, 2); !(d <= tolerance*(1e-3+mat.Norm(fixture.Dense(want), 2))) {
		t.Errorf("%s is\n%.6g\nwant\n%.6g", name, mat.Formatted(got), mat.Formatted(fixture.Dense(want)))
	}
}

// basisProblemOf returns the second problem of PLML for p.
func basisProblemOf(t *testing.T, p r2lml.Problem, alpha1, alpha2 float64) (*basisProblem, *weightedAnchors) {
	t.Helper()
	m := fixture.Must(PLML{Alpha1: alpha1, Alpha2: alpha2, Anchors: 3}.Resolve())(t)
	s := fixture.Must(m.first(t.Context(), p))(t)
	return s.problem(context.Background(), alpha1, alpha2), s
}

// With fewer samples than features the metrics are found in the span of the
// samples. That changes neither the dual nor the distances.
func TestBasisInTheSpan(t *testing.T) {
	_, s := basisProblemOf(t, twoBlobs(4, 11), 0.5, 0.7)
	full := &weightedAnchors{p: s.p, w: s.w, nearest: s.nearest, around: s.around}
	gamma := ones(s.problem(context.Background(), 0.5, 0.7).triplets())
	floats.Scale(0.4, gamma)
	var h []float64
	var d [][]float64
	for _, ground := range []*weightedAnchors{s, full} {
		b := fixture.Must(ground.problem(context.Background(), 0.5, 0.7).at(gamma))(t)
		h, d = append(h, b.h), append(d, distances(s.p, ground.localMetric(b)))
	}
	fixture.Equal(t, "directions of the span", s.span.RawMatrix().Cols, 8)
	checkValue(t, "h", h[0], h[1], 1e-12)
	if !floats.EqualApprox(d[0], d[1], 1e-12*largestAbs(d[1])) {
		t.Errorf("distances %v, want %v", d[0], d[1])
	}
}

func TestBasisGradientAgreesWithDifferences(t *testing.T) {
	p, _ := basisProblemOf(t, twoBlobs(6, 3), 0.5, 0.7)
	gamma := make([]float64, p.triplets())
	for i := range gamma {
		gamma[i] = float64(i%7) / 10
	}
	b := fixture.Must(p.at(gamma))(t)
	got, _ := p.slopes(b)
	want := fd.Gradient(nil, func(gamma []float64) float64 {
		b := fixture.Must(p.at(gamma))(t)
		return b.h
	}, gamma, &fd.Settings{Formula: fd.Central})
	if !floats.EqualApprox(got, want, 1e-6*largestAbs(want)) {
		t.Errorf("gradient %v, by differences %v", got, want)
	}
}

// With a large α₁ the metrics are so small that every triplet is violated:
// γ = 1 is the solution, and the first.
func TestBasisLargeAlpha1(t *testing.T) {
	p, _ := basisProblemOf(t, twoBlobs(6, 3), 1e6, 1)
	b, gap, err := p.minimize(t.Context(), 1e-9, basisIterations)
	fixture.Check(t, err)
	if gap > 1e-12 || !slices.Equal(b.gamma, ones(p.triplets())) {
		t.Errorf("gap %g at γ = %v, want 0 at 1", gap, b.gamma)
	}
}

// One sample whose metric vanishes does not touch the others.
func TestPLMLFieldFallsBackPerSample(t *testing.T) {
	p := r2lml.Problem{X: fixture.Dense([][]float64{{0, 0}, {1, 0}}), Y: []int{1, 2}, Query: fixture.Dense([][]float64{{0, 1}, {2, 0}})}
	s := &weightedAnchors{p: p, w: fixture.Dense([][]float64{{1, 0}, {0.5, 0.5}}), nearest: []int{0, 1}}
	none := fixture.Must((&basisProblem{ctx: context.Background(), x: p.X, w: s.w, alpha1: 1}).at(nil))(t)
	none.values[1] = []float64{0, 4}
	none.vectors[1] = fixture.Dense([][]float64{{0, 1}, {1, 0}}) // M_2 = diag(4, 0)
	f := s.localMetric(none)
	// Query 0 takes sample 0, whose metric is 0; query 1 half of M_2.
	if got, want := distances(p, f), []float64{1, 2, 8, 2}; !floats.EqualApprox(got, want, 1e-14) {
		t.Errorf("distances %v, want %v", got, want)
	}
	fixture.EqualSlice(t, "warnings", f.Warnings, []string{"the learned metric is 0 at 1 of 2 training samples; there it is that of the scaled features"})
}

type graphFixture struct {
	X      [][]float64
	Graphs []struct {
		K     int
		Tuner int         `json:"sigma_neighbour"`
		Sigma []float64   // of every sample
		S, L  [][]float64 // N×N
	}
}

// Rows 10 and 11 of the fixture are equal.
func TestGraphFixtures(t *testing.T) {
	fixture.Each(t, "plml", "graph*.json", func(t *testing.T, f graphFixture) {
		for _, want := range f.Graphs {
			_, scale := tunedNeighbors(context.Background(), fixture.Dense(f.X), want.K, want.Tuner)
			if raiseZeros(scale); !floats.EqualApprox(scale, want.Sigma, 1e-12) {
				t.Errorf("scales %v, want %v", scale, want.Sigma)
			}
			g := selfTuningGraph(context.Background(), fixture.Dense(f.X), want.K, want.Tuner)
			checkMatrix(t, "L", laplacian(g), fixture.Dense(want.L), 1e-10)
			for i, row := range want.S {
				for _, e := range g.edges[i] {
					row[e.to] -= e.weight
				}
				fixture.Near(t, "what a weight differs by", largestAbs(row), 0, 1e-10)
			}
		}
	})
}

func laplacian(g graph) *mat.Dense {
	n := len(g.edges)
	l := mat.NewDense(n, n, nil)
	g.addLaplacian(l, 1, mat.DenseCopyOf(scaledIdentity(n, 1)))
	return l
}

func TestGraphBoundsItsEigenvalues(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.Float64Range(-5, 5), 2, 30).Draw(t, "x")
		x := mat.NewDense(len(values), 1, slices.Clone(values))
		g := selfTuningGraph(context.Background(), x, rapid.IntRange(1, 6).Draw(t, "k"), 7)
		eigenvalues, _, err := linalg.Eigen(linalg.Symmetrize(laplacian(g)))
		fixture.Check(t, err)
		largest := eigenvalues[len(eigenvalues)-1]
		if bound := g.largestEigenvalue(); bound < largest*(1-1e-12) || bound > 2*largest+1e-12 {
			t.Errorf("bound %g of the eigenvalue %g", bound, largest)
		}
	})
}

func random(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0)) }

func TestKMeansByHand(t *testing.T) {
	x := fixture.Dense([][]float64{{0, 0}, {0, 2}, {10, 0}, {10, 2}, {-20, 1}})
	got := fixture.Must(kMeans(t.Context(), random(1), x, 3))(t)
	var rows [][]float64
	for c := range 3 {
		rows = append(rows, got.RawRowView(c))
	}
	slices.SortFunc(rows, slices.Compare[[]float64])
	for c, want := range [][]float64{{-20, 1}, {0, 1}, {10, 1}} {
		fixture.EqualSlice(t, "center", rows[c], want)
	}
}

// A center far from all rows loses them and starts anew at the farthest row.
func TestEmptyCluster(t *testing.T) {
	x := fixture.Dense([][]float64{{0}, {1}, {9}})
	centers := fixture.Dense([][]float64{{0}, {100}})
	fixture.Equal(t, "inertia", lloyd(context.Background(), x, centers), 0.5)
	fixture.EqualSlice(t, "centers", mat.Col(nil, 0, centers), []float64{0.5, 9})
}

// Where Lloyd's algorithm stops, every center is the mean of its rows and
// every row is with its nearest center.
func TestKMeansIsAFixedPoint(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 30).Draw(t, "n")
		k := rapid.IntRange(1, 8).Draw(t, "k")
		draw := random(rapid.Uint64().Draw(t, "seed"))
		x := mat.NewDense(n, 2, nil)
		for i := range n {
			x.SetRow(i, []float64{float64(draw.IntN(6)), float64(draw.IntN(6))})
		}
		centers := fixture.Must(kMeans(context.Background(), draw, x, k))(t)
		sums, counts := map[int][]float64{}, map[int]int{}
		for i := range n {
			c := floats.MinIdx(squaredDistances(centers, x.RawRowView(i)))
			if sums[c] == nil {
				sums[c] = make([]float64, 2)
			}
			floats.Add(sums[c], x.RawRowView(i))
			counts[c]++
		}
		for c, sum := range sums {
			floats.Scale(1/float64(counts[c]), sum)
			if !floats.EqualApprox(sum, centers.RawRowView(c), 1e-12) {
				t.Fatalf("center %v of rows with the mean %v", centers.RawRowView(c), sum)
			}
		}
	})
}
