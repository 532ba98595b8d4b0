package store

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"r2lmlbench/results"
)

// A pack is a file of cells: those that a store of accepted cells holds of one
// data set and method, a partition of the store.
//
//	packs/<data set>/<method>.jsonl
//
//	{"schema":1,"dataset":"robot","method":"itml","cells":2,"sha256":"61f7..."}
//	{"schema":1,"inputs":{"dataset":"robot",...},...,"digest":"9c0e..."}
//	{"schema":1,"inputs":{"dataset":"robot",...},...,"digest":"04b2..."}
//
// The first line is the head: how many lines are below it, and the SHA-256 of
// their bytes. Every other line is the file of a cell as EncodeCell writes it,
// with its own digest, or the record of a failure, which says so itself. They
// are sorted by split, points, version, seed and key, each once.
//
// The design:
//
//   - A cell keeps its bytes, so a pack is made and taken apart without decoding,
//     and a commit that accepts one more cell changes two lines: the head, and
//     the new one beside those it resembles.
//   - A cell is found without decoding, too. Its key is a hash of bytes that stand
//     at the start of its line; a reader indexes all lines in one pass, decodes a
//     cell when somebody asks for it, and keeps bytes rather than labels.
//   - The digest of the head tells that lines were lost, added or moved, those of
//     the lines tell which one is damaged. A damaged line is named and counts as
//     missing; the others serve. Whoever writes such a pack anew keeps a copy.
//   - A pack is replaced whole, by one process at a time, which holds the lock of
//     its store.
type pack struct {
	lines  []packLine // those that can be used, in the order of the file
	faults []fault
}

// A packLine is a line with its number in the pack, from 1.
type packLine struct {
	*line
	number int
}

// A fault is what is wrong with a line of a pack.
type fault struct {
	number int
	err    error
	lost   bool // what the line held cannot be used
}

// text tells of a fault in the pack at path.
func (f fault) text(path string) string {
	if f.lost {
		return fmt.Sprintf("%s:%d is damaged (%v); its cell counts as missing", path, f.number, f.err)
	}
	return fmt.Sprintf("%s:%d is damaged (%v); cells that are whole are used", path, f.number, f.err)
}

// A packHead is the first line of a pack.
type packHead struct {
	Schema  int    `json:"schema"`
	Dataset string `json:"dataset"`
	Method  string `json:"method"`
	Cells   int    `json:"cells"`
	SHA256  string `json:"sha256"`
}

const packSchema = 1

// parsePack reads the pack of a partition. Of lines with the same inputs none
// is used when they differ, for nobody could say which is meant.
func parsePack(data []byte, of partitionName) pack {
	r := packReader{of: of, seen: map[hash]packLine{}, conflicting: map[hash]bool{}}
	for rest := r.takeHead(data); len(rest) > 0; {
		var text []byte
		text, rest = cutLine(rest)
		r.number++
		if l, err := parsePacked(text, of); err != nil {
			r.refuse(true, "%w", err)
		} else {
			r.take(packLine{l, r.number})
		}
	}
	r.lines = slices.DeleteFunc(r.lines, func(l packLine) bool { return r.conflicting[l.key] })
	return r.pack
}

// A packReader goes through a pack line by line.
type packReader struct {
	pack
	of          partitionName
	number      int               // of the line it is at
	last        *line             // that was in order
	seen        map[hash]packLine // by key
	conflicting map[hash]bool     // keys of lines that differ
}

func (r *packReader) refuse(lost bool, format string, args ...any) {
	r.faults = append(r.faults, fault{r.number, fmt.Errorf(format, args...), lost})
}

// takeHead reads the first line, and returns the lines of cells.
func (r *packReader) takeHead(data []byte) (below []byte) {
	head, below := cutLine(data)
	r.number = 1
	if _, err := parsePacked(head, r.of); err == nil {
		r.refuse(false, "a cell in the place of the head")
		r.number = 0
		return data
	}
	if err := checkHead(head, below, r.of); err != nil {
		r.refuse(false, "%w", err)
	}
	return below
}

func (r *packReader) take(l packLine) {
	switch first, twice := r.seen[l.key]; {
	case !twice:
		if r.last != nil && compareLines(r.last, l.line) > 0 {
			r.refuse(false, "out of order")
		}
		r.last, r.seen[l.key] = l.line, l
		r.lines = append(r.lines, l)
	case bytes.Equal(first.data, l.data):
		r.refuse(false, "the same as line %d", first.number)
	default:
		r.refuse(true, "it has the inputs of line %d and differs from it; neither is used", first.number)
		r.conflicting[l.key] = true
	}
}

// cutLine splits data behind its first line.
func cutLine(data []byte) (first, rest []byte) {
	end := bytes.IndexByte(data, '\n') + 1
	if end == 0 {
		end = len(data)
	}
	return data[:end], data[end:]
}

// checkHead says what is wrong with the first line of a pack.
func checkHead(text, below []byte, of partitionName) error {
	var head packHead
	if json.Unmarshal(text, &head) != nil || !bytes.Equal(jsonLine(head), text) {
		return errors.New("not the head of a pack")
	}
	lines := bytes.Count(below, []byte("\n"))
	switch {
	case head.Schema != packSchema:
		return fmt.Errorf("schema %d, this program reads %d", head.Schema, packSchema)
	case newPartitionName(head.Dataset, head.Method) != of:
		return fmt.Errorf("the head of %s/%s", head.Dataset, head.Method)
	case head.Cells != lines:
		return fmt.Errorf("%d lines were written below it, %d are there", head.Cells, lines)
	case head.SHA256 != results.Digest(below):
		return errors.New("the lines below it are not those that were written")
	}
	return nil
}

// parsePacked reads a line of the pack of a partition.
func parsePacked(text []byte, of partitionName) (*line, error) {
	l, err := scanLine(text)
	if err != nil {
		if _, reason := results.DecodeCell(text); reason != nil {
			err = reason
		}
		return nil, err
	}
	if l.partition != of {
		return nil, fmt.Errorf("a cell of %s/%s", l.partition.folder, l.partition.method)
	}
	l.partition = of // the same strings
	return l, nil
}

// compareLines is the order of a pack.
func compareLines(a, b *line) int {
	number := func(a, b []byte) int { return cmp.Or(cmp.Compare(len(a), len(b)), bytes.Compare(a, b)) }
	x, y := a.raw(), b.raw()
	return cmp.Or(
		bytes.Compare(x.split, y.split),
		bytes.Compare(x.points, y.points),
		number(x.version, y.version),
		number(x.seed, y.seed),
		bytes.Compare(a.key[:], b.key[:]),
	)
}

// encodePack returns the bytes of the pack with the lines, all of one
// partition and each once, in any order.
func encodePack(lines []*line) ([]byte, error) {
	sorted := slices.SortedFunc(slices.Values(lines), compareLines)
	var below []byte
	for _, l := range sorted {
		below = append(below, l.data...)
	}
	head := packHead{Schema: packSchema, Cells: len(sorted), SHA256: results.Digest(below)}
	in := sorted[0].raw()
	err := errors.Join(json.Unmarshal(in.dataset, &head.Dataset), json.Unmarshal(in.method, &head.Method))
	return append(jsonLine(head), below...), err
}
