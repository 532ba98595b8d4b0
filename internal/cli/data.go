package cli

import (
	"cmp"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"text/template"

	"github.com/spf13/cobra"

	"r2lmlbench/datasets"
	"r2lmlbench/experiments/spec"
	"r2lmlbench/internal/document"
	"r2lmlbench/internal/files"
	"r2lmlbench/internal/text"
)

func (a *app) dataCommand() *cobra.Command {
	cmd := a.verb("data", nil)
	group(cmd)
	cmd.AddCommand(a.dataListCommand(), a.dataFetchCommand(), a.dataVerifyCommand(), a.dataShowCommand(), a.dataImportCommand())
	return cmd
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

func (a *app) dataListCommand() *cobra.Command {
	cmd := a.verb("data list", nil)
	cmd.RunE = func(*cobra.Command, []string) error {
		var sets []listedSet
		for _, e := range datasets.All() {
			sets = append(sets, listed(a.source.Library, e))
		}
		sets = append(sets, libraryEntries(a.source.Library)...)
		t := document.New("", "", "id", "name", "rows", "features", "classes", "state")
		for _, s := range sets {
			t.Add(s.Letter, s.ID, s.Name, s.Rows, s.Features, s.Classes, s.State)
		}
		return a.Listing(t, struct {
			Schema int         `json:"schema"`
			Dir    string      `json:"dir"`
			Sets   []listedSet `json:"datasets"`
		}{1, a.data, sets})
	}
	a.withData(cmd)
	a.withFormat(cmd, formats...)
	return cmd
}

func listed(library datasets.Library, e datasets.DataSet) listedSet {
	state := "generated"
	if !e.Generated() {
		switch err := library.Check(e); {
		case err == nil:
			state = "present"
		case errors.Is(err, datasets.ErrMissing):
			state = "missing"
		default:
			state = "corrupt"
		}
	}
	return listedSet{e.ID, e.Letter, e.Name, e.Rows(), e.Features, len(e.Labels), state, e.Licence, e.Note}
}

// setsCommand is a command that does something with sets of the catalogue, with all of the
// paper unless some are named.
func (a *app) setsCommand(verb string, do func(context.Context, []datasets.DataSet) error) *cobra.Command {
	cmd := a.verb("data "+verb+" [SET...]", completeSets)
	a.withData(cmd)
	a.withQuiet(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			args = []string{"all"}
		}
		var sets []datasets.DataSet
		for _, name := range args {
			found, err := spec.FindDatasets(name)
			if err != nil {
				return err
			}
			if spec.Imported(found[0]) {
				return fmt.Errorf("%s is a split of your own, not a set of the catalogue; see `data list` and `data show`", name)
			}
			sets = append(sets, found...)
		}
		return do(cmd.Context(), sets)
	}
	return cmd
}

func (a *app) dataFetchCommand() *cobra.Command {
	var from string
	cmd := a.setsCommand("fetch", func(ctx context.Context, sets []datasets.DataSet) error { return a.fetch(ctx, sets, from) })
	cmd.Flags().StringVar(&from, "from", "", "copy from this directory, laid out as ID/FILE, instead of the network")
	cmd.RegisterFlagCompletionFunc("from", directories)
	return cmd
}

