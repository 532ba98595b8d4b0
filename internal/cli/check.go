package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"r2lmlbench/datasets"
	"r2lmlbench/experiments"
	"r2lmlbench/experiments/external"
	"r2lmlbench/experiments/plan"
	"r2lmlbench/experiments/published"
	"r2lmlbench/experiments/spec"
	"r2lmlbench/internal/document"
	"r2lmlbench/internal/files"
	"r2lmlbench/internal/machine"
	"r2lmlbench/internal/text"
	"r2lmlbench/results/paper"
	"r2lmlbench/stats/audit"
)

func (a *app) auditCommand() *cobra.Command {
	example := false
	cmd := a.verb("audit [FILE]", anyFile)
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		if len(args) > 1 || example && len(args) > 0 {
			return fmt.Errorf("%s wants one FILE at most, and none with --example; see `%s --help`", cmd.Name(), cmd.CommandPath())
		}
		return nil
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		switch {
		case example:
			_, err := a.Out.Write(audit.Example)
			return err
		case len(args) == 0:
			return a.audited(cmd.Context(), published.Table())
		}
		b, err := files.ReadOrStream(args[0], audit.MaxBytes+1)
		if errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("%w: there is no file %s; `r2lmlbench audit --example` prints one", audit.ErrFile, args[0])
		}
		if err != nil {
			return fmt.Errorf("%w: %w", audit.ErrFile, err)
		}
		t, err := audit.Parse(args[0], b)
		if err != nil {
			return err
		}
		return a.audited(cmd.Context(), t)
	}
	a.withFormat(cmd, formats...)
	a.withQuiet(cmd)
	cmd.Flags().BoolVar(&example, "example", false, "print a small table, to begin with")
	return cmd
}

// audited prints what is found in a table, remarks on it, and the verdicts on its claims,
// which CSV has among the findings.
func (a *app) audited(ctx context.Context, t *audit.PrintedTable) error {
	claims, err := paper.Claims(ctx, t, a.acceptedStore)
	if err != nil {
		return err
	}
	findings, found := t.Findings(), document.New("", "kind", "class", "table", "letter", "method", "printed", "instead", "bound", "text")
	found.Columns[6].CSV = "nearest" // as in JSON
	for _, f := range findings {
		bound := ""
		if f.Bound != 0 {
			bound = strconv.FormatFloat(f.Bound, 'g', -1, 64)
		}
		found.Add(f.Kind, f.Class, f.Table, f.Letter, f.Method, f.Printed, f.Nearest, bound, f.Text)
	}
	for _, line := range t.Remarks() {
		a.Remark("%s", line)
	}
	if len(findings) == 0 {
		a.Remark("No findings. A number that passes need not be right, see docs/audit.md")
	}
	d := document.Document{Lead: t.Summary(findings, claims), Tables: []document.Table{found}, Value: struct {
		Schema   int             `json:"schema"`
		Findings []audit.Finding `json:"findings"`
		Claims   []audit.Judged  `json:"claims"`
	}{1, append([]audit.Finding{}, findings...), claims}}
	if len(claims) > 0 {
		text := document.New("Claims of the text", "claim", "place", "in print", "in runs", "statement", "cases claimed", "print", "runs")
		if rows := t.Legend(); rows != "" {
			text.Notes = []string{"Rows: " + rows + "."}
		}
		for _, c := range claims {
			text.Add(c.ID, c.Place, c.Print.Word, c.Runs.Word, c.Says, c.Where, c.Print.Why, c.Runs.Why)
			found.Add("claim", c.Kind, c.Study, "", c.ID, c.Print.Word, c.Runs.Word, "", c.Says)
		}
		d.Tables, d.CSV = append(d.Tables, text), &found
	}
	return a.Write(d)
}

