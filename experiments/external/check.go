package external

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"gonum.org/v1/gonum/mat"

	"r2lmlbench/datasets"
	"r2lmlbench/experiments/method"
	"r2lmlbench/internal/text"
	"r2lmlbench/r2lml"
)

// A Finding is the result of one check of a program.
type Finding struct {
	Check  string `json:"check"`
	Status string `json:"status"`         // OK, Failed or Skipped
	Text   string `json:"text,omitempty"` // the fault and its remedy; for OK a remark or ""
}

// The outcomes of a check.
const (
	OK      = "ok"
	Failed  = "failed"
	Skipped = "skipped" // not run after a failed check
)

// Check tests a program against the contract of methods: it answers by its protocol, its
// answers do not depend on earlier requests, and it does not hang on odd input. It returns
// an error only when ctx has ended.
func Check(ctx context.Context, e External) ([]Finding, error) {
	c := &checker{External: e, ctx: ctx, base: blobs(3, 20, 4, 8)}
	checks := []check{
		{"a known class for every query", c.answers}, {"same seed, same answer", c.repeats},
		{"order of queries immaterial", c.turned}, {"phase selection, without validation samples", c.selects},
	}
	for _, odd := range oddProblems() {
		checks = append(checks, check{odd.name, func() (remark, fault string) { return c.mayRefuse(odd.Problem) }})
	}
	checks = append(checks, check{"one-shot and stdio agree", func() (remark, fault string) { return e.protocolsAgree(ctx, c.base, c.first) }})

	var all []Finding
	skip := false
	for i, check := range checks {
		if skip {
			all = append(all, Finding{check.name, Skipped, ""})
			continue
		}
		remark, fault := check.run()
		if fault != "" {
			all = append(all, Finding{check.name, Failed, fault})
			skip = i < 2 // the other checks compare with these answers
		} else {
			all = append(all, Finding{check.name, OK, remark})
		}
	}
	return all, ctx.Err()
}

// A check returns a fault with its remedy, or a remark.
type check struct {
	name string
	run  func() (remark, fault string)
}

// A checker holds a program and the answers that its checks compare with.
type checker struct {
	External
	ctx   context.Context
	base  method.Problem
	first []int // labels of base
}

// answers checks that the program labels base, and keeps the labels.
func (c *checker) answers() (remark, fault string) {
	var err error
	if c.first, err = c.label(c.ctx, c.base); err == nil {
		return "", ""
	}
	other := c.withOtherProtocol()
	if _, fault := other.label(c.ctx, c.base); fault == nil {
		return "", err.Error() + "; under protocol: " + other.Protocol + " it answers, use that or see docs/methods.md"
	}
	return "", err.Error()
}

// repeats checks that a second fit gives the same labels. It waits for another second, in case the
// program seeds its random numbers by the clock.
func (c *checker) repeats() (remark, fault string) {
	select {
	case <-time.After(1100 * time.Millisecond):
	case <-c.ctx.Done():
	}
	again, err := c.label(c.ctx, c.base)
	return "", compared(c.first, again, err, "seed all random numbers with the seed in params.json, in every fit")
}

// turned checks that the labels do not depend on the order of the queries.
func (c *checker) turned() (remark, fault string) {
	turned := c.base
	turned.Query = mat.DenseCopyOf(c.base.Query)
	order := rand.New(rand.NewPCG(3, 3)).Perm(len(c.first))
	for to, from := range order {
		turned.Query.SetRow(to, c.base.Query.RawRowView(from))
	}
	labels, err := c.label(c.ctx, turned)
	back := slices.Clone(labels)
	for to, from := range order[:len(labels)] {
		back[from] = labels[to]
	}
	return "", compared(c.first, back, err, "the label of a query must not depend on the row it is in")
}

// selects checks that the program answers in the phase selection.
func (c *checker) selects() (remark, fault string) {
	selection := c.base
	selection.Phase, selection.Validation = method.SelectionPhase, datasets.Samples{}
	_, err := c.label(c.ctx, selection)
	return "", compared(nil, nil, err, "")
}

