package cli

import (
	"bytes"
	"cmp"
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"r2lmlbench/datasets"
	"r2lmlbench/experiments"
	"r2lmlbench/experiments/plan"
	"r2lmlbench/experiments/published"
	"r2lmlbench/experiments/spec"
	"r2lmlbench/internal/document"
	"r2lmlbench/internal/machine"
	"r2lmlbench/internal/text"
	"r2lmlbench/results"
	"r2lmlbench/results/paper"
	"r2lmlbench/results/report"
	"r2lmlbench/results/store"
	"r2lmlbench/results/table"
)

// longFormat has a line for every test sample and method.
const longFormat = "long"

func (a *app) tableCommand() *cobra.Command {
	var by string
	cmd := a.specCommand("table", func(cmd *cobra.Command, p plan.Plan) error {
		if by != "" {
			p.Spec.Test.Metric = by
		}
		defer machine.Aim(cellsMemory)()
		cells, err := a.tabled(cmd, p)
		switch {
		case err != nil:
			return err
		case a.Format == longFormat:
			return a.printLong(cmd.Context(), a.Out, p.Spec.Name, p, cells)
		}
		return a.printTable(cmd.Context(), p, cells)
	})
	a.withTable(cmd, slices.Concat(formats, []string{longFormat})...)
	measureFlag(cmd, &by, "that methods are ranked and tested by (default that of the spec, else accuracy):")
	return cmd
}

// tabled is the store that a table is of.
func (a *app) tabled(cmd *cobra.Command, p plan.Plan) (*store.Store, error) {
	if cmd.Flags().Changed(text.ResultsFlag) || a.results != defaultResults {
		return a.store, nil
	}
	cells := a.store.Snapshot() // which the table reads, too
	own, err := p.Begun(cells)
	if err != nil {
		return cells, err
	}
	accepted := a.acceptedStore(p.Spec.Name)
	_, there, err := accepted.Accepted(p.Spec.Name)
	if own && there {
		return cells, a.tellPart(p, cells, accepted)
	}
	if own {
		return cells, nil
	}
	if err != nil {
		return cells, err
	}
	if !there {
		a.Remark("%s holds no cell of %s; compute them with: %s (where results of earlier data or settings are stored, plan says what differs)",
			defaultResults, p.Spec.Name, text.Invocation{Spec: cmd.Flags().Arg(0)})
		return cells, nil
	}
	a.Remark("%s holds no cell of %s; these are the accepted cells in %s", defaultResults, p.Spec.Name, accepted.Dir)
	return accepted, nil
}

// tellPart remarks that a store has a part of the cells of a plan, all of which are accepted.
func (a *app) tellPart(p plan.Plan, cells, accepted *store.Store) error {
	jobs, known := p.Jobs(), 0
	for _, j := range jobs {
		state, _, err := plan.Look(cells, j)
		if err != nil {
			return err
		}
		if state.Status == plan.Hit {
			known++
		}
	}
	if known < len(jobs) {
		a.Remark("%s has %d of the %d cells of this table; the accepted ones: --results %s", cells.Dir, known, len(jobs), accepted.Dir)
	}
	return nil
}

// printTable prints the ranked table of a plan, with one row for each data set unless
// rows of single splits are wanted.
func (a *app) printTable(ctx context.Context, p plan.Plan, cells *store.Store) error {
	of := table.ByDataSet
	if a.perSplit {
		of = table.Of
	}
	made, err := of(p, cells)
	if err != nil {
		return err
	}
	pipeline, err := a.pipeline(ctx, p)
	if err != nil {
		return err
	}
	d := made.Document(a.Format)
	if len(made.Contrasts) > 0 { // which JSON has in the table
		d.Tables = append(d.Tables, table.ComparisonListing(made.Contrasts, made.Columns))
	}
	d.Tables = append(d.Tables, pipeline...)
	return a.Write(d)
}

// pipeline tells, below the Euclidean column of the paper's table when that is alone, how it
// decides between readings of the data pipeline, and what the spec pipeline itself says.
func (a *app) pipeline(ctx context.Context, p plan.Plan) ([]document.Table, error) {
	alone := p.Spec.Name == experiments.Paper && len(p.Spec.Columns) == 1 && p.Spec.Columns[0].ID == published.Euclidean
	if !alone && p.Spec.Name != paper.PipelineSpec || a.Format != "text" && a.Format != "markdown" {
		return nil, nil
	}
	found, ok, err := paper.ReadPipeline(ctx, a.store, a.acceptedStore(paper.PipelineSpec))
	if err == nil && !ok {
		a.Remark("`r2lmlbench run %s` compares readings of the data pipeline by this column", paper.PipelineSpec)
	}
	if err != nil || !ok {
		return nil, err
	}
	return found.Listings(), nil
}

