package cli

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"gonum.org/v1/gonum/mat"
	"gopkg.in/yaml.v3"

	"r2lmlbench/datasets"
	"r2lmlbench/datasets/tabular"
	"r2lmlbench/experiments/compare"
	"r2lmlbench/experiments/fit"
	"r2lmlbench/experiments/method"
	"r2lmlbench/experiments/registry"
	"r2lmlbench/experiments/spec"
	"r2lmlbench/internal/files"
	"r2lmlbench/internal/machine"
	"r2lmlbench/internal/strictyaml"
	"r2lmlbench/internal/text"
	"r2lmlbench/results"
)

// withModel is a flag that was given and has no meaning for a model that was kept; "" for none.
func withModel(flags *pflag.FlagSet) string {
	for _, name := range []string{"label", "group", "stanza", "splits", "train", "validation", "neighbors", "seed", measureName, "param"} {
		if flags.Changed(name) {
			return name
		}
	}
	return ""
}

// A fitting is what the flags of fit ask for.
type fitting struct {
	ownComparison
	method         string
	params         []string // key=value
	model, output  string   // files
	apply, predict string   // likewise, of rows to map or to label
	force          bool     // replaces any file
}

func (a *app) fitCommand() *cobra.Command {
	var f fitting
	cmd := a.verb("fit [FILE]", anyFile)
	cmd.Args = func(cmd *cobra.Command, args []string) error { return f.checkArgs(cmd.Flags(), args) }
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if f.model != "" {
			m, err := readModel(f.model)
			if err != nil {
				return err
			}
			return a.useModel(cmd.Context(), m, f, f.output)
		}
		f.files = args
		if err := f.check(); err != nil {
			return err
		}
		m, err := a.learn(cmd.Context(), &f)
		if err != nil {
			return err
		}
		if f.output != "" {
			var b bytes.Buffer
			if err := m.Write(&b); err != nil {
				return err
			}
			if err := files.Replace(f.output, b.Bytes()); err != nil {
				return err
			}
			rows, features := m.L.Dims()
			a.Remark("%s maps %s to %s; it was learned from %s", f.output, text.Counted(features, "feature"), text.Counted(rows, "dimension"),
				text.Counted(len(m.Y), "row"))
		}
		return a.useModel(cmd.Context(), m, f, "")
	}
	a.withResults(cmd)
	a.withQuiet(cmd)
	a.withWorkers(cmd)
	f.withData(cmd)
	f.withSplits(cmd)
	flags := cmd.Flags()
	flags.StringVar(&f.method, "method", "", "id of the method")
	cmd.RegisterFlagCompletionFunc("method", cobra.FixedCompletions(compare.Methods(), cobra.ShellCompDirectiveNoFileComp))
	choiceFlag(cmd, flags, &f.Measure, measureName, "that settings are chosen by:", results.MetricIDs()...)
	flags.StringArrayVar(&f.params, "param", nil, "a parameter of the method, as `KEY=VALUE`; may be repeated")
	flags.StringVar(&f.model, "model", "", "`FILE` of a model that was kept, in place of learning one")
	flags.StringVarP(&f.output, "output", "o", "", "`FILE` to write: the model, or with --model the table")
	flags.BoolVar(&f.force, "force", false, "overwrite the file of -o, whatever it is; by default only a model or table that fit wrote")
	flags.StringVar(&f.apply, "apply", "", "write the rows of this `FILE` as the map has them")
	flags.StringVar(&f.predict, "predict", "", "write the labels that the rows of this `FILE` get")
	return cmd
}

