// Package rank makes the ranked table of results that were made anywhere: it needs what
// each system answered on each item, and nothing of how.
//
// Two forms are read, in each format of package tabular:
//
//   - the long form, a row for each item and system, with the columns item and
//     system and either correct (0 or 1, false or true) or label and truth;
//   - a matrix, a row for each item: the column item, then a column for each
//     system with 0 or 1.
//
// dataset, split, seed and train may stand beside, in a matrix only dataset; train is the
// number of training samples of a split, without which several splits have no test. It counts
// those that a system was not shown, too, see [stats.ResampledT]. Columns may have other names,
// see known. Systems are compared on items that all of them answered: a
// pair that is missing is an error that names it, or the item is left out for all.
package rank

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"r2lmlbench/datasets/tabular"
	"r2lmlbench/internal/files"
	"r2lmlbench/internal/text"
	"r2lmlbench/results/store"
)

// What a file may hold.
const (
	maxBytes   = 512 << 20 // all predictions of the spec pays are 394 MB
	maxSystems = 200       // of a table: each pair of them is tested
	maxParts   = 20_000    // systems, or splits
)

// maxAnswers is how many answers or scores a file may hold, gaps of a matrix among them, and how many rows; tests lower it.
var maxAnswers = 16_000_000

// A File is what systems answered. All lists are in the order of the file.
type File struct {
	Name       string // in errors
	systems    []string
	places     []store.Key // splits of data sets: these have no method and no seed
	groups     map[store.Key]*group
	labels     index // true or given
	unlabelled bool  // some answer is only known to be right or wrong
	answers    int
	columns    map[string]bool // names of columns, and whether they are used
}

// A group is the answers on one split of a data set.
type group struct {
	items index
	truth []answer // by item: the true label where it stands first
	train int      // samples learned from; 0: not known
	runs  []store.Key
	said  map[store.Key]map[int32]answer // by item
	told  map[int32]string               // true label by item where no label is given, and correct counts
}

// An answer is the number of a label, and the line where it stands.
type answer struct{ label, line int32 }

// anySplit is the name of a split that has none.
const anySplit = "given"

// An index numbers texts from 0 in order of appearance.
type index struct {
	texts   []string
	numbers map[string]int32
}

func (x *index) number(text string) int32 {
	n, there := x.numbers[text]
	if !there {
		text, n = strings.Clone(text), int32(len(x.texts)) // the line is not kept for it
		x.texts, x.numbers[text] = append(x.texts, text), n
	}
	return n
}

// A Source is a file to rank by: of answers, or of scores.
type Source struct {
	name  string // in errors
	cells *tabular.Cells
	rows  int
}

// ReadFile reads a file to rank, or what a path such as /dev/stdin streams. It refuses a file of too many bytes or rows before it
// holds it.
func ReadFile(name, path string) ([]byte, error) {
	file, info, err := files.Open(path)
	if errors.Is(err, files.ErrKind) && files.IsStream(path) { // a pipe can be read only once
		return files.ReadOrStream(path, maxBytes+1)
	}
	if err != nil {
		return nil, err
	}
	defer file.Close()
	if info.Size() > maxBytes {
		return nil, fmt.Errorf("%s: %d MiB, and at most %d are read; %s", name, info.Size()>>20, maxBytes>>20, remedy)
	}
	if _, err := countRows(name, file); err != nil {
		return nil, err
	}
	return files.Read(path, maxBytes+1)
}

// remedy is for files that are too large.
const remedy = "divide it, for example by data set, or leave out systems"

// countRows counts the lines of a text, or the objects of JSON, whose lines may be parts of one; those of Parquet are not counted. It fails
// at the first too many: with the names of the columns there is one more than answers.
func countRows(name string, text io.Reader) (rows int, err error) {
	b, returns, begin := make([]byte, 1<<16), 0, byte(0)
	for {
		n, err := text.Read(b)
		if first := bytes.TrimLeft(b[:n], "\xef\xbb\xbf \t\r\n"); begin == 0 && len(first) > 0 {
			if bytes.HasPrefix(first, []byte("PAR1")) {
				return 0, nil
			}
			begin = first[0]
		}
		if begin == '{' || begin == '[' {
			rows += bytes.Count(b[:n], []byte("{"))
		} else {
			rows += bytes.Count(b[:n], []byte("\n"))
			returns += bytes.Count(b[:n], []byte("\r")) // which alone end the lines of old Macintosh programs
		}
		switch most := max(rows, returns); {
		case most > maxAnswers+1:
			return most, fmt.Errorf("%s: more than %d rows, and at most %d answers or scores are read; %s", name, maxAnswers, maxAnswers, remedy)
		case err == io.EOF:
			return most, nil
		case err != nil:
			return most, err
		}
	}
}

