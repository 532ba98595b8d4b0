package results

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
)

// CellSchema is the version of the cell file's shape.
const CellSchema = 1

// A cellFile is a cell as its file spells it. Labels are run-length texts.
// Digest is the SHA-256, in hex, of the same object without the digest.
type cellFile struct {
	Schema int    `json:"schema"`
	Inputs Inputs `json:"inputs"`
	answer
	Digest string `json:"digest,omitempty"`
}

// An answer is what was found for the inputs of a cell.
type answer struct {
	Validation *Profile `json:"validation,omitempty"`
	Chosen     int      `json:"chosen"`
	Truth      string   `json:"truth"`
	Predicted  string   `json:"predicted"`
	Facts      []Fact   `json:"facts,omitempty"`
	Series     []Series `json:"series,omitempty"`
	Surface    *Surface `json:"surface,omitempty"`
	Warnings   []string `json:"warnings,omitempty"`
	Failure    string   `json:"failure,omitempty"`
}

// EncodeCell returns the bytes of the cell's file: one line of canonical JSON.
// Equal cells give equal bytes. It fails on a cell that contradicts itself.
func EncodeCell(c Cell) ([]byte, error) {
	if err := c.check(); err != nil {
		return nil, fmt.Errorf("results: cell %s/%s: %w", c.Dataset, c.Method, err)
	}
	data, err := cellFile{Schema: CellSchema, Inputs: c.Inputs, answer: answer{
		Validation: c.Validation,
		Chosen:     c.Chosen,
		Truth:      formatRuns(c.Truth),
		Predicted:  formatRuns(c.Predicted),
		Facts:      c.Facts,
		Series:     c.Series,
		Surface:    c.Surface,
		Warnings:   c.Warnings,
		Failure:    c.Failure,
	}}.encode()
	if err != nil {
		return nil, fmt.Errorf("results: cell %s/%s: %w", c.Dataset, c.Method, err)
	}
	return data, nil
}

// encode returns the line of f with the digest that belongs to it.
func (f cellFile) encode() ([]byte, error) {
	f.Digest = ""
	data, err := CanonicalJSON(f)
	if err != nil {
		return nil, err
	}
	sum := Digest(data)
	return append(data[:len(data)-1], DigestField+sum+LineEnd...), nil
}

// digestField begins the last field of a cell file, the digest, and lineEnd
// ends it.
const (
	DigestField = `,"digest":"`
	LineEnd     = "\"}\n"
)

// DecodeCell reads the bytes of a cell file. It accepts exactly what EncodeCell
// writes: anything truncated, altered or spelled otherwise is an error.
func DecodeCell(data []byte) (Cell, error) {
	var f cellFile
	if err := json.Unmarshal(data, &f); err != nil {
		return Cell{}, fmt.Errorf("not a whole cell file: %w", err)
	}
	if f.Schema != CellSchema {
		return Cell{}, fmt.Errorf("schema %d, this program reads %d", f.Schema, CellSchema)
	}
	again, err := f.encode()
	if err != nil {
		return Cell{}, err
	}
	if !bytes.HasSuffix(again, []byte(DigestField+f.Digest+LineEnd)) {
		return Cell{}, errors.New("content and digest do not match")
	}
	truth, err := f.truth()
	if err != nil {
		return Cell{}, err
	}
	c, err := f.cell(f.Inputs, truth)
	if err == nil && !bytes.Equal(again, data) {
		err = errNotCanonical
	}
	if err != nil {
		return Cell{}, err
	}
	return c, nil
}

// truth spells out the true labels.
func (a answer) truth() ([]int, error) {
	total, _ := checkRuns(a.Truth) // its error is ParseRuns's, too
	labels, err := ParseRuns(a.Truth, total)
	if err != nil {
		return nil, fmt.Errorf("truth: %w", err)
	}
	return labels, nil
}

// cell is the cell with the answer and the labels that its truth stands for.
func (a answer) cell(in Inputs, truth []int) (Cell, error) {
	c := Cell{
		Inputs:     in,
		Validation: a.Validation,
		Chosen:     a.Chosen,
		Truth:      truth,
		Facts:      a.Facts,
		Series:     a.Series,
		Surface:    a.Surface,
		Warnings:   a.Warnings,
		Failure:    a.Failure,
	}
	var err error
	if c.Predicted, err = ParseRuns(a.Predicted, len(truth)); err != nil {
		return Cell{}, fmt.Errorf("predictions: %w", err)
	}
	if err := c.check(); err != nil {
		return Cell{}, fmt.Errorf("results: cell %s/%s: %w", c.Dataset, c.Method, err)
	}
	return c, nil
}

// Digest is the SHA-256 of data, in hex.
func Digest(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}
