package baselines

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"r2lmlbench/internal/kernel"
	"r2lmlbench/internal/linalg"
)

// A screen lists the samples that may be impostors under maps near a reference L₀. With
// R ≥ ‖L − L₀‖ in the Frobenius norm and r_i = ‖x_i − mean‖,
//
//	| ‖L(x_i − x_l)‖ − ‖L₀(x_i − x_l)‖ | ≤ R ‖x_i − x_l‖ ≤ R (r_i + r_l)
//
// and √(1 + d²) grows no faster than d. So l is no impostor of i with the target j when
//
//	‖L₀(x_i − x_l)‖ > √(1 + ‖L₀(x_i − x_j)‖²) + R (2 r_i + r_j + r_l)
//
// which is widened by all rounding. Nothing is left out that a search among all samples
// would find.
type screen struct {
	ctx     context.Context // of the margins
	sizes   []float64       // r_i
	largest float64         // max ‖x_i‖

	reference, last *mat.Dense // nil: none yet; last is the map before
	radius          float64
	start           []int // the list of sample i is listed[start[i]:start[i+1]]
	listed          []int32

	steps float64 // that lists are made to last
	age   int     // evaluations since they were made
	hasty int     // lists in a row that hardly lasted
	rest  int     // evaluations to go without lists
}

const (
	// The steps that lists are made to last: at first, at least and at most.
	firstScreenSteps, leastScreenSteps, mostScreenSteps = 8, 2, 64
	// screenRest are the evaluations without lists after they did not pay.
	screenRest = 32
	// smallShare and largeShare are shares of all pairs: lists with fewer are made to last
	// longer the next time, lists with more are too long.
	smallShare, largeShare = 1.0 / 64, 1.0 / 16
	// mostListed are the entries from which lists of any problem are too long: 128 MiB.
	mostListed = 1 << 25
)

func newScreen(x *mat.Dense) *screen {
	mean := columnMeans(x)
	n, d := x.Dims()
	s := &screen{sizes: make([]float64, n), start: make([]int, n+1), steps: firstScreenSteps}
	diff, origin := make([]float64, d), make([]float64, d)
	for i := range n {
		diff = appendDifference(diff[:0], x.RawRowView(i), mean)
		s.sizes[i] = math.Sqrt(kernel.SquaredDistance(diff, origin))
		s.largest = max(s.largest, math.Sqrt(kernel.SquaredDistance(x.RawRowView(i), origin)))
	}
	return s
}

// covers tells whether the lists are good for l. Where they are not, they are to be made
// anew, unless resting.
func (s *screen) covers(l *mat.Dense) bool {
	s.age++
	return s.reference != nil && movement(l, s.reference) <= s.radius
}

// resting tells whether to go without lists for now.
func (s *screen) resting() bool {
	s.rest--
	return s.rest >= 0
}

// movement returns ‖a − b‖, a little more than it is.
func movement(a, b *mat.Dense) float64 {
	return math.Sqrt(kernel.SquaredDistance(a.RawMatrix().Data, b.RawMatrix().Data)) * (1 + 1e-9)
}

// renew makes the lists at l from all distances; shorter ones until they are short enough,
// or none for a while. It tells whether there are some.
func (s *screen) renew(m *margins, l *mat.Dense) bool {
	if s.hasty++; s.age >= 4 {
		s.hasty = 0
	}
	s.reference, s.age = mat.DenseCopyOf(l), 0
	pairs := float64(len(m.y)) * float64(len(m.y))
	for ; s.hasty <= 3 && s.steps >= leastScreenSteps; s.steps /= 2 {
		s.radius = 0
		if s.last != nil {
			s.radius = s.steps * movement(l, s.last)
		}
		if s.list(m, l, int(min(largeShare*pairs, mostListed))) {
			if float64(len(s.listed)) < smallShare*pairs {
				s.steps = min(2*s.steps, mostScreenSteps)
			}
			return true
		}
	}
	s.reference, s.hasty, s.rest, s.steps = nil, 0, screenRest, firstScreenSteps
	return false
}

// list fills the lists for the radius, unless they have more entries than most.
func (s *screen) list(m *margins, l *mat.Dense, most int) bool {
	n, d := m.x.Dims()
	unit := float64(d+8) * 0x1p-50
	rounding := unit * (mat.Norm(l, 2) + s.radius) * s.largest * 4
	s.listed = s.listed[:0]
	targets := m.targets
	for i := range linalg.Rows(s.ctx, n) {
		s.start[i] = len(s.listed)
		row, reach := m.row(0, i), 0.0
		for ; len(targets) > 0 && targets[0].from == i; targets = targets[1:] {
			j := targets[0].to
			reach = max(reach, math.Sqrt(1+row[j])+s.radius*(s.sizes[j]+2*s.sizes[i]))
		}
		if reach == 0 {
			continue // no targets, no impostors
		}
		for j, dj := range row {
			if limit := (reach + s.radius*s.sizes[j] + rounding) * (1 + unit); !(dj > limit*limit) && m.y[j] != m.y[i] {
				s.listed = append(s.listed, int32(j))
			}
		}
		if len(s.listed) > most {
			return false
		}
	}
	s.start[n] = len(s.listed)
	return true
}

// of lists the samples that may be impostors of i, in ascending order.
func (s *screen) of(i int) []int32 { return s.listed[s.start[i]:s.start[i+1]] }
