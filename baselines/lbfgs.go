package baselines

import (
	"context"
	"errors"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
)

// An lbfgs minimizes a smooth function by limited-memory BFGS (Nocedal and
// Wright, Numerical Optimization, 2nd edition, algorithms 7.4 and 7.5).
type lbfgs struct {
	function   func(x []float64) (value float64, gradient []float64)
	iterations int     // at most
	history    int     // moves in the estimate of the inverse Hessian
	gradient   float64 // stop when no entry of the gradient is larger
	decrease   float64 // stop when the value falls by less, relative to itself or 1

	moves []move // newest last
	taken int    // iterations done
	ended bool   // converged before the limit of iterations
}

// A move is a step s and the change y of the gradient along it.
type move struct{ s, y []float64 }

// minimize descends from x, which it does not change, and returns the last point. It stops early if
// no step along the direction lowers the value enough.
func (b *lbfgs) minimize(ctx context.Context, x []float64) ([]float64, error) {
	value, g := b.function(x)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if math.IsNaN(value) || math.IsInf(value, 0) {
		return nil, errors.New("the function is not finite at the start; scale the features")
	}
	for range b.iterations {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if floats.Norm(g, math.Inf(1)) <= b.gradient {
			b.ended = true
			break
		}
		next, nextValue, nextG := b.search(ctx, x, value, g)
		if next == nil {
			b.ended = true
			break
		}
		b.remember(x, next, g, nextG)
		b.taken++
		fall := value - nextValue
		x, value, g = next, nextValue, nextG
		if fall <= b.decrease*math.Max(1, math.Abs(value)) {
			b.ended = true
			break
		}
	}
	return x, ctx.Err()
}

// search halves the step along the quasi-Newton direction until the value falls
// by enough, and returns nil when no step does.
func (b *lbfgs) search(ctx context.Context, x []float64, value float64, g []float64) (next []float64, nextValue float64, nextG []float64) {
	const enough, halvings = 1e-4, 40
	d := b.direction(g)
	slope := floats.Dot(d, g)
	step := 1.0
	if len(b.moves) == 0 {
		step = math.Min(1, 1/floats.Norm(g, 2))
	}
	next = make([]float64, len(x))
	for range halvings {
		if ctx.Err() != nil {
			break
		}
		floats.AddScaledTo(next, x, step, d)
		if nextValue, nextG = b.function(next); nextValue <= value+enough*step*slope {
			return next, nextValue, nextG
		}
		step /= 2
	}
	return nil, 0, nil
}

// remember keeps the last moves. It drops a move of no positive curvature, so that
// the estimate stays positive definite.
func (b *lbfgs) remember(x, next, g, nextG []float64) {
	m := move{slices.Clone(next), slices.Clone(nextG)}
	floats.Sub(m.s, x)
	floats.Sub(m.y, g)
	if floats.Dot(m.s, m.y) <= 1e-10*floats.Dot(m.y, m.y) {
		return
	}
	b.moves = append(b.moves, m)
	if len(b.moves) > b.history {
		b.moves = b.moves[1:]
	}
}

// direction returns −Hg for the estimate H of the inverse Hessian, by the
// two-loop recursion.
func (b *lbfgs) direction(g []float64) []float64 {
	d := slices.Clone(g)
	floats.Scale(-1, d)
	alpha := make([]float64, len(b.moves))
	for i, m := range slices.Backward(b.moves) {
		alpha[i] = floats.Dot(m.s, d) / floats.Dot(m.s, m.y)
		floats.AddScaled(d, -alpha[i], m.y)
	}
	if n := len(b.moves); n > 0 {
		last := b.moves[n-1]
		floats.Scale(floats.Dot(last.s, last.y)/floats.Dot(last.y, last.y), d)
	}
	for i, m := range b.moves {
		beta := floats.Dot(m.y, d) / floats.Dot(m.s, m.y)
		floats.AddScaled(d, alpha[i]-beta, m.s)
	}
	return d
}