// Open opens a file as data of the user are read: delimited text of any kind, records of JSON, Parquet, also packed. Its
// first line has the names of the columns. It refuses more rows than answers are possible, and a matrix of more cells.
func Open(ctx context.Context, name string, data []byte) (Source, error) {
	content, err := tabular.Content(ctx, data, maxBytes)
	if err != nil {
		return Source{}, fmt.Errorf("%s: %w", name, err)
	}
	rows, err := countRows(name, content)
	if err != nil {
		return Source{}, err
	}
	o := tabular.Layout{Header: new(true)}
	cells, err := tabular.OpenCells(ctx, name, data, maxBytes, o)
	if err == nil && cells.Names == nil {
		err = fmt.Errorf("%s: its columns have no names; see `r2lmlbench rank --help` for the forms", name)
	}
	return Source{name, cells, rows}, err
}

// checkMatrix refuses a matrix of so many systems whose rows have more cells than answers or scores are possible.
func (s Source) checkMatrix(systems int) error {
	if systems*s.rows > maxAnswers+systems { // one line has the names
		return fmt.Errorf("%s: %d rows of %d systems are more than %d answers or scores, the most that are read; %s",
			s.name, s.rows, systems, maxAnswers, remedy)
	}
	return nil
}

// Remarks tells what was guessed of the layout of the file.
func (s Source) Remarks() []string { return s.cells.Why }

// each gives the rows below the names in order. Errors begin with the file and the line.
func (s Source) each(use func(line int, cells []tabular.Value) error) error {
	names := s.cells.Names
	return s.cells.Each(func(line int, cells []tabular.Value) error {
		if !slices.EqualFunc(names, cells, func(name string, c tabular.Value) bool { return name == c.Text }) { // again, where files were put together
			if err := use(line, cells); err != nil {
				return fmt.Errorf("%s:%d: %w", s.name, line, err)
			}
		}
		return nil
	})
}

// Answers reads what systems answered: a line for each of their answers, or for each item with those of all. Errors
// name the line, what is wrong and what is wanted.
func (s Source) Answers() (File, error) {
	f := File{Name: s.name, groups: map[store.Key]*group{}, labels: index{numbers: map[string]int32{}}, columns: map[string]bool{}}
	head := s.cells.Names
	matrix := !slices.ContainsFunc(head, func(name string) bool { return isOf(name, "system", "correct", "label") })
	if err := checkHead(head, matrix); err != nil {
		return f, fmt.Errorf("%s:1: %w", s.name, err)
	}
	names := make([]string, len(head)) // as known has them
	for i, name := range head {
		names[i] = fieldName(name)
	}
	if matrix && isIndex(names[0]) && !slices.ContainsFunc(names, func(name string) bool { return isOf(name, "item") }) {
		names[0] = "item"
	}
	var systems []int // their columns in a matrix
	for i, name := range names {
		if matrix && !isIndex(name) && !isOf(name, "item", "dataset") {
			systems, f.systems = append(systems, i), append(f.systems, head[i])
		}
	}
	f.use(slices.DeleteFunc(slices.Clone(names), func(name string) bool { return matrix && !isIndex(name) }))
	if err := s.checkMatrix(len(systems)); err != nil {
		return f, err
	}
	err := s.each(func(line int, cells []tabular.Value) error {
		texts := map[string]string{}
		for i, c := range cells {
			if !c.Absent {
				texts[names[i]] = c.Text
			}
		}
		of := fieldsOf(texts)
		if !matrix {
			return f.add(line, of)
		}
		for _, i := range systems {
			if of["system"], of["correct"] = head[i], cells[i].Text; cells[i].Missing { // a gap
				continue
			}
			if err := f.add(line, of); err != nil {
				return err
			}
		}
		return nil
	})
	if err == nil && len(f.places) == 0 {
		err = fmt.Errorf("%s: no answers in it; see `r2lmlbench rank --help` for the forms", s.name)
	}
	return f, err
}

