package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"r2lmlbench/experiments"
	"r2lmlbench/experiments/plan"
	"r2lmlbench/internal/document"
	"r2lmlbench/internal/files"
	"r2lmlbench/internal/text"
	"r2lmlbench/results/gate"
	"r2lmlbench/results/store"
)

// A gateRun is what the flags of gate ask for.
type gateRun struct {
	gate.Options
	accept  bool
	history bool // what was accepted over time, in place of a comparison
}

func (a *app) gateCommand() *cobra.Command {
	var asked gateRun
	cmd := a.specCommand("gate",
		func(cmd *cobra.Command, p plan.Plan) error {
			ctx := cmd.Context()
			accepted := a.accepted(cmd, p.Spec.Name)
			if asked.history {
				return a.history(ctx, p.Spec.Name, accepted, asked.accept)
			}
			if asked.accept && !cmd.Flags().Changed(text.AcceptedFlag) {
				accepted = a.storeIn(defaultAccepted) // made if it is not there
			}
			g := asked
			g.Source = specFile(cmd.Flags().Arg(0))
			of := func(flag string) string { return changedFlag(cmd, flag) }
			call := text.Invocation{Spec: cmd.Flags().Arg(0), Datasets: of(text.DatasetsFlag), Methods: of(text.MethodsFlag), Results: of(text.ResultsFlag)}
			g.Run, g.Gate = call.String(), call.Gate(of(text.AcceptedFlag))
			return a.gate(ctx, p, accepted, g)
		})
	f := cmd.Flags()
	f.BoolVar(&asked.accept, "accept", false, "show the differences, then make the fresh cells the accepted ones")
	f.BoolVar(&a.runner.Fresh, "fresh", false, "first compute missing results, and recompute those of other builds of r2lmlbench and of external programs")
	f.BoolVar(&asked.AllowChanged, "allow-changed", false, "let cells pass that changed and are not regressed")
	f.BoolVar(&asked.AllowOtherBuilds, "allow-other-builds", false, "compare, or accept, cells that another or an unknown build made")
	f.BoolVar(&asked.history, "history", false, "list the states that were accepted, and compare nothing")
	a.withAccepted(cmd)
	a.withWorkers(cmd)
	a.withFormat(cmd, slices.Concat(formats, []string{"junit", "github"})...)
	tolerance := f.Float64("tolerance", 1, "points of accuracy that a system in a file of answers may lose; specs have their own")
	gateSpec := cmd.RunE
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		compares := []string{"fresh", "allow-changed", "allow-other-builds", text.DatasetsFlag, text.MethodsFlag}
		i := slices.IndexFunc(compares, f.Changed)
		switch {
		case isAnswers(args[0]):
			return a.gateAnswers(cmd, args[0], asked.accept, *tolerance)
		case f.Changed("tolerance"):
			return errors.New("--tolerance is for files of answers; a spec has `gate: {tolerance: 1}`")
		case asked.history && i >= 0:
			return flagError(cmd, fmt.Errorf("--history compares nothing, and takes no --%s", compares[i]))
		}
		return gateSpec(cmd, args)
	}
	return cmd
}

// history prints the accepted states of a spec, and first brings them up to date with
// what is accepted if asked to.
func (a *app) history(ctx context.Context, spec string, accepted *store.Store, record bool) error {
	if !slices.Contains(formats, a.Format) {
		return fmt.Errorf("gate %s: --history has no format %s, want %s", spec, a.Format, alternatives(formats))
	}
	a.tellAccepted(accepted, spec)
	if record {
		update, err := accepted.Update(ctx, spec)
		if err != nil {
			return err
		}
		defer update.Close()
		if len(update.Accepted().Cells) == 0 {
			return fmt.Errorf("gate %s: nothing is accepted in %s, so that no history can begin", spec, accepted.Dir)
		}
		if err := update.Record(); err != nil {
			return err
		}
	}
	states, err := accepted.History(spec)
	if err != nil {
		return err
	}
	if len(states) == 0 {
		a.Remark("%s has no history of %s; gate --history --accept begins one", accepted.Dir, spec)
	}
	h := gate.NewHistory(spec, states)
	return a.Listing(h.Listing(), h)
}

// specFile is the file of a spec as annotations name it: by its path below the
// repository. A spec that the program carries has one in a checkout of ours.
func specFile(name string) string {
	if slices.Contains(experiments.Names(), name) {
		name = filepath.Join("experiments", name+".yaml")
	}
	if _, err := os.Stat(name); err != nil {
		return ""
	}
	if root := os.Getenv("GITHUB_WORKSPACE"); root != "" {
		if path, below, err := localTo(root, name); err == nil && below {
			name = path
		}
	}
	return filepath.ToSlash(filepath.Clean(name))
}

