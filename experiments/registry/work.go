package registry

import (
	"math"

	"r2lmlbench/baselines"
	"r2lmlbench/experiments/method"
	"r2lmlbench/r2lml"
	"r2lmlbench/results"
)

func euclideanWork(s method.Size, _ results.Params) (shared, each float64) { return 0, searchWork(s) }

// Manhattan distances are computed one by one, of all pairs.
func manhattanWork(s method.Size, _ results.Params) (shared, each float64) {
	return 0, times(1.4, s.M, s.N, s.D+10)
}

// 20 C(C−1) pairs are projected on, O(D²) a projection, until they hold or after 100,000
// projections. How many it takes depends on the data; 8500 √(pairs/D) is near what 23 drawn data
// sets took, more than a factor of 2 off for few of them.
func itmlWork(s method.Size, _ results.Params) (shared, each float64) {
	projections := min(1e5, 8500*math.Sqrt(times(20, s.C, s.C-1)/float64(s.D)))
	return 0, times(projections, 80+times(0.65, s.D, s.D)) + times(2, s.D, s.D, s.D) + searchWork(s)
}

func lmnnWork(s method.Size, p results.Params) (shared, each float64) {
	return 0, times(number(p, "iterations"), descentWork(s)) + searchWork(s)
}

// LMNN comes first, with 500 iterations.
func lmnnMMWork(s method.Size, p results.Params) (shared, each float64) {
	local := times(0.1, s.N, s.N, s.D+3) + times(0.75, s.C, s.N, s.D, s.D) + times(0.75, s.C, s.D, s.D, s.D)
	return 0, times(500, descentWork(s)) + times(number(p, "iterations"), local) + labelWork(s, float64(s.C))
}

// Eigenvalues at every query sample, then a metric for each; or both at every training sample.
func glmlWork(s method.Size, p results.Params) (shared, each float64) {
	if p["metric"] == string(baselines.MeanGLML) {
		return times(0.2, s.N, s.C, s.C, s.D, s.D) + times(3, s.N, s.D, s.D, s.D), times(0.3, s.N, s.D, s.D, s.D) + searchWork(s)
	}
	return times(0.2, s.M, s.C, s.C, s.D, s.D) + times(3, s.M, s.D, s.D, s.D), times(s.M, s.N, 50+times(0.3, s.D, s.D)) + labelWork(s, 1)
}

// Weights of the training samples over the anchors, whose iterations depend on the data
// more than on its size; then one metric per anchor.
func plmlWork(s method.Size, p results.Params) (shared, each float64) {
	anchors := number(p, "anchors")
	weights := times(1100, anchors, s.N, s.D+55)
	return weights, 3e7 + times(75, anchors, s.N, s.D, s.D) + times(75, anchors, s.D, s.D, s.D) + labelWork(s, anchors)
}

// The pairs of all samples and K proximal maps, of settings that are fitted side by side
// until the maps hardly move and most pairs are screened out. One short fit takes twice as long,
// all fits of Optdigits half as long (2,834 CPU s of 63). Block 2 of the published variant takes up
// to 3000 steps, see r2lml.Published, each of which looks at all pairs.
func transductiveWork(s method.Size, p results.Params) (shared, each float64) {
	n, metrics := s.N+s.M, number(p, "metrics")
	each = blockDescentWork(0.008, n, s.D, p) + labelWork(s, metrics)
	if p["variant"] == string(r2lml.Published) && metrics > 1 {
		each += times(3000, number(p, "epochs"), metrics, n, n, 0.035+times(0.007, s.D))
	}
	return 0, each
}

func efficientWork(s method.Size, p results.Params) (shared, each float64) {
	return 0, blockDescentWork(0.01, s.N, s.D, p) + labelWork(s, number(p, "metrics"))
}

// An evaluation takes N² exponentials. By blocks the pairs stay in the cache. The descent ends
// before its last iteration where there are few samples by feature, which it soon separates.
func ncaWork(s method.Size, p results.Params) (shared, each float64) {
	pair := 0.4
	if s.N > baselines.NCAWhole {
		pair = 0.15
	}
	evaluation := times(pair, s.N, s.N, s.D+15) + times(2, s.N+20, s.D, s.D)
	share := min(1, 0.15*math.Sqrt(float64(s.N)/float64(s.D)))
	return 0, times(number(p, "iterations"), share, evaluation) + searchWork(s)
}

func rcaWork(s method.Size, _ results.Params) (shared, each float64) {
	return 0, times(1.5, s.N, s.D, s.D) + times(2.5, s.D, s.D, s.D) + searchWork(s)
}

// Everything happens at the query samples: sorting the training samples,
// scatter matrices of the near ones, roots, distances.
func dannWork(s method.Size, p results.Params) (shared, each float64) {
	near := number(p, "neighbors")
	if near == 0 {
		near = max(50, float64(s.N/5))
	}
	near = min(near, float64(s.N))
	query := 6e4 + times(170, s.N) + times(0.4, near, s.D, s.D) + times(0.4, s.N, s.D, s.D) + times(10, s.D, s.D, s.D)
	return 0, times(s.M, number(p, "iterations"), query)
}

