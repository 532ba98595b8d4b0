// Package rank makes the ranked table of results that were made anywhere: it needs what
// each system answered on each item, and nothing of how.
//
// Three forms are read, told apart by their beginning:
//
//   - a CSV file in long form, a line for each item and system, with the columns item and
//     system and either correct (0 or 1, false or true) or label and truth;
//   - a CSV file as a matrix, a line for each item: the column item, then a column for each
//     system with 0 or 1;
//   - JSON lines, an object for each item and system with the fields of the long form.
//
// dataset, split and seed may stand beside, in a matrix only dataset. Columns may have
// other names, see aliases. Systems are compared on items that all of them answered: a
// pair that is missing is an error that names it, or the item is left out for all.
package rank

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"r2lmlbench/internal/text"
	"r2lmlbench/results/store"
)

// MaxBytes bounds a file.
const MaxBytes = 64 << 20

// MaxSystems bounds the systems of a table, which tests every pair of them.
const MaxSystems = 200

// A File is what systems answered, by its name as errors have it. All lists are in the
// order of the file.
type File struct {
	Name    string
	systems []string
	places  []store.Place // splits of data sets: these have no method and no seed
	groups  map[store.Place]*group
	labels  bool // are known, and not only whether an answer is right
}

// A group is the answers on one split of a data set.
type group struct {
	store.Place
	items  []string
	truth  map[string]answer // an answer on each item
	runs   []store.Place
	said   map[store.Place]map[string]answer
	labels map[string]bool // true or said
}

// An answer is what one system, the method of its place, said of one item.
type answer struct {
	store.Place
	item         string
	truth, label string // 1, and 1 or 0, where only right and wrong are known
	line         int
}

// add files an answer in its group.
func (f *File) add(a answer) error {
	at := store.Place{Dataset: a.Dataset, Split: a.Split}
	g := f.groups[at]
	if g == nil {
		g = &group{Place: at, truth: map[string]answer{}, said: map[store.Place]map[string]answer{}, labels: map[string]bool{}}
		f.places, f.groups[at] = append(f.places, at), g
	}
	if g.said[a.Place] == nil {
		g.runs, g.said[a.Place] = append(g.runs, a.Place), map[string]answer{}
		f.systems = text.AppendNew(f.systems, a.Method)
	}
	known, there := g.truth[a.item]
	twice, again := g.said[a.Place][a.item]
	switch {
	case !there:
		g.items, g.truth[a.item] = append(g.items, a.item), a
	case known.truth != a.truth:
		return fmt.Errorf("item %q has the truth %q, and %q on line %d", a.item, a.truth, known.truth, known.line)
	case again:
		return fmt.Errorf("%s has answered item %q already on line %d", a.Method, a.item, twice.line)
	}
	g.said[a.Place][a.item], g.labels[a.truth], g.labels[a.label] = a, true, true
	f.labels = f.labels || a.label != "0" && a.label != "1" || a.truth != "1"
	return nil
}

// Read reads the answers in a file. Errors name the line, what is wrong and what is wanted.
func Read(name string, data []byte) (File, error) {
	f := File{Name: name, groups: map[store.Place]*group{}}
	if len(data) > MaxBytes {
		return f, fmt.Errorf("%s: more than %d MiB; divide it by data sets", name, MaxBytes>>20)
	}
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	read := readCSV
	if bytes.HasPrefix(bytes.TrimLeft(data, " \t\r\n"), []byte("{")) {
		read = readJSON
	}
	line, err := read(data, func(line int, of fields) error {
		a, err := of.answer(line)
		if err != nil {
			return err
		}
		return f.add(a)
	})
	if err != nil {
		return f, fmt.Errorf("%s:%d: %w", name, line, err)
	}
	if len(f.places) == 0 {
		return f, fmt.Errorf("%s: no answers in it; see `r2lmlbench rank --help` for the forms", name)
	}
	return f, nil
}

// readJSON adds the object of every line; an error is of the line that is returned.
func readJSON(data []byte, add func(int, fields) error) (line int, err error) {
	for object := range bytes.Lines(data) {
		if line++; len(bytes.TrimSpace(object)) == 0 {
			continue
		}
		var values map[string]json.RawMessage
		if err := json.Unmarshal(object, &values); err != nil {
			return line, fmt.Errorf("not one object in JSON: %w", err)
		}
		f := fields{}
		for name, raw := range values {
			var text *string
			switch {
			case json.Unmarshal(raw, &text) != nil:
				f[name] = string(raw) // a number, true or false as it is written
			case text != nil: // null is no field
				f[name] = *text
			}
		}
		if err := add(line, f); err != nil {
			return line, err
		}
	}
	return line, nil
}

