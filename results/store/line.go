package store

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"r2lmlbench/results"
)

// A line is the file of a cell that has not been decoded: its digest is right,
// and its inputs stand where EncodeCell puts them. What DecodeCell accepts is a
// line; not every line is a cell.
//
// A store may have many of them in memory, so the parts of the inputs are looked up
// anew by raw.
type line struct {
	data      []byte        // all of it, with the line end
	inputsEnd int           // in data
	key       hash          // of its inputs
	failed    bool          // it is the record of a failure
	partition partitionName // of its data set and method
}

// raw takes the inputs apart.
func (l *line) raw() rawInputs {
	s := scanner{data: l.data[:l.inputsEnd], at: len(lineStart)}
	return s.inputs()
}

// answer is what follows the inputs, without the digest.
func (l *line) answer() []byte { return l.data[l.inputsEnd : len(l.data)-digestSize] }

// name is that of a file of its own, without the ending.
func (l *line) name() string { return l.partition.stem(l.key) }

// file is the name of a file of its own.
func (l *line) file() string { return l.name() + l.suffix() }

func (l *line) suffix() string {
	if l.failed {
		return failedSuffix
	}
	return cellSuffix
}

// text is the line taken apart.
func (l *line) text() results.CellText {
	in := l.raw()
	return results.CellText{
		Head:   in.all[:in.pointsEnd-len(in.points)],
		Points: in.points,
		Tail:   in.all[in.pointsEnd:],
		Answer: l.answer(),
	}
}

