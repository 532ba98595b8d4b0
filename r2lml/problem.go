package r2lml

import (
	"context"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"
)

// A Problem is a classification task as a method sees it: labelled samples,
// samples to be labelled, and the seed of every random draw. The labels of the
// query samples have no field to travel in, so no method can consult them;
// a transductive method learns from Query, an inductive one only measures to it.
//
// Methods share a Problem, also between goroutines, and never write to it.
type Problem struct {
	X     *mat.Dense // N×D labelled (training) samples, one per row
	Y     []int      // their N labels: the class codes 1, 2, ..., C
	Query *mat.Dense // M×D samples to be labelled
	Seed  uint64     // source of every random draw of a fit
}

// Rand returns the random source of a fit: the same for the same seed, whatever
// else runs beside it.
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

// A Metric measures how far query samples lie from the training samples of the
// Problem it was fitted to. It is indexed by the row of the query, not by a
// point: in T-R2LML a query has coefficients of its own, so that two equal
// rows may lie at different distances.
//
// A Metric may be used by several goroutines at once.
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

// Fitted is what a fit gives: the metric, or the labels of a method that does
// not go by distances, and what a reader of the results should know about it.
type Fitted struct {
	Metric   Metric
	Labels   []int    // of the query samples; nil: the k-NN rule gives them under Metric
	Facts    []Fact   // integer measurements, in a fixed order
	Series   []Series // other measurements, in a fixed order
	Warnings []string // remarks that stop nothing, printed under the table
	Doubts   []string // why it may have learned little, such as a limit of iterations; kept beside the results
	Log      string   // what the fit had to say, also a failed one; kept beside the results
	// Environment is what made a fit outside of this program: interpreter, packages with
	// their versions, system and processor, as far as they are known; kept beside the results.
	Environment []string
}

// A Fact is a count that a fit reports about itself, such as the number of
// coefficients at vertices of the simplex.
type Fact struct {
	Name  string `json:"name"`
	Count int    `json:"count"`
	Of    int    `json:"of"` // the largest value Count could have had
}

// A Series is a list of numbers that a fit reports about itself, such as the step
// that it took from the samples.
type Series struct {
	Name   string
	Values []float64
}

// A Task fits some settings of a grid on one problem. Settings that share work
// are fitted by one task; tasks are independent and may run at once.
type Task struct {
	// Settings are the indices of the settings this task fits.
	Settings []int
	// Run fits them and hands each result to done, in any order. The result
	// of a setting is the same, bit for bit, as that of its own Fit.
	Run func(ctx context.Context, done func(setting int, f Fitted, err error))
}

// Renumbered is the task of a list of settings in which setting i of the task's own
// list has the index indices[i].
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

// A GridFit divides the fitting of many settings of one method to one problem
// into tasks. It is the unit of fitting: a method that can share work between
// settings does so here, and who runs the tasks need not know.
type GridFit[M Method] func(p Problem, settings []M) []Task

// Singly is the GridFit of a method whose settings share nothing: one task each.
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

// Invariances say which changes of all samples, training and query, leave the labels of a
// method as they are. Each field is the least share of labels that stay: 1 where the
// mathematics of the method leave all of them, less where its descent also magnifies the
// rounding of the last bit, 0 where nothing is promised. They hold for default settings on
// features as they are; where features are standardized first, Units is 1 for every method.
type Invariances struct {
	Translation float64 // x + a
	Scale       float64 // s x
	Units       float64 // each feature times a number of its own
	Rotation    float64 // Q x with QᵀQ = I
	Features    float64 // another order of the features
	Rows        float64 // another order of the training samples; equal distances go by it
	Classes     float64 // other codes for the classes; tied votes go by them
}
