package results

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"sync"
)

// The file of a cell is one line of canonical JSON. Its digest is the SHA-256, in
// hex, of the same object without the digest; labels are run-length texts.
//
//	{"schema":1,"inputs":{...},"chosen":0,"truth":"1x40 2x2",...,"digest":"9c0e..."}
const (
	cellSchema  = 1
	cellStart   = `{"schema":1,"inputs":`
	digestField = `,"digest":"`
	cellEnd     = "\"}\n"
	digestSize  = len(digestField) + 2*sha256.Size + len(cellEnd)
)

// An answer is what was found for the inputs of a cell, as its file spells it.
type answer struct {
	Validation *Profile    `json:"validation,omitempty"`
	Chosen     int         `json:"chosen"`
	Truth      string      `json:"truth"`
	Predicted  string      `json:"predicted"`
	Facts      []Count     `json:"facts,omitempty"`
	Series     []Series    `json:"series,omitempty"`
	Surface    *GridScores `json:"surface,omitempty"`
	Warnings   []string    `json:"warnings,omitempty"`
	Failure    string      `json:"failure,omitempty"`
}

// EncodeCell returns the bytes of the cell's file. Equal cells give equal bytes. It
// fails on a cell that contradicts itself.
func EncodeCell(c Cell) ([]byte, error) {
	if err := c.check(); err != nil {
		return nil, fmt.Errorf("results: cell %s/%s: %w", c.Dataset, c.Method, err)
	}
	a, err := CanonicalJSON(answer{
		c.Validation, c.Chosen, formatRuns(c.Truth), formatRuns(c.Predicted), c.Counts, c.Series, c.GridScores, c.Warnings, c.Failure,
	})
	if err != nil {
		return nil, fmt.Errorf("results: cell %s/%s: %w", c.Dataset, c.Method, err)
	}
	file := append([]byte(cellStart), c.Inputs.withPoints(SettingsJSON(c.Settings))...)
	file = append(append(file, ','), a[1:]...)
	return append(file[:len(file)-1], digestField+Digest(file)+cellEnd...), nil
}

// DecodeCell reads the bytes of a cell file. It accepts exactly what EncodeCell
// writes: anything truncated, altered or spelled otherwise is an error.
func DecodeCell(data []byte) (Cell, error) {
	var d Decoder
	r, err := d.Read(data)
	if err != nil {
		return Cell{}, err
	}
	c, err := d.Cell(r)
	if err != nil {
		return Cell{}, err
	}
	if again, err := EncodeCell(c); err != nil || !bytes.Equal(again, data) {
		return Cell{}, errors.New("not in canonical form")
	}
	return c, nil
}

// A Decoder reads the files of cells in two steps, for readers who look at many and
// need few. Cells of one method on one data set have points and truth in common: these
// are decoded once, and shared. What DecodeCell accepts is the same cell here; the
// spelling of a file with the right digest is not looked at. It serves any number of
// goroutines.
type Decoder struct {
	mu     sync.Mutex
	points map[string][]Setting // by their canonical JSON
	truths map[string][]int     // by their text
	texts  map[string]string    // each once
}

// once returns what a text was read as before, or reads it and keeps that in known, which
// is of d.
func once[V any](d *Decoder, known *map[string]V, text string, read func(text string) (V, error)) (V, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if v, ok := (*known)[text]; ok {
		return v, nil
	}
	v, err := read(text)
	if err != nil {
		return v, err
	}
	if *known == nil {
		*known = map[string]V{}
	}
	(*known)[text] = v
	return v, nil
}

// A Record is a cell file with the right digest, of which only the inputs were read.
type Record struct {
	Inputs
	Data   []byte // the whole file
	Answer []byte // of it, what stands between the inputs and the digest
	Failed bool   // it says why there is no cell
}

// Key is that of the inputs.
func (r Record) Key() string {
	return Digest(r.Data[len(cellStart) : len(r.Data)-digestSize-len(r.Answer)])
}

