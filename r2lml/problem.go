package r2lml

import (
	"context"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"
)

// A Problem is the input of a method: labelled samples, samples to be labelled,
// and the seed of every random draw. It has no field for the labels of the query
// samples, so no method can read them. A transductive method learns from Query;
// an inductive one only computes distances from it.
//
// Methods share a Problem, also between goroutines, and never write to it.
type Problem struct {
	X     *mat.Dense // N×D labelled (training) samples, one per row
	Y     []int      // their N labels: the class codes 1, 2, ..., C
	Query *mat.Dense // M×D samples to be labelled
	Seed  uint64     // source of every random draw of a fit
}

// Rand returns the random source of a fit. It depends on Seed only.
func (p Problem) Rand() *rand.Rand {
	return rand.New(rand.NewPCG(p.Seed, 0x9e3779b97f4a7c15))
}

// Classes returns C, the largest label.
func (p Problem) Classes() int {
	c := 0
	for _, y := range p.Y {
		c = max(c, y)
	}
	return c
}

// A Metric gives the distances from query samples to the training samples of the
// Problem it was fitted to. It takes the row of the query, not a point: in T-R2LML
// every query has its own coefficients, so that two equal rows may have different
// distances.
//
// A Metric is safe for concurrent use.
type Metric interface {
	// SquaredDistances writes to dst[n] the squared distance from query
	// sample m to training sample n; len(dst) is N.
	SquaredDistances(dst []float64, m int)
}

// A Method is one setting of the hyper-parameters of a metric learner: a plain
// struct with yaml tags, usually passed by value.
type Method interface {
	// Fit learns a metric for p. It returns early with the context's error
	// when ctx ends. An error fails this setting only, never the whole grid.
	Fit(ctx context.Context, p Problem) (Fitted, error)
}

// Fitted is the result of a fit: the metric, or the labels of a method without
// distances, and measurements and warnings for the reader of the results.
type Fitted struct {
	Metric   Metric
	Labels   []int    // of the query samples; nil: Classify computes them from Metric
	Facts    []Count  // counts, in a fixed order
	Series   []Series // other measurements, in a fixed order
	Warnings []string // printed under the table
	Doubts   []string // reasons to distrust the fit, such as a limit of iterations; stored beside the results
	Log      string   // output of the fit, also of a failed one; stored beside the results
	// Environment describes a fit by another program: interpreter, packages with versions,
	// system and processor, as far as known; stored beside the results.
	Environment []string
}

// A Count is a count that a fit reports about itself, such as the number of
// coefficients at vertices of the simplex.
type Count struct {
	Name  string `json:"name"`
	Count int    `json:"count"`
	Of    int    `json:"of"` // largest possible Count
}

// A Series is a list of numbers that a fit reports about itself, such as the step
// length that it computed from the samples.
type Series struct {
	Name   string
	Values []float64
}

// A Task fits some settings of a grid on one problem. Settings that share work
// are fitted by one task; tasks are independent and may run at once.
type Task struct {
	// Settings are the indices of the settings this task fits.
	Settings []int
	// Run fits the settings and calls done with each result, in any order. The
	// result of a setting is bit for bit that of its own Fit.
	Run func(ctx context.Context, done func(setting int, f Fitted, err error))
}

// Renumbered returns the task for a longer list of settings: setting i of t is setting
// indices[i] of that list.
func (t Task) Renumbered(indices []int) Task {
	renumbered := Task{Settings: make([]int, len(t.Settings))}
	for i, s := range t.Settings {
		renumbered.Settings[i] = indices[s]
	}
	renumbered.Run = func(ctx context.Context, done func(int, Fitted, error)) {
		t.Run(ctx, func(setting int, f Fitted, err error) { done(indices[setting], f, err) })
	}
	return renumbered
}

// A GridFit divides the fits of many settings of one method to one problem into
// tasks. A method that can share work between settings does so here; callers only
// run the tasks.
type GridFit[M Method] func(p Problem, settings []M) []Task

// Singly is the GridFit of a method whose settings share no work: one task each.
func Singly[M Method](p Problem, settings []M) []Task {
	tasks := make([]Task, len(settings))
	for i, m := range settings {
		tasks[i] = Task{
			Settings: []int{i},
			Run: func(ctx context.Context, done func(int, Fitted, error)) {
				f, err := m.Fit(ctx, p)
				done(i, f, err)
			},
		}
	}
	return tasks
}

// Invariances list the changes of all samples, training and query, that keep the labels of a
// method. Each field is the smallest share of labels that stay the same: 1 if the method keeps all
// of them, less if its descent magnifies rounding errors, 0 if it promises nothing. The shares hold
// for default settings on unscaled features; on standardized features Units is 1 for every method.
type Invariances struct {
	Translation float64 // x + a
	Scale       float64 // s x
	Units       float64 // each feature times its own factor
	Rotation    float64 // Q x with QᵀQ = I
	Features    float64 // another order of the features
	Rows        float64 // another order of the training samples; it decides between equal distances
	Classes     float64 // other codes for the classes; they decide tied votes
}
