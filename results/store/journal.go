package store

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"sync"

	"r2lmlbench/internal/files"
	"r2lmlbench/results"
)

// A place identifies an outcome in a journal.
type place struct {
	phase string
	point int
}

// A Journal records the outcomes of a grid as they come, so that a run that was
// killed resumes where it stood: an outcome is on disk when Add returns. It is
// a file of JSON lines, each with a checksum bound to the key of the cell. It
// may be used by several goroutines, but by one process at a time: hold Lock.
type Journal struct {
	mu   sync.Mutex
	file *os.File // nil: there is none on disk
	path string
	key  string
	size int64 // bytes of the file that are sound
	done map[place]results.Outcome
}

// OpenJournal opens the journal of in. One that is not there is begun with the
// first outcome, so that a cell without a grid has none. A last line that a kill
// has torn is cut off. A journal with other damage is set aside, and its sound lines
// are kept.
func (s Store) OpenJournal(in results.Inputs) (*Journal, error) {
	if err := s.writable(); err != nil {
		return nil, err
	}
	return s.openJournal(s.stem(in)+journalSuffix, in.Key(), len(in.Settings))
}

// openJournal opens the journal of a cell with that key, and with so many points.
func (s Store) openJournal(path, key string, points int) (*Journal, error) {
	data, err := readFile(path)
	foreign := errors.Is(err, errForeign)
	if err != nil && !errors.Is(err, fs.ErrNotExist) && !foreign {
		return nil, pathError("read", path, err)
	}
	outcomes, torn, damaged := parseJournal(data, key, points)
	sound := len(data) - torn
	if damaged {
		err = fmt.Errorf("grid points saved: %d", len(outcomes))
	}
	if foreign || damaged {
		if err := s.setAside(path, data, err); err != nil {
			return nil, err
		}
		lines := journalOf(key, outcomes)
		if err := writeFile(path, lines); err != nil {
			return nil, err
		}
		sound = len(lines)
	}
	j := &Journal{path: path, key: key, done: map[place]results.Outcome{}}
	for _, o := range outcomes {
		j.done[place{o.Phase, o.Setting}] = o
	}
	if isNothing(path) {
		return j, nil
	}
	return j, j.open(int64(sound))
}

// open opens the file, cuts it to its sound part, and writes the header when
// there is none.
func (j *Journal) open(sound int64) error {
	dir := filepath.Dir(j.path)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return pathError("create", dir, err)
	}
	file, err := os.OpenFile(j.path, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return pathError("open", j.path, err)
	}
	j.file, j.size = file, sound
	if err := file.Truncate(sound); err != nil {
		return errors.Join(pathError("cut", j.path, err), j.Close())
	}
	if sound > 0 {
		return nil
	}
	if err := errors.Join(j.append(journalHeader(j.key)), files.SyncDir(dir)); err != nil {
		return errors.Join(err, j.Close())
	}
	return nil
}

// Done returns the outcomes of a phase that are known, by point.
func (j *Journal) Done(phase string) map[int]results.Outcome {
	j.mu.Lock()
	defer j.mu.Unlock()
	known := map[int]results.Outcome{}
	for at, o := range j.done {
		if at.phase == phase {
			known[at.point] = o
		}
	}
	return known
}

// Forget drops outcomes, all or only the failures, so that their points are tried again. Add
// then records the new outcomes.
func (j *Journal) Forget(all bool) {
	j.mu.Lock()
	defer j.mu.Unlock()
	maps.DeleteFunc(j.done, func(_ place, o results.Outcome) bool { return all || o.Failed != "" })
}

// Add appends an outcome and waits until it is on disk.
func (j *Journal) Add(o results.Outcome) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.file == nil {
		if err := j.open(0); err != nil {
			return err
		}
	}
	if err := j.append(journalLine(j.key, o)); err != nil {
		return err
	}
	j.done[place{o.Phase, o.Setting}] = o
	return nil
}

// append writes after the sound part, over the rest of a failed attempt.
func (j *Journal) append(line []byte) error {
	_, err := j.file.WriteAt(line, j.size)
	if err == nil {
		err = j.file.Sync()
	}
	if err != nil {
		return pathError("write", j.path, err)
	}
	j.size += int64(len(line))
	return nil
}

// Close ends the use of the journal and keeps its file.
func (j *Journal) Close() error {
	if j.file == nil {
		return nil
	}
	file := j.file
	j.file = nil
	if err := file.Close(); err != nil {
		return pathError("close", j.path, err)
	}
	return nil
}

// Remove ends the use of the journal and deletes its file, once the cell is
// stored.
func (j *Journal) Remove() error {
	if j.file == nil {
		return nil
	}
	return errors.Join(j.Close(), remove(j.path))
}

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
	Score   string `json:"score,omitempty"`
	*results.TestCount
	Failed string        `json:"failed,omitempty"`
	Log    string        `json:"log,omitempty"`
	Build  results.Build `json:"build,omitzero"`
	Sum    string        `json:"sum,omitempty"`
}

// journalHeader returns the first line of the journal with that key.
func journalHeader(key string) []byte {
	head := journalHead{Key: key}
	head.Sum = lineSum(key, head)
	return jsonLine(head)
}

// journalLine returns the line of an outcome.
func journalLine(key string, o results.Outcome) []byte {
	e := journalEntry{Phase: o.Phase, Point: o.Setting, Failed: o.Failed, Log: o.Log, Build: o.Build}
	switch {
	case o.Failed != "":
	case o.Phase == results.PhaseTest:
		e.TestCount = &o.Test
	default:
		e.Correct, e.Score = &o.Correct, o.Score
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
		if o, ok := parseLine(rest[:end], key); ok && o.Setting >= 0 && o.Setting < points && o.Correct >= 0 {
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
	o := results.Outcome{Phase: e.Phase, Setting: e.Point, Failed: e.Failed, Log: e.Log, Build: e.Build}
	if e.Correct != nil {
		o.Correct, o.Score = *e.Correct, e.Score
	}
	if e.TestCount != nil {
		o.Test = *e.TestCount
	}
	return o, bytes.Equal(journalLine(key, o), line)
}

func lineSum(key string, line any) string {
	return results.Digest(append([]byte(key), jsonLine(line)...))[:8]
}

// jsonLine returns a value in canonical JSON, as a line of a pack, a history or a journal.
func jsonLine(v any) []byte {
	data, err := results.CanonicalJSON(v)
	if err != nil {
		panic(fmt.Sprintf("results: JSON line: %v", err)) // plain structs always encode
	}
	return append(data, '\n')
}
