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
// The bound is widened by the rounding errors, so the lists contain every impostor that a
// search among all samples finds.
type screen struct {
	ctx     context.Context // of the margins
	sizes   []float64       // r_i
	largest float64         // max ‖x_i‖

	reference, last *mat.Dense // L₀ and the map of the evaluation before; nil: none yet
	radius          float64
	start           []int // the list of sample i is listed[start[i]:start[i+1]]
	listed          []int32

	steps float64 // evaluations that new lists should last
	age   int     // evaluations since the lists were made
	hasty int     // consecutive lists that lasted too few evaluations
	rest  int     // evaluations left without lists
}

const (
	// The initial, least and largest value of screen.steps.
	firstScreenSteps, leastScreenSteps, mostScreenSteps = 8, 2, 64
	// screenRest is the number of evaluations without lists after lists did not pay.
	screenRest = 32
	// smallShare and largeShare are shares of all pairs. After lists below smallShare, the
	// next ones should last longer; lists above largeShare are too long.
	smallShare, largeShare = 1.0 / 64, 1.0 / 16
	// mostListed is the number of entries at which lists are too long for any problem: 128 MiB.
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

// covers reports whether the lists are valid for l.
func (s *screen) covers(l *mat.Dense) bool {
	s.age++
	return s.reference != nil && movement(l, s.reference) <= s.radius
}

// resting reports whether this evaluation does without lists.
func (s *screen) resting() bool {
	s.rest--
	return s.rest >= 0
}

// movement returns ‖a − b‖, rounded up.
func movement(a, b *mat.Dense) float64 {
	return math.Sqrt(kernel.SquaredDistance(a.RawMatrix().Data, b.RawMatrix().Data)) * (1 + 1e-9)
}

// renew makes the lists at l from all distances. It lowers the radius until the lists are
// short enough, or suspends them. It reports whether there are lists.
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

// list fills the lists for the radius. It reports false when they exceed most entries.
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

// of returns the samples that may be impostors of i, ascending.
func (s *screen) of(i int) []int32 { return s.listed[s.start[i]:s.start[i+1]] }