// longHead names the fields of the lines that printLong writes: data set, split, column, seed,
// number of the sample among the test samples from 1, the codes of its class and of the one
// that it was given, its row in the data from 1, the line of the file of own data, the names
// of the classes, and the number of training samples. What
// is not known is empty.
var longHead = []string{
	"dataset", "split", "method", "seed", "row", "truth", "predicted", "data_row", "line", "truth_class", "predicted_class", "train",
}

// printLong writes the predictions of a plan as CSV, a line for every test sample of every
// stored cell, and remarks on cells and rows that are not there. Cells come one at a time,
// and of the store and of the data what one data set needs stays in memory.
func (a *app) printLong(ctx context.Context, to io.Writer, name string, p plan.Plan, cells *store.Store) error {
	w := csv.NewWriter(to)
	if err := w.Write(longHead); err != nil {
		return err
	}
	missing, unplaced := 0, []string{} // cells, and data sets whose rows are not known
	snapshot, of, data := cells, "", (*datasets.Data)(nil)
	for _, row := range p.Splits {
		if row.Dataset.Identity() != of {
			snapshot, of, data = cells.Snapshot(), row.Dataset.Identity(), dataOf(a.source, row.Dataset)
		}
		from := originOf(row, data)
		for _, j := range slices.Concat(row.Jobs...) {
			cell, there, err := snapshot.Find(j.Inputs)
			if err == nil {
				err = ctx.Err()
			}
			if err != nil {
				return err
			}
			if !there {
				missing++
				continue
			}
			if from.rows == nil {
				unplaced = text.AppendNew(unplaced, row.Dataset.ID)
			}
			record := make([]string, len(longHead))
			record[0], record[1], record[2] = text.CSVText(j.Inputs.Dataset), text.CSVText(j.Inputs.Split), text.CSVText(j.Column.ID)
			record[3], record[11] = strconv.FormatUint(j.Inputs.Seed, 10), from.train
			for n, truth := range cell.Truth {
				record[4], record[5], record[6] = strconv.Itoa(n+1), strconv.Itoa(truth), strconv.Itoa(cell.Predicted[n])
				record[7], record[8] = from.of(n)
				record[9], record[10] = from.class(truth), from.class(cell.Predicted[n])
				if err := w.Write(record); err != nil {
					return err
				}
			}
		}
	}
	w.Flush()
	if missing > 0 {
		a.Remark("%s: %s missing in %s and not among the lines", name, text.Counted(missing, "cell"), cells.Dir)
	}
	if len(unplaced) > 0 {
		a.Remark("%s: data_row is empty for %s: the data are not in %s, or the split has no rows of a file",
			name, strings.Join(unplaced, ", "), a.data)
	}
	return w.Error()
}

// dataOf are the data of a set, nil where they cannot be had. Imported splits have none:
// their rows are not told. Own data are those of the plan; others are not kept.
func dataOf(source *plan.Source, e datasets.DataSet) *datasets.Data {
	var d *datasets.Data
	var err error
	switch {
	case spec.Imported(e):
		return nil
	case e.Own():
		d, err = source.Data(e)
	default:
		d, err = source.Library.Load(e)
	}
	if err != nil {
		return nil // the cells are there without them
	}
	return d
}

// An origin is where the test samples of a split come from.
type origin struct {
	train  string   // how many samples of the split are to learn from
	rows   []int    // of the data, from 0; nil: not known
	lines  []int    // of the file, by row of the data; nil: it has none
	labels []string // of the classes, in code order
}

// originOf divides the data of a row as its cells were divided.
func originOf(row plan.Split, d *datasets.Data) origin {
	rule := row.Rule
	rule.MaxTrain = 0                       // as the table's test over splits has it
	sizes, _ := rule.PartSizes(row.Dataset) // without an error where there are cells
	made := origin{train: text.NonZero(sizes[0]), labels: row.Dataset.Labels}
	if d == nil {
		return made
	}
	made.lines, made.labels = d.Lines, d.Labels
	parts, digest, err := datasets.Divide(row.Dataset, d, row.Rule)
	if err == nil && len(row.Jobs) > 0 && len(row.Jobs[0]) > 0 && row.Jobs[0][0].Inputs.SplitDigest == digest {
		made.rows = parts[2]
	}
	return made
}

// of are the fields that tell where a test sample comes from: row and line.
func (o origin) of(sample int) (row, line string) {
	if sample >= len(o.rows) {
		return "", ""
	}
	at := o.rows[sample]
	if at < len(o.lines) {
		line = strconv.Itoa(o.lines[at])
	}
	return strconv.Itoa(at + 1), line
}

// class is the name of a class.
func (o origin) class(code int) string {
	if code < 1 || code > len(o.labels) {
		return ""
	}
	return text.CSVText(o.labels[code-1])
}