// checkArgs reports files and flags that make no sense together, and a file that -o must not replace.
func (f *fitting) checkArgs(flags *pflag.FlagSet, args []string) error {
	switch {
	case len(args) > 1:
		return fmt.Errorf("fit wants one FILE, got %d", len(args))
	case f.model != "" && (len(args) > 0 || f.method != ""):
		return errors.New("fit: --model is a metric that was learned before; leave FILE and --method out, or --model")
	case f.model != "" && withModel(flags) != "":
		return fmt.Errorf("fit: --%s says how a metric is learned, and --model was learned before; leave one of them out", withModel(flags))
	case f.model == "" && (len(args) == 0 || f.method == ""):
		return errors.New("fit wants FILE with --label and --method, or --model")
	case f.apply != "" && f.predict != "":
		return errors.New("fit: --apply and --predict both write a table; give one of them")
	case f.apply+f.predict == "" && (f.output == "" || f.model != ""):
		return errors.New("fit has nothing to write; add --apply or --predict, or after FILE -o metric.npz")
	}
	for _, in := range append(args, f.apply, f.predict, f.model) {
		if in != "" && f.output != "" && sameFile(in, f.output) {
			return fmt.Errorf("fit: -o %s would overwrite %s, which it reads; name another file", f.output, in)
		}
	}
	return f.replaceable()
}

// replaceable tells why -o must not replace a file: it is there and fit did not write it.
func (f fitting) replaceable() error {
	if f.output == "" || f.force {
		return nil
	}
	b, err := files.Read(f.output, tabular.MaxBytes)
	if err != nil || len(b) == 0 { // not there, or refused with its reason when it is written
		return nil
	}
	what := "model"
	if f.model == "" {
		_, err = fit.Read(b)
	} else if what = "table"; !bytes.HasPrefix(b, []byte("label\n")) && !bytes.HasPrefix(b, []byte("z1")) {
		err = errors.New("its first line is none of fit's")
	}
	if err != nil {
		return fmt.Errorf("fit: -o %s is a file that holds no %s of fit (%w); name another one, or add --force to replace it", f.output, what, err)
	}
	return nil
}

// provenance is how a model was made; as JSON it is a part of it.
type provenance struct {
	Method  string         `json:"method"`
	Params  results.Params `json:"params"`
	File    string         `json:"file"`
	SHA256  string         `json:"sha256"`
	Read    tabular.Layout `json:"read"` // how the file is laid out
	Program string         `json:"program"`
}

// learn fits the method to all rows of the file.
func (a *app) learn(ctx context.Context, f *fitting) (*fit.Model, error) {
	m, ok := registry.Find(f.method)
	if !ok || !slices.Contains(compare.Methods(), m.ID) {
		return nil, fmt.Errorf("fit: %s", strictyaml.Unknown("method", f.method, compare.Methods()))
	}
	if err := fit.HasMap(m); err != nil {
		return nil, err
	}
	if err := a.readCompared(ctx, &f.ownComparison); err != nil {
		return nil, err
	}
	t := f.tables[0]
	columns, train, err := fit.Encode(datasets.OwnData(t, f.Files[0].Data), t.Names, f.Files[0].Data.Impute)
	if err != nil {
		return nil, fmt.Errorf("%w\n%s: %w", datasets.ErrUnusable, f.files[0], err)
	}
	setting, err := a.chosenSetting(ctx, f)
	if err != nil {
		return nil, err
	}
	_, features := train.X.Dims()
	if err := roomFor(m, setting, method.Size{N: t.Rows(), M: 1, D: features, C: len(t.Labels)}, machine.Memory()); err != nil {
		return nil, err
	}
	model, err := fit.Learn(ctx, m, setting, train, f.Neighbors)
	if err != nil {
		return nil, err
	}
	for _, warning := range model.Warnings {
		a.Remark("warning: %s: %s", m.Name, warning)
	}
	model.Columns, model.Features, model.Classes = columns, fit.FeatureNames(columns), t.Labels
	read := t.Layout
	read.Decimal, read.Missing, read.Comment = f.Files[0].Data.Decimal, f.Files[0].Data.Missing, f.Files[0].Data.Comment
	b, err := json.Marshal(provenance{m.ID, method.ParamsOf(setting), f.files[0], t.SHA256, read, "r2lmlbench " + Version})
	model.Provenance = string(b)
	return model, err
}