// Read reads the inputs of a cell. Data must not change afterwards.
func (d *Decoder) Read(data []byte) (Record, error) {
	end := max(0, len(data)-digestSize)
	sum := sha256.New()
	sum.Write(data[:end])
	sum.Write([]byte("}"))
	switch {
	case string(data[end:]) == digestField+hex.EncodeToString(sum.Sum(nil))+cellEnd:
	case json.Valid(data):
		return Record{}, errors.New("content and digest do not match")
	default:
		return Record{}, errors.New("not a whole cell file")
	}
	if !bytes.HasPrefix(data, []byte(cellStart)) {
		var head struct{ Schema int }
		if err := json.Unmarshal(data, &head); err == nil && head.Schema != cellSchema {
			return Record{}, fmt.Errorf("schema %d, this program reads %d", head.Schema, cellSchema)
		}
		return Record{}, errors.New("its inputs do not come first")
	}
	body := data[len(cellStart):end]
	known, shorter := d.withoutPoints(body)
	var head struct {
		Inputs
		Points json.RawMessage `json:"points"` // replaces the field of Inputs
	}
	inputs := json.NewDecoder(bytes.NewReader(shorter))
	if err := inputs.Decode(&head); err != nil {
		return Record{}, err
	}
	r := Record{Inputs: head.Inputs, Data: data, Answer: body[int(inputs.InputOffset())+len(body)-len(shorter):]}
	for _, text := range []*string{&r.Dataset, &r.DatasetDigest, &r.Split, &r.SplitDigest, &r.Method} {
		*text, _ = once(d, &d.texts, *text, func(text string) (string, error) { return text, nil })
	}
	r.Settings = known
	if known == nil {
		var err error
		r.Settings, err = once(d, &d.points, string(head.Points), func(text string) (points []Setting, err error) {
			err = json.Unmarshal([]byte(text), &points)
			return points, err
		})
		if err != nil {
			return Record{}, err
		}
	}
	if len(r.Settings) == 0 {
		return Record{}, errors.New("a cell without a setting")
	}
	r.Failed = bytes.Contains(r.Answer, []byte(`,"failure":"`)) // a quote within a text would be escaped
	return r, nil
}

// withoutPoints returns the points of a body whose list was read before, and the body with an empty list
// instead: a list is most of the inputs, and many cells have the same one. Else it returns nil and the body.
func (d *Decoder) withoutPoints(body []byte) (known []Setting, shorter []byte) {
	before, list, behind := cutPoints(body)
	d.mu.Lock()
	known = d.points[string(list)]
	d.mu.Unlock()
	if known == nil {
		return nil, body
	}
	return known, slices.Concat(before, []byte("[]"), behind)
}

// cutPoints divides the text of a cell around the list of its points. A list that holds what stands behind
// one is cut short, and no list then.
func cutPoints(text []byte) (before, list, behind []byte) {
	_, rest, _ := bytes.Cut(text, []byte(pointsField))
	size := bytes.Index(rest, []byte(`],"seed":`)) + 1
	return text[:len(text)-len(rest)], rest[:size], rest[size:]
}

const pointsField = `"points":` // a quote within a text would be escaped

// SettingsJSON is that of the points, as the file of the cell spells them.
func (r Record) PointsJSON() []byte {
	if _, list, _ := cutPoints(r.Data); json.Valid(list) {
		return list
	}
	return SettingsJSON(r.Settings)
}

// Cell reads the rest of a cell. It needs no Data.
func (d *Decoder) Cell(r Record) (Cell, error) {
	object := append([]byte{'{'}, bytes.TrimPrefix(r.Answer, []byte(","))...)
	var a answer
	if err := json.Unmarshal(append(object, '}'), &a); err != nil {
		return Cell{}, err
	}
	truth, err := once(d, &d.truths, a.Truth, func(text string) ([]int, error) { return parseRuns(text, 0) })
	if err != nil {
		return Cell{}, fmt.Errorf("truth: %w", err)
	}
	predicted, err := parseRuns(a.Predicted, len(truth))
	if err != nil {
		return Cell{}, fmt.Errorf("predictions: %w", err)
	}
	c := Cell{r.Inputs, a.Validation, a.Chosen, truth, predicted, a.Facts, a.Series, a.Warnings, nil, a.Surface, a.Failure}
	if err := c.check(); err != nil {
		return Cell{}, fmt.Errorf("results: cell %s/%s: %w", c.Dataset, c.Method, err)
	}
	return c, nil
}

// CanonicalJSON is json.Marshal without the escaping of <, > and &, and with
// bytes that are not UTF-8 replaced such that reading and writing again gives
// the same bytes.
func CanonicalJSON(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	data := bytes.TrimSuffix(b.Bytes(), []byte("\n"))
	if !bytes.Contains(data, []byte(`\ufffd`)) {
		return data, nil
	}
	// encoding/json escapes U+FFFD where it stands for a broken byte, and not in sound text.
	return escape.ReplaceAllFunc(data, func(e []byte) []byte {
		if string(e) == `\ufffd` {
			return []byte("\uFFFD")
		}
		return e
	}), nil
}

var escape = regexp.MustCompile(`\\(ufffd|.)`)

// Digest is the SHA-256 of data, in hex.
func Digest(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}