// mayRefuse checks that the program answers an odd problem or refuses it in time.
func (c *checker) mayRefuse(odd method.Problem) (remark, fault string) {
	switch _, err := c.label(c.ctx, odd); {
	case errors.Is(err, errOverdue) || errors.Is(err, errLoud):
		return "", err.Error() + "; answer or end with a status other than 0"
	case err != nil:
		return "refused: " + err.Error(), ""
	}
	return "", ""
}

// protocolsAgree compares the labels under both protocols, and those of one process for a fit,
// another fit and the first fit again. A program with one protocol gets a remark.
func (e External) protocolsAgree(ctx context.Context, base method.Problem, first []int) (remark, fault string) {
	const remedy = "start from new models, seed and read all files anew in every fit"
	between := blobs(2, 15, 4, 8)
	alone, err := e.label(ctx, between) // a new process, under either protocol
	if err != nil {
		return "", err.Error()
	}
	labels, err := e.withOtherProtocol().label(ctx, base)
	if err == nil {
		if fault := compared(first, labels, nil, remedy); fault != "" {
			return "", fault
		}
	} else if remark = fmt.Sprintf("it speaks %s alone, keep protocol: %s", e.Protocol, e.Protocol); e.Protocol == oneShot {
		return remark, ""
	}
	e.Protocol = stdio
	shared, end := WithServices(ctx, nil)
	defer end()
	for _, fit := range []struct {
		p    method.Problem
		want []int
	}{{base, first}, {between, alone}, {base, first}} {
		labels, err := e.label(shared, fit.p)
		if fault := compared(fit.want, labels, err, remedy); fault != "" {
			return "", "one process for several fits: " + fault
		}
	}
	idle := shared.Value(poolKey{}).(*pool).pop(e.identity())
	defer idle.retire()
	ended, fault := idle.between()
	return text.Join("; ", remark, ended), fault
}

// label returns the labels of Fit.
func (e External) label(ctx context.Context, p method.Problem) ([]int, error) {
	f, err := e.Fit(ctx, p)
	return f.Labels, err
}

func (e External) withOtherProtocol() External {
	if e.Protocol == stdio {
		e.Protocol = oneShot
	} else {
		e.Protocol = stdio
	}
	return e
}

// compared returns the error of the second answer, or how the two differ, with a remedy; "" if they
// are equal.
func compared(first, second []int, err error, remedy string) string {
	if err != nil {
		return err.Error()
	}
	differ := 0
	for i, label := range first {
		if second[i] != label {
			differ++
		}
	}
	if differ == 0 {
		return ""
	}
	return fmt.Sprintf("%d of %d labels differ; %s", differ, len(first), remedy)
}

// blobs draws overlapping normal classes, with half as many validation samples as training samples.
func blobs(classes, samples, features, queries int) method.Problem {
	draw := rand.New(rand.NewPCG(7, uint64(classes)))
	p := method.Problem{Phase: method.TestPhase, Neighbors: 3}
	p.Seed = 11
	of := func(each int) (s datasets.Samples) {
		var x []float64
		for i := range classes * each {
			s.Y = append(s.Y, i%classes+1)
			for f := range features {
				x = append(x, draw.NormFloat64()+float64(i%classes*(f%2+1)))
			}
		}
		s.X = mat.NewDense(len(s.Y), features, x)
		return s
	}
	train, query := of(samples), of(queries)
	p.Problem = r2lml.Problem{X: train.X, Y: train.Y, Query: query.X, Seed: 11}
	p.Validation = of(max(1, queries/2))
	return p
}

// A named problem.
type named struct {
	name string
	method.Problem
}

// oddProblems returns problems that occur in practice; a program may refuse them.
func oddProblems() []named {
	equal, oneQuery := blobs(2, 4, 2, 4), blobs(3, 10, 4, 8)
	equal.X = mat.NewDense(8, 2, slices.Repeat([]float64{1, 2}, 8))
	oneQuery.Query = mat.DenseCopyOf(oneQuery.Query.Slice(0, 1, 0, 4))
	return []named{
		{"one query", oneQuery}, {"one class", blobs(1, 9, 3, 4)}, {"one sample for each class", blobs(3, 1, 4, 2)},
		{"one feature", blobs(2, 10, 1, 4)}, {"all training samples equal", equal},
	}
}