// fetch gets every set it can; what fails is listed at the end, or when the disk takes no more.
func (a *app) fetch(ctx context.Context, sets []datasets.DataSet, from string) error {
	fetcher := datasets.Fetcher{Log: a.Remark}
	var faults []error
	for _, e := range sets {
		if e.Generated() {
			continue
		}
		var err error
		if from != "" {
			err = fetcher.Copy(ctx, e, a.source.Library, from)
		} else {
			err = fetcher.Fetch(ctx, e, a.source.Library)
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if errors.Is(err, files.ErrIO) { // which would stop the next set, too
			return errors.Join(append(faults, err)...)
		}
		if err != nil {
			faults = append(faults, err)
			continue
		}
		if _, err := fmt.Fprintf(a.Out, "%s: ok\n", e.ID); err != nil {
			return err
		}
	}
	if len(faults) > 0 {
		return fmt.Errorf("%w\n%w", errData, errors.Join(faults...))
	}
	return nil
}

func (a *app) dataVerifyCommand() *cobra.Command {
	cmd := a.setsCommand("verify", a.verify)
	a.withFormat(cmd, formats...)
	return cmd
}

// verify prints every comparison, those that differ last. Files that are
// missing or corrupt are an error; differences from the paper's Table 1 are
// findings.
func (a *app) verify(ctx context.Context, sets []datasets.DataSet) error {
	checks := []datasets.Check{}
	t := document.Table{Columns: []document.Heading{{}, {}, {Name: "id"}, {Name: "what"}, {Name: "expected", Most: 40}, {Name: "found", Most: 40}}}
	var faults []error
	differing := 0
	for _, e := range sets {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		found, err := datasets.Verify(a.source.Library, e)
		if err != nil {
			faults = append(faults, err)
		}
		for _, c := range found {
			word := "agrees"
			if !c.OK {
				word = "DIFFERS"
				differing++
			}
			t.Add(word, c.Letter, c.ID, c.What, c.Want, c.Got)
		}
		checks = append(checks, found...)
	}
	slices.SortStableFunc(t.Rows, func(x, y []document.Value) int { return cmp.Compare(y[0].Text, x[0].Text) }) // agrees, DIFFERS
	err := a.Listing(t, struct {
		Schema int              `json:"schema"`
		Checks []datasets.Check `json:"checks"`
	}{1, checks})
	a.Remark("%s, of which %d %s", text.Counted(len(t.Rows), "comparison"), differing, text.Agree(differing, "differs", "differ"))
	if len(faults) > 0 {
		err = errors.Join(err, fmt.Errorf("%w\n%w", errData, errors.Join(faults...)))
	}
	return err
}

func (a *app) dataShowCommand() *cobra.Command {
	cmd := a.verb("data show SET|FILE", a.completeSet)
	var own ownComparison
	own.withData(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if !isFile(args[0]) {
			e, err := spec.FindDataset(args[0])
			switch {
			case err != nil:
				return err
			case spec.Imported(e):
				return a.showImported(e)
			}
			if info, err := os.Stat(args[0]); err == nil && info.Mode().IsRegular() {
				a.Remark("this is the data set of the catalogue; `data show ./%[1]s` shows the file %[1]s", args[0])
			}
			return a.show(e)
		}
		given, err := own.given()
		if err != nil {
			return err
		}
		return a.showFile(cmd.Context(), args[0], given)
	}
	a.withData(cmd)
	a.withFormat(cmd, formats...)
	return cmd
}

// shownSet is the JSON of `data show` for a set of the catalogue.
type shownSet struct {
	listedSet
	PrincipalComponents int         `json:"principal_components,omitempty"`
	Labels              []string    `json:"labels"`    // in code order
	Histogram           []int       `json:"histogram"` // rows per class
	Train               int         `json:"train_per_class"`
	Validation          int         `json:"validation_per_class"`
	Test                int         `json:"test"` // samples, under rule authors
	Files               []shownFile `json:"files"`
	Digest              string      `json:"content_digest"`
	SplitDigest         string      `json:"split_digest"`
}

type shownFile struct {
	Name    string   `json:"name"`
	Bytes   int64    `json:"bytes"`
	SHA256  string   `json:"sha256"`
	Varies  bool     `json:"varies"` // its content decides
	Sources []string `json:"sources"`
}

func (a *app) show(e datasets.DataSet) error {
	parts, _ := datasets.Rule{}.PartSizes(e) // none where the classes are not known
	s := shownSet{
		listedSet:           listed(a.source.Library, e),
		PrincipalComponents: e.PCA, Labels: e.Labels, Histogram: e.Histogram,
		Train: e.Sizes.Train, Validation: e.Sizes.Validation, Test: parts[2],
		Files: []shownFile{}, Digest: e.Digest, SplitDigest: e.SplitDigest,
	}
	for _, f := range e.Files {
		shown := shownFile{Name: f.Name, Bytes: f.Bytes, SHA256: f.SHA256, Varies: f.Varies, Sources: []string{}}
		for _, source := range f.Sources {
			shown.Sources = append(shown.Sources, strings.TrimSpace(source.URL+" "+source.Member))
		}
		s.Files = append(s.Files, shown)
	}
	return a.showFacts("set", s, struct {
		Schema  int      `json:"schema"`
		Dataset shownSet `json:"dataset"`
	}{1, s}, "")
}

//go:embed facts.tmpl
var factsText string

// mostFacts is how many classes, folds, features and guesses of own data are shown: the
// stanza to paste stands below them.
const mostFacts = 20

var factsTemplate = template.Must(template.New("facts").Funcs(template.FuncMap{
	"line": text.OneLine,
	"next": func(i int) int { return i + 1 },
	"rows": func(n int) string { return text.Counted(n, "row") },
	"some": func(names []string) string { return text.Series(names[:min(len(names), 10)]) },
	"most": func(list any) int { return min(reflect.ValueOf(list).Len(), mostFacts) },
	"more": func(list any) string {
		if n := reflect.ValueOf(list).Len() - mostFacts; n > 0 {
			return fmt.Sprintf("%d, see --format json", n)
		}
		return ""
	},
}).Parse(factsText))

// showFacts prints what a template of facts.tmpl tells of a set, in text with lines at the
// end, or as JSON an object.
func (a *app) showFacts(kind string, of, object any, end string) error {
	var b strings.Builder
	if err := factsTemplate.ExecuteTemplate(&b, kind, of); err != nil {
		return err
	}
	t := document.New("", "fact", "value")
	for line := range strings.Lines(b.String()) {
		if fact, value, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "\t"); ok && value != "" {
			t.Add(fact, value)
		}
	}
	return a.Write(document.Document{Tables: []document.Table{t}, Value: object, End: end})
}

