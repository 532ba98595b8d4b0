package r2lml

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"

	"r2lmlbench/internal/kernel"
	"r2lmlbench/internal/linalg"
)

// A boxTree is an index of mapped samples: a k-d tree whose leaves have at most leafSize
// samples, each node with the box around its samples. It is measured here, not used:
// docs/dev/scale.md says why.
type boxTree struct {
	low, high   []float64
	rows        []int // samples of a leaf
	left, right *boxTree
}

const leafSize = 16

// newBoxTree splits rows at the median of the widest feature of z.
func newBoxTree(z *mat.Dense, rows []int) *boxTree {
	t := &boxTree{low: mat.Row(nil, rows[0], z), high: mat.Row(nil, rows[0], z)}
	widest := 0
	for _, i := range rows {
		for k, v := range z.RawRowView(i) {
			t.low[k], t.high[k] = min(t.low[k], v), max(t.high[k], v)
		}
	}
	for k := range t.low {
		if t.high[k]-t.low[k] > t.high[widest]-t.low[widest] {
			widest = k
		}
	}
	if len(rows) <= leafSize {
		t.rows = rows
		return t
	}
	slices.SortFunc(rows, func(a, b int) int {
		switch va, vb := z.At(a, widest), z.At(b, widest); {
		case va < vb:
			return -1
		case va > vb:
			return 1
		}
		return a - b
	})
	half := len(rows) / 2
	t.left, t.right = newBoxTree(z, rows[:half]), newBoxTree(z, rows[half:])
	return t
}

// boxTolerance is far above the rounding of squared distances near 1.
const boxTolerance = 1e-9

// between returns whether all pairs of two nodes are at distance 1 or more, or all below.
func (t *boxTree) between(u *boxTree) (far, near bool) {
	var least, most float64
	for k := range t.low {
		gap := max(0, t.low[k]-u.high[k], u.low[k]-t.high[k])
		span := max(t.high[k]-u.low[k], u.high[k]-t.low[k])
		least += gap * gap
		most += span * span
	}
	return least > 1+boxTolerance, most < 1-boxTolerance
}

// pairs visits the largest pairs of nodes that are decided, and the undecided pairs of leaves.
func (t *boxTree) pairs(u *boxTree, visit func(t, u *boxTree, far, near bool)) {
	far, near := t.between(u)
	switch {
	case far || near || t.rows != nil && u.rows != nil:
		visit(t, u, far, near)
	case t == u:
		t.left.pairs(t.left, visit)
		t.left.pairs(t.right, visit)
		t.right.pairs(t.right, visit)
	case u.rows != nil || t.rows == nil && t.size() >= u.size():
		t.left.pairs(u, visit)
		t.right.pairs(u, visit)
	default:
		t.pairs(u.left, visit)
		t.pairs(u.right, visit)
	}
}

// size is the largest side of the box.
func (t *boxTree) size() float64 {
	var size float64
	for k := range t.low {
		size = max(size, t.high[k]-t.low[k])
	}
	return size
}

// eachRow visits the samples below a node.
func (t *boxTree) eachRow(visit func(i int)) {
	if t.rows == nil {
		t.left.eachRow(visit)
		t.right.eachRow(visit)
	}
	for _, i := range t.rows {
		visit(i)
	}
}

// indexed draws a problem as BenchmarkScale in experiments/cost does, with means of four
// classes that are apart by a number of standard deviations, in the scale of AutoStep.
func indexed(n, d int, apart float64) (*mat.Dense, []int) {
	r := rand.New(rand.NewPCG(uint64(n), uint64(d)))
	x, y := normalDense(r, n, d), make([]int, n)
	for i := range y {
		y[i] = 1 + i%4
		x.Set(i, i%4%d, x.At(i, i%4%d)+apart)
	}
	s, err := scaleOf(x)
	if err != nil {
		panic(err)
	}
	return s.of(x), y
}

// startOf starts E-R2LML with one metric and λ = 10.
func startOf(x *mat.Dense, y []int, iterations int) *blockDescent {
	step := StepLength(1 / (4 * float64(len(y)) * float64(len(y))))
	m := Efficient{Variant: Reference, Metrics: 1, Lambda: 10, C: 1, Step: step, Epochs: 1, Iterations: iterations}
	return startEfficient(Problem{X: x, Y: y, Seed: 1}, x, m, labelSimilarity(y, 0))
}

// principal returns the mapped samples by their principal directions: distances are the
// same, and boxes are smaller.
func principal(l, x *mat.Dense) *mat.Dense {
	z := linalg.MapRows(l, x)
	n, d := z.Dims()
	mean := make([]float64, d)
	for k := range d {
		mean[k] = mat.Sum(z.ColView(k)) / float64(n)
	}
	shift(z, mean)
	_, vectors, err := linalg.Eigen(linalg.Gram(z))
	if err != nil {
		panic(err)
	}
	var turned mat.Dense
	turned.Mul(z, vectors)
	return &turned
}

