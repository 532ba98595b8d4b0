package cli

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"r2lmlbench/datasets"
	"r2lmlbench/experiments"
)

func (a *app) dataCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "data",
		Short: "List, fetch, verify, show and import data sets",
		Args:  cobra.NoArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(a.dataListCommand(), a.dataFetchCommand(), a.dataVerifyCommand(), a.dataShowCommand(), a.dataImportCommand())
	return cmd
}

// chosenSets returns the sets that names name; those of the paper when there
// are none.
func chosenSets(names []string) ([]datasets.Entry, error) {
	if len(names) == 0 {
		names = []string{"all"}
	}
	var sets []datasets.Entry
	for _, name := range names {
		found, err := experiments.FindDatasets(name)
		if err != nil {
			return nil, err
		}
		sets = append(sets, found...)
	}
	return sets, nil
}

func (a *app) dataListCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "list",
		Short: "List the data sets of the catalogue and whether they are there",
		Args:  cobra.NoArgs,
		RunE:  func(*cobra.Command, []string) error { return a.dataList() },
	}
}

// listedSet is an entry of `data list --format json`.
type listedSet struct {
	ID       string `json:"id"`
	Letter   string `json:"letter,omitempty"`
	Name     string `json:"name"`
	Rows     int    `json:"rows"`
	Features int    `json:"features"`
	Classes  int    `json:"classes"`
	State    string `json:"state"` // "present", "missing", "corrupt", "generated" or "imported"
	Licence  string `json:"licence,omitempty"`
	Note     string `json:"note,omitempty"`
}

func (a *app) dataList() error {
	library := datasets.Library{Dir: a.data}
	var sets []listedSet
	for _, e := range datasets.All() {
		sets = append(sets, listedSet{e.ID, e.Letter, e.Name, e.Rows(), e.Features, len(e.Labels), stateOf(library, e), e.Licence, e.Note})
	}
	for _, name := range library.ImportedNames() {
		sets = append(sets, listedSet{ID: "mat:" + name, Name: name, State: "imported"})
	}
	var rows [][]string
	for _, s := range sets {
		rows = append(rows, []string{s.Letter, s.ID, s.Name, strconv.Itoa(s.Rows), strconv.Itoa(s.Features), strconv.Itoa(s.Classes), s.State})
	}
	return a.listing([]string{"", "id", "name", "rows", "features", "classes", "state"}, rows, struct {
		Schema int         `json:"schema"`
		Dir    string      `json:"dir"`
		Sets   []listedSet `json:"datasets"`
	}{1, a.data, sets})
}

func stateOf(library datasets.Library, e datasets.Entry) string {
	if e.Generated() {
		return "generated"
	}
	switch err := library.Check(e); {
	case err == nil:
		return "present"
	case errors.Is(err, datasets.ErrMissing):
		return "missing"
	default:
		return "corrupt"
	}
}

func (a *app) dataFetchCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "fetch [SET...]",
		Short: "Get data sets from their official sources, or from a local copy; all of the paper's without an argument",
	}
	from := cmd.Flags().String("from", "", "copy from this directory, laid out as <id>/<file>, instead of the network")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		sets, err := chosenSets(args)
		if err != nil {
			return err
		}
		return a.fetch(cmd.Context(), sets, *from)
	}
	return cmd
}

// fetch gets every set it can; what fails is listed at the end.
func (a *app) fetch(ctx context.Context, sets []datasets.Entry, from string) error {
	library := datasets.Library{Dir: a.data}
	fetcher := datasets.Fetcher{Log: a.remark}
	var faults []error
	for _, e := range sets {
		if e.Generated() {
			continue
		}
		var err error
		if from != "" {
			err = fetcher.Copy(ctx, e, library, from)
		} else {
			err = fetcher.Fetch(ctx, e, library)
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			faults = append(faults, err)
			continue
		}
		fmt.Fprintf(a.stdout, "%s: ok\n", e.ID)
	}
	if len(faults) > 0 {
		return fmt.Errorf("%w\n%w", errData, errors.Join(faults...))
	}
	return nil
}

func (a *app) dataVerifyCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "verify [SET...]",
		Short: "Hash and count the data sets again and compare them with the catalogue and the paper's Table 1",
		RunE: func(_ *cobra.Command, args []string) error {
			sets, err := chosenSets(args)
			if err != nil {
				return err
			}
			return a.verify(sets)
		},
	}
}

