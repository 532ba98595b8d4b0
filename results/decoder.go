package results

import (
	"bytes"
	"encoding/json"
	"errors"
	"strconv"
	"sync"
)

// A Decoder reads cells of one method on one data set, which have much in
// common: the same points and the same truth are decoded once, and shared. It
// serves any number of goroutines.
type Decoder struct {
	mu     sync.RWMutex
	points map[string][]Point // by their canonical JSON
	truths map[string][]int   // by their text
}

// NewDecoder returns a Decoder that has read nothing yet.
func NewDecoder() *Decoder {
	return &Decoder{points: map[string][]Point{}, truths: map[string][]int{}}
}

// A CellText is the file of a cell taken apart: Head, Points and Tail are the
// JSON of its Inputs, Answer is what follows them, without the digest.
type CellText struct{ Head, Points, Tail, Answer []byte }

var errNotCanonical = errors.New("not in canonical form")

// Inputs reads the inputs of a cell.
func (d *Decoder) Inputs(t CellText) (Inputs, error) {
	var in Inputs
	others := bytes.Join([][]byte{t.Head, t.Tail}, []byte("null")) // all but the points
	if err := json.Unmarshal(others, &in); err != nil {
		return in, err
	}
	if !bytes.Equal(in.AppendJSON(nil), others) {
		return in, errNotCanonical
	}
	var err error
	in.Points, err = d.pointsOf(t.Points)
	return in, err
}

// pointsOf reads points.
func (d *Decoder) pointsOf(text []byte) ([]Point, error) {
	d.mu.RLock()
	known, ok := d.points[string(text)]
	d.mu.RUnlock()
	if ok {
		return known, nil
	}
	var points []Point
	if err := json.Unmarshal(text, &points); err != nil {
		return nil, err
	}
	if !bytes.Equal(AppendPoints(nil, points), text) {
		return nil, errNotCanonical
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.points[string(text)] = points
	return points, nil
}

// Decode is DecodeCell for a file whose digest is known to be right.
func (d *Decoder) Decode(t CellText) (Cell, error) {
	in, err := d.Inputs(t)
	if err != nil {
		return Cell{}, err
	}
	return d.DecodeAnswer(in, t.Answer)
}

// DecodeAnswer is Decode for a caller who has read the inputs.
func (d *Decoder) DecodeAnswer(in Inputs, text []byte) (Cell, error) {
	object := append(append([]byte{'{'}, bytes.TrimPrefix(text, []byte(","))...), '}')
	var a answer
	if err := json.Unmarshal(object, &a); err != nil {
		return Cell{}, err
	}
	again, err := CanonicalJSON(a)
	if err != nil {
		return Cell{}, err
	}
	if !bytes.Equal(again, object) || len(text)+1 != len(object) {
		return Cell{}, errNotCanonical
	}
	truth, err := d.truthOf([]byte(a.Truth))
	if err != nil {
		return Cell{}, err
	}
	return a.cell(in, truth)
}

// truthOf spells out true labels.
func (d *Decoder) truthOf(text []byte) ([]int, error) {
	d.mu.RLock()
	known, ok := d.truths[string(text)]
	d.mu.RUnlock()
	if ok {
		return known, nil
	}
	a := answer{Truth: string(text)}
	truth, err := a.truth()
	if err != nil {
		return nil, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.truths[a.Truth] = truth
	return truth, nil
}

// DecodePlain is Decode for a caller who knows the inputs, apart from their points, and
// without the time that JSON takes. It is not ok for a cell that has more than labels,
// or is none: Decode tells what it is.
func (d *Decoder) DecodePlain(in Inputs, points, plain []byte) (c Cell, ok bool) {
	chosen, truth, predicted, ok := plainAnswer(plain)
	if !ok {
		return Cell{}, false
	}
	var err error
	if in.Points, err = d.pointsOf(points); err != nil {
		return Cell{}, false
	}
	known, err := d.truthOf(truth)
	if err != nil {
		return Cell{}, false
	}
	c, err = answer{Chosen: chosen, Predicted: string(predicted)}.cell(in, known)
	return c, err == nil
}

// IsPlain tells whether DecodePlain would return a cell, without its predictions being
// spelled out.
func (d *Decoder) IsPlain(in Inputs, points, plain []byte) bool {
	chosen, truth, predicted, ok := plainAnswer(plain)
	if !ok {
		return false
	}
	list, err := d.pointsOf(points)
	if err != nil || chosen < 0 || chosen >= len(list) || in.Dataset == "" || in.Method == "" {
		return false
	}
	known, err := d.truthOf(truth)
	if err != nil || len(known) == 0 {
		return false
	}
	labels, err := checkRuns(string(predicted))
	return err == nil && labels == len(known)
}

// plainAnswer takes an answer apart that consists of these three alone. Their texts
// are not checked.
func plainAnswer(text []byte) (chosen int, truth, predicted []byte, ok bool) {
	text, ok = bytes.CutPrefix(text, []byte(`,"chosen":`))
	number, text, found := bytes.Cut(text, []byte(`,"truth":"`))
	truth, text, separated := bytes.Cut(text, []byte(`","predicted":"`))
	predicted, ended := bytes.CutSuffix(text, []byte(`"`))
	chosen, err := strconv.Atoi(string(number))
	ok = ok && found && separated && ended && err == nil && strconv.Itoa(chosen) == string(number)
	return chosen, truth, predicted, ok
}