// takeDigests completes inputs that a line was found by, apart from the points. It is
// not ok where that takes more than copying.
func (r rawInputs) takeDigests(in *results.Inputs) (ok bool) {
	take := func(to *string, text []byte) bool {
		*to = string(bytes.Trim(text, `"`))
		return len(*to) == len(text)-2 && !strings.Contains(*to, `\`)
	}
	same := func(s string, text []byte) bool { return len(s) == len(text)-2 && s == string(text[1:len(text)-1]) }
	return take(&in.DatasetDigest, r.datasetDigest) && take(&in.SplitDigest, r.splitDigest) &&
		same(in.Dataset, r.dataset) && same(in.Split, r.split) && same(in.Method, r.method) && len(in.Measure) == 0 && in.Unlabeled == "" &&
		in.Select == ""
}

// predicted is the text of the predictions.
func (l *line) predicted() string {
	_, text, _ := bytes.Cut(l.answer(), []byte(`,"predicted":"`)) // only there: a quote within a text would be escaped
	text, _, _ = bytes.Cut(text, []byte(`"`))
	return string(text)
}

// lineStart is what a line begins with.
var lineStart = fmt.Sprintf(`{"schema":%d,"inputs":`, results.CellSchema)

// unquote reads a text in JSON; most are the names of data sets and methods.
func unquote(quoted []byte) (string, error) {
	if n := len(quoted); n >= 2 && quoted[0] == '"' && quoted[n-1] == '"' {
		if name := string(quoted[1 : n-1]); strings.Trim(name, nameBytes) == "" {
			return name, nil
		}
	}
	var text string
	err := json.Unmarshal(quoted, &text)
	return text, err
}

const nameBytes = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.:"

var errNotALine = errors.New("not the line of a cell")

// scanLine reads as much of a cell file as it takes to find the cell.
func scanLine(data []byte) (*line, error) {
	body, ok := checkDigest(data)
	if !ok {
		return nil, errNotALine
	}
	s := scanner{data: body}
	s.skip(lineStart)
	in := s.inputs()
	if s.failed {
		return nil, errNotALine
	}
	dataset, err := unquote(in.dataset)
	if err != nil {
		return nil, err
	}
	method, err := unquote(in.method)
	if err != nil {
		return nil, err
	}
	return &line{
		data: data, inputsEnd: s.at,
		key:       in.hash(),
		failed:    bytes.Contains(body[s.at:], []byte(`,"failure":"`)), // as in predicted
		partition: newPartitionName(dataset, method),
	}, nil
}

// digestSize is the length of what ends a cell file.
const digestSize = len(results.DigestField) + 2*sha256.Size + len(results.LineEnd)

// checkDigest returns a cell file without the digest at its end, and whether
// that is the digest of the rest.
func checkDigest(data []byte) (body []byte, ok bool) {
	end := len(data) - digestSize
	if end < 0 {
		return nil, false
	}
	h := sha256.New()
	h.Write(data[:end])
	h.Write([]byte("}"))
	want := results.DigestField + hex.EncodeToString(h.Sum(nil)) + results.LineEnd
	return data[:end], string(data[end:]) == want
}

// rawInputs are Inputs in canonical JSON, with those parts in JSON, too, that
// cells are found and sorted by.
type rawInputs struct {
	all                        []byte
	dataset, datasetDigest     []byte
	split, splitDigest, method []byte
	version, points, seed      []byte
	rest                       []byte // neighbors and what follows them
	pointsEnd                  int    // in all
}

// rawWith returns in as a line has it, but for the whole text. points are those of in, in
// JSON.
func rawWith(in results.Inputs, points []byte) rawInputs {
	s := scanner{data: in.AppendJSONWith(make([]byte, 0, 1<<9), []byte("null"))}
	r := s.inputs()
	r.all, r.points, r.pointsEnd = nil, points, 0
	return r
}

// hash is the key, in bytes.
func (r rawInputs) hash() hash { return sha256.Sum256(r.all) }

// undigested is a hash of all but the digests.
func (r rawInputs) undigested() hash {
	h, end := sha256.New(), []byte("\n") // which JSON without blanks does not have
	for i, part := range [][]byte{r.dataset, r.split, r.method, r.version, r.points, r.seed, r.rest} {
		if i > 0 {
			h.Write(end)
		}
		h.Write(part)
	}
	return hash(h.Sum(nil))
}

// matches tells whether two inputs are equal up to digests that one side does
// not know.
func (r rawInputs) matches(other rawInputs) bool {
	agree := func(a, b []byte) bool { return string(a) == `""` || string(b) == `""` || bytes.Equal(a, b) }
	return agree(r.datasetDigest, other.datasetDigest) && agree(r.splitDigest, other.splitDigest)
}

// A scanner takes canonical JSON apart. It believes that the whole is JSON, and
// never reads beyond its end if that is not so.
type scanner struct {
	data   []byte
	at     int
	failed bool // something else stood where it was to be
}

// inputs takes Inputs apart.
func (s *scanner) inputs() rawInputs {
	var r rawInputs
	start := s.at
	r.dataset = s.field(`{"dataset":`)
	r.datasetDigest = s.field(`,"dataset_digest":`)
	r.split = s.field(`,"split":`)
	r.splitDigest = s.field(`,"split_digest":`)
	r.method = s.field(`,"method":`)
	r.version = s.field(`,"version":`)
	r.points = s.field(`,"points":`)
	r.pointsEnd = s.at - start
	r.seed = s.field(`,"seed":`)
	rest := s.at
	s.field(`,"neighbors":`)
	for _, name := range []string{`,"measure":`, `,"unlabeled":`, `,"select":`, `,"ties":`, `,"distances":`, `,"folds":`} {
		if bytes.HasPrefix(s.data[s.at:], []byte(name)) {
			s.field(name)
		}
	}
	r.rest = s.data[rest:s.at]
	s.skip("}")
	r.all = s.data[start:s.at]
	return r
}

// field takes the value behind a name.
func (s *scanner) field(name string) []byte {
	s.skip(name)
	return s.value()
}

// skip steps over a text that must be there.
func (s *scanner) skip(text string) {
	if !bytes.HasPrefix(s.data[s.at:], []byte(text)) {
		s.failed = true
		return
	}
	s.at += len(text)
}

// value takes the JSON up to the comma or bracket that ends it.
func (s *scanner) value() []byte {
	start, depth, quoted := s.at, 0, false
	for ; s.at < len(s.data); s.at++ {
		c := s.data[s.at]
		switch {
		case quoted && c == '\\':
			s.at++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '[' || c == '{':
			depth++
		case depth == 0 && (c == ',' || c == ']' || c == '}'):
			return s.data[start:s.at]
		case c == ']' || c == '}':
			depth--
		}
	}
	s.at, s.failed = len(s.data), true
	return nil
}

// decodeStored decodes a cell found under the given ending.
func decodeStored(data []byte, suffix string) (results.Cell, error) {
	c, err := results.DecodeCell(data)
	if err == nil && (c.Failure != "") != (suffix == failedSuffix) {
		err = errors.New("a failed cell and a good one have changed places")
	}
	return c, err
}

// jsonLine returns a value in canonical JSON, as a line of a pack or of a journal.
func jsonLine(v any) []byte {
	data, err := results.CanonicalJSON(v)
	if err != nil {
		panic(fmt.Sprintf("results: JSON line: %v", err)) // plain structs always encode
	}
	return append(data, '\n')
}
