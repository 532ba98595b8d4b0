package baselines

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"r2lmlbench/internal/linalg"
	"r2lmlbench/internal/strictyaml"
	"r2lmlbench/r2lml"
)

// LMNN is large margin nearest neighbor classification (Weinberger and Saul,
// JMLR 10, 2009). A global metric M = LᵀL pulls every sample towards its target
// neighbors, the Euclidean nearest ones of its class, and pushes samples of
// other classes beyond them by a margin:
//
//	ε(M) = ½ Σ_{i, j∈T_i} d_M(i, j) + ½ Σ_{i, j∈T_i} Σ_{l: y_l≠y_i} [1 + d_M(i, j) − d_M(i, l)]₊
//
// The publication minimizes ε over M. Like versions 2.1 to 2.3 of the published
// toolbox, whose settings the paper uses, this descends in L instead, from the
// identity, and stops after a fixed number of steps far from the minimum. Of the
// maps it passes it returns the one with the fewest errors on held out samples.
// The step length is absolute, so the scale of the features decides how far the
// descent gets. Unlike the toolbox, it finds the exact impostors of every step.
type LMNN struct {
	Neighbors  int     `yaml:"neighbors" jsonschema:"minimum=0,maximum=1000" jsonschema_description:"target neighbors per sample; 0 means 1"`
	Iterations int     `yaml:"iterations" jsonschema:"minimum=0,maximum=100000" jsonschema_description:"most steps of the descent; 0 means 500"`
	Step       float64 `yaml:"step" jsonschema:"minimum=0" jsonschema_description:"length of the first step; 0 means 1e-7"`
	Validation float64 `yaml:"validation" jsonschema:"minimum=0,exclusiveMaximum=1" jsonschema_description:"share of the training samples held out to choose among the steps; 0 means 0.3"`
}

var _ r2lml.Method = LMNN{}

// Resolve fills in the defaults of zero fields and refuses values that no fit
// could use.
func (m LMNN) Resolve() (LMNN, error) {
	err := strictyaml.CheckBounds(m)
	m.Neighbors = cmp.Or(m.Neighbors, 1)
	m.Iterations = cmp.Or(m.Iterations, 500)
	m.Step = cmp.Or(m.Step, 1e-7)
	m.Validation = cmp.Or(m.Validation, 0.3)
	return m, err
}

// Fit implements r2lml.Method.
func (m LMNN) Fit(ctx context.Context, p r2lml.Problem) (r2lml.Fitted, error) {
	l, warnings, err := m.learn(ctx, p)
	if err != nil {
		return r2lml.Fitted{}, fmt.Errorf("lmnn: %w", err)
	}
	return r2lml.Fitted{Metric: r2lml.NewGlobal(p, l), Warnings: warnings}, nil
}

// validateEvery is the number of steps between two validations on the held out
// samples. The first validates the identity.
const validateEvery = 25

// learn returns the D×D map.
func (m LMNN) learn(ctx context.Context, p r2lml.Problem) (*mat.Dense, []string, error) {
	m, err := m.Resolve()
	if err != nil {
		return nil, nil, err
	}
	warnings := fewTargets(p.Y, m.Neighbors)
	h := m.divide(ctx, p)
	if len(h.y) == 0 {
		const warning = "no division of the training samples found that leaves %d of every class and some to validate on: the last step counts"
		warnings = append(warnings, fmt.Sprintf(warning, m.Neighbors+1))
	}
	d, err := newMapDescent(ctx, h.train, m)
	if err != nil {
		return nil, nil, err
	}
	best := choice{holdOut: h, neighbors: m.Neighbors, errors: math.MaxInt}
	best.offer(ctx, d.l)
	for t := 2; t <= m.Iterations && !d.stalled(); t++ {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		trial := d.iterate()
		if t%validateEvery == 0 {
			best.offer(ctx, trial)
		}
	}
	if best.l == nil {
		return d.l, warnings, ctx.Err()
	}
	return best.l, warnings, ctx.Err()
}

// A mapDescent is gradient descent on L with a step length that grows while the
// objective falls and is halved when it would rise.
type mapDescent struct {
	margins *margins
	step    float64
	l       *mat.Dense
	now     evaluation // at l
	trace   []float64  // objective after every iteration; a rejected trial repeats it
}

func newMapDescent(ctx context.Context, p r2lml.Problem, m LMNN) (*mapDescent, error) {
	_, cols := p.X.Dims()
	metric := make([]int, len(p.Y)) // all 0
	return startMapDescent(newMargins(ctx, p.X, p.Y, m.Neighbors, metric, 1), identity(cols), m.Step)
}