// isIndex tells whether a column is the row names that pandas and R write, by its name as
// known has it.
func isIndex(name string) bool { return name == "" || name == "unnamed: 0" }

// use notes which of the columns of a line are used. Of several that name the item the first of
// known is.
func (f *File) use(columns []string) {
	for _, column := range columns {
		if _, seen := f.columns[column]; seen {
			continue
		}
		name := fieldName(column)
		names := known["item"]
		first := slices.IndexFunc(names, func(item string) bool {
			return slices.ContainsFunc(columns, func(other string) bool { return fieldName(other) == item })
		})
		f.columns[column] = isOf(name, allFields...) && (!isOf(name, "item") || names[first] == name)
	}
}

// Remarks are what to know of the file: columns that are not used, and labels that differ by
// capitals alone.
func (f File) Remarks() (all []string) {
	var unused []string
	for _, name := range slices.Sorted(maps.Keys(f.columns)) {
		if !f.columns[name] {
			unused = append(unused, strconv.Quote(name))
		}
	}
	if len(unused) > 0 {
		all = append(all, fmt.Sprintf("%s not used: %s", text.Counted(len(unused), "column"), strings.Join(unused, ", ")))
	}
	alike := map[string][]string{}
	for _, label := range f.labels.texts {
		alike[strings.ToLower(label)] = append(alike[strings.ToLower(label)], strconv.Quote(label))
	}
	for _, label := range slices.Sorted(maps.Keys(alike)) {
		if len(alike[label]) > 1 {
			all = append(all, "labels that differ by capitals alone count as different: "+strings.Join(alike[label], ", "))
		}
	}
	return all
}

// checkHead checks the names of columns.
func checkHead(head []string, matrix bool) error {
	if len(head) == 1 {
		return fmt.Errorf("one column, %q; see `r2lmlbench rank --help` for the forms", head[0])
	}
	for i, name := range head {
		same := func(other string) bool {
			return other == name || isOf(name, allFields...) && fieldName(other) == fieldName(name)
		}
		if slices.ContainsFunc(head[:i], same) {
			return fmt.Errorf("two columns are called %q; is the first line that of the names?", name)
		}
		if matrix && isOf(name, "truth", "split", "seed", "train") {
			return fmt.Errorf("a matrix has a column for each system and cannot have %q; write the long form, or leave it out", name)
		}
	}
	return nil
}

// fields are those of a line that it has.
type fields map[string]string

// known are the fields of a line with the names of their columns. Of several the first
// that is not empty counts.
var known = map[string][]string{
	"item": {"item", "row", "id", "doc_id", "sample", "question"}, "system": {"system", "method", "model"}, "dataset": {"dataset", "task"},
	"correct": {"correct", "right", "acc", "exact_match"}, "label": {"label", "predicted", "prediction"}, "truth": {"truth", "gold", "target"},
	"split": {"split"}, "seed": {"seed"}, "train": {"train"},
}

var allFields = slices.Sorted(maps.Keys(known))

// fieldName is a name as known has it.
func fieldName(name string) string { return strings.ToLower(strings.TrimSpace(name)) }

// isOf tells whether a name is that of one of the fields.
func isOf(name string, of ...string) bool {
	name = fieldName(name)
	return slices.ContainsFunc(of, func(field string) bool { return slices.Contains(known[field], name) })
}

// fieldsOf looks the fields of a line up by their names.
func fieldsOf(texts map[string]string) fields {
	of := fields{}
	for field, names := range known {
		for _, name := range names {
			if text, there := texts[name]; there {
				of[field] = cmp.Or(of[field], text)
				if of[field] != text && text != "" {
					of["twice"] += field + " " // which item may be, of the others it has to be known which one counts
				}
			}
		}
	}
	return of
}