func (a *app) checkCommand() *cobra.Command {
	var params []string
	var protocol string
	cmd := a.verb("check PROGRAM [ARGS...]", anyFile)
	a.withFormat(cmd, formats...)
	f := cmd.Flags()
	f.SetInterspersed(false) // what follows PROGRAM is its own
	choiceFlag(cmd, f, &protocol, "protocol", "how the program is asked for fits:", "one-shot", "stdio")
	timeout := f.Duration("timeout", time.Minute, "of each fit; there are about 15")
	f.StringArrayVar(&params, "param", nil, "a parameter of the program, such as k=5; may be repeated")
	cmd.Args = countArgs(1, math.MaxInt, "a PROGRAM and its arguments")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		for _, arg := range args {
			if info, err := os.Stat(arg); err == nil && info.Mode().IsRegular() && filepath.IsLocal(arg) && arg[0] != '.' {
				return fmt.Errorf("check: %s is a file here, and the program runs elsewhere: write ./%s, as in a spec", arg, arg)
			}
		}
		program, err := external.FromFlags(args, protocol, *timeout, params)
		if err != nil {
			return fmt.Errorf("check: %w", err)
		}
		findings, err := external.Check(cmd.Context(), program)
		if err != nil {
			return err
		}
		t, failed := document.New("", "status", "check", "remark"), 0
		for _, found := range findings {
			t.Add(found.Status, found.Check, found.Text)
			if found.Status == external.Failed {
				failed++
			}
		}
		if err := a.Listing(t, struct {
			Schema   int                `json:"schema"`
			Protocol string             `json:"protocol"`
			Passed   bool               `json:"passed"`
			Checks   []external.Finding `json:"checks"`
		}{1, protocol, failed == 0, findings}); err != nil {
			return err
		}
		if failed > 0 {
			return fmt.Errorf("check: %w: %s", errGate, text.Counted(failed, "fault"))
		}
		return nil
	}
	return cmd
}

func (a *app) validateCommand() *cobra.Command {
	schema := false
	cmd := a.verb("validate SPEC", completeSpecs)
	a.withData(cmd)
	a.withQuiet(cmd)
	cmd.Flags().BoolVar(&schema, "schema", false, "print the JSON Schema of specs, and check none")
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		if !schema {
			return oneArg("SPEC")(cmd, args)
		}
		return countArgs(0, 0, "nothing beside --schema")(cmd, args)
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if schema {
			return document.WriteJSON(a.Out, spec.Schema(), "  ")
		}
		return a.validate(cmd.Context(), args[0])
	}
	return cmd
}

// validate checks a spec, and the files that it names.
func (a *app) validate(ctx context.Context, name string) error {
	s, err := spec.Load(name)
	if err != nil {
		return err
	}
	entries, faults := a.source.AllKnown(ctx, s)
	for i, fault := range faults {
		if errors.Is(fault, datasets.ErrMissing) {
			a.Remark("warning: %v", fault)
			faults[i] = nil
		}
	}
	if err := errors.Join(faults...); err != nil {
		return err
	}
	p, err := plan.New(ctx, s, a.source)
	if err == nil { // files that are missing have a warning
		a.tellSplits(p)
	}
	for _, e := range entries {
		a.alike(e)
	}
	known := func(e datasets.DataSet) datasets.DataSet { // of own data with what their files say
		if i := slices.IndexFunc(entries, func(full datasets.DataSet) bool { return full.Own() && full.ID == e.ID }); i >= 0 {
			return entries[i]
		}
		return e
	}
	fmt.Fprintf(a.Out, "%s is valid: %s, %s\n", text.OneLine(s.Name), text.Counted(len(s.Sets), "data set"), text.Counted(len(s.Columns), "column"))
	if slices.Contains(experiments.Names(), name) {
		name += ".yaml"
	}
	for _, warning := range s.Warnings(name, known) {
		a.Remark("warning: %s", warning.Error())
	}
	if err == nil {
		a.tellLimits(p.Jobs())
	}
	return ctx.Err()
}

// tellLimits remarks on methods and data sets that memory or time is too little for, before
// anything is computed. It returns the jobs that will be computed.
func (a *app) tellLimits(jobs []plan.Job) (rest []plan.Job) {
	refused := plan.Refusals(jobs, a.source, machine.Memory(), a.runner.Point)
	for _, name := range slices.Sorted(maps.Keys(refused)) {
		a.Remark("warning: %s is not computed: %v", name, refused[name])
	}
	return slices.DeleteFunc(slices.Clone(jobs), func(j plan.Job) bool { return refused[j.Dataset.ID+", "+j.Column.ID] != nil })
}