func (a *app) gate(ctx context.Context, p plan.Plan, accepted *store.Store, asked gateRun) error {
	if sameFile(a.results, accepted.Dir) || a.results == embeddedAccepted && accepted.FS != nil {
		return fmt.Errorf("gate %s: --results %s and --accepted %s are the same directory, and cells do not differ from themselves; name the "+
			"fresh ones with --results",
			p.Spec.Name, a.results, accepted.Dir)
	}
	if a.runner.Fresh {
		if a.results == embeddedAccepted {
			return fmt.Errorf("gate %s: --fresh computes into --results, and %s is %w", p.Spec.Name, a.results, store.ErrReadOnly)
		}
		a.tellSplits(p)
		failed, err := a.compute(ctx, p)
		if err != nil {
			return err
		}
		switch {
		case errors.Is(failed, files.ErrIO):
			return failed // what is stored tells nothing about the cells that could not be
		case failed != nil:
			a.Remark("%v", failed) // the gate tells which and why
		}
	}
	compared, err := gate.Of(p, a.store, accepted, asked.Options)
	if err != nil {
		return err
	}
	if asked.accept && compared.First { // there is nothing to compare with before
		if err := a.accept(ctx, p, accepted, asked.Options); err != nil || a.Format == "text" {
			return err
		}
		if compared, err = gate.Of(p, a.store, accepted, asked.Options); err != nil {
			return err
		}
		return a.printGate(compared, true)
	}
	if !compared.First {
		a.tellAccepted(accepted, p.Spec.Name)
	}
	if err := a.printGate(compared, asked.accept); err != nil {
		return err
	}
	if asked.accept {
		return a.accept(ctx, p, accepted, asked.Options)
	}
	if compared.Failed {
		return fmt.Errorf("gate %s: %w: %s; %s", compared.Spec, errGate, compared.Status, compared.Next)
	}
	return nil
}

// sameFile tells whether two paths are the same, or lead to the same file or directory.
func sameFile(a, b string) bool {
	one, missing := os.Stat(a)
	other, err := os.Stat(b)
	return filepath.Clean(a) == filepath.Clean(b) || missing == nil && err == nil && os.SameFile(one, other)
}

// printGate prints a comparison. What to do about it is not said to who accepts it. When
// nothing was accepted yet, the error that ends the command says all to people.
func (a *app) printGate(g gate.Gate, accepts bool) error {
	switch {
	case a.Format == "junit", a.Format == "github", a.Format == "markdown":
		return g.Render(a.Out, a.Format)
	case g.First && a.Format == "text":
		return nil
	}
	cells := g.Listing()
	cells.Notes = g.Notes()
	d := document.Document{Tables: []document.Table{cells}, Value: g}
	if g.Failed && !accepts {
		d.Lead = []string{g.Headline()}
	}
	return a.Write(d)
}

// accept makes the fresh cells the accepted ones. A folder that it made stays only if
// something is accepted.
func (a *app) accept(ctx context.Context, p plan.Plan, accepted *store.Store, o gate.Options) error {
	_, missing := os.Stat(accepted.Dir)
	makes := accepted.FS == nil && errors.Is(missing, fs.ErrNotExist)
	done, err := gate.Accept(ctx, p, a.store, accepted, o)
	if err != nil {
		if makes {
			os.Remove(accepted.Dir) // unless it has files
		}
		return err
	}
	if makes {
		a.Remark("%s was made for the accepted cells; keep it in version control", accepted.Dir)
	}
	a.Remark("%s of %s %s accepted in %s; %d accepted before stay as they were; review the change before it is committed",
		text.Counted(done.Accepted, "cell"), p.Spec.Name, text.Agree(done.Accepted, "is", "are"), accepted.Dir, done.Kept)
	if done.Dropped > 0 {
		a.Remark("accepted before and dropped, as the spec does not ask for them any more: %d", done.Dropped)
	}
	if done.NoTable {
		a.Remark("the table that was accepted is of other cells and is forgotten; accept the whole spec, so that the gate compares its table again")
	}
	if done.Failed > 0 {
		a.Remark("%s failed and cannot be accepted; why is kept for tables and reports", text.Counted(done.Failed, "cell"))
	}
	if done.Missing > 0 {
		a.Remark("%s neither computed nor accepted yet: gate fails until then", text.Counted(done.Missing, "cell"))
	}
	return nil
}
