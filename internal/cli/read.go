package cli

import (
	"context"
	"encoding/csv"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"r2lmlbench/experiments"
	"r2lmlbench/experiments/judge"
	"r2lmlbench/experiments/plan"
	"r2lmlbench/internal/invoke"
	"r2lmlbench/internal/memlimit"
	"r2lmlbench/internal/text"
	"r2lmlbench/internal/usage"
	"r2lmlbench/results/published"
	"r2lmlbench/results/store"
	"r2lmlbench/results/study"
	"r2lmlbench/results/table"
)

// longFormat has a line for every test sample and method.
const longFormat = "long"

func (a *app) tableCommand() *cobra.Command {
	var cmd *cobra.Command
	cmd = a.specCommand("table", func(ctx context.Context, p plan.Plan) error {
		defer memlimit.Aim(cellsMemory)()
		cells, err := a.tabled(cmd, p)
		switch {
		case err != nil:
			return err
		case a.Format == longFormat:
			return a.printLong(ctx, p, cells)
		}
		return a.printTable(ctx, p, cells)
	})
	a.withTable(cmd, append(rankedFormats[:len(rankedFormats):len(rankedFormats)], longFormat)...)
	cmd.PreRunE = a.namedResults
	return cmd
}

// tabled is the store that a table is of.
func (a *app) tabled(cmd *cobra.Command, p plan.Plan) (*store.Store, error) {
	if cmd.Flags().Changed(invoke.Results) || a.results != defaultResults {
		return a.store(), nil
	}
	own, err := a.session().Holds(p, a.store())
	if err != nil || own {
		return a.store(), err
	}
	accepted := a.acceptedStore(p.Spec.Name)
	_, there, err := accepted.Accepted(p.Spec.Name)
	if err != nil || !there {
		return a.store(), err
	}
	a.Remark("%s holds no cell of %s; these are the accepted cells in %s", defaultResults, p.Spec.Name, accepted.Dir)
	return accepted, nil
}

// printTable prints the ranked table of a plan, with one row for each data set unless
// rows of single splits are wanted.
func (a *app) printTable(ctx context.Context, p plan.Plan, cells *store.Store) error {
	tabulate := a.session().PooledTable
	if a.perSplit {
		tabulate = a.session().Table
	}
	ranked, err := tabulate(p, cells)
	if err != nil {
		return err
	}
	contrasts, err := a.session().Contrasts(p, cells)
	if err != nil {
		return err
	}
	if len(contrasts) > 0 {
		ranked.Contrasts = contrasts
	}
	if err := ranked.Render(a.Out, a.Format, table.Options{Color: a.Color(), Notes: a.notes, Width: a.Width()}); err != nil {
		return err
	}
	if len(contrasts) > 0 && (a.Format == "text" || a.Format == "markdown") { // JSON has them in the table; CSV and LaTeX are the table alone
		fmt.Fprintln(a.Out)
		if err := study.ContrastListing(contrasts, ranked.Columns).Render(a.Out, a.Format); err != nil {
			return err
		}
	}
	return a.printPipeline(ctx, p)
}

// printPipeline prints, below the Euclidean column of the paper's table when that is
// alone, how it decides between readings of the data pipeline, and what the spec
// pipeline itself says.
func (a *app) printPipeline(ctx context.Context, p plan.Plan) error {
	alone := p.Spec.Name == experiments.Paper && len(p.Spec.Columns) == 1 && p.Spec.Columns[0].ID == published.Euclidean
	if !alone && p.Spec.Name != judge.PipelineSpec || a.Format == "json" || a.Format == "csv" {
		return nil
	}
	found, ok, err := a.session().Pipeline(ctx, a.store(), a.acceptedStore(judge.PipelineSpec))
	if err != nil {
		return err
	}
	if !ok {
		a.Remark("`r2lmlbench run %s` compares readings of the data pipeline by this column", judge.PipelineSpec)
		return nil
	}
	for _, l := range found.Listings() {
		fmt.Fprintln(a.Out)
		if err := l.Render(a.Out, a.Format); err != nil {
			return err
		}
	}
	return nil
}

