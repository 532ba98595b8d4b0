package results

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// A journalHead is the first line of a journal, a journalEntry every other.
// Sum is the start of a SHA-256 over the key of the cell and the line without it.
type journalHead struct {
	Key string `json:"key"`
	Sum string `json:"sum,omitempty"`
}

type journalEntry struct {
	Point   int    `json:"point"`
	Correct *int   `json:"correct,omitempty"`
	Failed  string `json:"failed,omitempty"`
	Sum     string `json:"sum,omitempty"`
}

// journalHeader returns the first line of the journal with that key.
func journalHeader(key string) []byte {
	head := journalHead{Key: key}
	head.Sum = lineSum(key, head)
	return jsonLine(head)
}

// journalLine returns the line of an outcome.
func journalLine(key string, o Outcome) []byte {
	e := journalEntry{Point: o.Point, Failed: o.Failed}
	if o.Failed == "" {
		e.Correct = &o.Correct
	}
	e.Sum = lineSum(key, e)
	return jsonLine(e)
}

// parseJournal reads a journal up to the first line that is torn, damaged or
// not for a grid of that many points, and returns where that line starts.
func parseJournal(data []byte, key string, points int) (outcomes []Outcome, sound int) {
	header := journalHeader(key)
	if !bytes.HasPrefix(data, header) {
		return nil, 0
	}
	sound = len(header)
	for {
		end := bytes.IndexByte(data[sound:], '\n') + 1
		if end == 0 {
			return outcomes, sound
		}
		o, ok := parseLine(data[sound:sound+end], key)
		if !ok || o.Point < 0 || o.Point >= points || o.Correct < 0 {
			return outcomes, sound
		}
		outcomes = append(outcomes, o)
		sound += end
	}
}

// parseLine reads exactly what journalLine writes.
func parseLine(line []byte, key string) (Outcome, bool) {
	var e journalEntry
	if json.Unmarshal(line, &e) != nil {
		return Outcome{}, false
	}
	o := Outcome{Point: e.Point, Failed: e.Failed}
	if e.Correct != nil {
		o.Correct = *e.Correct
	}
	return o, bytes.Equal(journalLine(key, o), line)
}

func lineSum(key string, line any) string {
	return digest(append([]byte(key), jsonLine(line)...))[:8]
}

func jsonLine(v any) []byte {
	data, err := encodeJSON(v)
	if err != nil {
		panic(fmt.Sprintf("results: journal line: %v", err)) // plain structs always encode
	}
	return append(data, '\n')
}