// roomFor refuses a fit that promises to need more memory than a machine has; 0: not known.
func roomFor(m method.Method, setting method.Setting, size method.Size, has int64) error {
	needed := m.Promise(size, []results.Params{method.ParamsOf(setting)})
	if has <= 0 || needed <= float64(has) {
		return nil
	}
	return fmt.Errorf("%w\n%s needs %.1f GiB of memory for %s, this machine has %.1f GiB; take fewer rows or another method",
		datasets.ErrUnusable, m.Name, needed/(1<<30), text.Counted(size.N, "row"), float64(has)/(1<<30))
}

// chosenSetting is that of the flags, or else the one that is chosen most often over the
// splits, and of equals the first of the grid.
func (a *app) chosenSetting(ctx context.Context, f *fitting) (method.Setting, error) {
	if len(f.params) > 0 {
		return f.given()
	}
	f.Methods, f.all = []string{f.method}, true
	if err := a.chooseMethods(ctx, &f.ownComparison); err != nil {
		return method.Setting{}, err
	}
	a.timed = true
	a.tellOverlaps(f.plan)
	failed, err := a.compute(ctx, f.plan)
	if err := errors.Join(failed, err); err != nil {
		return method.Setting{}, err
	}
	last := len(f.plan.Spec.Columns) - 1 // the others are for reference
	settings := f.plan.Spec.Columns[last].Settings[f.Files[0].ID]
	counts := make([]int, len(settings))
	for _, row := range f.plan.Splits {
		j := row.Jobs[last][0]
		cell, ok, err := a.store.Find(j.Inputs)
		if err != nil {
			return method.Setting{}, err
		}
		if !ok {
			continue
		}
		chosen := string(results.SettingsJSON([]results.Setting{cell.Setting()}))
		for i, s := range settings {
			if string(results.SettingsJSON([]results.Setting{{Params: method.ParamsOf(s)}})) == chosen {
				counts[i]++
			}
		}
	}
	best := slices.Index(counts, slices.Max(counts))
	of := ""
	params := maps.Clone(method.ParamsOf(settings[best]))
	if params[method.FeaturesKey] == nil {
		params[method.FeaturesKey] = "raw"
	}
	for _, key := range slices.Sorted(maps.Keys(params)) { // as --param takes them
		of += fmt.Sprintf(" --param %s=%v", key, params[key])
	}
	equal := 0
	for _, n := range counts {
		if n == counts[best] {
			equal++
		}
	}
	if equal > 1 {
		a.Remark("%d settings are chosen equally often, on %d of %d splits each; the first of the grid is taken: --method %s%s",
			equal, counts[best], len(f.plan.Splits), f.method, of)
	} else {
		a.Remark("the setting is that chosen on most splits, %d of %d: --method %s%s", counts[best], len(f.plan.Splits), f.method, of)
	}
	return settings[best], nil
}

// given is the setting of --param: that of a spec with a line for every parameter.
func (f *fitting) given() (method.Setting, error) {
	const anyData = "overlap30" // settings do not depend on the data
	text := fmt.Sprintf("{name: fit, datasets: [%s], methods: [{method: %q, params: {\n", anyData, f.method)
	seen := map[string]bool{}
	for _, p := range f.params {
		key, value, ok := strings.Cut(p, "=")
		if seen[key] {
			return method.Setting{}, fmt.Errorf("--param %s is given twice", key)
		}
		seen[key] = true
		var v yaml.Node
		if err := yaml.Unmarshal([]byte(value), &v); !ok || key == "" || err != nil || len(v.Content) != 1 {
			return method.Setting{}, fmt.Errorf("--param is %q, want a parameter and its value, such as features=zscore", p)
		}
		text += fmt.Sprintf("%q: %s,\n", key, strictyaml.Flow(v.Content[0]))
	}
	s, err := spec.Parse("", []byte(text+"}}]}"))
	if faults, ok := errors.AsType[strictyaml.Errors](err); ok {
		var all []error
		for _, fault := range faults {
			name := "" // of no parameter on the first line and the last
			if i := fault.Line - 2; i >= 0 && i < len(f.params) {
				name, _, _ = strings.Cut(" "+f.params[i], "=")
			}
			all = append(all, fmt.Errorf("--param%s: %s", name, fault.Msg))
		}
		return method.Setting{}, errors.Join(all...)
	}
	if err != nil {
		return method.Setting{}, fmt.Errorf("--param: %w", err)
	}
	setting := s.Columns[0].Settings[anyData][0]
	if seen[method.RuleKey] {
		setting.Rule.K = s.Columns[0].Neighbors[anyData] // where a spec keeps one k
	}
	return setting, nil
}

