package cli

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"r2lmlbench/experiments/judge"
	"r2lmlbench/experiments/plan"
	"r2lmlbench/results/gate"
	"r2lmlbench/results/store"
)

func (a *app) gateCommand() *cobra.Command {
	var accept bool
	var accepted storeFlag
	cmd := a.specCommand("gate", "Compare the cells of a spec with the accepted ones",
		func(ctx context.Context, p plan.Plan) error {
			return a.gate(ctx, p, accepted(), accept)
		})
	cmd.Long = cmd.Short + `, and exit with status 1 if they do not pass.

A method that draws no random numbers passes if no prediction differs; a
stochastic one unless it has fewer right answers, significantly or by more than
the tolerance of the spec. A cell that is missing on either side, other data,
settings or another test are errors. The fresh cells are those of --results: run
the spec first. --format also takes junit (JUnit XML) and github (annotations).`
	cmd.Flags().BoolVar(&accept, "accept", false, "show the differences, then make the fresh cells the accepted ones")
	accepted = a.accepted(cmd)
	cmd.Example = `  r2lmlbench gate smoke
  r2lmlbench gate smoke --format junit`
	a.withFormat(cmd, append(listedFormats[:len(listedFormats):len(listedFormats)], "junit", "github")...)
	return cmd
}

func (a *app) gate(ctx context.Context, p plan.Plan, accepted *store.Store, accept bool) error {
	if sameDir(a.results, accepted.Dir) || a.results == embeddedAccepted && accepted.FS != nil {
		return fmt.Errorf("gate %s: --results %s and --accepted %s are the same directory, and cells do not differ from themselves; name the "+
			"fresh ones with --results",
			p.Spec.Name, a.results, accepted.Dir)
	}
	compared, err := judge.Gate(p, a.store(), accepted)
	if err != nil {
		return err
	}
	if err := a.printGate(compared, accepted.Dir); err != nil {
		return err
	}
	if accept {
		return a.accept(ctx, p, accepted)
	}
	if compared.Status != gate.Pass {
		return fmt.Errorf("gate %s: %w: %s", compared.Spec, errGate, compared.Status)
	}
	return nil
}

// sameDir tells whether two paths lead to the same directory.
func sameDir(a, b string) bool {
	one, err := os.Stat(a)
	if err != nil {
		return false
	}
	other, err := os.Stat(b)
	return err == nil && os.SameFile(one, other)
}

func (a *app) printGate(g gate.Gate, dir string) error {
	switch a.format {
	case "junit":
		return g.RenderJUnit(a.stdout)
	case "github":
		return g.RenderGitHub(a.stdout, filepath.ToSlash(dir))
	}
	heading, lines := g.Listing()
	return a.report(heading, lines, g.Notes(), g)
}

// accept makes the fresh cells the accepted ones.
func (a *app) accept(ctx context.Context, p plan.Plan, accepted *store.Store) error {
	done, err := judge.Accept(ctx, p, a.store(), accepted)
	if err != nil {
		return err
	}
	a.remark("%d cells of %s are accepted in %s, %d stay as they were; review the change before it is committed", done.Accepted, p.Spec.Name,
		accepted.Dir, done.Kept)
	if done.Failed > 0 {
		a.remark("%d cells failed and cannot be accepted; their reasons are kept for tables and reports", done.Failed)
	}
	if done.Missing > 0 {
		a.remark("%d cells are neither computed nor accepted yet: gate fails until they are", done.Missing)
	}
	return nil
}