// Both descents have a fixed number of steps, over as many directions as the
// training set has room for. Kernel principal components are eigenvectors of N × N.
func scmlLocalWork(s method.Size, p results.Params) (shared, each float64) {
	bases := min(number(p, "bases"), float64(s.N))
	ground := tripletWork(s, bases) + times(1.3, s.N, s.N, s.N)
	return ground, 1.6e8 + times(1.6e6, bases) + times(0.3, s.N+s.M, s.D, bases) + times(0.3, s.M, s.N, bases)
}

// Scatter matrices once, a few eigenproblems for every setting.
func kissmeWork(s method.Size, _ results.Params) (shared, each float64) {
	return times(1, s.N, s.D, s.D), times(5, s.D, s.D, s.D) + searchWork(s)
}

func gmmlWork(s method.Size, _ results.Params) (shared, each float64) {
	return times(1, s.N, s.D, s.D), times(1.4, s.D, s.D, s.D) + times(60, s.D, s.D) + searchWork(s)
}

// Affinities of the samples of every class.
func lfdaWork(s method.Size, _ results.Params) (shared, each float64) {
	return times(0.35/float64(s.C), s.N, s.N, s.D+12), times(1, s.D, s.D, s.D) + searchWork(s)
}

// Neighbors of every sample in its class and in the others.
func dmlmjWork(s method.Size, _ results.Params) (shared, each float64) {
	return times(0.5, s.N, s.N, s.D) + times(4, s.N, s.D, s.D), times(1, s.D, s.D, s.D) + searchWork(s)
}

// A kernel machine and its gradients in every iteration; settings that differ in
// iterations alone share them.
func rfmWork(s method.Size, p results.Params) (shared, each float64) {
	iteration := 4e5 + times(0.2, s.N, s.N, s.N) + times(1, s.N, s.N, s.D) + times(100, s.N, s.N) + times(0.6, s.N, s.N, s.C, s.D) + times(4, s.D, s.D, s.D)
	return 0, times(0.35, number(p, "iterations"), iteration) + searchWork(s)
}

// A fixed number of steps over as many directions as the training set has room for.
func scmlGlobalWork(s method.Size, p results.Params) (shared, each float64) {
	bases := min(number(p, "bases"), float64(2*(s.C-1)*s.N))
	return tripletWork(s, bases), times(1e5, bases) + searchWork(s)
}

// tripletWork is what both kinds of SCML begin with: the neighbors of every sample, k-means,
// whose passes take about as long for any D, and discriminant analyses around the centers, in
// the span of the samples.
func tripletWork(s method.Size, bases float64) float64 {
	d := min(s.D, s.N)
	return times(2.2, s.N, s.N, s.D+13) + times(1400, bases, s.N) + times(2.8, bases, d, d, d)
}

// labelWork is the k-NN rule under several maps or coefficients, where every distance is computed,
// after 4e5 units for each fit.
func labelWork(s method.Size, metrics float64) float64 {
	return 4e5 + times(0.11, s.M, s.N, s.D, metrics) + times(1, s.M, s.N)
}

// searchWork is the k-NN rule under one map, whose neighbors are searched, see global in package
// r2lml. It lies above the times in docs/dev/performance.md.
func searchWork(s method.Size) float64 {
	return 4e5 + times(500, s.M) + times(0.4+times(0.015, s.D), s.M, s.N)
}

// descentWork is one iteration of LMNN.
func descentWork(s method.Size) float64 {
	return 2e4 + times(0.045, s.N, s.N, s.D+3) + times(0.65, s.D, s.D, s.D)
}

// blockDescentWork is that of R2LML: in each iteration of block 1, for each of K
// maps, the pairs of n samples and a proximal map. The other blocks are cheap
// beside it. Samples of many features are taken in their span.
func blockDescentWork(pair float64, n, d int, p results.Params) float64 {
	d = r2lml.LearnedDimensions(n, d)
	iteration := 900 + times(pair, n, n, d+5) + times(0.3, d, d, d) + times(30, d, d)
	return times(number(p, "epochs"), number(p, "iterations"), number(p, "metrics"), iteration)
}

// number returns a parameter that is a number, 0 when it is none.
func number(p results.Params, name string) float64 {
	v, _ := p.Number(name)
	return v
}

// times multiplies numbers. Its result is rounded before anybody adds to it, so
// that sums are the same bits on processors that fuse the two.
func times(factors ...any) float64 {
	product := 1.0
	for _, f := range factors {
		switch f := f.(type) {
		case int:
			product = float64(product * float64(f))
		case float64:
			product = float64(product * f)
		}
	}
	return product
}
