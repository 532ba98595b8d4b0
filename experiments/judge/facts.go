package judge

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"r2lmlbench/experiments"
	"r2lmlbench/experiments/cost"
	"r2lmlbench/experiments/plan"
	"r2lmlbench/internal/text"
	"r2lmlbench/results/audit"
	"r2lmlbench/results/pages"
	"r2lmlbench/results/published"
	"r2lmlbench/results/store"
	"r2lmlbench/results/study"
	"r2lmlbench/results/table"
	"r2lmlbench/results/verdict"
)

// Facts are the numbers and tables that pages show, from accepted cells and the printed
// tables alone. Names begin with what they are of: those of studies with the id of the
// study and then that of a claim.
func (s *Session) Facts(ctx context.Context, accepted *store.Store) (pages.Facts, error) {
	facts := pages.Facts{}
	for _, add := range []func(context.Context, *store.Store, pages.Facts) error{
		s.verdictFacts, s.pipelineFacts, auditFacts, s.studyFacts, s.contrastFacts, s.notRun,
	} {
		if err := add(ctx, accepted, facts); err != nil {
			return nil, err
		}
	}
	return facts, nil
}

func (s *Session) verdictFacts(ctx context.Context, accepted *store.Store, facts pages.Facts) error {
	p, err := s.planByCatalogue(ctx, experiments.Paper)
	if err != nil {
		return err
	}
	v, err := s.Verdicts(ctx, p, accepted)
	if err != nil {
		return err
	}
	close := func(suffix string, c verdict.Closeness, count func(word string) int) {
		facts["compared"+suffix] = strconv.Itoa(c.Numbers)
		for _, w := range c.Within {
			facts[fmt.Sprintf("within.%g%s", w.Points, suffix)] = strconv.Itoa(w.Count)
		}
		facts["agree"+suffix] = strconv.Itoa(count(verdict.Agrees))
		facts["differ"+suffix] = strconv.Itoa(count(verdict.Differs))
		facts["cannot"+suffix] = strconv.Itoa(count(verdict.CannotTell))
		if c.Mean != nil {
			facts["mean"+suffix] = text.TwoDecimals(*c.Mean)
		}
	}
	close("", v.Summary.Close, v.Summary.Count)
	for _, m := range v.Summary.Methods {
		close("."+m.Method, m.Close, m.Count)
	}
	for _, m := range v.Moved {
		facts[fmt.Sprintf("moved.%g", m.Points)] = fmt.Sprintf("%.0f", m.Percent())
	}
	facts["readings"] = strconv.Itoa(v.Readings.Tried - 1)
	facts["table closeness"] = page(v.Summary.Table())
	facts["table readings"] = page(v.Readings.Agreements())
	if v.Ranks == nil {
		return nil
	}
	facts["rank.cd"] = text.TwoDecimals(v.Ranks.CriticalDifference)
	facts["rank.sets"] = strconv.Itoa(v.Ranks.Sets)
	ranks := v.Ranks.Table()
	ranks.Head = append(ranks.Head, "settings")
	for i, m := range v.Ranks.Methods {
		facts["rank.ours."+m.Method], facts["rank.print."+m.Method] = text.TwoDecimals(m.Ours), text.TwoDecimals(m.Printed)
		ranks.Rows[i] = append(ranks.Rows[i], strconv.Itoa(settingsOf(p, m.Method)))
	}
	facts["table ranks"] = page(ranks)
	return nil
}

// settingsOf is the number of settings that a column chooses from.
func settingsOf(p plan.Plan, column string) int {
	i := slices.IndexFunc(p.Rows[0].Jobs, func(jobs []plan.Job) bool { return jobs[0].Column.ID == column })
	return len(p.Rows[0].Jobs[i][0].Inputs.Points)
}

// page writes a listing as a table of a page.
func page(l table.Listing) string { return pages.Table(l.Head, l.Rows) }

func (s *Session) pipelineFacts(ctx context.Context, accepted *store.Store, facts pages.Facts) error {
	p, ok, err := s.Pipeline(ctx, accepted)
	if err != nil || !ok || p.Chosen < 0 {
		return err
	}
	counts := map[string]int{}
	for _, row := range p.Readings[p.Chosen].Rows {
		word, _ := row.Stands()
		counts[word]++
	}
	facts["pipeline.equal"], facts["pipeline.within"] = strconv.Itoa(counts[rowEqual]), strconv.Itoa(counts[rowWithin])
	facts["pipeline.off"] = strconv.Itoa(counts[rowOff])
	listings := p.Listings()
	facts["table pipeline"], facts["table pipeline-rows"] = page(listings[0]), page(listings[1])
	return nil
}

// auditFacts count the findings on the printed tables by their kind.
func auditFacts(_ context.Context, _ *store.Store, facts pages.Facts) error {
	counts := map[string]int{}
	for _, f := range published.Audit() {
		counts[f.Kind]++
		if f.Kind == audit.KindInfeasibleRank && (f.Class == audit.ClassFirstRank || f.Class == audit.ClassNoPeer) {
			counts["certain"]++
		}
	}
	facts["audit.comparisons"], facts["audit.certain"] = strconv.Itoa(counts[audit.KindInfeasibleRank]), strconv.Itoa(counts["certain"])
	facts["audit.unreachable"], facts["audit.prose"] = strconv.Itoa(counts[audit.KindUnreachable]), strconv.Itoa(counts[audit.KindProse])
	return nil
}

// studyFacts have the claims of every study and its tables, numbered from 1.
func (s *Session) studyFacts(ctx context.Context, accepted *store.Store, facts pages.Facts) error {
	for _, known := range study.Studies {
		found, err := StudyOf(ctx, s, known.ID, accepted)
		if err != nil {
			return err
		}
		for _, c := range found.Result.Claims() {
			name := known.ID + "." + c.ID
			facts[name], facts[name+".of"] = strconv.Itoa(c.Count), strconv.Itoa(c.Of)
		}
		for i, l := range found.Result.Listings() {
			facts[fmt.Sprintf("table %s.%d", known.ID, i+1)] = page(l)
		}
	}
	return nil
}

// notRun is a table of the specs with cells that were not computed.
func (s *Session) notRun(ctx context.Context, accepted *store.Store, facts pages.Facts) error {
	head, rows := []string{"spec", "cells", "missing", "hours"}, [][]string{}
	known := s.snapshot(accepted)
	for _, name := range experiments.Names() {
		if _, listed, err := accepted.Accepted(name); err != nil || !listed {
			continue // a spec without accepted cells is for users to run
		}
		p, err := s.planByCatalogue(ctx, name)
		if err != nil {
			return err
		}
		jobs, missing, work := p.Jobs(), 0, 0.0
		for _, j := range jobs {
			if _, ok, err := known.Find(j.Inputs); err != nil {
				return err
			} else if !ok {
				missing++
				work += cost.Work(j, s.catalogue)
			}
		}
		if missing > 0 {
			rows = append(rows, []string{name, strconv.Itoa(len(jobs)), strconv.Itoa(missing), fmt.Sprintf("%.1f", work/3.6e12)})
		}
	}
	facts["table notrun"] = pages.Table(head, rows)
	return nil
}