func (a *app) verdictCommand() *cobra.Command {
	var strict, readings bool
	var certificate string
	cmd := a.specCommand("verdict", func(cmd *cobra.Command, p plan.Plan) error {
		store, err := a.chosen(cmd, p.Spec.Name)
		if err == nil && !cmd.Flags().Changed(text.ResultsFlag) && hasCells(store, "") != nil {
			store = a.accepted(cmd, p.Spec.Name) // they may have some of its cells for another spec
			err = hasCells(store, "name the accepted cells with --accepted, or judge your own with --results")
		}
		if err != nil {
			return err
		}
		verdicts, err := paper.Of(cmd.Context(), p, store)
		if err != nil {
			return err
		}
		if strict && verdicts.Summary.Numbers == 0 {
			return fmt.Errorf("verdict %s: there is nothing for --strict to check: %s Name a spec with published numbers, such as accuracy, or leave out --strict",
				p.Spec.Name, strings.Join(verdicts.Notes(), " "))
		}
		d := verdicts.Document()
		if readings {
			d = verdicts.Curve().Document()
		}
		if err := a.Write(d); err != nil {
			return err
		}
		if certificate != "" {
			if err := a.certify(cmd, certificate, p, store, verdicts); err != nil {
				return err
			}
		}
		if strict && !verdicts.Clean() {
			return fmt.Errorf("verdict %s: %w: not every number agrees", p.Spec.Name, errGate)
		}
		return nil
	})
	cmd.Flags().BoolVar(&readings, "readings", false,
		"the readings of each method by their distance from the published values, and whether conclusions depend on them")
	cmd.Flags().BoolVar(&strict, "strict", false, "exit with status 1 unless every number agrees, and 2 if there is none")
	cmd.Flags().StringVar(&certificate, "certificate", "", "directory to write a certificate to: codecheck.yml, ro-crate-metadata.json and what they name")
	cmd.RegisterFlagCompletionFunc("certificate", directories)
	a.withFormat(cmd, formats...)
	a.withAccepted(cmd)
	return cmd
}

// certify writes a certificate of verdicts, with the commands that make them from nothing.
func (a *app) certify(cmd *cobra.Command, dir string, p plan.Plan, cells *store.Store, v paper.Verdicts) error {
	var b bytes.Buffer
	if err := v.Document().Write(&b, "json", document.Style{}); err != nil {
		return err
	}
	run := text.Invocation{Spec: cmd.Flags().Arg(0), Datasets: changedFlag(cmd, text.DatasetsFlag), Methods: changedFlag(cmd, text.MethodsFlag)}
	var fetched []string
	for _, row := range p.Splits {
		if e := row.Dataset; !e.Generated() && !e.Own() && !spec.Imported(e) {
			fetched = text.AppendNew(fetched, e.ID)
		}
	}
	var commands []string
	if len(fetched) > 0 {
		commands = append(commands, "r2lmlbench data fetch "+strings.Join(fetched, " "))
	}
	commands = append(commands, run.String())
	if v.Readings.Tried > 1 {
		for _, name := range p.Spec.Published.Readings {
			commands = append(commands, text.Invocation{Spec: name, Datasets: run.Datasets}.String())
		}
	}
	run.Results = defaultResults
	commands = append(commands, run.Verdict()+" --certificate certificate")
	c := paper.Certificate{
		Verdicts: v, Commands: commands, Version: thisVersion(), Day: cmp.Or(results.Committed(), Released),
		Sources: results.ThisBuild().Sources, JSON: b.Bytes(),
	}
	if err := c.Write(dir, p, cells); err != nil {
		return err
	}
	a.Remark("the certificate is in %s", dir)
	return nil
}

func (a *app) explainCommand() *cobra.Command {
	cmd := a.verb("explain LETTER/METHOD", completeNumber)
	experiment := cmd.Flags().String("spec", experiments.Paper, "spec whose number it is")
	cmd.RegisterFlagCompletionFunc("spec", completeSpecs)
	a.withCells(cmd)
	a.withFormat(cmd, "text", "json")
	a.withAccepted(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		dataset, method, ok := strings.Cut(args[0], "/")
		if !ok || dataset == "" || method == "" {
			return fmt.Errorf("explain wants LETTER/METHOD such as I/itml, got %q", args[0])
		}
		p, err := a.planned(cmd.Context(), *experiment, []string{dataset}, nil)
		if err != nil && !cmd.Flags().Changed("spec") {
			return fmt.Errorf("%w; --spec names another spec", err)
		}
		if err != nil {
			return err
		}
		accepted := a.accepted(cmd, p.Spec.Name)
		a.tellAccepted(accepted, p.Spec.Name)
		stores := []*store.Store{accepted, a.store} // some cells of one's own do not stand for all that are accepted
		if cmd.Flags().Changed(text.ResultsFlag) {
			slices.Reverse(stores)
		}
		x, err := report.Explain(cmd.Context(), p, *experiment, dataset, method, stores...)
		if err != nil {
			return err
		}
		return a.Write(document.Document{Text: x.Text(), Value: x})
	}
	return cmd
}