// printLong writes the predictions of a plan as CSV, a line for every test sample and
// method, and remarks on cells that are not there.
func (a *app) printLong(ctx context.Context, p plan.Plan, cells *store.Store) error {
	w := csv.NewWriter(a.Out)
	if err := w.Write(judge.LongHead); err != nil {
		return err
	}
	gaps, err := judge.Long(ctx, p, a.source(), cells, w.Write)
	if err != nil {
		return err
	}
	w.Flush()
	if gaps.Cells > 0 {
		a.Remark("%s: %s missing in %s and not among the lines", p.Spec.Name, text.Counted(gaps.Cells, "cell"), cells.Dir)
	}
	if len(gaps.Placed) > 0 {
		a.Remark("%s: data_row is empty for %s: the data are not in %s, or the split has no rows of a file",
			p.Spec.Name, strings.Join(gaps.Placed, ", "), a.data)
	}
	return w.Error()
}

func (a *app) verdictCommand() *cobra.Command {
	var strict bool
	var cmd *cobra.Command
	var accepted storeFlag
	cmd = a.specCommand("verdict", func(ctx context.Context, p plan.Plan) error {
		store := a.store()
		if !cmd.Flags().Changed(invoke.Results) {
			if with := accepted(p.Spec.Name); isListed(with, p.Spec.Name) || hasCells(store, "") != nil {
				store = with
			}
			if err := hasCells(store, "name the accepted cells with --accepted, or judge your own with --results"); err != nil {
				return err
			}
		}
		verdicts, err := a.session().Verdicts(ctx, p, store)
		if err != nil {
			return err
		}
		if strict && verdicts.Summary.Numbers == 0 {
			return fmt.Errorf("verdict %s: there is nothing for --strict to check: %s Name a spec with published numbers, such as accuracy, or leave out --strict",
				p.Spec.Name, strings.Join(verdicts.Notes(), " "))
		}
		heading, lines := verdicts.Listing()
		if err := a.Report(heading, lines, verdicts.Notes(), verdicts); err != nil {
			return err
		}
		if err := a.Tables(verdicts.Tables()); err != nil {
			return err
		}
		if strict && !verdicts.Clean() {
			return fmt.Errorf("verdict %s: %w: not every number agrees", p.Spec.Name, errGate)
		}
		return nil
	})
	cmd.Flags().BoolVar(&strict, "strict", false, "exit with status 1 unless every number agrees, and 2 if there is none")
	a.withFormat(cmd, listedFormats...)
	cmd.PreRunE = a.namedResults
	accepted = a.accepted(cmd)
	return cmd
}

func (a *app) explainCommand() *cobra.Command {
	cmd := a.verb("explain LETTER/METHOD", completeNumber)
	cmd.Args = usage.One("LETTER/METHOD")
	experiment := cmd.Flags().String("spec", experiments.Paper, "spec whose number it is")
	cmd.RegisterFlagCompletionFunc("spec", completeSpecs)
	a.withCells(cmd)
	a.withFormat(cmd, "text", "json")
	accepted := a.accepted(cmd)
	cmd.PreRunE = a.namedResults
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		dataset, method, ok := strings.Cut(args[0], "/")
		if !ok || dataset == "" || method == "" {
			return fmt.Errorf("explain wants LETTER/METHOD such as I/itml, got %q", args[0])
		}
		p, err := a.session().Plan(cmd.Context(), *experiment, []string{dataset}, nil)
		if err != nil {
			return err
		}
		stores := []*store.Store{accepted(p.Spec.Name), a.store()} // some cells of one's own do not stand for all that are accepted
		if cmd.Flags().Changed(invoke.Results) {
			slices.Reverse(stores)
		}
		x, err := judge.Explain(cmd.Context(), a.session(), p, *experiment, dataset, method, stores...)
		if err != nil {
			return err
		}
		if a.Format == "json" {
			return a.JSON(x)
		}
		return x.RenderText(a.Out)
	}
	return cmd
}

// isListed tells whether a store has accepted cells of a spec.
func isListed(s *store.Store, spec string) bool {
	_, listed, err := s.Accepted(spec)
	return listed && err == nil
}