// readCSV adds every line of the long form, or every system of a line of a matrix; an
// error is of the line that is returned.
func readCSV(data []byte, add func(int, fields) error) (line int, err error) {
	lines := csv.NewReader(bytes.NewReader(data))
	lines.TrimLeadingSpace = true
	var head []string
	long := false // some column says what an answer is, so that no column is a system
	for {
		record, err := lines.Read()
		var bad *csv.ParseError
		if errors.As(err, &bad) {
			return bad.Line, fmt.Errorf("%w; write a field for each column, and quote those that hold a comma or a quote", bad.Err)
		}
		if err != nil { // the end: nothing else fails in memory
			return line, nil
		}
		line, _ = lines.FieldPos(0)
		if head == nil {
			head, long = record, slices.ContainsFunc(record, isOf("system", "correct", "label"))
			if err := checkHead(head, long); err != nil {
				return line, err
			}
			continue
		}
		whole := fields{}
		for i, name := range head {
			whole[name] = record[i]
		}
		if long {
			err = add(line, whole)
		}
		for _, name := range head {
			if value := whole[name]; !long && err == nil && value != "" && !isOf("item", "dataset")(name) { // empty: a gap
				err = add(line, fields{"item": whole.get("item"), "dataset": whole.get("dataset"), "system": name, "correct": value})
			}
		}
		if err != nil {
			return line, err
		}
	}
}

// checkHead checks the names of columns.
func checkHead(head []string, long bool) error {
	if len(head) == 1 {
		return fmt.Errorf("one column, %q; write commas between columns, see `r2lmlbench rank --help`", head[0])
	}
	for i, name := range head {
		if slices.Contains(head[:i], name) {
			return fmt.Errorf("two columns are called %q", name)
		}
		if !long && isOf("truth", "split", "seed")(name) {
			return fmt.Errorf("a matrix has a column for each system and cannot have %q; write the long form, or leave it out", name)
		}
	}
	return nil
}

// fields are those of a line, by name.
type fields map[string]string

// aliases are the names by which the fields of a line are known.
var aliases = map[string][]string{
	"item": {"item", "row", "id", "sample", "question"}, "system": {"system", "method", "model"}, "dataset": {"dataset", "task"},
	"correct": {"correct", "right"}, "label": {"label", "predicted", "prediction"}, "truth": {"truth", "gold", "target"},
	"split": {"split"}, "seed": {"seed"},
}

// isOf tells of a name whether it is that of one of the fields.
func isOf(names ...string) func(string) bool {
	return func(name string) bool {
		return slices.ContainsFunc(names, func(field string) bool { return slices.Contains(aliases[field], name) })
	}
}

// get returns a field by its name or an alias of it; empty if there is none.
func (f fields) get(name string) string {
	for _, alias := range aliases[name] {
		if v := strings.TrimSpace(f[alias]); v != "" {
			return v
		}
	}
	return ""
}

// has tells whether there is a field of a name or an alias of it, empty or not.
func (f fields) has(name string) bool {
	return slices.ContainsFunc(aliases[name], func(alias string) bool { _, ok := f[alias]; return ok })
}

// answer checks the fields of a line.
func (f fields) answer(line int) (answer, error) {
	a := answer{
		Place: store.Place{Dataset: cmp.Or(f.get("dataset"), "all"), Split: cmp.Or(f.get("split"), "given"), Method: f.get("system")},
		item:  f.get("item"), label: f.get("label"), truth: f.get("truth"), line: line,
	}
	seed, correct := "1", strings.ToLower(f.get("correct"))
	if f.has("seed") {
		seed = f.get("seed")
	}
	var err error
	a.Seed, err = strconv.ParseUint(seed, 10, 64)
	switch {
	case a.item == "" || a.Method == "":
		return a, fmt.Errorf("no item or no system; it needs a column %s, and a column %s",
			strings.Join(aliases["item"], " or "), strings.Join(aliases["system"], " or "))
	case err != nil:
		return a, fmt.Errorf("seed is %q, want a whole number from 0", seed)
	case f.has("label") && f.has("truth"):
		if a.label == "" || a.truth == "" {
			return a, errors.New("label or truth is empty; leave out the line of an item without an answer, or give it a label that is none")
		}
	case correct == "1" || correct == "1.0" || correct == "true":
		a.label, a.truth = "1", "1"
	case correct == "0" || correct == "0.0" || correct == "false":
		a.label, a.truth = "0", "1"
	case correct == "":
		return a, errors.New("no outcome; it needs correct with 0 or 1, or label and truth")
	default:
		return a, fmt.Errorf("%s has %q for correct, want 0 or 1: McNemar's test needs right and wrong answers", a.Method, f.get("correct"))
	}
	return a, nil
}
