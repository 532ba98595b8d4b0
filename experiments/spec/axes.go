package spec

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
)

// Axes are the parameters that a stanza searches, with their values, in file
// order. As JSON they are an object in that order.
type Axes []Axis

// An Axis is one searched parameter.
type Axis struct {
	Name   string
	Values []any
}

// String writes the axes as a spec does: "metrics=[1 2] lambda=[0.1 1]".
func (a Axes) String() string {
	parts := make([]string, len(a))
	for i, axis := range a {
		parts[i] = fmt.Sprintf("%s=%v", axis.Name, axis.Values)
	}
	return strings.Join(parts, " ")
}

// MarshalJSON keeps the order of the axes.
func (a Axes) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, axis := range a {
		if i > 0 {
			b.WriteByte(',')
		}
		values, err := json.Marshal(axis.Values)
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&b, "%q:%s", axis.Name, values)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// Grids returns, by method, the grid that the spec of all methods searches: the
// paper's for its eight. Methods without one are left out.
func Grids() (map[string]Axes, error) {
	spec, err := Load("beyond")
	if err != nil {
		return nil, err
	}
	grids := map[string]Axes{}
	for _, s := range spec.Methods {
		for i := 0; i+1 < len(s.Grid.Content); i += 2 {
			axis := Axis{Name: s.Grid.Content[i].Value}
			if err := s.Grid.Content[i+1].Decode(&axis.Values); err != nil {
				return nil, err
			}
			grids[s.Method] = append(grids[s.Method], axis)
		}
	}
	return grids, nil
}