// add files the answer of a line in its group.
func (f *File) add(line int, of fields) error {
	label, truth, err := of.outcome()
	if err != nil {
		return err
	}
	at := store.Key{Dataset: cmp.Or(of["dataset"], "all"), Split: cmp.Or(of["split"], anySplit)}
	by := store.Key{Dataset: at.Dataset, Split: at.Split, Method: of["system"], Seed: 1}
	if seed, given := of["seed"]; given {
		if by.Seed, err = strconv.ParseUint(seed, 10, 64); err != nil {
			return fmt.Errorf("seed is %q, want a whole number from 0", seed)
		}
	}
	train, err := strconv.Atoi(cmp.Or(of["train"], "0"))
	g := f.groups[at]
	if g == nil {
		g = &group{items: index{numbers: map[string]int32{}}, train: train, said: map[store.Key]map[int32]answer{}, told: map[int32]string{}}
		f.places, f.groups[at] = append(f.places, at), g
	}
	if err != nil || train < 0 || train != g.train {
		return fmt.Errorf("train is %q, want the number of training samples, the same on all lines of a split", of["train"])
	}
	if g.said[by] == nil {
		g.runs, g.said[by], f.systems = append(g.runs, by), map[int32]answer{}, text.AppendNew(f.systems, by.Method)
	}
	item, right := g.items.number(of["item"]), answer{f.labels.number(truth), int32(line)}
	if int(item) == len(g.truth) {
		g.truth = append(g.truth, right)
	}
	before, again := g.said[by][item]
	told, twice := of["truth"], false
	if _, labelled := of["label"]; !labelled && told != "" {
		twice = cmp.Or(g.told[item], told) != told
		g.told[item] = cmp.Or(g.told[item], told)
	}
	switch known := g.truth[item]; {
	case known.label != right.label:
		return fmt.Errorf("item %q has the truth %q, and %q on line %d", of["item"], truth, f.labels.texts[known.label], known.line)
	case twice:
		return fmt.Errorf("item %q has the truth %q, and %q on a line before", of["item"], told, g.told[item])
	case again:
		return fmt.Errorf("%s has answered item %q already on line %d", by.Method, of["item"], before.line)
	case max(len(f.systems), len(f.places)) > maxParts || f.answers == maxAnswers:
		return fmt.Errorf("more than %d systems or splits, or %d answers; divide the file", maxParts, maxAnswers)
	}
	if _, labelled := of["label"]; !labelled || of["truth"] == "" {
		f.unlabelled = true
	}
	g.said[by][item] = answer{f.labels.number(label), right.line}
	f.answers++
	return nil
}

// outcome checks a line, and returns the label that was given and the true one; where only
// right and wrong are known, these are 1 or 0, and 1.
func (f fields) outcome() (label, truth string, err error) {
	_, labels := f["label"]
	_, truths := f["truth"]
	label, truth = whole(f["label"]), whole(f["truth"])
	correct := strings.ToLower(whole(f["correct"]))
	right, told := correct == "1" || correct == "true", slices.Contains([]string{"0", "1", "false", "true"}, correct)
	switch {
	case f["item"] == "":
		return "", "", fmt.Errorf("no item; answers need a column %s, a table of scores begins with one called dataset, and `compare` reads rows of features",
			strings.Join(known["item"], " or "))
	case f["system"] == "":
		return "", "", fmt.Errorf("no system; it needs a column %s", strings.Join(known["system"], " or "))
	case strings.ReplaceAll(f["twice"], "item ", "") != "":
		return "", "", fmt.Errorf("%sis there under two names, with two values; leave one out", f["twice"])
	case labels && truths && (label == "" || truth == ""):
		return "", "", errors.New("label or truth is empty; leave out the line of an item without an answer, or give it a label that is none")
	case labels && truths && told && right != (label == truth):
		return "", "", fmt.Errorf("correct is %s, and label and truth say otherwise; leave correct out if they count", f["correct"])
	case labels && truths:
		return label, truth, nil
	case f["correct"] == "":
		return "", "", errors.New("no outcome; it needs correct with 0 or 1, or label and truth")
	case !told:
		return "", "", fmt.Errorf("%s has %q for correct, want 0 or 1: McNemar's test needs right and wrong answers", f["system"], f["correct"])
	case right:
		return "1", "1", nil
	}
	return "0", "1", nil
}

// whole writes whole numbers without the decimal that other programs give them.
func whole(text string) string {
	if short := strings.TrimSuffix(text, ".0"); short != text && len(strings.Trim(short, "-0123456789")) == 0 {
		return short
	}
	return text
}
