package results

import (
	"bytes"
	"encoding/json"
	"errors"
)

// A Decoder reads cells of one method on one data set, which have much in
// common: the same points and the same truth are decoded once, and shared. It
// serves one goroutine.
type Decoder struct {
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
	if known, ok := d.points[string(text)]; ok {
		return known, nil
	}
	var points []Point
	if err := json.Unmarshal(text, &points); err != nil {
		return nil, err
	}
	if !bytes.Equal(AppendPoints(nil, points), text) {
		return nil, errNotCanonical
	}
	d.points[string(text)] = points
	return points, nil
}

// Decode is DecodeCell for a file whose digest is known to be right.
func (d *Decoder) Decode(t CellText) (Cell, error) {
	in, err := d.Inputs(t)
	if err != nil {
		return Cell{}, err
	}
	object := append(append([]byte{'{'}, bytes.TrimPrefix(t.Answer, []byte(","))...), '}')
	var a answer
	if err := json.Unmarshal(object, &a); err != nil {
		return Cell{}, err
	}
	again, err := CanonicalJSON(a)
	if err != nil {
		return Cell{}, err
	}
	if !bytes.Equal(again, object) || len(t.Answer)+1 != len(object) {
		return Cell{}, errNotCanonical
	}
	truth, ok := d.truths[a.Truth]
	if !ok {
		if truth, err = a.truth(); err != nil {
			return Cell{}, err
		}
		d.truths[a.Truth] = truth
	}
	return a.cell(in, truth)
}
