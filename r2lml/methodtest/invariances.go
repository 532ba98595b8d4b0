package methodtest

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"r2lmlbench/r2lml"
)

// A change transforms a problem in a way that may not change the labels of a method.
type change struct {
	name     string
	declared func(i r2lml.Invariances) float64
	// of returns the changed problem, and the old code of each class code; nil: unchanged.
	of func(draw *rand.Rand, p r2lml.Problem) (changed r2lml.Problem, class []int)
}

// changes are the fields of [r2lml.Invariances], in their order. Samples are multiples of 2^-20,
// shifts whole numbers up to 2^22 and factors powers of two, so that the changed samples are exact.
var changes = []change{
	{"translation", func(i r2lml.Invariances) float64 { return i.Translation }, func(draw *rand.Rand, p r2lml.Problem) (r2lml.Problem, []int) {
		const most = 1 << 22
		shift := make([]float64, p.X.RawMatrix().Cols)
		for j := range shift {
			shift[j] = float64(draw.IntN(2*most+1) - most)
		}
		shift[0] = most
		return eachValue(p, func(j int, v float64) float64 { return v + shift[j] }), nil
	}},
	{"scale", func(i r2lml.Invariances) float64 { return i.Scale }, func(draw *rand.Rand, p r2lml.Problem) (r2lml.Problem, []int) {
		factor := powerOfTwo(draw)
		return eachValue(p, func(_ int, v float64) float64 { return v * factor }), nil
	}},
	{"units", func(i r2lml.Invariances) float64 { return i.Units }, func(draw *rand.Rand, p r2lml.Problem) (r2lml.Problem, []int) {
		factor := make([]float64, p.X.RawMatrix().Cols)
		for j := range factor {
			factor[j] = powerOfTwo(draw)
		}
		return eachValue(p, func(j int, v float64) float64 { return v * factor[j] }), nil
	}},
	{"rotation", func(i r2lml.Invariances) float64 { return i.Rotation }, func(draw *rand.Rand, p r2lml.Problem) (r2lml.Problem, []int) {
		_, d := p.X.Dims()
		var qr mat.QR
		qr.Factorize(mat.NewDense(d, d, sample(draw, make([]float64, d*d))))
		var q, x, query mat.Dense
		qr.QTo(&q)
		x.Mul(p.X, &q)
		query.Mul(p.Query, &q)
		p.X, p.Query = &x, &query
		return p, nil
	}},
	{"order of features", func(i r2lml.Invariances) float64 { return i.Features }, func(draw *rand.Rand, p r2lml.Problem) (r2lml.Problem, []int) {
		_, d := p.X.Dims()
		order := draw.Perm(d)
		at := func(x *mat.Dense) *mat.Dense {
			n, _ := x.Dims()
			permuted := mat.NewDense(n, d, nil)
			permuted.Apply(func(i, j int, _ float64) float64 { return x.At(i, order[j]) }, permuted)
			return permuted
		}
		p.X, p.Query = at(p.X), at(p.Query)
		return p, nil
	}},
	{"order of rows", func(i r2lml.Invariances) float64 { return i.Rows }, func(draw *rand.Rand, p r2lml.Problem) (r2lml.Problem, []int) {
		x, y := mat.DenseCopyOf(p.X), slices.Clone(p.Y)
		for i, from := range draw.Perm(len(y)) {
			x.SetRow(i, p.X.RawRowView(from))
			y[i] = p.Y[from]
		}
		p.X, p.Y = x, y
		return p, nil
	}},
	{"names of classes", func(i r2lml.Invariances) float64 { return i.Classes }, func(draw *rand.Rand, p r2lml.Problem) (r2lml.Problem, []int) {
		code, class := draw.Perm(p.Classes()), make([]int, p.Classes())
		y := make([]int, len(p.Y))
		for i, before := range p.Y {
			y[i] = code[before-1] + 1
			class[code[before-1]] = before
		}
		p.Y = y
		return p, class
	}},
}

// powerOfTwo draws a power of two from 2^-40 to 2^40.
func powerOfTwo(draw *rand.Rand) float64 { return math.Exp2(float64(draw.IntN(81) - 40)) }

// eachValue returns p with every value v of feature j replaced by of(j, v).
func eachValue(p r2lml.Problem, of func(j int, v float64) float64) r2lml.Problem {
	p = copied(p)
	for _, x := range []*mat.Dense{p.X, p.Query} {
		x.Apply(func(_, j int, v float64) float64 { return of(j, v) }, x)
	}
	return p
}

// TestInvariances fits the subject's first setting to some problems and their changes, and fails
// unless the declared share of labels stays. It returns the number of changed labels by name of the
// change.
func TestInvariances(t *testing.T, s Subject, declared r2lml.Invariances, problems int) map[string]int {
	moved, all := map[string]int{}, 0
	for seed := range uint64(problems) {
		p := overlapping(seed)
		before := s.winners(t, p)
		all += len(before)
		for _, c := range changes {
			if c.declared(declared) == 0 {
				continue
			}
			changed, class := c.of(rand.New(rand.NewPCG(seed, 51)), p)
			after := s.winners(t, changed)
			for m, labels := range before {
				if !slices.Equal(labels, renamed(after[m], class)) {
					moved[c.name]++
				}
			}
		}
	}
	for _, c := range changes {
		if want := c.declared(declared); float64(all-moved[c.name]) < want*float64(all) {
			t.Errorf("%s: %d of %d labels move, want %.3g of all to stay", c.name, moved[c.name], all, want)
		}
	}
	return moved
}

// winners returns, for every query, the labels with the most votes of its 5 neighbors under the
// first setting, ascending: one unless the vote is tied.
func (s Subject) winners(t *testing.T, p r2lml.Problem) [][]int {
	t.Helper()
	var tied [][]int
	for _, task := range s.Tasks(p, []int{0}) {
		task.Run(t.Context(), func(_ int, f r2lml.Fitted, err error) {
			if err != nil {
				t.Fatal(err)
			}
			tied = r2lml.Tied(p, f.Metric, 5, s.Voting)
		})
	}
	return tied
}

// renamed returns the old codes of these labels, ascending; class nil means unchanged codes.
func renamed(labels, class []int) []int {
	if class == nil {
		return labels
	}
	before := make([]int, len(labels))
	for i, label := range labels {
		before[i] = class[label-1]
	}
	slices.Sort(before)
	return before
}

// overlapping draws three overlapping classes of correlated features, so that labels depend
// on the metric. Values are multiples of 2^-20, of size 1 or, for odd seeds, 32: methods with
// a fixed step length learn on one of these scales.
func overlapping(seed uint64) r2lml.Problem {
	const d, classes, each, queries = 4, 3, 22, 40
	draw := rand.New(rand.NewPCG(seed, d))
	mix := mat.NewDense(d, d, sample(draw, make([]float64, d*d)))
	means := mat.NewDense(classes, d, sample(draw, make([]float64, classes*d)))
	samples := func(n int) (*mat.Dense, []int) {
		x, y := mat.NewDense(n, d, nil), make([]int, n)
		for i := range n {
			y[i] = 1 + i%classes
			x.SetRow(i, sample(draw, means.RawRowView(y[i]-1)))
		}
		x.Mul(mat.DenseCopyOf(x), mix)
		size := math.Exp2(20 + 5*float64(seed%2))
		x.Apply(func(_, _ int, v float64) float64 { return math.Round(v*size) * 0x1p-20 }, x)
		return x, y
	}
	p := r2lml.Problem{Seed: seed}
	p.X, p.Y = samples(classes * each)
	p.Query, _ = samples(queries)
	return p
}
