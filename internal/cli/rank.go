package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"r2lmlbench/datasets/tabular"
	"r2lmlbench/internal/files"
	"r2lmlbench/internal/text"
	"r2lmlbench/results/gate"
	"r2lmlbench/results/rank"
	"r2lmlbench/results/report"
	"r2lmlbench/results/table"
	"r2lmlbench/stats"
)

func (a *app) rankCommand() *cobra.Command {
	var common, lower bool
	var alpha float64
	var pair, figure, by string
	cmd := a.verb("rank FILE", anyFile)
	a.withFormat(cmd, formats...)
	a.withQuiet(cmd)
	f := cmd.Flags()
	choiceFlag(cmd, f, &pair, "test", "for a pair of systems:", stats.TestNames()...)
	f.Float64Var(&alpha, "alpha", 0.05, "level of the tests, after Holm's correction")
	f.BoolVar(&common, "common", false, "leave out items that not every system on the data set has answered")
	f.BoolVar(&a.Notes, "notes", false, "all notes below the table; text shows the most important ones without, LaTeX none")
	f.BoolVar(&lower, "lower-is-better", false, "lower scores are better, as error rates are")
	measureFlag(cmd, &by, "of answers with label and truth, that systems are ranked by (default accuracy):")
	f.StringVar(&figure, "figure", "", "also write the critical difference diagram to this file, .svg or .tex")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if end := filepath.Ext(figure); figure != "" && end != ".svg" && end != ".tex" {
			return fmt.Errorf("--figure is %s, want a file that ends in .svg or .tex", figure)
		}
		if !(alpha > 0 && alpha < 1) {
			return fmt.Errorf("--alpha is %g, want a number between 0 and 1, such as 0.05", alpha)
		}
		test, err := stats.ParseTest(pair)
		if err != nil {
			return err
		}
		source, _, err := openRanked(cmd.Context(), args[0])
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return fmt.Errorf("%w: there is no file %s", errAnswers, args[0])
		case err != nil:
			return err
		}
		for _, why := range source.Remarks() {
			a.Remark("%s: %s", args[0], why)
		}
		scores, ok, err := source.Scores(lower)
		switch {
		case err != nil:
			return fmt.Errorf("%w: %w", errAnswers, err)
		case ok && by != "":
			return fmt.Errorf("rank %s: --measure is for answers with label and truth; these are scores, which are of a measure already", args[0])
		case ok:
			return a.rankScores(scores, common, alpha, figure)
		case lower:
			return fmt.Errorf("rank %s: --lower-is-better is for tables of scores, and these are answers", args[0])
		}
		answers, err := source.Answers()
		if err != nil {
			return fmt.Errorf("%w: %w", errAnswers, err)
		}
		return a.rankAnswers(answers, test, by, common, alpha, figure)
	}
	return cmd
}

// rankAnswers ranks systems by their answers.
func (a *app) rankAnswers(answers rank.File, test stats.Variant, by string, common bool, alpha float64, figure string) error {
	for _, remark := range answers.Remarks() {
		a.Remark("%s", text.OneLine(remark))
	}
	ranked, left, err := answers.Table(test, by, alpha, common)
	if err != nil {
		return fmt.Errorf("%w: %w", errAnswers, err)
	}
	if left > 0 {
		a.Remark("%s left out, which not every system has answered", text.Counted(left, "item"))
	}
	d, pairs := ranked.Document(a.Format), ranked.PairListings()
	if len(pairs) == 0 && a.Format != "json" && slices.ContainsFunc(ranked.Rows, func(r table.Row) bool { return len(r.Pairs) > 0 }) {
		a.Remark("the pairs of so many data sets are not listed one by one; --format json has them")
	}
	d.Lead = rank.Conclusion(ranked, "system")
	d.Tables, d.Indent = slices.Concat(d.Tables, pairs, ranked.AcrossListings()), ""
	if err := a.Write(d); err != nil {
		return err
	}
	if !slices.ContainsFunc(ranked.Rows, func(r table.Row) bool {
		return slices.ContainsFunc(r.Cells, func(c table.Result) bool { return c.Score != nil })
	}) {
		return fmt.Errorf("%w: no system has a %s: %s", errAnswers, ranked.By().Name, ranked.Rows[0].Cells[0].Reason)
	}
	if figure == "" {
		return nil
	}
	standing, ok := stats.NewStanding(ranked.Scores().Rows, alpha)
	if !ok {
		return fmt.Errorf("%w: a critical difference diagram takes two data sets, and two systems with answers on both", errAnswers)
	}
	return a.drawRanks(figure, ranked.Names(), standing, alpha)
}

// rankScores ranks systems by a table of scores.
func (a *app) rankScores(scores rank.Scores, common bool, alpha float64, figure string) error {
	for _, remark := range scores.Remarks() {
		a.Remark("%s", text.OneLine(remark))
	}
	left, err := scores.Complete(common)
	if err != nil {
		return fmt.Errorf("%w: %w", errAnswers, err)
	}
	if len(left) > 0 {
		a.Remark("%s left out, on which a system lacks a score: %s", text.Counted(len(left), "data set"), text.Series(left))
	}
	ranking := scores.Rank(alpha)
	if err := a.Write(ranking.Document()); err != nil || figure == "" {
		return err
	}
	return a.drawRanks(figure, ranking.Names, ranking.Standing, alpha)
}

