package results

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
)

// cellSchema is the version of the cell file's shape.
const cellSchema = 1

// A cellFile is a cell as its file spells it. Labels are run-length texts.
// Digest is the SHA-256, in hex, of the same object without the digest.
type cellFile struct {
	Schema     int      `json:"schema"`
	Inputs     Inputs   `json:"inputs"`
	Validation *Profile `json:"validation,omitempty"`
	Chosen     int      `json:"chosen"`
	Truth      string   `json:"truth"`
	Predicted  string   `json:"predicted"`
	Facts      []Fact   `json:"facts,omitempty"`
	Series     []Series `json:"series,omitempty"`
	Surface    *Surface `json:"surface,omitempty"`
	Warnings   []string `json:"warnings,omitempty"`
	Failure    string   `json:"failure,omitempty"`
	Digest     string   `json:"digest,omitempty"`
}

// EncodeCell returns the bytes of the cell's file: one line of canonical JSON.
// Equal cells give equal bytes. It fails on a cell that contradicts itself.
func EncodeCell(c Cell) ([]byte, error) {
	if err := c.check(); err != nil {
		return nil, fmt.Errorf("results: cell %s/%s: %w", c.Dataset, c.Method, err)
	}
	f := cellFile{
		Schema:     cellSchema,
		Inputs:     c.Inputs,
		Validation: c.Validation,
		Chosen:     c.Chosen,
		Truth:      formatRuns(c.Truth),
		Predicted:  formatRuns(c.Predicted),
		Facts:      c.Facts,
		Series:     c.Series,
		Surface:    c.Surface,
		Warnings:   c.Warnings,
		Failure:    c.Failure,
	}
	rest, err := CanonicalJSON(f)
	if err != nil {
		return nil, fmt.Errorf("results: cell %s/%s: %w", c.Dataset, c.Method, err)
	}
	f.Digest = Digest(rest)
	data, err := CanonicalJSON(f)
	return append(data, '\n'), err
}

// DecodeCell reads the bytes of a cell file. It accepts exactly what EncodeCell
// writes: anything truncated, altered or spelled otherwise is an error.
func DecodeCell(data []byte) (Cell, error) {
	f, err := parseCellFile(data)
	if err != nil {
		return Cell{}, err
	}
	c := Cell{
		Inputs:     f.Inputs,
		Validation: f.Validation,
		Chosen:     f.Chosen,
		Facts:      f.Facts,
		Series:     f.Series,
		Surface:    f.Surface,
		Warnings:   f.Warnings,
		Failure:    f.Failure,
	}
	if c.Truth, err = parseRuns(f.Truth); err != nil {
		return Cell{}, fmt.Errorf("truth: %w", err)
	}
	if c.Predicted, err = parseRuns(f.Predicted); err != nil {
		return Cell{}, fmt.Errorf("predictions: %w", err)
	}
	again, err := EncodeCell(c)
	if err != nil {
		return Cell{}, err
	}
	if !bytes.Equal(again, data) {
		return Cell{}, errors.New("not in canonical form")
	}
	return c, nil
}

// parseCellFile reads the JSON object and checks its schema and digest.
func parseCellFile(data []byte) (cellFile, error) {
	var f cellFile
	if err := json.Unmarshal(data, &f); err != nil {
		return f, fmt.Errorf("not a whole cell file: %w", err)
	}
	if f.Schema != cellSchema {
		return f, fmt.Errorf("schema %d, this program reads %d", f.Schema, cellSchema)
	}
	rest := f
	rest.Digest = ""
	canonical, err := CanonicalJSON(rest)
	if err != nil {
		return f, err
	}
	if Digest(canonical) != f.Digest {
		return f, errors.New("content and digest do not match")
	}
	return f, nil
}

func Digest(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}
