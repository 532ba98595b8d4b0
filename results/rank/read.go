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
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// MaxBytes bounds a file.
const MaxBytes = 64 << 20

// MaxSystems bounds the systems of a table, which tests every pair of them.
const MaxSystems = 200

// A File is what systems answered, by its name as errors have it.
type File struct {
	Name    string
	answers []answer
	groups  []*group // the same by data set and split
}

// An answer is what one system said of one item.
type answer struct {
	dataset, split, item, system string
	seed                         uint64
	truth, label                 string // 1, and 1 or 0, where only right and wrong are known
	line                         int
}

// aliases are the names by which the fields of a line are known.
var aliases = map[string][]string{
	"item": {"item", "row", "id", "sample", "question"}, "system": {"system", "method", "model"}, "dataset": {"dataset", "task"},
	"correct": {"correct", "right"}, "label": {"label", "predicted", "prediction"}, "truth": {"truth", "gold", "target"},
	"split": {"split"}, "seed": {"seed"},
}

// fields are those of a line, by name.
type fields map[string]string

// get returns a field by its name or an alias of it.
func (f fields) get(name string) (string, bool) {
	for _, alias := range aliases[name] {
		if v, ok := f[alias]; ok {
			return strings.TrimSpace(v), true
		}
	}
	return "", false
}

// Read reads the answers in a file. Errors name the line, what is wrong and what is wanted.
func Read(name string, data []byte) (File, error) {
	if len(data) > MaxBytes {
		return File{}, fmt.Errorf("%s: more than %d MiB; divide it by data sets", name, MaxBytes>>20)
	}
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	f := File{Name: name}
	add := func(line int, of fields) error {
		a, err := newAnswer(of)
		if err != nil {
			return fmt.Errorf("%s:%d: %w", name, line, err)
		}
		a.line = line
		f.answers = append(f.answers, a)
		return nil
	}
	read := readCSV
	if bytes.HasPrefix(bytes.TrimLeft(data, " \t\r\n"), []byte("{")) {
		read = readJSON
	}
	err := read(name, data, add)
	if err == nil && len(f.answers) == 0 {
		err = fmt.Errorf("%s: no answers in it; see `r2lmlbench rank --help` for the forms", name)
	}
	if err == nil {
		f.groups, err = grouped(name, f.answers)
	}
	return f, err
}

func readJSON(file string, data []byte, add func(int, fields) error) error {
	line := 0
	for text := range bytes.Lines(data) {
		if line++; len(bytes.TrimSpace(text)) == 0 {
			continue
		}
		var object map[string]any
		d := json.NewDecoder(bytes.NewReader(text))
		d.UseNumber()
		if err := d.Decode(&object); err != nil {
			return fmt.Errorf("%s:%d: not an object in JSON: %w", file, line, err)
		}
		if _, err := d.Token(); !errors.Is(err, io.EOF) {
			return fmt.Errorf("%s:%d: more than one object on the line; JSON lines have one each", file, line)
		}
		f := fields{}
		for name, v := range object {
			if v != nil {
				f[name] = fmt.Sprint(v)
			}
		}
		if err := add(line, f); err != nil {
			return err
		}
	}
	return nil
}

func readCSV(file string, data []byte, add func(int, fields) error) error {
	lines := csv.NewReader(bytes.NewReader(data))
	lines.TrimLeadingSpace = true
	head, err := lines.Read()
	if errors.Is(err, io.EOF) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("%s: not a CSV file: %w", file, err)
	}
	if len(head) == 1 {
		return fmt.Errorf("%s:1: one column, %q; write commas between columns, see `r2lmlbench rank --help`", file, head[0])
	}
	long := false // some column says what an answer is, so that no column is a system
	for i, name := range head {
		if slices.Contains(head[:i], name) {
			return fmt.Errorf("%s:1: two columns are called %q", file, name)
		}
		for _, of := range []string{"system", "correct", "label"} {
			long = long || slices.Contains(aliases[of], name)
		}
	}
	for _, name := range head {
		for _, of := range []string{"truth", "split", "seed"} {
			if !long && slices.Contains(aliases[of], name) {
				return fmt.Errorf("%s:1: a matrix has a column for each system and cannot have %q; write the long form, or leave it out", file, name)
			}
		}
	}
	for {
		record, err := lines.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if errors.Is(err, csv.ErrFieldCount) {
			line, _ := lines.FieldPos(0)
			return fmt.Errorf("%s:%d: %d fields, but %d columns; write a field for each, and quote those that hold a comma", file, line, len(record), len(head))
		}
		if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		line, _ := lines.FieldPos(0)
		whole := fields{}
		for i, name := range head {
			whole[name] = record[i]
		}
		if long {
			if err := add(line, whole); err != nil {
				return err
			}
			continue
		}
		item, _ := whole.get("item")
		dataset, _ := whole.get("dataset")
		for i, name := range head {
			if slices.Contains(aliases["item"], name) || slices.Contains(aliases["dataset"], name) || record[i] == "" { // empty: a gap
				continue
			}
			if err := add(line, fields{"item": item, "dataset": dataset, "system": name, "correct": record[i]}); err != nil {
				return fmt.Errorf("%w (column %q)", err, name)
			}
		}
	}
}

// newAnswer checks the fields of a line.
func newAnswer(f fields) (answer, error) {
	a := answer{dataset: "all", split: "given", seed: 1}
	for _, to := range []struct {
		name string
		text *string
	}{{"item", &a.item}, {"system", &a.system}, {"dataset", &a.dataset}, {"split", &a.split}} {
		if v, _ := f.get(to.name); v != "" {
			*to.text = v
		} else if *to.text == "" {
			return a, fmt.Errorf("no %s; it needs a column %s", to.name, strings.Join(aliases[to.name], " or "))
		}
	}
	if v, ok := f.get("seed"); ok {
		seed, err := strconv.ParseUint(v, 10, 64)
		if err != nil {
			return a, fmt.Errorf("seed is %q, want a whole number from 0", v)
		}
		a.seed = seed
	}
	label, labelled := f.get("label")
	truth, known := f.get("truth")
	if labelled && known {
		if a.label, a.truth = label, truth; label == "" || truth == "" {
			return a, errors.New("label or truth is empty; leave out the line of an item without an answer, or give it a label that is none")
		}
		return a, nil
	}
	correct, ok := f.get("correct")
	a.truth = "1"
	switch strings.ToLower(correct) {
	case "1", "true", "1.0":
		a.label = "1"
	case "0", "false", "0.0":
		a.label = "0"
	default:
		if !ok {
			return a, errors.New("no outcome; it needs a column correct with 0 or 1, or columns label and truth")
		}
		return a, fmt.Errorf("correct is %q, want 0 or 1: McNemar's test needs right and wrong answers", correct)
	}
	return a, nil
}