// comparison is an entry of `data verify --format json`.
type comparison struct {
	Dataset  string `json:"dataset"`
	Letter   string `json:"letter,omitempty"`
	What     string `json:"what"`
	Expected string `json:"expected"`
	Found    string `json:"found"`
	Agrees   bool   `json:"agrees"`
}

// verify prints every comparison. Files that are missing or corrupt are an
// error; differences from the paper's Table 1 are findings.
func (a *app) verify(sets []datasets.Entry) error {
	library := datasets.Library{Dir: a.data}
	var checks []comparison
	var rows [][]string
	var faults []error
	for _, e := range sets {
		found, err := datasets.Verify(library, e)
		if err != nil {
			faults = append(faults, err)
		}
		for _, c := range found {
			checks = append(checks, comparison{c.ID, c.Letter, c.What, c.Want, c.Got, c.OK})
			rows = append(rows, []string{c.Letter, c.ID, c.What, c.Want, c.Got, agreement(c.OK)})
		}
	}
	err := a.listing([]string{"", "id", "what", "expected", "found", ""}, rows, struct {
		Schema int          `json:"schema"`
		Checks []comparison `json:"checks"`
	}{1, checks})
	if len(faults) > 0 {
		err = errors.Join(err, fmt.Errorf("%w\n%w", errData, errors.Join(faults...)))
	}
	return err
}

func agreement(ok bool) string {
	if ok {
		return "agrees"
	}
	return "DIFFERS"
}

func (a *app) dataShowCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "show SET",
		Short: "Show what the catalogue knows of a data set and how it is split",
		Args:  one("SET"),
		RunE: func(_ *cobra.Command, args []string) error {
			sets, err := chosenSets(args)
			if err != nil {
				return err
			}
			return a.show(sets[0])
		},
	}
}

func (a *app) show(e datasets.Entry) error {
	var rows [][]string
	add := func(name, value string) {
		if value != "" {
			rows = append(rows, []string{name, value})
		}
	}
	add("id", e.ID)
	add("letter", e.Letter)
	add("name", e.Name)
	add("state", stateOf(datasets.Library{Dir: a.data}, e))
	add("features", strconv.Itoa(e.Features))
	if e.PCA > 0 {
		add("principal components", strconv.Itoa(e.PCA))
	}
	for i, label := range e.Labels {
		add(fmt.Sprintf("class %d", i+1), fmt.Sprintf("%s, %d rows", label, e.Histogram[i]))
	}
	add("training rows per class", strconv.Itoa(e.Sizes.Train))
	add("validation rows per class", strconv.Itoa(e.Sizes.Validation))
	add("test samples", strconv.Itoa(e.TestSize()))
	for _, f := range e.Files {
		add("file", fmt.Sprintf("%s, %d bytes, SHA-256 %s", f.Name, f.Bytes, f.SHA256))
		for _, s := range f.Sources {
			add("source", strings.TrimSpace(s.URL+" "+s.Member))
		}
	}
	add("content digest", e.Digest)
	add("split digest", e.SplitDigest)
	add("licence", e.Licence)
	add("note", e.Note)
	return a.listing([]string{"fact", "value"}, rows, struct {
		Schema  int            `json:"schema"`
		Dataset datasets.Entry `json:"dataset"`
	}{1, e})
}

func (a *app) dataImportCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "import FILE.mat",
		Short: "Import a split in the authors' form (train_data, cross_data, test_data) as data set mat:NAME",
		Args:  one("FILE.mat"),
	}
	name := cmd.Flags().String("name", "", "name of the imported set (default: the file's name)")
	cmd.RunE = func(_ *cobra.Command, args []string) error { return a.importMAT(args[0], *name) }
	return cmd
}

func (a *app) importMAT(path, name string) error {
	in, err := datasets.Import(datasets.Library{Dir: a.data}, path, name)
	if err != nil {
		return fmt.Errorf("%w: %w", errData, err)
	}
	fmt.Fprintf(a.stdout, "%s: %d training, %d validation and %d test samples, %d features, %d classes\n",
		in.ID, in.Train, in.Validation, in.Test, in.Features, in.Classes)
	return nil
}