// nearBits returns the pairs at distance below 1, in the layout of kernel.Near.
func nearBits(z *mat.Dense) []uint64 {
	n, d := z.Dims()
	panels, h := linalg.Panels(z), make([]float64, kernel.PanelLen(n, 1))
	for i := range n {
		for _, v := range z.RawRowView(i) {
			h[i] += v * v / 2
		}
	}
	masks := make([]uint64, kernel.TileOffset(kernel.TileRows(n)))
	kernel.Near(masks, panels, h, nil, n, d, 0, kernel.TileRows(n))
	return masks
}

// bitOf tells whether the pair i ≠ j is marked.
func bitOf(masks []uint64, i, j int) bool {
	i, j = max(i, j), min(i, j)
	t := i / kernel.TileRow
	return masks[kernel.TileOffset(t)+j/kernel.Panel]>>(kernel.Panel*(i%kernel.TileRow)+j%kernel.Panel)&1 == 1
}

// TestBoxTree: what boxes decide is what the kernel finds, and all pairs are visited once.
func TestBoxTree(t *testing.T) {
	for _, d := range []int{2, 4, 16} {
		x, y := indexed(300, d, 2)
		f := startOf(x, y, 50)
		if batchedFor(f).transforms(t.Context(), []*blockDescent{f}); f.err != nil {
			t.Fatal(f.err)
		}
		z := principal(f.l[0], x)
		n, _ := z.Dims()
		masks, visited, decided := nearBits(z), 0, 0
		root := newBoxTree(z, upTo(n))
		root.pairs(root, func(a, b *boxTree, far, near bool) {
			a.eachRow(func(i int) {
				b.eachRow(func(j int) {
					switch {
					case a == b && j >= i:
						return
					case far && bitOf(masks, i, j), near && !bitOf(masks, i, j):
						t.Errorf("D = %d: samples %d and %d: far is %v, near is %v, the kernel says otherwise", d, i, j, far, near)
					case far || near:
						decided++
					}
					visited++
				})
			})
		})
		if visited != n*(n-1)/2 || d == 2 && decided == 0 {
			t.Errorf("D = %d: %d pairs visited, %d of them decided; want %d", d, visited, decided, n*(n-1)/2)
		}
	}
}

func upTo(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}

// BenchmarkIndex compares block 1 with an index of the mapped samples, in maps after 1 and 100
// iterations: ms/iteration is that of the engine over them, ms/pass that of one pass over all
// pairs without screen and prefilter, ms/boxes that of making and walking a tree. Percentages
// are of all tiles of pairs for %tiles, those with a dissimilar pair that is near, and else of
// all pairs: dissimilar ones that are near, and those that boxes leave undecided.
func BenchmarkIndex(b *testing.B) {
	for _, apart := range []float64{2, 6} {
		for _, d := range []int{4, 16} {
			for _, iterations := range []int{1, 100} {
				for _, n := range []int{5000, 10000, 20000, 40000} {
					b.Run(fmt.Sprintf("apart=%g/d=%d/iterations=%d/n=%d", apart, d, iterations, n), func(b *testing.B) {
						x, y := indexed(n, d, apart)
						for b.Loop() {
							compareIndex(b, x, y, iterations)
						}
					})
				}
			}
		}
	}
}

func compareIndex(b *testing.B, x *mat.Dense, y []int, iterations int) {
	n := len(y)
	timed := func(unit string, count int, work func()) {
		started := time.Now()
		work()
		b.ReportMetric(time.Since(started).Seconds()*1000/float64(count), unit)
	}
	f := startOf(x, y, iterations)
	engine := batchedFor(f)
	timed("ms/iteration", iterations, func() { engine.transforms(b.Context(), []*blockDescent{f}) })
	if f.err != nil {
		b.Fatal(f.err)
	}
	z := principal(f.l[0], x)
	var masks []uint64
	timed("ms/pass", 1, func() { masks = nearBits(z) })
	undecided := 0
	timed("ms/boxes", 1, func() {
		root := newBoxTree(z, upTo(n))
		root.pairs(root, func(t, u *boxTree, far, near bool) {
			if !far && !near {
				undecided += len(t.rows) * len(u.rows)
			}
		})
	})
	near, tiles := dissimilarOf(masks, y)
	pairs := float64(n) * float64(n-1) / 2
	b.ReportMetric(100*float64(near)/pairs, "%near")
	b.ReportMetric(100*float64(tiles)/float64(len(masks)), "%tiles")
	b.ReportMetric(100*min(1, float64(undecided)/pairs), "%undecided")
}

// dissimilarOf counts the marked pairs of different classes, and the tiles that have some.
func dissimilarOf(masks []uint64, y []int) (pairs, tiles int) {
	for t := range kernel.TileRows(len(y)) {
		for at := kernel.TileOffset(t); at < kernel.TileOffset(t+1); at++ {
			first, count := (at-kernel.TileOffset(t))*kernel.Panel, pairs
			for m := masks[at]; m != 0; m &= m - 1 {
				bit := bits.TrailingZeros64(m)
				if y[t*kernel.TileRow+bit/kernel.Panel] != y[first+bit%kernel.Panel] {
					pairs++
				}
			}
			if pairs > count {
				tiles++
			}
		}
	}
	return pairs, tiles
}