// drawRanks writes a critical difference diagram as SVG, or as TikZ to a file .tex.
func (a *app) drawRanks(file string, names []string, standing stats.Standing, alpha float64) error {
	drawn := []byte(report.TikZ(names, standing, alpha))
	if filepath.Ext(file) == ".svg" {
		of, _ := report.CriticalDifference(names, standing, alpha).Figure()
		drawn = of.SVG
	}
	if err := files.Replace(file, drawn); err != nil {
		return err
	}
	a.Remark("the diagram is in %s", file)
	return nil
}

// openRanked opens a file to rank, or standard input for "-".
func openRanked(ctx context.Context, file string) (source rank.Source, data []byte, err error) {
	name, path := file, file
	if file == "-" {
		name, path = "stdin", "/dev/stdin"
	}
	if data, err = rank.ReadFile(name, path); err == nil {
		source, err = rank.Open(ctx, name, data)
	}
	if err != nil {
		err = fmt.Errorf("%w: %w", errAnswers, err)
	}
	return source, data, err
}

// readAnswers reads a file of answers.
func readAnswers(ctx context.Context, file string) (data []byte, f rank.File, err error) {
	source, data, err := openRanked(ctx, file)
	if err != nil {
		return nil, f, err
	}
	if f, err = source.Answers(); err != nil {
		return nil, f, fmt.Errorf("%w: %w", errAnswers, err)
	}
	return data, f, nil
}

// answersFolder holds the accepted copies of files of answers, below --accepted. A copy
// has the path of its file, so that files of one name in different folders are kept apart.
const answersFolder = "files"

// acceptedCopy is the path of the accepted copy of a file of answers below a folder.
func acceptedCopy(accepted, file string) (name, copy string, err error) {
	folder := filepath.Join(accepted, answersFolder)
	if _, below, err := localTo(folder, file); err != nil || below {
		return "", "", cmp.Or(err, fmt.Errorf("gate %s: this is the accepted copy itself; name the new answers", file))
	}
	name, below, err := localTo(".", file)
	if err == nil && !below {
		err = fmt.Errorf("gate %s: the file is outside of this folder, where accepted copies go by its path; copy it here, or start above it", file)
	}
	return filepath.ToSlash(name), filepath.Join(folder, name), err
}

// localTo is the path of a file as seen from a folder, and whether it is below it.
func localTo(folder, file string) (path string, below bool, err error) {
	var absolute [2]string
	for i, p := range []string{folder, file} {
		if absolute[i], err = filepath.Abs(p); err != nil {
			return "", false, err
		}
	}
	path, err = filepath.Rel(absolute[0], absolute[1])
	if err != nil { // on another drive
		return file, false, nil
	}
	return path, filepath.IsLocal(path), nil
}

// isAnswers tells by its name whether an argument is a file of answers, and no spec.
func isAnswers(name string) bool { return tabular.Layout{}.FormatOf(name) != "" }

// gateAnswers compares a file of answers with the copy that was accepted, or makes it
// that copy after showing the differences.
func (a *app) gateAnswers(cmd *cobra.Command, name string, accept bool, tolerance float64) error {
	for _, flag := range []string{"history", "fresh", "allow-changed", "allow-other-builds", text.DatasetsFlag, text.MethodsFlag, text.ResultsFlag} {
		if cmd.Flags().Changed(flag) {
			return fmt.Errorf("gate %s: --%s is for specs; a file of answers takes --accept, --accepted and --tolerance", name, flag)
		}
	}
	if !(tolerance >= 0 && tolerance <= 100) {
		return fmt.Errorf("--tolerance is %g, want points of accuracy from 0 to 100", tolerance)
	}
	dir, _ := cmd.Flags().GetString(text.AcceptedFlag)
	title, keptName, err := acceptedCopy(dir, name)
	if err != nil {
		return err
	}
	data, fresh, err := readAnswers(cmd.Context(), name)
	if err != nil {
		return err
	}
	_, kept, err := readAnswers(cmd.Context(), keptName)
	first := errors.Is(err, fs.ErrNotExist)
	if err != nil && !first {
		return fmt.Errorf("%w\nthe accepted copy of %s cannot be used; take it from version control, or delete %s and accept again", err, name, keptName)
	}
	call := text.Invocation{Spec: name}.Gate(changedFlag(cmd, text.AcceptedFlag))
	s := gate.Terms{
		Name: title, Test: stats.Exact, Alpha: 0.05, Tolerance: tolerance, LossesOnly: true, Unaccepted: first,
		Options: gate.Options{Source: specFile(name), Run: call, Gate: call},
	}
	compared := gate.New(s, nil, rank.GateInputs(kept, fresh))
	if err := a.printGate(compared, accept); err != nil {
		return err
	}
	switch {
	case accept:
		if err := os.MkdirAll(filepath.Dir(keptName), 0o777); err != nil {
			return files.MarkIO(err)
		}
		if err := files.Write(keptName, data); err != nil {
			return err
		}
		a.Remark("the answers of %s are accepted: %s; commit it", name, keptName)
	case compared.Failed:
		return fmt.Errorf("gate %s: %w: %s; %s", compared.Spec, errGate, compared.Status, compared.Next)
	}
	return nil
}
