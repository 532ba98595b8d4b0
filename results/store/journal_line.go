package store

import (
	"bytes"
	"encoding/json"
	"fmt"

	"r2lmlbench/results"
)

// A journalHead is the first line of a journal, a journalEntry every other.
// Sum is the start of a SHA-256 over the key of the cell and the line without it.
type journalHead struct {
	Key string `json:"key"`
	Sum string `json:"sum,omitempty"`
}

type journalEntry struct {
	Phase   string `json:"phase,omitempty"`
	Point   int    `json:"point"`
	Correct *int   `json:"correct,omitempty"`
	*results.TestCount
	Failed string `json:"failed,omitempty"`
	Log    string `json:"log,omitempty"`
	Sum    string `json:"sum,omitempty"`
}

// journalHeader returns the first line of the journal with that key.
func journalHeader(key string) []byte {
	head := journalHead{Key: key}
	head.Sum = lineSum(key, head)
	return jsonLine(head)
}

// journalLine returns the line of an outcome.
func journalLine(key string, o results.Outcome) []byte {
	e := journalEntry{Phase: o.Phase, Point: o.Point, Failed: o.Failed, Log: o.Log}
	switch {
	case o.Failed != "":
	case o.Phase == results.PhaseTest:
		e.TestCount = &o.Test
	default:
		e.Correct = &o.Correct
	}
	e.Sum = lineSum(key, e)
	return jsonLine(e)
}

// parseJournal reads the sound lines of a journal for a grid of that many
// points. torn is the length of a last line without its end, which is what a
// kill leaves; damaged tells that another is not as it was written.
func parseJournal(data []byte, key string, points int) (outcomes []results.Outcome, torn int, damaged bool) {
	header := journalHeader(key)
	damaged = !bytes.HasPrefix(data, header) && !bytes.HasPrefix(header, data)
	rest := bytes.TrimPrefix(data, header)
	for {
		end := bytes.IndexByte(rest, '\n') + 1
		if end == 0 {
			return outcomes, len(rest), damaged
		}
		if o, ok := parseLine(rest[:end], key); ok && o.Point >= 0 && o.Point < points && o.Correct >= 0 {
			outcomes = append(outcomes, o)
		} else {
			damaged = true
		}
		rest = rest[end:]
	}
}

// journalOf returns the bytes of a journal with the outcomes.
func journalOf(key string, outcomes []results.Outcome) []byte {
	data := journalHeader(key)
	for _, o := range outcomes {
		data = append(data, journalLine(key, o)...)
	}
	return data
}

// parseLine reads exactly what journalLine writes.
func parseLine(line []byte, key string) (results.Outcome, bool) {
	var e journalEntry
	if json.Unmarshal(line, &e) != nil {
		return results.Outcome{}, false
	}
	o := results.Outcome{Phase: e.Phase, Point: e.Point, Failed: e.Failed, Log: e.Log}
	if e.Correct != nil {
		o.Correct = *e.Correct
	}
	if e.TestCount != nil {
		o.Test = *e.TestCount
	}
	return o, bytes.Equal(journalLine(key, o), line)
}

func lineSum(key string, line any) string {
	return results.Digest(append([]byte(key), jsonLine(line)...))[:8]
}

func jsonLine(v any) []byte {
	data, err := results.CanonicalJSON(v)
	if err != nil {
		panic(fmt.Sprintf("results: journal line: %v", err)) // plain structs always encode
	}
	return append(data, '\n')
}