// shownSplit is the JSON of `data show` for an imported split.
type shownSplit struct {
	ID         string `json:"id"`
	State      string `json:"state"`
	Train      int    `json:"train"`
	Validation int    `json:"validation"`
	Test       int    `json:"test"`
	Features   int    `json:"features"`
	Classes    int    `json:"classes"`
	Histogram  []int  `json:"histogram"` // rows per class, of all parts
	Digest     string `json:"digest"`
}

func (a *app) showImported(e datasets.DataSet) error {
	split, err := a.source.Library.OpenImported(e.Name)
	if err != nil {
		return fmt.Errorf("%w: %w", errData, err)
	}
	e = split.Known(e)
	s := shownSplit{e.ID, "imported", e.Parts[0], e.Parts[1], e.Parts[2], e.Features, len(e.Labels), e.Histogram, split.Digest}
	return a.showFacts("split", s, struct {
		Schema  int        `json:"schema"`
		Dataset shownSplit `json:"dataset"`
	}{1, s}, "")
}

func (a *app) dataImportCommand() *cobra.Command {
	cmd := a.verb("data import FILE", anyFile)
	a.withData(cmd)
	a.withQuiet(cmd)
	name := cmd.Flags().String("name", "", "name of the imported split (default: the file's name)")
	cmd.RunE = func(_ *cobra.Command, args []string) error {
		in, err := datasets.Import(a.source.Library, args[0], *name)
		if err != nil {
			return fmt.Errorf("%w: %w", errData, err)
		}
		fmt.Fprintf(a.Out, "%s: %d training, %d validation and %d test samples, %s, %d classes\n",
			in.ID, in.Parts[0], in.Parts[1], in.Parts[2], text.Counted(in.Features, "feature"), len(in.Labels))
		return nil
	}
	return cmd
}