// readModel reads a model that was kept.
func readModel(file string) (*fit.Model, error) {
	b, err := readData(file)
	if err != nil {
		return nil, err
	}
	m, err := fit.Read(b)
	if err != nil {
		return nil, fmt.Errorf("%w: %s: %w; name a file that fit -o has written", errData, file, err)
	}
	return m, nil
}

// useModel writes the mapped rows of a file or their labels, to standard output if no file
// is named.
func (a *app) useModel(ctx context.Context, m *fit.Model, f fitting, output string) error {
	file := f.apply + f.predict
	if file == "" {
		return nil
	}
	b, err := readData(file)
	if err != nil {
		return err
	}
	var made provenance
	if err := json.Unmarshal([]byte(m.Provenance), &made); err != nil {
		made.Read = tabular.Layout{} // a model that another program wrote
	}
	layout := tabular.Layout{Decimal: made.Read.Decimal, Missing: made.Read.Missing, Comment: made.Read.Comment}
	var wanted []tabular.Wanted
	for _, c := range m.Columns {
		wanted = append(wanted, tabular.Wanted{Name: c.Name, Texts: c.Texts, Open: c.Open})
	}
	values, err := tabular.ReadFeatures(ctx, file, b, layout, wanted)
	if err != nil {
		return fmt.Errorf("%w\n%w", datasets.ErrUnusable, err)
	}
	if len(values) == 0 {
		return fmt.Errorf("%w\n%s: the file has no rows", datasets.ErrUnusable, file)
	}
	a.tellUnknown(file, m, values)
	x, err := m.Encode(mat.NewDense(len(values)/len(wanted), len(wanted), values))
	if err != nil {
		return fmt.Errorf("%w\n%s: %w", datasets.ErrUnusable, file, err)
	}
	var table [][]string
	if f.predict == "" {
		table = mapped(m.Apply(x))
	} else {
		codes, err := m.Predict(ctx, x)
		if err != nil {
			return fmt.Errorf("%w\n%s: %w", datasets.ErrUnusable, file, err)
		}
		table = [][]string{{"label"}}
		for _, code := range codes {
			label := m.Classes[code-1] // programs compare it with the truth
			if output == "" && a.Terminal() {
				label = text.OneLine(label) // people see its hidden characters
			}
			table = append(table, []string{label})
		}
	}
	var out bytes.Buffer
	if err := csv.NewWriter(&out).WriteAll(table); err != nil {
		return err
	}
	if output != "" {
		return files.Replace(output, out.Bytes())
	}
	_, err = a.Out.Write(out.Bytes())
	return err
}

// tellUnknown remarks on texts of a file, whose values are row by row, that the model has not seen.
func (a *app) tellUnknown(file string, m *fit.Model, values []float64) {
	for j, c := range m.Columns {
		unknown, texts := 0, 0
		for i := j; i < len(values) && c.Texts != nil; i += len(m.Columns) {
			if v := values[i]; v < 0 {
				unknown, texts = unknown+1, texts+1
			} else if v >= 0 { // which is not missing
				texts++
			}
		}
		if unknown > 0 {
			a.Remark("%s: column %q: %d of %s not known to the model, which has 0 in all their features", file, text.OneLine(c.Name),
				unknown, text.Counted(texts, "text"))
		}
	}
}

// mapped are mapped rows as a table with the columns z1, z2, ...
func mapped(z *mat.Dense) [][]string {
	rows, columns := z.Dims()
	table := make([][]string, rows+1)
	for j := range columns {
		table[0] = append(table[0], "z"+strconv.Itoa(j+1))
		for i := range rows {
			table[i+1] = append(table[i+1], strconv.FormatFloat(z.At(i, j), 'g', -1, 64))
		}
	}
	return table
}
