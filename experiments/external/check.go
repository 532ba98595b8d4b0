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
	base := blobs(3, 20, 4, 8)
	var first []int // labels of base
	checks := []check{
		{"a known class for every query", func() (remark, fault string) {
			var err error
			if first, err = e.label(ctx, base); err == nil {
				return "", ""
			}
			other := e.withOtherProtocol()
			if _, fault := other.label(ctx, base); fault == nil {
				return "", err.Error() + "; under protocol: " + other.Protocol + " it answers, use that or see docs/methods.md"
			}
			return "", err.Error()
		}},
		{"same seed, same answer", func() (remark, fault string) {
			select { // a program seeded by the clock must see another second
			case <-time.After(1100 * time.Millisecond):
			case <-ctx.Done():
			}
			again, err := e.label(ctx, base)
			return "", compared(first, again, err, "seed all random numbers with the seed in params.json, in every fit")
		}},
		{"order of queries immaterial", func() (remark, fault string) {
			turned := base
			turned.Query = mat.DenseCopyOf(base.Query)
			order := rand.New(rand.NewPCG(3, 3)).Perm(len(first))
			for to, from := range order {
				turned.Query.SetRow(to, base.Query.RawRowView(from))
			}
			labels, err := e.label(ctx, turned)
			back := slices.Clone(labels)
			for to, from := range order[:len(labels)] {
				back[from] = labels[to]
			}
			return "", compared(first, back, err, "the label of a query must not depend on the row it is in")
		}},
		{"phase selection, without validation samples", func() (remark, fault string) {
			selection := base
			selection.Phase, selection.Validation = method.SelectionPhase, datasets.Samples{}
			_, err := e.label(ctx, selection)
			return "", compared(nil, nil, err, "")
		}},
	}
	for _, odd := range oddProblems() { // the program may refuse them, but not by a timeout
		checks = append(checks, check{odd.name, func() (remark, fault string) {
			switch _, err := e.label(ctx, odd.Problem); {
			case errors.Is(err, errOverdue) || errors.Is(err, errLoud):
				return "", err.Error() + "; answer or end with a status other than 0"
			case err != nil:
				return "refused: " + err.Error(), ""
			}
			return "", ""
		}})
	}
	checks = append(checks, check{"one-shot and stdio agree", func() (remark, fault string) { return e.protocolsAgree(ctx, base, first) }})

	var all []Finding
	skip := false
	for i, c := range checks {
		if skip {
			all = append(all, Finding{c.name, Skipped, ""})
			continue
		}
		remark, fault := c.run()
		if fault != "" {
			all = append(all, Finding{c.name, Failed, fault})
			skip = i < 2 // the other checks compare with these answers
		} else {
			all = append(all, Finding{c.name, OK, remark})
		}
	}
	return all, ctx.Err()
}

// A check returns a fault with its remedy, or a remark.
type check struct {
	name string
	run  func() (remark, fault string)
}

// protocolsAgree runs the program under the other protocol, and then asks one process for a
// fit, another fit and the first fit again. A program that speaks one protocol gets a remark.
func (e External) protocolsAgree(ctx context.Context, base method.Problem, first []int) (remark, fault string) {
	const remedy = "start from new models, seed and read all files anew in every fit"
	between := blobs(2, 15, 4, 8)
	alone, err := e.label(ctx, between) // by a new process, under either protocol
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
	return remark, ""
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

// compared describes how two answers differ, with a remedy, or the error of the second; ""
// if they are equal.
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

// blobs draws classes of overlapping normal samples: for training, for the queries, and
// half as many for validation.
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