// startMapDescent makes iteration 1: it evaluates the objective at l.
func startMapDescent(margins *margins, l *mat.Dense, step float64) (*mapDescent, error) {
	now := margins.evaluate([]*mat.Dense{l})
	if err := margins.ctx.Err(); err != nil {
		return nil, err
	}
	if !now.finite() {
		return nil, errors.New("the distances of the training samples are not finite; scale the features")
	}
	return &mapDescent{margins: margins, step: step, l: l, now: now, trace: []float64{now.value}}, nil
}

func identity(d int) *mat.Dense {
	l := mat.NewDense(d, d, nil)
	for i := range d {
		l.Set(i, i, 1)
	}
	return l
}

// iterate tries L − step ∂ε/∂L with ∂ε/∂L = 2LG, G = ∂ε/∂M, and returns the
// trial, accepted or not. A trial with infinite or NaN entries is rejected.
func (d *mapDescent) iterate() *mat.Dense {
	var trial mat.Dense
	trial.Mul(d.l, d.now.gradient[0])
	trial.Scale(-2*d.step, &trial)
	trial.Add(d.l, &trial)
	e := d.margins.evaluate([]*mat.Dense{&trial})
	if e.value <= d.now.value {
		d.l, d.now = &trial, e
		d.step *= 1.01
	} else {
		d.step *= 0.5
	}
	d.trace = append(d.trace, d.now.value)
	if !e.finite() {
		return d.l
	}
	return &trial
}

// stalled reports whether the objective hardly changed in the last three
// iterations, from iteration 11 on.
func (d *mapDescent) stalled() bool {
	t := len(d.trace)
	if t < 11 {
		return false
	}
	for _, i := range []int{t - 1, t - 2, t - 3} {
		if !(math.Abs(d.trace[i]-d.trace[i-1]) < 1e-7*d.now.value) {
			return false
		}
	}
	return true
}

// mostDivisions is the number of random divisions tried before validation is
// turned off.
const mostDivisions = 10_000

// A holdOut is the training samples of a problem, divided in two.
type holdOut struct {
	train r2lml.Problem // its query samples are those held out
	y     []int         // labels of the held out samples; nil: validation is off
}

// divide draws divisions until every class keeps a training sample and its targets.
// If none does, all samples train.
func (m LMNN) divide(ctx context.Context, p r2lml.Problem) holdOut {
	n := len(p.Y)
	keep := int(math.Round((1 - m.Validation) * float64(n)))
	r := p.Rand()
	for range linalg.Rows(ctx, mostDivisions) {
		order := r.Perm(n)
		train, held := order[:keep], order[keep:]
		if len(held) > 0 && everyClassHas(m.Neighbors+1, p.Y, train) {
			slices.Sort(train)
			slices.Sort(held)
			return holdOut{
				train: r2lml.Problem{X: pickRows(p.X, train), Y: pickLabels(p.Y, train), Query: pickRows(p.X, held)},
				y:     pickLabels(p.Y, held),
			}
		}
	}
	return holdOut{train: p}
}

// everyClassHas reports whether every label of y occurs at least least times
// among the rows.
func everyClassHas(least int, y, rows []int) bool {
	count := make([]int, slices.Max(y)+1)
	for _, n := range rows {
		count[y[n]]++
	}
	for _, label := range y {
		if count[label] < least {
			return false
		}
	}
	return true
}

func pickLabels(y, rows []int) []int {
	picked := make([]int, len(rows))
	for i, n := range rows {
		picked[i] = y[n]
	}
	return picked
}

// A choice keeps the best of the maps offered to it.
type choice struct {
	holdOut
	neighbors int
	l         *mat.Dense // nil before the first offer
	errors    int        // of l
}

// offer takes l unless l labels more held out samples wrong than the map before. It
// does nothing when no samples are held out. It uses the default k-NN rule, as the
// toolbox does, and not the rule of the spec: this choice is a step of the method, not
// of the protocol.
func (c *choice) offer(ctx context.Context, l *mat.Dense) {
	if len(c.y) == 0 {
		return
	}
	labels, err := r2lml.ClassifyContext(ctx, c.train, r2lml.NewGlobal(c.train, l), []int{c.neighbors}, r2lml.Voting{})
	if err != nil {
		return // the caller checks ctx
	}
	errors := 0
	for i, label := range labels[0] {
		if label != c.y[i] {
			errors++
		}
	}
	if errors <= c.errors {
		c.l, c.errors = l, errors
	}
}
