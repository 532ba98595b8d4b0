package baselines

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"r2lmlbench/r2lml"
)

// localBases returns at most k directions of unit length that separate classes
// locally, one per row. They come from discriminant analyses of the samples around
// k-means centers, first with few samples per class and center, then with more.
// It returns nil when no direction separates classes.
func localBases(ctx context.Context, draw *rand.Rand, p r2lml.Problem, k int) (*mat.Dense, error) {
	n, d := p.X.Dims()
	classes := classCount(p.Y)
	if classes < 2 {
		return nil, nil
	}
	k = min(k, 2*(classes-1)*n)
	each := min(classes-1, d)
	centers, err := kMeans(ctx, draw, p.X, (k+2*each-1)/(2*each))
	if err != nil {
		return nil, err
	}
	few := 10
	if d > 50 {
		few = 50
	}
	var rows []float64
	for _, perClass := range []int{few, 20} {
		for c := range centers.RawMatrix().Rows {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			directions, err := discriminants(p, around(p, centers.RawRowView(c), perClass))
			if err != nil {
				return nil, err
			}
			rows = append(rows, directions...)
		}
	}
	k = min(k, len(rows)/d)
	if k == 0 {
		return nil, nil
	}
	return mat.NewDense(k, d, rows[:k*d]), nil
}

// classCount returns the number of classes that have samples.
func classCount(y []int) int {
	seen := map[int]bool{}
	for _, label := range y {
		seen[label] = true
	}
	return len(seen)
}

// around returns the perClass samples of every class nearest to v.
func around(p r2lml.Problem, v []float64, perClass int) []int {
	distance := squaredDistances(p.X, v)
	var rows []int
	for label := 1; label <= p.Classes(); label++ {
		rows = append(rows, closest(distance, perClass, func(row int) bool { return p.Y[row] == label })...)
	}
	return rows
}

const (
	// scatterCut: singular values of samples up to this share of the largest
	// count as zero.
	scatterCut = 1e-5
	// discriminantCut is the least square root of the share of a direction's
	// variance that is between classes; weaker directions are dropped.
	discriminantCut = 1e-3
)

// discriminants returns the directions of linear discriminant analysis of these
// rows, of unit length, concatenated. With the centered samples
// X = U S Vᵀ (zero singular values left out) they are V S⁻¹ e for the right singular
// vectors e of the class means of the rows of U, each times √n_c.
func discriminants(p r2lml.Problem, rows []int) ([]float64, error) {
	x := pickRows(p.X, rows)
	center(x, upTo(len(rows)))
	var svd mat.SVD
	if !svd.Factorize(x, mat.SVDThin) {
		return nil, errors.New("the singular values of samples around a center did not converge")
	}
	rank := svd.Rank(scatterCut)
	if rank == 0 {
		return nil, nil
	}
	var u, v, e mat.Dense
	svd.UTo(&u)
	svd.VTo(&v)
	var between mat.SVD
	if !between.Factorize(classMeans(&u, rank, p, rows), mat.SVDThin) {
		return nil, errors.New("the singular values of class means around a center did not converge")
	}
	between.VTo(&e)
	var directions []float64
	for i, separation := range between.Values(nil) {
		if separation <= discriminantCut {
			break
		}
		direction := unwhitened(&v, svd.Values(nil)[:rank], mat.Col(nil, i, &e))
		directions = append(directions, direction...)
	}
	return directions, nil
}

// classMeans returns, for every class of the samples, √n_c times the mean of the
// first rank columns of their rows in u.
func classMeans(u *mat.Dense, rank int, p r2lml.Problem, rows []int) *mat.Dense {
	means := mat.NewDense(p.Classes(), rank, nil)
	count := make([]float64, p.Classes())
	for i, row := range rows {
		floats.Add(means.RawRowView(p.Y[row]-1), u.RawRowView(i)[:rank])
		count[p.Y[row]-1]++
	}
	for c, n := range count {
		floats.Scale(1/math.Sqrt(max(n, 1)), means.RawRowView(c))
	}
	return means
}

// unwhitened returns V S⁻¹ e with length 1.
func unwhitened(v *mat.Dense, s, e []float64) []float64 {
	weights := make([]float64, len(s))
	floats.DivTo(weights, e, s)
	d, _ := v.Dims()
	direction := make([]float64, d)
	for i := range direction {
		direction[i] = floats.Dot(v.RawRowView(i)[:len(s)], weights)
	}
	floats.Scale(1/floats.Norm(direction, 2), direction)
	return direction
}

// upTo returns 0, 1, ..., n−1.
func upTo(n int) []int {
	rows := make([]int, n)
	for i := range rows {
		rows[i] = i
	}
	return rows
}
